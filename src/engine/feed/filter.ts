// Which events a subscriber wants (contract part 1, Change feed, Filters): alternatives within a dimension, all dimensions at once,
// exact and case-sensitive. A resync passes every filter.

import { elementNames, kindNames, noName, propertySet, resync } from './events.ts';
import type { EventRing } from './ring.ts';

/** A dimension that is null wants everything. */
export interface ChangeFilter {
  /** Bit n: kind number n. */
  readonly kinds: number | null;
  /** Bit n: element number n. */
  readonly elements: number | null;
  readonly labels: ReadonlySet<string> | null;
  readonly keys: ReadonlySet<string> | null;
}

export type FilterResult =
  | { readonly ok: true; readonly filter: ChangeFilter }
  | { readonly ok: false; readonly failure: 'invalidFilter'; readonly detail: string };

/**
 * Reads `kinds`, `elements`, `labels` and `keys`, each repeatable and comma-separated. White space around an entry and empty
 * entries do not count. An unknown kind or element is a failure (title `Invalid change feed filter`).
 */
export function parseFilter(query: URLSearchParams): FilterResult {
  const kinds = maskOf('kinds', entriesOf(query, 'kinds'), kindNames);
  if (typeof kinds === 'string') return { ok: false, failure: 'invalidFilter', detail: kinds };
  const elements = maskOf('elements', entriesOf(query, 'elements'), elementNames);
  if (typeof elements === 'string') return { ok: false, failure: 'invalidFilter', detail: elements };
  const labels = setOf(entriesOf(query, 'labels'));
  return { ok: true, filter: { kinds, elements, labels, keys: setOf(entriesOf(query, 'keys')) } };
}

function entriesOf(query: URLSearchParams, name: string): string[] {
  return query
    .getAll(name)
    .flatMap((value) => value.split(','))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function setOf(entries: string[]): ReadonlySet<string> | null {
  return entries.length > 0 ? new Set(entries) : null;
}

/** The mask, null for no entry, or what is wrong as a sentence. */
function maskOf(dimension: string, entries: string[], names: readonly string[]): number | string | null {
  let mask = 0;
  for (const entry of entries) {
    const number = names.indexOf(entry);
    if (number < 0) return `${JSON.stringify(entry)} is none of the ${dimension}: ${names.slice(1).join(', ')}.`;
    mask |= 1 << number;
  }
  return mask === 0 ? null : mask;
}

export function wantsEverything({ kinds, elements, labels, keys }: ChangeFilter): boolean {
  return kinds === null && elements === null && labels === null && keys === null;
}

/** Whether `filter` wants the record of the ring that begins at word `record`. */
export function matches(filter: ChangeFilter, ring: EventRing, record: number): boolean {
  const { words, names } = ring;
  const head = words[record] as number;
  const kind = head & 0xff;
  if (kind === resync) return true;
  if (filter.kinds !== null && (filter.kinds & (1 << kind)) === 0) return false;
  if (filter.elements !== null && (filter.elements & (1 << (head >> 8))) === 0) return false;
  if (filter.labels !== null) {
    const label = words[record + 2] as number;
    if (label === noName || !filter.labels.has(names.text(label))) return false;
  }
  return filter.keys === null || (kind >= propertySet && filter.keys.has(names.text(words[record + 3] as number)));
}

// Candidates of a fulltext scan at the core's boundary (assembly/index/text.ts).

import { placeTexts } from './indexes.ts';
import type { CoreInstance } from './instance.ts';
import { CoreMemoryExhausted } from './memory-exhausted.ts';
import { CoreStatus } from './status.ts';

/** Classes of the trigram table. */
const classes = 4;
/** OUTPUT grows to about this. */
const blockBytes = 128 * 1024;

/** Some of the keys that pass. */
export interface TextCandidates {
  readonly keys: readonly TextKey[];
  /** Where to go on; null: all keys have been seen. */
  readonly next: TextCursor | null;
}

interface TextKey {
  readonly text: string;
  readonly ids: readonly number[];
}

export interface TextCursor {
  readonly class: number;
  readonly slot: number;
}

/**
 * Keys of a RegExIndex, from `cursor` on, that contain all literals of some alternative (all keys without alternatives); literals are ASCII
 * in lower case. Null without such an index.
 */
export function textCandidates(
  instance: CoreInstance,
  graph: number,
  index: string,
  alternatives: readonly (readonly string[])[],
  cursor: TextCursor,
): TextCandidates | null {
  const query = queryOf(
    Mode.texts,
    alternatives.map((literals) => literals.map((literal) => encoder.encode(literal))),
  );
  const next = scanned(instance, graph, index, query, cursor);
  return next === null ? null : { keys: keysOf(instance), next: next.class < classes ? next : null };
}

/** What a scan tells of the keys that pass; assembly/index/text.ts. */
const Mode = { texts: 0, matches: 1, words: 2 } as const;
const notCounted = 0xffffffff;
const encoder = new TextEncoder();

/** A key with matches, as `countTexts` shows it: good until the visitor returns. */
export interface CountedKey {
  /** Bytes of its text. */
  bytes: number;
  /** Matches in all; null: the text, which is there then, is for the caller to match. */
  matches: number | null;
  text: string | null;
  /** Matches of each literal, where whole words are counted. */
  words: Uint32Array;
  ids: Uint32Array;
}

/**
 * Shows some of the keys of a RegExIndex in which literals stand, from `cursor` on, and says where to go on; false: all keys have been seen.
 * Literals are in lower case. `whole`: only words that are delimited, each counted for itself, case folded within ASCII; else in texts
 * of ASCII alone, as an expression of these alternatives matches. Null without such an index.
 */
export function countTexts(
  instance: CoreInstance,
  graph: number,
  index: string,
  literals: readonly string[],
  whole: boolean,
  cursor: TextCursor,
  visit: (key: CountedKey) => void,
): TextCursor | false | null {
  const alternatives = literals.map((literal) => [encoder.encode(literal)]);
  const next = scanned(instance, graph, index, queryOf(whole ? Mode.words : Mode.matches, alternatives), cursor);
  if (next === null) return null;
  showCounts(instance, whole ? literals.length : 0, visit);
  return next.class < classes ? next : false;
}

function showCounts(instance: CoreInstance, width: number, visit: (key: CountedKey) => void): void {
  const { words } = instance;
  const base = instance.exports.outBase() >>> 0;
  const end = (base + instance.outputBytes()) >>> 2;
  for (let at = base >>> 2; at < end; ) {
    const [bytes, count, matches] = [words[at] as number, words[at + 1] as number, words[at + 2] as number];
    const text = matches === notCounted ? instance.text((at + 3 + width) << 2, bytes) : null;
    const ids = at + 3 + width + (text === null ? 0 : (bytes + 3) >>> 2);
    visit({
      ...{ bytes, text, matches: text === null ? matches : null },
      words: words.subarray(at + 3, at + 3 + width),
      ids: words.subarray(ids, ids + count),
    });
    at = ids + count;
  }
}

/** Runs one call of the scan, whose answer is in OUTPUT; null without such an index. */
function scanned(
  instance: CoreInstance,
  graph: number,
  index: string,
  query: Uint32Array,
  cursor: TextCursor,
): TextCursor | null {
  // The query is words: the name goes behind it.
  const [padding, name] = placeTexts(instance, ['x'.repeat(query.length * 4), index]) as [Placed, Placed];
  instance.words.set(query, padding.address >>> 2);
  const { exports } = instance;
  const status = exports.indexText(
    graph,
    name.address,
    name.bytes,
    padding.address,
    cursor.class,
    cursor.slot,
    blockBytes,
  );
  if (status === CoreStatus.notFound || status === CoreStatus.wrongKind) return null;
  if (status !== CoreStatus.ok) throw new CoreMemoryExhausted(`A scan does not fit into memory (status ${status}).`);
  return { class: exports.indexTextClass() >>> 0, slot: exports.indexTextSlot() >>> 0 };
}

interface Placed {
  readonly address: number;
  readonly bytes: number;
}

function queryOf(mode: number, alternatives: readonly (readonly Uint8Array[])[]): Uint32Array {
  const words: number[] = [mode, alternatives.length];
  for (const literals of alternatives) {
    words.push(literals.length);
    for (const literal of literals) {
      words.push(literal.length);
      for (let at = 0; at < literal.length; at += 4) {
        let word = 0;
        for (let i = 3; i >= 0; i--) word = (word << 8) | (literal[at + i] ?? 0);
        words.push(word >>> 0);
      }
    }
  }
  return Uint32Array.from(words);
}

function keysOf(instance: CoreInstance): TextKey[] {
  const keys: TextKey[] = [];
  const { words } = instance;
  const base = instance.exports.outBase() >>> 0;
  const end = base + instance.outputBytes();
  for (let at = base; at < end; ) {
    const bytes = words[at >>> 2] as number;
    const count = words[(at >>> 2) + 1] as number;
    const text = instance.text(at + 8, bytes);
    at += 8 + ((bytes + 3) & ~3);
    keys.push({ text, ids: Array.from(words.subarray(at >>> 2, (at >>> 2) + count)) });
    at += 4 * count;
  }
  return keys;
}

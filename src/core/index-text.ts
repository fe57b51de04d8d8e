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
  const query = queryOf(alternatives);
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
  const next = { class: exports.indexTextClass() >>> 0, slot: exports.indexTextSlot() >>> 0 };
  return { keys: keysOf(instance), next: next.class < classes ? next : null };
}

interface Placed {
  readonly address: number;
  readonly bytes: number;
}

function queryOf(alternatives: readonly (readonly string[])[]): Uint32Array {
  const words: number[] = [alternatives.length];
  for (const literals of alternatives) {
    words.push(literals.length);
    for (const literal of literals) {
      words.push(literal.length);
      for (let at = 0; at < literal.length; at += 4) {
        let word = 0;
        for (let i = 3; i >= 0; i--) word = (word << 8) | (at + i < literal.length ? literal.charCodeAt(at + i) : 0);
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

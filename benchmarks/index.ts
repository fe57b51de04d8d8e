// Indexes on one thread: point lookups and ranges over 1 M Int32 keys as batch calls inside the core, and a fulltext scan over 1 M keys of 20
// to 60 characters, each beside what one would write in JavaScript; and what lies near one of many points, beside RBush.
// `npm run bench -- index [--keys 1000000]`

import { readFileSync } from 'node:fs';
import { Core } from '../src/core/core.ts';
import { textCandidates } from '../src/core/index-text.ts';
import { backfillSlice, findIndex, IndexKind, indexEntry } from '../src/core/indexes.ts';
import { MemoryPool } from '../src/core/memory-pool.ts';
import type { WriteOperation } from '../src/core/requests.ts';
import { TypeId } from '../src/core/values.ts';
import { matcherOf, prepareExpression } from '../src/engine/indexes/expressions/expression.ts';
import { Random } from './lib/graphs.ts';
import { loadedAt } from './lib/load-core.ts';
import { compete, machineLine, median, setting, table, target, timed } from './lib/measure.ts';
import { spatialTable } from './lib/spatial.ts';

const keys = setting('keys', 1_000_000);
const rounds = setting('rounds', 7);
const lookups = 1_000_000;
const ranges = 100_000;
const width = 100;
const stride = 618_033;
const batchSize = 10_000;

interface Loops {
  loopLookups(graph: number, index: number, rounds: number, below: number, stride: number): number;
  loopRanges(graph: number, index: number, rounds: number, below: number, stride: number, width: number): number;
}

const module = new WebAssembly.Module(readFileSync(new URL('../wasm/test/indexes.wasm', import.meta.url)));
const core = new Core({ module, shared: true }, new MemoryPool({ shared: true }), 2 ** 32);
const loops = core.instance.exports as unknown as Loops;
const graph = core.createGraph();
const random = new Random(1);

const words = Array.from({ length: 20_000 }, () => {
  return Array.from({ length: 3 + random.below(7) }, () => String.fromCharCode(97 + random.below(26))).join('');
});

function sentence(): string {
  let text = words[random.below(words.length)] as string;
  const length = 20 + random.below(30);
  while (text.length < length) text += ` ${words[random.below(words.length)]}`;
  return text;
}

/** A permutation of 0 .. keys - 1, so that keys and ids are not in the same order. */
const permuted = Int32Array.from({ length: keys }, (_, i) => i);
for (let i = keys - 1; i > 0; i--) {
  const j = random.below(i + 1);
  [permuted[i], permuted[j]] = [permuted[j] as number, permuted[i] as number];
}
const texts: string[] = [];
for (let from = 0; from < keys; from += batchSize) {
  const operations: WriteOperation[] = [];
  for (let i = from; i < Math.min(keys, from + batchSize); i++) {
    texts.push(sentence());
    const properties = [
      { key: 'key', type: TypeId.int32, text: `${permuted[i]}` },
      { key: 'text', type: TypeId.string, text: texts[i] as string },
    ];
    operations.push({ kind: 'createVertex', creationDate: loadedAt, label: null, properties });
  }
  if (!core.write(graph, operations, loadedAt * 1000).ok) throw new Error('The core refused a batch.');
}

/** Fills a new index from a property; answers the milliseconds that took. */
function filled(index: string, indexKind: number, property: string): number {
  const created = core.write(graph, [{ kind: 'createIndex', index, indexKind, definition: null }], 0);
  if (!created.ok) throw new Error('The core refused an index.');
  return timed(() => {
    for (let element = 0; element < keys; ) {
      const request = { index, property, prefix: false, label: null };
      const slice = backfillSlice(core.instance, graph, request, element, keys, 0);
      if (slice === null || !core.apply(graph, slice.address, slice.bytes, false).ok)
        throw new Error('Backfill failed.');
      element = slice.next;
    }
  });
}

console.log(machineLine());
const built = [
  ['DictionaryIndex, Int32', 'd', filled('d', IndexKind.dictionary, 'key')],
  ['RangeIndex, Int32', 'r', filled('r', IndexKind.range, 'key')],
  ['RegExIndex, 20 to 60 characters', 't', filled('t', IndexKind.regex, 'text')],
] as const;
console.log(
  table([
    ['', 'entries', 'bytes per entry', 'M entries/s filled'],
    ...built.map(([name, index, ms]) => {
      const { bytes, values } = indexEntry(core.instance, findIndex(core.instance, graph, index));
      return [name, values, bytes / values, values / ms / 1000];
    }),
  ]),
);

const map = new Map<number, number>();
for (let id = 0; id < keys; id++) map.set(permuted[id] as number, id);
const sorted = permuted.slice().sort();
const idOf = new Int32Array(keys);
for (let id = 0; id < keys; id++) idOf[permuted[id] as number] = id;

/** The elements of keys in [low, low + width) by binary search in a sorted array. */
function sortedRange(low: number): number[] {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] as number) < low) from = middle + 1;
    else to = middle;
  }
  const ids: number[] = [];
  for (let i = from; i < sorted.length && (sorted[i] as number) < low + width; i++) ids.push(idOf[i] as number);
  return ids;
}

let sink = 0;
function jumping(count: number, below: number, visit: (key: number) => number): number {
  return timed(() => {
    for (let i = 0, key = 0; i < count; i++) {
      key = (key + stride) % below;
      sink += visit(key);
    }
  });
}

const dictionary = findIndex(core.instance, graph, 'd');
const range = findIndex(core.instance, graph, 'r');
const points = await compete(
  [
    {
      name: 'DictionaryIndex, batch of lookups in the core',
      round: () => timed(() => checked(loops.loopLookups(graph, dictionary, lookups, keys, stride), lookups)),
    },
    { name: 'JavaScript Map', round: () => jumping(lookups, keys, (key) => map.get(key) ?? 0) },
  ],
  rounds,
);
const spans = await compete(
  [
    {
      name: `RangeIndex, batch of ranges of ${width} in the core`,
      round: () => timed(() => checked(loops.loopRanges(graph, range, ranges, keys, stride, width), ranges * width)),
    },
    {
      name: 'sorted Int32Array, binary search',
      round: () => jumping(ranges, keys - width, (key) => sortedRange(key).length),
    },
  ],
  rounds,
);

function checked(found: number, expected: number): void {
  if (found !== expected) throw new Error(`Found ${found} elements, not ${expected}.`);
}

const rates = (count: number, results: typeof points) =>
  results.map(({ name, medianMs }) => [name, count / medianMs / 1000, medianMs / (results[0]?.medianMs ?? 1)]);
console.log(table([['', 'M/s', 'arcwise ×'], ...rates(lookups, points), ...rates(ranges, spans)]));
console.log(target('dictionary point lookups', lookups / (points[0]?.medianMs ?? 0) / 1000, '>=', 3, 'M/s'));
console.log(target(`ranges of ${width}`, ranges / (spans[0]?.medianMs ?? 0) / 1000, '>=', 0.3, 'M/s'));

const wanted = texts[keys >> 1]?.slice(2, 14) ?? '';
const prepared = prepareExpression(wanted);
const { literals } = prepared;
const match = matcherOf(prepared);
const native = new RegExp(wanted, 'i');
const expected = texts.filter((text) => native.test(text)).length;
function fulltext(): void {
  let hits = 0;
  let cursor: { class: number; slot: number } | null = { class: 0, slot: 0 };
  while (cursor !== null) {
    const found: ReturnType<typeof textCandidates> = textCandidates(core.instance, graph, 't', literals, cursor);
    for (const key of found?.keys ?? []) if (match(key.text) !== null) hits += key.ids.length;
    cursor = found?.next ?? null;
  }
  checked(hits, expected);
}
const searches = await compete(
  [
    { name: `fulltext '${wanted}'`, round: () => timed(fulltext) },
    { name: 'JavaScript RegExp over an array', round: () => timed(() => texts.filter((text) => native.test(text))) },
  ],
  rounds,
);
const [ours] = searches;
console.log(
  table([
    ['', 'ms', 'arcwise ×'],
    ...searches.map(({ name, medianMs }) => [name, medianMs, medianMs / (ours?.medianMs ?? 1)]),
  ]),
);
console.log(target('selective literal', median([ours?.medianMs ?? 0]), '<=', 5, 'ms'));
if (sink < 0) console.log(sink);
console.log(await spatialTable(rounds));

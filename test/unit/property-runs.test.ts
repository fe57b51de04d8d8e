// Property writes of one element in a row are carried out together: what comes out is what the single writes make, in contents, change
// records, modification and memory; and all of it is taken back when something behind them fails, or memory runs out anywhere.

import { describe, expect, it } from 'vitest';
import { BUILDS, GraphCore, STATUS } from './support/graph-core.ts';
import { randomFrom } from './support/graph-random.ts';
import { Transaction, type Value, value } from './support/transaction.ts';

type Write = readonly [key: string, of: Value | null];
type Random = (below: number) => number;

function someValue(random: Random): Value {
  const number = random(3);
  const kinds = [value.int32, value.double, value.guid, (n: number) => value.string('x'.repeat(n * 40))];
  return (kinds[random(kinds.length)] as (typeof kinds)[number])(number);
}

/** Writes of few keys, or of many, so that some repeat, some take away, and some change nothing. */
function someWrites(random: Random): Write[] {
  const keys = 1 + random(random(2) === 0 ? 6 : 60);
  return Array.from({ length: 8 + random(80) }, () => [
    `key${random(keys)}é${random(2)}`,
    random(4) === 0 ? null : someValue(random),
  ]);
}

function add(transaction: Transaction, element: number, writes: readonly Write[]): Transaction {
  for (const [key, of] of writes) {
    if (of === null) transaction.unset(element, key);
    else transaction.set(element, key, of);
  }
  return transaction;
}

function seeded(random: Random): Transaction {
  const transaction = new Transaction(100);
  for (let i = 0; i < 2; i++) {
    const keys = Array.from({ length: random(30) }, () => `key${random(40)}é${random(2)}`);
    transaction.vertex({ creation: 5, properties: Object.fromEntries(keys.map((key) => [key, someValue(random)])) });
  }
  transaction.edge(0, 1, 'knows');
  return transaction;
}

describe.each(BUILDS)('%s', (build) => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('a run is what its writes are one by one, seed %i', (seed) => {
    const random = randomFrom(seed);
    const [together, single] = [new GraphCore(build), new GraphCore(build)];
    const first = seeded(random);
    for (const core of [together, single]) expect(core.apply(first)).toBe(STATUS.ok);
    for (let round = 1; round <= 10; round++) {
      const element = random(3);
      const writes = someWrites(random);
      expect(together.apply(add(new Transaction(100 + round), element, writes), false, true)).toBe(STATUS.ok);
      const changes: number[][] = [];
      for (const write of writes) {
        expect(single.apply(add(new Transaction(100 + round), element, [write]), false, true)).toBe(STATUS.ok);
        for (const [kind, of, id, label, key] of single.changes) {
          changes.push([kind as number, of as number, id as number, label as number, key as number]);
        }
      }
      const named = (core: GraphCore, all: number[][]) =>
        all.map((one) => [...one.slice(0, 3), core.string(one[4] ?? 0)]);
      expect(named(together, together.changes)).toEqual(named(single, changes));
      expect(together.dump()).toEqual(single.dump());
      expect(together.memoryBytes().slice(0, 3)).toEqual(single.memoryBytes().slice(0, 3));
      expect(together.verify()).toBe(0);
    }
  });

  it.each([1, 2, 3])('a run that fails has not been, seed %i', (seed) => {
    const random = randomFrom(seed);
    const core = new GraphCore(build);
    core.apply(seeded(random));
    // The names are there, so that nothing of a run stays.
    const writes = [...someWrites(random), ...someWrites(random)];
    core.apply(add(new Transaction(101), 1, writes));
    const [before, bytes] = [core.dump(), core.memoryBytes()];
    const expectUntouched = (): void => {
      expect(core.verify()).toBe(0);
      expect(core.dump()).toEqual(before);
      expect(core.memoryBytes().slice(0, 3)).toEqual(bytes.slice(0, 3));
    };
    const missing = add(add(new Transaction(102), 0, writes), 1, writes.slice(0, 20)).remove(99);
    expect(core.apply(missing)).toBe(STATUS.notFound);
    expectUntouched();
    expect(core.apply(add(new Transaction(102), 99, writes))).toBe(STATUS.notFound);
    expectUntouched();
    const good = add(add(new Transaction(102), 0, writes), 2, writes);
    for (let n = 1; ; n++) {
      core.exports.failAfter!(n);
      const code = core.apply(good, false, true);
      core.exports.failAfter!(0);
      if (code === STATUS.ok) break;
      expect(code).toBe(STATUS.noMemory);
      expectUntouched();
    }
    expect(core.verify()).toBe(0);
  });

  it('ten thousand new keys of one element make one row of that length', () => {
    const core = new GraphCore(build);
    const vertex = new Transaction(100);
    vertex.vertex();
    core.apply(vertex);
    const writes = Array.from({ length: 10_000 }, (_, i): Write => [`key${i}`, value.int32(i)]);
    expect(core.apply(add(new Transaction(101), 0, writes))).toBe(STATUS.ok);
    expect(Object.keys(core.dump().elements[0]?.properties ?? {})).toHaveLength(10_000);
    // Ten thousand slots of 8 bytes, and of 12 in the shape; one by one it was refused at 256 MiB.
    expect(core.memoryBytes()[2]).toBeLessThan(10_000 * 40);
    expect(core.verify()).toBe(0);
  });
});

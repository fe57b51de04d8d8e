// The graph's behaviour, one rule a test.

import { describe, expect, it } from 'vitest';
import { BUILDS, GraphCore, STATUS } from './support/graph-core.ts';
import { randomFrom } from './support/graph-random.ts';
import { NONE, Transaction, value, valueKey } from './support/transaction.ts';

describe.each(BUILDS)('%s', (build) => {
  it('creates vertices and edges, ids dense from 0, and reports the changes in input order', () => {
    const core = new GraphCore(build);
    const transaction = new Transaction(500);
    const ann = transaction.vertex({
      label: 'person',
      creation: 7,
      properties: { name: value.string('Ann'), age: value.int32(30) },
    });
    const bob = transaction.vertex({ creation: 8 });
    transaction.edge(ann, bob, 'knows', { label: 'friend', creation: 9, properties: { since: value.int32(1999) } });
    transaction.edge(bob, bob, 'likes');
    expect(core.apply(transaction, false, true)).toBe(STATUS.ok);
    expect(core.firstId).toBe(0);
    const dump = core.dump();
    expect(dump).toMatchObject({ nextId: 4, vertexCount: 2, edgeCount: 2 });
    expect(dump.elements[0]).toMatchObject({
      label: 'person',
      creation: 7,
      modification: 7,
      out: [['knows', [2]]],
      in: [],
    });
    expect(Object.keys(dump.elements[0]!.properties)).toEqual(['age', 'name']);
    expect(dump.elements[1]).toMatchObject({ label: null, out: [['likes', [3]]] });
    expect(dump.elements[1]!.in).toEqual([
      ['knows', [2]],
      ['likes', [3]],
    ]);
    expect(dump.elements[2]).toMatchObject({ kind: 'edge', source: 0, target: 1, type: 'knows', label: 'friend' });
    expect(core.changes.map(([kind, element, id]) => [kind, element, id])).toEqual([
      [1, 1, 0],
      [1, 1, 1],
      [3, 2, 2],
      [3, 2, 3],
    ]);
    expect(core.changes[3]!.slice(3)).toEqual([NONE, core.changes[3]![4], 1, 1]);
    expect(core.string(core.changes[3]![4]!)).toBe('likes');
    expect(core.verify()).toBe(0);
  });

  it('rolls a batch back when one endpoint is missing, and names it', () => {
    const core = new GraphCore(build);
    core.apply(seeded());
    const before = core.dump();
    for (const bad of [99, 2, -1]) {
      const transaction = new Transaction();
      transaction.edge(0, 1, 'new');
      transaction.edge(0, bad, 'new');
      expect(core.apply(transaction)).toBe(STATUS.notFound);
      expect(core.exports.errorRecord!()).toBe(1);
      expect(core.exports.errorElement!()).toBe(bad);
      expect(core.dump()).toEqual(before);
    }
    expect(core.verify()).toBe(0);
  });

  it('rolls back what came before an operation that fails half way', () => {
    const core = new GraphCore(build);
    core.apply(seeded());
    const before = core.dump();
    const bytes = core.memoryBytes();
    const transaction = new Transaction();
    transaction.vertex({ properties: { fresh: value.string('x'.repeat(50)) } });
    transaction.set(0, 'name', value.string('changed')).unset(1, 'name').remove(1);
    transaction.edge(0, 0, 'again', { properties: { fresh: value.string('y') } });
    transaction.edge(0, 1, 'again');
    expect(core.apply(transaction, false, true)).toBe(STATUS.notFound);
    expect(core.changes).toEqual([]);
    expect(core.exports.errorElement!()).toBe(1);
    expect(core.dump()).toEqual(before);
    // Groups and regions may have grown; nothing else keeps anything.
    const [elements, , properties, strings] = core.memoryBytes();
    expect([elements, properties, strings]).toEqual([bytes[0], bytes[2], bytes[3]]);
    expect(core.verify()).toBe(0);
  });

  it('removes a vertex with its edges, outgoing first, a self-loop once', () => {
    const core = new GraphCore(build);
    const transaction = new Transaction();
    const [a, b] = [transaction.vertex(), transaction.vertex()];
    transaction.edge(b, a, 'x'); // 2
    transaction.edge(a, a, 'x'); // 3
    transaction.edge(a, b, 'y'); // 4
    transaction.edge(b, b, 'z'); // 5
    core.apply(transaction);
    expect(core.apply(new Transaction().remove(0), false, true)).toBe(STATUS.ok);
    expect(core.changes.map(([kind, , id]) => [kind, id])).toEqual([
      [2, 0],
      [4, 3],
      [4, 4],
      [4, 2],
    ]);
    expect(core.dump()).toMatchObject({ nextId: 6, vertexCount: 1, edgeCount: 1 });
    expect(core.dump().elements[1]).toMatchObject({ out: [['z', [5]]], in: [['z', [5]]] });
    expect(core.verify()).toBe(0);
    expect(core.apply(new Transaction().remove(0))).toBe(STATUS.notFound);
    expect(core.apply(new Transaction().remove(0, true))).toBe(STATUS.ok);
    expect(core.apply(new Transaction().remove(77, true))).toBe(STATUS.notFound);
  });

  it('treats equal values and absent keys as no change at all', () => {
    const core = new GraphCore(build);
    core.apply(seeded());
    const before = core.dump();
    const same = new Transaction(9999).set(0, 'name', value.string('Ann')).unset(0, 'absent').unset(3, 'name');
    expect(core.apply(same, false, true)).toBe(STATUS.ok);
    expect(core.changes).toEqual([]);
    expect(core.dump()).toEqual(before);
    core.apply(new Transaction(2000).set(0, 'name', value.int32(1)), false, true);
    expect(core.changes.map(([kind, , id]) => [kind, id])).toEqual([[5, 0]]);
    expect(core.dump().elements[0]).toMatchObject({ creation: 5, modification: 2000 });
    core.apply(new Transaction(3000).unset(0, 'name'), false, true);
    expect(core.changes.map(([kind, , id]) => [kind, id])).toEqual([[6, 0]]);
    expect(core.dump().elements[0]!.properties).toEqual({});
    expect(core.verify()).toBe(0);
  });

  it('trims: survivors renumbered in order, contents the same, memory given back', () => {
    const core = new GraphCore(build);
    core.apply(seeded());
    core.apply(new Transaction().remove(1));
    const transaction = new Transaction();
    transaction.edge(0, 3, 'late', { properties: { w: value.double(0.5) } });
    core.apply(transaction);
    expect(core.apply(new Transaction().trim())).toBe(STATUS.ok);
    const dump = core.dump();
    expect(dump).toMatchObject({ nextId: 3, vertexCount: 2, edgeCount: 1 });
    expect(dump.elements[2]).toMatchObject({ kind: 'edge', source: 0, target: 1, type: 'late' });
    expect(dump.elements[0]).toMatchObject({ out: [['late', [2]]], in: [] });
    expect(core.verify()).toBe(0);
    core.apply(seeded());
    expect(core.verify()).toBe(0);
    expect(core.apply(new Transaction().erase())).toBe(STATUS.ok);
    expect(core.dump()).toEqual({ nextId: 0, vertexCount: 0, edgeCount: 0, elements: {} });
  });

  it('takes 100,000 properties in one create and single writes on them', { tags: ['long'] }, () => {
    const core = new GraphCore(build);
    const count = 100_000;
    const properties = Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`k${(i * 7919) % count}`, value.int32(i)]),
    );
    const transaction = new Transaction();
    transaction.vertex({ properties });
    expect(core.apply(transaction)).toBe(STATUS.ok);
    const bytes = core.exports.memoryBytes!(2);
    const writes = new Transaction();
    writes
      .set(0, 'k5', value.int32(-1))
      .set(0, 'zz', value.int32(1))
      .set(0, 'k6', value.string('s'))
      .unset(0, 'k7')
      .unset(0, 'zz');
    expect(core.apply(writes)).toBe(STATUS.ok);
    expect(core.verify()).toBe(0);
    expect(core.exports.memoryBytes!(2)).toBeLessThan(bytes * 1.2);
    const dumped = core.dump().elements[0]!.properties;
    expect(Object.keys(dumped)).toHaveLength(count - 1);
    expect(Object.keys(dumped)).toEqual(Object.keys(dumped).sort());
  });

  it('answers broken buffers with a code, whatever is broken', () => {
    const core = new GraphCore(build, 1200);
    core.apply(seeded());
    const random = randomFrom(7);
    const codes = new Set<number>();
    for (let i = 0; i < 4000; i++) {
      const transaction = seeded().set(0, 'name', value.singles(1, 2)).unset(1, 'name').remove(3, true);
      const bytes = transaction.encode();
      for (let flips = 1 + random(3); flips > 0; flips--) {
        // Most of the damage to the words that say where things are; values may be anything.
        const at = 4 * random(random(2) ? 16 : bytes.length / 4);
        new DataView(bytes.buffer).setUint32(at, random(3) ? random(40) : random(0xffffffff), true);
      }
      codes.add(core.apply(random(8) ? bytes : bytes.slice(0, 8 * random(bytes.length / 8))));
      if (i % 50 === 0) expect(core.verify()).toBe(0);
    }
    expect(core.verify()).toBe(0);
    expect([...codes].sort()).toEqual(expect.arrayContaining([STATUS.ok, STATUS.notFound, STATUS.badTransaction]));
  });

  it('hands out ids below 2^31 - 1 only', () => {
    const core = new GraphCore(build, 1200);
    const transaction = new Transaction();
    transaction.vertex();
    expect(core.apply(transaction.encode(0x7fffffff), true)).toBe(STATUS.tooManyIds);
    expect(core.dump().nextId).toBe(0);
  });

  it('frees shapes nobody uses: keys added one at a time leave no trail', () => {
    const core = new GraphCore(build);
    core.apply(seeded());
    for (let i = 0; i < 2000; i++) core.apply(new Transaction().set(0, `key${i}`, value.int32(i)));
    expect(core.exports.memoryBytes!(2)).toBeLessThan(2000 * 40);
    expect(core.verify()).toBe(0);
  });

  it('takes property writes until the rows that they make are 64 MiB, and has no such bound for a redo', {
    tags: ['long'],
  }, () => {
    const names = Array.from({ length: 65_536 }, (_, index) => `k${index}`);
    const changes = (count: number) => {
      const transaction = new Transaction();
      // Two elements in turn: writes of one in a row would make one row (property-runs.test.ts).
      for (let round = 1; round <= count; round++)
        transaction.set(0, 'k0', value.int32(round)).set(1, 'k0', value.int32(round));
      return transaction;
    };
    for (const [count, redo, status] of [
      [126, false, STATUS.ok],
      [127, false, STATUS.ok],
      [128, false, STATUS.limitMet],
      [128, true, STATUS.ok],
    ] as const) {
      const core = new GraphCore(build, 8192);
      const wide = new Transaction();
      wide.vertex({ properties: Object.fromEntries(names.map((name) => [name, value.int32(0)])) });
      wide.vertex({ properties: { k0: value.int32(0) } });
      expect(core.apply(wide)).toBe(STATUS.ok);
      expect(core.apply(changes(count), redo)).toBe(status);
      expect(core.dump().elements[0]!.properties.k0).toBe(valueKey(value.int32(status === STATUS.ok ? count : 0)));
      expect(core.verify()).toBe(0);
    }
  });
});

/** Two vertices, an edge between them, one vertex without edges. */
function seeded(): Transaction {
  const transaction = new Transaction(100);
  const properties = { name: value.string('Ann') };
  const [a, b] = [transaction.vertex({ creation: 5, properties }), transaction.vertex({ creation: 5, properties })];
  transaction.edge(a, b, 'knows', { properties });
  transaction.vertex();
  return transaction;
}

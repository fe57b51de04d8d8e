// A transaction that comes from disk may hold anything. Whatever it is, applying it answers a status, follows no word out of the buffer, the
// ids or the memory, and leaves a graph that verifies: unchanged if it was refused. The memory ends at its limit, so that a wrong
// address traps. The seed is in the test's name; GRAPH_SEED repeats a run.

import { describe, expect, it } from 'vitest';
import { BUILDS, type Build, GraphCore, STATUS } from './support/graph-core.ts';
import { randomFrom } from './support/graph-random.ts';
import { Transaction, value } from './support/transaction.ts';

const SEED = Number(process.env.GRAPH_SEED ?? Date.now() % 1_000_000);
const pages = 1024;
const newCore = (build: Build): GraphCore => new GraphCore(build, pages, pages);

/** Ten vertices in a ring, and two indexes. */
function ring(build: Build): GraphCore {
  const core = newCore(build);
  const made = new Transaction();
  for (let i = 0; i < 10; i++) made.vertex({ label: 'l', properties: { n: value.int32(i), s: value.string(`s${i}`) } });
  for (let i = 0; i < 10; i++) made.edge({ created: i }, { created: (i + 1) % 10 }, 'next');
  expect(core.apply(made)).toBe(STATUS.ok);
  for (const name of ['one', 'two']) expect(core.apply(new Transaction().indexCreate(name, 1, null))).toBe(STATUS.ok);
  return core;
}

/** One of each sort of transaction. */
function samples(): Uint8Array[] {
  const mixed = new Transaction();
  const { created } = mixed.vertex({
    label: 'm',
    properties: { n: value.int32(1), g: value.guid(7), f: value.singles(1, 2) },
  });
  mixed.vertex({ properties: { s: value.string('text'), d: value.double(0.5) } });
  mixed.edge({ created }, 3, 'to', { properties: { n: value.int32(2) } });
  for (let i = 0; i < 6; i++) mixed.edge(i, { created: 1 }, 'to');
  mixed.set(2, 's', value.string('other')).unset(3, 'n').remove(4).remove(14, true);
  const adds = new Transaction();
  for (let i = 0; i < 4; i++) adds.indexAdd(i % 2 === 0 ? 'one' : 'two', i, value.string(`key ${i}`));
  return [
    ...[mixed, adds, new Transaction().indexRemove('one', 2), new Transaction().indexClear('two')].map((one) =>
      one.encode(20),
    ),
    ...[new Transaction().indexDrop('one'), new Transaction().trim(), new Transaction().erase()].map((one) =>
      one.encode(20),
    ),
  ];
}

/** Changes up to four words, now and then to one that is a little off or stands elsewhere. */
function damage(bytes: Uint8Array, random: (below: number) => number): Uint8Array {
  const damaged = bytes.slice(0, random(8) === 0 ? 8 * random(bytes.length / 8 + 1) : bytes.length);
  const view = new DataView(damaged.buffer);
  const words = damaged.length / 4;
  for (let i = random(4); i >= 0 && words > 0; i--) {
    const at = 4 * random(words);
    const near = view.getUint32(at, true) + random(9) - 4;
    const choices = [
      near,
      view.getUint32(4 * random(words), true),
      random(2 ** 31) * 2 + random(2),
      random(64),
      0xffffffff,
    ];
    view.setUint32(at, choices[random(choices.length)]! >>> 0, true);
  }
  if (damaged.length >= 8 && random(4) !== 0) {
    view.setUint32(0, 0x31585441, true);
    view.setUint32(4, damaged.length, true);
  }
  return damaged;
}

describe.each(BUILDS)('a transaction from disk (%s)', (build) => {
  it(`is refused or makes a sound graph, whatever it holds, ${SEED}`, () => {
    const random = randomFrom(SEED);
    const whole = samples();
    const known: number[] = Object.values(STATUS);
    let [core, refused, applied] = [ring(build), 0, 0];
    for (let round = 0; round < (build === 'graph' ? 6000 : 2500); round++) {
      const bytes = damage(whole[random(whole.length)]!, random);
      const redo = random(2) === 0;
      const before = round % 8 === 0 ? core.dump() : null;
      const status = core.apply(bytes, redo);
      expect(known, `round ${round}`).toContain(status);
      expect(core.verify(), `round ${round}`).toBe(0);
      if (status === STATUS.ok) applied++;
      else refused++;
      if (status !== STATUS.ok && before !== null) expect(core.dump(), `round ${round}`).toEqual(before);
      if (round % 50 === 49) core = ring(build);
    }
    expect(Math.min(refused, applied)).toBeGreaterThan(100);
  });

  it('names ids that are nobody, whose words are what lay there before', () => {
    const core = newCore(build);
    // A label that is taken back: its bytes stay where the first page of elements comes to lie.
    const failing = new Transaction();
    failing.vertex({ label: '\uffff'.repeat(1_200_000) });
    expect(core.apply(failing.remove(0).unset(0, 'n'))).toBe(STATUS.notFound);
    const redone = new Transaction();
    redone.vertex();
    for (let i = 0; i < 9; i++) redone.edge(i, i + 1, 'to');
    const bytes = redone.encode(10);
    // The second time the ids below the first one are known, and still nobody.
    for (const round of [1, 2]) expect(core.apply(bytes, true), `round ${round}`).toBe(STATUS.ok);
    expect(core.verify()).toBe(0);
    expect(core.dump()).toMatchObject({ vertexCount: 1, edgeCount: 0 });
  });

  it('holds index operations and others side by side', () => {
    const core = ring(build);
    const before = core.dump();
    const odd = new Transaction().indexAdd('one', 1, value.int32(1));
    odd.vertex({ creation: 0x7fffff00 });
    expect(core.apply(odd)).toBe(STATUS.badTransaction);
    const odder = new Transaction().indexAdd('one', 1, value.int32(1)).set(1, 'n', value.int32(5));
    expect(core.apply(odder, true)).toBe(STATUS.badTransaction);
    expect(core.dump()).toEqual(before);
  });
});

// Vector indexes in a graph's catalogue: bound ones follow the embeddings of elements through every kind of transaction, unbound ones take
// what they are given; both survive trim, redo and want of memory.

import { describe, expect, it } from 'vitest';
import { type Hit, modelSearch } from '../model/vector-scores.ts';
import { randomFrom } from './support/graph-random.ts';
import { Transaction, type Value, value } from './support/transaction.ts';
import { BUILDS, VectorCore } from './support/vector-core.ts';

const seed = Number(process.env.VECTOR_SEED ?? 4711);
const vectorKind = 6;
const key = '$embedding:default';
const noMemory = 2;
const badValue = 3;
const wrongKind = 8;
const dimension = 3;

const bound = `${dimension}\nDotProduct\ndefault\n`;
const cosine = `${dimension}\nCosine\ndefault\nsome model`;
const free = `${dimension}\nDotProduct\n\n`;

const query = new Float32Array([1, 2, 3]);

function singles(vector: Float32Array): Value {
  return value.singles(...vector);
}

function hitsOf(core: VectorCore, name: string, metric: 'dot' | 'cosine' = 'dot'): Hit[] {
  return core.index(name, metric, dimension).search([{ vector: query, k: 1000 }])[0] as Hit[];
}

/** What the elements carry, and what was put into the unbound index. */
class Model {
  readonly live = new Map<number, Float32Array | null>();
  readonly given = new Map<number, Float32Array>();
  next = 0;

  copy(): Model {
    const model = new Model();
    for (const entry of this.live) model.live.set(...entry);
    for (const entry of this.given) model.given.set(...entry);
    model.next = this.next;
    return model;
  }

  ranking(length: number): Map<number, Float32Array> {
    const vectors = new Map<number, Float32Array>();
    for (const [id, vector] of this.live) if (vector !== null && vector.length === length) vectors.set(id, vector);
    return vectors;
  }

  remove(id: number): void {
    this.live.delete(id);
    this.given.delete(id);
  }

  trim(): void {
    const ranks = new Map([...this.live.keys()].sort((a, b) => a - b).map((id, rank) => [id, rank]));
    const renumber = <T>(map: Map<number, T>): void => {
      const entries = [...map];
      map.clear();
      for (const [id, item] of entries) map.set(ranks.get(id) as number, item);
    };
    renumber(this.live);
    renumber(this.given);
    this.next = ranks.size;
  }
}

function verify(core: VectorCore, model: Model): void {
  const ranking = model.ranking(dimension);
  expect(hitsOf(core, 'bound')).toEqual(modelSearch('dot', ranking, query, 1000));
  const nonZero = new Map([...ranking].filter(([, vector]) => vector.some((x) => x !== 0)));
  expect(hitsOf(core, 'cosine', 'cosine')).toEqual(modelSearch('cosine', nonZero, query, 1000));
  expect(hitsOf(core, 'free')).toEqual(modelSearch('dot', model.given, query, 1000));
  const { exports } = core;
  expect(exports.indexWord(core.index('bound', 'dot', dimension).address, 2)).toBe(ranking.size);
  expect(exports.indexWord(core.index('free', 'dot', dimension).address, 1)).toBe(model.given.size);
}

function randomVector(random: (below: number) => number): Float32Array {
  return Float32Array.from({ length: random(6) === 0 ? 2 : dimension }, () => random(5) - 2);
}

/** A transaction of elements, and the model after it. */
function change(random: (below: number) => number, before: Model): { transaction: Transaction; after: Model } {
  const transaction = new Transaction();
  const after = before.copy();
  const pick = (): number => [...after.live.keys()][random(after.live.size)] as number;
  for (let i = random(12); i >= 0; i--) {
    const vector = randomVector(random);
    const action = random(10);
    if (action < 4 || after.live.size === 0) {
      const carries = random(3) > 0;
      transaction.vertex({ properties: carries ? { name: value.int32(1), [key]: singles(vector) } : {} });
      after.live.set(after.next++, carries ? vector : null);
    } else if (action < 7) {
      const id = pick();
      transaction.set(id, key, singles(vector));
      after.live.set(id, vector);
    } else if (action === 7) {
      const id = pick();
      transaction.unset(id, key);
      after.live.set(id, null);
    } else if (action === 8) {
      const id = pick();
      if (random(2) === 0) {
        transaction.set(id, key, value.string('no vector'));
        after.live.set(id, null);
      } else {
        transaction.set(id, 'other', singles(vector));
      }
    } else {
      // Elements of this transaction cannot be removed by it before they have an id that the test would know.
      const id = pick();
      if (!before.live.has(id)) continue;
      transaction.remove(id);
      after.remove(id);
    }
  }
  return { transaction, after };
}

/** A transaction of the unbound index, and the model after it. */
function give(random: (below: number) => number, before: Model): { transaction: Transaction; after: Model } {
  const transaction = new Transaction();
  const after = before.copy();
  const ids = [...after.live.keys()];
  if (random(4) === 0) {
    const id = ids[random(ids.length)] as number;
    after.given.delete(id);
    return { transaction: transaction.indexRemove('free', id), after };
  }
  for (let i = random(8); i >= 0; i--) {
    const id = ids[random(ids.length)] as number;
    const vector = Float32Array.from({ length: dimension }, () => random(5) - 2);
    transaction.indexAdd('free', id, singles(vector));
    after.given.set(id, vector);
  }
  return { transaction, after };
}

function started(build: (typeof BUILDS)[number]): VectorCore {
  const core = new VectorCore(build);
  for (const [name, definition] of Object.entries({ bound, cosine, free })) {
    core.apply(new Transaction().indexCreate(name, vectorKind, definition));
  }
  return core;
}

describe.each(BUILDS)('vector indexes of a graph (%s)', (build) => {
  it('hold what the elements carry and what was added, through random transactions, trims and redo', () => {
    const core = started(build);
    const again = started(build);
    const random = randomFrom(seed);
    let model = new Model();
    for (let round = 0; round < 250; round++) {
      const kind = random(10);
      let transaction: Transaction;
      if (kind === 0) {
        transaction = new Transaction().trim();
        model.trim();
      } else {
        const next = kind < 7 || model.live.size === 0 ? change(random, model) : give(random, model);
        transaction = next.transaction;
        model = next.after;
      }
      const buffer = transaction.encode(core.exports.nextId(core.graph));
      expect(core.tryBytes(buffer.slice())).toBe(0);
      verify(core, model);
      if (kind === 0) continue;
      expect(again.tryBytes(buffer.slice(), true)).toBe(0);
      if (kind !== 0 && random(3) === 0) expect(again.tryBytes(buffer.slice(), true)).toBe(0);
      if (round < 20) verify(again, model);
    }
  });

  it('are as they were when a transaction does not fit, at every allocation it makes', () => {
    const core = started(build);
    const random = randomFrom(seed + 1);
    let model = new Model();
    let refused = 0;
    for (let round = 0; round < 60; round++) {
      const { transaction, after } =
        random(3) > 0 || model.live.size === 0 ? change(random, model) : give(random, model);
      const buffer = transaction.encode(core.exports.nextId(core.graph));
      core.exports.inputEnsure(buffer.length);
      for (let fail = 1, done = false; !done; fail++) {
        core.exports.failAfter(fail);
        const status = core.tryBytes(buffer.slice());
        core.exports.failAfter(0);
        done = status === 0;
        if (done) break;
        expect(status).toBe(noMemory);
        refused++;
        verify(core, model);
      }
      model = after;
      verify(core, model);
    }
    expect(refused).toBeGreaterThan(50);
  });

  it('fill themselves when they are created over data, and again when they are cleared', () => {
    const core = new VectorCore(build);
    const transaction = new Transaction();
    const vectors = new Map<number, Float32Array>();
    for (let id = 0; id < 100; id++) {
      const vector = new Float32Array([id, -id, 1]);
      vectors.set(id, vector);
      transaction.vertex({ properties: { [key]: singles(vector) } });
    }
    transaction.vertex({ properties: { [key]: value.singles(1, 2) } });
    transaction.vertex({ properties: { [key]: value.singles(Number.NaN, 2, 3) } });
    transaction.vertex({ properties: { [key]: value.singles() } });
    core.apply(transaction);
    core.apply(new Transaction().indexCreate('late', vectorKind, bound));
    expect(hitsOf(core, 'late')).toEqual(modelSearch('dot', vectors, query, 1000));
    core.apply(new Transaction().indexClear('late'));
    expect(hitsOf(core, 'late')).toEqual(modelSearch('dot', vectors, query, 1000));
    core.apply(new Transaction().indexDrop('late'));
    expect(core.exports.indexCount(core.graph)).toBe(0);
  });

  it('refuse what does not rank, what is bound, and definitions that say nothing', () => {
    const core = started(build);
    core.vertices(2);
    core.apply(new Transaction().indexCreate('free cosine', vectorKind, `${dimension}\nCosine\n\n`));
    for (const [name, vector] of [
      ['free', value.singles(1, 2)],
      ['free', value.singles(1, 2, Number.POSITIVE_INFINITY)],
      ['free', value.singles()],
      ['free cosine', value.singles(0, 0, 0)],
      ['bound', value.singles(1, 2, 3)],
    ] as const) {
      const both = new Transaction().indexAdd('free', 0, value.singles(5, 5, 5)).indexAdd(name, 1, vector);
      expect(core.tryBytes(both.encode())).toBe(wrongKind);
      expect(hitsOf(core, 'free')).toEqual([]);
    }
    const wrong = ['', '3', '3\nCosine', '0\nL2\n\n', '4097\nL2\n\n', '3\nCosin\n\n', 'x\nL2\n\n', '-1\nL2\n\n'];
    for (const definition of [...wrong, null, `3\nL2\n${'n'.repeat(65)}\n`]) {
      const status = core.tryBytes(new Transaction().indexCreate('bad', vectorKind, definition).encode());
      expect([definition, status]).toEqual([definition, badValue]);
    }
    core.apply(new Transaction().indexCreate('largest', vectorKind, `4096\nL2\n${'n'.repeat(64)}\nm\nm`));
  });

  it('are written down as adds that fill another core, unless they are bound', () => {
    const core = started(build);
    const other = started(build);
    core.vertices(3000);
    other.vertices(3000);
    for (let id = 0; id < 3000; id += 2) core.apply(new Transaction().indexAdd('free', id, value.singles(id, 1, 1)));
    const { exports } = core;
    for (const name of ['free', 'bound']) {
      const { address } = core.index(name, 'dot', dimension);
      let adds = 0;
      for (let next = 0; next < 3000; next = exports.imageNext()) {
        expect(exports.indexImage(address, next, 3000)).toBe(0);
        adds += exports.imageAdds();
        if (exports.imageAdds() === 0) continue;
        const base = exports.imageBase() >>> 0;
        expect(other.tryBytes(core.bytes.slice(base, base + exports.imageBytes()))).toBe(0);
      }
      expect(adds).toBe(name === 'free' ? 1500 : 0);
    }
    expect(hitsOf(other, 'free')).toEqual(hitsOf(core, 'free'));
  });
});

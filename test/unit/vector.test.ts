// The vector index alone: its one scoring routine, searches of every sort against a model that scores pair by pair, and a slab that
// grows, shrinks, forgets and takes back.

import { describe, expect, it } from 'vitest';
import { METRICS, modelNorm, modelScore, modelSearch } from '../model/vector-scores.ts';
import { randomFrom } from './support/graph-random.ts';
import { Transaction } from './support/transaction.ts';
import { BUILDS, DATA, makeVectors, VectorCore, type VectorIndex } from './support/vector-core.ts';

const seed = Number(process.env.VECTOR_SEED ?? 4711);
const always = 0;
const never = 0xffffffff;

function byId(vectors: readonly Float32Array[]): Map<number, Float32Array> {
  return new Map(vectors.map((vector, id) => [id, vector]));
}

describe.each(BUILDS)('pair scores (%s)', (build) => {
  it('have the bits of the model for every dimension up to 70 and for large ones', () => {
    const core = new VectorCore(build);
    const random = randomFrom(seed);
    const dimensions = [...Array.from({ length: 70 }, (_, i) => i + 1), 127, 768, 1000, 4095, 4096];
    for (const dimension of dimensions) {
      for (const kind of ['normal', 'denormal', 'huge'] as const) {
        const [a, b] = makeVectors(kind, 2, dimension, random) as [Float32Array, Float32Array];
        core.withVectors([a, b], (aAt = 0, bAt = 0) => {
          METRICS.forEach((metric, number) => {
            const score = core.exports.vectorScore(number, aAt, bAt, dimension);
            expect(score, `${metric} ${dimension} ${kind}`).toBe(modelScore(metric, a, b));
          });
          expect(core.exports.vectorNorm(aAt, dimension)).toBe(modelNorm(a));
        });
      }
    }
  });

  it('hold Cosine to [-1, 1] and answer no number without a norm', () => {
    const core = new VectorCore(build);
    const a = new Float32Array([0.1, 0.3, 0.7]);
    const zero = new Float32Array(3);
    core.withVectors([a, a.map((x) => -3 * x), zero], (aAt = 0, bAt = 0, zeroAt = 0) => {
      expect(core.exports.vectorScore(0, aAt, aAt, 3)).toBeLessThanOrEqual(1);
      expect(core.exports.vectorScore(0, aAt, bAt, 3)).toBeGreaterThanOrEqual(-1);
      expect(core.exports.vectorScore(0, aAt, zeroAt, 3)).toBeNaN();
    });
  });
});

describe.each(DATA)('searches over data that is %s', (kind) => {
  it.each(METRICS)('answer as the model, with and without the companion, alone and together (%s)', (metric) => {
    const core = new VectorCore();
    const random = randomFrom(seed);
    core.vertices(700);
    for (const dimension of [3, 16, 40, 100]) {
      const vectors = makeVectors(kind, 700, dimension, random);
      const model = byId(vectors);
      const asked = [...makeVectors(kind, 5, dimension, random), vectors[3], vectors[600]] as Float32Array[];
      const queries = asked.map((vector, i) => ({ vector, k: [1, 10, 100, 700, 1024, 10, 3][i] as number }));
      const expected = queries.map(({ vector, k }) => modelSearch(metric, model, vector, k));
      for (const from of [never, always]) {
        const index = core.create(metric, dimension);
        core.exports.vectorCompanionFrom(index.address, from);
        index.fill(vectors);
        const name = `dimension ${dimension}, companion ${from === always}`;
        expect(index.search(queries), name).toEqual(expected);
        queries.forEach((query, i) => {
          expect(index.search([query]), `${name}, query ${i}`).toEqual([expected[i]]);
        });
        expect(index.search(queries.slice(0, 4)), name).toEqual(expected.slice(0, 4));
        core.exports.indexDrop(index.address);
      }
    }
  });
});

describe('searches over long rows', () => {
  // Rows come from two or four places in turn, long ones in chunks; whatever is left at the end, one by one.
  it.each(METRICS)('answer as the model, alone and as one of several threads (%s)', (metric) => {
    const core = new VectorCore();
    const random = randomFrom(seed);
    core.vertices(300);
    for (const [dimension, count] of [
      ...([
        [128, 0],
        [128, 7],
        [128, 8],
        [129, 300],
        [257, 9],
        [256, 300],
      ] as const),
      ...([
        [400, 31],
        [768, 257],
        [1000, 64],
      ] as const),
    ]) {
      const vectors = makeVectors('clustered', count, dimension, random);
      const model = byId(vectors);
      const queries = makeVectors('clustered', 3, dimension, random).map((vector, i) => ({
        vector,
        k: [1, 10, 300][i] as number,
      }));
      const index = core.create(metric, dimension);
      core.exports.vectorCompanionFrom(index.address, never);
      index.fill(vectors);
      for (const query of queries) {
        const expected = [modelSearch(metric, model, query.vector, query.k)];
        expect(index.search([query]), `${count} of ${dimension}`).toEqual(expected);
        expect(index.search([query], null, true), `${count} of ${dimension}, shared`).toEqual(expected);
      }
      core.exports.indexDrop(index.address);
    }
  });
});

describe('the companion', () => {
  it('leaves most rows out where they differ, and gives way where they do not', () => {
    const core = new VectorCore();
    const random = randomFrom(seed);
    const count = 20_000;
    core.vertices(count);
    for (const [kind, most] of [
      ['normal', 0.05],
      ['duplicates', 0.3],
    ] as const) {
      const vectors = makeVectors(kind, count, 64, random);
      const plain = core.create('cosine', 64);
      const index = core.create('cosine', 64);
      core.exports.vectorCompanionFrom(plain.address, never);
      plain.fill(vectors);
      index.fill(vectors);
      const query = { vector: vectors[7] as Float32Array, k: 10 };
      const answer = index.search([query]);
      expect(core.exports.companionScored()).toBeGreaterThan(0);
      expect(core.exports.companionScored()).toBeLessThan(most * count);
      expect(answer).toEqual(plain.search([query]));
      const many = Array.from({ length: 9 }, (_, i) => ({ vector: vectors[100 + i] as Float32Array, k: 20 }));
      expect(index.search(many)).toEqual(plain.search(many));
    }
  });
});

describe('constraints', () => {
  it('count before the best k are taken: kinds, labels and elements that are gone', () => {
    const core = new VectorCore();
    const random = randomFrom(seed);
    const count = 300;
    const transaction = new Transaction();
    for (let i = 0; i < count; i++) transaction.vertex({ label: i % 3 === 0 ? 'red' : 'blue' });
    for (let i = 0; i < count; i++)
      transaction.edge({ created: i }, { created: 0 }, 'to', { label: i % 5 === 0 ? 'red' : null });
    core.apply(transaction);
    const vectors = makeVectors('normal', 2 * count, 24, random);
    const index = core.create('l2', 24);
    core.exports.vectorCompanionFrom(index.address, always);
    index.fill(vectors);
    const gone = [4, 9, 299];
    core.apply(gone.reduce((removal, id) => removal.remove(id), new Transaction()));
    const isThere = (id: number) => !gone.includes(id) && !gone.includes(id - count);
    const red = (id: number) => (id < count ? id % 3 === 0 : (id - count) % 5 === 0);
    const query = makeVectors('normal', 1, 24, random)[0] as Float32Array;
    for (const [kinds, label, matches] of [
      [1, never, (id: number) => id < count],
      [2, never, (id: number) => id >= count],
      [3, 0, red],
      [1, 0, (id: number) => id < count && red(id)],
      [2, 0, (id: number) => id >= count && red(id)],
      [3, 77, () => false],
    ] as const) {
      const model = byId(vectors);
      for (const id of [...model.keys()]) if (!isThere(id) || !matches(id)) model.delete(id);
      const expected = modelSearch('l2', model, query, 50);
      expect(index.search([{ vector: query, k: 50, kinds, label }])).toEqual([expected]);
      const free = { vector: query, k: 50 };
      expect(index.search([free, { vector: query, k: 50, kinds, label }, free])[1]).toEqual(expected);
    }
  });
});

describe('parts of a snapshot', () => {
  it('merge to the answer of one search, however the rows are split', () => {
    const core = new VectorCore();
    const random = randomFrom(seed);
    core.vertices(500);
    const index = core.create('dot', 20);
    core.exports.vectorCompanionFrom(index.address, always);
    index.fill(makeVectors('few values', 500, 20, random));
    const query = { vector: makeVectors('few values', 1, 20, random)[0] as Float32Array, k: 40 };
    const whole = index.search([query]);
    const { slab, rows, version } = index.snapshot();
    for (const cuts of [[250], [1, 2, 3], [0, 499], [7, 133, 134, 402]]) {
      const edges = [0, ...cuts, rows];
      const found = cuts.concat(rows).flatMap((to, i) => {
        const from = edges[i] as number;
        return index.search([query], { slab, version, from, to })[0] ?? [];
      });
      found.sort((a, b) => b.score - a.score || a.id - b.id);
      expect([found.slice(0, query.k)]).toEqual(whole);
    }
  });
});

/** A model of contents beside an index, changed at random. */
class Twin {
  readonly model = new Map<number, Float32Array>();
  committed = new Map<number, Float32Array>();
  private readonly index: VectorIndex;
  private readonly random: (below: number) => number;

  constructor(index: VectorIndex, random: (below: number) => number) {
    this.index = index;
    this.random = random;
  }

  change(ids: number): void {
    const id = this.random(ids);
    if (this.random(3) > 0) {
      const [vector] = makeVectors('few values', 1, this.index.dimension, this.random) as [Float32Array];
      expect(this.index.set(id, vector)).toBe(true);
      this.model.set(id, vector);
    } else {
      expect(this.index.remove(id)).toBe(this.model.delete(id));
    }
  }

  end(keep: boolean): void {
    if (keep) {
      this.index.commit();
      this.committed = new Map(this.model);
    } else {
      this.index.undo();
      this.model.clear();
      for (const [id, vector] of this.committed) this.model.set(id, vector);
    }
  }

  verify(): void {
    expect(this.index.count).toBe(this.model.size);
    const query = { vector: new Float32Array(this.index.dimension).fill(1), k: 1024 };
    const expected = modelSearch(this.index.metric, this.committed, query.vector, 1024);
    expect(this.index.search([query])).toEqual([expected]);
  }
}

describe.each(BUILDS)('the slab (%s)', (build) => {
  it.each([never, always])('holds what a model holds through random transactions (successor from %i bytes)', (from) => {
    const core = new VectorCore(build);
    const random = randomFrom(seed);
    core.vertices(400);
    const index = core.create('dot', 5);
    core.exports.vectorCompanionFrom(index.address, 512);
    core.exports.vectorSuccessorFrom(index.address, from);
    const twin = new Twin(index, random);
    for (let round = 0; round < 150; round++) {
      const ids = [400, 20, 300][(round / 50) | 0] as number;
      for (let i = random(40); i >= 0; i--) twin.change(ids);
      if (round % 7 === 0)
        expect(index.search([{ vector: new Float32Array(5).fill(1), k: 1024 }])[0]).toEqual(
          modelSearch('dot', twin.committed, new Float32Array(5).fill(1), 1024),
        );
      twin.end(random(4) > 0);
      twin.verify();
    }
  });

  it('doubles when full and shrinks to twice the living once they are less than a quarter', () => {
    const core = new VectorCore(build);
    core.vertices(1000);
    const index = core.create('l2', 4);
    const capacity = () => core.exports.indexCapacity(index.address);
    const vector = new Float32Array([1, 2, 3, 4]);
    const before = core.exports.indexBytes();
    expect(capacity()).toBe(0);
    for (let id = 0; id < 1000; id++) {
      index.set(id, vector);
      index.commit();
      expect(capacity()).toBe(Math.max(16, 2 ** Math.ceil(Math.log2(id + 1))));
    }
    for (let id = 999; id >= 256; id--) index.remove(id);
    index.commit();
    expect([capacity(), index.count]).toEqual([1024, 256]);
    index.remove(0);
    index.commit();
    expect([capacity(), index.count]).toEqual([510, 255]);
    for (let id = 1; id < 256; id++) index.remove(id);
    index.commit();
    expect([capacity(), index.count]).toEqual([16, 0]);
    for (let i = 0; i < 5000; i++) {
      index.set(5, vector);
      index.commit();
    }
    expect(index.count).toBe(1);
    expect(capacity()).toBe(16);
    expect(index.search([{ vector, k: 10 }])).toEqual([[{ id: 5, score: 0 }]]);
    core.exports.indexDrop(index.address);
    core.exports.retireAdvance();
    expect(core.exports.indexBytes()).toBeLessThan(before);
  });

  it('copies a full slab a few rows at a commit', () => {
    const core = new VectorCore(build);
    core.vertices(2000);
    const index = core.create('dot', 4);
    core.exports.vectorSuccessorFrom(index.address, 128 * 64);
    const copied = () => core.exports.indexCopied(index.address) >>> 0;
    const capacity = () => core.exports.indexCapacity(index.address);
    let begun = 0;
    let before = 0;
    for (let id = 0; id < 2000; id++) {
      const size = capacity();
      index.set(id, new Float32Array([id, 1, 2, 3]));
      if (id === size && size >= 128) {
        expect(before).toBeGreaterThanOrEqual(size - 5);
        expect(capacity()).toBe(2 * size);
        before = 0;
      }
      index.commit();
      if (copied() === never) continue;
      if (before === 0) begun++;
      expect(id).toBeGreaterThanOrEqual(0.75 * capacity() - 1);
      expect(copied() - before).toBeLessThanOrEqual(8);
      before = copied();
    }
    expect(begun).toBeGreaterThan(3);
    expect(index.search([{ vector: new Float32Array([1, 0, 0, 0]), k: 3 }])[0]?.map((hit) => hit.id)).toEqual([
      1999, 1998, 1997,
    ]);
  });

  it('gives the room for a later slab back when memory is short', () => {
    const core = new VectorCore(build, 1024);
    core.vertices(500);
    const index = core.create('dot', 64);
    core.exports.vectorSuccessorFrom(index.address, always);
    const bytes = () => core.exports.indexBytes();
    for (let id = 0; id < 400; id++) {
      index.set(id, new Float32Array(64).fill(id));
      index.commit();
    }
    expect(core.exports.indexCopied(index.address) >>> 0).not.toBe(never);
    const held = bytes();
    let last = 0;
    for (let at = core.exports.allocate(0, 6, 65536); at !== 0; at = core.exports.allocate(0, 6, 65536))
      last = at >>> 0;
    core.exports.release(6, last);
    index.commit();
    expect(core.exports.indexCopied(index.address) >>> 0).toBe(never);
    expect(bytes()).toBeLessThan(held - 1024 * 256);
    for (let id = 400; id < 500; id++) {
      index.set(id, new Float32Array(64).fill(id));
      index.commit();
    }
    expect(index.count).toBe(500);
    expect(core.exports.indexCopied(index.address) >>> 0).toBe(never);
  });

  it.each([never, always])(
    'takes each failed allocation as a refusal that changes nothing (successor from %i)',
    (from) => {
      const core = new VectorCore(build);
      core.vertices(200);
      const index = core.create('cosine', 6);
      core.exports.vectorCompanionFrom(index.address, 256);
      core.exports.vectorSuccessorFrom(index.address, from);
      const model = new Map<number, Float32Array>();
      const random = randomFrom(seed);
      let refused = 0;
      for (let id = 0; id < 200; id++) {
        const [vector] = makeVectors('normal', 1, 6, random) as [Float32Array];
        let done = false;
        for (let after = 2; !done; after++) {
          // The first allocation is the test's own, for the vector.
          core.exports.failAfter(after);
          done = index.set(id, vector);
          core.exports.failAfter(0);
          if (!done) refused++;
          expect(index.count).toBe(done ? id + 1 : id);
        }
        model.set(id, vector);
        core.exports.failAfter(1 + random(3));
        index.commit();
        core.exports.failAfter(0);
      }
      // Only the first slab has nothing smaller to fall back on.
      expect(refused).toBeGreaterThan(0);
      const query = { vector: model.get(9) as Float32Array, k: 200 };
      expect(index.search([query])).toEqual([modelSearch('cosine', model, query.vector, 200)]);
    },
  );
});

describe('readers', () => {
  it('of an older snapshot see its commit whole, whatever was committed since', () => {
    const core = new VectorCore();
    const random = randomFrom(seed);
    core.vertices(300);
    const index = core.create('dot', 8);
    const first = makeVectors('normal', 300, 8, random);
    index.fill(first);
    const query = { vector: first[0] as Float32Array, k: 300 };
    const whole = index.search([query]);
    const slot = core.exports.readerAttach();
    core.exports.readerEnter(slot);
    const { slab, rows, version } = index.snapshot();
    for (let round = 0; round < 20; round++) {
      for (let i = 0; i < 60; i++) {
        const id = random(300);
        if (random(4) === 0) index.remove(id);
        else index.set(id, makeVectors('normal', 1, 8, random)[0] as Float32Array);
      }
      if (random(3) === 0) index.undo();
      else index.commit();
      expect(index.search([query], { slab, version, from: 0, to: rows })).toEqual(whole);
    }
    core.exports.readerExit(slot);
  });
});

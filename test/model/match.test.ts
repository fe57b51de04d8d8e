// Pattern matching against brute force: every partial path is carried along, as the contract describes it, and what lies on a complete one is
// the answer. All digraphs on three vertices with loops, all loopless ones on four, and random multigraphs, on release and debug builds,
// with patterns of all kinds. MATCH_ROUNDS and MATCH_SEED widen it.

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { Core } from '../../src/core/core.ts';
import { type MatchOutcome, type MatchStep, type MatchTest, matchPattern } from '../../src/core/match.ts';
import { MemoryPool } from '../../src/core/memory-pool.ts';
import { trampoline } from '../../src/core/trampoline.ts';
import { selecting } from './support/blocks.ts';

interface Edge {
  readonly id: number;
  readonly source: number;
  readonly target: number;
  readonly type: string;
}

interface Hop {
  readonly direction: MatchStep['direction'];
  readonly type: number | null;
  readonly edge: number | null;
  readonly vertex: number | null;
  readonly least: number;
  readonly most: number;
}

interface Pattern {
  readonly topVertex: number | null;
  readonly topEdge: number | null;
  readonly first: number | null;
  /** Null: no pattern at all. */
  readonly hops: readonly Hop[] | null;
}

type Random = (below: number) => number;

function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const types = ['knows', 'likes'];
/** What the tests of a pattern ask: of a vertex or an edge by id, of an edge type by name. */
const elementRules: readonly ((id: number) => boolean)[] = [
  (id) => id % 2 === 0,
  (id) => id % 3 !== 1,
  (id) => id % 5 !== 2,
  (id) => (id * 7) % 4 < 3,
];
const typeRules: readonly ((type: string) => boolean)[] = [(type) => type === 'knows', (type) => type !== 'knows'];

class Subject {
  readonly core: Core;
  readonly graph: number;
  vertices: number[] = [];
  edges: Edge[] = [];
  readonly tests: MatchTest[];
  /** The same, where elements are handed over in blocks. */
  readonly blockTests: MatchTest[];
  /** Edges that exist; the others are hidden by the top-level filter. */
  shown: ((id: number) => boolean) | null = null;

  constructor(file: string) {
    const module = new WebAssembly.Module(readFileSync(at(file)));
    this.core = new Core({ module, shared: true }, new MemoryPool({ shared: true }), 2 ** 28);
    this.graph = this.core.createGraph();
    const { table } = this.core.instance.exports;
    const name = (id: number): string => this.core.nameOf(id >>> 0);
    const functions = [
      ...elementRules.map((rule) => trampoline('i32', (id) => (rule(id) ? 1 : 0))),
      ...typeRules.map((rule) => trampoline('i32', (id) => (rule(name(id)) ? 1 : 0))),
      trampoline('i32', (id) => (this.shown === null || this.shown(id) ? 1 : 0)),
    ];
    const blocks = [...elementRules, (id: number) => this.shown === null || this.shown(id)].map((rule) =>
      selecting(this.core.instance, rule),
    );
    const base = table.grow(functions.length + blocks.length);
    for (const [i, one] of [...functions, ...blocks].entries()) table.set(base + i, one);
    this.tests = functions.map((_, i) => {
      const ofType = i >= elementRules.length && i < elementRules.length + typeRules.length;
      return { function: base + i, subject: ofType ? 'edgeType' : 'element', bound: 0, select: 0 };
    });
    const last = functions.length - 1;
    this.blockTests = this.tests.map((test, i) => {
      const of = i < elementRules.length ? i : i === last ? elementRules.length : null;
      return of === null ? test : { ...test, select: base + functions.length + of };
    });
  }

  write(operations: Parameters<Core['write']>[1]): number {
    const done = this.core.write(this.graph, operations, 0);
    if (!done.ok) throw new Error(`refused: ${done.status}`);
    return done.firstId;
  }

  fill(vertexCount: number, ends: readonly (readonly [number, number, string])[]): void {
    this.write([{ kind: 'erase' }]);
    const vertex = { kind: 'createVertex', creationDate: 0, label: null, properties: [] } as const;
    const first = this.write(Array.from({ length: vertexCount }, () => vertex));
    this.vertices = Array.from({ length: vertexCount }, (_, i) => first + i);
    this.edges = [];
    if (ends.length === 0) return;
    const firstEdge = this.write(
      ends.map(([source, target, edgeType]) => ({
        kind: 'createEdge' as const,
        creationDate: 0,
        label: null,
        properties: [],
        source: first + source,
        target: first + target,
        edgeType,
      })),
    );
    this.edges = ends.map(([source, target, type], i) => ({
      id: firstEdge + i,
      source: first + source,
      target: first + target,
      type,
    }));
  }

  remove(id: number): void {
    this.write([{ kind: 'removeElement', element: id, skipRemoved: false }]);
    this.vertices = this.vertices.filter((vertex) => vertex !== id);
    this.edges = this.edges.filter((edge) => ![edge.id, edge.source, edge.target].includes(id));
  }

  match(pattern: Pattern, maxArcs = 1e9, maxBytes = 2 ** 28, tests = this.tests): MatchOutcome {
    const ofType = (rule: number | null): number | null => (rule === null ? null : rule + elementRules.length);
    return matchPattern(
      this.core.instance,
      this.graph,
      {
        tests,
        vertexTest: pattern.topVertex,
        edgeTest: this.shown === null ? pattern.topEdge : this.tests.length - 1,
        pattern: pattern.hops && {
          firstTest: pattern.first,
          steps: pattern.hops.map((hop) => ({
            direction: hop.direction,
            typeTest: ofType(hop.type),
            edgeTest: hop.edge,
            vertexTest: hop.vertex,
            leastHops: hop.least,
            mostHops: hop.most,
          })),
        },
      },
      { maxArcs, maxBytes },
    );
  }

  matched(pattern: Pattern): { ids: number[]; searches: number } {
    const outcome = this.match(pattern);
    if (outcome.ended !== 'matched') throw new Error(outcome.ended);
    const inBlocks = this.match(pattern, 1e9, 2 ** 28, this.blockTests);
    if (inBlocks.ended !== 'matched' || Buffer.compare(inBlocks.bits, outcome.bits) !== 0)
      throw new Error(`In blocks: ${JSON.stringify({ pattern, inBlocks, outcome })}`);
    const ids: number[] = [];
    for (let id = 0; id < 8 * outcome.bits.length; id++) {
      if (((outcome.bits[id >> 3] as number) >> (id & 7)) & 1) ids.push(id);
    }
    const vertices = ids.filter((id) => this.vertices.includes(id)).length;
    expect([outcome.vertices, outcome.edges]).toEqual([vertices, ids.length - vertices]);
    return { ids, searches: outcome.searches };
  }

  /** By the book: partial paths, each with its own set of elements. */
  naive({ topVertex, topEdge, first, hops }: Pattern): number[] {
    const holds = (rule: number | null, id: number): boolean => rule === null || !!elementRules[rule]?.(id);
    const vertices = this.vertices.filter((id) => holds(topVertex, id));
    const edges = this.edges.filter(
      ({ id, source, target }) =>
        vertices.includes(source) && vertices.includes(target) && (this.shown?.(id) ?? holds(topEdge, id)),
    );
    if (hops === null) return [...vertices, ...edges.map(({ id }) => id)].sort((a, b) => a - b);
    let paths = vertices.filter((id) => holds(first, id)).map((id) => [id]);
    for (const hop of hops) {
      const typed = edges.filter(
        ({ id, type }) => (hop.type === null || typeRules[hop.type]?.(type)) && holds(hop.edge, id),
      );
      let front = paths;
      const kept = hop.least === 0 ? [...paths] : [];
      for (let length = 1; length <= hop.most && front.length > 0; length++) {
        front = front.flatMap((path) => extend(path, typed, hop.direction));
        if (length >= hop.least) kept.push(...front);
      }
      paths = kept.filter((path) => holds(hop.vertex, path.at(-1) as number));
    }
    return [...new Set(paths.flat())].sort((a, b) => a - b);
  }
}

function extend(path: readonly number[], edges: readonly Edge[], direction: Hop['direction']): number[][] {
  const here = path.at(-1);
  const out: number[][] = [];
  for (const { id, source, target } of edges) {
    if (direction !== 'in' && source === here && !path.includes(target)) out.push([...path, id, target]);
    if (direction !== 'out' && target === here && !path.includes(source)) out.push([...path, id, source]);
  }
  return out;
}

const plain: Hop = { direction: 'out', type: null, edge: null, vertex: null, least: 1, most: 1 };
const hop = (changes: Partial<Hop>): Hop => ({ ...plain, ...changes });
const pattern = (hops: readonly Hop[] | null, changes: Partial<Pattern> = {}): Pattern => ({
  ...{ topVertex: null, topEdge: null, first: null, hops },
  ...changes,
});

/** Those that simplicity bears on: it decides in the small. */
const fixedPatterns: readonly Pattern[] = [
  pattern([plain, plain]),
  pattern([plain, plain, plain]),
  pattern([hop({ direction: 'either' }), hop({ direction: 'either' }), hop({ direction: 'either' })]),
  pattern([plain, hop({ direction: 'in' }), plain]),
  pattern([hop({ least: 1, most: 3, vertex: 0 })], { first: 1 }),
  pattern([hop({ least: 0, most: 2 }), hop({ least: 0, most: 2, direction: 'in', vertex: 1 })], { first: 0 }),
  pattern([hop({ least: 2, most: 4, direction: 'either', vertex: 0 })], { first: 0 }),
  pattern([plain, hop({ least: 0, most: 3, vertex: 1 }), hop({ direction: 'either' })]),
];

const kinds: readonly Hop['direction'][] = ['out', 'in', 'either'];

function randomPattern(random: Random): Pattern {
  const rule = (): number | null => (random(2) === 0 ? null : random(elementRules.length));
  if (random(20) === 0) return pattern(null, { topVertex: rule(), topEdge: rule() });
  const hops = Array.from({ length: random(4) }, () => {
    const variable = random(3) === 0;
    const least = variable ? random(3) : 1;
    return hop({
      direction: kinds[random(3)] ?? 'out',
      type: random(3) === 0 ? random(2) : null,
      edge: random(3) === 0 ? random(elementRules.length) : null,
      vertex: rule(),
      least,
      most: variable ? least + random(4) : 1,
    });
  });
  return pattern(hops, {
    first: rule(),
    topVertex: random(3) === 0 ? rule() : null,
    topEdge: random(3) === 0 ? rule() : null,
  });
}

const rounds = Number(process.env.MATCH_ROUNDS ?? 2500);
const seed = Number(process.env.MATCH_SEED ?? 1);

describe.each([
  ['release', 'dist/wasm/core.shared.wasm'],
  ['debug', 'dist/wasm/debug/core.shared.wasm'],
])('pattern matching beside brute force, %s build', (build, file) => {
  let subject: Subject;
  beforeAll(() => {
    subject = new Subject(file);
  });

  const agree = (one: Pattern, note: unknown): number => {
    const { ids, searches } = subject.matched(one);
    const expected = subject.naive(one);
    if (ids.join() !== expected.join()) {
      throw new Error(`${JSON.stringify({ note, one, edges: subject.edges, ids, expected })}`);
    }
    return searches;
  };

  /** Every subset of the edges given, hidden and shown by the top-level filter; every `step`-th on the debug build. */
  const everySubset = (vertexCount: number, ends: readonly (readonly [number, number, string])[]): void => {
    subject.fill(vertexCount, ends);
    const { edges } = subject;
    const firstEdge = edges[0]?.id ?? 0;
    const stride = build === 'release' ? 1 : 17;
    for (let subset = 0; subset < 2 ** ends.length; subset += stride) {
      subject.shown = (id) => ((subset >> (id - firstEdge)) & 1) === 1;
      for (const one of fixedPatterns) agree(one, subset);
    }
    subject.shown = null;
  };

  it('agrees on every digraph with loops on three vertices', () => {
    const ends = [0, 1, 2].flatMap((source) => [0, 1, 2].map((target) => [source, target, 'knows'] as const));
    everySubset(3, ends);
  });

  it('agrees on every multigraph of two edges each way on three vertices', () => {
    const pairs = [0, 1, 2].flatMap((source) =>
      [0, 1, 2].filter((target) => target !== source).map((t) => [source, t]),
    );
    everySubset(
      3,
      pairs.flatMap(([source = 0, target = 0]) => types.map((type) => [source, target, type] as const)),
    );
  });

  it('agrees on every digraph on four vertices', () => {
    const ends = [0, 1, 2, 3].flatMap((source) =>
      [0, 1, 2, 3].filter((target) => target !== source).map((target) => [source, target, 'knows'] as const),
    );
    everySubset(4, ends);
  });

  it('agrees on random multigraphs', () => {
    const random = randomOf(seed);
    let without = 0;
    for (let round = 0; round < rounds; round++) {
      const count = 1 + random(6);
      const ends = Array.from(
        { length: random(2 * count + 2) },
        () => [random(count), random(count), types[random(2)] ?? ''] as const,
      );
      subject.fill(count, ends);
      if (random(4) === 0) subject.remove(subject.vertices[random(count)] as number);
      if (random(4) === 0 && subject.edges.length > 0) subject.remove((subject.edges[0] as Edge).id);
      for (let i = 0; i < 3; i++) if (agree(randomPattern(random), { seed, round }) === 0) without++;
    }
    // Both ways have been taken.
    expect(without).toBeGreaterThan(rounds / 10);
    expect(without).toBeLessThan(2.9 * rounds);
  });

  it('names the limit that it met', () => {
    const ends = Array.from({ length: 12 }, (_, i) => i).flatMap((source) =>
      Array.from({ length: 12 }, (_, target) => [source, target, 'knows'] as const),
    );
    subject.fill(12, ends);
    const long = pattern([hop({ least: 12, most: 12, direction: 'either' })]);
    expect(subject.match(long, 200_000)).toEqual({ ended: 'limit', limit: 'arcs' });
    expect(subject.match(long, 1e9, 16)).toEqual({ ended: 'limit', limit: 'bytes' });
    expect(subject.matched(pattern([hop({ least: 11, most: 11, direction: 'either' })])).ids).toHaveLength(12 + 132);
  });

  it('walks 10,000 hops', () => {
    subject.fill(
      400,
      Array.from({ length: 399 }, (_, i) => [i, i + 1, 'knows'] as const),
    );
    const all = Array.from({ length: 100 }, () => hop({ least: 0, most: 100 }));
    expect(subject.matched(pattern(all)).ids).toHaveLength(400 + 399);
    expect(subject.matched(pattern([hop({ least: 4, most: 4 }), ...all.slice(4).map(() => plain)])).ids).toHaveLength(
      799,
    );
    expect(subject.matched(pattern(all.map(() => hop({ least: 100, most: 100 })))).ids).toHaveLength(0);
  });
});

// Paths against brute force: every simple path of small random multigraphs is enumerated, and what the contract asks is picked from the list.
// With filters, costs, hop and weight caps, parallel edges, self-loops, several types and removed elements, on the release and
// the debug build. PATHS_ROUNDS and PATHS_SEED widen it.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { Core } from '../../src/core/core.ts';
import { MemoryPool } from '../../src/core/memory-pool.ts';
import { CoreStatus } from '../../src/core/status.ts';
import { trampoline } from '../../src/core/trampoline.ts';
import { selecting } from './support/blocks.ts';

interface Edge {
  readonly id: number;
  readonly source: number;
  readonly target: number;
  readonly type: string;
}

interface Step {
  readonly from: number;
  readonly to: number;
  readonly edge: Edge;
  readonly direction: number;
}

interface Rules {
  readonly vertex: (id: number) => boolean;
  readonly edge: (id: number) => boolean;
  readonly type: (type: string) => boolean;
  readonly vertexCost: (id: number) => number;
  readonly edgeCost: (id: number) => number;
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

class Subject {
  readonly core: Core;
  readonly graph: number;
  private base = 0;
  edges: Edge[] = [];
  vertices: number[] = [];

  constructor(file: string) {
    const module = new WebAssembly.Module(readFileSync(at(file)));
    this.core = new Core({ module, shared: true }, new MemoryPool({ shared: true }), 2 ** 28);
    this.graph = this.core.createGraph();
  }

  fill(random: Random): void {
    const count = 2 + random(6);
    const write = (operations: Parameters<Core['write']>[1]) => {
      const done = this.core.write(this.graph, operations, 0);
      if (!done.ok) throw new Error(`refused: ${done.status}`);
      return done;
    };
    write([{ kind: 'erase' }]);
    const vertex = { kind: 'createVertex', creationDate: 0, label: null, properties: [] } as const;
    const first = write(Array.from({ length: count }, () => vertex)).firstId;
    this.vertices = Array.from({ length: count }, (_, i) => first + i);
    const edges = Array.from({ length: random(3 * count) }, () => ({
      kind: 'createEdge' as const,
      creationDate: 0,
      label: null,
      properties: [],
      source: this.vertices[random(count)] as number,
      target: this.vertices[random(count)] as number,
      edgeType: types[random(2)] as string,
    }));
    this.edges = [];
    if (edges.length === 0) return;
    const firstEdge = write(edges).firstId;
    this.edges = edges.map((edge, i) => ({
      id: firstEdge + i,
      source: edge.source,
      target: edge.target,
      type: edge.edgeType,
    }));
    if (random(3) === 0) {
      const gone = this.edges[random(this.edges.length)] as Edge;
      write([{ kind: 'removeElement', element: gone.id, skipRemoved: false }]);
      this.edges = this.edges.filter((edge) => edge !== gone);
    }
  }

  /** Installs the rules as functions of the table. */
  install(rules: Rules): void {
    const { exports } = this.core.instance;
    const text = (type: number) => {
      const address = exports.internText(type) >>> 0;
      return this.core.instance.text(address, exports.internTextBytes(type));
    };
    const functions = [
      trampoline('i32', (id) => (rules.vertex(id) ? 1 : 0)),
      trampoline('i32', (id) => (rules.edge(id) ? 1 : 0)),
      trampoline('i32', (type) => (rules.type(text(type)) ? 1 : 0)),
      trampoline('f64', (id) => rules.vertexCost(id)),
      trampoline('f64', (id) => rules.edgeCost(id)),
      selecting(this.core.instance, (id) => rules.vertex(id)),
      selecting(this.core.instance, (id) => rules.edge(id)),
    ];
    const base = exports.table.length < 8 ? exports.table.grow(8) : 1;
    for (const [i, one] of functions.entries()) exports.table.set(base + i, one);
    exports.pathFunctions(base, base + 1, base + 2, base + 3, base + 4);
    this.base = base;
  }

  /** What a search answers without blocks, with blocks of vertices, of edges, and of both: always the same. */
  inBlocks(search: () => number): unknown {
    const { exports } = this.core.instance;
    const answers = [0, 1, 2, 3].map((blocks) => {
      exports.pathFunctions(this.base, this.base + 1, this.base + 2, this.base + 3, this.base + 4);
      exports.pathBlocks(blocks & 1 ? this.base + 5 : 0, blocks & 2 ? this.base + 6 : 0);
      return this.answer(search());
    });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    return answers[0];
  }

  answer(status: number): unknown {
    if (status !== CoreStatus.ok) throw new Error(`status ${status}`);
    return JSON.parse(new TextDecoder().decode(this.core.instance.takeOutput()));
  }

  /** Every simple path, as the rules allow. */
  simplePaths(from: number, to: number, maxDepth: number, rules: Rules): Step[][] {
    const found: Step[][] = [];
    const steps: Step[] = [];
    const walk = (at: number): void => {
      if (at === to) {
        found.push([...steps]);
        return;
      }
      if (steps.length === maxDepth) return;
      for (const edge of this.edges) {
        for (const direction of [1, 0]) {
          const [here, there] = direction === 1 ? [edge.source, edge.target] : [edge.target, edge.source];
          if (here !== at || there === at || there === from) continue;
          if (steps.some((step) => step.to === there)) continue;
          if (!rules.type(edge.type) || !rules.edge(edge.id) || !rules.vertex(there)) continue;
          steps.push({ from: at, to: there, edge, direction });
          walk(there);
          steps.pop();
        }
      }
    };
    if (from !== to) walk(from);
    return found;
  }
}

const stepCost = (rules: Rules, step: Step) => Math.max(0, rules.edgeCost(step.edge.id) + rules.vertexCost(step.to));
const weightOf = (rules: Rules, path: Step[]) => path.reduce((sum, step) => sum + stepCost(rules, step), 0);

function compareEdges(one: Step[], other: Step[]): number {
  for (let i = 0; i < Math.min(one.length, other.length); i++) {
    const difference = (one[i] as Step).edge.id - (other[i] as Step).edge.id;
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

function shape(path: Step[], rules: Rules | null) {
  return {
    pathElements: path.map((step) => ({
      sourceVertexId: step.from,
      targetVertexId: step.to,
      edgeId: step.edge.id,
      edgePropertyId: step.edge.type,
      direction: step.direction,
      weight: rules === null ? 0 : stepCost(rules, step),
    })),
    totalWeight: rules === null ? 0 : weightOf(rules, path),
  };
}

function randomRules(random: Random): Rules {
  const refused = new Set(random(2) === 0 ? [] : [random(8), random(8), 8 + random(12)]);
  const onlyType = random(4) === 0 ? types[random(2)] : null;
  const scale = [1, 0.1, 0][random(3)] as number;
  const salt = random(1000);
  return {
    vertex: (id) => !refused.has(id),
    edge: (id) => !refused.has(id),
    type: (type) => onlyType === null || type === onlyType,
    vertexCost: (id) => (random === undefined ? 0 : ((id * 7 + salt) % 3) * scale),
    edgeCost: (id) => ((id * 13 + salt) % 5) - (salt % 2),
  };
}

/** What a pair of vertices is joined by: nothing, an edge one way or the other, or one each way. */
const joints = [[], [[0, 1]], [[1, 0]], [[0, 1], [1, 0]]] as const; // biome-ignore format: a table

/** Fills the subject with graph number `code` of those with `count` vertices: base `choices` digits, one a pair. */
function fillNumbered(subject: Subject, count: number, choices: number, code: number): void {
  const write = (operations: Parameters<Core['write']>[1]) => {
    const done = subject.core.write(subject.graph, operations, 0);
    if (!done.ok) throw new Error(`refused: ${done.status}`);
    return done.firstId;
  };
  write([{ kind: 'erase' }]);
  const first = write(new Array(count).fill({ kind: 'createVertex', creationDate: 0, label: null, properties: [] }));
  subject.vertices = Array.from({ length: count }, (_, i) => first + i);
  const ends: [number, number][] = [];
  let rest = code;
  for (let a = 0; a < count; a++) {
    for (let b = a + 1; b < count; b++) {
      // With two choices a pair is joined or not, and the direction alternates.
      const joint = choices === 4 ? joints[rest % 4] : rest % 2 === 0 ? [] : joints[1 + ((a + b) % 2)];
      for (const [x, y] of joint ?? []) ends.push([[a, b][x] as number, [a, b][y] as number]);
      rest = Math.floor(rest / choices);
    }
  }
  const edge = { kind: 'createEdge' as const, creationDate: 0, label: null, properties: [], edgeType: 'knows' };
  const list = ends.map(([from, to]) => ({ ...edge, source: first + from, target: first + to }));
  const firstEdge = list.length === 0 ? 0 : write(list);
  subject.edges = list.map(({ source, target }, i) => ({ id: firstEdge + i, source, target, type: 'knows' }));
}

const plain: Rules = {
  vertex: () => true,
  edge: () => true,
  type: () => true,
  vertexCost: (id) => (id * 5) % 3,
  edgeCost: (id) => (id * 7) % 4,
};

const rounds = Number(process.env.PATHS_ROUNDS ?? 1500);
const seed = Number(process.env.PATHS_SEED ?? 20261121);

/** The digits of a graph of five vertices, by pair, after its inner vertices (all but the first and the last) changed places. */
const innerOrders = [
  [0, 1, 2, 3, 4],
  [0, 1, 3, 2, 4],
  [0, 2, 1, 3, 4],
  [0, 2, 3, 1, 4],
  [0, 3, 1, 2, 4],
  [0, 3, 2, 1, 4],
];

/** The places of the ten pairs of five vertices among a number's digits, in the order fillNumbered reads them. */
const pairPlaces = new Map<number, number>();
for (let a = 0; a < 5; a++) for (let b = a + 1; b < 5; b++) pairPlaces.set(a * 5 + b, pairPlaces.size);

/** Whether no other order of the inner vertices gives graph number `code` of five vertices a smaller number. */
function smallestOfItsKind(code: number): boolean {
  return innerOrders.every((order) => {
    let other = 0;
    for (const [pair, place] of pairPlaces) {
      const [x, y] = [order[Math.floor(pair / 5)] as number, order[pair % 5] as number];
      const digit = (code >>> (2 * place)) & 3;
      const turned = x > y && (digit === 1 || digit === 2) ? 3 - digit : digit;
      other += turned * 4 ** (pairPlaces.get(Math.min(x, y) * 5 + Math.max(x, y)) as number);
    }
    return other >= code;
  });
}

/** All digraphs of five vertices, one of each kind, take minutes: every `wholeStride`-th, or all with PATHS_WHOLE=1. */
const wholeStride = Number(process.env.PATHS_WHOLE ?? 0) === 1 ? 1 : 401;

describe('every graph of up to five vertices', () => {
  it.each([
    [2, 4],
    [3, 4],
    [4, 4],
    [5, 2],
    [5, 4],
  ])('with %i vertices, %i ways to join a pair', (count, choices) => {
    const subject = new Subject('dist/wasm/core.shared.wasm');
    subject.fill(randomOf(1));
    subject.install(plain);
    const graphs = choices ** ((count * (count - 1)) / 2);
    const large = count === 5 && choices === 4;
    for (let code = 0; code < graphs; code += large ? wholeStride : 1) {
      if (large && !smallestOfItsKind(code)) continue;
      fillNumbered(subject, count, choices, code);
      const [from, to] = [subject.vertices[0] as number, subject.vertices[count - 1] as number];
      const all = subject.simplePaths(from, to, 65_535, plain);
      const { exports } = subject.core.instance;
      const fewest = Math.min(...all.map((path) => path.length));
      const short = all.filter((path) => path.length === fewest).sort(compareEdges);
      const bls = subject.answer(exports.pathFewestHops(subject.graph, from, to, 65_535, 65_535));
      expect(bls, `graph ${code}`).toEqual(short.map((path) => shape(path, null)));
      all.sort((a, b) => weightOf(plain, a) - weightOf(plain, b) || a.length - b.length || compareEdges(a, b));
      const weighted = subject.answer(exports.pathWeighted(subject.graph, from, to, 65_535, 65_535, Number.MAX_VALUE));
      expect(weighted, `graph ${code}`).toEqual(all.map((path) => shape(path, plain)));
    }
  });
});

describe.each(['dist/wasm/core.shared.wasm', 'dist/wasm/debug/core.shared.wasm'])('paths of %s', (file) => {
  it(`are those of brute force (seed ${seed})`, () => {
    const subject = new Subject(file);
    const random = randomOf(seed);
    let seen = 0;
    for (let round = 0; round < rounds; round++) {
      subject.fill(random);
      const rules = randomRules(random);
      subject.install(rules);
      const from = subject.vertices[random(subject.vertices.length)] as number;
      const to = subject.vertices[random(subject.vertices.length)] as number;
      const maxDepth = [0, 1, 2, 3, 7, 65535][random(6)] as number;
      const maxResults = [1, 2, 3, 65535][random(4)] as number;
      const maxWeight = [Number.MAX_VALUE, 3, 6][random(3)] as number;
      const all = subject.simplePaths(from, to, maxDepth, rules);
      seen += all.length;
      const { exports } = subject.core.instance;

      const fewest = Math.min(...all.map((path) => path.length));
      const short = all.filter((path) => path.length === fewest).sort(compareEdges);
      const bls = subject.inBlocks(() => exports.pathFewestHops(subject.graph, from, to, maxDepth, maxResults));
      expect(bls, `round ${round}`).toEqual(short.slice(0, maxResults).map((path) => shape(path, null)));

      const light = all.filter((path) => weightOf(rules, path) <= maxWeight);
      light.sort((a, b) => weightOf(rules, a) - weightOf(rules, b) || a.length - b.length || compareEdges(a, b));
      const dijkstra = exports.pathWeighted(subject.graph, from, to, maxDepth, maxResults, maxWeight);
      expect(subject.answer(dijkstra), `round ${round}`).toEqual(
        light.slice(0, maxResults).map((path) => shape(path, rules)),
      );
    }
    expect(seen).toBeGreaterThan(rounds / 2);
    expect(subject.core.memoryUse().scratch).toBeLessThan(2 ** 24);
  });
});

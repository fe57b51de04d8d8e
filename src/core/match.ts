// Pattern matching at the core's boundary: a pattern as words for `matchPattern` (assembly/traverse/match.ts), its answer as bits. Filters
// are functions that the caller has put into the instance's table.

import type { CoreInstance } from './instance.ts';
import { CoreStatus } from './status.ts';

/** A test of elements or of edge types. Tests that are the same should be one: each is asked once about an element. */
export interface MatchTest {
  /** Index in the instance's table; `semanticTest`: the score of the search's query vector against `bound`. */
  readonly function: number;
  readonly subject: 'element' | 'edgeType';
  readonly bound: number;
  /** Index of the same fragment's function for blocks of ids; 0: it has none. */
  readonly select: number;
}

/** In the place of a table index (assembly/traverse/filters.ts). */
export const semanticTest = -2;

/** Numbers of tests; null: none. Hops are inclusive. */
export interface MatchStep {
  readonly direction: 'out' | 'in' | 'either';
  readonly typeTest: number | null;
  readonly edgeTest: number | null;
  /** Of the vertex step behind the edge step. */
  readonly vertexTest: number | null;
  readonly leastHops: number;
  readonly mostHops: number;
}

export interface MatchRequest {
  readonly tests: readonly MatchTest[];
  /** Top-level filters. */
  readonly vertexTest: number | null;
  readonly edgeTest: number | null;
  /** Null: everything that passes the top-level filters. */
  readonly pattern: { readonly firstTest: number | null; readonly steps: readonly MatchStep[] } | null;
}

export interface MatchLimits {
  /** Edges looked at in all. */
  readonly maxArcs: number;
  /** Working memory. */
  readonly maxBytes: number;
}

export type MatchOutcome =
  /** `bits`: the elements of the answer by id, the caller's to keep. `searches`: 0 where no path had to be looked for. */
  | {
      readonly ended: 'matched';
      readonly bits: Uint8Array;
      readonly vertices: number;
      readonly edges: number;
      readonly searches: number;
    }
  | { readonly ended: 'stopped' }
  | { readonly ended: 'limit'; readonly limit: 'arcs' | 'bytes' }
  /** Input, output or scratch do not suffice. */
  | { readonly ended: 'full' };

const headerWords = 6;
const testWords = 4;
const stepWords = 6;
const directions = { out: 0, in: 1, either: 2 } as const;
const none = 0xffffffff;

/** @testonly: jobs match in turns. */
export function matchPattern(
  instance: CoreInstance,
  graph: number,
  request: MatchRequest,
  limits: MatchLimits,
): MatchOutcome {
  const kernel = kernelOf(instance, graph, request, limits);
  return kernel === null ? { ended: 'full' } : outcomeOf(instance, kernel());
}

/** Where the instance's binary is made for turns, `pause` is awaited between them. */
export async function matchInTurns(
  instance: CoreInstance,
  graph: number,
  request: MatchRequest,
  limits: MatchLimits,
  pause: () => Promise<void>,
): Promise<MatchOutcome> {
  const kernel = kernelOf(instance, graph, request, limits);
  if (kernel === null) return { ended: 'full' };
  return outcomeOf(instance, instance.turns === null ? kernel() : await instance.turns.run(kernel, pause));
}

/** The call that matches; null when the request does not fit into input. */
function kernelOf(
  instance: CoreInstance,
  graph: number,
  request: MatchRequest,
  { maxArcs, maxBytes }: MatchLimits,
): (() => number) | null {
  const { exports } = instance;
  const { tests, pattern } = request;
  const steps = pattern?.steps ?? [];
  const words = headerWords + testWords * tests.length + stepWords * steps.length;
  const address = instance.input(4 * words);
  if (address === null) return null;
  let at = address >>> 2;
  const put = (word: number | null): void => {
    instance.words[at++] = word ?? none;
  };
  put(tests.length);
  put(steps.length);
  put(pattern === null ? 0 : 1);
  put(request.vertexTest);
  put(request.edgeTest);
  put(pattern?.firstTest ?? null);
  for (const test of tests) {
    put(test.function >>> 0);
    put(test.subject === 'element' ? 0 : 1);
    new DataView(instance.memory.buffer).setFloat32(4 * at++, test.bound, true);
    put(test.select);
  }
  for (const step of steps) {
    put(directions[step.direction]);
    put(step.typeTest);
    put(step.edgeTest);
    put(step.vertexTest);
    put(step.leastHops);
    put(step.mostHops);
  }
  return () => exports.matchPattern(graph, address, maxArcs, maxBytes);
}

function outcomeOf(instance: CoreInstance, status: number | null): MatchOutcome {
  const { exports } = instance;
  if (status === CoreStatus.ok) {
    const [vertices, edges, searches] = [exports.matchVertices(), exports.matchEdges(), exports.matchSearches()];
    return {
      ended: 'matched',
      bits: instance.takeOutput(),
      vertices: vertices >>> 0,
      edges: edges >>> 0,
      searches: searches >>> 0,
    };
  }
  if (status === CoreStatus.stopped) return { ended: 'stopped' };
  if (status === CoreStatus.limitMet) return { ended: 'limit', limit: exports.matchLimit() === 1 ? 'arcs' : 'bytes' };
  return { ended: 'full' };
}

// Filters that are handed blocks of ids beside the same filters asked one by one: the same bytes as an answer, and the same end where a filter
// throws or runs out of fuel. A filter that changes a variable of its own takes no blocks, so the same text with such a variable is the
// other side. The graph is large enough for many blocks. BLOCKS_ROUNDS and BLOCKS_SEED widen it.

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../benchmarks/lib/graphs.ts';
import { at } from '../../scripts/lib/freshness.mjs';
import { Core } from '../../src/core/core.ts';
import { MemoryPool } from '../../src/core/memory-pool.ts';
import { CoreReader } from '../../src/core/reader.ts';
import type { WriteOperation } from '../../src/core/requests.ts';
import { TypeId } from '../../src/core/values.ts';
import type { JobControl } from '../../src/engine/jobs/types.ts';
import type { FragmentTexts } from '../../src/queries/fragments/compiler.ts';
import { type PathJobRequest, pathJob } from '../../src/queries/paths/path-job.ts';
import { type MatchJobRequest, matchJob } from '../../src/queries/subgraphs/match-job.ts';
import { fragmentCompiler } from './support/fragment-compiler.ts';

const vertices = 6000;
const degree = 6;
const rounds = Number(process.env.BLOCKS_ROUNDS ?? 30);
const seed = Number(process.env.BLOCKS_SEED ?? 20261122);

const compiler = fragmentCompiler(true);
const module = new WebAssembly.Module(readFileSync(at('dist/wasm/core.shared.wasm')));
const core = new Core({ module, shared: true }, new MemoryPool({ shared: true }), 2 ** 30);
const graph = core.createGraph();
const random = new Random(seed);

beforeAll(() => {
  const vertex = (id: number): WriteOperation => ({
    ...{ kind: 'createVertex', creationDate: 0, label: ['a', 'b', 'c'][id % 3] as string },
    properties: [{ key: 'age', type: TypeId.int32, text: `${(id * 7) % 100}` }],
  });
  const edge = (): WriteOperation => ({
    ...{ kind: 'createEdge', creationDate: 0, label: null, edgeType: ['knows', 'likes'][random.below(2)] as string },
    ...{ source: random.below(vertices), target: random.below(vertices) },
    properties: [{ key: 'weight', type: TypeId.int32, text: `${random.below(100)}` }],
  });
  core.write(
    graph,
    Array.from({ length: vertices }, (_, id) => vertex(id)),
    0,
  );
  core.write(graph, Array.from({ length: vertices * degree }, edge), 0);
});

/** Bodies of filters by what they do; `#` is a number that a round chooses. */
const vertexFilters = [
  'v.Label != "c"',
  'v.TryGetProperty<int>(out var age, "age") && age < 70',
  'v.Id % 7 != 1 || v.Label.StartsWith("a")',
  'v.Id % (v.Id - #) >= 0',
  'v.OutEdges == null || v.OutEdges.Values.Any(list => list.Any(e => e.Id % 3 != 0))',
  'v.Label.Substring(v.Id == # ? 5 : 0).Length > 0',
];
const edgeFilters = [
  'e.TryGetProperty<int>(out var weight, "weight") && weight < 80',
  'e.Id % 5 != 0',
  '100 / (e.Id - 60##) <= 100',
  'e.SourceVertex.Label != e.TargetVertex.Label',
  '"ab".Substring(e.Id == 60## ? 5 : 0).Length == 2',
];

/** What the compiler makes of the bodies: with blocks, or with a variable that forbids them. */
async function compiledSet(bodies: Record<string, string | null>, blocks: boolean) {
  const texts: Record<string, FragmentTexts[string]> = {};
  for (const [slot, body] of Object.entries(bodies)) {
    if (body === null) continue;
    const [name, kind] = slot.startsWith('vertex') ? ['v', 'VertexFilter' as const] : ['e', 'EdgeFilter' as const];
    const text = blocks
      ? `return ${name} => ${body};`
      : `int last = 0; return ${name} => { last = ${name}.Id; return ${body}; };`;
    texts[slot] = { kind, text };
  }
  const outcome = await compiler.compile(texts);
  if (!outcome.ok) throw new Error(outcome.errors.join('\n'));
  // The interpreter takes no blocks, and would charge for the variable.
  for (const { text, compiled } of outcome.set.fragments.values()) if (compiled === null) throw new Error(text);
  const control = {
    ...{ gang: null, slice: async () => {}, stopReason: () => null, emit: async () => {} },
    endsAtMs: Number.POSITIVE_INFINITY,
    widen: async () => {},
    fitting: async (read: () => unknown) => read(),
    module: (key: string) => outcome.set.modules.find((one) => one.key === key)?.module,
  } as unknown as JobControl;
  return { set: outcome.set, control };
}

function chosen(filters: readonly string[], mayMiss: boolean): string | null {
  if (mayMiss && random.below(3) === 0) return null;
  const number = `${random.below(vertices)}`;
  return (filters[random.below(filters.length)] as string)
    .replaceAll('60##', `${vertices + random.below(30_000)}`)
    .replaceAll('#', number);
}

const limitsOf = (): { maxFuel: number; maxSeconds: number } => ({
  maxFuel: random.below(3) === 0 ? random.below(60_000) : 1e12,
  maxSeconds: 600,
});

describe(`blocks beside one by one (seed ${seed})`, () => {
  const ends = new Map<string, number>();
  const count = (end: { ended: string }): void => void ends.set(end.ended, (ends.get(end.ended) ?? 0) + 1);

  it('finds the same paths and ends the same way', async () => {
    for (let round = 0; round < rounds; round++) {
      const bodies = { vertexFilter: chosen(vertexFilters, true), edgeFilter: chosen(edgeFilters, true) };
      const [from, to, limits] = [random.below(vertices), random.below(vertices), limitsOf()];
      const answers: unknown[] = [];
      for (const blocks of [true, false]) {
        const { set, control } = await compiledSet(bodies, blocks);
        const slot = (name: string) => set.fragments.get(name) ?? null;
        const request: PathJobRequest = {
          ...{ graph, from, to, algorithm: 'BLS', maxDepth: 100, maxResults: 50, maxWeight: Infinity },
          ...{ vertexFilter: slot('vertexFilter'), edgeFilter: slot('edgeFilter'), typeFilter: null },
          ...{ vertexCost: null, edgeCost: null, semantic: null, limits },
        };
        const end = await pathJob.run(CoreReader.ofWriter(core), request, control);
        answers.push(end.ended === 'value' ? new TextDecoder().decode(end.value.json) : end);
        if (blocks) count(end);
      }
      expect(answers[0], JSON.stringify({ round, bodies, limits })).toEqual(answers[1]);
    }
  });

  it('matches the same elements and ends the same way', async () => {
    for (let round = 0; round < rounds; round++) {
      const bodies = {
        ...{ vertexFilter: chosen(vertexFilters, true), edgeFilter: chosen(edgeFilters, true) },
        ...{ vertexFirst: chosen(vertexFilters, true), edgeStep: chosen(edgeFilters, true) },
        vertexStep: chosen(vertexFilters, true),
      };
      const [limits, hops] = [limitsOf(), random.below(3)];
      const answers: unknown[] = [];
      for (const blocks of [true, false]) {
        const { set, control } = await compiledSet(bodies, blocks);
        const names = Object.keys(bodies).filter((name) => set.fragments.has(name));
        const test = (name: string) => (names.includes(name) ? names.indexOf(name) : null);
        const step = { direction: (['out', 'in', 'either'] as const)[hops] ?? 'out', typeTest: null };
        const request: MatchJobRequest = {
          graph,
          tests: names.map((name) => ({ fragment: set.fragments.get(name) as never, subject: 'element' })),
          ...{ vertexTest: test('vertexFilter'), edgeTest: test('edgeFilter') },
          pattern: {
            firstTest: test('vertexFirst'),
            steps: [
              {
                ...step,
                ...{ edgeTest: test('edgeStep'), vertexTest: test('vertexStep') },
                ...{ leastHops: hops, mostHops: hops + 1 },
              },
            ],
          },
          ...{ semantic: null, limits, matchLimits: { maxArcs: 1e9, maxBytes: 2 ** 28 } },
        };
        const end = await matchJob.run(CoreReader.ofWriter(core), request, control);
        answers.push(end.ended === 'value' && end.value.ended === 'matched' ? [...end.value.bits] : end);
        if (blocks) count(end);
      }
      expect(answers[0], JSON.stringify({ round, bodies, limits })).toEqual(answers[1]);
    }
  });

  it('has seen all ends', () => {
    expect([...ends.keys()].sort()).toEqual(['limit', 'threw', 'value']);
  });
});

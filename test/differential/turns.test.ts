// Searches that give way in the middle, on one thread, beside the same searches on threads: the same answers bit for bit, wherever they are left,
// while others run between their turns, and with all that ends a search early. TURNS_SEED repeats a run.

import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { jobsOnThreads } from '../../runtime-node/workers/job-threads.ts';
import { at } from '../../scripts/lib/freshness.mjs';
import { Core } from '../../src/core/core.ts';
import type { CoreBinary } from '../../src/core/instance.ts';
import { MemoryPool } from '../../src/core/memory-pool.ts';
import { slicesByCount } from '../../src/core/slices.ts';
import { jobsOnOneThread } from '../../src/engine/jobs/one-thread.ts';
import { jobKinds } from '../../src/engine/jobs/table.ts';
import type { JobOptions, JobOutcome, JobSpace, Jobs } from '../../src/engine/jobs/types.ts';
import type { FragmentTexts } from '../../src/queries/fragments/compiler.ts';
import { queryJobKinds } from '../../src/queries/jobs.ts';
import { type PathJobRequest, pathJob } from '../../src/queries/paths/path-job.ts';
import { type MatchJobRequest, matchJob } from '../../src/queries/subgraphs/match-job.ts';
import { randomFrom } from '../unit/memory-module.ts';
import { fragmentCompiler } from './support/fragment-compiler.ts';

const seed = Number(process.env.TURNS_SEED ?? Date.now() % 1_000_000);
const vertices = 1500;
const edges = 12_000;

const texts: FragmentTexts = {
  vertexFilter: { kind: 'VertexFilter', text: 'return (v) => v.Id % 7 != 3;' },
  edgeFilter: { kind: 'EdgeFilter', text: 'return (e) => e.Id % 5 != 1;' },
  edgeCost: { kind: 'EdgeCost', text: 'return (e) => e.Id % 13;' },
  slow: {
    kind: 'VertexFilter',
    text: 'return (v) => { int sum = 0; for (int i = 0; i < 300; i++) { sum += i % 7; } return sum > 5; };',
  },
};
const random = randomFrom(seed);
const limits = { maxFuel: 1e9, maxSeconds: 1e6 };

let core: Core;
let graph: number;
let onThreads: Jobs;
let inTurns: Jobs;
/** The same, whose slices are counted: no clock is asked. */
let byCount: Jobs;
let spaces: readonly [JobSpace, JobSpace, JobSpace];
let pauses = 0;

function binaryOf(file: string): CoreBinary {
  return { module: new WebAssembly.Module(readFileSync(at(file))), shared: true };
}

beforeAll(() => {
  const binary = binaryOf('dist/wasm/core.shared.wasm');
  core = new Core(binary, new MemoryPool(binary), 2 ** 28);
  graph = core.createGraph();
  const vertex = { kind: 'createVertex', creationDate: 0, label: null, properties: [] } as const;
  const made = Array.from({ length: vertices }, () => vertex);
  expect(core.write(graph, made, 0).ok).toBe(true);
  const joined = Array.from({ length: edges }, () => ({
    kind: 'createEdge' as const,
    creationDate: 0,
    label: null,
    properties: [],
    source: random(vertices),
    target: random(1 + random(vertices)),
    edgeType: random(3) === 0 ? 'likes' : 'knows',
  }));
  expect(core.write(graph, joined, 0).ok).toBe(true);
  onThreads = jobsOnThreads({
    binary,
    threads: 2,
    entry: new URL(`file://${at('dist/runtime-node/workers/job-worker.js')}`),
  });
  const oneThread = {
    binary: binaryOf('dist/wasm/core.shared.turns.wasm'),
    pause: () => {
      pauses++;
      return new Promise<void>((resolve) => setImmediate(resolve));
    },
    kinds: [...jobKinds, ...queryJobKinds],
  };
  inTurns = jobsOnOneThread(oneThread);
  byCount = jobsOnOneThread({
    ...oneThread,
    slices: ({ steps }) => slicesByCount({ ms: 0, steps: Math.min(steps, 2) }),
  });
  spaces = [onThreads.open(core), inTurns.open(core), byCount.open(core)];
});

afterEach(() => {
  vi.restoreAllMocks();
});

afterAll(async () => {
  await onThreads.close();
  await inTurns.close();
  await byCount.close();
  core.dispose();
});

/** From now on every turn is over as soon as it has begun. */
function hurry(): void {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 100;
    return now;
  });
}

async function compiled(emits: boolean) {
  const outcome = await fragmentCompiler(emits).compile(texts);
  if (!outcome.ok) throw new Error(outcome.errors.join('\n'));
  return outcome.set;
}

const sets = [await compiled(true), await compiled(false)];

function pathRequest(): { request: PathJobRequest; options: JobOptions } {
  const { fragments, modules } = sets[random(2)] as (typeof sets)[0];
  const some = (name: string) => (random(2) === 0 ? null : (fragments.get(name) ?? null));
  const request: PathJobRequest = {
    graph,
    from: random(vertices),
    to: random(vertices),
    algorithm: random(2) === 0 ? 'BLS' : 'DIJKSTRA',
    maxDepth: 1 + random(9),
    maxResults: 1 + random(30),
    maxWeight: random(3) === 0 ? 10 + random(30) : Number.POSITIVE_INFINITY,
    vertexFilter: some('vertexFilter'),
    edgeFilter: some('edgeFilter'),
    typeFilter: null,
    vertexCost: 'one',
    edgeCost: some('edgeCost') ?? 'one',
    semantic: null,
    limits,
  };
  return { request, options: { modules } };
}

function matchRequest(): { request: MatchJobRequest; options: JobOptions } {
  const { fragments, modules } = sets[random(2)] as (typeof sets)[0];
  const fragment = (name: string) => ({ fragment: fragments.get(name) as never, subject: 'element' as const });
  const step = () => ({
    direction: (['out', 'in', 'either'] as const)[random(3)] as 'out',
    typeTest: null,
    edgeTest: random(2) === 0 ? 1 : null,
    vertexTest: random(2) === 0 ? 0 : null,
    leastHops: random(2),
    mostHops: 1 + random(2),
  });
  const request: MatchJobRequest = {
    graph,
    tests: [fragment('vertexFilter'), fragment('edgeFilter')],
    vertexTest: random(2) === 0 ? 0 : null,
    edgeTest: random(2) === 0 ? 1 : null,
    pattern: { firstTest: random(2) === 0 ? 0 : null, steps: Array.from({ length: 1 + random(2) }, step) },
    semantic: null,
    limits,
    matchLimits: { maxArcs: 300_000, maxBytes: 2 ** 26 },
  };
  return { request, options: { modules } };
}

function plain(outcome: JobOutcome<unknown>): unknown {
  return JSON.parse(JSON.stringify(outcome, (_, value) => (value instanceof Uint8Array ? [...value] : value)));
}

describe(`searches in turns (TURNS_SEED=${seed})`, () => {
  test('answer as on threads, several at a time', { tags: ['long'] }, async () => {
    const before = pauses;
    for (let round = 0; round < 12; round++) {
      const asked = Array.from({ length: 4 }, () => (random(2) === 0 ? pathRequest() : matchRequest()));
      const run = (space: JobSpace) =>
        Promise.all(
          asked.map(({ request, options }) =>
            'algorithm' in request ? space.run(pathJob, request, options) : space.run(matchJob, request, options),
          ),
        );
      const expected = await run(spaces[0]);
      hurry();
      const answers = await run(spaces[1]);
      vi.restoreAllMocks();
      expect(answers.map(plain)).toEqual(expected.map(plain));
      expect((await run(spaces[2])).map(plain)).toEqual(expected.map(plain));
    }
    // Not in each round: all that a round asks may be over at once.
    expect(pauses).toBeGreaterThan(before + 12);
  });

  test('others have their turn', async () => {
    const { fragments, modules } = sets[1] as (typeof sets)[0];
    const { request } = pathRequest();
    const long = { ...request, algorithm: 'DIJKSTRA' as const, from: 0, to: 1, maxDepth: 9, maxResults: 100 };
    const vertexFilter = fragments.get('slow') ?? null;
    // The costs of the random request may be of the other set.
    const slow = { ...long, vertexFilter, edgeFilter: null, edgeCost: 'one' as const, maxWeight: 1e9 };
    hurry();
    let turns = 0;
    let isOver = false;
    const running = spaces[1].run(pathJob, slow, { modules }).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      turns++;
    }
    expect((await running).ok).toBe(true);
    expect(turns).toBeGreaterThan(3);
  });

  test('end where they were left when they are cancelled, or their time is over', async () => {
    const { request, options } = pathRequest();
    const wide = { ...request, algorithm: 'DIJKSTRA' as const, from: 0, to: 1, maxResults: 100_000, maxDepth: 9 };
    const unfiltered = { ...wide, vertexFilter: null, edgeFilter: null, maxWeight: Number.POSITIVE_INFINITY };
    for (const how of ['cancelled', 'deadline'] as const) {
      hurry();
      const controller = new AbortController();
      let isOver = false;
      const timeout = how === 'deadline' ? { timeoutMs: 30 } : {};
      const over = (): void => {
        isOver = true;
      };
      const running = spaces[1].run(pathJob, unfiltered, { ...options, ...timeout, signal: controller.signal });
      running.finally(over);
      for (const before = pauses; pauses < before + 3 && !isOver; )
        await new Promise((resolve) => setImmediate(resolve));
      if (how === 'cancelled') controller.abort();
      // The kernel looks at its own clock as well, and may be first.
      const outcome = await running;
      const byItself = outcome.ok && outcome.value.ended === 'limit' ? outcome.value.limit : null;
      expect(byItself ?? outcome).toEqual(
        byItself === null ? expect.objectContaining({ ok: false, reason: how }) : 'timeBudgetSeconds',
      );
      if (how === 'cancelled') expect(byItself).toBeNull();
      vi.restoreAllMocks();
    }
    const bound = { ...unfiltered, limits: { ...limits, maxSeconds: 0.03 } };
    const spent = await spaces[1].run(pathJob, bound, options);
    expect(spent).toMatchObject({ ok: true, value: { ended: 'limit', limit: 'Fragments:MaxSeconds' } });
    // Nothing is left announced, and the next search is as good as any.
    const next = pathRequest();
    const [expected, answer] = await Promise.all(
      spaces.slice(0, 2).map((space) => space.run(pathJob, next.request, next.options)),
    );
    expect(plain(answer as JobOutcome<unknown>)).toEqual(plain(expected as JobOutcome<unknown>));
  });
});

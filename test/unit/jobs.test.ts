// The promises of jobs on threads: results and blocks, cancelling and deadlines, threads that hang or die, overload, gangs, and that
// nothing lent is ever lost.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Core } from '../../src/core/core.ts';
import { resultOf } from '../../src/engine/jobs/failure.ts';
import type { JobOutcome, JobSpace, Jobs } from '../../src/engine/jobs/types.ts';
import { vertex } from './engine-support.ts';
import { cancelledOnceBegun, kinds, newCore, reasonOf, slotsOf, threads } from './support/jobs-home.ts';

let core: Core;
let graph: number;
let jobs: Jobs;
let space: JobSpace;
let scratchBefore: number;

function begin(count: number, options: Parameters<typeof threads>[1] = {}): void {
  jobs = threads(count, options);
  space = jobs.open(core);
}

beforeEach(() => {
  core = newCore();
  graph = core.createGraph();
  core.write(graph, [vertex(), vertex()], 0);
  core.instance.exports.caseTableAddress(); // made with the first arena otherwise
  scratchBefore = core.memoryUse().scratch;
});

afterEach(async () => {
  await space.close();
  expect(slotsOf(core)).toEqual({ taken: 0, announced: 0 });
  expect(core.memoryUse().scratch).toBe(scratchBefore);
  await jobs.close();
  core.dispose();
});

describe('results', () => {
  test('plain data and bytes come back, blocks before them and in order', async () => {
    begin(2);
    const blocks: number[] = [];
    const onBlock = async (block: unknown): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      blocks.push((block as Uint8Array)[0] as number);
    };
    const outcome = await space.run(kinds.numbers, 20, { onBlock });
    expect(outcome).toEqual({ ok: true, value: { bytes: new Uint8Array(4), list: [1, new Uint8Array([7])] } });
    expect((outcome as { value: { bytes: Uint8Array } }).value.bytes.buffer.byteLength).toBe(4);
    expect(blocks).toEqual(Array.from({ length: 20 }, (_, i) => i));
  });

  test('a job reads the graph of its own namespace', async () => {
    begin(1);
    const other = newCore();
    const otherGraph = other.createGraph();
    const otherSpace = jobs.open(other);
    other.write(otherGraph, [vertex()], 0);
    for (let i = 0; i < 3; i++) {
      expect(await space.run(kinds.counts, graph)).toMatchObject({ ok: true, value: { vertices: 2 } });
      expect(await otherSpace.run(kinds.counts, otherGraph)).toMatchObject({ ok: true, value: { vertices: 1 } });
    }
    await otherSpace.close();
    other.dispose();
    // The pooled memory serves a new namespace now; a thread that kept the old core would see through it.
    const third = newCore();
    expect(third.instance.memory).toBe(other.instance.memory);
    const thirdGraph = third.createGraph();
    third.write(thirdGraph, [vertex(), vertex(), vertex()], 0);
    const thirdSpace = jobs.open(third);
    expect(await thirdSpace.run(kinds.counts, thirdGraph)).toMatchObject({ ok: true, value: { vertices: 3 } });
    await thirdSpace.close();
    third.dispose();
  });

  test('an arena grows when the job asks, and not beyond the memory', async () => {
    begin(1);
    const outcome = await space.run(kinds.widens, 4 << 20);
    expect(outcome).toMatchObject({ ok: true, value: { before: 512 * 1024 } });
    expect((outcome as { value: { after: number } }).value.after).toBeGreaterThan(32 << 20);
    expect(reasonOf(await space.run(kinds.widens, 200 << 20))).toBe('memory');
  });

  test('functions of modules that come with a job are called from the core', async () => {
    begin(1);
    const module = new WebAssembly.Module(twice);
    for (let i = 0; i < 300; i++) {
      const key = `twice-${i % 290}`;
      expect(await space.run(kinds.calls, key, { modules: [{ key, module }] })).toEqual({ ok: true, value: 40 });
    }
    expect(reasonOf(await space.run(kinds.calls, 'another', { modules: [{ key: 'twice-1', module }] }))).toBe('failed');
  });

  test('an outcome as a value or a throw', async () => {
    begin(1);
    expect(resultOf(await space.run(kinds.echo, 5))).toBe(5);
    const failed = await space.run(kinds.throws, 5);
    expect(() => resultOf(failed)).toThrow(expect.objectContaining({ name: 'JobFailed', reason: 'failed' }));
    const tooLarge = await space.run(kinds.widens, 200 << 20);
    expect(() => resultOf(tooLarge)).toThrow(expect.objectContaining({ name: 'CoreMemoryExhausted' }));
  });

  test('parts come back in the order of their requests, more of them than threads', async () => {
    begin(2);
    const requests = Array.from({ length: 50 }, (_, i) => i);
    expect(await space.runParts(kinds.echo, requests)).toEqual({ ok: true, value: requests });
    const failing = await space.runParts({ ...kinds.throws, name: 'throws' }, requests);
    expect(reasonOf(failing)).toBe('failed');
  });
});

describe('being told to stop', () => {
  test.each([true, false])('a kernel that polls leaves (announced: %s)', async (announced) => {
    begin(1);
    expect(reasonOf(await space.run(kinds.poll, announced, cancelledOnceBegun()))).toBe('cancelled');
    expect(reasonOf(await space.run(kinds.poll, announced, { timeoutMs: 30 }))).toBe('deadline');
    expect(await space.run(kinds.echo, 1)).toEqual({ ok: true, value: 1 });
  });

  test('a signal that is aborted already begins nothing', async () => {
    begin(1);
    expect(reasonOf(await space.run(kinds.echo, 1, { signal: AbortSignal.abort() }))).toBe('cancelled');
  });

  test('a job that waits can be cancelled and outlive its time', async () => {
    begin(1);
    const first = new AbortController();
    const running = space.run(kinds.limited, 0, { signal: first.signal });
    expect(reasonOf(await space.run(kinds.echo, 1, { timeoutMs: 20 }))).toBe('deadline');
    const second = new AbortController();
    const waiting = space.run(kinds.echo, 1, { signal: second.signal });
    second.abort();
    expect(reasonOf(await waiting)).toBe('cancelled');
    first.abort();
    expect(reasonOf(await running)).toBe('cancelled');
  });

  test('a rejected block cancels its job', async () => {
    begin(1);
    const onBlock = (): Promise<void> => Promise.reject(new Error('nobody reads on'));
    expect(reasonOf(await space.run(kinds.numbers, 1000, { onBlock }))).toBe('cancelled');
  });

  test('a thread in an endless loop is ended, its epoch is let go of, and another takes its place', async () => {
    begin(1, { graceMs: 20 });
    core.write(graph, [{ kind: 'remove', id: 0 } as never], 0);
    for (let round = 0; round < 3; round++) {
      let announcedThen = 0;
      const options = cancelledOnceBegun();
      const onBlock = (): void => {
        setTimeout(() => {
          announcedThen = slotsOf(core).announced;
          options.onBlock();
        }, 20);
      };
      expect(reasonOf(await space.run(kinds.endless, 0, { ...options, onBlock }))).toBe('cancelled');
      expect(announcedThen).toBe(1);
      expect(slotsOf(core)).toEqual({ taken: 0, announced: 0 });
      expect(core.instance.exports.retireAdvance()).toBe(0);
      expect(await space.run(kinds.echo, round)).toEqual({ ok: true, value: round });
    }
  });
});

describe('what goes wrong', () => {
  test.each(['exits', 'uncaught', 'unreadable'] as const)('%s: that job fails and the next one runs', async (name) => {
    begin(2);
    const beside = space.run(kinds.slices, 100_000);
    expect(['crashed', 'failed']).toContain(reasonOf(await space.run(kinds[name], 0)));
    expect(await beside).toEqual({ ok: true, value: 100_000 });
    expect(await space.run(kinds.counts, graph)).toMatchObject({ ok: true });
  });

  test.each(['throws', 'traps'] as const)('%s: the thread stays', async (name) => {
    begin(1);
    expect(reasonOf(await space.run(kinds[name], 0))).toBe('failed');
    expect(await space.run(kinds.counts, graph)).toMatchObject({ ok: true, value: { vertices: 2 } });
  });

  test('a kind that no thread knows, a request that is no plain data', async () => {
    begin(1);
    expect(reasonOf(await space.run({ name: 'unknown', run: () => 1 }, 0))).toBe('failed');
    expect(reasonOf(await space.run(kinds.echo, () => 1))).toBe('failed');
    expect(await space.run(kinds.echo, 1)).toEqual({ ok: true, value: 1 });
  });

  test('an entry that cannot be loaded', async () => {
    const { jobsOnThreads } = await import('../../runtime-node/workers/job-threads.ts');
    const { binary } = await import('./support/jobs-home.ts');
    jobs = jobsOnThreads({ binary, threads: 1, entry: new URL('./no-such-file.mjs', import.meta.url) });
    space = jobs.open(core);
    expect(reasonOf(await space.run(kinds.echo, 1))).toBe('crashed');
  });

  test('no thread can be started: the reason is told, once in the log, and busy threads take what waits', async () => {
    const { JobPool } = await import('../../src/engine/jobs/pool.ts');
    const { binary, startJobThread } = await import('./support/jobs-home.ts');
    const logged: string[] = [];
    const logger = { info: () => {}, warn: () => {}, error: (message: string) => void logged.push(message) };
    let most = 0;
    const spawn: typeof startJobThread = (listener) => {
      if (most-- <= 0) throw new Error('EAGAIN, the system has no more');
      return startJobThread(listener);
    };
    jobs = new JobPool({ binary, threads: 3, parallel: true, maxWaiting: 8, graceMs: 250, spawn, logger });
    space = jobs.open(core);
    const detail = 'No worker thread can be started: EAGAIN, the system has no more';
    const refused = { ok: false, reason: 'noThread', detail };
    expect(await space.run(kinds.echo, 1)).toEqual(refused);
    expect(await space.runGang(kinds.echo, 1, { members: 2, sharedBytes: 0, patienceMs: 1 })).toEqual(refused);
    expect(logged).toEqual([expect.stringContaining('No worker thread can be started beside the 0 there are: EAGAIN')]);
    most = 1;
    const outcomes = await Promise.all([1, 2, 3, 4].map((number) => space.run(kinds.echo, number)));
    expect(outcomes.map((outcome) => outcome.ok && outcome.value)).toEqual([1, 2, 3, 4]);
    expect(logged.length).toBe(2);
  });

  test('a memory that is nearly full gives a smaller arena, a full one none', async () => {
    begin(1);
    const small = newCore(2 ** 22);
    const smallSpace = jobs.open(small);
    const kind = { ...kinds.arena, arenaBytes: 2 ** 23 };
    const outcome = await smallSpace.run(kind, 1);
    expect((outcome as { value: number }).value).toBeLessThan(2 ** 22);
    while (small.instance.exports.arenaAllocate(2 ** 16) !== 0);
    // What graphs and buffers have left is gone: an arena of headroom, until that is, too.
    expect(reasonOf(await smallSpace.run(kind, 1))).toBe('ok');
    while (small.instance.exports.arenaLend(2 ** 16) !== 0);
    expect(reasonOf(await smallSpace.run(kind, 1))).toBe('memory');
    await smallSpace.close();
    small.dispose();
  });

  test('a namespace that goes takes its jobs along, those that wait as well', async () => {
    begin(1, { graceMs: 20 });
    const other = newCore();
    const otherSpace = jobs.open(other);
    let isInside = (): void => {};
    const inside = new Promise<void>((resolve) => {
      isInside = resolve;
    });
    const outcomes: Promise<JobOutcome<unknown>>[] = [otherSpace.run(kinds.endless, 0, { onBlock: () => isInside() })];
    outcomes.push(otherSpace.run(kinds.echo, 1), otherSpace.run(kinds.echo, 2));
    await inside;
    await otherSpace.close();
    expect(slotsOf(other)).toEqual({ taken: 0, announced: 0 });
    other.dispose();
    expect((await Promise.all(outcomes)).map(reasonOf)).toEqual(['closed', 'closed', 'closed']);
    expect(reasonOf(await otherSpace.run(kinds.echo, 1))).toBe('closed');
    expect(await space.run(kinds.echo, 1)).toEqual({ ok: true, value: 1 });
  });
});

describe('admission', () => {
  test('what comes beyond the queue is refused at once', async () => {
    begin(1, { maxWaiting: 4 });
    const stop = new AbortController();
    const running = space.run(kinds.limited, 0, { signal: stop.signal });
    const waiting = [kinds.echo, kinds.echo, kinds.slices, kinds.slices].map((kind) =>
      space.run(kind, 1, { signal: stop.signal }),
    );
    expect(reasonOf(await space.run(kinds.counts, graph))).toBe('overload');
    stop.abort();
    expect((await Promise.all([running, ...waiting])).map(reasonOf)).toEqual(Array(5).fill('cancelled'));
  });

  test('what goes on with an answer that has begun waits however many wait', async () => {
    begin(1, { maxWaiting: 2 });
    const stop = new AbortController();
    const running = space.run(kinds.limited, 0, { signal: stop.signal });
    const waiting = [1, 2, 3, 4].map((one) => space.run(kinds.echo, one, { isAdmitted: true }));
    expect(reasonOf(await space.run(kinds.echo, 5))).toBe('overload');
    stop.abort();
    expect((await Promise.all([running, ...waiting])).map(reasonOf)).toEqual(['cancelled', 'ok', 'ok', 'ok', 'ok']);
  });

  test('one kind fills half of the queue at most', async () => {
    begin(1, { maxWaiting: 4 });
    const stop = new AbortController();
    const running = space.run(kinds.limited, 0, { signal: stop.signal });
    const waiting = [1, 2].map((one) => space.run(kinds.echo, one));
    expect(reasonOf(await space.run(kinds.echo, 3))).toBe('overload');
    const other = space.run(kinds.slices, 3);
    stop.abort();
    expect((await Promise.all([running, ...waiting, other])).map(reasonOf)).toEqual(['cancelled', 'ok', 'ok', 'ok']);
  });

  test('a kind at its limit is passed by others; long kinds leave a thread', async () => {
    begin(2);
    const stop = new AbortController();
    const held = [1, 2, 3].map(() => space.run(kinds.limited, 0, { signal: stop.signal }));
    expect(await space.run(kinds.echo, 1)).toEqual({ ok: true, value: 1 });
    const long = { ...kinds.endless, isLong: true };
    const stuck = [1, 2].map(() => space.run(long, 0, { signal: stop.signal }));
    stop.abort();
    expect((await Promise.all(held)).map(reasonOf)).toEqual(Array(3).fill('cancelled'));
    await Promise.all(stuck);
  });
});

describe('gangs', () => {
  test.each([1, 2, 4])('%i members meet at every barrier', async (members) => {
    begin(4);
    const options = { members, sharedBytes: 64 };
    const outcome = await space.runGang(kinds.gangSum, { numbers: 1000, rounds: 300 }, options);
    expect(outcome).toEqual({ ok: true, value: Array(members).fill({ count: members, rounds: 300 }) });
  });

  test('with fewer free threads it has fewer members', async () => {
    begin(3);
    const stop = new AbortController();
    const held = space.run(kinds.limited, 0, { signal: stop.signal });
    const options = { members: 8, sharedBytes: 64 };
    const outcome = await space.runGang(kinds.gangSum, { numbers: 1000, rounds: 50 }, options);
    expect(outcome).toEqual({ ok: true, value: Array(2).fill({ count: 2, rounds: 50 }) });
    stop.abort();
    await held;
  });

  test('it waits a little for all its members', async () => {
    begin(3);
    const held = space.run(kinds.limited, 0, { timeoutMs: 30 });
    const options = { members: 3, sharedBytes: 64, patienceMs: 10_000 };
    const outcome = await space.runGang(kinds.gangSum, { numbers: 1000, rounds: 50 }, options);
    expect(outcome).toEqual({ ok: true, value: Array(3).fill({ count: 3, rounds: 50 }) });
    expect(reasonOf(await held)).toBe('deadline');
  });

  test('two gangs and single jobs at once come to their ends', async () => {
    begin(3);
    const options = { members: 3, sharedBytes: 64 };
    const outcomes = await Promise.all([
      ...[1, 2, 3, 4].map(() => space.runGang(kinds.gangSum, { numbers: 500, rounds: 40 }, options)),
      ...[1, 2, 3, 4].map(() => space.run(kinds.echo, 1)),
    ]);
    expect(outcomes.map(reasonOf)).toEqual(Array(8).fill('ok'));
  });

  test('cancelling frees everyone from the barrier', async () => {
    begin(3, { graceMs: 5000 });
    const options = { members: 3, sharedBytes: 64 };
    expect(reasonOf(await space.runGang(kinds.gangWait, 0, { ...options, ...cancelledOnceBegun() }))).toBe('cancelled');
    expect(reasonOf(await space.runGang(kinds.gangWait, 0, { ...options, timeoutMs: 50 }))).toBe('deadline');
    expect(reasonOf(await space.runGang(kinds.gangSum, { numbers: 9, rounds: 9 }, options))).toBe('ok');
  });

  test('a member that is stuck is ended, one that traps takes the others along', async () => {
    begin(3, { graceMs: 20 });
    const options = { members: 3, sharedBytes: 64 };
    expect(reasonOf(await space.runGang(kinds.gangStuck, 0, { ...options, timeoutMs: 50 }))).toBe('deadline');
    expect(reasonOf(await space.runGang(kinds.gangTraps, 0, options))).toBe('failed');
    expect(reasonOf(await space.runGang(kinds.gangSum, { numbers: 9, rounds: 9 }, options))).toBe('ok');
  });
});

/** (module (func (export "twice") (param i32) (result i32) (i32.mul (local.get 0) (i32.const 2)))) */
const twice = new Uint8Array([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 6, 1, 0x60, 1, 0x7f, 1, 0x7f, 3, 2, 1, 0],
  ...[7, 9, 1, 5, 0x74, 0x77, 0x69, 0x63, 0x65, 0, 0, 10, 9, 1, 7, 0, 0x20, 0, 0x41, 2, 0x6c, 0x0b],
]);

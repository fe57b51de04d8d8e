// Who compiles when: turns of clients, bounds of the queue, deadlines, callers that go, threads that die. The threads are played by the test:
// it sees what each is given and says when it answers.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SetTask } from '../../src/queries/fragments/compile-task.ts';
import { CompilerPool } from '../../src/queries/fragments/compiler-pool.ts';
import type { CompilerListener, FromCompiler, ToCompiler } from '../../src/queries/fragments/compilers.ts';

const maxMs = 1000;

class PlayedThread {
  readonly listener: CompilerListener;
  readonly given: (ToCompiler & { kind: 'compile' })[] = [];
  isTerminated = false;
  isBusy = false;

  constructor(listener: CompilerListener) {
    this.listener = listener;
  }

  say(message: FromCompiler): void {
    this.listener.message(message);
  }

  /** Names of the tasks it was given. */
  get names(): string[] {
    return this.given.map(({ task }) => (task as SetTask).texts.name?.text ?? '');
  }

  answer(): void {
    const order = this.given.at(-1)?.order ?? 0;
    this.say({ kind: 'done', order, result: { ok: true, modules: {} } });
  }
}

let started: PlayedThread[];
let pool: CompilerPool;

function begin({ threads = 1, maxWaiting = 100 } = {}): void {
  pool = new CompilerPool({
    ...{ threads, maxWaiting, maxMs },
    spawn: (listener) => {
      const thread = new PlayedThread(listener);
      started.push(thread);
      return {
        post: (message) => {
          if (message.kind === 'compile') thread.given.push(message);
        },
        setBusy: (busy) => {
          thread.isBusy = busy;
        },
        terminate: async () => {
          thread.isTerminated = true;
        },
      };
    },
  });
}

const taskOf = (name: string): SetTask => ({
  ...{ kind: 'set', shared: true, emits: true },
  texts: { name: { kind: 'VertexFilter', text: name } },
});

/** What came of it in the end: a word. */
function ask(name: string, client = '', signal?: AbortSignal): { end: string | null } {
  const asked: { end: string | null } = { end: null };
  pool.run(taskOf(name), { client, signal }).then(
    (outcome) => {
      asked.end = outcome.ok ? 'done' : outcome.limit;
    },
    (error: { reason: string }) => {
      asked.end = error.reason;
    },
  );
  return asked;
}

const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
  started = [];
});

afterEach(async () => {
  await pool.close();
  vi.useRealTimers();
});

describe('threads', () => {
  test('start when there is work, get it when they are warm, and stay', async () => {
    begin({ threads: 2 });
    expect(started).toHaveLength(0);
    const first = ask('a');
    expect(started).toHaveLength(1);
    expect(started[0]?.names).toEqual([]);
    started[0]?.say({ kind: 'ready' });
    expect(started[0]?.names).toEqual(['a']);
    expect(started[0]?.isBusy).toBe(true);
    const second = ask('b');
    expect(started).toHaveLength(2);
    started[0]?.answer();
    await settled();
    expect(first.end).toBe('done');
    // The second thread is still starting: the first, which is free, takes it.
    expect(started[0]?.names).toEqual(['a', 'b']);
    started[0]?.answer();
    await settled();
    expect(second.end).toBe('done');
    expect(started[0]?.isBusy).toBe(false);
    ask('c');
    expect(started).toHaveLength(2);
    expect(started[0]?.names).toEqual(['a', 'b', 'c']);
  });

  test('are warm before anybody asks, if they are told to be', () => {
    begin({ threads: 2 });
    pool.warm();
    pool.warm();
    expect(started).toHaveLength(1);
    started[0]?.say({ kind: 'ready' });
    ask('a');
    expect(started[0]?.names).toEqual(['a']);
  });

  test('that die take their task along, and others take their place', async () => {
    begin();
    const first = ask('a');
    const second = ask('b');
    started[0]?.say({ kind: 'ready' });
    started[0]?.listener.ended('died', 'it died');
    await settled();
    expect(first.end).toBe('crashed');
    expect(second.end).toBeNull();
    started[1]?.say({ kind: 'ready' });
    started[1]?.listener.ended('memory', 'it was too large');
    await settled();
    expect(second.end).toBe('memory');
    expect(started).toHaveLength(3);
  });

  test('that cannot be started are not tried for ever', async () => {
    begin();
    const first = ask('a');
    started[0]?.listener.ended('died', 'no entry');
    await settled();
    expect(first.end).toBe('crashed');
    expect(started).toHaveLength(1);
    // Who comes later may have more luck.
    const second = ask('b');
    started[1]?.say({ kind: 'ready' });
    started[1]?.answer();
    await settled();
    expect(second.end).toBe('done');
  });
});

describe('the deadline', () => {
  test('ends a task with its thread; another one goes on with what waits', async () => {
    begin();
    const endless = ask('endless', 'a');
    const next = ask('next', 'a');
    started[0]?.say({ kind: 'ready' });
    await vi.advanceTimersByTimeAsync(maxMs - 1);
    expect(endless.end).toBeNull();
    await vi.advanceTimersByTimeAsync(2);
    expect(endless.end).toBe('time');
    expect(started[0]?.isTerminated).toBe(true);
    expect(started).toHaveLength(2);
    started[1]?.say({ kind: 'ready' });
    started[1]?.answer();
    await settled();
    expect(next.end).toBe('done');
    // Whatever the ended thread still says is nobody's.
    started[0]?.say({ kind: 'done', order: 1, result: { ok: true, modules: {} } });
    started[0]?.listener.ended('died', 'terminated');
    expect(started).toHaveLength(2);
  });

  test('does not count the time before it begins, and ends with it', async () => {
    begin();
    const asked = ask('a');
    await vi.advanceTimersByTimeAsync(10 * maxMs);
    started[0]?.say({ kind: 'ready' });
    await vi.advanceTimersByTimeAsync(maxMs - 1);
    started[0]?.answer();
    await vi.advanceTimersByTimeAsync(10 * maxMs);
    expect(asked.end).toBe('done');
    expect(started[0]?.isTerminated).toBe(false);
  });
});

describe('clients', () => {
  test('take turns: one that has much waiting holds nobody up', async () => {
    begin();
    for (let i = 0; i < 5; i++) ask(`a${i}`, 'a');
    for (let i = 0; i < 2; i++) ask(`b${i}`, 'b');
    ask('c0', 'c');
    const [thread] = started as [PlayedThread];
    thread.say({ kind: 'ready' });
    for (let i = 0; i < 7; i++) thread.answer();
    expect(thread.names).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'a2', 'a3', 'a4']);
  });

  test('that have a thread already let others go first', async () => {
    begin({ threads: 2 });
    for (let i = 0; i < 4; i++) ask(`a${i}`, 'a');
    for (const thread of started) thread.say({ kind: 'ready' });
    expect(started.map(({ names }) => names)).toEqual([['a0'], ['a1']]);
    ask('b0', 'b');
    ask('b1', 'b');
    started[0]?.answer();
    expect(started[0]?.names).toEqual(['a0', 'b0']);
    started[1]?.answer();
    started[0]?.answer();
    expect(started.map(({ names }) => names)).toEqual([
      ['a0', 'b0', 'b1'],
      ['a1', 'a2'],
    ]);
  });

  test.each([
    [2, null],
    [3, null],
    [4, 'overload'],
  ])('may have %i tasks waiting of at most 3: the last one %s', async (waiting, end) => {
    begin({ maxWaiting: 3 });
    ask('running');
    started[0]?.say({ kind: 'ready' });
    const asked = Array.from({ length: waiting }, (_, i) => ask(`${i}`));
    await settled();
    expect(asked.at(-1)?.end).toBe(end);
    expect(asked.slice(0, -1).every((one) => one.end === null)).toBe(true);
  });

  test('that fill the queue lose their newest to those who have less', async () => {
    begin({ maxWaiting: 3 });
    ask('running', 'a');
    started[0]?.say({ kind: 'ready' });
    const many = ['a0', 'a1', 'a2'].map((name) => ask(name, 'a'));
    const one = ask('b0', 'b');
    await settled();
    expect(many.map(({ end }) => end)).toEqual([null, null, 'overload']);
    expect(one.end).toBeNull();
  });
});

describe('a caller that goes', () => {
  test('leaves the queue', async () => {
    begin();
    ask('running');
    started[0]?.say({ kind: 'ready' });
    const controller = new AbortController();
    const asked = ask('a', '', controller.signal);
    controller.abort();
    await settled();
    expect(asked.end).toBe('cancelled');
    started[0]?.answer();
    expect(started[0]?.names).toEqual(['running']);
  });

  test('leaves its task a moment, and then no thread', async () => {
    begin();
    const controller = new AbortController();
    const asked = ask('a', '', controller.signal);
    started[0]?.say({ kind: 'ready' });
    controller.abort();
    await settled();
    expect(asked.end).toBe('cancelled');
    expect(started[0]?.isTerminated).toBe(false);
    await vi.advanceTimersByTimeAsync(maxMs / 2);
    expect(started[0]?.isTerminated).toBe(true);
  });

  test('before it has asked is refused', async () => {
    begin();
    const asked = ask('a', '', AbortSignal.abort());
    await settled();
    expect(asked.end).toBe('cancelled');
    expect(started).toHaveLength(0);
  });
});

test('closing ends what runs and what waits, and refuses the rest', async () => {
  begin();
  const asked = [ask('a'), ask('b')];
  started[0]?.say({ kind: 'ready' });
  await pool.close();
  asked.push(ask('c'));
  await settled();
  expect(asked.map(({ end }) => end)).toEqual(['closed', 'closed', 'closed']);
  expect(started.map(({ isTerminated }) => isTerminated)).toEqual([true]);
});

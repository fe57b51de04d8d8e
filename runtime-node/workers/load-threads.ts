// Two threads that help to load large checkpoints, one load at a time: whoever finds them busy loads alone. They start with the first load
// and end when none has asked for a while. A thread that ends in the middle fails its load: what it leaves in the memory is unknown.

import { Worker } from 'node:worker_threads';
import type { HelperHeaps, LinkHelpers, LinkPart } from '../../src/core/checkpoint.ts';
import type { Core } from '../../src/core/core.ts';
import type { CoreBinary } from '../../src/core/instance.ts';
import { CoreStatus } from '../../src/core/status.ts';
import type { LoadHelpers } from '../../src/engine/checkpoint/load.ts';
import type { FromHelper, ToHelper } from './load-messages.ts';

/** Starting threads takes as long as linking that many ids. */
const helpedIds = 262_144;
/** How long threads without work stay. */
const idleMs = 2000;

export class LoadThreads implements LoadHelpers {
  readonly fromIds: number;
  private readonly binary: CoreBinary;
  private readonly entry: URL;
  private threads: readonly [HelperThread, HelperThread] | null = null;
  private isBusy = false;
  private idleTimer: NodeJS.Timeout | null = null;

  /** `binary`: that of the cores that are loaded; their memory must be shared. `entry`: the built one, by default beside this module. */
  constructor(binary: CoreBinary, options: { readonly fromIds?: number; readonly entry?: URL } = {}) {
    this.binary = binary;
    this.fromIds = options.fromIds ?? helpedIds;
    this.entry = options.entry ?? new URL('./load-worker.js', import.meta.url);
  }

  take(core: Core): LinkHelpers | null {
    if (this.isBusy) return null;
    this.isBusy = true;
    if (this.idleTimer !== null) clearTimeout(this.idleTimer);
    if (this.threads?.some(({ hasEnded }) => hasEnded)) void this.close();
    this.threads ??= [new HelperThread(this.entry), new HelperThread(this.entry)];
    const { threads, binary } = this;
    const { memory } = core.instance;
    let isAttached = false;
    let hasEnded = false;
    return {
      touch: async (pages) => {
        await threads[0].ask({ kind: 'touch', memory, pages: pages.message });
      },
      begin: async (heaps) => {
        const attach = (own: HelperHeaps): ToHelper => ({ kind: 'attach', binary, memory, heaps: own });
        isAttached = true;
        const statuses = await bothOf(threads, heaps.map(attach));
        return statuses.every((status) => status === CoreStatus.ok);
      },
      run: (parts) =>
        bothOf(
          threads,
          parts.map((part: LinkPart): ToHelper => ({ kind: 'run', part })),
        ),
      end: () => {
        if (hasEnded) return;
        hasEnded = true;
        if (isAttached) for (const thread of threads) thread.tell({ kind: 'detach' });
        this.isBusy = false;
        this.idleTimer = setTimeout(() => void this.close(), idleMs).unref();
      },
    };
  }

  /** Ends the threads. No load may be running. */
  async close(): Promise<void> {
    if (this.idleTimer !== null) clearTimeout(this.idleTimer);
    const threads = this.threads ?? [];
    this.threads = null;
    await Promise.all(threads.map((thread) => thread.end()));
  }
}

/**
 * What both answer. When one fails, the other is ended before anybody hears of it: the load is given up then, its memory goes to another graph,
 * and nobody may be at work in it any more.
 */
async function bothOf(
  threads: readonly [HelperThread, HelperThread],
  messages: readonly ToHelper[],
): Promise<readonly number[]> {
  try {
    return await Promise.all(messages.map((message, i) => (threads[i] as HelperThread).ask(message)));
  } catch (error) {
    await Promise.all(threads.map((thread) => thread.end()));
    throw error;
  }
}

class HelperThread {
  private readonly worker: Worker;
  private answer: (status: number) => void = () => {};
  private fail: (error: Error) => void = () => {};
  hasEnded = false;

  constructor(entry: URL) {
    this.worker = new Worker(entry);
    this.worker.on('message', ({ status }: FromHelper) => this.answer(status));
    this.worker.on('error', (error: Error) => this.fail(error));
    this.worker.on('exit', (code) => {
      this.hasEnded = true;
      this.fail(new Error(`A thread that helped to load a checkpoint ended with code ${code}.`));
    });
    this.worker.unref();
  }

  tell(message: ToHelper): void {
    this.worker.postMessage(message);
  }

  /** Keeps the process alive until it has answered. */
  async ask(message: ToHelper): Promise<number> {
    if (this.hasEnded) throw new Error('A thread that helps to load a checkpoint has ended.');
    this.worker.ref();
    try {
      return await new Promise<number>((resolve, reject) => {
        this.answer = resolve;
        this.fail = reject;
        this.tell(message);
      });
    } finally {
      this.worker.unref();
    }
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }
}

// Who compiles when: a queue in which clients take turns, and the threads. Knows nothing of what a thread is; a home hands in how one is
// started. Threads start when there is work, or before, and stay warm. A task that takes longer than it may ends with its thread, and another
// thread takes its place; what its caller gave up has a moment to end by itself, because a new thread costs more than that.
//
// At most `maxWaiting` tasks wait; beyond that the client that has most waiting loses its newest one (`overload`).

import { JobFailed } from '../../engine/jobs/failure.ts';
import type { CompileTask, ResultOf } from './compile-task.ts';
import type { Caller, CompileOutcome, CompilerListener, CompilerPort, Compilers, FromCompiler } from './compilers.ts';
import { FairQueue } from './fair-queue.ts';

const givenUpMs = 100;

export interface CompilerPoolOptions {
  /** Threads at most. */
  readonly threads: number;
  readonly maxWaiting: number;
  /** How long a task may run. */
  readonly maxMs: number;
  /** Throws when no thread can be started. */
  readonly spawn: (listener: CompilerListener) => CompilerPort;
}

type Outcome = CompileOutcome<ResultOf<CompileTask>>;

/** One task on its way. */
class Order {
  readonly number: number;
  readonly task: CompileTask;
  readonly client: string;
  readonly outcome: Promise<Outcome>;
  isOver = false;
  resolve: (outcome: Outcome) => void = () => {};
  private reject: (error: JobFailed) => void = () => {};

  constructor(number: number, task: CompileTask, client: string) {
    this.number = number;
    this.task = task;
    this.client = client;
    this.outcome = new Promise((resolve, reject) => {
      this.resolve = (outcome) => {
        this.isOver = true;
        resolve(outcome);
      };
      this.reject = reject;
    });
  }

  fail(reason: JobFailed['reason'], detail: string): void {
    this.isOver = true;
    this.reject(new JobFailed(reason, detail));
  }
}

export class CompilerPool implements Compilers {
  private readonly options: CompilerPoolOptions;
  private readonly waiting = new FairQueue<Order>();
  private readonly threads = new Set<CompilerThread>();
  private readonly ending = new Set<Promise<void>>();
  private lastOrder = 0;
  private isClosed = false;

  constructor(options: CompilerPoolOptions) {
    this.options = options;
  }

  async run<Task extends CompileTask>(task: Task, caller: Caller = {}): Promise<CompileOutcome<ResultOf<Task>>> {
    const { signal, client = '' } = caller;
    if (this.isClosed) throw new JobFailed('closed', 'Nothing is compiled any more.');
    const order = new Order(++this.lastOrder, task, client);
    const giveUp = (): void => this.giveUp(order);
    if (signal?.aborted === true) giveUp();
    else this.enter(order);
    signal?.addEventListener('abort', giveUp);
    try {
      return (await order.outcome) as CompileOutcome<ResultOf<Task>>;
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  }

  warm(): void {
    if (this.threads.size === 0 && !this.isClosed) this.spawn();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.refuseAll('closed', 'Nothing is compiled any more.');
    for (const thread of [...this.threads]) thread.close();
    await Promise.all(this.ending);
  }

  private enter(order: Order): void {
    this.waiting.add(order.client, order);
    this.pump();
    if (this.waiting.size <= this.options.maxWaiting) return;
    this.waiting.takeNewest()?.fail('overload', `${this.options.maxWaiting} compilations are waiting already.`);
  }

  private giveUp(order: Order): void {
    this.waiting.remove(order.client, order);
    for (const thread of this.threads) if (thread.order === order) thread.hurry();
    order.fail('cancelled', 'The compilation was given up.');
  }

  /** Begins whatever can begin. */
  private pump(): void {
    const threads = [...this.threads];
    for (const thread of threads.filter(({ isFree }) => isFree)) {
      const served = new Set(threads.flatMap(({ order }) => (order === null ? [] : [order.client])));
      const order = this.waiting.take(served);
      if (order === undefined) return;
      thread.begin(order);
    }
    const starting = threads.filter(({ isReady }) => !isReady).length;
    if (this.waiting.size > starting && threads.length < this.options.threads) this.spawn();
  }

  private spawn(): void {
    const { spawn, maxMs } = this.options;
    try {
      const thread = new CompilerThread({
        spawn,
        maxMs,
        onFree: () => this.pump(),
        onEnded: (ended, termination) => this.ended(ended, termination),
      });
      this.threads.add(thread);
    } catch (error) {
      this.refuseAll('crashed', `No thread for compiling could be started: ${error}`);
    }
  }

  private ended(thread: CompilerThread, termination: Promise<void>): void {
    this.threads.delete(thread);
    const gone = termination.finally(() => this.ending.delete(gone));
    this.ending.add(gone);
    if (this.isClosed) return;
    // A thread that dies before it has done anything would do so again and again.
    if (!thread.isReady && this.threads.size === 0) {
      this.refuseAll('crashed', 'No thread for compiling could be started.');
      return;
    }
    if (this.threads.size === 0) this.spawn();
    this.pump();
  }

  private refuseAll(reason: JobFailed['reason'], detail: string): void {
    for (let order = this.waiting.takeNewest(); order !== undefined; order = this.waiting.takeNewest()) {
      order.fail(reason, detail);
    }
  }
}

interface CompilerThreadOptions {
  readonly spawn: (listener: CompilerListener) => CompilerPort;
  readonly maxMs: number;
  readonly onFree: () => void;
  readonly onEnded: (thread: CompilerThread, termination: Promise<void>) => void;
}

/** The caller's side of one thread. */
class CompilerThread implements CompilerListener {
  isReady = false;
  order: Order | null = null;
  private readonly options: CompilerThreadOptions;
  private readonly port: CompilerPort;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private hasEnded = false;

  constructor(options: CompilerThreadOptions) {
    this.options = options;
    this.port = options.spawn(this);
  }

  get isFree(): boolean {
    return this.isReady && this.order === null && !this.hasEnded;
  }

  begin(order: Order): void {
    this.order = order;
    this.port.setBusy(true);
    this.port.post({ kind: 'compile', order: order.number, task: order.task });
    this.endAfter(this.options.maxMs);
  }

  /** Nobody wants what it works at any more. */
  hurry(): void {
    this.endAfter(Math.min(givenUpMs, this.options.maxMs));
  }

  private endAfter(ms: number): void {
    if (this.timer !== null) clearTimeout(this.timer);
    // An answer that is there already, on a thread that had no time to look, comes before the second timer.
    this.timer = setTimeout(() => {
      this.timer = setTimeout(() => this.outOfTime(), 1);
    }, ms);
  }

  private outOfTime(): void {
    if (this.port.terminate === null) this.port.post({ kind: 'stop', order: this.order?.number ?? 0 });
    else this.end({ ok: false, limit: 'time' });
  }

  message(message: FromCompiler): void {
    if (this.hasEnded) return;
    if (message.kind === 'ready') {
      this.isReady = true;
      this.options.onFree();
      return;
    }
    const order = this.finish();
    if (message.kind === 'done') order?.resolve({ ok: true, value: message.result });
    else if (message.kind === 'stopped') order?.resolve({ ok: false, limit: 'time' });
    else order?.fail('failed', message.detail);
    this.options.onFree();
  }

  ended(why: 'memory' | 'died', detail: string): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    const order = this.finish();
    if (why === 'memory') order?.resolve({ ok: false, limit: 'memory' });
    else order?.fail('crashed', detail);
    this.options.onEnded(this, Promise.resolve());
  }

  /** Ends the thread, and what it is at with that outcome. */
  private end(outcome: Outcome): void {
    this.hasEnded = true;
    const order = this.finish();
    const termination = this.port.terminate?.() ?? Promise.resolve();
    order?.resolve(outcome);
    this.options.onEnded(this, termination);
  }

  close(): void {
    this.order?.fail('closed', 'Nothing is compiled any more.');
    this.end({ ok: false, limit: 'time' });
  }

  private finish(): Order | null {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const { order } = this;
    this.order = null;
    if (order !== null) this.port.setBusy(false);
    return order;
  }
}

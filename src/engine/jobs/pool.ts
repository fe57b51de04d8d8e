// Who runs when: admission, the queue, and the threads. Knows nothing of what a thread is; a home hands in how one is started
// (a worker, or the one thread there is). Threads are started when there is work, or ahead of it when the home says so, and stay warm.
//
// - At most `maxWaiting` jobs wait, at most half of them of one kind; what comes beyond is refused as `overload` at once, unless it goes on
//   with an answer that has begun.
// - Jobs start in the order they came, past those whose kind is at its limit. Long kinds leave one thread to the others.
// - A gang waits some ms for all its members and then starts with as many as threads are free, all at once. A member that runs never
//   waits for a thread, so no barrier can dead-lock.

import type { Core } from '../../core/core.ts';
import type { CoreBinary } from '../../core/instance.ts';
import type { Logger } from '../logger.ts';
import type { ThreadListener, ThreadPort } from './messages.ts';
import { type Pace, PaceKeeper } from './pace.ts';
import { PoolThread } from './pool-thread.ts';
import { refusal, Ticket, type TicketPlan } from './ticket.ts';
import type { GangOptions, JobKind, JobOptions, JobOutcome, JobRefusal, JobSpace, Jobs } from './types.ts';

const gangPatienceMs = 20;

export interface PoolOptions {
  /** Of the cores whose memories are read. */
  readonly binary: CoreBinary;
  /** Threads at most. */
  readonly threads: number;
  /** Whether they run at the same time; if not, a gang has one member. */
  readonly parallel: boolean;
  readonly maxWaiting: number;
  /** How long a job may take to notice that it was told to stop. */
  readonly graceMs: number;
  readonly spawn: (listener: ThreadListener) => ThreadPort;
  /** How jobs that give way are told to; missing: they never are. */
  readonly pace?: Pace;
  /** Told when no thread can be started, once until one can; missing: nobody is. */
  readonly logger?: Logger;
}

export class JobPool implements Jobs {
  private readonly options: PoolOptions;
  private readonly pooled: PoolThread[] = [];
  private readonly waiting: Submission[] = [];
  private readonly running = new Set<Submission>();
  private readonly spaces = new Set<Space>();
  private lastSpace = 0;
  private lastJob = 0;
  private isClosed = false;
  private isEnding = false;
  /** Why the last thread could not be started; null when it could. */
  private noThread: string | null = null;
  private readonly paceKeeper: PaceKeeper | null;

  constructor(options: PoolOptions) {
    this.options = options;
    this.paceKeeper = options.pace === undefined ? null : new PaceKeeper(options.pace);
  }

  get threads(): number {
    return this.options.parallel ? this.options.threads : 1;
  }

  get freeThreads(): number {
    return this.options.parallel ? this.free(false) : Math.min(1, this.free(false));
  }

  get startedThreads(): number {
    return Math.min(this.freeThreads, this.pooled.filter(({ isIdle }) => isIdle).length);
  }

  open(core: Core): JobSpace {
    const space = new Space(this, core, ++this.lastSpace);
    this.spaces.add(space);
    return space;
  }

  get isAtWork(): boolean {
    return this.running.size + this.waiting.length > 0;
  }

  startAhead(): boolean {
    const { parallel, threads } = this.options;
    return parallel && !this.isClosed && this.pooled.length < threads && this.spawn() !== null;
  }

  endOpenEnded(): void {
    this.isEnding = true;
    for (const { ticket } of [...this.waiting, ...this.running]) {
      if (ticket.plan.kind.isOpenEnded === true) ticket.stop('closed');
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([...this.spaces].map((space) => space.close()));
    await Promise.all(this.pooled.splice(0).map((thread) => thread.terminate()));
  }

  /** Refused, or waiting, or begun. */
  submit(space: Space, plan: TicketPlan, isClosed: boolean): Ticket {
    const ticket = new Ticket(plan);
    const isEnding = this.isEnding && plan.kind.isOpenEnded === true;
    if (this.isClosed || isClosed || isEnding) ticket.refuse('closed', 'No jobs are taken any more.');
    if (ticket.isSettled) return ticket;
    const submission: Submission = { ticket, space: space.id, threads: 0, isImpatient: plan.gang === null };
    ticket.onWithdrawn = () => this.withdraw(submission);
    this.waiting.push(submission);
    this.pump();
    if (plan.gang !== null) this.waitForMembers(submission, plan.gang.patienceMs);
    const { maxWaiting } = this.options;
    if (plan.options.isAdmitted === true || !this.waiting.includes(submission)) return ticket;
    const ofKind = this.waiting.filter(({ ticket }) => ticket.plan.kind === plan.kind).length;
    if (this.waiting.length > maxWaiting || ofKind > Math.max(1, maxWaiting >> 1)) {
      this.withdraw(submission);
      ticket.refuse('overload', `${this.waiting.length} jobs are waiting already.`);
    }
    return ticket;
  }

  /** From then on a gang takes the threads there are. */
  private waitForMembers(submission: Submission, patienceMs: number): void {
    if (!this.waiting.includes(submission)) return;
    const timer = setTimeout(() => {
      submission.isImpatient = true;
      this.pump();
    }, patienceMs);
    void submission.ticket.ended.then(() => clearTimeout(timer));
  }

  private withdraw(submission: Submission): void {
    const at = this.waiting.indexOf(submission);
    if (at >= 0) this.waiting.splice(at, 1);
  }

  /** Begins whatever can begin. */
  private pump(): void {
    for (let at = 0; at < this.waiting.length && this.free(false) > 0; ) {
      const submission = this.waiting[at] as Submission;
      const count = this.membersOf(submission);
      if (count === 0) {
        at++;
        continue;
      }
      const threads = this.take(count, submission.space);
      // Those that are busy take it later, where there can be no more of them.
      if (threads.length === 0 && this.pooled.length > 0) return;
      this.waiting.splice(at, 1);
      this.begin(submission, threads);
    }
  }

  /** Threads it may take now, 0: it has to wait. */
  private membersOf({ ticket: { members, plan }, isImpatient }: Submission): number {
    const { kind } = plan;
    let ofKind = 0;
    for (const { ticket } of this.running) if (ticket.plan.kind === kind) ofKind++;
    if (kind.atOnce !== undefined && ofKind >= kind.atOnce) return 0;
    const { parallel, threads } = this.options;
    if (!parallel) return Math.min(1, this.free(kind.isLong === true));
    const most = kind.isLong === true ? Math.max(1, threads - 1) : threads;
    const count = Math.min(members, this.free(kind.isLong === true));
    return count < Math.min(members, most) && !isImpatient ? 0 : count;
  }

  private free(isLong: boolean): number {
    const { threads } = this.options;
    let busy = 0;
    let long = 0;
    for (const submission of this.running) {
      busy += submission.threads;
      if (submission.ticket.plan.kind.isLong === true) long += submission.threads;
    }
    if (!isLong || threads === 1) return threads - busy;
    return Math.min(threads - busy, threads - 1 - long);
  }

  private begin(submission: Submission, threads: readonly PoolThread[]): void {
    const { ticket, space } = submission;
    if (threads.length === 0) {
      ticket.refuse('noThread', `No worker thread can be started: ${this.noThread}`);
      return;
    }
    const parts = ticket.prepare(threads.length);
    submission.threads = parts.length;
    if (ticket.isSettled) return;
    this.running.add(submission);
    if (ticket.plan.kind.givesWay === true) this.paceKeeper?.begun(ticket, parts.length);
    ticket.onSettled = () => {
      this.running.delete(submission);
      this.paceKeeper?.ended(ticket);
      this.pump();
    };
    const job = ++this.lastJob;
    for (const [index, part] of parts.entries()) {
      // A member that could not begin has ended the others.
      if (part.isOver) continue;
      (threads[index] as PoolThread).begin(part, job, space);
    }
  }

  /** Idle threads, those that know the memory first, and new ones; fewer when they cannot be started. */
  private take(count: number, space: number): PoolThread[] {
    const idle = this.pooled.filter((thread) => thread.isIdle);
    idle.sort((a, b) => Number(b.knows(space)) - Number(a.knows(space)));
    const taken = idle.slice(0, count);
    while (taken.length < count) {
      const thread = this.spawn();
      if (thread === null) break;
      taken.push(thread);
    }
    return taken;
  }

  private spawn(): PoolThread | null {
    const { binary, graceMs, spawn } = this.options;
    try {
      const thread = new PoolThread({
        binary,
        graceMs,
        spawn,
        onIdle: () => this.pump(),
        onEnded: (ended) => {
          const at = this.pooled.indexOf(ended);
          if (at >= 0) this.pooled.splice(at, 1);
          this.pump();
        },
      });
      this.pooled.push(thread);
      this.noThread = null;
      return thread;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (this.noThread === null) {
        const threads = this.pooled.length;
        this.options.logger?.error(`No worker thread can be started beside the ${threads} there are: ${reason}`, {
          threads,
        });
      }
      this.noThread = reason;
      return null;
    }
  }

  /** No job of the space runs any more. */
  forget(space: Space): void {
    this.spaces.delete(space);
    for (const thread of this.pooled) thread.forget(space.id);
  }
}

interface Submission {
  readonly ticket: Ticket;
  readonly space: number;
  /** That it takes, once it runs. */
  threads: number;
  /** Begins with fewer members than it wants. */
  isImpatient: boolean;
}

class Space implements JobSpace {
  readonly id: number;
  private readonly pool: JobPool;
  private readonly core: Core;
  private readonly tickets = new Set<Ticket>();
  private isClosed = false;

  constructor(pool: JobPool, core: Core, id: number) {
    this.pool = pool;
    this.core = core;
    this.id = id;
  }

  get threads(): number {
    return this.pool.threads;
  }

  get freeThreads(): number {
    return this.pool.freeThreads;
  }

  get startedThreads(): number {
    return this.pool.startedThreads;
  }

  async run<Request, Result>(
    kind: JobKind<Request, Result>,
    request: Request,
    options: JobOptions = {},
  ): Promise<JobOutcome<Result>> {
    return single(await this.submit({ core: this.core, kind, request, options, gang: null }).outcome);
  }

  async runParts<Request, Result>(
    kind: JobKind<Request, Result>,
    requests: readonly Request[],
    options: JobOptions = {},
  ): Promise<JobOutcome<Result[]>> {
    // One listener for all parts: a signal with more than ten is suspected of leaking.
    const { signal, ...own } = options;
    if (signal?.aborted === true) return refusal('cancelled', 'The job was cancelled.');
    const tickets: Ticket[] = [];
    const cancel = (): void => {
      for (const ticket of tickets) ticket.stop('cancelled');
    };
    signal?.addEventListener('abort', cancel);
    let failure: JobRefusal | null = null;
    const part = async (request: Request): Promise<Result | undefined> => {
      const ticket = this.submit({ core: this.core, kind, request, options: own, gang: null });
      tickets.push(ticket);
      const outcome = single<Result>(await ticket.outcome);
      if (outcome.ok) return outcome.value;
      failure ??= outcome;
      cancel();
      return undefined;
    };
    const values = await Promise.all(requests.map(part));
    signal?.removeEventListener('abort', cancel);
    return failure ?? { ok: true, value: values as Result[] };
  }

  async runGang<Request, Result>(
    kind: JobKind<Request, Result>,
    request: Request,
    options: GangOptions,
  ): Promise<JobOutcome<Result[]>> {
    const { members, sharedBytes, patienceMs = gangPatienceMs } = options;
    const gang = { members: Math.max(1, members), sharedBytes, patienceMs };
    const ticket = this.submit({ core: this.core, kind, request, options, gang });
    return (await ticket.outcome) as JobOutcome<Result[]>;
  }

  private submit(plan: TicketPlan): Ticket {
    const ticket = this.pool.submit(this, plan, this.isClosed);
    this.tickets.add(ticket);
    void ticket.ended.then(() => this.tickets.delete(ticket));
    return ticket;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const ticket of this.tickets) ticket.stop('closed');
    await Promise.all([...this.tickets].map(({ ended }) => ended));
    this.pool.forget(this);
  }
}

function single<Result>(outcome: JobOutcome<unknown[]>): JobOutcome<Result> {
  return outcome.ok ? { ok: true, value: outcome.value[0] as Result } : outcome;
}

// One submitted job on the caller's side, from its admission to its outcome: what tells it to stop, the parts that run on threads, and
// what they came to. A part is one thread's share; a job that runs alone has one, a gang has one a member. The outcome settles when
// every part has ended and all it was lent has been taken back.

import type { Core } from '../../core/core.ts';
import {
  type GangPlace,
  lendGang,
  lendReader,
  paceReader,
  type ReaderLease,
  stopGang,
  stopReader,
  takeBack,
  takeBackGang,
  widenLease,
} from '../../core/lease.ts';
import type { ReaderArena } from '../../core/reader.ts';
import type { AnyJobKind, JobFailure, JobOptions, JobOutcome, JobRefusal } from './types.ts';

const defaultArenaBytes = 512 * 1024;

/** Why a job is told to stop. */
type StopCause = 'cancelled' | 'deadline' | 'closed';

const stopDetails: Readonly<Record<StopCause, string>> = {
  cancelled: 'The job was cancelled.',
  deadline: 'The time of the job was over.',
  closed: 'What the job reads is being taken out of service.',
};

export interface TicketPlan {
  readonly core: Core;
  readonly kind: AnyJobKind;
  readonly request: unknown;
  readonly options: JobOptions;
  /** Null for a job that runs alone. */
  readonly gang: { readonly members: number; readonly sharedBytes: number; readonly patienceMs: number } | null;
}

/** What ends a part that is told to stop: the thread it runs on. */
export interface PartHolder {
  stop(part: Part): void;
}

export function refusal(reason: JobFailure, detail: string): JobRefusal {
  return { ok: false, reason, detail };
}

export class Ticket {
  readonly plan: TicketPlan;
  readonly outcome: Promise<JobOutcome<unknown[]>>;
  /** Settles when nothing of the job touches the memory any more; the outcome may wait for the caller to take its blocks. */
  readonly ended: Promise<void>;
  /** Called once, when it has ended. */
  onSettled: () => void = () => {};
  /** Called when a job that waits is told to stop. */
  onWithdrawn: () => void = () => {};
  private resolve: (outcome: JobOutcome<unknown[]>) => void = () => {};
  private end: () => void = () => {};
  private parts: Part[] = [];
  private left = 0;
  private gangBlock = 0;
  private failure: JobRefusal | null = null;
  private cause: StopCause | null = null;
  private settled = false;
  /** In milliseconds of `performance.now`; null: it has all the time. */
  private readonly endsAtMs: number | null;
  private readonly timer: ReturnType<typeof setTimeout> | null;
  private readonly onAbort = (): void => this.stop('cancelled');

  constructor(plan: TicketPlan) {
    this.plan = plan;
    this.outcome = new Promise((resolve) => {
      this.resolve = resolve;
    });
    this.ended = new Promise((end) => {
      this.end = end;
    });
    const { signal, timeoutMs } = plan.options;
    this.endsAtMs = timeoutMs === undefined ? null : performance.now() + timeoutMs;
    this.timer = timeoutMs === undefined ? null : setTimeout(() => this.stop('deadline'), timeoutMs);
    if (signal?.aborted === true) this.stop('cancelled');
    else signal?.addEventListener('abort', this.onAbort);
  }

  get isSettled(): boolean {
    return this.settled;
  }

  /** Of its caller's time; null: all there is. */
  get remainingMs(): number | null {
    return this.endsAtMs === null ? null : Math.max(0, this.endsAtMs - performance.now());
  }

  /** How many threads it takes. */
  get members(): number {
    return this.plan.gang?.members ?? 1;
  }

  /**
   * Lends what `count` threads need; fewer parts when there is memory for fewer only. Without any the job is refused and there are no
   * parts. The caller begins all of them in the same turn.
   */
  prepare(count: number): readonly Part[] {
    const { core, kind, gang } = this.plan;
    const leases: ReaderLease[] = [];
    while (leases.length < count) {
      const lease = lendReader(core.instance, kind.arenaBytes ?? defaultArenaBytes);
      if (lease === null) break;
      leases.push(lease);
    }
    if (gang !== null && leases.length > 0) {
      this.gangBlock = lendGang(core.instance, gang.sharedBytes, leases.length);
      if (this.gangBlock === 0) for (const lease of leases.splice(0)) takeBack(core.instance, lease);
    }
    this.left = leases.length;
    this.parts = leases.map((lease, index) => {
      const place = gang === null ? null : { address: this.gangBlock, index, count: leases.length };
      return new Part(this, index, lease, place);
    });
    if (leases.length === 0) this.refuse('memory', 'No memory is left for a reader of the namespace.');
    return this.parts;
  }

  /** Ends it before it has begun. */
  refuse(reason: JobFailure, detail: string): void {
    this.settle(refusal(reason, detail));
  }

  /** Ends it wherever it is; the outcome is there when it has ended. */
  stop(cause: StopCause): void {
    if (this.settled || this.cause !== null) return;
    this.cause = cause;
    if (this.parts.length > 0) {
      this.stopParts();
      return;
    }
    this.settle(this.stopped());
    this.onWithdrawn();
  }

  /** Why it ends, once it has been told to. */
  stopped(): JobRefusal {
    const cause = this.cause ?? 'cancelled';
    return refusal(cause, stopDetails[cause]);
  }

  get wasStopped(): boolean {
    return this.cause !== null;
  }

  private stopParts(): void {
    const { instance } = this.plan.core;
    const reason = this.cause === 'deadline' ? 'deadline' : 'cancelled';
    const running = this.parts.filter((part) => !part.isOver);
    for (const part of running) stopReader(instance, part.lease.slot, reason);
    if (this.gangBlock !== 0) stopGang(instance, this.gangBlock, reason);
    for (const part of running) part.holder?.stop(part);
  }

  /** Its parts may work that share of their time, in per cent. */
  pace(share: number): void {
    for (const part of this.parts) if (!part.isOver) paceReader(this.plan.core.instance, part.lease.slot, share);
  }

  /** A part has ended: it touches nothing any more. */
  partOver(part: Part, outcome: JobOutcome<unknown>): void {
    takeBack(this.plan.core.instance, part.lease);
    if (!outcome.ok && this.failure === null) {
      this.failure = outcome;
      this.stopParts();
    }
    this.left--;
    if (this.left > 0) return;
    if (this.gangBlock !== 0) takeBackGang(this.plan.core.instance, this.gangBlock);
    this.settle(this.failure ?? { ok: true, value: this.parts.map(({ value }) => value) });
  }

  private settle(outcome: JobOutcome<unknown[]>): void {
    if (this.settled) return;
    this.settled = true;
    if (this.timer !== null) clearTimeout(this.timer);
    this.plan.options.signal?.removeEventListener('abort', this.onAbort);
    this.end();
    this.onSettled();
    // What was emitted before is dealt with before a result is told.
    if (outcome.ok) void Promise.all(this.parts.map((part) => part.blocks)).then(() => this.resolve(outcome));
    else this.resolve(outcome);
  }
}

export class Part {
  readonly ticket: Ticket;
  readonly index: number;
  readonly gang: GangPlace | null;
  lease: ReaderLease;
  /** The thread it runs on, once it does. */
  holder: PartHolder | null = null;
  value: unknown = undefined;
  isOver = false;
  /** Settles when the caller has dealt with every block so far. */
  blocks: Promise<void> = Promise.resolve();

  constructor(ticket: Ticket, index: number, lease: ReaderLease, gang: GangPlace | null) {
    this.ticket = ticket;
    this.index = index;
    this.lease = lease;
    this.gang = gang;
  }

  /** The outcome of its thread's share. */
  over(outcome: JobOutcome<unknown>): void {
    if (this.isOver) return;
    this.isOver = true;
    if (outcome.ok) this.value = outcome.value;
    this.ticket.partOver(this, outcome);
  }

  /** A larger arena; null, and the one before, when there is no memory. */
  widen(bytes: number): ReaderArena | null {
    const lease = widenLease(this.ticket.plan.core.instance, this.lease, bytes);
    if (lease === null) return null;
    this.lease = lease;
    return lease.arena;
  }

  /** Hands a block to the caller behind those before it; `taken` is called when the caller has dealt with it. */
  block(block: unknown, taken: () => void): void {
    const { onBlock } = this.ticket.plan.options;
    this.blocks = this.blocks
      .then(() => onBlock?.(block))
      .then(taken)
      .catch(() => this.ticket.stop('cancelled'));
  }
}

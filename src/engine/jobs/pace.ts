// Jobs that give way. A thread that computes for seconds takes a processor of its own, and where there are few of them those that answer
// requests wait for it or for each other, niceness or not: Linux lets a thread that runs finish its time before one that wakes up. (Two
// processors, PageRank of RMAT 18: durable writes kept 0.57 to 0.69 of their rate beside it, with niceness 10 and 19 alike.)
//
// The home says, some fifty times a second, which share of their time such threads may take; it is written into a word beside the stop
// word of each, and the thread rests at its slices. Nobody waits for a thread that rests: it holds no chunk of work, no lock, no epoch.

import type { Ticket } from './ticket.ts';

/** How a home says what it needs itself. */
export interface Pace {
  readonly everyMs: number;
  /** Per cent of its time that each of so many threads may work; 100: all. */
  shareOf(threads: number): number;
}

/** The caller's side: while jobs run that give way it tells them how far. */
export class PaceKeeper {
  private readonly pace: Pace;
  private readonly running = new Map<Ticket, number>();
  private timer: ReturnType<typeof setInterval> | null = null;

  constructor(pace: Pace) {
    this.pace = pace;
  }

  /** A job runs on so many threads. */
  begun(ticket: Ticket, threads: number): void {
    this.running.set(ticket, threads);
    this.tell();
    this.timer ??= setInterval(() => this.tell(), this.pace.everyMs);
  }

  ended(ticket: Ticket): void {
    this.running.delete(ticket);
    if (this.running.size > 0 || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
  }

  private tell(): void {
    let threads = 0;
    for (const count of this.running.values()) threads += count;
    const share = this.pace.shareOf(threads);
    for (const ticket of this.running.keys()) ticket.pace(share);
  }
}

/**
 * It works in short stretches: a thread that is woken to answer may have to wait for the end of one. (Two processors, as above: 0.77 of
 * the writes beside stretches of 0.1 ms, 0.6 beside those of 1 ms, at the same share.)
 */
const leastWorkMs = 0.1;
/** A shorter rest takes as long as this one: the system wakes no thread sooner. */
const leastRestMs = 0.05;
/** So that a job that is told to stop, or that may work again, does so soon. */
const mostRestMs = 10;
/** Of what a rest was too long, so much is made up for. */
const mostAheadMs = 0.1;

/**
 * The thread's side: what it has worked since it rested, and what it owes. Rests take longer than they are asked to, which counts for the
 * next ones. (Two processors, shares of 85 per cent: taken one by one, rests of 15 us left 60 per cent, and PageRank was slower on two
 * threads than on one.)
 */
export class Rest {
  private readonly nowMs: () => number;
  private readonly wait: (ms: number) => void;
  private sinceMs = 0;
  private owedMs = 0;

  /** `wait` blocks the thread for about so long. */
  constructor(nowMs = () => performance.now(), wait = waiter()) {
    this.nowMs = nowMs;
    this.wait = wait;
  }

  /** At a slice of a job that may work that share of its time, in per cent (0: all). */
  take(share: number): void {
    if (share === 0) {
      this.sinceMs = 0;
      this.owedMs = 0;
      return;
    }
    const now = this.nowMs();
    if (this.sinceMs === 0) this.sinceMs = now;
    const workedMs = now - this.sinceMs;
    if (workedMs < leastWorkMs) return;
    this.owedMs += workedMs * (100 / share - 1);
    this.sinceMs = now;
    if (this.owedMs < leastRestMs) return;
    this.wait(Math.min(mostRestMs, this.owedMs));
    this.sinceMs = this.nowMs();
    this.owedMs = Math.max(-mostAheadMs, this.owedMs - (this.sinceMs - now));
  }
}

function waiter(): (ms: number) => void {
  let word: Int32Array | null = null;
  return (ms) => {
    // Made here only: a home without threads may have no shared memory.
    word ??= new Int32Array(new SharedArrayBuffer(4));
    Atomics.wait(word, 0, 0, ms);
  };
}

// A shared log in memory, with its owner: what tests and the simulation of a cluster run on.

import {
  type AppendOutcome,
  type LogBatch,
  type LogOwner,
  type LogOwnership,
  LogTruncated,
  type SharedLog,
} from './shared-log.ts';

/** @testonly */
export class MemorySharedLog implements SharedLog, LogOwnership {
  private batches: LogBatch[] = [];
  private next = 1;
  private begin = 1;
  private term = 0;
  private holder = '';
  private untilMs = 0;
  private readonly nowMs: () => number;

  /** `nowMs`: the store's clock, which only leases know. */
  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }

  async append(batch: LogBatch): Promise<AppendOutcome> {
    if (batch.term !== this.term) return 'fenced';
    if (batch.firstSequence !== this.next) return 'conflict';
    this.batches.push({ ...batch, bytes: batch.bytes.slice() });
    this.next += batch.frameCount;
    return 'ok';
  }

  /** The frame that comes next. */
  get end(): number {
    return this.next;
  }

  async read(from: number, limitBytes: number): Promise<LogBatch[]> {
    if (from < this.begin) throw new LogTruncated(`The log begins with frame ${this.begin}.`);
    const found: LogBatch[] = [];
    let bytes = 0;
    for (const batch of this.batches) {
      if (batch.firstSequence + batch.frameCount <= from) continue;
      if (bytes > 0 && bytes + batch.bytes.length > limitBytes) break;
      bytes += batch.bytes.length;
      found.push(batch);
    }
    return found;
  }

  async first(): Promise<number> {
    return this.begin;
  }

  async truncate(sequence: number): Promise<void> {
    this.batches = this.batches.filter((batch) => batch.firstSequence + batch.frameCount > sequence);
    this.begin = this.batches[0]?.firstSequence ?? this.next;
  }

  async owner(): Promise<LogOwner> {
    return { term: this.term, holder: this.holder, leftMs: this.untilMs - this.nowMs(), beat: String(this.untilMs) };
  }

  async take(term: number, holder: string, leaseMs: number, beat?: string): Promise<boolean> {
    if (term !== this.term || (beat !== undefined && beat !== String(this.untilMs))) return false;
    this.term = term + 1;
    this.holder = holder;
    this.untilMs = this.nowMs() + leaseMs;
    return true;
  }

  async renew(term: number, leaseMs: number): Promise<boolean> {
    if (term !== this.term) return false;
    this.untilMs = this.nowMs() + leaseMs;
    return true;
  }
}

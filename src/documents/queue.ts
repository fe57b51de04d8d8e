// One queue and one worker for the documents of all namespaces: first come, first served (reference 20.3). Its length is bounded, and so
// are the bytes that wait in memory. While a document is written the next ones are prepared, so the model and the graph work at the same
// time, and the model never waits for the graph; they are written one after the other all the same.

import { StubGone } from './chunk-writer.ts';
import { IngestFailed } from './conversion.ts';
import type { IngestContext, Prepared } from './ingest.ts';
import { markFailed } from './removal.ts';
import { type Submission, stubOf, type Task } from './submission.ts';

/** Bytes in memory of all documents that wait, at most, beyond the first. */
const maxWaitingBytes = 2 ** 30;
/** Documents that are prepared ahead, at most, and their bytes beyond the first: what is prepared is several times as large. */
const mostAhead = 8;
const maxAheadBytes = 2 ** 20;

export class IngestQueue {
  private readonly context: IngestContext;
  private readonly report: (message: string) => void;
  private readonly waiting: Task[] = [];
  /** Of the first of those that wait, in their order. */
  private readonly ahead: Promise<Prepared>[] = [];
  private readonly tokens = new Set<string>();
  private readonly ending = new AbortController();
  private waitingBytes = 0;
  private working: Promise<void> | null = null;

  constructor(context: IngestContext, report: (message: string) => void) {
    this.context = context;
    this.report = report;
  }

  /** Whether a document with this `bootId` waits or is being worked on. */
  isAlive(token: string | undefined): boolean {
    return token !== undefined && this.tokens.has(token);
  }

  /** False when the queue is full. */
  add(task: Task): boolean {
    const { heldBytes } = task.submission.content;
    if (this.ending.signal.aborted || this.waiting.length >= this.context.settings['Ingestion:MaxQueueLength'])
      return false;
    if (this.waiting.length > 0 && this.waitingBytes + heldBytes > maxWaitingBytes) return false;
    this.waiting.push(task);
    this.waitingBytes += heldBytes;
    this.tokens.add(task.token);
    this.working ??= this.work();
    return true;
  }

  /** Ends the document that is being worked on; the ones that wait are found as interrupted at the next start. */
  async close(): Promise<void> {
    this.ending.abort(new Error('The service ends.'));
    const left = this.waiting.splice(0);
    await this.working;
    for (const task of left) await this.drop(task.submission);
  }

  /** Of a document that comes to no more. */
  async drop({ content }: Submission): Promise<void> {
    await content.drop().catch((error: unknown) => this.report(`An upload stays behind: ${error}`));
  }

  private async work(): Promise<void> {
    await this.context.pause();
    for (let task = this.waiting.shift(); task !== undefined; task = this.waiting.shift()) {
      this.waitingBytes -= task.submission.content.heldBytes;
      const preparing = this.ahead.shift() ?? this.prepare(task);
      this.prepareAhead();
      const prepared = await this.prepared(task, preparing);
      this.prepareAhead();
      if (prepared !== null) await this.write(task, prepared);
      this.tokens.delete(task.token);
      await this.drop(task.submission);
    }
    this.working = null;
  }

  private prepareAhead(): void {
    let bytes = 0;
    for (const [i, task] of this.waiting.slice(0, mostAhead).entries()) {
      bytes += task.submission.content.byteLength;
      if (i > 0 && bytes > maxAheadBytes) return;
      if (i === this.ahead.length) this.ahead.push(this.prepare(task));
    }
  }

  private prepare(task: Task): Promise<Prepared> {
    const preparing = import('./ingest.ts').then(({ prepare }) => prepare(this.context, task, this.ending.signal));
    preparing.catch(() => {}); // told when the document's turn has come
    return preparing;
  }

  /** Null when it came to nothing. */
  private async prepared(task: Task, preparing: Promise<Prepared>): Promise<Prepared | null> {
    try {
      return await preparing;
    } catch (error) {
      this.ended(task, error);
      return null;
    }
  }

  private async write(task: Task, prepared: Prepared): Promise<void> {
    try {
      const { write } = await import('./ingest.ts');
      await write(this.context, task, prepared, this.ending.signal);
    } catch (error) {
      this.ended(task, error);
    }
  }

  /** What one document comes to is nobody else's business. */
  private ended(task: Task, error: unknown): void {
    if (this.ending.signal.aborted || error instanceof StubGone) return;
    this.fail(task, error);
  }

  private fail(task: Task, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (!(error instanceof IngestFailed)) this.report(`A document could not be ingested: ${reason}`);
    try {
      const stub = stubOf(task);
      if (stub !== null) markFailed(task.graph, stub, reason);
    } catch (failure) {
      // The namespace is gone, and the document with it.
      this.report(`A failed document could not be marked: ${failure instanceof Error ? failure.message : failure}`);
    }
  }
}

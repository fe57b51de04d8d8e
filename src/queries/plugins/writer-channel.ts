// How a plugin on a thread of its own asks the writer for a transaction and waits for the answer: a message to the one, a word in shared memory
// from the other. Whole-graph algorithms take the same way for what only the writer may do, and lines for the log, without an answer.
//
// The mailbox: i32 state (0 waiting, 1 done, 2 refused), i32 number (the first id, or the address of a job), i32 bytes of the reason or kind of
// the job, then the reason in UTF-8.

import type { WriteOperation } from '../../core/requests.ts';
import type { AnalyticsRun, SteppedRun, SteppedWork } from '../../engine/analytics/types.ts';
import type { DelegateTransaction, GraphEngine, RunSet } from '../../engine/types.ts';
import type { OpenTransaction } from '../../fragments/engine-reader.ts';
import { ExceptionObject, Thrown } from '../../fragments/interpreter/exceptions.ts';

const waiting = 0;
const done = 1;
const refused = 2;
const headerBytes = 12;
const reasonBytes = 1024;
/** How often a plugin that waits looks whether it was told to stop. */
const lookMs = 50;

/** Lines of one call, and UTF-16 units of one line. */
const mostLines = 100;
const mostUnits = 2000;

export type WriterMessage =
  | { readonly plugin: 'begin' | 'end' }
  /** `level`: a number of LogLevel. */
  | { readonly plugin: 'log'; readonly level: number; readonly line: string }
  | { readonly plugin: 'commit'; readonly operations: readonly WriteOperation[] }
  | { readonly plugin: 'beginRun'; readonly run: AnalyticsRun }
  | { readonly plugin: 'stepRun' }
  | { readonly plugin: 'endRun'; readonly hasValues: boolean };

/** `busy`: as many runs as may go at once are under way. */
export type RunWork = SteppedWork | { readonly kind: 'busy' };

/** What is to be done for a run, by its number in the mailbox. */
const workKinds = ['projection', 'kernel', 'nothing', 'source', 'memory', 'busy'] as const satisfies RunWork['kind'][];

/** Those of this thread: whoever is handed one of them itself, and not a clone, would wait for the thread that it is on. */
const madeHere = new WeakSet<SharedArrayBuffer>();

/** Null where threads share no memory. */
export function newMailbox(): SharedArrayBuffer | null {
  if (typeof SharedArrayBuffer === 'undefined') return null;
  const mailbox = new SharedArrayBuffer(headerBytes + reasonBytes);
  madeHere.add(mailbox);
  return mailbox;
}

/** The plugin's end. `stop` throws when it has to end. */
export class WriterChannel {
  private readonly mailbox: SharedArrayBuffer | null;
  private readonly post: (message: WriterMessage) => void;
  private readonly stop: () => void;
  private lines = 0;

  constructor(mailbox: SharedArrayBuffer | null, post: (message: WriterMessage) => void, stop: () => void) {
    this.mailbox = mailbox;
    this.post = post;
    this.stop = stop;
  }

  /** Throws when the plugin has to end. */
  look(): void {
    this.stop();
  }

  /** What is too much of one call is left out, and the last line says so. */
  log(level: number, line: string): void {
    if (this.lines > mostLines) return;
    const isLast = this.lines++ === mostLines;
    const said = isLast ? `The plugin says more than ${mostLines} lines.` : line.slice(0, mostUnits);
    this.post({ plugin: 'log', level, line: said });
  }

  begin(): OpenTransaction | string {
    const { mailbox } = this;
    if (mailbox === null || madeHere.has(mailbox))
      return 'Transactions need threads, which this service has not, and no plugin of subgraphs makes them.';
    const flaw = this.ask(mailbox, { plugin: 'begin' });
    if (flaw !== null) return flaw;
    return {
      firstId: new Int32Array(mailbox)[1] as number,
      commit: (operations) => this.ask(mailbox, { plugin: 'commit', operations }),
      end: () => this.post({ plugin: 'end' }),
    };
  }

  /** What is to be done first for a whole-graph run; `endRun` has to follow, whatever becomes of it. */
  beginRun(run: AnalyticsRun): RunWork {
    return this.work({ plugin: 'beginRun', run });
  }

  /** What is to be done behind a piece of work that is finished. */
  stepRun(): RunWork {
    return this.work({ plugin: 'stepRun' });
  }

  endRun(hasValues: boolean): void {
    this.post({ plugin: 'endRun', hasValues });
  }

  private work(message: WriterMessage): RunWork {
    const { mailbox } = this;
    const flaw =
      mailbox === null || madeHere.has(mailbox)
        ? 'The built-in algorithms need threads here, which this service has not, and no plugin of subgraphs runs them.'
        : this.ask(mailbox, message);
    if (flaw !== null) throw new Thrown(new ExceptionObject('NotSupportedException', flaw));
    const [, address, kind] = new Int32Array(mailbox as SharedArrayBuffer, 0, 3) as unknown as [number, number, number];
    return { kind: workKinds[kind], job: { address: address >>> 0 } } as RunWork;
  }

  /** Null: it was done; else why not. */
  private ask(mailbox: SharedArrayBuffer, message: WriterMessage): string | null {
    const words = new Int32Array(mailbox, 0, 3);
    Atomics.store(words, 0, waiting);
    this.post(message);
    while (Atomics.wait(words, 0, waiting, lookMs) === 'timed-out') this.stop();
    if (Atomics.load(words, 0) === done) return null;
    return new TextDecoder().decode(new Uint8Array(mailbox, headerBytes, words[2]).slice());
  }
}

/** Where lines of plugins go; `level` is a number of LogLevel. */
export type PluginLog = (level: number, line: string) => void;

/** What of the service a call is served with. */
export interface CallServices {
  readonly log: PluginLog;
  /** A place for a run until the answer is called; null when all are taken. */
  readonly takeRunSlot: () => (() => void) | null;
}

/** The writer's end, for one call of a plugin. */
export class WriterServer {
  private readonly graph: GraphEngine;
  /** Null: nobody waits for a transaction. */
  private readonly mailbox: SharedArrayBuffer | null;
  private readonly services: CallServices;
  /** Of the graph that the call reads, which may be replaced meanwhile. */
  private readonly runs: RunSet;
  private open: DelegateTransaction | null = null;
  private run: SteppedRun | null = null;
  private giveSlotBack: (() => void) | null = null;
  /** Takes a run to where the call began. */
  private handOver: ((run: AnalyticsRun | null) => void) | null = null;
  private isClosed = false;

  /** To be made in the turn in which the call begins. */
  constructor(graph: GraphEngine, mailbox: SharedArrayBuffer | null, services: CallServices) {
    this.graph = graph;
    this.runs = graph.runs;
    this.mailbox = mailbox;
    this.services = services;
    if (mailbox !== null) void this.beginRuns();
  }

  async receive(message: WriterMessage): Promise<void> {
    try {
      if (message.plugin === 'log') this.services.log(message.level, message.line);
      else if (message.plugin === 'begin') await this.begin();
      else if (message.plugin === 'commit') await this.commit(message.operations);
      else if (message.plugin === 'beginRun') this.handOver?.(message.run);
      else if (message.plugin === 'stepRun') this.answerWork();
      else if (message.plugin === 'endRun') this.endRun(message.hasValues);
      else this.end();
    } catch (error) {
      this.answer(refused, 0, error instanceof Error ? error.message : String(error));
    }
  }

  /** The call is over, whatever became of it. */
  close(): void {
    this.isClosed = true;
    this.end();
    this.endRun(false);
    this.handOver?.(null);
  }

  /** Messages come from anywhere; what waits here goes on below the span of the call. */
  private async beginRuns(): Promise<void> {
    for (;;) {
      const run = await new Promise<AnalyticsRun | null>((resolve) => {
        this.handOver = resolve;
      });
      if (run === null) return;
      try {
        await this.beginRun(run);
      } catch (error) {
        this.endRun(false);
        this.answer(refused, 0, error instanceof Error ? error.message : String(error));
      }
    }
  }

  private async beginRun(run: AnalyticsRun): Promise<void> {
    this.endRun(false);
    this.giveSlotBack = this.services.takeRunSlot();
    if (this.giveSlotBack === null) {
      this.answer(done, 0, '', workKinds.indexOf('busy'));
      return;
    }
    this.run = await this.runs.stepped(run);
    if (this.isClosed) this.endRun(false);
    else this.answerWork();
  }

  private answerWork(): void {
    const work = this.run?.next() ?? { kind: 'memory' as const };
    this.answer(done, 'job' in work ? work.job.address : 0, '', workKinds.indexOf(work.kind));
  }

  private endRun(hasValues: boolean): void {
    this.run?.end(hasValues);
    this.run = null;
    this.giveSlotBack?.();
    this.giveSlotBack = null;
  }

  private async begin(): Promise<void> {
    this.end();
    const open = await this.graph.runs.delegate();
    this.open = open;
    if (this.isClosed) this.end();
    this.answer(done, open.firstId);
  }

  private async commit(operations: readonly WriteOperation[]): Promise<void> {
    const committed = this.open?.commit(operations) ?? { ok: false as const, flaw: 'There is no transaction.' };
    this.end();
    if (!committed.ok) return this.answer(refused, 0, committed.flaw);
    await committed.durable;
    this.answer(done, 0);
  }

  private end(): void {
    this.open?.end();
    this.open = null;
  }

  private answer(state: number, number: number, reason = '', kind = 0): void {
    const { mailbox } = this;
    if (mailbox === null) return;
    const words = new Int32Array(mailbox, 0, 3);
    const bytes = new TextEncoder().encode(reason).subarray(0, reasonBytes);
    new Uint8Array(mailbox, headerBytes).set(bytes);
    words[1] = number;
    words[2] = bytes.byteLength + kind;
    Atomics.store(words, 0, state);
    Atomics.notify(words, 0);
  }
}

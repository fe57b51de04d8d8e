// Scans graphs for checkpoints in threads of their own. A thread stays for the next scan (starting one takes 30 to 200 ms); a few scans of
// different namespaces run side by side, the others wait. A thread that dies gives its reader slot and arena back and fails its scan.

import { Worker } from 'node:worker_threads';
import type { CoreBinary } from '../../src/core/instance.ts';
import { allocateReaderArena, freeReaderArena, type ReaderArena } from '../../src/core/reader.ts';
import type { PartitionScanner, ScanJob, ScanResult } from '../../src/engine/checkpoint/scan.ts';
import type { FromThread, ToThread } from './checkpoint-messages.ts';

const arenaBytes = 4 * 1024 * 1024;
/** Room beyond what a block said it needs, so that one that grows meanwhile need not ask again. */
const arenaMarginBytes = 1024 * 1024;

export interface ScannerOptions {
  /** The binary of the cores whose graphs are scanned; their memory must be shared. */
  readonly binary: CoreBinary;
  /** Of the checkpoint store that the jobs name: the threads write there themselves. */
  readonly directory: string;
  readonly threads: number;
  /** The built entry; by default the one beside this module. */
  readonly entry?: URL;
}

export class ThreadScanner implements PartitionScanner {
  readonly threaded = true;
  private readonly options: ScannerOptions;
  private readonly idle: Thread[] = [];
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(options: ScannerOptions) {
    this.options = options;
  }

  async scan(job: ScanJob): Promise<ScanResult> {
    while (this.running >= this.options.threads) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.running++;
    try {
      return await this.run(job);
    } finally {
      this.running--;
      this.waiting.shift()?.();
    }
  }

  /** Ends the threads. No scan may be running. */
  async close(): Promise<void> {
    await Promise.all(this.idle.splice(0).map((thread) => thread.end()));
  }

  private idleThread(): Thread | undefined {
    let thread = this.idle.pop();
    while (thread?.hasEnded === true) thread = this.idle.pop();
    return thread;
  }

  private async run(job: ScanJob): Promise<ScanResult> {
    const { instance } = job.core;
    const held = new HeldArena(job, allocateReaderArena(instance, arenaBytes));
    if (held.arena === null) return 'unsettled';
    const thread =
      this.idleThread() ?? new Thread(this.options.entry ?? new URL('./checkpoint-worker.js', import.meta.url));
    const { graph, ids, name, saveId, partitions } = job;
    const request: ToThread = {
      kind: 'scan',
      plan: { graph, ids, name, saveId, partitions },
      binary: this.options.binary,
      memory: instance.memory,
      arena: held.arena,
      gate: job.gate.buffer as SharedArrayBuffer,
      directory: this.options.directory,
    };
    try {
      const result = await thread.run(request, held);
      this.idle.push(thread);
      return result;
    } catch (error) {
      await thread.end();
      throw error;
    } finally {
      held.free();
    }
  }
}

/** A thread and the scan it is at. */
class Thread {
  private readonly worker: Worker;
  private answer: ((message: FromThread) => void) | null = null;
  private fail: (error: Error) => void = () => {};
  hasEnded = false;

  constructor(entry: URL) {
    this.worker = new Worker(entry);
    this.worker.on('message', (message: FromThread) => this.answer?.(message));
    this.worker.on('error', (error: Error) => this.fail(error));
    this.worker.on('exit', (code) => {
      this.hasEnded = true;
      this.fail(new Error(`The checkpoint thread ended with code ${code}.`));
    });
  }

  /** Keeps the process alive until it has answered. */
  async run(request: ToThread, held: HeldArena): Promise<ScanResult> {
    this.worker.ref();
    try {
      return await new Promise<ScanResult>((resolve, reject) => {
        this.fail = reject;
        this.answer = (message) => {
          if (message.kind === 'slot') held.slot = message.slot;
          else if (message.kind === 'done') resolve(message.result);
          else if (message.kind === 'failed') reject(new Error(message.error));
          else this.send({ kind: 'arena', arena: held.widen(message.bytes + arenaMarginBytes) });
        };
        this.send(request);
      });
    } finally {
      this.answer = null;
      this.fail = () => {};
      this.worker.unref();
    }
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }

  private send(message: ToThread): void {
    this.worker.postMessage(message);
  }
}

/** The arena a thread has of a core, and its reader slot. */
class HeldArena {
  arena: ReaderArena | null;
  slot = -1;
  private readonly job: ScanJob;

  constructor(job: ScanJob, arena: ReaderArena | null) {
    this.job = job;
    this.arena = arena;
  }

  widen(bytes: number): ReaderArena | null {
    this.free();
    this.arena = allocateReaderArena(this.job.core.instance, bytes);
    return this.arena;
  }

  free(): void {
    if (this.arena !== null) freeReaderArena(this.job.core.instance, this.arena, this.slot);
    this.arena = null;
    this.slot = -1;
  }
}

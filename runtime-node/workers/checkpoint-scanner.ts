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
  private readonly idle: Worker[] = [];
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
    await Promise.all(this.idle.splice(0).map((worker) => worker.terminate()));
  }

  private async run(job: ScanJob): Promise<ScanResult> {
    const { instance } = job.core;
    const held = new HeldArena(job, allocateReaderArena(instance, arenaBytes));
    if (held.arena === null) return 'unsettled';
    const worker = this.idle.pop() ?? new Worker(this.options.entry ?? new URL('./checkpoint-worker.js', import.meta.url));
    worker.ref();
    const end = this.answers(worker, held);
    const { graph, ids, name, saveId, partitions } = job;
    this.send(worker, {
      kind: 'scan',
      plan: { graph, ids, name, saveId, partitions },
      binary: this.options.binary,
      memory: instance.memory,
      arena: held.arena,
      gate: job.gate.buffer as SharedArrayBuffer,
      directory: this.options.directory,
    });
    try {
      const result = await end;
      worker.removeAllListeners();
      worker.unref();
      this.idle.push(worker);
      return result;
    } catch (error) {
      worker.removeAllListeners();
      await worker.terminate();
      throw error;
    } finally {
      held.free();
    }
  }

  private answers(worker: Worker, held: HeldArena): Promise<ScanResult> {
    return new Promise((resolve, reject) => {
      worker.on('error', reject);
      worker.on('exit', (code) => reject(new Error(`The checkpoint thread ended with code ${code}.`)));
      worker.on('message', (message: FromThread) => {
        if (message.kind === 'slot') held.slot = message.slot;
        else if (message.kind === 'done') resolve(message.result);
        else if (message.kind === 'failed') reject(new Error(message.error));
        else this.send(worker, { kind: 'arena', arena: held.widen(message.bytes + arenaMarginBytes) });
      });
    });
  }

  private send(worker: Worker, message: ToThread): void {
    worker.postMessage(message);
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

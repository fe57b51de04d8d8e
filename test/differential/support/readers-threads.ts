// Starting and ending the reader threads of the reader proof.

import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { CoreBinary } from '../../../src/core/instance.ts';
import { allocateReaderArena, freeReaderArena, type ReaderArena } from '../../../src/core/reader.ts';
import type { ReadersWriter } from './readers-writer.ts';

export type Build = 'release' | 'debug';
export const builds: readonly Build[] = ['release', 'debug'];

export type Job = 'check' | 'hold' | 'endless' | 'dump';

/** What a checking thread does in turns. */
export const checkKinds: readonly string[] = [
  'element',
  'list',
  'page',
  'traversal',
  'property scan',
  'text scan',
  'sweep',
  'export',
  'exact',
  'found',
];

/** What a checking thread found. */
export interface CheckResult {
  readonly violation: string | null;
  readonly counts: Record<string, number>;
}

export function binaryOf(build: Build): CoreBinary {
  const path = `../../../dist/wasm/${build === 'debug' ? 'debug/' : ''}core.shared.wasm`;
  return { module: new WebAssembly.Module(readFileSync(new URL(path, import.meta.url))), shared: true };
}

const arenaBytes = 4 << 20;

/** A running reader thread. */
export class ReaderThread<T> {
  readonly slot: number;
  /** What its job came to. */
  readonly result: Promise<T>;
  private readonly writer: ReadersWriter;
  private readonly arena: ReaderArena;
  private readonly worker: Worker;

  private constructor(writer: ReadersWriter, arena: ReaderArena, worker: Worker, slot: number, result: Promise<T>) {
    this.writer = writer;
    this.arena = arena;
    this.worker = worker;
    this.slot = slot;
    this.result = result;
  }

  /** Settles when the thread reads (check, dump) or is inside its one read (hold, endless). */
  static async start<T>(binary: CoreBinary, writer: ReadersWriter, job: Job, seed = 1, announce = true) {
    const arena = allocateReaderArena(writer.core.instance, arenaBytes);
    if (arena === null) throw new Error('no arena for a reader');
    const { memory } = writer.core.instance;
    const worker = new Worker(new URL('../readers-worker.mjs', import.meta.url), {
      workerData: {
        binary,
        memory,
        arena,
        graph: writer.graph,
        controlBuffer: writer.control.buffer,
        job,
        seed,
        announce,
        kinds: checkKinds,
      },
    });
    const isLong = job === 'hold' || job === 'endless';
    let started: (slot: number) => void = () => {};
    let slot = -1;
    const ready = new Promise<number>((done) => {
      started = done;
    });
    const result = new Promise<T>((done, fail) => {
      worker.on('error', fail);
      worker.on('exit', () => fail(new Error('the reader thread ended without a result')));
      worker.on('message', (message: { slot?: number; inside?: boolean; result?: T }) => {
        if (message.slot !== undefined) slot = message.slot;
        if (message.inside === true || !isLong) started(slot);
        if (message.result !== undefined) done(message.result);
      });
    });
    result.catch(() => {});
    await Promise.race([ready, result]);
    return new ReaderThread<T>(writer, arena, worker, slot, result);
  }

  /** Ends the thread wherever it is and takes its slot and arena back. */
  async terminate(): Promise<void> {
    await this.worker.terminate();
    this.free();
  }

  /** Waits for the end of the job, then takes the arena back. */
  async finish(): Promise<T> {
    const result = await this.result;
    await this.worker.terminate();
    freeReaderArena(this.writer.core.instance, this.arena, -1);
    return result;
  }

  private free(): void {
    freeReaderArena(this.writer.core.instance, this.arena, this.slot);
  }
}

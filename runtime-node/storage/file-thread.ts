// The thread that puts and gets small objects in a directory, one after the other. A put is ten calls to the file system, a get is four. By Node's pool
// each of them is a hop to another thread and back, and waits for its turn behind whatever the service's thread is at. (Measured on 2 x AMD EPYC, Node 20,
// with nothing beside it: a put takes 1.6 ms of the processor by the pool, .6 to .9 as calls that stand.)

import { Worker } from 'node:worker_threads';
import type { FilePut } from './file-calls.ts';

export type ToFiles = ({ readonly kind: 'put' } & FilePut) | { readonly kind: 'get'; readonly path: string };

/** One for each request, in their order. */
export type FromFiles =
  | { readonly kind: 'ready' }
  | { readonly kind: 'put'; readonly isOurs: boolean }
  | { readonly kind: 'got'; readonly bytes: Uint8Array | null }
  | { readonly kind: 'failed'; readonly code: string | undefined; readonly message: string };

interface Waiting {
  readonly isPut: boolean;
  readonly answered: (message: FromFiles) => void;
  readonly failed: (error: Error) => void;
}

/** What its objects may take, in mebibytes; the bytes of a put are not among them. */
const heapMebibytes = 32;

export class FileThread {
  private readonly entry: URL;
  private worker: Worker | null = null;
  private isReady = false;
  /** One that has died is not started again: what it did is done another way. */
  private isOver = false;
  private readonly waiting: Waiting[] = [];
  private isPutting = false;

  /** `entry`: the built module of the thread; by default the one beside this module. */
  constructor(entry = new URL('./file-worker.js', import.meta.url)) {
    this.entry = entry;
  }

  /** Whether nothing waits for long in it: no put is under way. The first question starts it. */
  get isFree(): boolean {
    if (this.worker === null && !this.isOver) this.start();
    return this.isReady && !this.isPutting;
  }

  /** As putOnceSync does, while it is free. Rejects where the thread ends, too: nothing is known of the put then. */
  async put(put: FilePut): Promise<boolean> {
    // A view would be sent with all that lies around it.
    const isWhole = put.bytes.byteLength === put.bytes.buffer.byteLength;
    const said = await this.asked({ kind: 'put', ...put, bytes: isWhole ? put.bytes : put.bytes.slice() });
    return said.kind === 'put' && said.isOurs;
  }

  /** As getSync does, while it is free. */
  async get(path: string): Promise<Uint8Array | null> {
    const said = await this.asked({ kind: 'get', path });
    return said.kind === 'got' ? said.bytes : null;
  }

  async end(): Promise<void> {
    this.isOver = true;
    this.isReady = false;
    await this.worker?.terminate();
  }

  private asked(request: ToFiles): Promise<FromFiles> {
    return new Promise((answered, failed) => {
      const { worker } = this;
      if (worker === null || !this.isReady) throw new Error('The thread of files is not there.');
      const isPut = request.kind === 'put';
      if (this.waiting.length === 0) worker.ref();
      this.waiting.push({ isPut, answered, failed });
      this.isPutting ||= isPut;
      worker.postMessage(request);
    });
  }

  private start(): void {
    let worker: Worker;
    try {
      worker = new Worker(this.entry, { resourceLimits: { maxOldGenerationSizeMb: heapMebibytes } });
    } catch {
      this.isOver = true; // the machine has no thread left; nothing needs this one
      return;
    }
    this.worker = worker;
    let why = 'it was asked to';
    worker.unref();
    worker.on('message', (message: FromFiles) => this.said(message));
    worker.on('error', (error: Error) => {
      why = error.message;
    });
    worker.on('exit', () => {
      this.isOver = true;
      this.isReady = false;
      for (const { failed } of this.waiting.splice(0)) failed(new Error(`The thread of files has ended: ${why}.`));
    });
  }

  private said(message: FromFiles): void {
    if (message.kind === 'ready') {
      this.isReady = !this.isOver;
      return;
    }
    const first = this.waiting.shift();
    if (first === undefined) return;
    if (first.isPut) this.isPutting = false;
    if (this.waiting.length === 0) this.worker?.unref();
    if (message.kind === 'failed') first.failed(Object.assign(new Error(message.message), { code: message.code }));
    else first.answered(message);
  }
}

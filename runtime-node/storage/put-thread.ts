// The thread that puts small objects into a directory, one at a time. A put is ten calls to the file system. By Node's pool each of them is a hop to
// another thread and back, and waits for its turn behind whatever the service's thread is at. (Measured on 2 x AMD EPYC, Node 20, with nothing
// beside it: 1.6 ms of the processor by the pool, .6 to .9 as calls that stand.)

import { Worker } from 'node:worker_threads';
import type { FilePut } from './put-once.ts';

export type FromPutting =
  | { readonly kind: 'ready' }
  | { readonly kind: 'put'; readonly isOurs: boolean }
  | { readonly kind: 'failed'; readonly code: string | undefined; readonly message: string };

interface Waiting {
  readonly resolve: (isOurs: boolean) => void;
  readonly reject: (error: Error) => void;
}

/** What its objects may take, in mebibytes; the bytes of a put are not among them. */
const heapMebibytes = 32;

export class PutThread {
  private readonly entry: URL;
  private worker: Worker | null = null;
  private isReady = false;
  /** One that has died is not started again: what waited for it is put another way. */
  private isOver = false;
  private waiting: Waiting | null = null;

  /** `entry`: the built module of the thread; by default the one beside this module. */
  constructor(entry = new URL('./put-worker.js', import.meta.url)) {
    this.entry = entry;
  }

  /** Whether it would begin a put at once. The first question starts it. */
  get isFree(): boolean {
    if (this.worker === null && !this.isOver) this.start();
    return this.isReady && this.waiting === null;
  }

  /** As putOnceSync does, while it is free. Rejects where the thread ends, too: nothing is known of the put then. */
  put(put: FilePut): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (!this.isFree) throw new Error('The thread that puts objects is not free.');
      this.waiting = { resolve, reject };
      this.worker?.ref();
      // A view would be sent with all that lies around it.
      const isWhole = put.bytes.byteLength === put.bytes.buffer.byteLength;
      this.worker?.postMessage(isWhole ? put : { ...put, bytes: put.bytes.slice() });
    });
  }

  async end(): Promise<void> {
    this.isOver = true;
    this.isReady = false;
    await this.worker?.terminate();
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
    worker.on('message', (message: FromPutting) => this.said(message));
    worker.on('error', (error: Error) => {
      why = error.message;
    });
    worker.on('exit', () => {
      this.isOver = true;
      this.isReady = false;
      this.settled()?.reject(new Error(`The thread that puts objects has ended: ${why}.`));
    });
  }

  private said(message: FromPutting): void {
    if (message.kind === 'ready') this.isReady = !this.isOver;
    else if (message.kind === 'put') this.settled()?.resolve(message.isOurs);
    else this.settled()?.reject(Object.assign(new Error(message.message), { code: message.code }));
  }

  private settled(): Waiting | null {
    const { waiting } = this;
    this.waiting = null;
    this.worker?.unref();
    return waiting;
  }
}

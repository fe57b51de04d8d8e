// Both ends of a body that crosses between a page and its engine in blocks, under credit (messages.ts).

import { type FlowMessage, failureOf, type Post, windowBytes } from './messages.ts';

/** Sends what a stream gives, never more than the window ahead of its taker. */
export class OutgoingBody {
  private readonly id: number;
  private readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  private readonly post: Post<FlowMessage>;
  private readonly areMovable: boolean;
  private credit = windowBytes;
  private stopped = false;
  private wake: (() => void) | null = null;

  /** `areMovable`: the stream gives its blocks away. A file of 58 MB left as many bytes of copied blocks behind in the page. */
  constructor(id: number, stream: ReadableStream<Uint8Array>, post: Post<FlowMessage>, areMovable = false) {
    this.id = id;
    this.reader = stream.getReader();
    this.post = post;
    this.areMovable = areMovable;
  }

  /** Resolves when the last block is sent, or the body broke off, or was stopped. Never rejects. */
  async send(): Promise<void> {
    const { id } = this;
    try {
      while (await this.mayGoOn()) {
        const { done, value } = await this.reader.read();
        if (this.stopped) return;
        if (done) {
          this.post({ kind: 'end', id });
          return;
        }
        this.sendBlock(value);
      }
    } catch (error) {
      if (!this.stopped) this.post({ kind: 'broken', id, message: failureOf(error).message });
    }
  }

  private sendBlock(block: Uint8Array): void {
    if (!(block instanceof Uint8Array)) throw new TypeError('A block of a body is not a Uint8Array.');
    const isWhole = this.areMovable && block.byteLength === block.buffer.byteLength;
    // Else a copy: what the stream gave may be a view of memory that others use.
    const bytes = isWhole ? (block as Uint8Array<ArrayBuffer>) : block.slice();
    this.credit -= bytes.byteLength;
    this.post({ kind: 'block', id: this.id, bytes }, [bytes.buffer]); // its length is 0 from here on
  }

  /** The taker has taken `bytes`. */
  grant(bytes: number): void {
    this.credit += bytes;
    this.wakeUp();
  }

  /** Nobody wants the rest. */
  stop(): void {
    if (this.stopped) return;
    this.stopped = true;
    this.wakeUp();
    this.reader.cancel().catch(() => {}); // what the source says to that interests nobody
  }

  private async mayGoOn(): Promise<boolean> {
    while (this.credit <= 0 && !this.stopped) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    return !this.stopped;
  }

  private wakeUp(): void {
    this.wake?.();
    this.wake = null;
  }
}

/** Takes the blocks of a body and gives them on as a stream; credit goes back as the stream is read. */
export class IncomingBody {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  private readonly waiting: Uint8Array<ArrayBuffer>[] = [];
  private ended = false;
  private failure: Error | null = null;
  private wake: (() => void) | null = null;

  /** `onCancel`: whoever reads wants no more. */
  constructor(id: number, post: Post<FlowMessage>, onCancel: () => void) {
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): Promise<void> => {
      const block = await this.next();
      if (block === null) {
        controller.close();
        return;
      }
      controller.enqueue(block);
      post({ kind: 'credit', id, bytes: block.byteLength });
    };
    this.stream = new ReadableStream({ pull, cancel: onCancel }, { highWaterMark: 0 });
  }

  /** The blocks of the stream, where streams cannot be gone through. Ending the loop early gives the rest up. */
  async *blocks(): AsyncIterable<Uint8Array> {
    const reader = this.stream.getReader();
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
    } finally {
      reader.cancel().catch(() => {}); // of a body that broke off
    }
  }

  block(bytes: Uint8Array): void {
    this.waiting.push(bytes as Uint8Array<ArrayBuffer>);
    this.wakeUp();
  }

  end(): void {
    this.ended = true;
    this.wakeUp();
  }

  /** Blocks that are here are still given out. */
  fail(error: Error): void {
    this.failure ??= error;
    this.wakeUp();
  }

  private async next(): Promise<Uint8Array<ArrayBuffer> | null> {
    for (;;) {
      const block = this.waiting.shift();
      if (block !== undefined) return block;
      if (this.failure !== null) throw this.failure;
      if (this.ended) return null;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  private wakeUp(): void {
    this.wake?.();
    this.wake = null;
  }
}

// A model on a thread or in a process of its own (./carrier.ts), here called its thread. Texts are computed in the order they came. A thread
// that has not answered when a deadline passes is ended: nothing else stops a computation. The next text gets a new one, which loads the model
// again.

import { createRequire } from 'node:module';
import type { Deadline } from '../../src/providers/deadline.ts';
import type { LocalModels } from '../../src/providers/embedding/backends.ts';
import type { EmbeddingBackend } from '../../src/providers/embedding/types.ts';
import { misconfigured, ProviderFailed } from '../../src/providers/failure.ts';
import { type Carrier, type CarrierKind, carry, usualCarrier } from './carrier.ts';
import { type FromModel, ggufPackage, type ModelThreadData } from './messages.ts';

/** Of the threads, as built. */
const builtEntries = new URL('./', import.meta.url);

export interface LocalModelsOptions {
  /** The folder of the threads' entries, as built. */
  readonly entries?: URL;
  /** Of ONNX models; a GGUF model always has a process. */
  readonly kind?: CarrierKind;
  /** Where the runtime of GGUF models lies; null: nowhere. */
  readonly ggufRuntime?: () => string | null;
}

export function localModels(
  niceness: number,
  { entries = builtEntries, kind = usualCarrier(), ggufRuntime = installedGgufRuntime }: LocalModelsOptions = {},
): LocalModels {
  return {
    onnx: (options) => loaded(kind, new URL('onnx-worker.js', entries), { options, niceness }),
    gguf: async (options) => {
      const runtimePath = ggufRuntime();
      if (runtimePath !== null) {
        return loaded('process', new URL('gguf-worker.js', entries), { options, niceness, runtimePath });
      }
      const missing = `the package ${ggufPackage}, which runs GGUF models, is not installed beside the service`;
      throw misconfigured('Embedding:Backend', `is LLamaSharp, and ${missing}`);
    },
  };
}

function installedGgufRuntime(): string | null {
  try {
    return createRequire(import.meta.url).resolve(ggufPackage);
  } catch {
    return null;
  }
}

/** Rejects with ProviderFailed. */
async function loaded(kind: CarrierKind, entry: URL, data: ModelThreadData): Promise<EmbeddingBackend> {
  const model = new ThreadedModel(kind, entry, data);
  await model.load();
  return model;
}

interface Asked {
  readonly resolve: (vectors: readonly Float32Array[]) => void;
  readonly reject: (error: unknown) => void;
}

class ThreadedModel implements EmbeddingBackend {
  private readonly kind: CarrierKind;
  private readonly entry: URL;
  private readonly data: ModelThreadData;
  private thread: ModelThread | null = null;
  private lastId = 0;

  constructor(kind: CarrierKind, entry: URL, data: ModelThreadData) {
    this.kind = kind;
    this.entry = entry;
    this.data = data;
  }

  /** Rejects with ProviderFailed. */
  async load(): Promise<void> {
    await this.running().loaded;
  }

  async embed(texts: readonly string[], deadline: Deadline): Promise<readonly Float32Array[]> {
    const thread = this.running();
    const id = ++this.lastId;
    const { signal } = deadline;
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        thread.leave(id);
        reject(deadline.isOver ? deadline.failure() : signal.reason);
        if (!deadline.isOver || !thread.isLoaded) return;
        if (this.thread === thread) this.thread = null;
        void thread.end('The model was ended because another batch took too long.');
      };
      const done = (): void => signal.removeEventListener('abort', stop);
      signal.addEventListener('abort', stop, { once: true });
      thread.ask(id, texts, {
        resolve: (vectors) => {
          done();
          resolve(vectors);
        },
        reject: (error) => {
          done();
          reject(error);
        },
      });
    });
  }

  async close(): Promise<void> {
    await this.thread?.end('The service ends.');
    this.thread = null;
  }

  private running(): ModelThread {
    if (this.thread === null || this.thread.hasEnded) {
      this.thread = new ModelThread(this.kind, this.entry, this.data);
    }
    return this.thread;
  }
}

class ModelThread {
  readonly loaded: Promise<void>;
  isLoaded = false;
  hasEnded = false;
  private readonly carrier: Carrier;
  private readonly asked = new Map<number, Asked>();
  private why: string;

  constructor(kind: CarrierKind, entry: URL, data: ModelThreadData) {
    let loaded = (): void => {};
    let failed = (_failure: ProviderFailed): void => {};
    this.loaded = new Promise((resolve, reject) => {
      loaded = resolve;
      failed = reject;
    });
    this.why = `The model of '${data.options.modelPath}' ended its runtime while it was loaded.`;
    this.carrier = carry(kind, entry, data, {
      message: (message) => {
        if (message.kind === 'loaded') {
          this.isLoaded = true;
          this.why = 'The thread of the model ended by itself.';
          loaded();
        } else if (message.kind === 'notLoaded') {
          const failure = new ProviderFailed(message.reason, message.detail);
          failed(failure);
          void this.end(failure.message);
        } else this.answer(message);
      },
      died: (error) => {
        this.why = `The thread of the model died: ${error.message}`;
      },
      ended: () => {
        this.hasEnded = true;
        const failure = new ProviderFailed('unavailable', this.why);
        failed(failure);
        for (const { reject } of this.asked.values()) reject(failure);
        this.asked.clear();
      },
    });
    this.loaded.catch(() => {}); // whoever asks is told
  }

  ask(id: number, texts: readonly string[], asked: Asked): void {
    this.asked.set(id, asked);
    this.carrier.hold(true);
    this.loaded.then(() => this.carrier.post({ kind: 'embed', id, texts }), asked.reject);
  }

  leave(id: number): void {
    if (!this.asked.delete(id)) return;
    this.carrier.post({ kind: 'leave', id });
    this.rest();
  }

  async end(why: string): Promise<void> {
    this.hasEnded = true;
    this.why = why;
    await this.carrier.end();
  }

  private answer(message: Extract<FromModel, { readonly id: number }>): void {
    const asked = this.asked.get(message.id);
    this.asked.delete(message.id);
    this.rest();
    if (message.kind === 'vectors') asked?.resolve(message.vectors);
    else asked?.reject(new ProviderFailed(message.reason, message.detail));
  }

  /** A thread that nobody waits for keeps no process alive. */
  private rest(): void {
    if (this.asked.size === 0) this.carrier.hold(false);
  }
}

// `arcwise/browser`: the engine in a page, in a worker of its own, asked by the same HTTP contract as a service.

import type { SettingValues } from '../src/settings-of.ts';
import { loadCoreModule } from './core-module.ts';
import { EngineClient } from './engine-client.ts';
import { errorOf, type FromEngine, type ToEngine } from './messages.ts';
import { askedRequest } from './requests.ts';
import type { ServiceWorkerOptions } from './service-worker-page.ts';

export type { ServiceWorkerOptions };

export interface ArcwiseOptions {
  /**
   * Where graphs are kept. `memory://`: nowhere, they end with the page. `opfs://<name>`: in the page's own storage, by that name. Missing:
   * `memory://`.
   */
  readonly store?: 'memory://' | `opfs://${string}`;
  /** What `GET /package` wrote: the graph of `default`, unless the store has one there already. */
  readonly package?: Blob | BufferSource | ReadableStream<Uint8Array> | Response;
  /** Settings by key, such as `{ 'ChangeFeed:BufferSize': 1000 }`. */
  readonly settings?: SettingValues;
}

export interface Arcwise {
  /**
   * Answers a request of the HTTP contract: what `fetch` takes, with a path such as `/vertex/count`. Streams come and go in blocks.
   * Rejects when the signal is aborted, with its reason, and when the engine is closed or has died.
   */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>;
  /**
   * Whether the browser promised to keep what is stored until the person removes it; without that it may be removed when the disk gets full.
   * A browser may ask the person first, and this waits for the answer. False for `memory://`.
   */
  readonly persisted: Promise<boolean>;
  /**
   * Lets plain `fetch` and `EventSource` of this page and of other tabs reach the engine below a path such as `/api/`. Resolves when this page's
   * requests get there; lasts until `close`. Rejects where the browser refuses a service worker, with what may be done (docs/browser.md).
   */
  serviceWorker(path: string, options?: ServiceWorkerOptions): Promise<void>;
  /** Finishes what is under way and ends the worker. Requests that still wait are rejected. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts an engine and resolves when it answers. Rejects with InvalidSetting, TypeError for a store there is not, StoreInUse, StoreNewer,
 * StoreDamaged, StoreRefused, PackageRefused with what is wrong with the package, or why the worker or its core cannot be loaded; nothing stays running then.
 */
export async function createArcwise(options: ArcwiseOptions = {}): Promise<Arcwise> {
  const { store = 'memory://', settings = {}, package: given } = options;
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'arcwise' });
  const engine = new WorkerEngine(worker);
  await engine.open(store, settings);
  const fetch: Arcwise['fetch'] = async (input, init) => engine.client.fetch(await askedRequest(input, init));
  try {
    if (given !== undefined) await openPackage(fetch, given);
  } catch (error) {
    await engine.close().catch(() => {}); // the package is what the caller asks about
    throw error;
  }
  const released: (() => void)[] = [];
  return {
    fetch,
    serviceWorker: async (path, more = {}) => {
      const { answerServiceWorker } = await import('./service-worker-page.ts');
      const { release } = await answerServiceWorker(path, more, (asked) => engine.client.fetch(asked));
      released.push(release);
    },
    persisted: store === 'memory://' ? Promise.resolve(false) : askToPersist(),
    close: () => {
      for (const release of released.splice(0)) release();
      return engine.close();
    },
  };
}

/** A graph that is there already stays. */
async function openPackage(fetch: Arcwise['fetch'], given: NonNullable<ArcwiseOptions['package']>): Promise<void> {
  if (given instanceof Response && !given.ok) throw packageRefused(`It could not be fetched: ${given.status}.`);
  const body = given instanceof Response ? given.body : given;
  const headers = { 'content-type': 'application/octet-stream' };
  const answer = await fetch('/package', { method: 'POST', headers, body });
  if (answer.ok || answer.status === 409) return;
  throw packageRefused(((await answer.json()) as { readonly detail: string }).detail);
}

function packageRefused(message: string): Error {
  const error = new Error(message);
  error.name = 'PackageRefused';
  return error;
}

/** Never rejects: a browser that refuses to be asked has not promised anything. */
async function askToPersist(): Promise<boolean> {
  try {
    // Pages have it, workers have not, and these types are a worker's.
    return await (navigator.storage as unknown as { persist(): Promise<boolean> }).persist();
  } catch {
    return false;
  }
}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

class WorkerEngine {
  readonly client: EngineClient;
  private readonly worker: Worker;
  private opening: Waiting | null = null;
  private closed: Waiting | null = null;
  private closing: Promise<void> | null = null;
  private dead = false;

  constructor(worker: Worker) {
    this.worker = worker;
    this.client = new EngineClient((message, transfer) => this.post(message, transfer));
    worker.onmessage = ({ data }: MessageEvent<FromEngine>) => this.receive(data);
    worker.onerror = (event) =>
      this.die(new Error(`The engine's worker failed: ${event.message || 'it did not load'}.`));
    worker.onmessageerror = () => this.die(new Error("The engine's worker sent what cannot be read."));
  }

  /** The core is fetched and compiled here, while the worker loads its own modules: neither waits for the other. */
  open(store: string, settings: SettingValues): Promise<void> {
    loadCoreModule(crossOriginIsolated).then(
      (module) => this.post({ kind: 'core', module }),
      (error) => this.die(error),
    );
    return new Promise((resolve, reject) => {
      this.opening = { resolve, reject };
      this.post({ kind: 'open', store, settings });
    });
  }

  close(): Promise<void> {
    this.closing ??= this.dead
      ? Promise.resolve()
      : new Promise((resolve, reject) => {
          this.closed = { resolve, reject };
          this.post({ kind: 'close' });
        });
    return this.closing;
  }

  private post(message: ToEngine, transfer: Transferable[] = []): void {
    if (!this.dead) this.worker.postMessage(message, transfer);
  }

  private receive(message: FromEngine): void {
    switch (message.kind) {
      case 'opened':
        this.opening?.resolve();
        this.opening = null;
        break;
      case 'refused':
        this.die(errorOf(message.failure));
        break;
      case 'closed': {
        const { closed } = this;
        this.closed = null;
        this.die(new Error('The engine is closed.'));
        if (message.failure === null) closed?.resolve();
        else closed?.reject(errorOf(message.failure));
        break;
      }
      default:
        this.client.receive(message);
    }
  }

  /** The worker is ended, and whoever waits for it is told why. */
  private die(error: Error): void {
    if (this.dead) return;
    this.dead = true;
    this.worker.terminate();
    this.opening?.reject(error);
    this.closed?.reject(error);
    this.client.end(error);
  }
}

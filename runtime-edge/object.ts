// The object: a service over its own database, opened by the first request and again after an eviction. Whoever deletes its namespace ends
// it: the store is emptied, and the next request finds a new one. An object answers only for the name that its id is made of, so no two
// can hold one namespace.

import { type ArcwiseService, createService } from '../src/service.ts';
import { openWrittenSettings } from '../src/written-settings.ts';
import { readRest } from './bodies.ts';
import { LogCheckpoints } from './checkpoints.ts';
import { FreshMemory } from './fresh-memory.ts';
import { bucketPrefix, edgeHome, logger } from './home.ts';
import type { Environment, KeptSocket, ObjectState } from './platform.ts';
import { problem } from './problems.ts';
import { nameHeader, serviceName } from './routing.ts';
import { ServiceRoutes } from './service-routes.ts';
import { checkpointBytesOf, edgeSettings } from './settings.ts';
import { FeedSockets, isSocketRequest } from './sockets.ts';
import { BucketStore } from './storage/bucket.ts';
import { logSpace, TableBlobStore } from './storage/stores.ts';
import { Tables } from './storage/tables.ts';

interface Opened {
  readonly tables: Tables;
  readonly service: ArcwiseService;
  readonly checkpoints: LogCheckpoints;
  readonly memory: FreshMemory;
  readonly sockets: FeedSockets;
}

const nameFact = 'name';

/** One service a name. `fetch` answers the HTTP contract; it never rejects for what a request asks. */
export class ArcwiseObject {
  private readonly state: ObjectState;
  private readonly environment: Environment;
  private opening: Promise<Opened> | null = null;
  /** Requests under way that may write. */
  private writes = 0;
  /** Until an earlier service of this object has let go of the storage. */
  private ended: Promise<void> = Promise.resolve();

  constructor(state: ObjectState, environment: Environment) {
    this.state = state;
    this.environment = environment;
  }

  async fetch(request: Request): Promise<Response> {
    const name = this.state.id.name ?? decodeURIComponent(request.headers.get(nameHeader) ?? 'default');
    let opened: Opened;
    try {
      opened = await this.opened(name);
    } catch (error) {
      return unavailable(name, error);
    }
    try {
      return await this.answer(request, opened, name);
    } catch (error) {
      logger.error(`A request failed: ${reasonOf(error)}`);
      return problem(500, 'Internal Server Error', 'The request failed unexpectedly; the log says more.');
    }
  }

  private async answer(request: Request, opened: Opened, name: string): Promise<Response> {
    if (isSocketRequest(request)) return opened.sockets.accept(request);
    const isWrite = request.method !== 'GET';
    // A change of memories ends imports, so none begins beside it, and it begins beside none.
    if (isWrite) await opened.memory.settled();
    if (isWrite) this.writes++;
    let answer: Response;
    try {
      answer = await this.ask(request, opened, name);
    } finally {
      if (isWrite) this.writes--;
    }
    if (answer.status >= 400) await readRest(request);
    this.lookAfter(opened);
    if (isRemoval(request, name) && answer.status === 204) await this.empty(opened, name);
    return answer;
  }

  private async ask(request: Request, { service, tables }: Opened, name: string): Promise<Response> {
    const routes = name === serviceName ? new ServiceRoutes(tables, this.environment, service) : null;
    return routes?.answer(request) ?? service.fetch(request);
  }

  /** Of a socket that was accepted: subscribers say nothing. */
  async webSocketMessage(socket: KeptSocket): Promise<void> {
    socket.close(1003, 'A change feed takes no messages.');
  }

  async webSocketClose(socket: KeptSocket, code: number): Promise<void> {
    closeBack(socket, code);
    await this.leave(socket);
  }

  async webSocketError(socket: KeptSocket): Promise<void> {
    await this.leave(socket);
  }

  /** One that no instance has taken up holds no place. */
  private async leave(socket: KeptSocket): Promise<void> {
    (await this.opening?.catch(() => null))?.sockets.closed(socket);
  }

  /** One that fails is tried again by the next request. */
  private opened(name: string): Promise<Opened> {
    if (this.opening !== null) return this.opening;
    const opening = this.ended.then(() => this.open(name));
    this.opening = opening;
    opening.catch(() => {
      if (this.opening === opening) this.opening = null;
    });
    return opening;
  }

  private async open(name: string): Promise<Opened> {
    const { environment, state } = this;
    // Before anything is written: an object that was made by another id would be a second one of this name.
    if (!environment.ARCWISE.idFromName(name).equals(state.id))
      throw new Error(`This object is not the one that the name "${name}" leads to.`);
    const tables = new Tables(state.storage, () => Date.now());
    const owner = tables.fact(nameFact);
    if (owner !== null && owner !== name) throw new Error(`This object holds "${owner}" and was asked for "${name}".`);
    tables.note(nameFact, name);
    const every = checkpointBytesOf(environment);
    const checkpoints = new LogCheckpoints(tables, every, tables.contentBytes(logSpace));
    const configuration = edgeSettings(environment);
    await openWrittenSettings(configuration, new TableBlobStore(tables), logger);
    const isVolatile = configuration.settings['Durability:Volatile'];
    const home = edgeHome(tables, environment, name, isVolatile, (bytes) => checkpoints.logged(bytes));
    const service = await createService(home, configuration);
    await service.ready;
    if (!isLoaded(service, name)) {
      await service.close();
      throw new Error(`Namespace "${name}" could not be loaded; the log says why.`);
    }
    const sockets = new FeedSockets(state, service);
    sockets.resume();
    return { tables, service, checkpoints, memory: new FreshMemory(service), sockets };
  }

  /** What is due behind a request: its answer does not wait for it. */
  private lookAfter({ service, checkpoints, memory }: Opened): void {
    const { saveGames } = service.engine;
    if (!saveGames) return;
    if (service.engine.list().some(({ graph }) => graph?.durability.degraded === true)) {
      // Its log takes nothing any more. The next request opens what the storage has: all that was acknowledged.
      void this.end(service, async () => {});
      return;
    }
    const fresh = this.writes > 0 ? null : memory.begin(() => checkpoints.now(saveGames));
    const saving = fresh ?? checkpoints.begin(saveGames);
    if (saving !== null) this.state.waitUntil(saving.catch(() => {})); // it is due again
  }

  /** Nothing of a dropped namespace stays, and its memory goes with the service. */
  private async empty({ service, sockets }: Opened, name: string): Promise<void> {
    sockets.end();
    await this.end(service, async () => {
      await this.state.storage.deleteAll();
      const { ARCWISE_BUCKET: bucket } = this.environment;
      if (bucket) await new BucketStore(bucket, bucketPrefix(name)).clear();
    });
  }

  /** Closes a service, and lets the next request open another one when that and `then` are over. Rejects when `then` does. */
  private async end(service: ArcwiseService, then: () => Promise<void>): Promise<void> {
    this.opening = null;
    service.endOpenEnded();
    const ending = service
      .close()
      .catch(() => {}) // what a log could not keep was not acknowledged
      .then(then);
    this.ended = ending.catch(() => {}); // whoever asked for it is told
    this.state.waitUntil(this.ended);
    await ending;
  }
}

function closeBack(socket: KeptSocket, code: number): void {
  try {
    socket.close(code === 1005 || code === 1006 ? 1000 : code, '');
  } catch {
    // It is closed already.
  }
}

function isRemoval({ method, url }: Request, name: string): boolean {
  return method === 'DELETE' && new URL(url).pathname === `/ns/${encodeURIComponent(name)}`;
}

/** False: the namespace of the object is there, the start had to load it and could not. */
function isLoaded({ engine }: ArcwiseService, name: string): boolean {
  const own = engine.find(name);
  if (own === undefined || own.graph !== null || engine.startupLoadMode === 'defaultOnly') return true;
  return engine.startupLoadMode === 'catalog' && !(own.loadOnStartupEnabled ?? engine.loadOnStartupDefault);
}

/** The graph of this object cannot be opened, which the contract calls not loaded. */
function unavailable(name: string, error: unknown): Response {
  const detail = reasonOf(error);
  const namespace = name === serviceName ? 'default' : name;
  return problem(503, 'Namespace not loaded', detail, { namespace, namespaceState: 'notLoaded' });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

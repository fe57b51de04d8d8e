// The object: a service over its own database, opened by the first request and again after an eviction. Whoever deletes its namespace ends
// it: the store is emptied, and the next request finds a new one.

import { type ArcwiseService, createService } from '../src/service.ts';
import { LogCheckpoints } from './checkpoints.ts';
import { edgeHome } from './home.ts';
import type { Environment, ObjectState } from './platform.ts';
import { listHeader, nameHeader } from './routing.ts';
import { checkpointBytesOf, edgeSettings } from './settings.ts';
import { logSpace } from './storage/stores.ts';
import { Tables } from './storage/tables.ts';

interface Opened {
  readonly tables: Tables;
  readonly service: ArcwiseService;
  readonly checkpoints: LogCheckpoints;
}

const nameFact = 'name';
const listFact = 'objects';

/** One service a name. `fetch` answers the HTTP contract; it never rejects for what a request asks. */
export class ArcwiseObject {
  private readonly state: ObjectState;
  private readonly environment: Environment;
  private opening: Promise<Opened> | null = null;

  constructor(state: ObjectState, environment: Environment) {
    this.state = state;
    this.environment = environment;
  }

  async fetch(request: Request): Promise<Response> {
    const name = this.state.id.name ?? request.headers.get(nameHeader) ?? 'default';
    try {
      this.opening ??= this.open(name);
      const { tables, service, checkpoints } = await this.opening;
      const change = request.headers.get(listHeader);
      if (change !== null) return await listed(tables, change);
      const answer = await service.fetch(request);
      if (answer.status === 413) await drain(request);
      const { saveGames } = service.engine;
      const saving = saveGames ? checkpoints.begin(saveGames) : null;
      if (saving !== null) this.state.waitUntil(saving.catch(() => {})); // it is due again
      if (isRemoval(request, name) && answer.status === 204) await this.empty(service);
      return answer;
    } catch (error) {
      this.opening = null; // the next request tries again
      return unavailable(error);
    }
  }

  private async open(name: string): Promise<Opened> {
    const tables = new Tables(this.state.storage, () => Date.now());
    const owner = tables.fact(nameFact);
    if (owner !== null && owner !== name) throw new Error(`This object holds "${owner}" and was asked for "${name}".`);
    tables.note(nameFact, name);
    const every = checkpointBytesOf(this.environment);
    const checkpoints = new LogCheckpoints(tables, every, tables.contentBytes(logSpace));
    const home = edgeHome(tables, name, (bytes) => checkpoints.logged(bytes));
    const service = await createService(home, edgeSettings(this.environment));
    await service.ready;
    return { tables, service, checkpoints };
  }

  /** Nothing of a dropped namespace stays, and its memory goes with the service. */
  private async empty(service: ArcwiseService): Promise<void> {
    this.opening = null;
    service.endOpenEnded();
    await service.close();
    await this.state.storage.deleteAll();
  }
}

/** Keeps the names of the other objects (routing.ts). */
async function listed(tables: Tables, change: string): Promise<Response> {
  const names = new Set<string>(JSON.parse(tables.fact(listFact) ?? '[]'));
  if (change.startsWith('+')) names.add(change.slice(1));
  if (change.startsWith('-')) names.delete(change.slice(1));
  const text = JSON.stringify([...names]);
  if (change === '?') return new Response(text);
  tables.note(listFact, text);
  await tables.sync();
  return new Response(null, { status: 204 });
}

/** A client that still sends when its connection closes may never read the answer. */
async function drain({ body }: Request): Promise<void> {
  if (body === null || body.locked) return;
  await body.pipeTo(new WritableStream()).catch(() => {}); // the client has gone
}

function isRemoval({ method, url }: Request, name: string): boolean {
  return method === 'DELETE' && new URL(url).pathname === `/ns/${encodeURIComponent(name)}`;
}

function unavailable(error: unknown): Response {
  const detail = error instanceof Error ? error.message : String(error);
  const body = JSON.stringify({ title: 'Service Unavailable', status: 503, detail });
  return new Response(body, { status: 503, headers: { 'content-type': 'application/problem+json' } });
}

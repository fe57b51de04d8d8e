// What concerns the service as a whole, where each namespace is an object: answered by an object of its own, which holds no graph and asks
// those that do. It keeps the list of their names. A name is entered when its object has it and leaves behind its removal: a name too many,
// which a crash may leave, is one whose object says that there is no namespace.
//
//   facts: `objects`   the names, as JSON
//          `set/<id>`  the save games that one save of everything made, by the name of their object

import { defaultNamespace, nameProblem } from '../src/engine/names.ts';
import type { ArcwiseService } from '../src/service.ts';
import type { Environment } from './platform.ts';
import { problem } from './problems.ts';
import { askObject } from './routing.ts';
import type { Tables } from './storage/tables.ts';

const listFact = 'objects';
const setFact = (id: string): string => `set/${id}`;
/** Objects asked at the same time. */
const atOnce = 16;

interface Entry {
  readonly id: string;
  readonly savedAt: string;
  readonly location: string | null;
  readonly fileCount: number;
  readonly totalBytes: number;
  readonly namespaces: readonly { readonly name: string }[] | null;
  readonly skippedNamespaces?: readonly string[];
}

/** Ids of save games by the name of their object. */
type SaveSet = Readonly<Record<string, string>>;

export class ServiceRoutes {
  private readonly tables: Tables;
  private readonly environment: Environment;
  private readonly service: ArcwiseService;

  constructor(tables: Tables, environment: Environment, service: ArcwiseService) {
    this.tables = tables;
    this.environment = environment;
    this.service = service;
  }

  /** Null: the service of this object answers by itself. */
  answer(request: Request): Promise<Response> | null {
    const { method } = request;
    const path = new URL(request.url).pathname;
    if (path === '/ns' && method === 'GET') return this.allowed(request, (own) => this.namespaces(request, own));
    if (path === '/tabularasa/all' && method === 'HEAD') return this.allowed(request, () => this.eraseAll(request));
    if (path === '/save/all' && method === 'PUT') return this.allowed(request, () => this.saveAll(request));
    if (path === '/savegames' && method === 'GET') return this.allowed(request, () => this.saveGames(request));
    if (path === '/config' && method === 'PATCH') return this.configure(request);
    const [, saveGame, load] = /^\/savegames\/([^/]+)(\/load)?$/.exec(path) ?? [];
    if (saveGame !== undefined && (load !== undefined) === (method === 'PUT'))
      return this.allowed(request, () => this.oneSaveGame(request, decodeURIComponent(saveGame)));
    const [, encoded] = /^\/ns\/([^/]+)$/.exec(path) ?? [];
    return encoded === undefined ? null : this.namespace(request, encoded);
  }

  /** Whoever may not list namespaces may not ask for any of this. `then` gets that list, which has no more than `default`. */
  private async allowed(request: Request, then: (own: Response) => Promise<Response>): Promise<Response> {
    const own = await this.service.fetch(plain('GET', '/ns', request));
    return own.status === 200 ? then(own) : own;
  }

  private get names(): string[] {
    return JSON.parse(this.tables.fact(listFact) ?? '[]') as string[];
  }

  private async keepNames(change: (names: Set<string>) => void): Promise<void> {
    const names = new Set(this.names);
    const before = names.size;
    change(names);
    if (names.size === before) return;
    this.tables.note(listFact, JSON.stringify([...names]));
    await this.tables.sync();
  }

  private async namespace(request: Request, encoded: string): Promise<Response> {
    let name: string;
    try {
      name = decodeURIComponent(encoded);
    } catch {
      return this.service.fetch(request);
    }
    const { method } = request;
    if (nameProblem(name) !== null) return this.service.fetch(request);
    if (method === 'PATCH' && (await renames(request.clone(), name)))
      return problem(409, 'Conflict', 'A namespace is an object of its own here, which keeps its name.');
    if (method === 'PUT' && !this.names.includes(name)) {
      const { maxNamespaces } = this.service.engine;
      if (this.names.length + 1 >= maxNamespaces && name !== defaultNamespace)
        return this.allowed(request, async () => quotaExceeded(this.names.length + 1, maxNamespaces));
    }
    const answer = await askObject(request, this.environment, name);
    if (name === defaultNamespace) return answer;
    if (method === 'PUT' && (answer.status === 201 || answer.status === 409))
      await this.keepNames((names) => names.add(name));
    if (method === 'DELETE' && (answer.status === 204 || answer.status === 404))
      await this.keepNames((names) => names.delete(name));
    return answer;
  }

  /** The list, with the entries of all objects. */
  private async namespaces(request: Request, own: Response): Promise<Response> {
    const list = (await own.json()) as object;
    const found = await this.each(async (name) => {
      const answer = await this.ask(name, plain('GET', `/ns/${encodeURIComponent(name)}`, request));
      return answer.status === 200 ? [(await answer.json()) as { readonly name: string }] : [];
    });
    const namespaces = found.flat().sort((left, right) => (left.name < right.name ? -1 : 1));
    return json({ ...list, namespaces }, own.headers);
  }

  /** Drops every other namespace, and erases `default`, whose answer is the answer. */
  private async eraseAll(request: Request): Promise<Response> {
    for (const name of this.names) {
      const path = `/ns/${encodeURIComponent(name)}`;
      const { status } = await this.namespace(plain('DELETE', path, request), encodeURIComponent(name));
      if (status !== 204 && status !== 404)
        return problem(
          500,
          'Namespace storage failed',
          `Namespace "${name}" could not be dropped: it answered ${status}.`,
        );
    }
    return this.ask(defaultNamespace, new Request(request));
  }

  /** Each object saves; their save games are one entry, which has the id of the first. */
  private async saveAll(request: Request): Promise<Response> {
    const saved: [string, Entry][] = [];
    const failedNamespaces: string[] = [];
    await this.each(async (name) => {
      const answer = await this.ask(name, plain('PUT', '/save/all', request));
      if (answer.status === 200) saved.push([name, ownOf(name, (await answer.json()) as Entry)]);
      else failedNamespaces.push(name);
    });
    saved.sort(([left], [right]) => (left === defaultNamespace ? -1 : right === defaultNamespace ? 1 : 0));
    const first = saved[0]?.[1];
    if (first !== undefined && saved.length > 1) {
      const set: SaveSet = Object.fromEntries(saved.map(([name, { id }]) => [name, id]));
      this.tables.note(setFact(first.id), JSON.stringify(set));
      await this.tables.sync();
    }
    if (first === undefined || failedNamespaces.length > 0) {
      const detail = `${failedNamespaces.length} namespaces could not be saved.`;
      return problem(500, 'Save incomplete', detail, { failedNamespaces, skippedNamespaces: [] });
    }
    return json({ ...this.joined(saved.map(([, entry]) => entry)), skippedNamespaces: [] });
  }

  /** Those of all objects, newest first; what was saved together is one. */
  private async saveGames(request: Request): Promise<Response> {
    const found = await this.each(async (name) => {
      const answer = await this.ask(name, plain('GET', '/savegames', request));
      if (answer.status !== 200) return [];
      return ((await answer.json()) as Entry[]).map((entry) => ownOf(name, entry));
    });
    const all = new Map(found.flat().map((entry) => [entry.id, entry]));
    const entries = [...all.values()].flatMap((entry) => {
      const set = this.setOf(entry.id);
      if (set === null) return this.isInSet(entry.id, all) ? [] : [entry];
      return [this.joined(Object.values(set).flatMap((id) => all.get(id) ?? []))];
    });
    entries.sort((left, right) => (left.savedAt < right.savedAt ? 1 : -1));
    return json(entries);
  }

  /** One save game: its object is the one that has it. What was saved together is restored, told and removed together. */
  private async oneSaveGame(request: Request, id: string): Promise<Response> {
    const { method } = request;
    const { search } = new URL(request.url);
    const set = this.setOf(id) ?? (await this.ownerOf(id, request));
    const tail = method === 'PUT' ? '/load' : '';
    const answers: Response[] = [];
    for (const [name, own] of Object.entries(set)) {
      const path = `/savegames/${encodeURIComponent(own)}${tail}${search}`;
      answers.push(await this.ask(name, plain(method, path, request)));
    }
    const failed = answers.find(({ status }) => status >= 400);
    if (method === 'DELETE' && failed === undefined) this.tables.forget(setFact(id));
    const first = failed ?? answers[0];
    if (first === undefined) return this.service.fetch(request); // no object has it
    if (first.status !== 200 || answers.length === 1) return first;
    const names = Object.keys(set);
    const entries = await Promise.all(
      answers.map(async (answer, place) => ownOf(names[place] as string, (await answer.json()) as Entry)),
    );
    return json(this.joined(entries));
  }

  private async ownerOf(id: string, request: Request): Promise<SaveSet> {
    const path = `/savegames/${encodeURIComponent(id)}`;
    const found = await this.each(async (name) => {
      const answer = await this.ask(name, plain('GET', path, request));
      await answer.body?.cancel();
      return answer.status === 200 ? [[name, id] as const] : [];
    });
    return Object.fromEntries(found.flat());
  }

  /** Settings that were written here are written at every object; one that begins later takes them from its own environment. */
  private async configure(request: Request): Promise<Response> {
    const body = await request.clone().text();
    const answer = await this.service.fetch(request);
    if (answer.status !== 200) return answer;
    const failed = await this.each(async (name) => {
      const patch = new Request(request.url, { method: 'PATCH', headers: request.headers, body });
      return (await this.ask(name, patch)).status === 200 ? [] : [name];
    });
    if (failed.flat().length === 0) return answer;
    return problem(
      500,
      'Settings not stored',
      `These namespaces did not take the settings: ${failed.flat().join(', ')}.`,
    );
  }

  private setOf(id: string): SaveSet | null {
    const text = this.tables.fact(setFact(id));
    return text === null ? null : (JSON.parse(text) as SaveSet);
  }

  /** Whether another save game of the list stands for it. */
  private isInSet(id: string, all: ReadonlyMap<string, Entry>): boolean {
    return [...all.keys()].some((other) => other !== id && Object.values(this.setOf(other) ?? {}).includes(id));
  }

  private joined(entries: readonly Entry[]): Entry {
    const [first] = entries as [Entry];
    if (entries.length === 1) return first;
    return {
      ...first,
      location: null,
      fileCount: entries.reduce((sum, { fileCount }) => sum + fileCount, 0),
      totalBytes: entries.reduce((sum, { totalBytes }) => sum + totalBytes, 0),
      namespaces: entries.flatMap(({ namespaces }) => namespaces ?? []),
    };
  }

  /** Asks every object, some at a time. */
  private async each<T>(run: (name: string) => Promise<T>): Promise<T[]> {
    const names = [defaultNamespace, ...this.names];
    const results: T[] = [];
    for (let from = 0; from < names.length; from += atOnce)
      results.push(...(await Promise.all(names.slice(from, from + atOnce).map(run))));
    return results;
  }

  private ask(name: string, request: Request): Promise<Response> {
    return askObject(request, this.environment, name);
  }
}

/** Beside its namespace an object has a `default` that nobody reaches. */
function ownOf(object: string, entry: Entry): Entry {
  if (entry.namespaces === null) return entry;
  return { ...entry, namespaces: entry.namespaces.filter(({ name }) => name === object) };
}

/** A request of the same caller without a body. */
function plain(method: string, path: string, { url, headers }: Request): Request {
  const kept = new Headers(headers);
  for (const name of ['content-length', 'content-type', 'transfer-encoding']) kept.delete(name);
  return new Request(new URL(path, url), { method, headers: kept });
}

function json(value: unknown, from?: Headers): Response {
  const headers = new Headers(from);
  headers.delete('content-length');
  headers.set('content-type', 'application/json; charset=utf-8');
  return new Response(JSON.stringify(value), { headers });
}

function quotaExceeded(count: number, maxNamespaces: number): Response {
  const detail = `There are ${count} namespaces; the limit is ${maxNamespaces}.`;
  return problem(422, 'Namespace quota exceeded', detail, { maxNamespaces });
}

async function renames(request: Request, name: string): Promise<boolean> {
  const body = (await request.json().catch(() => null)) as { name?: unknown } | null;
  return typeof body?.name === 'string' && body.name !== '' && body.name !== name;
}

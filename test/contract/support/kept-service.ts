// A service that can be stopped, killed and started again over its data. One of a server also has a directory that tests may look into and
// change between starts, and can be watched failing to start.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Answer, type CallOptions, send } from './client.ts';
import type { ServiceSettings } from './homes/home.ts';
import { home } from './homes/index.ts';
import { leaveOut, noDirectory } from './homes/leave-out.ts';
import { NodeService } from './homes/node.ts';
import { needs } from './needs.ts';
import { expectJson, waited } from './requests.ts';

export interface FailedStart {
  readonly code: number | null;
  readonly err: string;
}

export class KeptService {
  settings: ServiceSettings;
  private readonly service = home.open();

  private constructor(settings: ServiceSettings) {
    this.settings = settings;
  }

  static async start(settings: ServiceSettings = {}): Promise<KeptService> {
    const service = new KeptService(settings);
    await service.start();
    return service;
  }

  get url(): string {
    return this.service.url;
  }

  /** The process that has the directory. Only a server has one: a test that asks for it anywhere else is left out from here on. */
  private ownProcess(need: 'files' | 'process'): NodeService {
    needs(need);
    if (this.service instanceof NodeService) return this.service;
    return leaveOut(noDirectory);
  }

  /** The working directory; data lies in `storage`. */
  get directory(): string {
    return this.ownProcess('files').directory;
  }

  get storage(): string {
    return join(this.directory, 'arcwise-data');
  }

  get registry(): string {
    return join(this.storage, 'metadata', 'savegames.json');
  }

  /** All files below the storage directory. */
  everyFile(): string[] {
    const entries = readdirSync(this.storage, { withFileTypes: true, recursive: true });
    return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort();
  }

  /** What the present process has logged. */
  get log(): string {
    needs('log');
    return this.service.log;
  }

  /** File names directly in a directory below the storage directory. */
  files(below = ''): string[] {
    return readdirSync(join(this.storage, below), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort();
  }

  /** Resolves once it is ready; rejects with what it said when it ends before. */
  async start(changes: ServiceSettings = {}): Promise<void> {
    this.settings = { ...this.settings, ...changes };
    await this.service.start(this.all);
  }

  /** Starts it and expects it to end by itself. */
  async failToStart(): Promise<FailedStart> {
    const code = await this.ownProcess('process').startAndEnd(this.all);
    return { code, err: this.log };
  }

  private get all(): ServiceSettings {
    return { 'Security:SensitiveRateLimitPermitPerWindow': 100_000, ...this.settings };
  }

  call(method: string, path: string, options?: CallOptions): Promise<Answer> {
    return send(this.url, method, path, options);
  }

  put(path: string, json?: unknown): Promise<Answer> {
    return this.call('PUT', path, json === undefined ? {} : { json });
  }

  /** Ends it as an operator does. */
  stop(): Promise<void> {
    return this.service.end('stop');
  }

  kill(): Promise<void> {
    return this.service.end('kill');
  }

  remove(): Promise<void> {
    return this.service.remove();
  }

  /** Adds vertices with these labels, waited for; their ids. */
  async add(labels: readonly string[], prefix = ''): Promise<number[]> {
    const json = labels.map((label) => ({ label }));
    return expectJson(await this.put(`${prefix}/vertices${waited}`, json)) as number[];
  }

  /** Labels of all vertices, in the order of their ids. */
  async labels(prefix = ''): Promise<string[]> {
    const graph = expectJson(await this.call('GET', `${prefix}/graph?maxElements=100000`)) as {
      vertices: { label: string }[];
    };
    return graph.vertices.map(({ label }) => label);
  }

  async save(prefix = '', json: unknown = {}): Promise<SavedEntry> {
    return expectJson(await this.put(`${prefix}/save`, json)) as SavedEntry;
  }

  async saveGames(): Promise<SavedEntry[]> {
    return expectJson(await this.call('GET', '/savegames')) as SavedEntry[];
  }
}

export interface SavedMember {
  readonly name: string;
  readonly id: string;
  readonly location: string;
  readonly fileCount: number;
  readonly totalBytes: number;
  readonly kpis: Record<string, unknown>;
}

export interface SavedEntry extends Omit<SavedMember, 'name' | 'location'> {
  readonly savedAt: string;
  readonly trigger: string;
  readonly location: string | null;
  readonly engineVersion: string;
  readonly namespaces: SavedMember[];
  readonly skippedNamespaces?: string[];
  readonly activatedNamespaces?: string[];
}

// The built server process over a directory that tests may look into and change between starts: it can be stopped, killed, started
// again, and watched failing to start.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { at } from '../../../scripts/lib/freshness.mjs';
import { type Answer, type CallOptions, send } from './client.ts';
import { expectJson, waited } from './requests.ts';
import type { ServiceSettings } from './service.ts';

const main = at('dist/runtime-node/main.js');

export interface FailedStart {
  readonly code: number | null;
  readonly err: string;
}

export class KeptService {
  /** The working directory; data lies in `storage`. */
  readonly directory = mkdtempSync(join(tmpdir(), 'arcwise-kept-'));
  url = '';
  settings: ServiceSettings;
  private child: ChildProcess | null = null;
  private err = '';

  private constructor(settings: ServiceSettings) {
    this.settings = settings;
  }

  static async start(settings: ServiceSettings = {}): Promise<KeptService> {
    const service = new KeptService(settings);
    await service.start();
    return service;
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
    return this.err;
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
    const { child, ended } = this.spawn();
    let out = '';
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout?.on('data', (block) => {
        out += block;
        const found = /http:\/\/\S+/.exec(out)?.[0];
        if (found !== undefined) resolve(found);
      });
      void ended.then((code) => reject(new Error(`Ended with ${code}: ${this.err}`)));
    });
    this.url = url;
    while ((await this.call('GET', '/readyz')).status !== 200) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  /** Starts it and expects it to end by itself. */
  async failToStart(): Promise<FailedStart> {
    const { ended } = this.spawn();
    const code = await ended;
    this.child = null;
    return { code, err: this.err };
  }

  private spawn(): { child: ChildProcess; ended: Promise<number | null> } {
    this.err = '';
    const all: ServiceSettings = {
      'Http:Port': 0,
      'Security:SensitiveRateLimitPermitPerWindow': 100_000,
      ...this.settings,
    };
    const args = Object.entries(all).map(([key, value]) => `--Service:${key}=${value}`);
    const child = spawn(process.execPath, [main, ...args], { cwd: this.directory, stdio: ['ignore', 'pipe', 'pipe'] });
    this.child = child;
    child.stderr.on('data', (block) => {
      this.err += block;
    });
    return { child, ended: new Promise((resolve) => child.once('close', resolve)) };
  }

  call(method: string, path: string, options?: CallOptions): Promise<Answer> {
    return send(this.url, method, path, options);
  }

  put(path: string, json?: unknown): Promise<Answer> {
    return this.call('PUT', path, json === undefined ? {} : { json });
  }

  /** Ends it as an operator does. */
  async stop(): Promise<void> {
    const code = await this.end('SIGTERM');
    if (code !== 0 && code !== null) throw new Error(`Ended with ${code}: ${this.err}`);
  }

  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  private async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const { child } = this;
    this.child = null;
    if (child === null || child.exitCode !== null) return 0;
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    child.kill(signal);
    return ended;
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.directory, { recursive: true, force: true });
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

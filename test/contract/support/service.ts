// Starts the service a contract test talks to: the built server process with directories of its own, or (CONTRACT_SERVICE=naive)
// the handlers over the naive engine in this process. Tests see a URL and cannot tell which.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createNodePlatform } from '../../../runtime-node/http-platform.ts';
import { type Listener, listen } from '../../../runtime-node/listener.ts';
import { at } from '../../../scripts/lib/freshness.mjs';
import { Configuration } from '../../../src/config/configuration.ts';
import type { Logger } from '../../../src/engine/logger.ts';
import { createHandler } from '../../../src/http/handler.ts';
import { Workerd } from '../../edge/support/workerd.ts';
import { NaiveEngine } from '../../model/naive-engine.ts';
import { type Answer, type CallOptions, send } from './client.ts';

export type ServiceSettings = Readonly<Record<string, string | number | boolean>>;

export interface TestService {
  readonly url: string;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Stops it cleanly and starts it again over the same data; the URL changes. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Whether tests run against the built server process. */
export const isReal = process.env.CONTRACT_SERVICE !== 'naive';

export function startService(settings: ServiceSettings = {}): Promise<TestService> {
  if (!isReal) return NaiveService.start(settings);
  return process.env.CONTRACT_HOME === 'edge' ? EdgeService.start(settings) : RealService.start(settings);
}

abstract class RunningService implements TestService {
  abstract readonly url: string;
  abstract restart(): Promise<void>;
  abstract stop(): Promise<void>;

  call(method: string, path: string, options?: CallOptions): Promise<Answer> {
    return send(this.url, method, path, options);
  }
}

const stopGraceMs = 2_000;
const quiet: Logger = { info: () => {}, warn: () => {}, error: (message, fields) => console.error(message, fields) };

/** The handlers over a naive engine, on a socket of this process. */
export class NaiveService extends RunningService {
  url = '';
  readonly engine: NaiveEngine;
  private readonly settings: ServiceSettings;
  private listener: Listener | null = null;

  private constructor(settings: ServiceSettings, engine: NaiveEngine) {
    super();
    this.settings = settings;
    this.engine = engine;
  }

  static async start(settings: ServiceSettings = {}, idleBodyMs?: number): Promise<NaiveService> {
    const engine = new NaiveEngine({ maxNamespaces: Number(settings['Namespaces:MaxNamespaces'] ?? 10_000) });
    const service = new NaiveService(settings, engine);
    await service.listen(idleBodyMs);
    return service;
  }

  private async listen(idleBodyMs?: number): Promise<void> {
    const sources = Object.entries(this.settings).map(([key, value]) => ({ key, text: String(value), source: 'test' }));
    const platform = createNodePlatform(quiet, idleBodyMs === undefined ? {} : { idleMs: idleBodyMs });
    const handler = createHandler({ engine: this.engine, configuration: new Configuration(sources), platform });
    this.listener = await listen(handler, { host: '127.0.0.1', port: 0 });
    this.url = this.listener.url;
  }

  /** The model has no disk; what a start would leave out is unloaded. */
  async restart(): Promise<void> {
    for (const { name, loadOnStartupEnabled } of this.engine.list()) {
      if (loadOnStartupEnabled === false) this.engine.unload(name);
    }
  }

  async stop(): Promise<void> {
    await this.listener?.close(stopGraceMs);
  }
}

/** One object of the local edge runtime that holds every namespace. What only other homes have a setting for is left out. */
class EdgeService extends RunningService {
  private readonly workerd: Workerd;

  private constructor(workerd: Workerd) {
    super();
    this.workerd = workerd;
  }

  get url(): string {
    return this.workerd.url;
  }

  static async start(settings: ServiceSettings): Promise<EdgeService> {
    const bindings = { ARCWISE_OBJECTS: 'service' };
    return new EdgeService(await Workerd.start({ settings, bindings }));
  }

  restart(): Promise<void> {
    return this.workerd.restart();
  }

  stop(): Promise<void> {
    return this.workerd.stop();
  }
}

/** `dist/runtime-node/main.js` in a process of its own. */
class RealService extends RunningService {
  url = '';
  private readonly settings: ServiceSettings;
  private readonly directory = mkdtempSync(join(tmpdir(), 'arcwise-contract-'));
  private child: ChildProcess | null = null;

  private constructor(settings: ServiceSettings) {
    super();
    this.settings = settings;
  }

  static async start(settings: ServiceSettings): Promise<RealService> {
    const service = new RealService(settings);
    await service.spawn();
    return service;
  }

  private async spawn(): Promise<void> {
    const main = at('dist/runtime-node/main.js');
    if (!existsSync(main)) throw new Error('dist/runtime-node/main.js is missing: npm run build makes it.');
    const all: ServiceSettings = { 'Http:Port': 0, 'Log:Level': 'error', ...this.settings };
    const args = Object.entries(all).map(([key, value]) => `--Service:${key}=${value}`);
    const child = spawn(process.execPath, [main, ...args], {
      cwd: this.directory,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.child = child;
    const line = await new Promise<string>((resolve, reject) => {
      createInterface(child.stdout).once('line', resolve);
      child.once('exit', (code) => reject(new Error(`The service ended with code ${code} before it listened.`)));
    });
    this.url = /http:\/\/\S+/.exec(line)?.[0] ?? '';
    while ((await this.call('GET', '/readyz')).status !== 200) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  async restart(): Promise<void> {
    await this.end();
    await this.spawn();
  }

  async stop(): Promise<void> {
    await this.end();
    rmSync(this.directory, { recursive: true, force: true });
  }

  private async end(): Promise<void> {
    const { child } = this;
    this.child = null;
    if (child === null || child.exitCode !== null) return;
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    const code = await exited;
    if (code !== 0) throw new Error(`The service ended with code ${code}.`);
  }
}

// Starts the service a contract test talks to: one of the home under test, or (CONTRACT_SERVICE=naive) the handlers over the naive engine in
// this process. Tests see a URL and cannot tell which.

import { createNodePlatform } from '../../../runtime-node/http-platform.ts';
import { type Listener, listen } from '../../../runtime-node/listener.ts';
import { Configuration } from '../../../src/config/configuration.ts';
import type { Logger } from '../../../src/engine/logger.ts';
import { createHandler } from '../../../src/http/handler.ts';
import { NaiveEngine } from '../../model/naive-engine.ts';
import { type Answer, type CallOptions, send } from './client.ts';
import type { ServiceSettings } from './homes/home.ts';
import { home } from './homes/index.ts';

export type { ServiceSettings };

export interface TestService {
  readonly url: string;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Stops it cleanly and starts it again over the same data; the URL changes. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Whether tests run against a built service, whichever its home is. */
export const isReal = process.env.CONTRACT_SERVICE !== 'naive';

export function startService(settings: ServiceSettings = {}): Promise<TestService> {
  return isReal ? RealService.start(settings) : NaiveService.start(settings);
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

/** A service of the home that is tested. */
class RealService extends RunningService {
  private readonly settings: ServiceSettings;
  private readonly service = home.open();

  private constructor(settings: ServiceSettings) {
    super();
    this.settings = { 'Log:Level': 'error', ...settings };
  }

  static async start(settings: ServiceSettings): Promise<RealService> {
    const real = new RealService(settings);
    await real.service.start(real.settings);
    return real;
  }

  get url(): string {
    return this.service.url;
  }

  async restart(): Promise<void> {
    await this.service.end('stop');
    await this.service.start(this.settings);
  }

  async stop(): Promise<void> {
    await this.service.end('stop');
    if (this.service.log !== '') console.error(this.service.log);
    await this.service.remove();
  }
}

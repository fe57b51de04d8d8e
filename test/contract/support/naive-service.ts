// The handlers over the naive engine, on a socket of the tests' own process.

import { createNodePlatform } from '../../../runtime-node/http-platform.ts';
import { type Listener, listen } from '../../../runtime-node/listener.ts';
import { Configuration } from '../../../src/config/configuration.ts';
import type { Logger } from '../../../src/engine/logger.ts';
import { createHandler } from '../../../src/http/handler.ts';
import { NaiveEngine } from '../../model/naive-engine.ts';
import { type Answer, type CallOptions, send } from './client.ts';
import type { ServiceSettings } from './homes/home.ts';
import type { TestService } from './service.ts';

const stopGraceMs = 2_000;
const quiet: Logger = { info: () => {}, warn: () => {}, error: (message, fields) => console.error(message, fields) };

export class NaiveService implements TestService {
  url = '';
  readonly engine: NaiveEngine;
  private readonly settings: ServiceSettings;
  private listener: Listener | null = null;

  private constructor(settings: ServiceSettings, engine: NaiveEngine) {
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

  call(method: string, path: string, options?: CallOptions): Promise<Answer> {
    return send(this.url, method, path, options);
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

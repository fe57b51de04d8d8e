// Starts the service a contract test talks to: one of the home under test, or (CONTRACT_SERVICE=naive) the handlers over the naive engine in
// this process, which few runs load. Tests see a URL and cannot tell which.

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

export async function startService(settings: ServiceSettings = {}): Promise<TestService> {
  if (isReal) return RealService.start(settings);
  const { NaiveService } = await import('./naive-service.ts');
  return NaiveService.start(settings);
}

/** A service of the home that is tested. */
class RealService implements TestService {
  private readonly settings: ServiceSettings;
  private readonly service = home.open();

  private constructor(settings: ServiceSettings) {
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

  call(method: string, path: string, options?: CallOptions): Promise<Answer> {
    return send(this.url, method, path, options);
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

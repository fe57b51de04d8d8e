// Whether a service beside this one answers: `GET /health`, asked when somebody wants to know and remembered for a while (contract part 3,
// Status; Limits). What it answers beyond its status is nobody's business.

import { Deadline } from './deadline.ts';
import { endpointOf } from './endpoint.ts';

/** Time for one probe. */
const probeSeconds = 5;
/** How long an outcome counts. */
const keptMs = 30_000;

export interface ProbeHost {
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds of a clock that is never set. */
  readonly now: () => number;
}

export class HealthProbe {
  private readonly host: ProbeHost;
  private asked: Promise<boolean> = Promise.resolve(false);
  private countsUntil = Number.NEGATIVE_INFINITY;

  constructor(host: ProbeHost) {
    this.host = host;
  }

  /** False without an endpoint, and for one that is no root of a host; callers within 30 seconds share one probe. `key` is the endpoint's. */
  reaches(key: string, endpoint: string | null): Promise<boolean> {
    if (endpoint === null || endpoint.trim() === '') return Promise.resolve(false);
    const now = this.host.now();
    if (now >= this.countsUntil) {
      this.countsUntil = now + keptMs;
      this.asked = this.probe(key, endpoint).catch(() => false); // unreachable, whatever the reason
    }
    return this.asked;
  }

  private async probe(key: string, endpoint: string): Promise<boolean> {
    const options = { origin: endpointOf(key, endpoint), headers: {}, secrets: [], busy: [] };
    const deadline = new Deadline(probeSeconds, new AbortController().signal, this.host.now);
    const { Remote } = await import('./remote.ts');
    const response = await new Remote(this.host.fetch, options).open({ method: 'GET', path: '/health' }, deadline);
    await response.body?.cancel();
    return response.ok;
  }
}

// Whether a service beside this one answers: `GET /health`, asked when somebody wants to know and remembered for a while (contract part 3,
// Status; Limits). What it answers beyond its status is nobody's business.

/** Time for one probe, in milliseconds. */
const probeMs = 5_000;
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

  /** False without an endpoint, and for one that cannot be called; callers within 30 seconds share one probe. */
  reaches(endpoint: string | null): Promise<boolean> {
    if (endpoint === null || endpoint.trim() === '') return Promise.resolve(false);
    const now = this.host.now();
    if (now >= this.countsUntil) {
      this.countsUntil = now + keptMs;
      this.asked = this.probe(endpoint).catch(() => false); // unreachable, whatever the reason
    }
    return this.asked;
  }

  private async probe(endpoint: string): Promise<boolean> {
    const { openSidecar } = await import('./sidecar.ts');
    const { fetch } = this.host;
    const answer = await openSidecar(fetch, endpoint, 'health', { method: 'GET' }, AbortSignal.timeout(probeMs));
    await answer.body?.cancel();
    return true;
  }
}

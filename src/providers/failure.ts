// Why a provider of models did not answer. What is said of it goes to clients and into the log, so no credential stands in it.

/**
 * `misconfigured`: its settings do not do. `unavailable`: it cannot be reached, or it refused. `timedOut`: the deadline passed.
 * `badOutput`: what it answered is nothing that it may answer.
 */
export type ProviderFailure = 'misconfigured' | 'unavailable' | 'timedOut' | 'badOutput';

export class ProviderFailed extends Error {
  override readonly name = 'ProviderFailed';
  readonly reason: ProviderFailure;

  constructor(reason: ProviderFailure, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

/** A setting that keeps a provider from working; `key` without the root. */
export function misconfigured(key: string, what: string): ProviderFailed {
  return new ProviderFailed('misconfigured', `Service:${key} ${what}.`);
}

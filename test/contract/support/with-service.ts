// A service of its own for the tests of one `describe`.

import { afterAll, beforeAll } from 'vitest';
import { type ServiceSettings, startService, type TestService } from './service.ts';

/** Starts the service before the tests and stops it behind them; the answer is to be called inside of a test. */
export function withService(settings: ServiceSettings): () => TestService {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(settings);
  });
  afterAll(() => service.stop());
  return () => service;
}

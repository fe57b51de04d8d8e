// What subgraphs may have beside their elements: names that a path can hold, and recipes that together fit into a checkpoint. Without that
// bound three hundred requests were enough for no save to succeed any more.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createVertices, expectEmpty, expectJson, expectProblem, waited } from './support/requests.ts';
import { isReal, startService, type TestService } from './support/service.ts';

let service: TestService;

beforeAll(async () => {
  if (!isReal) return;
  service = await startService({ 'Security:SensitiveRateLimitPermitPerWindow': '100000' });
  await createVertices(service, [{ label: 'A' }]);
});
afterAll(() => service?.stop());

const put = (name: string, additionalInformation: Readonly<Record<string, string>> = {}) =>
  service.call('PUT', '/subgraph', { json: { name, patterns: [], additionalInformation } });

test.runIf(isReal)('a name is as long as a path can hold', async () => {
  const longest = '€'.repeat(1000);
  expect((await put(longest)).headers.location).toBe(`/subgraph/${encodeURIComponent(longest)}`);
  expectEmpty(await service.call('DELETE', `/subgraph/${encodeURIComponent(longest)}`), 204);
  expect(expectProblem(await put(`${longest}€`), 400).detail).toContain('1000 characters');
});

test.runIf(isReal)('all recipes of a namespace together have 20,000,000 characters, and are saved', async () => {
  const text = 'x'.repeat(1_000_000);
  for (let i = 0; i < 19; i++) expectJson(await put(`${i}`, { text }), 201);
  expect(expectProblem(await put('19', { text }), 409).detail).toContain('20000000');
  const query = { name: 'q', kind: 'Path', path: {}, description: text };
  expect(expectProblem(await service.call('POST', '/storedquery', { json: query }), 409).detail).toContain('20000000');
  expectJson(await service.call('PUT', `/save${waited}`, { json: {} }));
  expectEmpty(await service.call('DELETE', '/subgraph/0'), 204);
  expectJson(await put('19', { text }), 201);
});

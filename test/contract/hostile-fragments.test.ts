// Fragments that would keep a compiler without limits busy for seconds, or take all its memory: each is answered, on every route that takes
// code, while reads go on; and the service is there afterwards.

// @module-tag long

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createVertices, expectJson } from './support/requests.ts';
import { isReal, startService, type TestService } from './support/service.ts';

const upTo = (count: number, part: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => part(i)).join('');

const fragments: Readonly<Record<string, string>> = {
  'a type that doubles': `var t0 = (1, 2); ${upTo(25, (i) => `var t${i + 1} = (t${i}, t${i});`)} return v => t25.Equals(t25);`,
  'its name in a message': `var t0 = (1, 2); ${upTo(25, (i) => `var t${i + 1} = (t${i}, t${i});`)} return v => t25;`,
  'generic calls that nest': `(T, T) D<T>(T x) => (x, x); return v => ${'D('.repeat(30)}1${')'.repeat(30)}.Equals(1);`,
  'a generic function without end': 'int F<T>(T x, int n) => n == 0 ? 0 : F((x, x), n - 1); return v => F(1, 3) == 0;',
  'ranges in thousands of arms': `return v => v.Id switch { ${upTo(3000, (i) => `>= ${3 * i} and < ${3 * i + 2} => ${i}, `)} _ => 1 } > 1;`,
  'the same over doubles': `return v => ((double)v.Id) switch { ${upTo(2000, (i) => `> ${i}.25 and < ${i}.5 => ${i}, `)} _ => 1 } > 1;`,
};

let service: TestService;

beforeAll(async () => {
  const settings = { 'Security:SensitiveRateLimitPermitPerWindow': 100_000, 'Fragments:MaxCompileSeconds': 1 };
  service = await startService(settings);
  await createVertices(service, [{ label: 'A' }, { label: 'B' }]);
});
afterAll(() => service?.stop());

test.runIf(isReal).each(Object.keys(fragments))('%s costs nobody else anything', async (name) => {
  const fragment = fragments[name] ?? '';
  let waiting = 4;
  const posts = [
    service.call('POST', '/path/0/to/1', { json: { filter: { vertexFilter: fragment } } }),
    service.call('PUT', '/subgraph', { json: { name, vertexFilter: fragment } }),
    service.call('POST', '/delegates/validate', { json: { delegateKind: 'VertexFilter', fragment } }),
    service.call('POST', '/storedquery', {
      json: { name: 'q', kind: 'Path', path: { filter: { vertexFilter: fragment } } },
    }),
  ].map((post) =>
    post.finally(() => {
      waiting--;
    }),
  );
  do {
    expectJson(await service.call('GET', '/vertex/0'));
  } while (waiting > 0);
  const [path, subgraph, validated, stored] = await Promise.all(posts);
  expect([200, 400]).toContain(path?.status);
  expect([201, 400]).toContain(subgraph?.status);
  expect(validated?.status).toBe(200);
  expect([201, 400]).toContain(stored?.status);
  if (subgraph?.status === 201) await service.call('DELETE', `/subgraph/${encodeURIComponent(name)}`);
  if (stored?.status === 201) await service.call('DELETE', '/storedquery/q');
});

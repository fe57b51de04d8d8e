// Memory of a plugin's run: what it no longer holds is given back while it goes on, compiled and interpreted.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withPlugin } from './support/plugin-graph.ts';
import { found, functionOf } from './support/plugin-sources.ts';
import { expectJson, expectProblem } from './support/requests.ts';
import { isReal, startService, type TestService } from './support/service.ts';

let service: TestService;

beforeAll(async () => {
  if (!isReal) return;
  // Nothing here ends by the time it takes.
  service = await startService({ 'Plugins:MaxSeconds': '600' });
  await service.call('PUT', '/vertices?waitForCompletion=true', { json: [{ label: 'a' }] });
});

afterAll(async () => {
  await service?.stop();
});

/** Iterators are left to the interpreter. */
const interpreted = 'IEnumerable<int> Once() { yield return 1; }';

/** Makes arrays of a million bytes and holds the last ten. */
const rounds = (type: string, count: number) => `var kept = new ${type}[10][];
  for (var i = 0; i < 10240; i++) {
    var made = new ${type}[${count}];
    made[i] = (${type})(i % 100);
    kept[i % 10] = made;
  }
  var sum = 0L;
  for (var i = 10230; i < 10240; i++) sum += (long)kept[i % 10][i];
  if (sum != 345) throw new Exception(); ${found}`;

describe.runIf(isReal)('a plugin that allocates 10 GB and holds 10 MB of it', { tags: ['long'] }, () => {
  test.each<[string, string, string]>([
    ['compiled, numbers of 64 bits', rounds('long', 131072), ''],
    ['compiled, bytes', rounds('byte', 1048576), ''],
    ['interpreted, numbers of 64 bits', rounds('long', 131072), interpreted],
    ['interpreted, numbers of 32 bits', rounds('float', 262144), interpreted],
    ['interpreted, bytes', rounds('byte', 1048576), interpreted],
  ])(
    'comes to its end: %s',
    async (_what, body, members) => {
      await withPlugin(service, { name: 'Much', sourceCode: functionOf('Much', body, members) }, async () => {
        const { vertices } = expectJson(await service.call('POST', '/plugins/function/Much/invoke', { json: {} })) as {
          vertices: { id: number }[];
        };
        expect(vertices.map(({ id }) => id)).toEqual([0]);
      });
    },
    600_000,
  );
});

describe.runIf(isReal)('an interpreted plugin', () => {
  test.each(['byte', 'bool', 'short', 'char', 'int', 'float', 'long', 'double'])(
    'holds no more arrays of %s than it may',
    async (type) => {
      const body = `var all = new List<${type}[]>(); while (true) all.Add(new ${type}[100000]);`;
      await withPlugin(service, { name: 'Bomb', sourceCode: functionOf('Bomb', body, interpreted) }, async () => {
        expectProblem(await service.call('POST', '/plugins/function/Bomb/invoke', { json: {} }), 500);
        expectJson(await service.call('GET', '/status'));
      });
    },
  );
});

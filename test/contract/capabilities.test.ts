// Contract part 1, Authentication 7, and the tables of part 3: what routes answer whose capability is switched off, and what there is
// to say of services where there are none.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectJson, expectProblem } from './support/requests.ts';
import { startService, type TestService } from './support/service.ts';

const key = 'the key';
const headers = { 'x-api-key': key };
let open: TestService;
let keyed: TestService;
beforeAll(async () => {
  open = await startService({ 'Security:SensitiveRateLimitPermitPerWindow': 1000 });
  keyed = await startService({ 'Security:ApiKey': key, 'Security:SensitiveRateLimitPermitPerWindow': 1000 });
});
afterAll(() => Promise.all([open.stop(), keyed.stop()]));

const scoped: readonly (readonly [method: string, path: string])[] = [
  ['POST', '/embedding/element'],
  ['POST', '/embedding/elements'],
  ['POST', '/embedding/search'],
  ['POST', '/embedding/text'],
  ['POST', '/document'],
  ['GET', '/document'],
  ['POST', '/document/text'],
  ['POST', '/document/search'],
  ['GET', '/document/7'],
  ['DELETE', '/document/7'],
  ['GET', '/document/binding'],
  ['POST', '/document/binding/ensure'],
  ['GET', '/document/entities'],
];

describe('capabilities that are off', () => {
  test.each(scoped)('%s %s is 403, with a key or without, whatever the body', async (method, path) => {
    for (const json of [undefined, {}, []]) {
      const options = json === undefined ? {} : { json };
      expectProblem(await open.call(method, path, options), 403, 'Forbidden');
      expectProblem(await open.call(method, `/ns/default${path}`, options), 403, 'Forbidden');
    }
    expectProblem(await keyed.call(method, path, { headers }), 403, 'Forbidden');
    expectProblem(await keyed.call(method, path), 401, 'Unauthorized');
  });

  test('an unknown namespace comes first', async () => {
    for (const [method, path] of scoped) {
      const problem = expectProblem(await open.call(method, `/ns/nope${path}`), 404, 'Namespace not found');
      expect(problem.namespace).toBe('nope');
    }
  });

  test('chat is 401 where there is no key, 403 where there is one', async () => {
    for (const [method, path] of [
      ['POST', '/chat'],
      ['GET', '/chat/models'],
    ] as const) {
      expectProblem(await open.call(method, path), 401, 'Unauthorized');
      expectProblem(await keyed.call(method, path), 401, 'Unauthorized');
      expectProblem(await keyed.call(method, path, { headers }), 403, 'Forbidden');
      expectProblem(await open.call(method, `/ns/default${path}`), 404);
    }
  });

  test('integrations are 403', async () => {
    expectProblem(await open.call('GET', '/integrations/providers'), 403);
    expectProblem(await open.call('GET', '/integrations/vocabulary'), 403);
    expectProblem(await open.call('POST', '/integrations/job'), 403);
    expectProblem(await open.call('POST', '/integrations/snapshot/validate'), 403);
  });

  test('sensitive ones count against the limiter before they refuse', async () => {
    const settings = { 'Security:SensitiveRateLimitPermitPerWindow': 1, 'Security:RateLimitWindowSeconds': 3600 };
    const limited = await startService(settings);
    try {
      expectProblem(await limited.call('POST', '/embedding/text'), 403);
      for (const path of ['/embedding/search', '/document/text', '/plugins/function', '/plugins/algorithm/validate']) {
        expectProblem(await limited.call('POST', path), 429);
      }
      expectProblem(await limited.call('GET', '/chat/models'), 429);
      expectProblem(await limited.call('GET', '/document'), 403);
    } finally {
      await limited.stop();
    }
  });

  test('other methods are 405', async () => {
    expectProblem(await open.call('GET', '/embedding/text'), 405);
    expectProblem(await open.call('PUT', '/document/7'), 405);
    expectProblem(await open.call('GET', '/chat'), 405);
  });
});

describe('services', () => {
  test('a service of an unknown type, and one that is not there, are false', async () => {
    const json = { uniqueId: 's', pluginType: 'NoSuchService' };
    expect(expectJson(await open.call('POST', '/service', { json }))).toBe(false);
    expect(expectJson(await open.call('DELETE', '/service/s'))).toBe(false);
    expectProblem(await open.call('POST', '/service'), 400);
    expectProblem(await open.call('POST', '/service', { json: { uniqueId: ' ' } }), 400);
  });
});

// Contract part 1, Authentication, Errors, Limits, Versioning: what every route shares.

import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createVertices, expectEmpty, expectJson, expectProblem, waited } from './support/requests.ts';
import { isReal } from './support/service.ts';
import { withService } from './support/with-service.ts';

/** Sends bytes as they are and answers everything that comes back until the connection closes. */
function exchangeRaw(url: string, bytes: string | Uint8Array): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let text = '';
    socket.on('data', (block) => {
      text += block.toString('latin1');
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
    setTimeout(() => socket.destroy(), 30_000).unref();
  });
}

describe('routes', () => {
  const service = withService({});
  const call = (method: string, path: string) => service().call(method, path);

  test.each([
    '/',
    '/nothing',
    '/vertexes',
    '/vertex',
    '/vertex/0/edges',
    '/vertex/0/edges/out/a/b',
    '/metrics',
    '/NS',
    '/Vertex/0',
  ])('GET %s is not found', async (path) => {
    const answer = await call('GET', path);
    if (path === '/vertex') expectProblem(answer, 405, 'Method Not Allowed');
    else expectProblem(answer, 404, 'Not Found');
  });

  test.each([
    ['POST', '/vertex/0', 'GET, HEAD'],
    ['GET', '/vertex', 'PUT'],
    ['DELETE', '/vertices', 'PUT'],
    ['PUT', '/graphelement/0', 'GET, DELETE, HEAD'],
    ['GET', '/graphelement/0/key', 'PUT, DELETE'],
    ['PUT', '/graph', 'GET, HEAD'],
    ['GET', '/bulk/import', 'POST'],
    ['PATCH', '/ns', 'GET, HEAD'],
    ['POST', '/ns/x', 'GET, PUT, PATCH, DELETE, HEAD'],
    ['OPTIONS', '/status', 'GET, HEAD'],
    ['POST', '/ns/default/vertex/0', 'GET, HEAD'],
    ['TRACE', '/status', 'GET, HEAD'],
    ['PUT', '/ns/default/generate', 'GET'],
    ['POST', '/ns/default/benchmark', 'GET'],
  ])('%s %s is 405 and allows %s', async (method, path, allowed) => {
    const answer = await call(method, path);
    expectProblem(answer, 405, 'Method Not Allowed');
    expect(answer.headers.allow?.split(', ').sort()).toEqual(allowed.split(', ').sort());
  });

  test.each([
    '/vertex//edges/out',
    '//vertex/0',
    '/vertex/0/',
    '/graphelement/0/',
    '/ns//vertex/count',
    '/vertex/0/./edges',
    '/../x',
  ])('%s is 400', async (path) => {
    expectProblem(await call('GET', path), 400, 'Bad Request');
    expectProblem(await call('DELETE', path), 400, 'Bad Request');
  });

  test.each([
    '/vertex/0/edges/out/%',
    '/vertex/0/edges/out/%zz',
    '/vertex/0/edges/out/%c3',
    '/vertex/%ff',
    '/ns/%c3%28/status',
  ])('the encoding of %s is 400', async (path) => {
    expectProblem(await call('GET', path), 400, 'Bad Request');
  });

  test('a query that is not UTF-8 is 400; what nobody reads is not looked at', async () => {
    expectProblem(await call('GET', '/graph?maxElements=%ff'), 400, 'Bad Request');
    expectJson(await call('GET', '/vertex/count?x=1&&y&=z'));
  });

  test('what is not HTTP gets a problem document too', async () => {
    for (const text of ['NONSENSE\r\n\r\n', `GET /${'x'.repeat(70_000)} HTTP/1.1\r\nhost: a\r\n\r\n`]) {
      const answer = await exchangeRaw(service().url, text);
      expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
      expect(answer).toContain('content-type: application/problem+json');
    }
  });

  test('an absolute target is the same as its path', async () => {
    const answer = await exchangeRaw(
      service().url,
      'GET http://example.org/vertex/count HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });
});

describe('bodies', () => {
  const service = withService({});
  const put = (body: string | Uint8Array, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    service().call('PUT', `/vertices${waited}`, { body, headers });
  const validation = 'One or more validation errors occurred.';

  test.each(['', '{', 'nope', '[1', '[{}] x', '{"a":1,}', "[{'a':1}]", '\u0000'])(
    'the body %j is 400',
    async (body) => {
      const problem = expectProblem(await put(body), 400, validation);
      expect(problem.errors).toEqual({ $: [expect.any(String)] });
    },
  );

  test('half a UTF-8 sequence, an overlong one and a lone surrogate as bytes are 400', async () => {
    for (const bytes of [[0xc3], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xff]]) {
      const body = Buffer.concat([Buffer.from('[{"label":"'), Buffer.from(bytes), Buffer.from('"}]')]);
      expectProblem(await put(body), 400, validation);
    }
  });

  test.each([
    'text/plain',
    'application/x-ndjson',
    'application/xml',
    'application/jsonp',
    'application/json; charset=utf-16',
  ])('the content type %s is 415', async (type) => {
    expectProblem(await put('[]', { 'content-type': type }), 415, 'Unsupported Media Type');
  });

  test.each(['application/json;charset=UTF-8', 'text/json', 'application/vnd.x+json', 'APPLICATION/JSON; ver=0.1'])(
    'the content type %s is fine',
    async (type) => {
      expectJson(await put('[]', { 'content-type': type }));
    },
  );

  test('without a content type the body is taken as JSON; a packed one is 415', async () => {
    expectJson(await put('[]', {}));
    expectProblem(await put('[]', { 'content-type': 'application/json', 'content-encoding': 'gzip' }), 415);
  });

  test('nesting of any depth crashes nothing; below the limit it does not matter in members nobody reads', async () => {
    const deep = 200_000;
    expectProblem(await put('['.repeat(deep) + ']'.repeat(deep)), 400, validation);
    expectProblem(await put(`${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`), 400, validation);
    const unknown = (depth: number) => `[{"label":"x","deep":${'['.repeat(depth)}${']'.repeat(depth)}}]`;
    expectProblem(await put(unknown(deep)), 400, validation);
    expectJson(await put(unknown(250)));
  });

  test('__proto__ members are ignored members', async () => {
    const answer = await put('[{"__proto__":{"label":"x"},"constructor":1,"LABEL":"real"}]');
    const [id] = expectJson(answer) as number[];
    expect(expectJson(await service().call('GET', `/vertex/${id}`))).toMatchObject({ label: 'real' });
  });

  test('a text of 10 MB and 100,000 properties on one element', { tags: ['long'] }, async () => {
    const text = 'é'.repeat(5_000_000);
    const [big] = await createVertices(service(), [
      { properties: [{ propertyId: 'big', propertyValue: text, fullQualifiedTypeName: 'String' }] },
    ]);
    const read = await service().call('GET', `/vertex/${big}`);
    expect(read.json.properties[0].propertyValue === text).toBe(true);
    const properties = Array.from({ length: 100_000 }, (_, index) => ({
      propertyId: `k${index}`,
      propertyValue: `${index}`,
    }));
    const [wide] = await createVertices(service(), [{ properties }]);
    expect((await service().call('GET', `/vertex/${wide}`)).json.properties.length).toBe(100_000);
  });

  test('a body at the limit is read, one above is 413, told by its length or counted', async () => {
    const limit = 30_000_000;
    const body = Buffer.alloc(limit, ' ');
    body.write('[]');
    expectJson(await put(body));
    const above = Buffer.concat([body, Buffer.from(' ')]);
    expectProblem(await put(above), 413, 'Content Too Large');
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    expectProblem(await put(above, headers), 413, 'Content Too Large');
    expectJson(await put('[]'));
  });

  test('of a member that is left out is told that it is', async () => {
    const edge = { edgePropertyId: 'knows', source: 0, targetVertex: 0 };
    const problem = expectProblem(await service().call('PUT', '/edge', { json: edge }), 400, validation);
    expect(problem.errors).toEqual({ sourceVertex: [expect.stringMatching(/^Left out; it takes a whole number/)] });
  });

  test('at the root there is none', async () => {
    expect(expectProblem(await service().call('GET', '/'), 404).detail).toMatch(/^There is no route \/\./);
  });

  test.runIf(isReal)('which tells where the pages are', async () => {
    expect(expectProblem(await service().call('GET', '/'), 404).detail).toMatch(/ Pages are at .*\/docs/);
  });

  test('many errors are told by their places, not all of them', async () => {
    const bodies = Array.from({ length: 1000 }, () => ({ label: 5 }));
    const problem = expectProblem(await put(JSON.stringify(bodies)), 400, validation);
    const places = Object.keys(problem.errors as object);
    expect(places[0]).toBe('[0].label');
    expect(places.length).toBeLessThanOrEqual(100);
  });

  test('an upload that breaks off leaves nothing behind', async () => {
    const before = expectJson(await service().call('GET', '/vertex/count'));
    const head = `PUT /vertices HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n[{}`;
    for (let i = 0; i < 20; i++) {
      const { hostname, port } = new URL(service().url);
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname, () =>
          socket.write(head, () => setTimeout(() => socket.destroy(), 5)),
        );
        socket.on('close', () => resolve());
      });
    }
    const lines =
      'POST /bulk/import HTTP/1.1\r\nhost: a\r\ncontent-type: application/x-ndjson\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"ty';
    await service().call('PUT', '/ns/broken');
    for (let i = 0; i < 5; i++) {
      const { hostname, port } = new URL(service().url);
      await new Promise<void>((resolve) => {
        const text = lines.replace('/bulk', '/ns/broken/bulk');
        const socket = connect(Number(port), hostname, () =>
          socket.write(text, () => setTimeout(() => socket.destroy(), 5)),
        );
        socket.on('close', () => resolve());
      });
    }
    expect(expectJson(await service().call('GET', '/vertex/count'))).toBe(before);
    expect(expectJson(await service().call('GET', '/ns/broken/vertex/count'))).toBe(0);
  });

  test('a client that leaves before its answer hurts nobody', async () => {
    const body = JSON.stringify([{ label: 'gone' }]);
    const text = `PUT /vertices${waited} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    for (let i = 0; i < 50; i++) {
      const { hostname, port } = new URL(service().url);
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname, () => socket.write(text, () => socket.resetAndDestroy()));
        socket.on('error', () => {});
        socket.on('close', () => resolve());
      });
    }
    expectJson(await service().call('GET', '/vertex/count'));
  });

  test('a refused body does not spoil the connection for the next request', async () => {
    const big = `PUT /vertex HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\ncontent-length: 70000\r\n\r\n${'x'.repeat(70_000)}`;
    const next = 'GET /vertex/count HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n';
    const answers = await exchangeRaw(service().url, big + next);
    expect(answers).toMatch(/^HTTP\/1\.1 415 /);
    expect(answers).toMatch(/HTTP\/1\.1 200 OK/);
  });
});

describe('versions', () => {
  const service = withService({});
  const get = (path: string, headers: Record<string, string> = {}) => service().call('GET', path, { headers });

  test('every answer names the supported version', async () => {
    for (const path of [
      '/status',
      '/vertex/999',
      '/nothing',
      '/vertex/x',
      '/healthz',
      '/bulk/export',
      '/ns/nope/graph',
    ]) {
      expect((await get(path)).headers['api-supported-versions']).toBe('0.1');
    }
  });

  test('0.1 by query, header or media type', async () => {
    expectJson(await get('/vertex/count?api-version=0.1'));
    expectJson(await get('/vertex/count?API-Version=0.1', { 'x-version': '0.1', accept: 'application/json; ver=0.1' }));
    expectJson(await get('/vertex/count', { accept: 'text/html, application/json;ver="0.1"' }));
    const headers = { 'content-type': 'application/json; ver=0.1' };
    expectEmpty(await service().call('PUT', '/vertex', { body: '{}', headers }), 202);
  });

  test('any other is 400', async () => {
    const title = 'Unsupported API version';
    expectProblem(await get('/vertex/count?api-version=1.0'), 400, title);
    expectProblem(await get('/vertex/count?api-version='), 400, title);
    expectProblem(await get('/vertex/count', { 'x-version': '2' }), 400, title);
    expectProblem(await get('/vertex/count', { accept: 'application/json; ver=0.2' }), 400, title);
    const headers = { 'content-type': 'application/json; ver=9' };
    expectProblem(await service().call('PUT', '/vertex', { body: '{}', headers }), 400, title);
    expectProblem(await get('/vertex/count?api-version=0.1', { 'x-version': '0.2' }), 400, title);
  });

  test('the version is never part of the path', async () => {
    expectProblem(await get('/api/v0.1/status'), 404, 'Not Found');
  });
});

describe('the API key', () => {
  const service = withService({ 'Security:ApiKey': 'secret', 'Security:ApiKeyHeader': 'X-My-Key' });
  const get = (path: string, headers: Record<string, string> = {}) => service().call('GET', path, { headers });

  test('every route needs it, and so do paths that are none', async () => {
    for (const path of [
      '/vertex/0',
      '/vertex/count',
      '/edge/count',
      '/graph',
      '/ns',
      '/ns/default/vertex/count',
      '/nothing',
      '/ns/nope/graph',
      '/metrics',
      '/vertex//x',
      '/generate',
    ]) {
      const answer = await get(path);
      expectProblem(answer, 401, 'Unauthorized');
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
    expectProblem(await service().call('POST', '/vertex/0'), 401);
    expectProblem(await service().call('PUT', '/vertex', { body: 'no json' }), 401);
    expect((await service().call('HEAD', '/tabularasa')).status).toBe(401);
  });

  test('status and health do not, and status tells', async () => {
    for (const path of ['/healthz', '/readyz']) expect((await get(path)).status).toBe(200);
    for (const path of ['/status', '/ns/default/status']) {
      expect(expectJson(await get(path))).toMatchObject({ apiKeyRequired: true, authenticated: false });
      expect(expectJson(await get(path, { 'x-my-key': 'secret' }))).toMatchObject({ authenticated: true });
      expect(expectJson(await get(path, { 'x-my-key': 'wrong' }))).toMatchObject({ authenticated: false });
    }
    expectProblem(await get('/ns/nope/status'), 404, 'Namespace not found');
  });

  test('the configured header or a bearer token carries it', async () => {
    expectJson(await get('/vertex/count', { 'X-MY-KEY': 'secret' }));
    expectJson(await get('/vertex/count', { authorization: 'Bearer secret' }));
    expectJson(await get('/vertex/count', { authorization: 'bearer  secret' }));
  });

  test.each<[string, Record<string, string>]>([
    ['another key', { 'x-my-key': 'Secret' }],
    ['a prefix', { 'x-my-key': 'secre' }],
    ['a longer one', { 'x-my-key': 'secrets' }],
    ['an empty one', { 'x-my-key': '' }],
    ['the default header', { 'x-api-key': 'secret' }],
    ['another scheme', { authorization: 'Basic secret' }],
    ['the key without scheme', { authorization: 'secret' }],
    ['an empty token', { authorization: 'Bearer ' }],
    ['a wrong header beside a right token', { 'x-my-key': 'no', authorization: 'Bearer secret' }],
  ])('%s is 401', async (_, headers) => {
    expectProblem(await get('/vertex/count', headers), 401, 'Unauthorized');
  });

  test('never in the query', async () => {
    expectProblem(await get('/vertex/count?x-my-key=secret&apikey=secret&X-Api-Key=secret'), 401);
  });
});

describe('without a key', () => {
  const service = withService({ 'Security:ApiKey': '  ' });

  test('a blank key is none', async () => {
    expect(expectJson(await service().call('GET', '/status'))).toMatchObject({
      apiKeyRequired: false,
      authenticated: false,
    });
    expectJson(await service().call('GET', '/vertex/count', { headers: { 'x-api-key': 'whatever' } }));
  });
});

describe('other origins', () => {
  const service = withService({
    'Security:AllowedCorsOrigins:0': 'https://studio.example',
    'Security:AllowedCorsOrigins:1': 'http://localhost:3000',
    'Security:ApiKey': 'k',
  });
  const origin = 'https://studio.example';
  const call = (method: string, path: string, headers: Record<string, string>) =>
    service().call(method, path, { headers });

  test('a preflight is answered without a key', async () => {
    const answer = await call('OPTIONS', '/ns/x/vertex', {
      origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'authorization,content-type',
    });
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'PUT',
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-max-age': '600',
    });
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  });

  test('every answer to a listed origin names it, errors included', async () => {
    for (const path of ['/status', '/vertex/count', '/nothing', '/healthz']) {
      const answer = await call('GET', path, { origin });
      expect(answer.headers['access-control-allow-origin']).toBe(origin);
      expect(answer.headers.vary).toBe('Origin');
    }
    const other = await call('GET', '/bulk/export', { origin: 'http://localhost:3000', 'x-api-key': 'k' });
    expect(other.headers['access-control-allow-origin']).toBe('http://localhost:3000');
  });

  test('another origin, or none, is not named', async () => {
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, {}] as Record<string, string>[]) {
      const answer = await call('GET', '/status', headers);
      expect(answer.status).toBe(200);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
    const preflight = await call('OPTIONS', '/vertex', {
      origin: 'https://evil.example',
      'access-control-request-method': 'PUT',
    });
    expect(preflight.headers['access-control-allow-origin']).toBeUndefined();
    expect(preflight.headers['access-control-allow-methods']).toBeUndefined();
  });
});

describe('the limiter of sensitive endpoints', () => {
  const limited = { 'Security:SensitiveRateLimitPermitPerWindow': 5 };

  describe('within a window', () => {
    const service = withService({ ...limited, 'Security:RateLimitWindowSeconds': 3600 });

    test('count all callers and routes; other routes are not limited', async () => {
      const sensitive: [string, string][] = [
        ['PUT', '/ns/a'],
        ['PATCH', '/ns/a'],
        ['POST', '/ns/a/activate'],
        ['DELETE', '/ns/a'],
        ['HEAD', '/tabularasa/all'],
      ];
      const statuses: number[] = [];
      // Each of these is sent once, however the suite runs.
      const headers = { prefer: 'handling=lenient' };
      for (let round = 0; round < 4; round++) {
        for (const [method, path] of sensitive) statuses.push((await service().call(method, path, { headers })).status);
      }
      expect(statuses).toEqual([201, 400, 200, 204, 204, ...Array(15).fill(429)]);
      const refused = await service().call('PUT', '/ns/b');
      const problem = expectProblem(refused, 429, 'Too Many Requests');
      expect(problem.detail).not.toBe('');
      expect(refused.headers['retry-after']).toBeUndefined();
      for (let i = 0; i < 20; i++) expectJson(await service().call('GET', '/ns'));
    });
  });

  describe('from one window to the next', () => {
    const service = withService({ ...limited, 'Security:RateLimitWindowSeconds': 1 });

    test('what was refused is served again', async () => {
      for (let served = 0; served < 11; ) {
        const { status } = await service().call('HEAD', '/tabularasa/all');
        expect([204, 429]).toContain(status);
        if (status === 204) served++;
        else await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
  });
});

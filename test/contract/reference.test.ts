// The OpenAPI document and the page that shows it: only in development, behind the key, from no other host.

import { describe, expect, test } from 'vitest';
import { expectProblem } from './support/requests.ts';
import { isReal } from './support/service.ts';
import { withService } from './support/with-service.ts';

const documentPath = '/openapi/v0.1.json';
const pagePath = '/scalar/v0.1';
const key = 'a key of its own';

describe('in production', () => {
  const service = withService({});

  test('there is neither a document nor a page', async () => {
    for (const path of [documentPath, pagePath, `${pagePath}/swagger-ui.css`]) {
      expectProblem(await service().call('GET', path), 404, 'Not Found');
    }
  });
});

describe('switched off in development', () => {
  const service = withService({ Environment: 'Development', 'OpenApi:Enabled': false });

  test('there is no document', async () => {
    expectProblem(await service().call('GET', documentPath), 404, 'Not Found');
  });
});

describe('in development', () => {
  const service = withService({
    Environment: 'development',
    'Security:ApiKey': key,
    'Security:ApiKeyHeader': 'X-Other',
  });
  const get = (path: string) => service().call('GET', path, { headers: { 'x-other': key } });

  test('the document is that of this service', async () => {
    const answer = await get(documentPath);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.json).toMatchObject({ openapi: '3.1.1', info: { version: '0.1' } });
    expect(answer.json.components.securitySchemes.ApiKey.name).toBe('X-Other');
    expect(Object.keys(answer.json.paths)).not.toContain(documentPath);
  });

  test.each([documentPath, pagePath, `${pagePath}/start.js`, `${pagePath}/swagger-ui-bundle.js`])(
    '%s asks for the key and takes GET',
    async (path) => {
      expectProblem(await service().call('GET', path), 401, 'Unauthorized');
      const post = await service().call('POST', path, { headers: { 'x-other': key } });
      expectProblem(post, 405, 'Method Not Allowed');
      expect(post.headers.allow).toBe('GET, HEAD');
    },
  );

  test('the page names no other host, and its policy allows none', async () => {
    const page = await get(pagePath);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    const places = [...page.text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, place]) => place as string);
    expect(places.filter((place) => !place.startsWith('data:'))).toEqual([
      `${pagePath}/swagger-ui.css`,
      `${pagePath}/swagger-ui-bundle.js`,
      `${pagePath}/start.js`,
    ]);
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/https?:|\*/);
    for (const place of places.filter((one) => one.startsWith('/'))) {
      const file = await get(place);
      expect(file.status, place).toBe(200);
      expect(file.headers['content-type']).toMatch(place.endsWith('.css') ? /^text\/css/ : /^text\/javascript/);
      expect(file.bytes.length).toBeGreaterThan(50);
    }
    expect((await get(`${pagePath}/start.js`)).text).toContain(documentPath);
  });

  test.each(['package.json', 'swagger-ui.js.map', '..%2fpackage.json', 'constructor'])(
    'the file %s is not given',
    async (name) => {
      expectProblem(await get(`${pagePath}/${name}`), 404, 'Not Found');
    },
  );
});

describe.runIf(isReal)('Node says development', () => {
  test('by NODE_ENV, which a setting overrides', async () => {
    const { loadSettings } = await import('../../runtime-node/settings.ts');
    const environmentOf = (args: string[], environment: Record<string, string>): string | undefined =>
      loadSettings(args, environment)?.settings.Environment;
    expect(environmentOf([], {})).toBe('Production');
    expect(environmentOf([], { NODE_ENV: 'production' })).toBe('Production');
    expect(environmentOf([], { NODE_ENV: 'development' })).toBe('Development');
    expect(environmentOf(['--Service:Environment=Staging'], { NODE_ENV: 'development' })).toBe('Staging');
  });
});

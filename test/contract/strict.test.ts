// Strict mode changes only what it says: a sample of what `npm run test:strict` asks of every request of the suite.

import { describe, expect, test } from 'vitest';
import type { Answer } from './support/client.ts';
import { property, waited } from './support/requests.ts';
import { sendStrictly } from './support/strict.ts';
import { withService } from './support/with-service.ts';

describe('a strict request', () => {
  const service = withService({});

  test.each([
    ['GET', '/vertex/count', undefined, 200],
    ['GET', '/status?x=1', undefined, 200],
    ['GET', '/graph?label=a&maxElements=3', undefined, 200],
    ['GET', '/vertex/abc', undefined, 400],
    ['PUT', `/vertex${waited}`, { label: 'a', creationDate: 0 }, 202],
    ['PUT', `/vertices${waited}`, [{ labl: 'a', properties: [{ name: 'n', value: 'v' }, property('a', '1')] }], 200],
    ['PUT', `/edges${waited}`, [{ sourceVertex: 0, targetVertex: 77, edgePropertyId: 'x', weight: 1 }], 404],
    ['POST', '/index', {}, 200],
    ['POST', '/index', { uniqueId: 'a', pluginType: 'RangeIndex', options: {} }, 200],
    ['POST', '/scan/graph/property/a', { operator: 0, literal: { value: '1', type: 'string' } }, 200],
    ['POST', '/path/0/to/1', { maxDepht: 2 }, 200],
    ['POST', '/path/0/to/1', { filter: { vertexFilter: 'return v => v.Lable == "a";' }, depth: 1 }, 400],
    ['PUT', '/subgraph', { name: 's', patterns: [{ type: 'Vertex', filter: '' }], vertexfilters: 1 }, 201],
    ['POST', '/nothing', { a: 1 }, 404],
  ] as const)(
    '%s %s is answered as any other, or refused for what that answer tells',
    async (method, path, json, status) => {
      const answer = await sendStrictly(undefined, (headers) =>
        service().call(method, path, { ...(json === undefined ? {} : { json }), ...(headers ? { headers } : {}) }),
      );
      expect(answer.status, answer.text).toBe(status);
    },
  );
});

test('a difference that nobody tells is noticed', async () => {
  const answered = (status: number, json: object, warnings?: object[]): Answer => ({
    status,
    headers: {
      'content-type': status === 200 ? 'application/json' : 'application/problem+json',
      ...(warnings ? { 'x-arcwise-warnings': JSON.stringify(warnings) } : {}),
    },
    bytes: Buffer.from(JSON.stringify(json)),
    text: '',
    json,
  });
  const told = [{ code: 'ignoredMember', at: 'a', message: '' }];
  const service = (strict: Answer, generous: Answer) =>
    sendStrictly({}, async (headers) => (headers?.prefer === undefined ? generous : strict));
  await expect(service(answered(200, {}, told), answered(200, {}, told))).rejects.toThrow('Not refused');
  const refused = answered(400, { errors: { b: ['x'] } });
  await expect(service(refused, answered(200, {}, told))).rejects.toThrow('does not tell: b');
  await expect(service(refused, answered(200, {}, [{ code: 'more', at: '$' }]))).resolves.toMatchObject({
    status: 200,
  });
});

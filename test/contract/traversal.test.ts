// Contract part 1, Traversal reads.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEdges, createVertices, expectEmpty, expectJson, expectProblem, waited } from './support/requests.ts';
import { startService, type TestService } from './support/service.ts';

let service: TestService;
let hub: number;
let leaf: number;
let edges: number[];
const strangeType = 'a/b ключ 😀';

beforeAll(async () => {
  service = await startService();
  [hub = -1, leaf = -1] = await createVertices(service, [{}, {}]);
  edges = await createEdges(service, [
    { sourceVertex: hub, targetVertex: leaf, edgePropertyId: 'knows' },
    { sourceVertex: hub, targetVertex: leaf, edgePropertyId: 'likes' },
    { sourceVertex: hub, targetVertex: hub, edgePropertyId: 'knows' },
    { sourceVertex: leaf, targetVertex: hub, edgePropertyId: strangeType },
  ]);
});
afterAll(() => service.stop());

const get = (path: string) => service.call('GET', path);

test('edge types by direction, in the order they came', async () => {
  expect(expectJson(await get(`/vertex/${hub}/edges/out`))).toEqual(['knows', 'likes']);
  expect(expectJson(await get(`/vertex/${hub}/edges/in`))).toEqual(['knows', strangeType]);
  expect(expectJson(await get(`/vertex/${leaf}/edges/in`))).toEqual(['knows', 'likes']);
});

test('a vertex without edges has no types; a missing one is 204', async () => {
  const [lonely] = await createVertices(service, [{}]);
  expect(expectJson(await get(`/vertex/${lonely}/edges/out`))).toEqual([]);
  expect(expectJson(await get(`/vertex/${lonely}/edges/in`))).toEqual([]);
  for (const missing of [999, -1, edges[0]]) {
    expectEmpty(await get(`/vertex/${missing}/edges/out`), 204);
    expectEmpty(await get(`/vertex/${missing}/edges/in`), 204);
  }
});

test('edge ids of one type', async () => {
  expect(expectJson(await get(`/vertex/${hub}/edges/out/knows`))).toEqual([edges[0], edges[2]]);
  expect(expectJson(await get(`/vertex/${hub}/edges/in/knows`))).toEqual([edges[2]]);
  expect(expectJson(await get(`/vertex/${leaf}/edges/out/${encodeURIComponent(strangeType)}`))).toEqual([edges[3]]);
});

test('a missing vertex or group is 204', async () => {
  for (const path of [
    `/vertex/${hub}/edges/out/Knows`,
    '/vertex/999/edges/out/knows',
    `/vertex/${edges[0]}/edges/in/knows`,
  ]) {
    expectEmpty(await get(path), 204);
  }
});

test('degrees count a self-loop once a direction', async () => {
  expect(expectJson(await get(`/vertex/${hub}/edges/outdegree`))).toBe(3);
  expect(expectJson(await get(`/vertex/${hub}/edges/indegree`))).toBe(2);
  expect(expectJson(await get(`/vertex/${leaf}/edges/outdegree`))).toBe(1);
});

test('degree of one type; 0 when the vertex has none', async () => {
  expect(expectJson(await get(`/vertex/${hub}/edges/out/knows/degree`))).toBe(2);
  expect(expectJson(await get(`/vertex/${hub}/edges/in/knows/degree`))).toBe(1);
  expect(expectJson(await get(`/vertex/${hub}/edges/out/none/degree`))).toBe(0);
  expect(expectJson(await get(`/vertex/${hub}/edges/in/${encodeURIComponent(strangeType)}/degree`))).toBe(1);
});

test('degrees of a missing vertex are 404', async () => {
  for (const id of [999, -1, edges[0]]) {
    for (const path of ['outdegree', 'indegree', 'out/knows/degree', 'in/knows/degree']) {
      expectProblem(await get(`/vertex/${id}/edges/${path}`), 404, 'Not Found');
    }
  }
});

test('a type may be called degree', async () => {
  const [a] = await createVertices(service, [{}]);
  const [edge] = await createEdges(service, [{ sourceVertex: a, targetVertex: a, edgePropertyId: 'degree' }]);
  expect(expectJson(await get(`/vertex/${a}/edges/out/degree`))).toEqual([edge]);
  expect(expectJson(await get(`/vertex/${a}/edges/out/degree/degree`))).toBe(1);
});

test('the ends of an edge; 404 when there is no such edge', async () => {
  expect(expectJson(await get(`/edge/${edges[0]}/source`))).toBe(hub);
  expect(expectJson(await get(`/edge/${edges[0]}/target`))).toBe(leaf);
  for (const id of [999, hub]) {
    expectProblem(await get(`/edge/${id}/source`), 404, 'Not Found');
    expectProblem(await get(`/edge/${id}/target`), 404, 'Not Found');
  }
});

test.each([
  '/vertex/x/edges/out',
  '/vertex/x/edges/outdegree',
  '/vertex/2147483648/edges/in/knows',
  '/edge/1.5/source',
])('GET %s is 400', async (path) => {
  expectProblem(await get(path), 400, 'Bad Request');
});

test('a group whose last edge went is empty or gone, never wrong', async () => {
  const [a] = await createVertices(service, [{}]);
  const [edge] = await createEdges(service, [{ sourceVertex: a, targetVertex: a, edgePropertyId: 'once' }]);
  await service.call('DELETE', `/graphelement/${edge}${waited}`);
  const group = await get(`/vertex/${a}/edges/out/once`);
  expect(group.status === 204 || group.text === '[]').toBe(true);
  expect(expectJson(await get(`/vertex/${a}/edges/out/once/degree`))).toBe(0);
  expect(expectJson(await get(`/vertex/${a}/edges/outdegree`))).toBe(0);
});

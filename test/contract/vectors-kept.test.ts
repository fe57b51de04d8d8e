// Vector indexes across kill -9 and save games: what was logged comes back, and a bound index follows from the embeddings anyway.

// @module-tag long

import { afterEach, describe, expect, test } from 'vitest';
import { KeptService } from './support/kept-service.ts';
import { expectJson, waited } from './support/requests.ts';
import { isReal, type ServiceSettings } from './support/service.ts';

const services: KeptService[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.remove();
});

async function start(settings: ServiceSettings = {}): Promise<KeptService> {
  const service = await KeptService.start({ 'Durability:SaveOnShutdown': false, ...settings });
  services.push(service);
  return service;
}

async function create(service: KeptService, uniqueId: string, embeddingName: string | null): Promise<void> {
  const option = (propertyId: string, propertyValue: string, fullQualifiedTypeName: string) => {
    return { [propertyId]: { propertyId, propertyValue, fullQualifiedTypeName } };
  };
  const pluginOptions = {
    ...option('dimension', '2', 'System.Int32'),
    ...option('metric', 'DotProduct', 'System.String'),
    ...(embeddingName === null ? {} : option('embeddingName', embeddingName, 'System.String')),
  };
  const json = { uniqueId, pluginType: 'VectorIndex', pluginOptions };
  expect(expectJson(await service.call('POST', '/index', { json }))).toBe(true);
}

async function embed(service: KeptService, id: number, vector: number[]): Promise<void> {
  const answer = await service.put(`/graphelement/${id}/embedding/e${waited}`, { vector });
  expect(answer.status, answer.text).toBe(202);
}

async function give(service: KeptService, graphElementId: number, vector: number[]): Promise<void> {
  expect(expectJson(await service.put('/index/vector/free', { graphElementId, vector }))).toBe(true);
}

async function found(service: KeptService, indexId: string): Promise<[number, number][] | number> {
  const answer = await service.call('POST', '/scan/index/vector', { json: { indexId, query: [1, 1], k: 10 } });
  if (answer.status !== 200) return answer.status;
  const { results } = answer.json as { results: { graphElementId: number; score: number }[] };
  return results.map(({ graphElementId, score }) => [graphElementId, score]);
}

async function again(service: KeptService): Promise<void> {
  await service.kill();
  await service.start();
}

describe.runIf(isReal)('vector indexes', () => {
  test('come back from the log, from a save game, and from both', async () => {
    const service = await start();
    const [a = -1, b = -1, c = -1] = await service.add(['a', 'b', 'c']);
    await create(service, 'free', null);
    await create(service, 'bound', 'e');
    await give(service, a, [1, 2]);
    await embed(service, b, [2, 2]);
    await again(service);
    expect(await found(service, 'free')).toEqual([[a, 3]]);
    expect(await found(service, 'bound')).toEqual([[b, 4]]);
    await give(service, c, [5, 5]);
    await embed(service, c, [3, 3]);
    await service.save();
    await again(service);
    expect(await found(service, 'free')).toEqual([
      [c, 10],
      [a, 3],
    ]);
    expect(await found(service, 'bound')).toEqual([
      [c, 6],
      [b, 4],
    ]);
    await give(service, a, [9, 9]);
    await embed(service, a, [0, 1]);
    expect((await service.call('DELETE', `/graphelement/${c}${waited}`)).status).toBe(202);
    await again(service);
    expect(await found(service, 'free')).toEqual([[a, 18]]);
    expect(await found(service, 'bound')).toEqual([
      [b, 4],
      [a, 1],
    ]);
  });

  test('without a log of indexes are those of the save game, the bound ones by the embeddings of now', async () => {
    const service = await start({ 'Durability:LogIndexes': false });
    const [a = -1, b = -1] = await service.add(['a', 'b']);
    await create(service, 'free', null);
    await create(service, 'bound', 'e');
    await give(service, a, [1, 2]);
    await service.save();
    await create(service, 'late', 'e');
    await give(service, b, [1, 2]);
    await embed(service, b, [2, 2]);
    await again(service);
    expect(await found(service, 'late')).toBe(404);
    expect(await found(service, 'free')).toEqual([[a, 3]]);
    expect(await found(service, 'bound')).toEqual([[b, 4]]);
  });
});

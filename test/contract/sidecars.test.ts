// Whether the services beside this one answer, as status and statistics tell it (contract part 3, Status; reference 15.1).

import { expect, test } from 'vitest';
import { json, startProvider, status } from './support/provider.ts';
import { expectJson } from './support/requests.ts';
import { startService } from './support/service.ts';

test('sidecars are asked for their health when they are on, and remembered', { tags: ['long'] }, async () => {
  const [docling, nlp] = [await startProvider(), await startProvider()];
  docling.on('/convert/health', json({ status: 'ok' }));
  nlp.on('/health', status(503, 'starting'));
  const endpoints = { 'Ingestion:Docling:Endpoint': `${docling.origin}/convert/`, 'Nlp:Endpoint': nlp.origin };
  const blocks = async (settings: Readonly<Record<string, boolean>>, paths: readonly string[]) => {
    const service = await startService({ 'Durability:Volatile': true, ...endpoints, ...settings });
    try {
      return await Promise.all(paths.map(async (path) => expectJson(await service.call('GET', path))));
    } finally {
      await service.stop();
    }
  };
  const off = {
    ingestion: { docling: { configured: true, reachable: false } },
    nlp: { configured: true, reachable: false },
  };
  expect(await blocks({}, ['/status'])).toMatchObject([off]);
  expect([docling.received.length, nlp.received.length]).toEqual([0, 0]);
  const on = { 'Ingestion:Enabled': true, 'Nlp:Enabled': true };
  const shown = { ...off, ingestion: { docling: { configured: true, reachable: true } } };
  expect(await blocks(on, ['/status', '/statistics', '/status'])).toMatchObject([shown, shown, shown]);
  expect([docling.received.length, nlp.received.length]).toEqual([1, 1]);
  await docling.close();
  await nlp.close();
  expect(await blocks(on, ['/status'])).toMatchObject([off]);
});

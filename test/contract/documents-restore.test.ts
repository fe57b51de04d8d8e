// Save games that are made and restored while a document is ingested. A language service that does not answer yet holds it between the writing
// of its chunks and its last transaction.

import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ensured, on, sent, settled } from './support/documents.ts';
import { KeptService, type SavedEntry } from './support/kept-service.ts';
import { type FakeProvider, startProvider } from './support/provider.ts';
import { expectJson } from './support/requests.ts';
import { isReal } from './support/service.ts';

describe.runIf(isReal)('a restore in the middle of an ingestion', () => {
  let nlp: FakeProvider;
  let service: KeptService;
  let held: ServerResponse[];
  /** Behind the first document, before the one that is held. */
  let before: SavedEntry;
  let heldId: number;
  /** While it is held. */
  let middle: SavedEntry;

  const load = async ({ id }: SavedEntry) =>
    expectJson(await service.put(`/savegames/${id}/load?waitForCompletion=true`));
  const counts = async (): Promise<number[]> => {
    const { vertexCount, edgeCount } = expectJson(await service.call('GET', '/status')) as Record<string, number>;
    return [vertexCount as number, edgeCount as number];
  };
  const names = async (): Promise<string[]> => {
    const { documents } = expectJson(await service.call('GET', '/document')) as {
      documents: { name: string; status: string; error: string | null }[];
    };
    return documents.map(({ name, status, error }) => [name, status, error].filter(Boolean).join(' ')).sort();
  };
  const answer = (response: ServerResponse): unknown => response.end(JSON.stringify({ items: [] }));
  const release = (): void => {
    for (const response of held.splice(0)) answer(response);
    nlp.on('/enrich', answer);
  };
  /** What is sent now is ingested behind all that came before. */
  const afterwards = async (): Promise<void> => {
    const id = await sent(service as never, { name: 'after', text: 'comes behind all of them' });
    expect((await settled(service as never, id)).summary.status).toBe('indexed');
  };
  /** Ids of what the words of the held document find. */
  const found = async (): Promise<unknown[]> => {
    const json = { queryText: 'turbine', mode: 'lexical' };
    const { hits } = expectJson(await service.call('POST', '/document/search', { json })) as { hits: unknown[] };
    return hits;
  };

  beforeAll(async () => {
    nlp = await startProvider();
    service = await KeptService.start({ ...on, 'Nlp:Enabled': true, 'Nlp:Endpoint': nlp.origin });
  });
  afterAll(async () => {
    await service.remove();
    await nlp.close();
  });

  beforeEach(async () => {
    await service.call('HEAD', '/tabularasa');
    await ensured(service as never);
    nlp.on('/enrich', answer);
    await settled(service as never, await sent(service as never, { name: 'first', text: 'the first one' }));
    before = await service.save();
    held = [];
    const isHeld = new Promise<void>((resolve) => {
      nlp.on('/enrich', (response) => {
        held.push(response);
        resolve();
      });
    });
    heldId = await sent(service as never, { name: 'held', text: 'A turbine turns. '.repeat(40) });
    await isHeld;
    expect((await found()).length).toBeGreaterThan(1);
    middle = await service.save();
  });

  test('to a moment before it has nothing of it, whatever it does later', async () => {
    await load(before);
    const restored = await counts();
    expect(await names()).toEqual(['first indexed']);
    release();
    await afterwards();
    expect(await names()).toEqual(['after indexed', 'first indexed']);
    expect(await found()).toEqual([]);
    // The document, its chunk, the edge between them.
    expect(await counts()).toEqual([(restored[0] as number) + 2, (restored[1] as number) + 1]);
  });

  test('to a moment in the middle of it goes on with it where it is still worked on', async () => {
    await service.add(['later']);
    await service.save();
    await load(middle);
    release();
    await afterwards();
    expect(await names()).toEqual(['after indexed', 'first indexed', 'held indexed']);
    expect((await settled(service as never, heldId)).chunks.map(({ order }: { order: number }) => order)).toEqual(
      Array.from({ length: (await found()).length }, (_, i) => i),
    );
  });

  test('to a moment in the middle of one that has ended says so, and cleans up', async () => {
    release();
    await settled(service as never, heldId);
    await service.save();
    await load(middle);
    expect(await names()).toEqual(['first indexed', 'held failed interrupted']);
    expect(await found()).toEqual([]);
    await afterwards();
  });
});

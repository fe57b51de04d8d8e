// Fills the embeddings of a sample's vertices from a text of each, by the provider of the running service, and binds an index to them.

import { setTimeout as wait } from 'node:timers/promises';
import { type Client, isProblem } from '../../src/client/index.ts';
import { Progress } from './progress.ts';

/** The index that finds them by meaning. */
const glossIndex = 'glosses';
const busyWaitMs = 1000;

/** A text an element, by its id. */
export type TextOf = readonly (readonly [graphElementId: number, text: string])[];

/** Texts are sent in batches as large as the service takes them, and again while it is busy. */
export async function embedTexts(client: Client, texts: TextOf): Promise<void> {
  const { embedding } = await client.get('/status');
  if (!embedding.enabled) throw new Error('The embedding provider of the service is disabled: see docs/embedding.md.');
  await createIndex(client, embedding.dimension);
  const batch = await batchSize(client);
  const progress = new Progress('embeddings', texts.length, 'texts');
  for (let start = 0; start < texts.length; start += batch) {
    const items = texts.slice(start, start + batch).map(([graphElementId, text]) => ({ graphElementId, text }));
    await whenNotBusy(() => client.post('/embedding/elements', { body: { items } }));
    progress.advance(items.length);
  }
  progress.end();
}

async function createIndex(client: Client, dimension: number): Promise<void> {
  const option = (propertyId: string, propertyValue: string, fullQualifiedTypeName: string) => ({
    [propertyId]: { propertyId, propertyValue, fullQualifiedTypeName },
  });
  const pluginOptions = {
    ...option('dimension', String(dimension), 'System.Int32'),
    ...option('embeddingName', 'default', 'System.String'),
  };
  await client.post('/index', { body: { uniqueId: glossIndex, pluginType: 'VectorIndex', pluginOptions } });
}

async function batchSize(client: Client): Promise<number> {
  const { settings } = await client.get('/config');
  const setting = settings.find(({ key }) => /(^|:)Embedding:MaxBatchSize$/.test(key));
  return Number(setting?.value ?? 1);
}

async function whenNotBusy(ask: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await ask();
      return;
    } catch (error) {
      if (!isProblem(error, 'Too Many Requests')) throw error;
      await wait(busyWaitMs);
    }
  }
}

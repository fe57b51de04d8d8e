// Documents with the model that comes with the project: this project's own guides are ingested, embedded in the service, and found by meaning.

// @module-tag long

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { ensured, on, sent, settled } from './support/documents.ts';
import { expectJson } from './support/requests.ts';
import { withService } from './support/with-service.ts';

const guides = ['storage', 'operations', 'chat', 'subgraphs'];
const stamp = 'words#100#Cosine';

describe('documents with embeddings', () => {
  const service = withService({
    ...on,
    ...{ 'Ingestion:ChunkMinChars': 800, 'Ingestion:ChunkMaxChars': 3600, 'Embedding:Enabled': true },
    ...{ 'Embedding:ModelName': 'words', 'Embedding:Dimension': 100, 'Embedding:Onnx:MaxTokens': 4096 },
    'Embedding:Onnx:ModelPath': at('models/words.onnx'),
    'Embedding:Onnx:VocabPath': at('models/words.vocab.txt'),
  });
  const search = async (body: object) =>
    expectJson(await service().call('POST', '/document/search', { json: { k: 3, ...body } })) as {
      modeUsed: string;
      hits: { chunkId: number; documentId: number; score: number }[];
    };

  test('are embedded chunk by chunk and found by meaning, by word, and by both', async () => {
    expect((await ensured(service())).json).toMatchObject({ ready: true, vector: { required: true, ready: true } });
    const ids = new Map<string, number>();
    for (const name of guides) {
      const text = readFileSync(at(`docs/${name}.md`), 'utf8');
      ids.set(name, await sent(service(), { name, text, embed: true }));
    }
    for (const id of ids.values()) {
      const { summary, chunks } = await settled(service(), id);
      expect(summary).toMatchObject({ status: 'indexed', embedded: true, embeddingModel: stamp, error: null });
      const [first] = chunks as { chunkId: number }[];
      const embedding = await service().call('GET', `/graphelement/${first?.chunkId}/embedding/default`);
      expect(embedding.json).toMatchObject({ model: stamp });
    }
    const dense = await search({ mode: 'dense', queryText: 'talk to a language model' });
    expect(dense.modeUsed).toBe('dense');
    expect(dense.hits[0]?.documentId).toBe(ids.get('chat'));
    const fused = await search({ queryText: 'a checkpoint on the disk' });
    expect(fused.modeUsed).toBe('fused');
    expect(fused.hits[0]?.documentId).toBe(ids.get('storage'));
    const scores = dense.hits.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect((await service().call('GET', '/document')).json).toMatchObject({ currentEmbeddingModel: stamp });
  });
});

// Documents over HTTP (reference 20): acceptance in its order, ingestion, hostile bodies, search against brute force, and what is
// left when a document goes.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from './support/client.ts';
import { boundary, ensured, form, multipart, on, sent, settled, upload } from './support/documents.ts';
import { createVertices, expectJson, expectProblem, property } from './support/requests.ts';
import { withService } from './support/with-service.ts';

const manual = `# Turbine manual

The PitchController keeps the blades at their angle, whatever the wind does.

## Gearbox

Oil is changed each year. ERROR_42 means that the oil is too warm.

## Tower

${'Bolts are looked at in spring. '.repeat(12)}`;

describe('documents', () => {
  const service = withService(on);

  test('are 428 until their indexes are there, and again when one is deleted', async () => {
    const json = { name: 'm', text: manual, embed: false };
    const problem = expectProblem(
      await service().call('POST', '/document/text', { json }),
      428,
      'Semantic layer not bound',
    );
    expect(problem.detail).toContain('documents-text');
    const { ready, vector, fulltext, entity } = (await ensured(service())).json;
    expect([ready, vector.required, fulltext.ready, entity.required]).toEqual([true, false, true, false]);
    expectJson(await service().call('DELETE', '/index/documents-text'));
    expectProblem(await service().call('POST', '/document/text', { json }), 428);
    await ensured(service());
  });

  test('become chunks that hang on them, and are found, and go with them', async () => {
    const [target] = await createVertices(service(), [{ creationDate: 1, label: 'part', properties: [] }]);
    await service().call('POST', '/index', { json: { uniqueId: 'parts', pluginType: 'DictionaryIndex' } });
    const key = { propertyValue: 'PitchController', fullQualifiedTypeName: 'System.String' };
    await service().call('PUT', '/index/parts', { json: { graphElementId: target, key } });
    const id = await sent(service(), {
      name: 'manual',
      text: manual,
      properties: { plant: 'A' },
      link: { indexIds: ['parts'] },
    });
    const { summary, chunks } = await settled(service(), id);
    expect(summary).toMatchObject({
      status: 'indexed',
      sourceFormat: 'md',
      converter: 'none',
      embedded: false,
      error: null,
    });
    expect(summary.chunkerConfig).toBe('markdown/v1;min=20;max=120');
    expect(summary.chunkCount).toBe(chunks.length);
    expect(chunks.map((chunk: { order: number }) => chunk.order)).toEqual(chunks.map((_: unknown, i: number) => i));
    expect(chunks[0]).toMatchObject({ headingPath: 'Turbine manual', identifiers: ['PitchController'], kind: 'text' });
    const vertex = (await service().call('GET', `/vertex/${chunks[0].chunkId}`)).json;
    expect(Object.keys(vertex.outEdges).sort()).toEqual(['mentions', 'next']);
    expect(vertex.properties).toContainEqual(property('plant', 'A'));
    const found = await service().call('POST', '/document/search', { json: { queryText: 'ERROR_42 oil', window: 1 } });
    expect(found.json.modeUsed).toBe('lexical');
    expect(found.json.hits[0]).toMatchObject({ documentId: id, headingPath: 'Turbine manual > Gearbox', score: 3 });
    expect(found.json.hits[0].window.map((one: { order: number }) => one.order)).toEqual([0, 2]);
    const grouped = await service().call('POST', '/document/search', {
      json: { queryText: 'oil', groupByDocument: true },
    });
    expect(grouped.json).toMatchObject({ hits: null, documents: [{ document: { documentId: id }, bestScore: 2 }] });
    const list = (await service().call('GET', '/document')).json;
    expect(list).toMatchObject({
      namespaceChunkCount: chunks.length,
      chunkCeiling: 100_000,
      currentEmbeddingModel: null,
    });
    expectProblem(await service().call('GET', `/document/${chunks[0].chunkId}`), 400);
    expectProblem(await service().call('DELETE', `/document/${target}`), 400);
    expectProblem(await service().call('GET', '/document/99999'), 404);
    expect((await service().call('DELETE', `/document/${id}?waitForCompletion=true`)).status).toBe(202);
    const status = (await service().call('GET', '/status')).json;
    expect([status.vertexCount, status.edgeCount]).toEqual([1, 0]);
    const text = status.indices.find((index: { indexId: string }) => index.indexId === 'documents-text');
    expect([text.keys, text.values]).toEqual([0, 0]);
  });

  test('are checked in the order of the contract', async () => {
    const refused = async (json: object, status: number, title: string): Promise<void> => {
      const all = { name: 'n', text: 'some text', embed: false, ...json };
      expectProblem(await service().call('POST', '/document/text', { json: all }), status, title);
    };
    const reserved = { properties: { status: 'x' } };
    const missing = { replaceDocumentId: 99999 };
    await refused({ name: ' ' }, 400, 'Bad Request');
    await refused({ text: '\n' }, 400, 'Bad Request');
    await refused({ format: 'pdf', embed: true }, 400, 'Bad Request');
    await refused({ embed: true, ...reserved }, 403, 'Embedding provider disabled');
    await refused({ ...reserved, ...missing }, 400, 'Reserved property key');
    await refused(missing, 404, 'Replace target not found');
    const [other] = await createVertices(service(), [{ creationDate: 1, label: 'x', properties: [] }]);
    await refused({ replaceDocumentId: other }, 400, 'Replace target is not a Document');
    await refused({ link: { indexIds: ['no'], maxLinksPerChunk: 0 } }, 400, 'Invalid link cap');
    await refused({ link: { indexIds: ['no'] } }, 400, 'Unknown link index');
    await service().call('POST', '/index', {
      json: {
        uniqueId: 'vec',
        pluginType: 'VectorIndex',
        pluginOptions: { dimension: { propertyId: 'd', propertyValue: '2', fullQualifiedTypeName: 'System.Int32' } },
      },
    });
    await refused({ link: { indexIds: ['vec'] } }, 400, 'Link index not equality-capable');
    expectProblem(
      await upload(service(), { file: { file: 'a.pdf', content: 'x' } }),
      503,
      'Document conversion unavailable',
    );
    expectProblem(await upload(service(), { file: { file: 'a.exe', content: 'x' } }), 400);
    expectProblem(await upload(service(), { file: { file: 'a.md', content: '' } }), 400);
    expectProblem(await upload(service(), { propertiesJson: '{', file: { file: 'a.md', content: 'x' } }), 400);
    // Refused by its brackets, before anything is made of them.
    const deep = { propertiesJson: '['.repeat(300), file: { file: 'a.md', content: 'x' } };
    expect(expectProblem(await upload(service(), deep), 400).detail).toContain('Http:MaxBodyDepth');
    expectProblem(await upload(service(), { linkJson: '{}', file: { file: 'a.md', content: 'x' } }), 400);
  });

  test('two of one content at once are one', async () => {
    const json = { name: 'twice', text: 'the very same words', embed: false };
    const answers = await Promise.all([1, 2, 3].map(() => service().call('POST', '/document/text', { json })));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
    expectProblem(answers.find(({ status }) => status === 409) as Answer, 409, 'Duplicate content');
    const id = answers.find(({ status }) => status === 202)?.json.documentId;
    await settled(service(), id);
    // The one that is replaced may have the same content, and goes last.
    const next = await sent(service(), { ...json, replaceDocumentId: id });
    expect((await settled(service(), next)).summary.status).toBe('indexed');
    expectProblem(await service().call('GET', `/document/${id}`), 404);
  });

  test('that are searched amiss are told why', async () => {
    const refused = async (json: object, title: string): Promise<void> => {
      expectProblem(await service().call('POST', '/document/search', { json }), 400, title);
    };
    await refused({ queryText: 'a', k: 0 }, 'Invalid k');
    await refused({ queryText: 'a', k: 101 }, 'Invalid k');
    await refused({ queryText: 'a', window: 6 }, 'Invalid window');
    await refused({ queryText: 'a', mode: 'both' }, 'Invalid mode');
    await refused({ queryText: ' ' }, 'No query');
    await refused({ queryVector: [1], mode: 'lexical' }, 'No lexical query');
    await refused({ queryVector: [1], mode: 'dense' }, 'Dense side unavailable');
    await refused({ queryVector: [1] }, 'No side available');
  });

  test('of hostile forms are refused, and the service lives', async () => {
    const call = (body: string | Uint8Array, type = multipart['content-type']): Promise<Answer> =>
      service().call('POST', '/document', { headers: { 'content-type': type }, body });
    expectProblem(await call('x', 'multipart/form-data'), 400);
    expectProblem(await call('{}', 'application/json'), 415);
    expectProblem(await call('x'), 400);
    expectProblem(await call(form({ file: { file: 'a.md', content: 'text' } }).subarray(0, -8)), 400);
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`f${i}`, 'x']));
    expectProblem(await call(form(many)), 400);
    expectProblem(await call(`--${boundary}\r\nx: ${'y'.repeat(100_000)}`), 400);
    const named = await upload(service(), { file: { file: '../..\\etc/pass wd.MD', content: '# a\r\n\r\nb' } });
    expect(named.status, named.text).toBe(202);
    expect(named.json.name).toBe('pass wd.MD');
    const wide = Buffer.from('\ufeff# Grün\n\nwörter', 'utf16le');
    const utf16 = (await upload(service(), { file: { file: 'wide.txt', content: wide } })).json.documentId;
    expect((await settled(service(), utf16)).chunks[0].textPreview).toBe('# Grün\n\nwörter');
    const broken = Uint8Array.of(0x61, 0xff, 0x62, 0);
    const id = (await upload(service(), { file: { file: 'broken.txt', content: broken } })).json.documentId;
    expect((await settled(service(), id)).chunks[0].textPreview).toBe('a\ufffdb\0');
  });

  test('deleted, erased or dropped in the middle leave nothing', async () => {
    await service().call('PUT', '/ns/gone');
    await ensured(service(), '/ns/gone');
    const long = (seed: string): string => `${seed} `.repeat(20_000);
    await sent(service(), { name: 'a', text: long('alpha') }, '/ns/gone');
    const erased = await sent(service(), { name: 'b', text: long('beta') }, '/ns/gone');
    expect((await service().call('DELETE', `/document/${erased}?waitForCompletion=true`, {})).status).toBe(404);
    expect((await service().call('DELETE', `/ns/gone/document/${erased}?waitForCompletion=true`)).status).toBe(202);
    await service().call('HEAD', '/ns/gone/tabularasa');
    await ensured(service(), '/ns/gone');
    await sent(service(), { name: 'c', text: long('gamma') }, '/ns/gone');
    expect((await service().call('DELETE', '/ns/gone')).status).toBeLessThan(300);
    const last = await sent(service(), { name: 'd', text: 'delta comes behind all of them' });
    expect((await settled(service(), last)).summary.status).toBe('indexed');
  });
});

describe('limits of documents', () => {
  const service = withService({
    ...on,
    'Ingestion:MaxUploadBytes': 2000,
    'Ingestion:MaxChunksPerDocument': 3,
    'Ingestion:MaxChunksPerNamespace': 4,
    'Ingestion:ChunkMaxChars': 30,
  });
  beforeAll(async () => {
    await ensured(service());
  });

  test('bytes come first, then chunks fail a document, then the namespace is full', async () => {
    const text = 'word '.repeat(500);
    const body = { name: ' ', text, format: 'none', embed: true };
    expectProblem(await service().call('POST', '/document/text', { json: body }), 413, 'Text too large');
    const huge = 'x'.repeat(3_000_000);
    expectProblem(await service().call('POST', '/document/text', { json: { text: huge } }), 413, 'Text too large');
    expectProblem(await upload(service(), { file: { file: 'a.exe', content: text } }), 413, 'Upload too large');
    const many = await settled(service(), await sent(service(), { name: 'many', text: text.slice(0, 500) }));
    expect(many.summary).toMatchObject({ status: 'failed', chunkCount: 0 });
    expect(many.summary.error).toContain('more than 3 chunks');
    const three = 'one two three four five six. seven eight nine ten eleven. twelve';
    const first = await settled(service(), await sent(service(), { name: 'f', text: three }));
    expect(first.summary).toMatchObject({ status: 'indexed', chunkCount: 3 });
    const second = await settled(service(), await sent(service(), { name: 's', text: `again ${three}` }));
    expect(second.summary.error).toContain('beyond its 4');
    const one = await settled(service(), await sent(service(), { name: 'o', text: 'one chunk' }));
    expect(one.summary.status).toBe('indexed');
    const json = { name: 'x', text: 'no more', embed: false };
    expectProblem(await service().call('POST', '/document/text', { json }), 507, 'Chunk ceiling reached');
  });
});

describe('search with vectors of callers', () => {
  const service = withService({ ...on, 'Ingestion:ChunkMinChars': 1 });
  const dimension = 4;

  test('is that of brute force in every mode', async () => {
    await ensured(service());
    const value = (propertyValue: string, fullQualifiedTypeName = 'System.String') => ({
      propertyId: 'o',
      propertyValue,
      fullQualifiedTypeName,
    });
    const pluginOptions = {
      dimension: value('4', 'System.Int32'),
      metric: value('DotProduct'),
      embeddingName: value('default'),
    };
    const index = { uniqueId: 'documents', pluginType: 'VectorIndex', pluginOptions };
    expect((await service().call('POST', '/index', { json: index })).json).toBe(true);
    const words = ['oil', 'bolt', 'wind', 'blade'];
    let state = 7;
    const random = (below: number): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const sections = Array.from({ length: 80 }, (_, i) => {
      const body = Array.from({ length: 1 + random(6) }, () => words[random(words.length)]).join(' ');
      return `# s${i}\n\n${body}`;
    });
    const id = await sent(service(), { name: 'random', text: sections.join('\n\n') });
    const { chunks } = await settled(service(), id);
    expect(chunks.length).toBe(80);
    const vectors = new Map<number, number[]>();
    for (const { chunkId } of chunks) {
      const vector = Array.from({ length: dimension }, () => random(5));
      vectors.set(chunkId, vector);
      const path = `/graphelement/${chunkId}/embedding/default?waitForCompletion=true`;
      expect((await service().call('PUT', path, { json: { vector } })).status).toBe(202);
    }
    const query = { queryText: 'oil bolt', queryVector: [1, 2, 0, 3] };
    const rank = (score: (chunk: { chunkId: number; textPreview: string }) => number) =>
      chunks
        .map((chunk: { chunkId: number; textPreview: string }) => ({ id: chunk.chunkId, score: score(chunk) }))
        .sort((a: { id: number; score: number }, b: { id: number; score: number }) => b.score - a.score || a.id - b.id)
        .filter((one: { score: number }) => one.score > 0)
        .slice(0, 50);
    const dense = rank(({ chunkId }) => {
      return (vectors.get(chunkId) as number[]).reduce((sum, x, i) => sum + x * (query.queryVector[i] as number), 0);
    });
    const lexical = rank(({ textPreview }) => textPreview.match(/oil|bolt/g)?.length ?? 0);
    const sums = new Map<number, number>();
    for (const side of [dense, lexical]) {
      for (const [i, { id }] of side.entries()) sums.set(id, (sums.get(id) ?? 0) + 1 / (61 + i));
    }
    const fused = [...sums].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score || a.id - b.id);
    for (const [mode, expected] of Object.entries({ dense, lexical, fused })) {
      const { modeUsed, hits } = (await service().call('POST', '/document/search', { json: { ...query, mode, k: 12 } }))
        .json;
      expect(modeUsed).toBe(mode);
      expect(hits.map((hit: { chunkId: number }) => hit.chunkId)).toEqual(
        expected.slice(0, 12).map(({ id }: { id: number }) => id),
      );
      for (const [i, hit] of hits.entries()) expect(hit.score).toBeCloseTo(expected[i].score, 6);
    }
    const wrong = await service().call('POST', '/document/search', { json: { queryVector: [1], mode: 'dense' } });
    expectProblem(wrong, 400, 'Dimension mismatch');
  });
});

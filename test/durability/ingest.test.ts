// A process that ends between any two writes of an ingestion: what the next start finds has documents that are whole or failed, and no chunk,
// edge, embedding or entry of an index beside them. The writes that a process made are a prefix of its transactions whatever the disk does
// (power-loss.test.ts), so each number of writes is one place to die at.

import { describe, expect, it } from 'vitest';
import { ensureBinding } from '../../src/documents/binding.ts';
import { inMemory } from '../../src/documents/content.ts';
import { Documents } from '../../src/documents/documents.ts';
import type { Embedder } from '../../src/documents/embedder.ts';
import { findVertices, mentionsEdge, readVertex } from '../../src/documents/model.ts';
import { DocumentRefused } from '../../src/documents/refusal.ts';
import type { Submission } from '../../src/documents/submission.ts';
import type { Engine, GraphEngine } from '../../src/engine/types.ts';
import { settingsOf } from '../../src/settings-of.ts';
import { MemoryBlobStore, MemoryLogStore } from '../../src/storage/memory-store.ts';
import { graphOf, type Home, startedWith } from '../unit/engine-support.ts';

const { settings } = settingsOf({
  ...{ 'Ingestion:Enabled': true, 'Ingestion:ChunkMinChars': 1, 'Ingestion:ChunkMaxChars': 40 },
  ...{ 'Nlp:Enabled': true, 'Nlp:Endpoint': 'http://nlp' },
});
const signal = new AbortController().signal;
const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Vectors of lengths and spaces: what they mean matters to nobody here. */
const embedder: Embedder = {
  ...{ stamp: 'm#2#DotProduct', dimension: 2, metric: 'DotProduct', maxBatchSize: 8, maxBatches: 1 },
  embed: async (texts) => texts.map((text) => Float32Array.of(text.length, text.split(' ').length)),
  embedQuery: async (text) => Float32Array.of(text.length, 1),
};

/** A language service that finds the last word of each text. */
const fetch = (async (_url: unknown, { body }: { body: string }) => {
  const { items } = JSON.parse(body) as { items: { id: string; text: string }[] };
  const answers = items.map(({ id, text }) => {
    const name = text.split(' ').at(-1) ?? '';
    return { id, entities: [{ text: name, label: 'WORD', start: 0, end: 1 }], keyTerms: [name] };
  });
  return new Response(JSON.stringify({ items: answers }));
}) as unknown as typeof globalThis.fetch;

class Dead extends Error {}

/** `graph`, for a process that dies before write number `last`; what it tries later changes nothing. */
function mortal(graph: GraphEngine, last: number): { readonly graph: GraphEngine; readonly writes: () => number } {
  let writes = 0;
  const write: GraphEngine['write'] = (operations) => {
    if (++writes > last) throw new Dead();
    return graph.write(operations);
  };
  const proxy = new Proxy(graph, {
    get: (target, key) => {
      if (key === 'write') return write;
      const value = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { graph: proxy, writes: () => writes };
}

function documentsOver(graph: GraphEngine, pausing = pause): Documents {
  const engine = { list: () => [{ graph }] } as unknown as Pick<Engine, 'list'>;
  return new Documents({ settings, engine, fetch, pause: pausing, embedder, report: () => {} });
}

function submission(name: string, sections: number, more: Partial<Submission> = {}): Submission {
  const text = Array.from({ length: sections }, (_, i) => `# ${name} ${i}\n\nwords of section word${i % 5}`).join(
    '\n\n',
  );
  return {
    ...{ name, sourceFormat: 'md', content: inMemory(new TextEncoder().encode(text)), embed: true, sourceUri: null },
    ...{ properties: { tag: name }, replaceDocumentId: null, link: null, ...more },
  };
}

interface Run {
  readonly writes: number;
  readonly home: Home;
}

/** Three documents, the second in the place of the first, until the process dies before write number `last`. */
async function runUntil(last: number): Promise<Run> {
  const home = await startedWith({ logs: new MemoryLogStore(), metadata: new MemoryBlobStore() });
  const whole = graphOf(home.engine);
  await ensureBinding({ settings, graph: whole, embedder });
  const { graph, writes } = mortal(whole, last);
  const documents = documentsOver(graph);
  const settled = async (id: number): Promise<void> => {
    while (writes() <= last && readVertex(graph, id)?.values.get('status') === 'processing') await pause();
  };
  try {
    const { documentId } = await documents.accept(graph, submission('first', 20), signal);
    await settled(documentId);
    const next = await documents.accept(graph, submission('second', 5, { replaceDocumentId: documentId }), signal);
    const third = await documents.accept(graph, submission('third', 3, { embed: false }), signal);
    await settled(next.documentId);
    await settled(third.documentId);
  } catch (error) {
    if (!(error instanceof Dead)) throw error;
  }
  await documents.close();
  await home.engine.close();
  return { writes: writes(), home };
}

/** What the next start makes of it. */
async function checkAfter({ home }: Run): Promise<string[]> {
  const { engine } = await startedWith({ logs: home.options.logs, metadata: home.options.metadata });
  const graph = graphOf(engine);
  const documents = documentsOver(graph);
  await documents.start();
  const names = await checkWhole(documents, graph, true);
  await documents.close();
  await engine.close();
  return names;
}

/** Names of the documents that are indexed; everything that is there belongs to one of them. */
async function checkWhole(documents: Documents, graph: GraphEngine, hasIndexes: boolean): Promise<string[]> {
  const list = (await documents.list(graph, signal)).documents;
  const indexed = list.filter(({ status }) => status === 'indexed');
  for (const { status, error } of list) {
    if (status !== 'indexed') expect([status, error]).toEqual(['failed', 'interrupted']);
  }
  let [chunks, embedded, mentions] = [0, 0, 0];
  for (const { documentId, chunkCount, embedded: isEmbedded } of indexed) {
    const read = await documents.read(graph, documentId);
    expect(read.chunks.map(({ order }) => order)).toEqual(Array.from({ length: chunkCount }, (_, i) => i));
    chunks += chunkCount;
    if (isEmbedded) embedded += chunkCount;
    for (const { chunkId } of read.chunks) mentions += graph.reads.groupDegree(chunkId, 'out', mentionsEdge) ?? 0;
  }
  const entities = (await findVertices(graph, 'Entity', 'entityKey', { not: '' })).length;
  expect((await findVertices(graph, 'Chunk', 'kind', { not: '' })).length).toBe(chunks);
  expect(graph.vertexCount).toBe(list.length + chunks + entities);
  // Each chunk hangs on its document, and on the chunk before unless it is the first.
  expect(graph.edgeCount).toBe(2 * chunks - indexed.length + mentions);
  if (!hasIndexes) return indexed.map(({ name }) => name ?? '').sort();
  const sizeOf = (index: string): number => graph.indexes.find(index)?.values ?? -1;
  expect(sizeOf('documents-text')).toBe(chunks);
  expect(sizeOf('documents')).toBe(embedded);
  expect(sizeOf('documents-entities')).toBe(entities);
  return indexed.map(({ name }) => name ?? '').sort();
}

describe('a process that ends in the middle of an ingestion', () => {
  it('leaves documents that are whole or failed, and nothing beside them', async () => {
    const { writes, home } = await runUntil(Number.POSITIVE_INFINITY);
    expect(await checkAfter({ writes, home })).toEqual(['second', 'third']);
    expect(writes).toBeGreaterThan(15);
    const seen = new Set<string>();
    for (let last = 0; last < writes; last++) seen.add((await checkAfter(await runUntil(last))).join());
    // The new one is there before the old one is not: no place to die at has neither.
    expect([...seen].sort()).toEqual(['', 'first', 'second']);
  });

  it('would be seen by this test if nothing were cleaned up', async () => {
    const { home } = await runUntil(6);
    const { engine } = await startedWith({ logs: home.options.logs, metadata: home.options.metadata });
    const graph = graphOf(engine);
    const stubs = await findVertices(graph, 'Document', 'status', { is: 'processing' });
    expect(stubs.length).toBe(1);
    expect((await findVertices(graph, 'Chunk', 'kind', { not: '' })).length).toBeGreaterThan(0);
    await engine.close();
  });
});

describe('a graph that changes in the middle of an ingestion', () => {
  type Disturb = (graph: GraphEngine, documents: Documents) => void;

  /** Three documents, and `disturb` in the pause number `at`; null when there are not so many pauses. */
  async function disturbed(at: number, hasIndexes: boolean, disturb: Disturb) {
    const { engine } = await startedWith();
    const graph = graphOf(engine);
    await ensureBinding({ settings, graph, embedder });
    // What is removed leaves a hole, so that a trim gives other ids.
    const hole = graph.write([{ kind: 'createVertex', creationDate: 1, label: null, properties: [] }]);
    let pauses = 0;
    const documents: Documents = documentsOver(graph, async () => {
      await pause();
      if (++pauses !== at) return;
      if (hole.ok) graph.write([{ kind: 'removeElement', element: hole.firstId, skipRemoved: true }]);
      disturb(graph, documents);
    });
    for (const [name, sections] of [
      ['a', 20],
      ['b', 3],
      ['c', 18],
    ] as const) {
      // Behind an erase there are no indexes to accept anything for.
      await documents.accept(graph, submission(name, sections), signal).catch((error: unknown) => {
        if (hasIndexes || !(error instanceof DocumentRefused)) throw error;
      });
    }
    const isProcessing = ({ status }: { readonly status: string | null }) => status === 'processing';
    while ((await documents.list(graph, signal)).documents.some(isProcessing)) await pause();
    await documents.close();
    const names = pauses < at ? null : await checkWhole(documents, graph, hasIndexes);
    await engine.close();
    return names;
  }

  async function everywhere(hasIndexes: boolean, disturb: Disturb): Promise<Set<string>> {
    const seen = new Set<string>();
    for (let at = 1; ; at++) {
      const names = await disturbed(at, hasIndexes, disturb);
      if (names === null) return seen;
      seen.add(names.join());
    }
  }

  it('by a trim that gives other ids has whole documents only', async () => {
    const seen = await everywhere(true, (graph) => void graph.write([{ kind: 'trim' }]));
    expect(seen.size).toBeGreaterThan(1);
  });

  it('by an erase has nothing of what came before', async () => {
    const seen = await everywhere(false, (graph) => void graph.write([{ kind: 'erase' }]));
    expect(seen.has('')).toBe(true);
  });

  it('by the deletion of its documents has the others', async () => {
    const seen = await everywhere(true, (graph, documents) => {
      for (let id = 0; id < graph.vertexCount; id++)
        if (readVertex(graph, id)?.label === 'Document') graph.write(documents.removal(graph, id));
    });
    // The first pause comes behind the first document, wherever the others are by then.
    expect([...seen].some((names) => !names.includes('a'))).toBe(true);
  });
});

// Documents of a namespace: what is put is there, in order, after an erase, a replay, a save and a restore.

import { describe, expect, it } from 'vitest';
import type { WriteOperation } from '../../src/core/requests.ts';
import { defaultSlices, slicesByCount } from '../../src/core/slices.ts';
import { CoreStatus } from '../../src/core/status.ts';
import { loadCheckpoint } from '../../src/engine/checkpoint/load.ts';
import { readCheckpoint } from '../../src/engine/checkpoint/manifest.ts';
import { type CheckpointSection, sectionKinds } from '../../src/engine/checkpoint/types.ts';
import { Documents, DocumentsUnreadable, sectionsOf } from '../../src/engine/documents.ts';
import type { GraphEngine, WriteOutcome } from '../../src/engine/types.ts';
import { MemoryCheckpointStore } from '../../src/storage/memory-store.ts';
import { graphOf, homeWith, startedWith, vertex } from './engine-support.ts';
import { Cores, crc32, namespaceId, Writer } from './support/checkpoint-home.ts';

const { storedQueries, subgraphRecipes, pluginSources } = sectionKinds;

async function settled(outcome: WriteOutcome | false): Promise<void> {
  if (outcome === false || !outcome.ok) throw new Error(`refused: ${JSON.stringify(outcome)}`);
  expect(await outcome.durable).toBe(true);
}

const texts = ({ documents }: GraphEngine): string[] =>
  documents.list(storedQueries).map(({ name, text }) => `${name}=${text}`);

/** Whatever a text may hold. */
const strange = ['', 'a\u0000b', '\ud800 alone', 'ü€😀', '"quoted"\n', 'x'.repeat(1_100_000)];

/** Characters that all documents may have together. */
const mostDocumentCharacters = 20_000_000;

describe('documents', () => {
  it('stand in the order of their creation, each kind for itself', async () => {
    const graph = graphOf((await startedWith()).engine);
    const { documents } = graph;
    for (const name of ['b', 'a', 'c']) await settled(documents.put(storedQueries, name, name));
    await settled(documents.put(subgraphRecipes, 'a', 'recipe'));
    await settled(documents.put(storedQueries, 'b', 'again'));
    expect(texts(graph)).toEqual(['b=again', 'a=a', 'c=c']);
    await settled(documents.remove(storedQueries, 'a'));
    await settled(documents.put(storedQueries, 'a', 'last'));
    expect(texts(graph)).toEqual(['b=again', 'c=c', 'a=last']);
    expect(documents.get(subgraphRecipes, 'a')).toBe('recipe');
    expect(documents.get(pluginSources, 'a')).toBeNull();
    expect(documents.remove(pluginSources, 'a')).toBe(false);
    expect(documents.remove(storedQueries, 'A')).toBe(false);
  });

  it('keep every text as it is, over a replay and over a checkpoint', async () => {
    const home = await startedWith();
    const { documents } = graphOf(home.engine);
    for (const [i, text] of strange.entries())
      await settled(documents.put(pluginSources, `${i} ${text.slice(0, 9)}`, text));
    const before = documents.list(pluginSources);
    await home.engine.close();
    const again = homeWith({ ...home.options });
    await again.engine.start();
    expect(graphOf(again.engine).documents.list(pluginSources)).toEqual(before);

    const kept = new Documents();
    await new Cores().using(async (core) => {
      const graph = core.createGraph();
      for (const { name, text } of before) {
        const applied = core.write(graph, [{ kind: 'putDocument', documentKind: pluginSources, name, text }], 0);
        if (applied.ok) kept.apply(applied.bytes);
      }
    });
    const sections = await sectionsOf(kept.all(), defaultSlices, async () => {});
    expect(new Documents(sections).list(pluginSources)).toEqual(before);
  });

  it('make their sections in slices', async () => {
    const pairs = Array.from({ length: 100 }, (_, i) => [`${i}`, 'text'] as const);
    const bytes = new TextEncoder().encode(JSON.stringify(pairs));
    const documents = new Documents([{ kind: storedQueries, required: true, bytes }]);
    let pauses = 0;
    const sections = await sectionsOf(documents.all(), slicesByCount, async () => {
      pauses++;
    });
    expect(sections).toEqual([{ kind: storedQueries, required: true, bytes }]);
    expect(pauses).toBeGreaterThan(8);
  });

  it('have a bound together, which what goes makes room in', async () => {
    const graph = graphOf((await startedWith()).engine);
    const text = 'x'.repeat(mostDocumentCharacters / 2 - 1);
    const { documents } = graph;
    await settled(documents.put(storedQueries, 'a', text));
    await settled(documents.put(subgraphRecipes, 'a', text));
    expect(documents.overflow('', '')).toBeNull();
    expect(documents.overflow('b', '')).toContain(`${mostDocumentCharacters + 1} characters`);
    await settled(documents.put(storedQueries, 'a', 'short'));
    expect(documents.overflow('b', text.slice(6))).toBeNull();
    expect(documents.overflow('b', `${text.slice(6)}x`)).not.toBeNull();
    await settled(documents.remove(subgraphRecipes, 'a'));
    expect(documents.overflow('b', text)).toBeNull();
  });

  it('stay when the graph is erased or trimmed, and change neither counts nor ids', async () => {
    const graph = graphOf((await startedWith()).engine);
    await settled(graph.write([vertex('a'), vertex('b')]));
    await settled(graph.documents.put(storedQueries, 'q', 'text'));
    expect(graph.vertexCount).toBe(2);
    expect(graph.write([vertex()])).toMatchObject({ firstId: 2 });
    await settled(graph.write([{ kind: 'trim' }]));
    await settled(graph.write([{ kind: 'erase' }]));
    expect(texts(graph)).toEqual(['q=text']);
    expect(graph.write([vertex()])).toMatchObject({ firstId: 0 });
  });

  it('are not told to subscribers of the change feed, and do not disturb it', async () => {
    const changeFeed = {
      enabled: true,
      bufferSize: 100,
      subscriberQueueSize: 10,
      maxSubscribers: 1,
      keepAliveSeconds: 10,
    };
    const graph = graphOf((await startedWith({ changeFeed })).engine);
    const before = graph.changeFeed.newest;
    await settled(graph.documents.put(storedQueries, 'q', 'text'));
    expect(graph.changeFeed.newest).toBe(before);
    await settled(graph.write([vertex()]));
    expect(graph.changeFeed.newest).not.toBe(before);
  });

  it('stand alone in their transactions', async () => {
    const graph = graphOf((await startedWith()).engine);
    const put = { kind: 'putDocument', documentKind: storedQueries, name: 'q', text: 't' } as const;
    const refused: WriteOperation[][] = [
      [put, vertex()],
      [vertex(), put],
      [put, { kind: 'removeElement', element: 0, skipRemoved: true }],
      [{ kind: 'createIndex', index: 'i', indexKind: 1, definition: null }, put],
      [put, { kind: 'erase' }],
      [{ ...put, documentKind: 0 }],
    ];
    for (const operations of refused) expect(graph.write(operations)).toMatchObject({ ok: false });
    expect(graph.write([put, vertex()])).toMatchObject({ status: CoreStatus.badTransaction });
    expect(texts(graph)).toEqual([]);
    await settled(graph.write([put, { ...put, name: 'r' }, { kind: 'removeDocument', documentKind: 3, name: 'q' }]));
    expect(texts(graph)).toEqual(['r=t']);
  });

  it('are in a checkpoint as they are at its anchor, whenever they were put', async () => {
    const store = new MemoryCheckpointStore();
    const cores = new Cores();
    await cores.using(async (core) => {
      const writer = new Writer(core, 7);
      for (let i = 0; i < 20; i++) await writer.write(20);
      await writer.keep({ before: '1', gone: '2' });
      let paused = 0;
      const pause = async (): Promise<void> => {
        paused++;
        await writer.keep({ [`during ${paused}`]: String(paused), gone: null });
      };
      let kept = '';
      const late = Object.assign(Object.create(store) as MemoryCheckpointStore, {
        put: async (name: string, bytes: Uint8Array) => {
          kept = writer.kept;
          await writer.keep({ late: '5' });
          await store.put(name, bytes);
        },
      });
      await writer.save(late, 'a', { pause });
      expect(paused).toBeGreaterThan(0);
      await writer.keep({ after: '4', before: null });
      const { sections } = await readCheckpoint(store, 'a', crc32);
      expect(sections.map(({ kind, required }) => [kind, required])).toEqual([
        [storedQueries, true],
        [sectionKinds.indexes, false],
      ]);
      await cores.using(async (other) => {
        const { documents } = await loadCheckpoint(other, store, 'a', { crc32, pause: async () => {}, namespaceId });
        expect(JSON.stringify(documents.list(storedQueries))).toBe(kept);
      });
    });
  });

  it('are refused when a section is none of theirs', () => {
    const section = (text: string): CheckpointSection => {
      return { kind: storedQueries, required: true, bytes: new TextEncoder().encode(text) };
    };
    for (const text of ['', '{}', '[["a"]]', '[["a",1]]', '[["a","b","c"]]', '[null]', 'null']) {
      expect(() => new Documents([section(text)])).toThrow(DocumentsUnreadable);
    }
    expect(new Documents([section('[["a","b"]]')]).list(storedQueries)).toEqual([{ name: 'a', text: 'b' }]);
    expect(new Documents([{ ...section('{}'), required: false }]).list(storedQueries)).toEqual([]);
  });
});

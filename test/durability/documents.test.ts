// One flipped bit anywhere in the catalogue or the registry of save games: the document is refused and left alone, or it says exactly what
// it said before. A digit that has become another one is still good JSON; only the checksum can tell.

import { describe, expect, it } from 'vitest';
import { type Catalogue, CatalogueUnreadable, readCatalogue, writeCatalogue } from '../../src/engine/catalogue.ts';
import {
  entryOf,
  RegistryUnreadable,
  readRegistry,
  type SaveGameMember,
  writeRegistry,
} from '../../src/engine/savegames/registry.ts';
import { MemoryBlobStore } from '../../src/storage/memory-store.ts';
import { homeWith } from '../unit/engine-support.ts';

const silent = { info: () => {}, warn: () => {}, error: () => {} };

const catalogue: Catalogue = {
  entries: [
    {
      id: 'ns-20260101-000000-00aa',
      name: 'flights "EU" \u00fc',
      createdAt: '2026-01-01T00:00:00.000Z',
      pluginRegistrationEnabled: null,
      loadOnStartupEnabled: true,
    },
    {
      id: 'ns-20260102-000000-00ab',
      name: 'zoo',
      createdAt: '2026-01-02T00:00:00.000Z',
      pluginRegistrationEnabled: false,
      loadOnStartupEnabled: false,
    },
  ],
  defaultPluginRegistrationEnabled: null,
  rejected: [{ id: 'what', name: 7 }],
};

function registryEntries() {
  const kpis = {
    vertexCount: 123_456,
    edgeCount: 7,
    usedMemoryBytes: 1_000_000,
    indices: [{ indexId: 'i', pluginType: 'RangeIndex', members: [1] }],
    availableIndexPlugins: ['RangeIndex'],
    availablePathPlugins: [],
    availableServicePlugins: [],
    subGraphs: ['s'],
  };
  const member = (name: string, id: string): SaveGameMember => {
    return { name, id, location: `/data/${name}.f8s#5250123456789012345`, fileCount: 2, totalBytes: 10, kpis };
  };
  const facts = { savedAt: '2026-01-01T00:00:00.000Z', trigger: 'api', engineVersion: '1.2.3' } as const;
  return [
    entryOf({ ...facts, id: 'sg-2' }, [member('default', 'default'), member('x', 'ns-20260101-000000-00aa')]),
    entryOf({ ...facts, id: 'sg-1' }, [member('default', 'default')]),
  ];
}

interface Outcome {
  detected: number;
  harmless: number;
  readonly wrong: number[];
}

/** Reads the document with each of its bits flipped, one at a time. */
async function flipEach(
  store: MemoryBlobStore,
  name: string,
  read: () => Promise<unknown>,
  isRefusal: (error: unknown) => boolean,
): Promise<Outcome> {
  const good = (await store.get(name)) as Uint8Array;
  const wanted = JSON.stringify(await read());
  const outcome: Outcome = { detected: 0, harmless: 0, wrong: [] };
  for (let bit = 0; bit < good.length * 8; bit++) {
    const bad = good.slice();
    bad[bit >> 3] = (bad[bit >> 3] as number) ^ (1 << (bit & 7));
    await store.put(name, bad);
    try {
      if (JSON.stringify(await read()) === wanted) outcome.harmless++;
      else outcome.wrong.push(bit);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      outcome.detected++;
    }
    if (!Buffer.from(bad).equals((await store.get(name)) as Uint8Array)) throw new Error('It was written over.');
  }
  return outcome;
}

/** The text of a document without its seal, as a person or another program may write it. */
async function unseal(store: MemoryBlobStore, name: string): Promise<void> {
  const { checksum, ...content } = JSON.parse(new TextDecoder().decode((await store.get(name)) as Uint8Array));
  expect(checksum).toMatch(/^[0-9a-f]{8}$/);
  await store.put(name, new TextEncoder().encode(JSON.stringify(content)));
}

describe('a flipped bit', () => {
  const isCatalogueRefusal = (error: unknown): boolean => error instanceof CatalogueUnreadable;
  const isRegistryRefusal = (error: unknown): boolean => error instanceof RegistryUnreadable;
  const same = (location: string): string => location;

  it('in the catalogue is noticed or harmless', async () => {
    const store = new MemoryBlobStore();
    await writeCatalogue(store, catalogue);
    const read = () => readCatalogue(store, silent);
    const { detected, wrong } = await flipEach(store, 'namespaces.json', read, isCatalogueRefusal);
    expect(wrong).toEqual([]);
    expect(detected).toBeGreaterThan(4000);
  });

  it('in the registry is noticed or harmless', async () => {
    const store = new MemoryBlobStore();
    await writeRegistry(store, '/data', registryEntries());
    const read = () => readRegistry(store, same);
    const { detected, wrong } = await flipEach(store, 'savegames.json', read, isRegistryRefusal);
    expect(wrong).toEqual([]);
    expect(detected).toBeGreaterThan(10_000);
  });

  it('in the catalogue ends the start, and nothing is written over it', async () => {
    const metadata = new MemoryBlobStore();
    await writeCatalogue(metadata, catalogue);
    const bytes = (await metadata.get('namespaces.json')) as Uint8Array;
    const digit = new TextDecoder('latin1').decode(bytes).indexOf('00aa');
    bytes[digit] = (bytes[digit] as number) ^ 1;
    await metadata.put('namespaces.json', bytes);
    const { engine } = homeWith({ metadata });
    await expect(engine.start()).rejects.toThrow(/checksum does not hold/);
    await expect(engine.create('x')).rejects.toThrow(CatalogueUnreadable);
    await engine.close();
    expect(await metadata.get('namespaces.json')).toEqual(bytes);
  });

  it('goes unnoticed without a checksum: the harness would see it', async () => {
    const store = new MemoryBlobStore();
    await writeCatalogue(store, catalogue);
    await unseal(store, 'namespaces.json');
    const read = () => readCatalogue(store, silent);
    const { wrong } = await flipEach(store, 'namespaces.json', read, isCatalogueRefusal);
    expect(wrong.length).toBeGreaterThan(100);
  });
});

describe('a document without a checksum', () => {
  it('is taken as it stands when all its members are known, and sealed when it is next written', async () => {
    const store = new MemoryBlobStore();
    await writeRegistry(store, '/data', registryEntries());
    await unseal(store, 'savegames.json');
    const entries = await readRegistry(store, (location) => location);
    expect(entries).toEqual(registryEntries());
    await writeRegistry(store, '/data', entries);
    await unseal(store, 'savegames.json');
    await writeCatalogue(store, catalogue);
    await unseal(store, 'namespaces.json');
    expect(await readCatalogue(store, silent)).toEqual(catalogue);
  });

  it.each([
    ['savegames.json', '{"schemaVersion":2,"saveGames":[],"checkrum":"00000000"}'],
    ['namespaces.json', '{"schemaVersion":1,"namespaces":[],"checkrum":"00000000"}'],
    ['savegames.json', '{"schemaVersion":2,"saveGames":[],"checksum":null}'],
    ['namespaces.json', '{"schemaVersion":1,"namespaces":[],"checksum":7}'],
  ])('%s is refused as %s', async (name, text) => {
    const store = new MemoryBlobStore();
    await store.put(name, new TextEncoder().encode(text));
    const read = name === 'savegames.json' ? readRegistry(store, (one) => one) : readCatalogue(store, silent);
    await expect(read).rejects.toThrow(/cannot be read/);
  });
});

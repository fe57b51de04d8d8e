// The logs of a cluster for a replica that is none of its nodes: it reads them in the store, and changes nothing there.

import type { Settings } from '../../src/config/catalogue.ts';
import type { Journal, JournalPlace } from '../../src/engine/replication/journal-source.ts';
import { placesIn } from '../../src/engine/savegames/named-places.ts';
import { BlobCheckpoints } from '../../src/storage/blob-checkpoints.ts';
import { blobsUnder } from '../../src/storage/object-files.ts';
import { Placement, placementName } from '../../src/storage/placement.ts';
import type { BlobStore } from '../../src/storage/types.ts';
import { type ClusterStore, mainId, openClusterStore } from './store.ts';

/** Of the cluster that `Cluster:Url` and `Cluster:Name` say. Rejects as openClusterStore does. */
export async function openJournals(settings: Settings, fetch: typeof globalThis.fetch): Promise<JournalPlace> {
  const cluster = await openClusterStore(settings, fetch);
  const placement = new Placement({
    ...{ store: cluster.common(), name: placementName },
    newStamp: () => crypto.randomUUID(),
    again: () => Promise.reject(new Error('Nothing is changed here.')),
  });
  const main = journalOf(cluster, mainId);
  const parts = new Map<string, Journal>();
  return {
    journals: async () => {
      const { namespaces } = await placement.read();
      const ids = new Set(Object.values(namespaces).map(({ id }) => id));
      ids.delete(mainId);
      for (const id of parts.keys()) if (!ids.has(id)) parts.delete(id);
      for (const id of ids) if (!parts.has(id)) parts.set(id, journalOf(cluster.part(id), id));
      return [main, ...parts.values()];
    },
    writer: async () => (await cluster.owner()).holder || null,
    close: () => cluster.close(),
  };
}

function journalOf(cluster: ClusterStore, id: string): Journal {
  const blobs = unchanged(cluster.reading());
  const parts = unchanged(cluster.files(0));
  return {
    ...{ id, log: cluster, isMain: id === mainId, metadata: blobsUnder(blobs, 'metadata/') },
    checkpoints: async () => {
      const index = blobsUnder(blobs, 'checkpoints/');
      const checkpoints = await BlobCheckpoints.open({ index, parts, nowMs: () => Date.now() });
      return { checkpoints, places: placesIn('cluster://', checkpoints) };
    },
  };
}

/** Whoever owns them may delete what nothing names: to all others nothing seems to be left over. */
function unchanged({ get }: Pick<BlobStore, 'get'>): BlobStore {
  const refuse = (): Promise<never> => Promise.reject(new Error('Nothing is changed here.'));
  return { get, list: async () => [], put: refuse, delete: refuse };
}

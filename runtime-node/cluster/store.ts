// Where a cluster keeps what it has: a database, or objects of a bucket or a directory.

import { setTimeout as sleep } from 'node:timers/promises';
import * as zlib from 'node:zlib';
import type { Settings } from '../../src/config/catalogue.ts';
import { crc32With, type NativeCrc32 } from '../../src/engine/log/crc32.ts';
import { placesIn } from '../../src/engine/savegames/named-places.ts';
import type { ServiceStorage } from '../../src/service.ts';
import { BlobCheckpoints } from '../../src/storage/blob-checkpoints.ts';
import { BucketLog } from '../../src/storage/bucket-log.ts';
import { FencedBlobs } from '../../src/storage/fenced-blobs.ts';
import { blobsIn, blobsUnder } from '../../src/storage/object-files.ts';
import { askedAgain, checkConditions, type ObjectStore, objectsUnder } from '../../src/storage/objects.ts';
import type { LogOwnership, SharedLog } from '../../src/storage/shared-log.ts';
import type { SharedLogStore } from '../../src/storage/shared-log-store.ts';
import type { BlobStore } from '../../src/storage/types.ts';
import { FileThread } from '../storage/file-thread.ts';
import { openObjects } from '../storage/open-objects.ts';
import { PostgresCluster } from './postgres.ts';

/** Of a request that decides who writes, and of one of the log: one that hangs must not hold up a take-over. */
const deadlineMs = 5_000;

/** Of the log that every cluster has. */
export const mainId = 'main';

export interface ClusterStore extends SharedLog, LogOwnership {
  /** What is no log and changes: only the holder of the term can change it. */
  blobs(term: number): BlobStore;
  /** The same, for those who change nothing: what is there, whoever put it. */
  reading(): Pick<BlobStore, 'get'>;
  /** What is put once, under names that nobody has had before. */
  files(term: number): BlobStore;
  /** Objects that every node can change at any time. */
  common(): ObjectStore;
  /** The log of one namespace, beside this one; it ends with this one. */
  part(id: string): ClusterStore;
  /** Deletes what it holds, but for the owner. Only the holder of the term may, and nobody reads it any more. */
  clear(term: number): Promise<void>;
  close(): Promise<void>;
}

/** By `Cluster:Url`. Rejects with StoreUnfit for a bucket that does not keep conditions, or when the store does not answer. */
export async function openClusterStore(settings: Settings, fetch: typeof globalThis.fetch): Promise<ClusterStore> {
  const url = settings['Cluster:Url'] ?? '';
  const name = settings['Cluster:Name'];
  if (/^postgres(?:ql)?:/i.test(url)) return PostgresCluster.open(url, name);
  const { 'Cluster:AccessKeyId': accessKeyId, 'Cluster:SecretAccessKey': secretAccessKey } = settings;
  const account = { section: 'Cluster', accessKeyId, secretAccessKey } as const;
  const steady = { nowMs: () => performance.now(), pause: sleep, patienceMs: deadlineMs };
  const thread = new FileThread();
  const { prefix, store } = openObjects(url, account, fetch, deadlineMs, thread);
  const under = `${prefix}${name}/`;
  await checkConditions(store, under);
  const files = openObjects(url, account, fetch).store;
  return new BucketCluster(askedAgain(store, steady), askedAgain(files, steady), under, () => thread.end());
}

/** What a service of the writer keeps, once `reading` has its log; `directory`: what locations of its save games begin with. */
export async function storageOf(
  cluster: ClusterStore,
  term: number,
  reading: Promise<SharedLogStore>,
  directory: string,
): Promise<ServiceStorage & { readonly logs: SharedLogStore }> {
  const blobs = cluster.blobs(term);
  const opening = BlobCheckpoints.open({
    index: blobsUnder(blobs, 'checkpoints/'),
    parts: cluster.files(term),
    nowMs: () => Date.now(),
  });
  const [logs, checkpoints] = await Promise.all([reading, opening]);
  const saveGames = { checkpoints, places: placesIn(directory, checkpoints) };
  return { logs, metadata: blobsUnder(blobs, 'metadata/'), saveGames, release: async () => {} };
}

/** Each log is backed up by itself: two would be in each other's way. */
export function backupOf(settings: Settings, id: string): string[] {
  const url = settings['Backup:Url'];
  if (url === null || id === mainId || !URL.canParse(url)) return [];
  const own = new URL(url);
  own.pathname = `${own.pathname.replace(/\/+$/, '')}/parts/${id}`;
  return [`--Service:Backup:Url=${own.href}`];
}

class BucketCluster extends BucketLog implements ClusterStore {
  private readonly store: ObjectStore;
  /** The same one, for what may take longer. */
  private readonly large: ObjectStore;
  private readonly prefix: string;
  private readonly end: () => Promise<void>;

  constructor(store: ObjectStore, large: ObjectStore, prefix: string, end = async (): Promise<void> => {}) {
    super({ store, prefix, crc32, nowMs: () => performance.now() });
    this.store = store;
    this.large = large;
    this.prefix = prefix;
    this.end = end;
  }

  blobs(term: number): FencedBlobs {
    return new FencedBlobs({ store: this.store, prefix: `${this.prefix}blobs/`, term, crc32, pause: sleep });
  }

  reading(): Pick<BlobStore, 'get'> {
    const blobs = this.blobs(0);
    return { get: (name) => blobs.peek(name) };
  }

  files(): BlobStore {
    return blobsIn(this.large, `${this.prefix}files/`);
  }

  common(): ObjectStore {
    return objectsUnder(this.store, this.prefix);
  }

  part(id: string): ClusterStore {
    return new BucketCluster(this.store, this.large, `${this.prefix}parts/${id}/`);
  }

  async clear(): Promise<void> {
    for (const name of await this.store.list(this.prefix))
      if (name !== `${this.prefix}owner`) await this.store.delete(name);
  }

  close(): Promise<void> {
    return this.end();
  }
}

const crc32 = crc32With((zlib as unknown as { crc32?: NativeCrc32 }).crc32);

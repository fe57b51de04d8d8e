// Where a cluster keeps what it has: a database, or objects of a bucket or a directory.

import * as zlib from 'node:zlib';
import type { Settings } from '../../src/config/catalogue.ts';
import { crc32With, type NativeCrc32 } from '../../src/engine/log/crc32.ts';
import { BucketLog } from '../../src/storage/bucket-log.ts';
import { FencedBlobs } from '../../src/storage/fenced-blobs.ts';
import { blobsIn } from '../../src/storage/object-files.ts';
import { checkConditions, type ObjectStore, objectsUnder } from '../../src/storage/objects.ts';
import type { LogOwnership, SharedLog } from '../../src/storage/shared-log.ts';
import type { BlobStore } from '../../src/storage/types.ts';
import { openObjects } from '../storage/open-objects.ts';
import { PostgresCluster } from './postgres.ts';

export interface ClusterStore extends SharedLog, LogOwnership {
  /** What is no log and changes: only the holder of the term can change it. */
  blobs(term: number): BlobStore;
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
  const { prefix, store } = openObjects(url, { section: 'Cluster', accessKeyId, secretAccessKey }, fetch);
  const under = `${prefix}${name}/`;
  await checkConditions(store, under);
  return new BucketCluster(store, under);
}

class BucketCluster extends BucketLog implements ClusterStore {
  private readonly store: ObjectStore;
  private readonly prefix: string;

  constructor(store: ObjectStore, prefix: string) {
    super({ store, prefix, crc32, nowMs: () => performance.now() });
    this.store = store;
    this.prefix = prefix;
  }

  blobs(term: number): BlobStore {
    const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
    return new FencedBlobs({ store: this.store, prefix: `${this.prefix}blobs/`, term, crc32, pause });
  }

  files(): BlobStore {
    return blobsIn(this.store, `${this.prefix}files/`);
  }

  common(): ObjectStore {
    return objectsUnder(this.store, this.prefix);
  }

  part(id: string): ClusterStore {
    return new BucketCluster(this.store, `${this.prefix}parts/${id}/`);
  }

  async clear(): Promise<void> {
    for (const name of await this.store.list(this.prefix))
      if (name !== `${this.prefix}owner`) await this.store.delete(name);
  }

  async close(): Promise<void> {}
}

const crc32 = crc32With((zlib as unknown as { crc32?: NativeCrc32 }).crc32);

// Blobs as objects of a bucket.

import type { ObjectStore } from './objects.ts';
import { type BlobStore, checkStorageName } from './types.ts';

/** `prefix`: before the names of all of them. */
export function blobsIn(store: ObjectStore, prefix: string): BlobStore {
  return {
    put: async (name, bytes) => {
      checkStorageName(name);
      await store.put(prefix + name, bytes);
    },
    get: async (name) => (await store.get(prefix + name))?.bytes ?? null,
    list: async (under) => (await store.list(prefix + under)).map((name) => name.slice(prefix.length)),
    delete: (name) => store.delete(prefix + name),
  };
}

/** Blobs of another store whose names begin with `prefix`, without it. */
export function blobsUnder(store: BlobStore, prefix: string): BlobStore {
  return {
    put: (name, bytes, makesRoom) => store.put(prefix + name, bytes, makesRoom),
    get: (name) => store.get(prefix + name),
    list: async (under) => (await store.list(prefix + under)).map((name) => name.slice(prefix.length)),
    delete: (name) => store.delete(prefix + name),
  };
}

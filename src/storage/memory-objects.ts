// Objects in memory: the bucket of tests and of simulations.

import type { ObjectStore, PutOutcome, StoredObject } from './objects.ts';
import { checkStorageName } from './types.ts';

/** @testonly */
export class MemoryObjectStore implements ObjectStore {
  private readonly objects = new Map<string, StoredObject>();
  private tags = 0;

  async get(name: string): Promise<StoredObject | null> {
    checkStorageName(name);
    const found = this.objects.get(name);
    return found === undefined ? null : { bytes: found.bytes.slice(), tag: found.tag };
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    this.set(name, bytes);
  }

  async putIfAbsent(name: string, bytes: Uint8Array): Promise<PutOutcome> {
    return this.objects.has(name) ? { taken: false } : this.set(name, bytes);
  }

  async putIfMatch(name: string, bytes: Uint8Array, tag: string): Promise<PutOutcome> {
    return this.objects.get(name)?.tag === tag ? this.set(name, bytes) : { taken: false };
  }

  async list(prefix: string): Promise<string[]> {
    return [...this.objects.keys()].filter((name) => name.startsWith(prefix)).sort();
  }

  async delete(name: string): Promise<void> {
    this.objects.delete(name);
  }

  private set(name: string, bytes: Uint8Array): PutOutcome {
    checkStorageName(name);
    const tag = String(++this.tags);
    this.objects.set(name, { bytes: bytes.slice(), tag });
    return { taken: true, tag };
  }
}

// Settings that were written over HTTP, one JSON document in the metadata store:
//
//   config.overrides.json
//   { "version": 1, "settings": { "<full key>": "<text>", … }, "checksum": "…" }        sealed-document.ts
//
// It is replaced whole and atomically. One that cannot be read is never overwritten. What the keys and texts mean is src/config's.

import type { OverrideStore } from '../config/configuration.ts';
import type { BlobStore } from '../storage/types.ts';
import { openDocument, sealDocument } from './sealed-document.ts';

const documentName = 'config.overrides.json';
const version = 1;
const memberNames = ['version', 'settings'];

export function settingOverrides(store: BlobStore): OverrideStore {
  return { read: () => read(store), write: (texts) => write(store, texts) };
}

async function read(store: BlobStore): ReturnType<OverrideStore['read']> {
  const unreadable = (problem: string) => ({ problem: `${documentName} cannot be read, ${problem}` });
  let bytes: Uint8Array | null;
  try {
    bytes = await store.get(documentName);
  } catch (error) {
    return unreadable(error instanceof Error ? error.message : String(error));
  }
  if (bytes === null) return new Map();
  const opened = openDocument(bytes, memberNames);
  if (!opened.ok) return unreadable(opened.problem);
  const { version: found, settings } = opened.content;
  if (found !== version) return unreadable(`its version is ${JSON.stringify(found)}, not ${version}`);
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    return unreadable('it has no object of settings');
  }
  const entries = Object.entries(settings);
  const odd = entries.find(([, text]) => typeof text !== 'string');
  if (odd !== undefined) return unreadable(`the value of ${odd[0]} is no text`);
  return new Map(entries);
}

async function write(store: BlobStore, texts: ReadonlyMap<string, string>): Promise<void> {
  await store.put(documentName, sealDocument({ version, settings: Object.fromEntries(texts) }));
}

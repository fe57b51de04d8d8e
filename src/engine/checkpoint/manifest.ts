// Looking at a checkpoint and deleting one: what its manifest says, without reading the rest.

import type { CheckpointReader, CheckpointStore } from '../../storage/types.ts';
import { type Crc32, crc32With } from '../log/crc32.ts';
import { type Description, decodeManifest } from './format.ts';
import { type CheckpointInfo, CheckpointUnreadable, sectionKinds } from './types.ts';

/** Manifests hold sections, so they may be large; a file beyond this is none. */
const largestManifestBytes = 1024 * 1024 * 1024;
const fileKinds: readonly string[] = ['elements', 'tail', 'indexes'];
const knownSections: readonly number[] = Object.values(sectionKinds);

export interface OpenedManifest {
  readonly description: Description;
  readonly info: CheckpointInfo;
}

/** Rejects with CheckpointUnreadable, or with the store's error. */
export async function readCheckpoint(
  store: CheckpointStore,
  name: string,
  crc32: Crc32 = crc32With(undefined),
): Promise<CheckpointInfo> {
  return (await openManifest(store, name, crc32)).info;
}

export async function openManifest(store: CheckpointStore, name: string, crc32: Crc32): Promise<OpenedManifest> {
  const file = await store.open(name);
  if (file === null) throw new CheckpointUnreadable('missing', name, 'there is no such file');
  let bytes: Uint8Array;
  try {
    if (file.sizeBytes > largestManifestBytes) {
      throw new CheckpointUnreadable('notACheckpoint', name, 'it is no checkpoint');
    }
    bytes = await contentOf(file);
  } finally {
    await file.close();
  }
  const decoded = decodeManifest(bytes, crc32);
  if ('problem' in decoded) throw new CheckpointUnreadable(decoded.reason, name, decoded.problem);
  const { description, sections } = decoded;
  const strange = [
    ...description.files.filter((one) => one.required && !fileKinds.includes(one.kind)),
    ...description.sections.filter((one) => one.required && !knownSections.includes(one.kind)),
  ];
  if (strange.length > 0) {
    throw new CheckpointUnreadable('unsupported', name, `it has contents of kind ${strange[0]?.kind}, unknown here`);
  }
  const { namespaceId, createdAtMs, engineVersion, vertexCount, edgeCount, anchor } = description;
  const info: CheckpointInfo = {
    ...{ name, namespaceId, createdAtMs, engineVersion, vertexCount, edgeCount, anchor },
    fileCount: description.files.length + 1,
    totalBytes: description.files.reduce((sum, one) => sum + one.bytes, bytes.length),
    sections: description.sections.map(({ kind, required }, i) => {
      return { kind, required, bytes: sections[i] as Uint8Array };
    }),
  };
  return { description, info };
}

/**
 * Deletes a checkpoint's own files, the manifest first: the file `name` and those that begin with `name` and `_`. Works on what is left
 * of one as well.
 */
export async function deleteCheckpoint(store: CheckpointStore, name: string): Promise<void> {
  await store.delete(name);
  for (const one of await store.list(`${name}_`)) await store.delete(one);
}

async function contentOf(file: CheckpointReader): Promise<Uint8Array> {
  const bytes = new Uint8Array(file.sizeBytes);
  return bytes.subarray(0, await file.read(0, bytes));
}

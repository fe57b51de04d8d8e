// The files of a package on their way. Going out, a checkpoint is written to the store first and sent from there, so a slow client holds up
// neither writers nor other saves; its manifest is never written, so that what a crash leaves are parts of nothing, which the next start deletes.
// Coming in, the files go to the store and the manifest last.

import type { CheckpointReader, CheckpointStore } from '../../storage/types.ts';
import { primaryOfPart } from '../checkpoint/format.ts';
import type { Crc32 } from '../log/crc32.ts';
import { PackageEncoder, pieceBytes, readRecords, recordKinds } from './format.ts';
import { PackageUnreadable } from './types.ts';

/** Bytes of a manifest that a package may bring: it is held in memory. */
const mostManifestBytes = 64 * 1024 * 1024;
/** Files that a package may bring. */
const mostFiles = 4096;

/** A store whose one manifest stays in memory. */
export class Spool implements CheckpointStore {
  manifest: Uint8Array = new Uint8Array(0);
  private readonly store: CheckpointStore;

  constructor(store: CheckpointStore) {
    this.store = store;
  }

  create: CheckpointStore['create'] = (name) => this.store.create(name);
  open: CheckpointStore['open'] = (name) => this.store.open(name);
  list: CheckpointStore['list'] = (prefix) => this.store.list(prefix);
  delete: CheckpointStore['delete'] = (name) => this.store.delete(name);

  async put(_name: string, bytes: Uint8Array): Promise<void> {
    this.manifest = bytes;
  }

  /** Deletes the files of the checkpoint. What the store does not let go of is only space. */
  async clear(name: string): Promise<void> {
    for (const file of await this.store.list(`${name}_`).catch((): string[] => []))
      await this.store.delete(file).catch(() => {});
  }
}

/** The package of a checkpoint that was written to the spool under `name`. */
export async function* packageOf(
  spool: Spool,
  name: string,
  crc32: Crc32,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const encoder = new PackageEncoder(crc32);
  yield encoder.header() as Uint8Array<ArrayBuffer>;
  for (const file of await spool.list(`${name}_`)) {
    const reader = await spool.open(file);
    if (reader === null) throw new Error(`The file ${file} has gone.`);
    try {
      yield encoder.record(
        recordKinds.file,
        new TextEncoder().encode(file.slice(name.length)),
      ) as Uint8Array<ArrayBuffer>;
      for await (const piece of piecesOf(reader))
        yield encoder.record(recordKinds.data, piece) as Uint8Array<ArrayBuffer>;
    } finally {
      await reader.close();
    }
  }
  for (let at = 0; at < spool.manifest.length; at += pieceBytes) {
    yield encoder.record(recordKinds.manifest, spool.manifest.subarray(at, at + pieceBytes)) as Uint8Array<ArrayBuffer>;
  }
  yield encoder.record(recordKinds.end) as Uint8Array<ArrayBuffer>;
}

async function* piecesOf(reader: CheckpointReader): AsyncGenerator<Uint8Array, void, undefined> {
  const buffer = new Uint8Array(pieceBytes);
  for (let at = 0; at < reader.sizeBytes; ) {
    const count = await reader.read(at, buffer);
    if (count === 0) throw new Error('A file of the package is shorter than it was.');
    yield buffer.subarray(0, count);
    at += count;
  }
}

/**
 * Puts the files of a package into the store as the checkpoint `name`. Rejects with PackageUnreadable, or with what the body or the store
 * throws; What was written is the caller's to delete.
 */
export async function unpack(
  blocks: AsyncIterable<Uint8Array>,
  { store, name, crc32 }: { readonly store: CheckpointStore; readonly name: string; readonly crc32: Crc32 },
): Promise<void> {
  const manifest: Uint8Array[] = [];
  let manifestBytes = 0;
  const files = new Set<string>();
  let file: Awaited<ReturnType<CheckpointStore['create']>> | null = null;
  try {
    for await (const { kind, content } of readRecords(blocks, crc32)) {
      if (kind === recordKinds.data && file !== null) await file.append(content);
      else if (kind === recordKinds.file && manifestBytes === 0) {
        await file?.finish();
        file = null;
        const suffix = suffixOf(content);
        if (files.has(suffix)) throw new PackageUnreadable(`It has two files ${suffix}.`);
        if (files.size === mostFiles) throw new PackageUnreadable(`It has more than ${mostFiles} files.`);
        files.add(suffix);
        file = await store.create(name + suffix);
      } else if (kind === recordKinds.manifest) {
        manifestBytes += content.length;
        if (manifestBytes > mostManifestBytes)
          throw new PackageUnreadable(`Its manifest is longer than ${mostManifestBytes} bytes.`);
        manifest.push(content.slice());
      } else throw new PackageUnreadable(`It has a record of kind ${kind} where none can be.`);
    }
    await file?.finish();
    file = null;
  } finally {
    await file?.abandon();
  }
  await store.put(name, joined(manifest, manifestBytes));
}

function suffixOf(content: Uint8Array): string {
  const suffix = new TextDecoder().decode(content);
  if (primaryOfPart(`x${suffix}`) !== 'x') throw new PackageUnreadable('It has a file that checkpoints do not have.');
  return suffix;
}

function joined(pieces: readonly Uint8Array[], bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

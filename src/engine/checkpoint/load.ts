// Loading a checkpoint into a core that holds nothing yet. Every checksum is verified before the bytes behind it are believed, every file
// must be the one its manifest names, and the counts must come out; whatever fails, nobody has seen the graph.

import { GraphLoader } from '../../core/checkpoint.ts';
import type { Core } from '../../core/core.ts';
import { CoreStatus } from '../../core/status.ts';
import type { CheckpointReader, CheckpointStore } from '../../storage/types.ts';
import type { Crc32 } from '../log/crc32.ts';
import { decodeFrameHeader, frameBytes, frameHeaderBytes } from '../log/format.ts';
import {
  blockChecksum,
  blockHeaderBytes,
  blockWords,
  checkFileHeader,
  type DescribedFile,
  type Description,
  elementsKind,
  encodeFileHeader,
  fileHeaderBytes,
  tailKind,
} from './format.ts';
import { openManifest } from './manifest.ts';
import { type CheckpointInfo, CheckpointUnreadable } from './types.ts';

const windowBytes = 4 * 1024 * 1024;

export interface LoadOptions {
  readonly crc32: Crc32;
  readonly pause: () => Promise<void>;
  /** The checkpoint must be of this namespace; null takes any. */
  readonly namespaceId: string | null;
}

export interface LoadedCheckpoint {
  readonly graph: number;
  readonly info: CheckpointInfo;
}

/** Answers the new graph. Rejects with CheckpointUnreadable or the store's error; the core must be disposed then. */
export async function loadCheckpoint(
  core: Core,
  store: CheckpointStore,
  name: string,
  options: LoadOptions,
): Promise<LoadedCheckpoint> {
  const { description, info } = await openManifest(store, name, options.crc32);
  if (options.namespaceId !== null && description.namespaceId !== options.namespaceId) {
    const problem = `it belongs to the namespace with id ${description.namespaceId}`;
    throw new CheckpointUnreadable('otherNamespace', name, problem);
  }
  const graph = core.createGraph();
  const loader = new GraphLoader(core, graph, description.elementIds);
  check(loader.begin(), name);
  const elements = description.files.filter(({ kind }) => kind === 'elements');
  for (const [partition, file] of elements.entries()) {
    await withFile(
      store,
      name,
      file,
      encodeFileHeader(elementsKind, description.saveId, partition, options.crc32),
      (reader) => readBlocks(reader, file, options, (block) => check(loader.add(block), reader.name)),
    );
  }
  check(await loader.link(options.pause), name);
  for (const file of description.files.filter(({ kind }) => kind === 'tail')) {
    const header = encodeFileHeader(tailKind, description.saveId, 0, options.crc32);
    await withFile(store, name, file, header, (reader) =>
      readFrames(reader, file, description, options, (payload) => {
        const applied = core.applyBytes(graph, payload, true);
        if (!applied.ok) check(applied.status, reader.name);
      }),
    );
  }
  const got = [core.vertexCount(graph), core.edgeCount(graph), core.nextId(graph)];
  const { vertexCount, edgeCount, nextId } = description;
  if (got.join() !== [vertexCount, edgeCount, nextId].join()) {
    const problem = `it holds ${got[0]} vertices, ${got[1]} edges below id ${got[2]}, not ${vertexCount}, ${edgeCount}, ${nextId}`;
    throw new CheckpointUnreadable('corrupt', name, problem);
  }
  return { graph, info };
}

function check(status: number, file: string): void {
  if (status === CoreStatus.ok) return;
  if (status === CoreStatus.noMemory) {
    throw new CheckpointUnreadable('noMemory', file, 'it does not fit into the memory limit');
  }
  throw new CheckpointUnreadable('corrupt', file, `the core refuses what it holds (status ${status})`);
}

async function withFile(
  store: CheckpointStore,
  name: string,
  { suffix, bytes }: DescribedFile,
  header: Uint8Array,
  read: (window: Window) => Promise<void>,
): Promise<void> {
  const full = name + suffix;
  const file = await store.open(full);
  if (file === null) throw new CheckpointUnreadable('corrupt', full, 'it is missing');
  try {
    if (file.sizeBytes !== bytes) {
      throw new CheckpointUnreadable('corrupt', full, `it has ${file.sizeBytes} bytes instead of ${bytes}`);
    }
    const window = new Window(full, file);
    await window.ensure(fileHeaderBytes);
    const checksum = checkFileHeader(window.take(fileHeaderBytes), header);
    if (typeof checksum !== 'number') throw new CheckpointUnreadable(checksum.reason, full, checksum.problem);
    window.checksum = checksum;
    await read(window);
  } finally {
    await file.close();
  }
}

async function readBlocks(
  window: Window,
  file: DescribedFile,
  { crc32, pause }: LoadOptions,
  add: (block: Uint8Array) => void,
): Promise<void> {
  while (window.left > 0) {
    await window.ensure(blockHeaderBytes);
    const words = blockWords(window.bytes, window.at);
    if (words.bytes < blockHeaderBytes || words.bytes % 8 !== 0 || words.bytes > window.left) {
      throw new CheckpointUnreadable('corrupt', window.name, 'a block does not end in it');
    }
    await window.ensure(words.bytes);
    const block = window.take(words.bytes);
    window.checksum = blockChecksum(block, window.checksum, crc32);
    if (window.checksum !== words.checksum) {
      throw new CheckpointUnreadable('corrupt', window.name, 'the checksum of a block does not hold');
    }
    add(block);
    await pause();
  }
  window.finish(file);
}

async function readFrames(
  window: Window,
  file: DescribedFile,
  { tail }: Description,
  { crc32, pause }: LoadOptions,
  apply: (payload: Uint8Array) => void,
): Promise<void> {
  const identity = window.checksum;
  let sequence = tail.from;
  let sincePause = 0;
  while (window.left > 0) {
    await window.ensure(frameHeaderBytes);
    const view = new DataView(window.bytes.buffer);
    const frame = decodeFrameHeader(window.bytes, view, window.at, identity, crc32);
    if (frame === null || frame.sequence !== sequence + 1) {
      throw new CheckpointUnreadable('corrupt', window.name, 'a frame is not the one that should be there');
    }
    const bytes = frameBytes(frame.payloadBytes);
    if (bytes > window.left) throw new CheckpointUnreadable('corrupt', window.name, 'a frame does not end in it');
    await window.ensure(bytes);
    const whole = window.take(bytes);
    window.checksum = crc32(whole, frameHeaderBytes, bytes, window.checksum);
    if (window.checksum !== frame.checksum) {
      throw new CheckpointUnreadable('corrupt', window.name, 'the checksum of a frame does not hold');
    }
    apply(whole.subarray(frameHeaderBytes, frameHeaderBytes + frame.payloadBytes));
    sequence++;
    sincePause += bytes;
    if (sincePause > windowBytes / 16) {
      sincePause = 0;
      await pause();
    }
  }
  if (sequence !== tail.from + tail.frames) {
    throw new CheckpointUnreadable(
      'corrupt',
      window.name,
      `it has ${sequence - tail.from} frames instead of ${tail.frames}`,
    );
  }
  window.finish(file);
}

/** A file read forwards. */
class Window {
  readonly name: string;
  /** What stands between `at` and `end` has been read and not taken yet. */
  bytes: Uint8Array = new Uint8Array(0);
  at = 0;
  checksum = 0;
  private end = 0;
  private offset = 0;
  private readonly file: CheckpointReader;

  constructor(name: string, file: CheckpointReader) {
    this.name = name;
    this.file = file;
  }

  /** Bytes not taken yet. */
  get left(): number {
    return this.file.sizeBytes - this.offset + (this.end - this.at);
  }

  /** Sees to it that `count` bytes stand at `at`. */
  async ensure(count: number): Promise<void> {
    if (this.end - this.at >= count) return;
    if (count > this.left) throw new CheckpointUnreadable('corrupt', this.name, 'it is too short');
    const kept = this.bytes.subarray(this.at, this.end);
    const wider = new Uint8Array(Math.max(count, Math.min(windowBytes, this.left)));
    wider.set(kept);
    const got = await this.file.read(this.offset, wider.subarray(kept.length));
    this.bytes = wider;
    this.at = 0;
    this.end = kept.length + got;
    this.offset += got;
    if (this.end < count) throw new CheckpointUnreadable('corrupt', this.name, 'it is too short');
  }

  take(count: number): Uint8Array {
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  /** At the end: the last checksum is the file's. */
  finish(file: DescribedFile): void {
    if (this.checksum === file.checksum) return;
    throw new CheckpointUnreadable('corrupt', this.name, 'it is not the file that the manifest names');
  }
}

// Loading a checkpoint into a core that holds nothing yet. Every checksum is verified before the bytes behind it are believed, every file
// must be the one its manifest names, and the counts must come out; whatever fails, nobody has seen the graph.

import { GraphLoader, type LinkHelpers } from '../../core/checkpoint.ts';
import type { Core } from '../../core/core.ts';
import { CoreStatus } from '../../core/status.ts';
import type { CheckpointReader, CheckpointStore } from '../../storage/types.ts';
import { Documents, DocumentsUnreadable } from '../documents.ts';
import type { LoadProgress } from '../load-progress.ts';
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
  indexesKind,
  tailKind,
} from './format.ts';
import { createsIndex } from './indexes.ts';
import { openManifest } from './manifest.ts';
import { type CheckpointInfo, CheckpointUnreadable } from './types.ts';

const partBytes = 4 * 1024 * 1024;
/** What may be left of a part, in front of the next one: more than most blocks have. */
const leftBytes = 1024 * 1024;
/** Bytes of frames between two pauses. */
const sliceBytes = 256 * 1024;

export interface LoadOptions {
  readonly crc32: Crc32;
  readonly pause: () => Promise<void>;
  /** The checkpoint must be of this namespace; null takes any. */
  readonly namespaceId: string | null;
  /** Threads that help with large graphs; null: this one does it all. */
  readonly helpers?: LoadHelpers | null;
  /** Told of the bytes that are read; null or missing: nobody asks. */
  readonly progress?: LoadProgress | null | undefined;
}

/** Where helping threads come from. */
export interface LoadHelpers {
  /** A graph of fewer ids is linked sooner alone. */
  readonly fromIds: number;
  /** Two threads for the load of a core, which start meanwhile; null when they are busy with another one or there are none. */
  take(core: Core): LinkHelpers | null;
}

export interface LoadedCheckpoint {
  readonly graph: number;
  readonly info: CheckpointInfo;
  readonly documents: Documents;
  /** Indexes that could not be made again. */
  readonly droppedIndexes: number;
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
  const documents = documentsOf(info);
  options.progress?.begin('checkpoint', info.totalBytes);
  const isLarge = description.elementIds >= (options.helpers?.fromIds ?? 0);
  const helpers = isLarge ? (options.helpers?.take(core) ?? null) : null;
  try {
    const graph = await loadGraph(core, store, name, description, options, helpers);
    const droppedIndexes = await loadIndexes(core, graph, store, description, options, name);
    return { graph, info, documents, droppedIndexes };
  } finally {
    helpers?.end();
  }
}

function documentsOf({ name, sections }: CheckpointInfo): Documents {
  try {
    return new Documents(sections);
  } catch (error) {
    if (!(error instanceof DocumentsUnreadable)) throw error;
    throw new CheckpointUnreadable('corrupt', name, error.message);
  }
}

async function loadGraph(
  core: Core,
  store: CheckpointStore,
  name: string,
  description: Description,
  options: LoadOptions,
  helpers: LinkHelpers | null,
): Promise<number> {
  const graph = core.createGraph();
  const loader = new GraphLoader(core, graph, description.elementIds);
  check(loader.begin(helpers), name);
  const elements = description.files.filter(({ kind }) => kind === 'elements');
  try {
    for (const [partition, file] of elements.entries()) {
      const header = encodeFileHeader(elementsKind, description.saveId, partition, options.crc32);
      await withFile(store, name, file, header, (reader) => readBlocks(reader, file, options, loader));
    }
  } finally {
    await loader.settle();
  }
  options.progress?.begin('edges', 0);
  check(await loader.link(options.pause, helpers), name);
  for (const file of description.files.filter(({ kind }) => kind === 'tail')) {
    const header = encodeFileHeader(tailKind, description.saveId, 0, options.crc32);
    await withFile(store, name, file, header, (reader) =>
      readFrames(reader, file, description.tail, options, (payload) => {
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
  return graph;
}

/** Makes the indexes again; answers how many could not be. */
async function loadIndexes(
  core: Core,
  graph: number,
  store: CheckpointStore,
  description: Description,
  options: LoadOptions,
  name: string,
): Promise<number> {
  let dropped = 0;
  for (const file of description.files.filter(({ kind }) => kind === 'indexes')) {
    const header = encodeFileHeader(indexesKind, description.saveId, 0, options.crc32);
    const frames = { from: 0, frames: description.indexFrames ?? 0 };
    await withFile(store, name, file, header, (reader) =>
      readFrames(reader, file, frames, options, (payload) => {
        const applied = core.applyBytes(graph, payload, true);
        if (applied.ok) return;
        if (applied.status === CoreStatus.noMemory || !createsIndex(payload)) check(applied.status, reader.name);
        dropped++; // of a kind, or with a definition, that this version does not know: its contents are passed over
      }),
    );
  }
  return dropped;
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
  read: (input: Input) => Promise<void>,
): Promise<void> {
  const full = name + suffix;
  const file = await store.open(full);
  if (file === null) throw new CheckpointUnreadable('corrupt', full, 'it is missing');
  const input = new Input(full, file);
  try {
    if (file.sizeBytes !== bytes) {
      throw new CheckpointUnreadable('corrupt', full, `it has ${file.sizeBytes} bytes instead of ${bytes}`);
    }
    await input.ensure(fileHeaderBytes);
    const checksum = checkFileHeader(input.take(fileHeaderBytes), header);
    if (typeof checksum !== 'number') throw new CheckpointUnreadable(checksum.reason, full, checksum.problem);
    input.checksum = checksum;
    await read(input);
  } finally {
    await input.quiet();
    await file.close();
  }
}

async function readBlocks(
  input: Input,
  file: DescribedFile,
  { crc32, pause, progress }: LoadOptions,
  loader: GraphLoader,
): Promise<void> {
  while (input.left > 0) {
    await input.ensure(blockHeaderBytes);
    const words = blockWords(input.bytes, input.at);
    if (words.bytes < blockHeaderBytes || words.bytes % 8 !== 0 || words.bytes > input.left) {
      throw new CheckpointUnreadable('corrupt', input.name, 'a block does not end in it');
    }
    await input.ensure(words.bytes);
    const block = input.take(words.bytes);
    input.checksum = blockChecksum(block, input.checksum, crc32);
    if (input.checksum !== words.checksum) {
      throw new CheckpointUnreadable('corrupt', input.name, 'the checksum of a block does not hold');
    }
    while (!loader.isFree(words.firstId, words.idCount)) await pause();
    check(loader.add(block), input.name);
    progress?.add(words.bytes);
    await pause();
  }
  input.finish(file);
}

async function readFrames(
  input: Input,
  file: DescribedFile,
  tail: Description['tail'],
  { crc32, pause, progress }: LoadOptions,
  apply: (payload: Uint8Array) => void,
): Promise<void> {
  const identity = input.checksum;
  let sequence = tail.from;
  let sincePause = 0;
  while (input.left > 0) {
    await input.ensure(frameHeaderBytes);
    const view = new DataView(input.bytes.buffer);
    const frame = decodeFrameHeader(input.bytes, view, input.at, identity, crc32);
    if (frame === null || frame.sequence !== sequence + 1) {
      throw new CheckpointUnreadable('corrupt', input.name, 'a frame is not the one that should be there');
    }
    const bytes = frameBytes(frame.payloadBytes);
    if (bytes > input.left) throw new CheckpointUnreadable('corrupt', input.name, 'a frame does not end in it');
    await input.ensure(bytes);
    const whole = input.take(bytes);
    input.checksum = crc32(whole, frameHeaderBytes, bytes, input.checksum);
    if (input.checksum !== frame.checksum) {
      throw new CheckpointUnreadable('corrupt', input.name, 'the checksum of a frame does not hold');
    }
    apply(whole.subarray(frameHeaderBytes, frameHeaderBytes + frame.payloadBytes));
    sequence++;
    progress?.add(bytes);
    sincePause += bytes;
    if (sincePause > sliceBytes) {
      sincePause = 0;
      await pause();
    }
  }
  if (sequence !== tail.from + tail.frames) {
    throw new CheckpointUnreadable(
      'corrupt',
      input.name,
      `it has ${sequence - tail.from} frames instead of ${tail.frames}`,
    );
  }
  input.finish(file);
}

/**
 * A file read forwards, one part ahead of what is being looked at. Two buffers take turns: what is left in one is copied in front of the part
 * in the other. So what `take` answers is good until the next `ensure`.
 */
class Input {
  readonly name: string;
  /** What stands between `at` and `end` has been read and not taken yet. */
  bytes: Uint8Array = new Uint8Array(0);
  at = 0;
  checksum = 0;
  private end = 0;
  /** Where the next part begins. */
  private offset = 0;
  private ahead: Promise<Part> | null = null;
  private readonly buffers: Uint8Array[] = [];
  private taken = 0;
  private readonly file: CheckpointReader;

  constructor(name: string, file: CheckpointReader) {
    this.name = name;
    this.file = file;
  }

  /** Bytes not taken yet. */
  get left(): number {
    return this.file.sizeBytes - this.taken;
  }

  /** Sees to it that `count` bytes stand at `at`. */
  async ensure(count: number): Promise<void> {
    if (count > this.left) throw new CheckpointUnreadable('corrupt', this.name, 'it is too short');
    while (this.end - this.at < count) {
      const { buffer, bytes } = await (this.ahead ?? this.read());
      if (bytes === 0) throw new CheckpointUnreadable('corrupt', this.name, 'it is too short');
      const left = this.bytes.subarray(this.at, this.end);
      if (left.length <= leftBytes) {
        buffer.set(left, leftBytes - left.length);
        this.bytes = buffer;
        this.at = leftBytes - left.length;
        this.end = leftBytes + bytes;
      } else {
        this.bytes = new Uint8Array(left.length + bytes);
        this.bytes.set(left);
        this.bytes.set(buffer.subarray(leftBytes, leftBytes + bytes), left.length);
        this.at = 0;
        this.end = this.bytes.length;
      }
      this.ahead = this.offset < this.file.sizeBytes ? this.read() : null;
      this.ahead?.catch(() => {}); // it is awaited when its bytes are needed
    }
  }

  take(count: number): Uint8Array {
    this.at += count;
    this.taken += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  /** At the end: the last checksum is the file's. */
  finish(file: DescribedFile): void {
    if (this.checksum === file.checksum) return;
    throw new CheckpointUnreadable('corrupt', this.name, 'it is not the file that the manifest names');
  }

  /** Settles when no read is under way. */
  async quiet(): Promise<void> {
    await this.ahead?.catch(() => {}); // nobody needs its bytes any more
  }

  /** Into the buffer that is not being looked at. */
  private async read(): Promise<Part> {
    const bytes = Math.min(partBytes, this.file.sizeBytes - this.offset);
    const at = this.offset;
    this.offset += bytes;
    const free = this.buffers.find((buffer) => buffer !== this.bytes && buffer.length >= leftBytes + bytes);
    const buffer = free ?? new Uint8Array(leftBytes + bytes);
    if (free === undefined) this.buffers.push(buffer);
    return { buffer, bytes: await this.file.read(at, buffer.subarray(leftBytes, leftBytes + bytes)) };
  }
}

/** Bytes of a file, in a buffer behind room for what is left of the part before. */
interface Part {
  readonly buffer: Uint8Array;
  readonly bytes: number;
}

// Following the logs of a cluster in its store itself. Each is read as it grows; a snapshot is what a node would open from it that took it over: the
// newest checkpoint it goes through, and the frames behind that. Nobody is asked for anything, so it goes on whoever writes, and while nobody does.

import { MemoryCheckpointStore, MemoryLogStore } from '../../storage/memory-store.ts';
import { LogTruncated, type SharedLog } from '../../storage/shared-log.ts';
import { SharedLogStore } from '../../storage/shared-log-store.ts';
import type { BlobStore, LogFile, LogStore } from '../../storage/types.ts';
import { readCatalogue } from '../catalogue.ts';
import type { Crc32 } from '../log/crc32.ts';
import { SegmentFrames } from '../log/segment-frames.ts';
import { defaultNamespace, logNameOf } from '../names.ts';
import { type NamespaceHome, openNamespace, readLogStart } from '../open-namespace.ts';
import { packageOf, Spool } from '../packages/spool.ts';
import type { SaveGameHome } from '../savegames/home.ts';
import { chooseStart } from '../savegames/start.ts';
import type { HistoryPosition } from '../state-hash.ts';
import { engineVersion } from '../version.ts';
import { type LogPart, type LogSource, SourceFailed } from './log-source.ts';

/** How often a log is looked at, and after how many looks there is nothing for now. */
const lookEveryMs = 50;
const mostLooks = 200;
/** Of frames in one answer, about. */
const answerBytes = 4 * 1024 * 1024;
const snapshotName = 'snapshot';

/** A log of a cluster, and what lies beside it. Nothing of it is changed. */
export interface Journal {
  readonly id: string;
  /** Whether the namespace `default` is in it. */
  readonly isMain: boolean;
  readonly log: SharedLog;
  readonly metadata: Pick<BlobStore, 'get'>;
  /** The checkpoints that there are now. */
  checkpoints(): Promise<Pick<SaveGameHome, 'checkpoints' | 'places'>>;
}

export interface JournalPlace {
  /** Those that there are now; one of the same id is the same. */
  journals(): Promise<readonly Journal[]>;
  /** Where the cluster is written; null: nobody has its log. */
  writer(): Promise<string | null>;
  close(): Promise<void>;
}

export interface JournalSourceParts {
  readonly place: JournalPlace;
  /** For opening a log as a node does. */
  readonly home: Omit<NamespaceHome, 'logs'>;
  readonly crc32: Crc32;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

interface Followed {
  readonly id: string;
  readonly reader: JournalReader;
  readonly frames: SegmentFrames;
}

export class JournalSource implements LogSource {
  writerUrl: string | null = null;
  private readonly parts: JournalSourceParts;
  private readonly readers = new Map<string, JournalReader>();
  private byName = new Map<string, Followed>();

  constructor(parts: JournalSourceParts) {
    this.parts = parts;
  }

  async namespaces(): Promise<string[]> {
    const { crc32, home, place } = this.parts;
    const found = new Map<string, Followed>();
    const journals = await place.journals();
    for (const journal of journals) {
      const reader = this.readers.get(journal.id) ?? new JournalReader(journal.log);
      this.readers.set(journal.id, reader);
      const catalogue = await readCatalogue(journal.metadata, home.logger);
      const own = journal.isMain ? [{ id: defaultNamespace, name: defaultNamespace }] : [];
      for (const { id, name } of [...own, ...(catalogue?.entries ?? [])]) {
        const before = this.byName.get(name);
        const isSame = before?.id === id && before.reader === reader;
        found.set(name, isSame ? before : { id, reader, frames: new SegmentFrames(logNameOf(id), id, crc32) });
      }
      reader.journal = journal;
    }
    for (const id of this.readers.keys()) if (!journals.some((one) => one.id === id)) this.readers.delete(id);
    this.byName = found;
    this.writerUrl = await place.writer();
    return [...found.keys()];
  }

  async snapshot(name: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const { crc32, home } = this.parts;
    const { id, reader } = this.of(name);
    // What is opened stands still meanwhile.
    const spool = await reader.inTurn(async (files) => {
      const opening = { ...home, logs: new FilesAsRead(files), mayDegrade: true };
      const log = await readLogStart(opening, id);
      if (log === null) throw new SourceFailed(`There is no log of "${name}" yet.`);
      const { start } = await chooseStart(await reader.checkpoints(), [], { id, name }, log);
      const engine = await openNamespace(opening, id, name, start);
      try {
        const store = new Spool(new MemoryCheckpointStore());
        const copy = { isCopy: true, keepsAnchor: true, partitions: 1, engineVersion, nowMs: home.clock.nowMs() };
        await engine.saveCheckpoint({ ...copy, store, name: snapshotName, signal });
        return store;
      } finally {
        await engine.dispose();
      }
    });
    return packageOf(spool, snapshotName, crc32);
  }

  async read(name: string, at: HistoryPosition, signal: AbortSignal, isAtOnce = false): Promise<LogPart | null> {
    const { frames, reader } = this.of(name);
    for (let look = 0; look < mostLooks; look++) {
      const bytes = await reader.inTurn((files) => frames.behind(files, at, answerBytes));
      if (bytes === null) return null;
      if (bytes.length > 0 || isAtOnce) {
        const { sequence } = frames.last ?? at;
        return { blocks: bytes.length === 0 ? [] : [bytes], feed: null, headSequence: sequence };
      }
      await this.parts.pause(lookEveryMs, signal);
      signal.throwIfAborted();
    }
    return { blocks: [], feed: null, headSequence: at.sequence };
  }

  close(): Promise<void> {
    return this.parts.place.close();
  }

  async hash(): Promise<null> {
    return null;
  }

  private of(name: string): Followed {
    const followed = this.byName.get(name);
    if (followed === undefined) throw new SourceFailed(`There is no namespace "${name}" in the cluster.`);
    return followed;
  }
}

/** One log, read by all who follow what is in it. */
class JournalReader {
  journal: Journal | null = null;
  private readonly log: SharedLog;
  private files: SharedLogStore | null = null;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(log: SharedLog) {
    this.log = log;
  }

  checkpoints(): Promise<Pick<SaveGameHome, 'checkpoints' | 'places'>> {
    if (this.journal === null) throw new SourceFailed('The log has gone.');
    return this.journal.checkpoints();
  }

  /** `run` has the files as they are now; nothing more is read until it is done. */
  inTurn<T>(run: (files: SharedLogStore) => Promise<T>): Promise<T> {
    const mine = this.turn.then(async () => run(await this.readOn()));
    this.turn = mine.catch(() => {}); // the caller has the rejection
    return mine;
  }

  private async readOn(): Promise<SharedLogStore> {
    try {
      this.files ??= await SharedLogStore.readAhead(this.log);
      await this.files.readOn('near');
    } catch (error) {
      this.files = null;
      if (!(error instanceof LogTruncated)) throw error;
      this.files = await SharedLogStore.readAhead(this.log);
      await this.files.readOn('near');
    }
    return this.files;
  }
}

/** Files that only seem to change: what is written to them goes nowhere. */
class FilesAsRead implements LogStore {
  private readonly files: SharedLogStore;
  private readonly made = new MemoryLogStore();

  constructor(files: SharedLogStore) {
    this.files = files;
  }

  async open(name: string): Promise<LogFile | null> {
    const file = await this.files.open(name);
    if (file === null) return this.made.open(name);
    const nothing = async (): Promise<void> => {};
    return {
      ...{ sizeBytes: file.sizeBytes, read: (offset, target) => file.read(offset, target) },
      ...{ write: nothing, reserve: nothing, truncate: nothing, sync: nothing, close: nothing },
    };
  }

  create(name: string, content: Uint8Array): Promise<LogFile> {
    return this.made.create(name, content);
  }

  list(prefix: string): Promise<string[]> {
    return this.files.list(prefix);
  }

  async delete(): Promise<void> {}
}

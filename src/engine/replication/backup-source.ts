// Following a backup: its newest base, then its log objects as they come. Nothing is asked of the writer, which need not be there.

import type { BackupReader } from '../backup/reading.ts';
import type { HistoryPosition } from '../state-hash.ts';
import { type LogPart, type LogSource, SourceFailed } from './log-source.ts';

/** How often the next object is looked for. */
const lookEveryMs = 500;
/** After so many looks there is nothing, for now. */
const mostLooks = 10;

export class BackupSource implements LogSource {
  private readonly reader: BackupReader;
  private readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Of each namespace the log object to read next. */
  private readonly next = new Map<string, number>();

  constructor(reader: BackupReader, pause: BackupSource['pause']) {
    this.reader = reader;
    this.pause = pause;
  }

  async namespaces(): Promise<string[]> {
    const manifests = await this.reader.manifests();
    return manifests.filter(({ bases }) => bases.length > 0).map(({ name }) => name);
  }

  async snapshot(name: string): Promise<AsyncIterable<Uint8Array>> {
    const manifest = (await this.reader.manifests()).find((one) => one.name === name);
    const base = manifest?.bases.at(-1);
    if (manifest === undefined || base === undefined)
      throw new SourceFailed(`There is no base of "${name}" in the backup.`);
    this.next.set(name, base.logFrom);
    return this.reader.pieces(manifest, base);
  }

  async read(
    name: string,
    { epoch, sequence }: HistoryPosition,
    signal: AbortSignal,
    isAtOnce = false,
  ): Promise<LogPart | null> {
    for (let look = 0; look < mostLooks; look++) {
      const number = this.next.get(name);
      if (number === undefined) return null;
      const object = await this.reader.logObject(name, number);
      if (object !== null) {
        this.next.set(name, number + 1);
        if (object.frames.length === 0 || object.lastSequence <= sequence) continue;
        if (object.before.epoch !== epoch || object.before.sequence > sequence) return null;
        return { blocks: [object.frames], feed: null, headSequence: object.lastSequence };
      }
      if (isAtOnce) break;
      await this.pause(lookEveryMs, signal);
      signal.throwIfAborted();
    }
    return { blocks: [], feed: null, headSequence: sequence };
  }

  async hash(): Promise<null> {
    return null;
  }
}

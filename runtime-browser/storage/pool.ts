// Names over a pool of files. A file is made once, under a number, and keeps its handle; what has a name and what is free, the catalogue
// says (catalogue.ts). A change writes the new content into a free file, flushes it, and then writes the catalogue: before that the name
// has its old content, after it the new one. The files that a change made superfluous are freed only then.
//
// Whoever opens the pool has both catalogue files for itself alone, as long as it has not closed them: a second engine, and one that
// sleeps and believes itself alone, cannot both have them.

import type { Crc32 } from '../../src/engine/log/crc32.ts';
import { type Entry, readSlot, type Slot, writeSlot } from './catalogue.ts';
import { encodeHeader, headerBytes } from './file-header.ts';
import { recoverEntries } from './recover-entries.ts';
import { type FileDirectory, StoreFull, StoreNewer, type SyncFile, writeWhole } from './sync-file.ts';

/** Free files with an open handle, so that a change waits for none. */
const spareFiles = 4;
/** Files of one store, free ones included. */
const mostFiles = 8192;
const slotNames = ['catalogue.a', 'catalogue.b'] as const;
const fileName = /^\d{6}$/;

/** A file that somebody uses: under its name, or until it gets one. */
export interface OpenFile {
  readonly number: number;
  readonly handle: SyncFile;
  /** Users; a file whose name is gone is freed by the last one. */
  users: number;
  named: boolean;
}

export interface PoolOptions {
  readonly directory: FileDirectory;
  readonly crc32: Crc32;
  readonly nowMs: () => number;
  /** Told of what was found damaged and put right. */
  readonly warn: (message: string) => void;
}

export class Pool {
  readonly crc32: Crc32;
  private readonly options: PoolOptions;
  private readonly slots: readonly [SyncFile, SyncFile];
  private readonly entries: Map<string, Entry>;
  private readonly open = new Map<number, Promise<OpenFile>>();
  /** Everything with an open handle. */
  private readonly known = new Map<number, OpenFile>();
  /** Numbers without a name; those with an open handle are spare. */
  private readonly free: number[];
  private readonly spare: OpenFile[] = [];
  /** Files of changes whose catalogue may or may not be on the disk: free with the next one that is. */
  private readonly doubtful: OpenFile[] = [];
  private generation: number;
  /** Which slot the next change goes to. */
  private next: 0 | 1;
  private made: number;
  private filling: Promise<void> | null = null;
  private closed = false;

  private constructor(options: PoolOptions, slots: readonly [SyncFile, SyncFile], found: Found, numbers: number[]) {
    this.options = options;
    this.crc32 = options.crc32;
    this.slots = slots;
    this.entries = found.entries;
    this.generation = found.generation;
    this.next = found.next;
    const taken = new Set([...found.entries.values()].map(({ file }) => file));
    this.free = numbers.filter((number) => !taken.has(number));
    this.made = Math.max(-1, ...numbers) + 1;
  }

  /** Rejects with StoreInUse, StoreNewer or StoreDamaged; nothing stays open then. */
  static async open(options: PoolOptions): Promise<Pool> {
    const { directory } = options;
    const opened: SyncFile[] = [];
    try {
      for (const name of slotNames) opened.push(await directory.open(name));
      const slots = opened as unknown as readonly [SyncFile, SyncFile];
      const names = (await directory.list()).filter((name) => fileName.test(name));
      const numbers = names.map(Number).sort((a, b) => a - b);
      const found = await findEntries(options, [readSlot(slots[0]), readSlot(slots[1])], numbers);
      const pool = new Pool(options, slots, found, numbers);
      if (found.recovered) pool.commit([]);
      await pool.fill();
      return pool;
    } catch (error) {
      for (const file of opened) file.close();
      throw error;
    }
  }

  entry(name: string): Entry | undefined {
    return this.entries.get(name);
  }

  /** In ordinal order. */
  names(prefix: string): string[] {
    return [...this.entries.keys()].filter((name) => name.startsWith(prefix)).sort();
  }

  /** The file of a name, with one user more; null when there is none. */
  async use(name: string): Promise<OpenFile | null> {
    for (;;) {
      const entry = this.entries.get(name);
      if (entry === undefined) return null;
      const file = await this.opened(entry.file);
      // It may have gone meanwhile, and its number to another name.
      if (this.entries.get(name)?.file !== entry.file) continue;
      file.users++;
      return file;
    }
  }

  /** A free file with one user and no content. */
  async take(): Promise<OpenFile> {
    this.check();
    const file = this.spare.pop() ?? (await this.openFree());
    void this.fill().catch(() => {}); // whoever needs a file and has none is told
    file.handle.truncate(0);
    file.users = 1;
    return file;
  }

  /**
   * Gives a file its name, in place of any other; durable when it returns, content included. Throws, and the name has what it had, when
   * the disk is full.
   */
  name(file: OpenFile, name: string, bytes: number | null, contentCrc: number): void {
    this.check();
    const modifiedMs = this.options.nowMs();
    const head = { name, generation: this.generation + 1, bytes, modifiedMs, contentCrc };
    writeWhole(file.handle, encodeHeader(head), 0);
    file.handle.flush();
    const before = this.entries.get(name);
    this.entries.set(name, { file: file.number, bytes, modifiedMs });
    try {
      this.commit(before === undefined ? [] : [before.file]);
    } catch (error) {
      if (before === undefined) this.entries.delete(name);
      else this.entries.set(name, before);
      file.users++; // kept from being freed until the next change is on the disk
      this.doubtful.push(file);
      throw error;
    }
    file.named = true;
    this.open.set(file.number, Promise.resolve(file));
  }

  /** Takes a name away; durable when it returns. */
  remove(name: string): void {
    this.check();
    const entry = this.entries.get(name);
    if (entry === undefined) return;
    this.entries.delete(name);
    try {
      this.commit([entry.file]);
    } catch (error) {
      this.entries.set(name, entry);
      throw error;
    }
  }

  /** A user is done with a file. */
  leave(file: OpenFile): void {
    file.users--;
    this.freeUnused(file);
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    for (const { handle } of this.known.values()) handle.close();
    for (const slot of this.slots) slot.close();
  }

  /** Writes the catalogue as it stands; the files that it no longer names are freed. */
  private commit(superfluous: readonly number[]): void {
    this.generation++;
    writeSlot(this.slots[this.next], this.generation, this.entries);
    this.next = this.next === 0 ? 1 : 0;
    for (const number of superfluous) this.unname(number);
    for (const file of this.doubtful.splice(0)) this.leave(file);
  }

  private unname(number: number): void {
    const unnamed = (file: OpenFile): void => {
      file.named = false;
      this.freeUnused(file);
    };
    const file = this.known.get(number);
    if (file !== undefined) unnamed(file);
    else this.opened(number).then(unnamed, () => {}); // one that does not open is free with the next start
  }

  private freeUnused(file: OpenFile): void {
    if (file.users > 0 || file.named || this.closed) return;
    try {
      file.handle.truncate(0); // the room goes back, and the head with it
    } catch {
      // What takes it next writes over it.
    }
    this.open.delete(file.number);
    this.spare.push(file);
  }

  private opened(number: number): Promise<OpenFile> {
    this.check();
    let opening = this.open.get(number);
    if (opening === undefined) {
      opening = this.openNumber(number, true);
      this.open.set(number, opening);
      opening.catch(() => this.open.delete(number)); // whoever waits is told, and may try again
    }
    return opening;
  }

  private async openNumber(number: number, named: boolean): Promise<OpenFile> {
    const handle = await this.options.directory.open(nameOf(number));
    if (this.closed) {
      handle.close();
      this.check();
    }
    const file = { number, handle, users: 0, named };
    this.known.set(number, file);
    return file;
  }

  private async openFree(): Promise<OpenFile> {
    const number = this.free.pop() ?? this.made++;
    if (number >= mostFiles) throw new StoreFull(`The store has ${mostFiles} files, and takes no more.`);
    try {
      return await this.openNumber(number, false);
    } catch (error) {
      this.free.push(number);
      throw error;
    }
  }

  /** Opens free files ahead, and gives back the room that a process which died had taken. */
  private fill(): Promise<void> {
    this.filling ??= this.fillUp().finally(() => {
      this.filling = null;
    });
    return this.filling;
  }

  private async fillUp(): Promise<void> {
    while (this.spare.length < spareFiles || this.free.length > 0) {
      const file = await this.openFree();
      if (file.handle.getSize() > 0) file.handle.truncate(0);
      this.spare.push(file);
    }
  }

  private check(): void {
    if (this.closed) throw new Error('The store is closed.');
  }
}

interface Found {
  readonly entries: Map<string, Entry>;
  readonly generation: number;
  readonly next: 0 | 1;
  /** The entries come from the files' own heads. */
  readonly recovered: boolean;
}

async function findEntries(options: PoolOptions, slots: readonly [Slot, Slot], numbers: number[]): Promise<Found> {
  const { directory, warn } = options;
  for (const slot of slots) {
    if (slot.kind !== 'newer') continue;
    throw new StoreNewer(`The store ${directory.name} has format ${slot.format}, of a newer version of this library.`);
  }
  const [a, b] = slots.map((slot) => (slot.kind === 'whole' ? slot : null));
  const latest = a && b ? (a.generation > b.generation ? a : b) : (a ?? b ?? null);
  const next = latest !== null && latest === a ? 1 : 0;
  if (slots.every(({ kind }) => kind !== 'torn')) {
    const { generation = 0, entries = new Map() } = latest ?? {};
    return { entries, generation, next, recovered: false };
  }
  warn(`One half of the catalogue of ${directory.name} is torn: it is made again from the files' own heads.`);
  const { entries, generation } = await recoverEntries(directory, latest, numbers.map(nameOf));
  return { entries, generation, next, recovered: true };
}

function nameOf(number: number): string {
  return String(number).padStart(6, '0');
}

/** Where the content of an open file begins. */
export const contentOffset = headerBytes;

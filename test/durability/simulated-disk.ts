// A disk that can lose power. It is the `FileSystem` of runtime-node over memory, and keeps a journal of everything it was asked:
// where each call began and ended, and what the script under test noted in between. From any place in the journal it derives the
// states in which the disk may come back, so one run of a script covers every moment of it.
//
// What survives: bytes whose sync (or synchronous write) has ended. What may or may not: each sector of each later write on its own,
// torn in the middle too; a length; a cut; and the directory entries made since the directory's last sync, in order, up to any
// number. It is stricter than journalling file systems are: the sync of a file does not make its name durable.

import type { DirectoryEntry, FileHandle, FileSystem } from '../../runtime-node/storage/file-system.ts';

const sectorBytes = 512;

type Change =
  | {
      readonly kind: 'write';
      readonly inode: number;
      readonly offset: number;
      readonly bytes: Uint8Array;
      readonly durable: boolean;
    }
  | { readonly kind: 'truncate'; readonly inode: number; readonly sizeBytes: number }
  | { readonly kind: 'sync'; readonly inode: number }
  | { readonly kind: 'link'; readonly path: string; readonly inode: number }
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'rename'; readonly source: string; readonly target: string }
  | { readonly kind: 'unlink'; readonly path: string }
  | { readonly kind: 'syncDirectory'; readonly path: string };

type Event =
  | { readonly at: 'begin' | 'end'; readonly change: Change }
  | { readonly at: 'note'; readonly note: string; readonly value: number };

/** A file (its inode) or, as null, a directory. */
type Names = Map<string, number | null>;

/** Picks among `count` possibilities; the caller decides which, and sees to it that all come up. */
export type Choose = (count: number) => number;

export class SimulatedDisk implements FileSystem {
  readonly journal: Event[] = [];
  private readonly names: Names;
  private readonly contents: Map<number, Uint8Array>;
  private readonly initial: { names: Names; contents: Map<number, Uint8Array> };
  private nextInode: number;

  constructor(names: Names = new Map([['/', null]]), contents: Map<number, Uint8Array> = new Map()) {
    this.initial = {
      names: new Map(names),
      contents: new Map([...contents].map(([inode, bytes]) => [inode, bytes.slice()])),
    };
    this.names = names;
    this.contents = contents;
    this.nextInode = Math.max(0, ...contents.keys()) + 1;
  }

  /** Notes what the script promised to somebody: `value` under `note`, the newest one counts. */
  note(note: string, value: number): void {
    this.journal.push({ at: 'note', note, value });
  }

  /** The value noted last before place `place` of the journal; 0 when there is none. */
  noted(note: string, place: number): number {
    for (let i = place - 1; i >= 0; i--) {
      const event = this.journal[i] as Event;
      if (event.at === 'note' && event.note === note) return event.value;
    }
    return 0;
  }

  async open(path: string, mode: 'existing' | 'new', synchronous: boolean): Promise<FileHandle> {
    const found = this.names.get(path);
    if (mode === 'existing') {
      if (found === undefined || found === null) throw systemError('ENOENT', path);
      return this.handle(found, synchronous);
    }
    if (found !== undefined) throw systemError('EEXIST', path);
    this.requireDirectory(path);
    const inode = this.nextInode++;
    await this.run({ kind: 'link', path, inode });
    return this.handle(inode, synchronous);
  }

  async rename(source: string, target: string): Promise<void> {
    if (!this.names.has(source)) throw systemError('ENOENT', source);
    this.requireDirectory(target);
    await this.run({ kind: 'rename', source, target });
  }

  async remove(path: string): Promise<void> {
    if (typeof this.names.get(path) !== 'number') throw systemError('ENOENT', path);
    await this.run({ kind: 'unlink', path });
  }

  async removeDirectory(path: string): Promise<void> {
    if (this.names.get(path) !== null) throw systemError('ENOENT', path);
    if ([...this.names.keys()].some((name) => name.startsWith(`${path}/`))) throw systemError('ENOTEMPTY', path);
    await this.run({ kind: 'unlink', path });
  }

  async makeDirectory(path: string): Promise<void> {
    if (this.names.has(path)) throw systemError('EEXIST', path);
    this.requireDirectory(path);
    await this.run({ kind: 'directory', path });
  }

  async syncDirectory(path: string): Promise<void> {
    if (this.names.get(path) !== null) throw systemError('ENOENT', path);
    await this.run({ kind: 'syncDirectory', path });
  }

  async readDirectory(path: string): Promise<readonly DirectoryEntry[]> {
    const root = path === '/' ? '/' : `${path}/`;
    return [...this.names]
      .filter(([name]) => name !== '/' && name.startsWith(root) && !name.slice(root.length).includes('/'))
      .map(([name, inode]) => ({ name: name.slice(root.length), kind: inode === null ? 'directory' : 'file' }));
  }

  private handle(inode: number, synchronous: boolean): FileHandle {
    const content = (): Uint8Array => this.contents.get(inode) ?? new Uint8Array(0);
    return {
      sizeBytes: async () => content().length,
      linkCount: async () => 1,
      read: async (target, offset) => {
        const part = content().subarray(offset, offset + target.length);
        target.set(part);
        return part.length;
      },
      write: async (bytes, offset) => {
        await this.run({ kind: 'write', inode, offset, bytes: bytes.slice(), durable: synchronous });
        return bytes.length;
      },
      truncate: (sizeBytes) => this.run({ kind: 'truncate', inode, sizeBytes }),
      sync: () => this.run({ kind: 'sync', inode }),
      close: async () => {},
    };
  }

  /** A call takes a few turns, so that others begin while it is under way. */
  private async run(change: Change): Promise<void> {
    this.journal.push({ at: 'begin', change });
    await null;
    await null;
    applyToNames(this.names, change);
    applyToContents(this.contents, change);
    this.journal.push({ at: 'end', change });
  }

  private requireDirectory(path: string): void {
    if (this.names.get(parentOf(path)) !== null) throw systemError('ENOENT', path);
  }

  /** The disk as it may come back when the power went at place `place` of the journal. Sizes of choices are small. */
  afterPowerLoss(place: number, choose: Choose): SimulatedDisk {
    const files = new PendingFiles(this.initial.contents);
    const names = new Map(this.initial.names);
    let waiting: Change[] = [];
    for (let i = 0; i < place; i++) {
      const event = this.journal[i] as Event;
      if (event.at === 'note') continue;
      const { change } = event;
      files.see(event.at, change);
      // A name may be on disk from the moment the call began; it is for sure once its directory is synced.
      if (event.at === 'begin' && isNaming(change)) waiting.push(change);
      if (event.at === 'end' && change.kind === 'syncDirectory') {
        const syncedAt = this.journal.findIndex((other) => other.at === 'begin' && other.change === change);
        const settled = waiting.filter((made) => isIn(change.path, made) && this.endedBefore(made, syncedAt));
        // In order: whatever was named before the last settled one, anywhere, is on disk as well.
        const last = settled.length === 0 ? -1 : waiting.indexOf(settled.at(-1) as Change);
        for (const made of waiting.slice(0, last + 1)) applyToNames(names, made);
        waiting = waiting.slice(last + 1);
      }
    }
    const kept = choose(waiting.length + 1);
    for (const made of waiting.slice(0, kept)) applyToNames(names, made);
    return new SimulatedDisk(names, files.outcome(choose));
  }

  private endedBefore(change: Change, place: number): boolean {
    const ended = this.journal.findIndex((event) => event.at === 'end' && event.change === change);
    return ended >= 0 && ended < place;
  }
}

/** What each file holds for sure, and what was done to it since. */
class PendingFiles {
  private readonly durable = new Map<number, Uint8Array>();
  private readonly pending = new Map<number, { change: Change; ended: boolean }[]>();
  private readonly syncing = new Map<Change, Change[]>();

  constructor(initial: ReadonlyMap<number, Uint8Array>) {
    for (const [inode, bytes] of initial) this.durable.set(inode, bytes.slice());
  }

  see(at: 'begin' | 'end', change: Change): void {
    if (change.kind === 'write' || change.kind === 'truncate') {
      const list = this.pending.get(change.inode) ?? [];
      this.pending.set(change.inode, list);
      if (at === 'begin') list.push({ change, ended: false });
      else for (const entry of list) if (entry.change === change) entry.ended = true;
      if (at === 'end' && change.kind === 'write' && change.durable) this.settle(change.inode, [change]);
    }
    if (change.kind === 'sync') {
      if (at === 'begin') {
        const list = this.pending.get(change.inode) ?? [];
        this.syncing.set(
          change,
          list.filter(({ ended }) => ended).map((entry) => entry.change),
        );
      } else {
        this.settle(change.inode, this.syncing.get(change) ?? []);
      }
    }
  }

  private settle(inode: number, changes: readonly Change[]): void {
    for (const change of changes) {
      if (!this.pending.get(inode)?.some((entry) => entry.change === change)) continue;
      applyToContents(this.durable, change);
      this.pending.set(
        inode,
        (this.pending.get(inode) ?? []).filter((entry) => entry.change !== change),
      );
    }
  }

  outcome(choose: Choose): Map<number, Uint8Array> {
    const contents = new Map([...this.durable].map(([inode, bytes]) => [inode, bytes.slice()]));
    for (const list of this.pending.values()) {
      for (const { change } of list) {
        if (change.kind === 'truncate' && choose(2) === 1) applyToContents(contents, change);
        if (change.kind === 'write') keepSectors(contents, change, choose);
      }
    }
    return contents;
  }
}

/** Each sector of a write by itself: lost, kept, or kept in its first half only. */
function keepSectors(contents: Map<number, Uint8Array>, change: Change & { kind: 'write' }, choose: Choose): void {
  for (let at = 0; at < change.bytes.length; ) {
    const end = Math.min(change.bytes.length, at + sectorBytes - ((change.offset + at) % sectorBytes));
    const fate = choose(3);
    const keptEnd = fate === 0 ? at : fate === 1 ? end : at + Math.ceil((end - at) / 2);
    if (keptEnd > at) {
      const bytes = change.bytes.subarray(at, keptEnd);
      applyToContents(contents, { ...change, offset: change.offset + at, bytes });
    }
    at = end;
  }
}

function applyToContents(contents: Map<number, Uint8Array>, change: Change): void {
  if (change.kind === 'link') contents.set(change.inode, new Uint8Array(0));
  if (change.kind === 'truncate') {
    const bytes = new Uint8Array(change.sizeBytes);
    bytes.set((contents.get(change.inode) ?? bytes).subarray(0, change.sizeBytes));
    contents.set(change.inode, bytes);
  }
  if (change.kind === 'write') {
    let bytes = contents.get(change.inode) ?? new Uint8Array(0);
    const end = change.offset + change.bytes.length;
    if (end > bytes.length) {
      const wider = new Uint8Array(end);
      wider.set(bytes);
      bytes = wider;
      contents.set(change.inode, bytes);
    }
    bytes.set(change.bytes, change.offset);
  }
}

function applyToNames(names: Names, change: Change): void {
  if (change.kind === 'link') names.set(change.path, change.inode);
  if (change.kind === 'directory') names.set(change.path, null);
  if (change.kind === 'unlink') names.delete(change.path);
  if (change.kind === 'rename') {
    const inode = names.get(change.source);
    if (inode === undefined) return;
    names.delete(change.source);
    names.set(change.target, inode);
  }
}

function isNaming(change: Change): boolean {
  return ['link', 'directory', 'rename', 'unlink'].includes(change.kind);
}

function isIn(directory: string, change: Change): boolean {
  if (change.kind === 'rename') return parentOf(change.target) === directory;
  if (change.kind === 'link' || change.kind === 'directory' || change.kind === 'unlink') {
    return parentOf(change.path) === directory;
  }
  return false;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

export function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}

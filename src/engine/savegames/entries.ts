// The entries of the registry as one list that is on disk before it counts. A change that cannot be written leaves the list as it was,
// on the disk too: a document that may have been replaced all the same is put back.

import type { BlobStore } from '../../storage/types.ts';
import { CheckpointFailed } from '../checkpoint/types.ts';
import { reasonOf } from '../open-namespace.ts';
import type { CheckpointPlaces } from './home.ts';
import {
  isRegistry,
  membersOf,
  newestFirst,
  readRegistry,
  type SaveGame,
  saveGameId,
  writeRegistry,
} from './registry.ts';

export class SaveGameEntries {
  private readonly store: BlobStore;
  private readonly places: CheckpointPlaces;
  private reading: Promise<void> = Promise.reject(new Error('The registry has not been read.'));
  private entries: readonly SaveGame[] = [];

  constructor(store: BlobStore, places: CheckpointPlaces) {
    this.reading.catch(() => {}); // for who asks too early
    this.store = store;
    this.places = places;
  }

  /** Rejects with RegistryUnreadable, and so does everything that waits for it. */
  read(): Promise<void> {
    const { places } = this;
    const rebase = (location: string, writtenIn: string | undefined): string => {
      const name = places.nameOf(location, writtenIn) ?? places.nameOf(location);
      return name === null ? location : places.pathOf(name);
    };
    this.reading = readRegistry(this.store, rebase).then((entries) => {
      this.entries = entries;
    });
    return this.reading;
  }

  /** Settles as `read` does. */
  get known(): Promise<void> {
    return this.reading;
  }

  /** Newest first. */
  get list(): readonly SaveGame[] {
    return this.entries;
  }

  find(id: string): SaveGame | undefined {
    return this.entries.find((entry) => entry.id === id);
  }

  freeId(nowMs: number): string {
    while (true) {
      const id = saveGameId(nowMs, crypto.getRandomValues(new Uint16Array(1))[0] as number);
      if (this.find(id) === undefined) return id;
    }
  }

  /** Rejects as `replace` does. */
  add(entry: SaveGame): Promise<void> {
    return this.replace([entry, ...this.entries].sort(newestFirst));
  }

  /** Takes back what `remove` did. */
  addAgain(entry: SaveGame): Promise<void> {
    return this.replace([entry, ...this.entries].sort(newestFirst), true);
  }

  remove(entry: SaveGame): Promise<void> {
    return this.replace(
      this.entries.filter((other) => other !== entry),
      true,
    );
  }

  /** Members of dropped namespaces go on under the ids they have been made again with. */
  moveMembers(newIds: ReadonlyMap<string, string>): Promise<void> {
    const moved = this.entries.map((entry) => {
      if (!membersOf(entry).some(({ id }) => newIds.has(id))) return entry;
      return { ...entry, namespaces: membersOf(entry).map((one) => ({ ...one, id: newIds.get(one.id) ?? one.id })) };
    });
    return this.replace(moved);
  }

  /** Rejects with CheckpointFailed, whose files stay where the disk may name them. */
  private async replace(entries: readonly SaveGame[], makesRoom = false): Promise<void> {
    const { directory } = this.places;
    try {
      await writeRegistry(this.store, directory, entries, makesRoom);
    } catch (error) {
      let filesStay = false;
      if (await isRegistry(this.store, directory, entries)) {
        filesStay = await writeRegistry(this.store, directory, this.entries).then(
          () => false,
          () => true,
        );
      }
      throw new CheckpointFailed(`The save game registry cannot be written: ${reasonOf(error)}`, {
        cause: error,
        filesStay,
      });
    }
    this.entries = entries;
  }
}

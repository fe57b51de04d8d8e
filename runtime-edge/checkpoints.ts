// Checkpoints by the bytes of the log: a log is replayed whole when its object is opened again, within the memory and the time of one
// object. So behind a number of bytes the graphs are saved, and the automatic save before is removed. Those that requests wrote stay.

import type { SaveGame } from '../src/engine/savegames/registry.ts';
import type { SaveGames } from '../src/engine/types.ts';
import type { Tables } from './storage/tables.ts';

const fact = 'automatic';

export class LogCheckpoints {
  private readonly tables: Tables;
  private readonly everyBytes: number;
  private bytes: number;
  private running: Promise<SaveGame | null> | null = null;

  /** `bytes`: in the log when it is opened. */
  constructor(tables: Tables, everyBytes: number, bytes: number) {
    this.tables = tables;
    this.everyBytes = everyBytes;
    this.bytes = bytes;
  }

  logged(bytes: number): void {
    this.bytes += bytes;
  }

  /** Begins a save when it is due: one that fails is due again after as many bytes. Null: none is due, or one is running. */
  begin(saveGames: SaveGames): Promise<unknown> | null {
    return this.running !== null || this.bytes < this.everyBytes ? null : this.now(saveGames);
  }

  /** What was saved behind this call; null when nothing could be. */
  async now(saveGames: SaveGames): Promise<SaveGame | null> {
    if (this.running !== null) await this.running.catch(() => null); // whoever began it was told
    this.bytes = 0;
    this.running = this.save(saveGames).finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private async save(saveGames: SaveGames): Promise<SaveGame | null> {
    const { entry } = await saveGames.saveAll();
    if (entry === null) return null;
    const before = this.tables.fact(fact);
    this.tables.note(fact, entry.id);
    if (before !== null) await saveGames.remove(before, true);
    return entry;
  }
}

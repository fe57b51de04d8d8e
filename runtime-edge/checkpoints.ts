// Checkpoints by the bytes of the log: a log is replayed whole when its object is opened again, within the memory and the time of one
// object. So behind a number of bytes the graphs are saved, and the automatic save before is removed. Those that requests wrote stay.

import type { SaveGames } from '../src/engine/types.ts';
import type { Tables } from './storage/tables.ts';

const fact = 'automatic';

export class LogCheckpoints {
  private readonly tables: Tables;
  private readonly everyBytes: number;
  private bytes: number;
  private running: Promise<void> | null = null;

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
  begin(saveGames: SaveGames): Promise<void> | null {
    if (this.running !== null || this.bytes < this.everyBytes) return null;
    this.bytes = 0;
    this.running = this.save(saveGames).finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private async save(saveGames: SaveGames): Promise<void> {
    const { entry } = await saveGames.saveAll();
    if (entry === null) return;
    const before = this.tables.fact(fact);
    this.tables.note(fact, entry.id);
    if (before !== null) await saveGames.remove(before, true);
  }
}

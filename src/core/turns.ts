// Searches that give way in the middle. Where jobs take turns on one thread, a kernel that walks a graph for seconds would hold up everybody
// else. A core in a binary made for turns (core.*.turns.wasm, scripts/lib/turns.mjs) can leave such a kernel wherever it calls its pulse, and
// come back to the same place with everything as it was; any other binary runs it through.
//
// While a search is left, its frames lie in scratch; the instance may be asked for small things (its stop word), not to search.

import type { CoreInstance } from './instance.ts';
import { defaultSlices, type Slice, type SliceLength, type Slices } from './slices.ts';

/** What a binary made for turns exports besides. */
interface TurnExports {
  readonly asyncify_start_unwind: (stack: number) => void;
  readonly asyncify_stop_unwind: () => void;
  readonly asyncify_start_rewind: (stack: number) => void;
  readonly asyncify_stop_rewind: () => void;
  readonly asyncify_get_state: () => number;
}

/** How long a search goes on before others have their turn. A kernel pulses at least every 4096 vertices. */
const turn: SliceLength = { ms: 5, steps: 64 };

const leaving = 1;
const comingBack = 2;

export class Turns {
  private readonly instance: CoreInstance;
  private readonly exports: TurnExports;
  /** Where frames go while a search is left; 0 = none is under way. */
  private stack = 0;
  private slices = defaultSlices;
  private slice: Slice | null = null;

  /** Null when the binary is not made for turns. */
  static of(instance: CoreInstance): Turns | null {
    const exports = instance.exports as unknown as Partial<TurnExports>;
    return exports.asyncify_get_state === undefined ? null : new Turns(instance, exports as TurnExports);
  }

  private constructor(instance: CoreInstance, exports: TurnExports) {
    this.instance = instance;
    this.exports = exports;
  }

  /**
   * Calls `search`, one export of the core, to its end; `pause` is awaited in between, and whatever it throws ends the search where it was
   * left. Null when scratch has no room. The caller releases scratch.
   */
  async run(search: () => number, pause: () => Promise<void>): Promise<number | null> {
    const stack = this.instance.exports.turnsStack() >>> 0;
    if (stack === 0) return null;
    this.stack = stack;
    this.begin();
    try {
      let answer = search();
      while (this.exports.asyncify_get_state() === leaving) {
        this.exports.asyncify_stop_unwind();
        await pause();
        this.begin();
        this.exports.asyncify_start_rewind(stack);
        answer = search();
      }
      return answer;
    } finally {
      this.stack = 0;
    }
  }

  /** For the turns to come. */
  measureBy(slices: Slices): void {
    this.slices = slices;
  }

  private begin(): void {
    this.slice = this.slices(turn);
  }

  /** To be called by every pulse before anything else: true when the kernel is only coming back to where it was left. */
  resumed(): boolean {
    if (this.exports.asyncify_get_state() !== comingBack) return false;
    this.exports.asyncify_stop_rewind();
    return true;
  }

  /** Whether the turn is over. */
  get isOver(): boolean {
    return this.stack !== 0 && this.slice?.isOver() === true;
  }

  /** To be called last by a pulse whose turn is over: the kernel leaves. */
  leave(): void {
    this.exports.asyncify_start_unwind(this.stack);
  }
}

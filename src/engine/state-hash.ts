// The hash of a namespace's state (src/core/state-hash.ts), taken in slices while reads are answered and writes wait. A write that did not
// ask makes it begin anew, and after a few of those it is given up.

import type { Core } from '../core/core.ts';
import type { Slices } from '../core/slices.ts';
import { StateHash } from '../core/state-hash.ts';
import type { Documents } from './documents.ts';

/** Begun so often at most. */
const mostAttempts = 8;
const sliceLength = { ms: 4, steps: 8 };

/** Where a namespace stands: after the commit `sequence` of the history `epoch`, whose frame has the checksum `chain`. */
export interface HistoryPosition {
  /** 32 hexadecimal digits. */
  readonly epoch: string;
  readonly sequence: number;
  readonly chain: number;
}

export interface HashedState {
  /** 32 hexadecimal digits. */
  readonly hash: string;
  /** Null where nothing is logged. */
  readonly position: HistoryPosition | null;
}

/** The graph was changed again and again by those who do not ask. */
export class StateNeverStill extends Error {
  override readonly name = 'StateNeverStill';
}

export interface HashSource {
  readonly core: Core;
  readonly graph: number;
  readonly slices: Slices;
  readonly documents: Documents;
  /** Another number after every commit. */
  readonly revision: () => number;
  readonly position: () => HistoryPosition | null;
  readonly nextSlice: (signal?: AbortSignal) => Promise<void>;
  /** Null: nothing holds writes. */
  readonly writeHold: () => Promise<void> | null;
  /** From here on writes wait for the promise; null: no more. */
  readonly holdWrites: (hold: Promise<void> | null) => void;
}

/** Rejects with StateNeverStill, CoreMemoryExhausted or the signal's reason. */
export async function hashState(source: HashSource, signal?: AbortSignal): Promise<HashedState> {
  for (let hold = source.writeHold(); hold !== null; hold = source.writeHold()) await hold;
  let over = (): void => {};
  source.holdWrites(
    new Promise((resolve) => {
      over = resolve;
    }),
  );
  try {
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const hashed = await attemptHash(source, signal);
      if (hashed !== null) return hashed;
    }
  } finally {
    source.holdWrites(null);
    over();
  }
  throw new StateNeverStill(`The graph changed during each of ${mostAttempts} attempts to hash it.`);
}

/** Null: the graph was changed meanwhile. */
async function attemptHash(source: HashSource, signal: AbortSignal | undefined): Promise<HashedState | null> {
  const { core, documents, graph, nextSlice, revision, slices } = source;
  const begun = revision();
  const hash = new StateHash(core, graph);
  let slice = slices(sliceLength);
  const goesOn = async (): Promise<boolean> => {
    if (!slice.isOver()) return true;
    await nextSlice(signal);
    slice = slices(sliceLength);
    return revision() === begun;
  };
  while (!hash.step()) if (!(await goesOn())) return null;
  for (const { kind, name, text } of documents.all()) {
    hash.add(kind, JSON.stringify([name, text]));
    if (!(await goesOn())) return null;
  }
  return { hash: hash.hex, position: source.position() };
}

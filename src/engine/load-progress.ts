// How far the opening of a namespace is, for those who are told to wait for it: what is under way and how many of its bytes are done.

/** A checkpoint's files are read, the log behind it is replayed, the edges are linked. */
export type LoadPhase = 'checkpoint' | 'log' | 'edges';

/** What an answer says of it. */
export interface LoadState {
  readonly phase: LoadPhase;
  /** Null where the phase is not counted in bytes. */
  readonly bytesDone: number | null;
  /** At most so many: a log file ends in room for more. */
  readonly bytesTotal: number | null;
}

export class LoadProgress {
  private phase: LoadPhase = 'log';
  private done = 0;
  private total = 0;

  /** `bytes`: how many the phase has at most; 0 where nobody counts. */
  begin(phase: LoadPhase, bytes: number): void {
    this.phase = phase;
    this.done = 0;
    this.total = bytes;
  }

  add(bytes: number): void {
    this.done = Math.min(this.total, this.done + bytes);
  }

  get state(): LoadState {
    const { phase, done, total } = this;
    return total === 0 ? { phase, bytesDone: null, bytesTotal: null } : { phase, bytesDone: done, bytesTotal: total };
  }
}

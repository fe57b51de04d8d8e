// The bytes of bodies that all requests together may hold: counted as they arrive, given back when their request is answered. Without it a
// few senders that each stay below the limit of one body, or stop before its end, take all memory there is. Answers that are not sent yet
// are counted the same way: sixty bytes ask for ten megabytes, and whoever asks need not read them.
//
// A body that is alone is always taken, so no setting makes a route useless, and small ones get a part of the room that large ones leave.

/** A body of at most so many bytes counts as small. */
const smallBytes = 64 * 1024;
/** Share of the room, beside it, that only small bodies get. */
const smallShare = 1 / 8;

export class BodyRoom {
  private readonly limitBytes: number;
  private heldBytes = 0;

  constructor(limitBytes: number) {
    this.limitBytes = limitBytes;
  }

  /** Bytes that are held. */
  get bytes(): number {
    return this.heldBytes;
  }

  /** Takes `bytes` for a body that holds `own` already; false when there is no room, and then nothing is taken. */
  take(own: number, bytes: number): boolean {
    const room = own + bytes <= smallBytes ? this.limitBytes * (1 + smallShare) : this.limitBytes;
    if (this.heldBytes + bytes > room && this.heldBytes > own) return false;
    this.heldBytes += bytes;
    return true;
  }

  give(bytes: number): void {
    this.heldBytes -= bytes;
  }
}

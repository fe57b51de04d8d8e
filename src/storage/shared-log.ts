// A log that several machines share: one appends, any number read. Beside the positional LogFile, which can say only "written" or "failed",
// an append here has four ends. Who may append is a number, the *term*: whoever takes the log over raises it in the store, and from then on the
// store refuses what is appended under an older one. The store decides, in the same step in which it appends; no clock does.
//
//   ok         everything is durable, and nobody can append under an older term before it
//   fenced     the log has another term: nothing was appended, nor ever will be under this one
//   conflict   the log does not end at `firstSequence - 1`: nothing was appended
//   unknown    no answer: it may have been appended, or be appended later. That is no failure. The same batch once more finds out: it is
//              taken once at most, because the second one meets `conflict`, and what stands there then is this batch or another's
//              (appendSettled)

export type AppendOutcome = 'ok' | 'fenced' | 'conflict' | 'unknown';

/** Consecutive frames, as bytes that mean nothing to the log. */
export interface LogBatch {
  readonly term: number;
  readonly firstSequence: number;
  readonly frameCount: number;
  readonly bytes: Uint8Array;
}

/** The frames from there on are not in the log any more: a checkpoint has them. */
export class LogTruncated extends Error {
  override readonly name = 'LogTruncated';
}

export interface SharedLog {
  append(batch: LogBatch): Promise<AppendOutcome>;
  /**
   * The batches from the one that holds frame `from` on, without a gap, about `limitBytes` of them; none when that frame is not there yet.
   * Rejects with LogTruncated, or when the store does not answer.
   */
  read(from: number, limitBytes: number): Promise<LogBatch[]>;
  /** The first frame that can be read; the one that comes next where there is none. */
  first(): Promise<number>;
  /** Lets go of batches whose frames are all below `sequence`. */
  truncate(sequence: number): Promise<void>;
}

/** Who has the log. */
export interface LogOwner {
  /** 0: nobody has had it yet. */
  readonly term: number;
  /** The owner's own words of itself: its address. */
  readonly holder: string;
  /** Milliseconds until the owner counts as gone, by the store's clock; at most 0: it does. */
  readonly leftMs: number;
  /** Another one each time the owner renews its lease. */
  readonly beat: string;
}

/** Who appends to a log. Leases say when somebody may *try* to take over; that only one appends is the term's doing. */
export interface LogOwnership {
  owner(): Promise<LogOwner>;
  /**
   * Raises the term from `term` by one. False: it was another one, and nothing changed. A rejection says nothing: ask for the owner. With `beat` it is
   * also false when the owner has renewed its lease since: it may answer for as long as that, and so must not be replaced.
   */
  take(term: number, holder: string, leaseMs: number, beat?: string): Promise<boolean>;
  /** Prolongs the lease; false: the term is another's. `leaseMs` 0 gives it up. */
  renew(term: number, leaseMs: number): Promise<boolean>;
}

/** Where an append with an unknown outcome ended. */
export type SettledAppend = 'ok' | 'fenced' | 'lost';

/**
 * Appends until it is known what became of it. `lost`: other frames stand in the place of these, under the same term, which only a writer that is
 * not alone can bring about. `again` waits before the next attempt, and ends all by rejecting.
 */
export async function appendSettled(
  log: SharedLog,
  batch: LogBatch,
  again: () => Promise<void>,
): Promise<SettledAppend> {
  while (true) {
    const outcome = await log.append(batch).catch((): AppendOutcome => 'unknown');
    if (outcome === 'ok' || outcome === 'fenced') {
      if (outcome === 'fenced' && (await stands(log, batch, again))) return 'ok';
      return outcome;
    }
    if (outcome === 'conflict') return (await stands(log, batch, again)) ? 'ok' : 'lost';
    await again();
  }
}

/** Whether the log holds this very batch. */
async function stands(log: SharedLog, batch: LogBatch, again: () => Promise<void>): Promise<boolean> {
  while (true) {
    try {
      const [found] = await log.read(batch.firstSequence, 1);
      return found !== undefined && isSame(found, batch);
    } catch (error) {
      if (error instanceof LogTruncated) return false;
      await again();
    }
  }
}

function isSame(one: LogBatch, other: LogBatch): boolean {
  return (
    one.term === other.term &&
    one.firstSequence === other.firstSequence &&
    one.frameCount === other.frameCount &&
    one.bytes.length === other.bytes.length &&
    one.bytes.every((byte, i) => byte === other.bytes[i])
  );
}

// Where a subscriber wants to go on: `<epoch>:<sequence>`, the whole id of the last event seen, or a bare sequence number, which
// names no epoch and counts in whatever feed answers (contract part 1, Catch-up rules; reference 7).

export interface FeedPosition {
  /** Lower case; null when the position names none. */
  readonly epoch: string | null;
  readonly sequence: number;
}

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const digits = /^[0-9]+$/;
const largestSequence = 2n ** 63n - 1n;

/** Null when `text` is no position. Numbers above 2^53 round, which makes no difference: all of them lie in the future. */
export function parsePosition(text: string): FeedPosition | null {
  const colon = text.lastIndexOf(':');
  const epoch = colon < 0 ? null : text.slice(0, colon);
  const sequence = text.slice(colon + 1);
  if (epoch !== null && !guid.test(epoch)) return null;
  if (!digits.test(sequence) || BigInt(sequence) > largestSequence) return null;
  return { epoch: epoch?.toLowerCase() ?? null, sequence: Number(sequence) };
}

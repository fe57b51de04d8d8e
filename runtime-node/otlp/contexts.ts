// Ids of traces and spans. Of a span that nothing was done below and nothing was logged in they are made by the thread that exports it.

import { randomFillSync } from 'node:crypto';
import type { TraceContext } from './messages.ts';

const [traceIdBytes, spanIdBytes] = [16, 8];

const random = Buffer.alloc(4096);
let randomUsed = random.length;

/** Twice as many hexadecimal digits. */
function randomHex(bytes: number): string {
  if (randomUsed + bytes > random.length) {
    randomFillSync(random);
    randomUsed = 0;
  }
  randomUsed += bytes;
  return random.toString('hex', randomUsed - bytes, randomUsed);
}

/** The context of a new span below `parent`, or of one that begins a trace. */
export function contextBelow(parent: TraceContext | undefined): TraceContext {
  const spanId = randomHex(spanIdBytes);
  if (parent === undefined) return { traceId: randomHex(traceIdBytes), spanId, sampled: true };
  const { traceId, sampled, state } = parent;
  return { traceId, spanId, sampled, ...(state === undefined ? {} : { state }) };
}

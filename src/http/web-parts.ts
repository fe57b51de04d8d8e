// What HTTP needs of a home, made of web standards alone and a digest, which those do not have at once: for services that are asked by `fetch`
// calls of the program around them.

import type { Logger } from '../engine/logger.ts';
import type { AnswerBody, AnswerInit, BodyHolder, BodyRead, HttpPlatform } from './platform.ts';

export interface WebPlatformOptions {
  readonly logger: Logger;
  /** Resolves in a later turn of the event loop, after input and output that is waiting. */
  readonly pause: () => Promise<void>;
  /** Bytes of memory the whole process holds; missing: nobody knows, and 0 is told. */
  readonly usedMemoryBytes?: () => number;
  /** Milliseconds of a clock that never goes back; missing: `performance.now`. */
  readonly monotonicMs?: () => number;
  /** The body that travels beside a request, null when it has none; missing: requests carry their own. */
  readonly bodyOf?: (request: Request) => AsyncIterable<Uint8Array> | null;
}

/** `digest`: as `HttpPlatform.digest`. */
export function webPlatformWith(
  digest: HttpPlatform['digest'],
  { logger, pause, usedMemoryBytes, monotonicMs, bodyOf }: WebPlatformOptions,
): HttpPlatform {
  const bodyBlocks = bodyOf === undefined ? ownBlocks : (request: Request) => bodyOf(request) ?? noBlocks();
  return {
    logger,
    pause,
    respond,
    readBody: (request, maxBytes, holder) => readBody(request, bodyBlocks, maxBytes, holder),
    bodyBlocks,
    digest,
    usedMemoryBytes: usedMemoryBytes ?? (() => 0),
    heap: () => ({ heapUsedBytes: 0, heapTotalBytes: 0 }),
    monotonicMs: monotonicMs ?? (() => performance.now()),
  };
}

/** Statuses whose answers have no body must not be given one, not even an empty one. */
function respond(body: AnswerBody | null, init: AnswerInit): Response {
  return new Response(body, init);
}

/** As `HttpPlatform.readBody`, for a request of the web's own. */
async function readBody(
  request: Request,
  bodyBlocks: HttpPlatform['bodyBlocks'],
  maxBytes: number,
  holder: BodyHolder,
): Promise<BodyRead> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return { ok: false, reason: 'tooLarge' };
  const blocks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const block of bodyBlocks(request)) {
      bytes += block.byteLength;
      if (bytes > maxBytes) return { ok: false, reason: 'tooLarge' };
      if (!holder.holdBody(block.byteLength)) return { ok: false, reason: 'noRoom' };
      blocks.push(block);
    }
  } catch (error) {
    if (request.signal.aborted) return { ok: false, reason: 'aborted' };
    throw error;
  }
  return { ok: true, bytes: joined(blocks, bytes) };
}

/** As `HttpPlatform.bodyBlocks`. Where requests have no `body` (Firefox) it comes as one block. */
async function* ownBlocks(request: Request): AsyncIterable<Uint8Array> {
  if (request.body === undefined) {
    yield new Uint8Array(await request.arrayBuffer());
    return;
  }
  const reader = request.body?.getReader();
  if (reader === undefined) return;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    // The rest of a body that nobody wants. Its sender may have gone already.
    reader.cancel().catch(() => {});
  }
}

async function* noBlocks(): AsyncIterable<Uint8Array> {}

function joined(blocks: readonly Uint8Array[], bytes: number): Uint8Array {
  if (blocks.length === 1) return blocks[0] as Uint8Array;
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const block of blocks) {
    whole.set(block, at);
    at += block.byteLength;
  }
  return whole;
}

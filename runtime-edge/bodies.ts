// Bodies of requests. A client that still sends when its connection closes may never read its answer, so nobody here ends a body that he has
// no use for: the rest is left, and read before a refusal is answered.

/** An import of more does not fit into an object, so its client has to stop. */
const mostRestBytes = 256 * 2 ** 20;
/** A client that sends nothing for so long may be waiting for its answer. */
const mostIdleMs = 2000;

/** What comes, until its reader stops; null without a body. */
export function blocksOf({ body }: Request): AsyncIterable<Uint8Array> | null {
  return body === null ? null : blocksWithin(body);
}

async function* blocksWithin(body: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    reader.releaseLock();
  }
}

/** Reads what is left of a body, within limits of bytes and of milliseconds without any. Never rejects. */
export async function readRest({ body }: Request, most = mostRestBytes, idleMs = mostIdleMs): Promise<void> {
  if (body === null || body.locked) return;
  const reader = body.getReader();
  try {
    for (let bytes = 0; bytes <= most; ) {
      const next = await within(reader.read(), idleMs);
      if (next === null || next.done) break;
      bytes += next.value.byteLength;
    }
  } catch {
    // Its client has gone.
  }
  reader.cancel().catch(() => {}); // likewise
}

/** Null when it takes longer. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

// What is left of a body whose request is refused: how much of it is read.

import { expect, it } from 'vitest';
import { blocksOf, readRest } from '../../runtime-edge/bodies.ts';

interface Sent {
  readonly request: Request;
  /** Blocks that were taken, and whether the rest was given up. */
  readonly seen: { taken: number; isGivenUp: boolean };
}

/** A request whose body has so many blocks of ten bytes, and then ends, breaks or says nothing more. */
function sent(blocks: number, then: 'close' | 'error' | 'wait' = 'close'): Sent {
  const seen = { taken: 0, isGivenUp: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        if (seen.taken < blocks) {
          seen.taken++;
          controller.enqueue(new Uint8Array(10));
          return Promise.resolve();
        }
        if (then === 'close') controller.close();
        else if (then === 'error') controller.error(new Error('The client has gone.'));
        return then === 'wait' ? new Promise<void>(() => {}) : Promise.resolve();
      },
      cancel: () => {
        seen.isGivenUp = true;
      },
    },
    { highWaterMark: 0 },
  );
  const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
  return { request: new Request('http://service/', init), seen };
}

it.each([
  [5, { taken: 5, isGivenUp: false }],
  [6, { taken: 6, isGivenUp: true }],
  [60, { taken: 6, isGivenUp: true }],
])('of %i blocks it is read until more have come than the limit has', async (blocks, expected) => {
  const { request, seen } = sent(blocks);
  await readRest(request, 50);
  expect(seen).toEqual(expected);
});

it('is what a reader that stops leaves', async () => {
  const { request, seen } = sent(9);
  for await (const block of blocksOf(request) ?? []) {
    expect(block.length).toBe(10);
    break;
  }
  expect(seen).toEqual({ taken: 1, isGivenUp: false });
  await readRest(request);
  expect(seen).toEqual({ taken: 9, isGivenUp: false });
});

it('is given up when its client says nothing more, and when that has gone', async () => {
  const idle = sent(2, 'wait');
  await readRest(idle.request, 1000, 10);
  expect(idle.seen).toEqual({ taken: 2, isGivenUp: true });
  const gone = sent(2, 'error');
  await readRest(gone.request);
  expect(gone.seen).toEqual({ taken: 2, isGivenUp: false });
});

it('is nothing where somebody reads, and without a body', async () => {
  const { request, seen } = sent(3);
  request.body?.getReader();
  await readRest(request);
  expect(seen.taken).toBe(0);
  await readRest(new Request('http://service/'));
  expect(blocksOf(new Request('http://service/'))).toBeNull();
});

// Requests that come in one turn of the event loop came at one moment, and a connection begins so many of them in a turn.

import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Listener, listen } from '../../runtime-node/listener.ts';
import type { Moment } from '../../src/http/platform.ts';

/** Of one connection (connection-turns.ts). */
const mostInATurn = 32;

let listener: Listener;
/** Of the requests there were, when they came; null: nobody but the handler knows. */
let moments: (Moment | null)[] = [];

beforeAll(async () => {
  const handler = async (_request: Request, _target?: string, came?: () => Moment) => {
    moments.push(came?.() ?? null);
    return new Response('');
  };
  listener = await listen(handler, { host: '127.0.0.1', port: 0 });
});

afterAll(() => listener.close(0));

/** Sends so many requests at once, without waiting for answers. */
async function send(count: number): Promise<(Moment | null)[]> {
  moments = [];
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1');
  const last = 'GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n';
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(count - 1) + last);
  socket.resume();
  await once(socket, 'close');
  return moments;
}

test('those of one turn share their moment, later ones have a later one', async () => {
  const first = await send(3);
  const second = await send(3);
  expect(first.map((moment) => moment === first[0])).toEqual([true, true, true]);
  expect(second.map((moment) => moment === second[0])).toEqual([true, true, true]);
  const [before, after] = [first[0]?.ms ?? Number.NaN, second[0]?.ms ?? Number.NaN];
  expect(after).toBeGreaterThan(before);
});

test('those that wait for a later turn came when they are begun', async () => {
  const all = await send(mostInATurn + 8);
  expect(all.length).toBe(mostInATurn + 8);
  expect(all.map((moment) => moment !== null && moment === all[0])).toEqual(all.map((_, i) => i < mostInATurn));
  expect(all.slice(mostInATurn)).toEqual(Array(8).fill(null));
});

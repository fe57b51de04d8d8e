// The room that the bodies of all requests share, and how Node's side takes bodies: a few connections cannot take all memory or all of a turn.

import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ConnectionTurns } from '../../runtime-node/connection-turns.ts';
import { GatheredBody } from '../../runtime-node/gathered-body.ts';
import { IncomingPace } from '../../runtime-node/incoming-pace.ts';
import { SentAnswers } from '../../runtime-node/sent-answers.ts';
import { BodyRoom } from '../../src/http/body-room.ts';

const kib = 1024;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the room of all bodies', () => {
  test('is taken up to its limit, given back, and never above', () => {
    const room = new BodyRoom(1000 * kib);
    expect(room.take(0, 600 * kib)).toBe(true);
    expect(room.take(0, 401 * kib)).toBe(false);
    expect(room.take(0, 400 * kib)).toBe(true);
    expect(room.take(400 * kib, 1)).toBe(false);
    expect(room.bytes).toBe(1000 * kib);
    room.give(600 * kib);
    expect(room.take(400 * kib, 600 * kib)).toBe(true);
    room.give(1000 * kib);
    expect(room.bytes).toBe(0);
  });

  test('has a part that only small bodies get', () => {
    const room = new BodyRoom(800 * kib);
    expect(room.take(0, 800 * kib)).toBe(true);
    expect(room.take(0, 65 * kib)).toBe(false);
    expect(room.take(0, 64 * kib)).toBe(true);
    expect(room.take(0, 36 * kib)).toBe(true);
    expect(room.take(0, 1)).toBe(false);
    expect(room.take(36 * kib, 1)).toBe(false);
  });

  test('takes any body that is alone', () => {
    const room = new BodyRoom(1);
    expect(room.take(0, 100 * kib)).toBe(true);
    expect(room.take(100 * kib, 100 * kib)).toBe(true);
    expect(room.take(0, 1)).toBe(false);
  });
});

test('a body is the bytes of its blocks, whatever its head claimed', () => {
  const block = (bytes: number, of: number): Buffer => Buffer.alloc(bytes, of);
  const sizes = [
    [],
    [5],
    [1, 2, 3],
    [700 * kib, 700 * kib, 3],
    [3, 2048 * kib],
    Array(70).fill(64 * kib),
  ] as number[][];
  for (const lengths of sizes) {
    const blocks = lengths.map((length, index) => block(length, index));
    const whole = Buffer.concat(blocks);
    for (const claimed of [0, 1, whole.length, 30_000_000]) {
      const body = new GatheredBody(claimed);
      for (const one of blocks) body.add(one);
      expect(body.bytes).toBe(whole.length);
      expect(whole.equals(body.whole())).toBe(true);
    }
  }
});

test('a turn takes so many bytes of all bodies; who brings more goes on in the next one', async () => {
  const calls: string[] = [];
  const request = (name: string): IncomingMessage =>
    ({ pause: () => calls.push(`${name} pauses`), resume: () => calls.push(`${name} goes on`) }) as never;
  const [a, b] = [request('a'), request('b')];
  const pace = new IncomingPace();
  pace.took(a, 1024 * kib);
  pace.took(b, 1023 * kib);
  expect(calls).toEqual([]);
  pace.took(b, 1 * kib);
  pace.took(a, 1);
  expect(calls).toEqual(['b pauses', 'a pauses']);
  await turn();
  expect(calls.slice(2)).toEqual(['b goes on', 'a goes on']);
  pace.took(a, 1024 * kib);
  expect(calls).toHaveLength(4);
});

test('a connection begins 32 requests in a turn, the others in their order, and is not read on meanwhile', async () => {
  const calls: string[] = [];
  const prototype = { destroyed: false, pause: () => calls.push('pause'), resume: () => calls.push('resume') };
  const socket = Object.create(prototype) as Socket;
  const turns = new ConnectionTurns();
  const begun: number[] = [];
  for (let i = 0; i < 100; i++) {
    const wait = turns.wait(socket);
    if (wait === null) begun.push(i);
    else void wait.then(() => begun.push(i));
  }
  expect(turns.wait(Object.create(prototype) as Socket)).toBeNull();
  expect(begun).toHaveLength(32);
  expect(calls).toEqual(['pause']);
  socket.resume();
  expect(calls).toEqual(['pause']);
  const counts: number[] = [];
  while (begun.length < 100) {
    await turn();
    counts.push(begun.length);
  }
  expect(counts).toEqual([64, 96, 100]);
  expect(begun).toEqual(Array.from({ length: 100 }, (_, i) => i));
  expect(calls).toEqual(['pause', 'resume']);
});

test('an answer is over once: with its own end, with its connection, or at once where that has gone', () => {
  const sent = new SentAnswers();
  const socket = Object.assign(new EventEmitter(), { destroyed: false });
  const over: string[] = [];
  const answers = ['a', 'b', 'c'].map((name) => {
    const response = new EventEmitter();
    sent.when(response as ServerResponse, socket as unknown as Socket, () => over.push(name));
    return response;
  });
  expect(socket.listenerCount('close')).toBe(1);
  answers[1]?.emit('close');
  expect(over).toEqual(['b']);
  socket.destroyed = true;
  socket.emit('close');
  expect(over).toEqual(['b', 'a', 'c']);
  answers[0]?.emit('close');
  expect(over).toHaveLength(3);
  sent.when(new EventEmitter() as ServerResponse, socket as unknown as Socket, () => over.push('late'));
  expect(over.at(-1)).toBe('late');
});

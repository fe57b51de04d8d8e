// The service's socket ends in its own time: a connection on which nothing was ever sent holds up nobody, a running request finishes.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { mostRefused } from '../../runtime-node/connections.ts';
import { type Listener, listen } from '../../runtime-node/listener.ts';

const aDay = 86_400_000;

/** A service whose one request begins and stays until `finish` is called. */
async function slowService(): Promise<{ listener: Listener; began: Promise<void>; finish: () => void }> {
  const state = { begin: () => {}, finish: () => {} };
  const began = new Promise<void>((resolve) => {
    state.begin = resolve;
  });
  const finished = new Promise<void>((resolve) => {
    state.finish = resolve;
  });
  const handler = async (): Promise<Response> => {
    state.begin();
    await finished;
    return new Response('done');
  };
  return { listener: await listen(handler, { host: '127.0.0.1', port: 0 }), began, finish: () => state.finish() };
}

it('closes although a connection was opened and never used', async () => {
  const { listener } = await slowService();
  const silent = connect(Number(new URL(listener.url).port), '127.0.0.1');
  silent.on('error', () => {}); // a reset is an end, too
  await once(silent, 'connect');
  const gone = once(silent, 'close');
  await listener.close(aDay);
  await gone;
});

it('closes after the running request was answered', async () => {
  const { listener, began, finish } = await slowService();
  const answer = fetch(listener.url);
  await began;
  let isClosed = false;
  const closing = listener.close(aDay).then(() => {
    isClosed = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 100)); // several looks at what is idle
  expect(isClosed).toBe(false);
  finish();
  expect(await (await answer).text()).toBe('done');
  await closing;
});

it('lets a sender finish its body that closes behind it, and only then reads the answer', async () => {
  const bytes = 24 * 1024 * 1024; // more than both ends hold between them
  const refuse = async (): Promise<Response> =>
    new Response('too much', { status: 413, headers: { 'content-length': '8' } });
  const listener = await listen(refuse, { host: '127.0.0.1', port: 0 });
  const sender = connect(Number(new URL(listener.url).port), '127.0.0.1');
  sender.pause();
  const sent = new Promise<void>((resolve, reject) => {
    sender.on('error', reject);
    sender.write(`PUT / HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Length: ${bytes}\r\n\r\n`);
    sender.write(Buffer.alloc(bytes), (error) => (error ? reject(error) : resolve()));
  });
  await sent;
  let answer = '';
  sender.on('data', (block) => {
    answer += block;
  });
  sender.resume();
  await once(sender, 'end');
  expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*too much$/);
  await listener.close(aDay);
});

/** An open connection, and all that comes over it until its end. */
async function connection(listener: Listener): Promise<{ socket: Socket; answer: Promise<string> }> {
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1');
  let text = '';
  socket.on('data', (block) => {
    text += block;
  });
  socket.on('error', () => {}); // a reset is an end, too
  const answer = once(socket, 'close').then(() => text);
  await once(socket, 'connect');
  return { socket, answer };
}

it('serves as many connections as it may, tells the next ones why it does not, and takes new ones when others end', async () => {
  const listener = await listen(async () => new Response('served'), { host: '127.0.0.1', port: 0, maxConnections: 2 });
  const request = 'GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n';
  const first = await connection(listener);
  const second = await connection(listener);
  const third = await connection(listener);
  third.socket.write(request);
  const refused = await third.answer;
  expect(refused).toMatch(/^HTTP\/1\.1 503 /);
  expect(refused).toMatch(/\r\nretry-after: 1\r\n/i);
  expect(refused).toMatch(/the 2 connections of Http:MaxConnections/);
  second.socket.write(request);
  expect(await second.answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*served/);
  const fourth = await connection(listener);
  fourth.socket.write(request);
  expect(await fourth.answer).toMatch(/^HTTP\/1\.1 200 /);
  first.socket.destroy();
  await listener.close(aDay);
});

it('cuts a connection beyond the limit that asks for nothing, and more than some of them at once', async () => {
  const listener = await listen(async () => new Response('served'), { host: '127.0.0.1', port: 0, maxConnections: 1 });
  const first = await connection(listener);
  const beyond = await Promise.all(Array.from({ length: mostRefused + 8 }, () => connection(listener)));
  expect(await Promise.all(beyond.map(({ answer }) => answer))).toEqual(beyond.map(() => ''));
  first.socket.write('GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n');
  expect(await first.answer).toMatch(/^HTTP\/1\.1 200 /);
  await listener.close(aDay);
});

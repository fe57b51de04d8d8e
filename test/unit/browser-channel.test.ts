// The channel between a page and its engine, both ends in this process over a real message channel.

import { MessageChannel as Channel } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import { EngineClient } from '../../runtime-browser/engine-client.ts';
import { bodyOf, EnginePort } from '../../runtime-browser/engine-port.ts';
import { windowBytes } from '../../runtime-browser/messages.ts';
import { partsOf, portAnswer } from '../../runtime-browser/port-answers.ts';
import { askedRequest } from '../../runtime-browser/requests.ts';

const channels: Channel[] = [];
afterEach(() => {
  for (const { port1 } of channels.splice(0)) port1.close();
});

type Answerer = (request: Request) => Promise<Response>;

/** A client whose requests `answer` gets. */
function connected(answer: Answerer): { client: EngineClient; ask: typeof fetch } {
  const channel = new Channel();
  channels.push(channel);
  const { port1, port2 } = channel;
  const client = new EngineClient((message, transfer = []) => port1.postMessage(message, transfer as never));
  const engine = new EnginePort(answer, (message, transfer = []) => port2.postMessage(message, transfer as never));
  port1.on('message', (message) => client.receive(message));
  port2.on('message', (message) => engine.receive(message));
  return { client, ask: async (input, init) => client.fetch(await askedRequest(input, init)) };
}

async function textOf(request: Request): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const block of bodyOf(request) ?? []) text += decoder.decode(block, { stream: true });
  return text;
}

/** Blocks of 64 KiB, as many as asked for; counts those that were taken. */
function blocks(count: number): { stream: ReadableStream<Uint8Array>; taken: () => number; cancelled: Promise<void> } {
  let taken = 0;
  let cancelled = (): void => {};
  const whenCancelled = new Promise<void>((resolve) => {
    cancelled = resolve;
  });
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (taken === count) controller.close();
        else controller.enqueue(new Uint8Array(blockBytes).fill(taken++));
      },
      cancel: () => cancelled(),
    },
    { highWaterMark: 0 },
  );
  return { stream, taken: () => taken, cancelled: whenCancelled };
}

const blockBytes = 65_536;

function streamOf(body: AsyncIterable<Uint8Array> | null): ReadableStream<Uint8Array> {
  const iterator = body?.[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const next = await iterator?.next();
      if (next?.done === false) controller.enqueue(next.value);
      else controller.close();
    },
  });
}

/** Every message that is under way has arrived: as many round trips as blocks fit a window, twice over. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < (4 * windowBytes) / blockBytes; turn++)
    await new Promise((resolve) => setImmediate(resolve));
}

const echo: Answerer = async (request) => new Response(`${request.method} ${request.url} ${await textOf(request)}`);

describe('the channel of a page', () => {
  test('gives on method, path, headers and bodies that are whole', async () => {
    const { ask } = connected(async (request) => {
      const content = `${await textOf(request)} ${request.headers.get('x-a')}`;
      return portAnswer(content, { status: 207, statusText: 'Some', headers: [['x-b', 'c']] });
    });
    const answer = await ask('/a?b=c', { method: 'PUT', headers: { 'x-a': 'b' }, body: 'ü' });
    expect([answer.status, answer.statusText, answer.headers.get('x-b'), await answer.text()]).toEqual([
      ...[207, 'Some', 'c', 'ü b'],
    ]);
    const empty = connected(async () => portAnswer(null, { status: 204, statusText: '', headers: [] }));
    expect((await empty.ask('/')).body).toBeNull();
  });

  test('takes of an answer the bytes it shows, not the block they were cut from', () => {
    const shown = new Uint8Array(blockBytes).subarray(5, 8).fill(7);
    const { body } = partsOf(portAnswer(shown, { status: 200, statusText: '', headers: [] }));
    if (body.kind !== 'whole' || typeof body.content === 'string') throw new Error('It does not travel whole.');
    expect([[...body.content], body.content.buffer.byteLength]).toEqual([[7, 7, 7], 3]);
  });

  test('gives on what is handed in as text and as bytes, with the type that fetch gives a text', async () => {
    const { ask } = connected(async (request) => {
      const content = `${await textOf(request)} ${request.headers.get('content-type')}`;
      return portAnswer(content, { status: 200, statusText: '', headers: [] });
    });
    const sent = async (body: BodyInit, headers: Record<string, string> = {}): Promise<string> =>
      (await ask('/', { method: 'POST', body, headers })).text();
    const bytes = new TextEncoder().encode('-text-').subarray(1, 5);
    expect(await sent('text')).toBe('text text/plain;charset=UTF-8');
    expect(await sent('text', { 'content-type': 'a/b' })).toBe('text a/b');
    expect(await sent(bytes)).toBe('text null');
    expect(await sent(bytes.slice().buffer)).toBe('text null');
    expect([...bytes]).toEqual([...new TextEncoder().encode('text')]); // the caller keeps them
    await expect(ask('/', { method: 'GET', body: 'text' })).rejects.toThrow(TypeError);
  });

  test('an abort that comes before anybody asks for the signal is seen by whoever asks then', async () => {
    const abort = new AbortController();
    let goOn = (): void => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let seen: boolean | null = null;
    const looked = new Promise<void>((resolve) => {
      const { ask } = connected(async (request) => {
        await held;
        seen = request.signal.aborted;
        resolve();
        return portAnswer(null, { status: 204, statusText: '', headers: [] });
      });
      ask('/', { signal: abort.signal }).catch(() => {}); // it is given up
    });
    await quiet();
    abort.abort();
    await quiet();
    goOn();
    await looked;
    expect(seen).toBe(true);
  });

  test('gives on streams both ways, whole and in order', async () => {
    const { ask } = connected(async (request) => new Response(streamOf(bodyOf(request))));
    const answer = await ask('/', { method: 'POST', body: blocks(100).stream });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    expect(bytes.length).toBe(100 * blockBytes);
    expect(bytes.findIndex((byte, at) => byte !== Math.floor(at / blockBytes))).toBe(-1);
  });

  test("moves blocks that are nobody else's, and copies all others", async () => {
    const left = async (areMovable: boolean): Promise<number[]> => {
      const given = [new Uint8Array(8).fill(1), new Uint8Array(16).subarray(4, 12).fill(2)];
      const { client } = connected(async (request) => new Response(await textOf(request)));
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const block of given) controller.enqueue(block);
          controller.close();
        },
      });
      const asked = { method: 'POST', url: 'http://a/', headers: [], body: stream, areMovable, signal: null };
      expect((await (await client.fetch(asked)).text()).length).toBe(16);
      return given.map(({ byteLength }) => byteLength);
    };
    expect([await left(true), await left(false)]).toEqual([
      [0, 8],
      [8, 8],
    ]);
  });

  test('sends no more of an answer than the window before it is read', async () => {
    const { stream, taken, cancelled } = blocks(1000);
    const { ask } = connected(async () => new Response(stream));
    const reader = ((await ask('/')).body as ReadableStream<Uint8Array>).getReader();
    await quiet();
    expect(taken()).toBe(windowBytes / blockBytes);
    await reader.read();
    await quiet();
    expect(taken()).toBe(windowBytes / blockBytes + 1);
    await reader.cancel();
    await cancelled;
  });

  test('takes no more of a request than the window, and gives the rest up with the answer', async () => {
    const { stream, taken, cancelled } = blocks(1000);
    let answerIt = (): void => {};
    const answered = new Promise<void>((resolve) => {
      answerIt = resolve;
    });
    const { ask } = connected(async () => {
      await answered;
      return portAnswer('no', { status: 413, statusText: '', headers: [] });
    });
    const asked = ask('/', { method: 'POST', body: stream });
    await quiet();
    expect(taken()).toBe(windowBytes / blockBytes);
    answerIt();
    expect((await asked).status).toBe(413);
    await cancelled;
  });

  test('reads a file no further than the engine takes it, and tells its type', async () => {
    const { stream, taken, cancelled } = blocks(1000);
    class LargeFile extends Blob {
      override stream(): ReturnType<Blob['stream']> {
        return stream as ReturnType<Blob['stream']>;
      }
    }
    const types: (string | null)[] = [];
    const { ask } = connected(async ({ headers }) => {
      types.push(headers.get('content-type'));
      if (types.length === 1) await quiet();
      return portAnswer(null, { status: 204, statusText: '', headers: [] });
    });
    await ask('/', { method: 'POST', body: new LargeFile([], { type: 'application/x-ndjson' }) });
    expect(taken()).toBe(windowBytes / blockBytes);
    await cancelled;
    await ask('/', { method: 'POST', headers: { 'content-type': 'text/csv' }, body: new Blob(['a'], { type: 'a/b' }) });
    expect(types).toEqual(['application/x-ndjson', 'text/csv']);
    await expect(ask('/', { body: new Blob(['a']) })).rejects.toThrow(TypeError);
  });

  test('leaves the bytes that a caller gave to the caller', async () => {
    const { ask } = connected(echo);
    const body = new TextEncoder().encode('mine');
    for (const once of [body, body.buffer]) {
      const answer = await ask('/', { method: 'POST', body: once });
      expect(await answer.text()).toContain('mine');
    }
    expect(new TextDecoder().decode(body)).toBe('mine');
  });

  test('tells the engine of an abort, before an answer and within one', async () => {
    let aborted = (): void => {};
    const seen = new Promise<void>((resolve) => {
      aborted = resolve;
    });
    const endless = connected((request) => {
      request.signal.addEventListener('abort', aborted);
      return new Promise(() => {});
    });
    const controller = new AbortController();
    const asked = endless.ask('/', { signal: controller.signal });
    await quiet();
    controller.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
    await seen;
    await expect(endless.ask('/', { signal: controller.signal })).rejects.toThrow('enough');

    const { stream, cancelled } = blocks(1000);
    const { ask } = connected(async () => new Response(stream));
    const second = new AbortController();
    const answer = await ask('/', { signal: second.signal });
    second.abort(new Error('no more'));
    await expect(answer.text()).rejects.toThrow();
    await cancelled;
  });

  test('tells both sides of bodies that break off, and of an engine that throws', async () => {
    const broken = (): ReadableStream<Uint8Array> =>
      new ReadableStream({ pull: (controller) => controller.error(new Error('torn')) });
    const answering = connected(async () => new Response(broken()));
    await expect((await answering.ask('/')).text()).rejects.toThrow('torn');
    const reading = connected(echo);
    await expect(reading.ask('/', { method: 'POST', body: broken() })).rejects.toThrow('torn');
    const throwing = connected(async () => {
      throw new RangeError('odd');
    });
    await expect(throwing.ask('/')).rejects.toMatchObject({ name: 'RangeError', message: 'odd' });
  });

  test('rejects what waits once the engine is gone, and what is asked behind that', async () => {
    const { client, ask } = connected(() => new Promise(() => {}));
    const asked = ask('/');
    await quiet();
    client.end(new Error('gone'));
    await expect(asked).rejects.toThrow('gone');
    await expect(ask('/')).rejects.toThrow('gone');
  });
});

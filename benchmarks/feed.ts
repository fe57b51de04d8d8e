// What the change feed costs the writer. First the bare publishing rate. Then a writer that keeps one thread busy with transactions
// of 50 µs, 20,000 events a second: how many it gets done with nobody listening, with 32 subscribers in the process, with one more that
// never reads, and with 32 over HTTP, read by two other processes: written to by the writer's own thread, by the thread that delivers, and
// by that one with one more client that never reads. A machine that is short of processors takes some from the writer as well; what its
// own thread spent on a transaction says what the feed costs it.
// `npm run bench -- feed [--seconds 2] [--rounds 3] [--subscribers 32]`

import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { FeedDelivery } from '../runtime-node/feed/feed-delivery.ts';
import { ChangeFeed } from '../src/engine/feed/feed.ts';
import { parseFilter } from '../src/engine/feed/filter.ts';
import { compete, figure, machineLine, median, setting, table, target, timed } from './lib/measure.ts';

const transactionMs = 0.05;
const sliceMs = 1;
const readerProcesses = 2;

/** What a process is asked to read, as its first message. */
interface Reading {
  readonly url: string;
  readonly subscribers: number;
  /** More that never read. */
  readonly stuck: number;
}

/** Another process: reads streams, answers what it has got when it is asked. */
function readStreams({ url, subscribers, stuck }: Reading): void {
  const received: Received = { bytes: 0, resyncs: 0 };
  for (let i = 0; i < subscribers + stuck; i++) {
    get(url, { agent: false }, (response) => {
      response.on('data', (chunk: Buffer) => {
        received.bytes += chunk.length;
        if (chunk.includes('"reason":"overflow"')) received.resyncs++;
      });
      if (i >= subscribers) response.pause();
      process.send?.('open');
    });
  }
  process.on('message', () => process.send?.(received));
}

function newFeed(): ChangeFeed {
  return new ChangeFeed({
    enabled: true,
    bufferSize: 8192,
    subscriberQueueSize: 1024,
    maxSubscribers: 100,
    keepAliveSeconds: 15,
    clock: { nowMs: () => Date.now() },
  });
}

/** Records of vertices, all with a label. */
function created(count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, id) => id).reduce(
    (records, id) => {
      records.set([0x0101, id, id % 8, 0xffff_ffff], id * 8);
      return records;
    },
    new Uint32Array(count * 8),
  );
}

const nameOf = (id: number): string => `label-${id}`;

function open(feed: ChangeFeed): ReadableStream<Uint8Array> {
  const filter = parseFilter(new URLSearchParams());
  const result = filter.ok ? feed.subscribe({ filter: filter.filter }) : filter;
  if (!result.ok) throw new Error(result.detail);
  return result.stream;
}

/** What has come out of the feed. */
interface Received {
  bytes: number;
  resyncs: number;
}

async function drain(stream: ReadableStream<Uint8Array>, received: Received): Promise<void> {
  const resync = new TextEncoder().encode('overflow');
  for await (const chunk of stream) {
    received.bytes += chunk.length;
    // A resync for one subscriber is a chunk of its own, and a short one.
    if (chunk.length < 200 && new TextDecoder().decode(chunk).includes(new TextDecoder().decode(resync)))
      received.resyncs++;
  }
}

interface Writing {
  readonly transactions: number;
  /** Processor time of the writer's thread for one transaction, in µs; not a number where the system does not tell. */
  readonly cpuUs: number;
  /** Time in which the thread did something else. */
  readonly awayMs: number;
  /** Time in which it waited for a processor. */
  readonly waitedMs: number;
  /** Processor time of the process's other threads for one transaction. */
  readonly elsewhereUs: number;
}

/** Nanoseconds that the main thread has been on a processor, and has waited for one (Linux). */
function mainThreadNs(): { readonly ran: number; readonly waited: number } {
  try {
    const [ran, waited] = readFileSync('/proc/self/schedstat', 'utf8').split(' ').map(Number);
    return { ran: ran ?? Number.NaN, waited: waited ?? Number.NaN };
  } catch {
    return { ran: Number.NaN, waited: Number.NaN };
  }
}

let sink = 1;

/** What a transaction does besides publishing: the same work each time, however often the thread is put aside meanwhile. */
function work(steps: number): void {
  for (let i = 0; i < steps; i++) sink = (Math.imul(sink, 1_664_525) + 1_013_904_223) | 0;
}

/** Steps that take `transactionMs` on this machine: the best of many tries. */
function calibrate(): number {
  const steps = 20_000;
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 500; i++)
    best = Math.min(
      best,
      timed(() => work(steps)),
    );
  return Math.round((steps * transactionMs) / best);
}

const isReader = process.argv[2] === 'read';
const transactionSteps = isReader ? 0 : calibrate();

/** Transactions a writer gets done that does nothing else, letting other work in after each slice. */
async function write(feed: ChangeFeed, seconds: number): Promise<Writing> {
  const record = created(1);
  const before = mainThreadNs();
  const processBefore = process.cpuUsage();
  const endMs = performance.now() + seconds * 1000;
  let transactions = 0;
  let awayMs = 0;
  for (let nowMs = performance.now(); nowMs < endMs; ) {
    const sliceEndMs = nowMs + sliceMs;
    while (nowMs < sliceEndMs) {
      record[1] = transactions++;
      feed.publish(record, nameOf, Date.now());
      work(transactionSteps);
      nowMs = performance.now();
    }
    await new Promise((resolve) => setImmediate(resolve));
    const backMs = performance.now();
    awayMs += backMs - nowMs;
    nowMs = backMs;
  }
  const { ran, waited } = mainThreadNs();
  const cpuUs = (ran - before.ran) / 1000 / transactions;
  const { user, system } = process.cpuUsage(processBefore);
  const elsewhereUs = (user + system) / transactions - cpuUs;
  return { transactions, awayMs, cpuUs, elsewhereUs, waitedMs: (waited - before.waited) / 1e6 };
}

/** Sends a stream as a server does: the next chunk when the socket has taken the last one. */
async function send(stream: ReadableStream<Uint8Array>, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const reader = stream.getReader();
  response.on('close', () => void reader.cancel());
  while (true) {
    const { done, value } = await reader.read();
    if (done) break;
    if (!response.write(value)) await new Promise((resolve) => response.once('drain', resolve));
  }
  response.end();
}

interface Run extends Writing {
  readonly bytes: number;
  readonly resyncs: number;
  readonly newest: number;
}

async function inProcess(subscribers: number, stuck: number, seconds: number): Promise<Run> {
  const feed = newFeed();
  const received: Received = { bytes: 0, resyncs: 0 };
  for (let i = 0; i < subscribers; i++) void drain(open(feed), received);
  for (let i = 0; i < stuck; i++) open(feed);
  const writing = await write(feed, seconds);
  await new Promise((resolve) => setTimeout(resolve, 200));
  const { newest } = feed;
  feed.close();
  return { ...writing, newest, ...received };
}

/** Who writes to the sockets. */
type Deliverer = 'writer' | 'thread';

async function overHttp(deliverer: Deliverer, subscribers: number, stuck: number, seconds: number): Promise<Run> {
  const feed = newFeed();
  const delivery = new FeedDelivery({ logger: console });
  const server = createServer((_, response) => {
    if (deliverer === 'writer') return void send(open(feed), response);
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    const filter = { kinds: null, elements: null, labels: null, keys: null };
    const reserved = feed.reserve({ filter });
    if (!reserved.ok) throw new Error(reserved.detail);
    void delivery.subscribe(feed, reserved.place).attach(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const each = Math.ceil(subscribers / readerProcesses);
  const readers = await Promise.all(
    Array.from({ length: readerProcesses }, (_, i) =>
      startReader({ url, subscribers: Math.min(each, subscribers - i * each), stuck: i === 0 ? stuck : 0 }),
    ),
  );
  const writing = await write(feed, seconds);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const all = await Promise.all(readers.map(receivedBy));
  const { newest } = feed;
  feed.close();
  await delivery.close();
  for (const reader of readers) reader.kill();
  server.closeAllConnections();
  server.close();
  const sum = (of: (received: Received) => number) => all.reduce((total, received) => total + of(received), 0);
  return { ...writing, bytes: sum(({ bytes }) => bytes), resyncs: sum(({ resyncs }) => resyncs), newest };
}

async function startReader(reading: Reading): Promise<ChildProcess> {
  const reader = fork(fileURLToPath(import.meta.url), ['read']);
  let opened = 0;
  await new Promise<void>((resolve) => {
    reader.on('message', (message) => {
      if (message === 'open' && ++opened === reading.subscribers + reading.stuck) resolve();
    });
    reader.send(reading);
  });
  return reader;
}

function receivedBy(reader: ChildProcess): Promise<Received> {
  return new Promise((resolve) => {
    reader.once('message', (received) => resolve(received as Received));
    reader.send('received?');
  });
}

async function publishingRate(): Promise<void> {
  const events = 2_000_000;
  const sizes = [1, 100, 10_000];
  const results = await compete(
    sizes.map((size) => {
      const feed = newFeed();
      const batch = created(size);
      return {
        name: `transactions of ${figure(size)}`,
        round: () =>
          timed(() => {
            for (let done = 0; done < events; done += size) feed.publish(batch, nameOf, 0);
          }),
      };
    }),
    3,
  );
  const rows = results.map(({ name, medianMs }) => [name, events / medianMs / 1000, (medianMs / events) * 1e6]);
  console.log(table([['nobody listens', 'M events/s', 'ns an event'], ...rows]));
}

async function writerUnderLoad(subscribers: number, seconds: number, rounds: number): Promise<void> {
  const runs: [string, number, () => Promise<Run>][] = [
    ['nobody listens', 0, () => inProcess(0, 0, seconds)],
    [`${subscribers} in the process`, subscribers, () => inProcess(subscribers, 0, seconds)],
    [`${subscribers} and one stuck`, subscribers, () => inProcess(subscribers, 1, seconds)],
    [`${subscribers} over HTTP, same thread`, subscribers, () => overHttp('writer', subscribers, 0, seconds)],
    [`${subscribers} over HTTP`, subscribers, () => overHttp('thread', subscribers, 0, seconds)],
    [`${subscribers} over HTTP and one stuck`, subscribers, () => overHttp('thread', subscribers, 1, seconds)],
  ];
  const results = runs.map((): Run[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, [, , run]] of runs.entries()) results[index]?.push(await run());
  }
  const rates = results.map((own) => median(own.map(({ transactions }) => transactions / seconds)));
  const cpus = results.map((own) => median(own.map(({ cpuUs }) => cpuUs)));
  const served = results.map((own) =>
    median(own.map(({ transactions, waitedMs }) => transactions / (seconds - waitedMs / 1000))),
  );
  const rows = runs.map(([name, count], index) => {
    const own = results[index] ?? [];
    const bytes = median(own.map((run) => run.bytes));
    const perEvent = bytes / Math.max(1, count) / median(own.map((run) => run.newest));
    const resyncs = own.reduce((sum, run) => sum + run.resyncs, 0);
    const shareOf = (of: (run: Run) => number) => (median(own.map(of)) / seconds / 1000) * 100;
    return [
      name,
      rates[index] ?? 0,
      cpus[index] ?? 0,
      median(own.map((run) => run.elsewhereUs)),
      shareOf((run) => run.awayMs),
      shareOf((run) => run.waitedMs),
      bytes / seconds / 1e6,
      count > 0 ? perEvent : 0,
      `${resyncs}`,
    ];
  });
  console.log(
    table([
      [
        '',
        'events/s',
        'µs an event',
        'µs elsewhere',
        '% away',
        '% without processor',
        'MB/s out',
        'bytes an event each',
        'overflows',
      ],
      ...rows,
    ]),
  );
  for (const index of [1, 2, 4, 5]) {
    const lost = (1 - (rates[index] ?? 0) / (rates[0] ?? 1)) * 100;
    const lostServed = (1 - (served[index] ?? 0) / (served[0] ?? 1)) * 100;
    const more = (1 - (cpus[0] ?? 1) / (cpus[index] ?? 1)) * 100;
    console.log(target(`writer slower, ${runs[index]?.[0]}, by its thread's processor time`, more, '<=', 5, '%'));
    console.log(target(`writer slower, ${runs[index]?.[0]}, by the clock`, lost, '<=', 5, '%'));
    console.log(target(`writer slower, ${runs[index]?.[0]}, while it had a processor`, lostServed, '<=', 5, '%'));
  }
}

if (isReader) {
  process.once('message', (reading) => readStreams(reading as Reading));
} else {
  console.log(machineLine());
  await publishingRate();
  await writerUnderLoad(setting('subscribers', 32), setting('seconds', 2), setting('rounds', 3));
}

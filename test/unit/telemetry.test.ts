// Instruments that move only when something fails, and collecting from very many namespaces.

import { expect, test } from 'vitest';
import { prometheusText } from '../../runtime-node/prometheus-text.ts';
import { CommitGroups } from '../../src/engine/commit-groups.ts';
import { TransactionTelemetry } from '../../src/engine/transaction-telemetry.ts';
import { collect, type Tags } from '../../src/telemetry/collect.ts';
import { familiesOf } from '../../src/telemetry/families.ts';
import { type Instrument, instruments } from '../../src/telemetry/instruments.ts';
import { Meter, Series } from '../../src/telemetry/telemetry.ts';
import { parseScrape } from '../contract/support/prometheus.ts';
import { graphOf, startedWith, vertex } from './engine-support.ts';
import { BreakableLogStore } from './support/breakable-stores.ts';

const unpaused = async (): Promise<void> => {};

async function figures(meter: Meter): Promise<(instrument: Instrument, tags?: Tags) => number | undefined> {
  const seen: { instrument: Instrument; tags: Tags; value: number }[] = [];
  await collect(meter, [], unpaused, (instrument, tags, value) => {
    seen.push({ instrument, tags, value: typeof value === 'number' ? value : value.count });
  });
  return (instrument, tags = {}) =>
    seen.find(
      (one) => one.instrument === instrument && Object.entries(tags).every(([tag, text]) => one.tags[tag] === text),
    )?.value;
}

test('a log that fails moves its gauge, its counter, and that of writes that are not durable', async () => {
  const logs = new BreakableLogStore();
  const meter = new Meter(() => 0);
  const { engine } = await startedWith({ logs, telemetry: meter });
  const write = async () => {
    const outcome = graphOf(engine).write([vertex()]);
    return outcome.ok && outcome.durable;
  };
  expect(await write()).toBe(true);
  const before = await figures(meter);
  expect(before(instruments.walDegraded)).toBe(0);
  expect(before(instruments.flushFailures)).toBeUndefined();
  logs.broken = true;
  expect(await write()).toBe(false);
  expect(await write()).toBe(false);
  const after = await figures(meter);
  expect(after(instruments.walDegraded)).toBe(1);
  expect(after(instruments.flushFailures)).toBe(1);
  expect(after(instruments.nondurable)).toBe(2);
  expect(after(instruments.commits, { 'transaction.type': 'CreateVertexTransaction' })).toBe(3);
  expect(after(instruments.commitDuration)).toBe(1);
  await engine.close();
});

test('many values are recorded as one by one', () => {
  const values = Float64Array.from({ length: 1000 }, (_, i) => 2 ** ((i * 7) % 40) / 2 ** 20);
  const [alone, together] = [new Series(instruments.commitDuration, []), new Series(instruments.commitDuration, [])];
  for (const value of values.subarray(0, 900)) alone.record(value);
  together.recordAll(values, 400);
  together.recordAll(values.subarray(400), 500);
  expect(together.count).toBe(900);
  expect(together.buckets).toEqual(alone.buckets);
  expect(together.sum).toBeCloseTo(alone.sum, 6);
});

test('of transactions that become durable together each is recorded by what it is and took', async () => {
  let nowMs = 1000;
  const meter = new Meter(() => nowMs);
  const engine = meter.engine('id');
  const groups = new CommitGroups();
  const transactions = new TransactionTelemetry(engine, groups);
  const count = (instrument: Instrument, ...tags: string[]): Series => engine.series(instrument, tags);
  const settles: ((isDurable: boolean) => void)[] = [];
  const group = (): Promise<boolean> => new Promise((resolve) => void settles.push(resolve));
  const settle = async (isDurable: boolean): Promise<void> => {
    settles.shift()?.(isDurable);
    await Promise.resolve();
  };
  const write = (kind: 'createVertex' | 'trim', durable: Promise<boolean>, tookMs: number): void => {
    const beganMs = nowMs;
    nowMs += tookMs;
    transactions.written([kind === 'trim' ? { kind } : vertex()], durable, beganMs);
  };
  const [first, second] = [group(), group()];
  for (let i = 0; i < 200; i++) write(i % 50 === 49 ? 'trim' : 'createVertex', first, 2);
  void transactions.made('ImportTransaction', first);
  write('createVertex', second, 30);
  expect(count(instruments.commits, 'CreateVertexTransaction').sum).toBe(197);
  expect(count(instruments.commits, 'TrimTransaction').sum).toBe(4);
  expect(count(instruments.commits, 'ImportTransaction').sum).toBe(1);
  const [executed, committed] = [count(instruments.executeDuration), count(instruments.commitDuration)];
  expect([executed.count, committed.count]).toEqual([0, 0]);
  nowMs += 100;
  await settle(true);
  expect([executed.count, committed.count]).toEqual([200, 201]);
  expect(executed.sum).toBeCloseTo(0.4, 9);
  // The first one began 530 ms before, each after it 2 ms later, the import 130 ms before.
  expect(committed.sum).toBeCloseTo((200 * 530 - 2 * 19_900 + 130) / 1000, 9);
  await settle(false);
  expect([executed.count, committed.count, count(instruments.nondurable).sum]).toEqual([201, 201, 1]);
  expect(executed.sum).toBeCloseTo(0.43, 9);
});

test('ten thousand namespaces are collected a few at a time', async () => {
  const meter = new Meter(() => 0);
  const namespaces = Array.from({ length: 10_000 }, (_, i) => ({ id: `id-${i}`, name: `name-${i}` }));
  for (const { id } of namespaces) {
    const engine = meter.engine(id);
    engine.watch(() => [[instruments.vertices, 1]]);
    engine.add(instruments.commits, 1, 'CreateVertexTransaction');
  }
  let visited = 0;
  let inSlice = 0;
  let longest = 0;
  const pause = async (): Promise<void> => {
    longest = Math.max(longest, inSlice);
    inSlice = 0;
  };
  await collect(meter, namespaces, pause, () => {
    visited++;
    inSlice++;
  });
  expect(visited).toBe(30_000);
  expect(longest).toBeLessThan(50);
});

test('a scrape of very many series is sent in pieces, between which everything else has its turn', async () => {
  const meter = new Meter(() => 0);
  const count = 300;
  for (let i = 0; i < count; i++) {
    const engine = meter.engine(`id-${i}`);
    engine.watch(() => [[instruments.vertices, i]]);
    engine.record(instruments.groupSize, i);
  }
  const families = await familiesOf(meter, [], unpaused);
  let turns = 0;
  let ended = false;
  const turn = (): void => {
    turns++;
    if (!ended) setImmediate(turn);
  };
  setImmediate(turn);
  const lines: number[] = [];
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of prometheusText.write(families)) {
    const part = decoder.decode(piece);
    lines.push(part.split('\n').length);
    text += part;
  }
  ended = true;
  expect(Math.max(...lines)).toBeLessThan(500);
  expect(turns).toBeGreaterThanOrEqual(lines.length);
  const scraped = parseScrape(text);
  const sizes = scraped.get('service_transaction_group_size');
  expect(sizes?.samples.length).toBe(count * (instruments.groupSize.bounds.length + 3));
  const last = sizes?.samples.filter(({ labels }) => labels.service_scope_id === `id-${count - 1}`) ?? [];
  const below = instruments.groupSize.bounds.map((bound) => Number(count - 1 <= bound));
  expect(last.map(({ value }) => value)).toEqual([...below, 1, count - 1, 1]);
  expect(
    scraped
      .get('service_graph_vertices')
      ?.samples.map(({ value }) => value)
      .sort((a, b) => a - b),
  ).toEqual(Array.from({ length: count }, (_, i) => i));
});

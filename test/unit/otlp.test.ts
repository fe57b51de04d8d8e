// A collector that takes nothing: what waits for it is bounded, and the log says so once a minute.

import { syncBuiltinESMExports } from 'node:module';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { afterEach, expect, test, vi } from 'vitest';
import { ExportThread } from '../../runtime-node/otlp/export-thread.ts';
import { ExportedRecords } from '../../runtime-node/otlp/exported-records.ts';
import { Ids } from '../../runtime-node/otlp/ids.ts';
import { openOtlp } from '../../runtime-node/otlp/otlp.ts';
import { ExportReports } from '../../runtime-node/otlp/reporting.ts';
import { SeriesParts } from '../../runtime-node/otlp/series-parts.ts';
import { SpanTracer } from '../../runtime-node/otlp/tracer.ts';
import { Configuration } from '../../src/config/configuration.ts';
import { instruments } from '../../src/telemetry/instruments.ts';
import { spans } from '../../src/telemetry/spans.ts';
import { Collector } from '../contract/support/collector.ts';

type Fields = Readonly<Record<string, unknown>>;

const { settings } = new Configuration([{ key: 'Log:Level', text: 'info', source: 'test' }]);
/** Of spans and of lines each, and of one export (waiting.ts). */
const [mostWaiting, batchSize] = [2048, 512];
/** A thread that does not survive its first message. */
const endsAtOnce = `import { parentPort } from 'node:worker_threads'; parentPort.once('message', () => process.exit(1));`;

function loggerWith(warned: [string, Fields][]) {
  const warn = (message: string, fields: Fields = {}) => void warned.push([message, fields]);
  return { info: () => {}, warn, error: () => {} };
}

afterEach(() => {
  vi.restoreAllMocks();
});

/** `until`: what has to be true before the end, which waits a bounded time for what is under way. */
async function exportMany(
  collector: Collector,
  count: number,
  until: () => boolean = () => true,
): Promise<[string, Fields][]> {
  const warned: [string, Fields][] = [];
  const otlp = openOtlp(settings, collector.url, loggerWith(warned));
  for (let i = 0; i < count; i++) {
    const span = otlp.tracer.openRequest({ traceHeader: () => null, span: null, beganMs: 0, namespaceName: null });
    span.answered('GET', '/vertex/{id}', 200, null);
    span.end();
    otlp.logger.info(`line ${i}`);
    if (i % 1000 === 0) await new Promise(setImmediate);
  }
  await expect.poll(until, { timeout: 60_000 }).toBe(true);
  await otlp.close();
  await collector.stop();
  return warned;
}

test('of what a silent collector is sent so much waits, and newer is dropped', { tags: ['long'] }, async () => {
  const collector = await Collector.start('never');
  await exportMany(collector, 10_000, () => collector.spans.length > 0 && collector.logs.length > 0);
  for (const received of [collector.spans.length, collector.logs.length]) {
    expect(received).toBeGreaterThanOrEqual(batchSize);
    expect(received).toBeLessThanOrEqual(mostWaiting + batchSize);
  }
  expect(collector.logs[0]?.body).toBe('line 0');
});

test('a collector that refuses everything is one line of the log', async () => {
  const collector = await Collector.start(500);
  const { host } = new URL(collector.url);
  const warned = await exportMany(collector, 3000, () => collector.asked > 5);
  expect(collector.asked).toBeGreaterThan(5);
  expect(warned).toEqual([[expect.stringContaining(`The collector at ${host} `), { failures: 1 }]]);
});

test('the line comes again after a minute, with what failed meanwhile', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(1000);
  const warned: [string, Fields][] = [];
  const reports = new ExportReports(loggerWith(warned), 'collector:4318');
  const failAt = (ms: number): void => {
    now.mockReturnValue(ms);
    reports.failed();
  };
  for (const ms of [1000, 1001, 60_999, 61_000, 90_000]) failAt(ms);
  expect(warned.map(([, fields]) => fields)).toEqual([{ failures: 1 }, { failures: 3 }]);
});

test('a thread that ends is told, what it had has failed, and the next export starts another one', async () => {
  const warned: [string, Fields][] = [];
  const entry = new URL(`data:text/javascript,${encodeURIComponent(endsAtOnce)}`);
  const data = { niceness: 0, base: 'http://127.0.0.1:9', timeoutMs: 1000, identity: {}, idKey: 'key', version: '0' };
  const thread = new ExportThread(data, new ExportReports(loggerWith(warned), 'collector:4318'), entry);
  for (let round = 0; round < 2; round++) {
    thread.post({ signal: 'traces', items: [], aheadMs: 0 });
    expect(thread.underWay('traces')).toBe(1);
    await thread.idle();
  }
  await thread.end();
  const told = expect.stringContaining('The thread that exports to the collector at collector:4318 ended');
  expect(warned).toEqual([[told, { failures: 0 }]]);
});

test('ids are digits that follow from their numbers and a key', () => {
  const [ids, again, others] = ['key', 'key', 'another'].map((key) => new Ids(key)) as [Ids, Ids, Ids];
  const numbers = Array.from({ length: 1000 }, (_, i) => i + 1);
  const made = numbers.flatMap((id) => [ids.trace(id), ids.span(id)]);
  expect(made).toEqual(numbers.flatMap((id) => [again.trace(id), again.span(id)]));
  expect(new Set([...made, ...numbers.map((id) => others.trace(id))]).size).toBe(3000);
  expect(made.every((id, i) => /^[\da-f]+$/.test(id) && id.length === (i % 2 === 0 ? 32 : 16))).toBe(true);
  expect([ids.trace('0af7'), ids.span('b7ad')]).toEqual(['0af7', 'b7ad']);
});

test.each([0, 0.01, 0.3, 1])('of requests that belong to no trace %s begin one, each with the same chance', (ratio) => {
  const tracer = new SpanTracer(() => {}, ratio);
  const isTraced = (): boolean =>
    tracer.openRequest({ traceHeader: () => null, span: null, beganMs: 1, namespaceName: null }).isRecorded;
  const count = 200_000;
  let [traced, inRow, before] = [0, 0, false];
  for (let i = 0; i < count; i++) {
    const now = isTraced();
    if (now) traced++;
    if (now && before) inRow++;
    before = now;
  }
  // Ten standard deviations.
  const about = (share: number): number => 10 * Math.sqrt(count * share * (1 - share)) + 1;
  expect(Math.abs(traced - count * ratio)).toBeLessThanOrEqual(about(ratio));
  expect(Math.abs(inRow - count * ratio ** 2)).toBeLessThanOrEqual(2 * about(ratio ** 2));
});

test('a span is exported with the time of day that it had by the clock it was measured with', async () => {
  let clockMs = 5000;
  vi.spyOn(process, 'hrtime').mockImplementation(
    Object.assign((): [number, number] => [clockMs / 1000, 0], { bigint: () => 0n }),
  );
  const dayMs = 1_800_000_000_000;
  vi.spyOn(Date, 'now').mockImplementation(() => dayMs + clockMs);
  syncBuiltinESMExports();
  const collector = await Collector.start();
  try {
    const otlp = openOtlp(settings, collector.url, loggerWith([]));
    const request = { traceHeader: () => null, span: null, beganMs: 5000, namespaceName: null };
    const span = otlp.tracer.openRequest(request);
    otlp.tracer.enter({ ...request, span });
    const below = otlp.tracer.open(spans.transaction);
    clockMs = 7000;
    below.end();
    otlp.tracer.leave(null);
    span.end(8000);
    clockMs = 60_000;
    await otlp.close();
  } finally {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    await collector.stop();
  }
  const times = collector.spans.map(({ beganMs, endedMs }) => [beganMs - dayMs, endedMs - dayMs]);
  expect(times).toEqual([
    [5000, 7000],
    [5000, 8000],
  ]);
});

test('a collection is exported whole or not at all', () => {
  const parts: Parameters<ExportedRecords['addSeries']>[] = [];
  const collection = (): void => {
    const made = new SeriesParts(({ first, instruments: named, series }) => parts.push([first, named, series]));
    for (let i = 0; i < 1500; i++) made.visit(i < 1200 ? instruments.commits : instruments.rollbacks, { i: `${i}` }, i);
    made.end();
  };
  collection();
  expect(parts.length).toBe(2);
  const records = new ExportedRecords(resourceFromAttributes({}), { name: 'arcwise' }, new Ids('key'));
  const pointsNow = () =>
    records
      .takeMetrics()
      ?.scopeMetrics[0]?.metrics.map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints.length]);
  for (const part of parts) records.addSeries(...part);
  const whole = [
    [instruments.commits.name, 1200],
    [instruments.rollbacks.name, 300],
  ];
  expect(pointsNow()).toEqual(whole);
  // A thread that was started in the middle of one.
  records.addSeries(...(parts[1] as (typeof parts)[0]));
  expect(pointsNow()).toBeUndefined();
  // One that was given up.
  records.addSeries(...(parts[0] as (typeof parts)[0]));
  for (const part of parts) records.addSeries(...part);
  expect(pointsNow()).toEqual(whole);
});

test('a collection that fails is told, and nothing else fails', async () => {
  const collector = await Collector.start();
  const warned: [string, Fields][] = [];
  const otlp = openOtlp(settings, collector.url, loggerWith(warned));
  otlp.begin(() => Promise.reject(new Error('gone')));
  await otlp.close();
  await collector.stop();
  expect(warned).toEqual([[expect.stringContaining('could not be collected'), { error: 'Error: gone' }]]);
});

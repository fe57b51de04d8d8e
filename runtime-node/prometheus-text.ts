// The text of a scrape, written by the Prometheus client's own formatter, so that its rules of escaping and numbers hold. It is sent as it
// is made, a few lines at a time with a pause in between: that of thousands of namespaces has half a million lines, which would hold up other
// requests and stand in memory.

import { setImmediate } from 'node:timers/promises';
import type { Metric, Registry } from 'prom-client';
import type { ScrapeFormat } from '../src/http/platform.ts';
import type { Family, Labels, Point } from '../src/telemetry/families.ts';

/** Lines between two pauses: about a millisecond. */
const linesPerSlice = 400;
/** The two lines before the lines of a family. */
const headLines = 2;

const none: Labels = {};

/** A line, as the client's formatter takes it; it keeps the text of `sharedLabels`. */
interface Line {
  readonly metricName: string;
  readonly labels: Labels;
  readonly sharedLabels: Labels;
  readonly value: number;
}

export const prometheusText: ScrapeFormat = {
  // As the client names it, which is loaded with the first scrape.
  contentType: 'text/plain; version=0.0.4; charset=utf-8',
  write(families) {
    const encoder = new TextEncoder();
    const slices = slicesOf(families);
    return new ReadableStream<Uint8Array<ArrayBuffer>>({
      async pull(controller) {
        await setImmediate();
        const { value, done } = await slices.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
    });
  },
};

/** The text in pieces of whole lines. */
async function* slicesOf(families: readonly Family[]): AsyncGenerator<string, undefined> {
  const { Registry: Client } = await import('prom-client');
  for (const family of families) {
    const textOf = formatterOf(new Client(), family);
    const linesPerPoint = family.type === 'histogram' ? family.bounds.length + 3 : 1;
    const pointsPerSlice = Math.ceil(linesPerSlice / linesPerPoint);
    for (let from = 0; from < family.points.length; from += pointsPerSlice) {
      const lines = family.points.slice(from, from + pointsPerSlice).flatMap((point) => linesOf(family, point));
      const text = await textOf(lines);
      yield `${from === 0 ? text : withoutHead(text)}\n`;
    }
  }
}

/** The client formats whatever answers its question; its own metrics cannot be given a state that was recorded elsewhere. */
function formatterOf(registry: Registry, { name, help, type }: Family): (values: readonly Line[]) => Promise<string> {
  let asked: readonly Line[] = [];
  const metric = { name, help, type, get: () => Promise.resolve({ name, help, type, values: asked }) };
  registry.registerMetric(metric as unknown as Metric);
  return (values) => {
    asked = values;
    return registry.getSingleMetricAsString(name);
  };
}

function linesOf({ name, bounds }: Family, { labels, value }: Point): Line[] {
  if (typeof value === 'number') return [{ metricName: name, labels: none, sharedLabels: labels, value }];
  const sharedLabels = labels;
  const lines: Line[] = [];
  let below = 0;
  value.buckets.forEach((count, i) => {
    below += count;
    const bound = bounds[i];
    const le = bound === undefined ? '+Inf' : String(bound);
    lines.push({ metricName: `${name}_bucket`, labels: { le }, sharedLabels, value: below });
  });
  lines.push({ metricName: `${name}_sum`, labels: none, sharedLabels, value: value.sum });
  lines.push({ metricName: `${name}_count`, labels: none, sharedLabels, value: value.count });
  return lines;
}

function withoutHead(text: string): string {
  let at = 0;
  for (let line = 0; line < headLines; line++) at = text.indexOf('\n', at) + 1;
  return text.slice(at);
}

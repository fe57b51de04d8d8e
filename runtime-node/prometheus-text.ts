// The text of a scrape, written by the Prometheus client's own formatter, so that its rules of escaping and numbers hold. Large
// families are written piece by piece with a pause in between: one of thousands of namespaces would hold up other requests.

import { setImmediate } from 'node:timers/promises';
import { type Metric, Registry } from 'prom-client';
import type { ScrapeFormat } from '../src/http/platform.ts';
import type { Family } from '../src/telemetry/families.ts';

/** Lines between two pauses. */
const linesPerSlice = 2_000;
/** The two lines before the samples of a family. */
const headLines = 2;

export const prometheusText: ScrapeFormat = {
  contentType: Registry.PROMETHEUS_CONTENT_TYPE,
  async write(families) {
    const pieces: string[] = [];
    let lines = 0;
    for (const family of families) {
      for (let from = 0; from < family.samples.length; from += linesPerSlice) {
        const piece = await textOf(family, from);
        pieces.push(from === 0 ? piece : piece.split('\n').slice(headLines).join('\n'));
        lines += Math.min(linesPerSlice, family.samples.length - from);
        if (lines < linesPerSlice) continue;
        lines = 0;
        await setImmediate();
      }
    }
    return pieces.length === 0 ? '' : `${pieces.join('\n')}\n`;
  },
};

/** The client formats whatever answers its question; its own metrics cannot be given a state that was recorded elsewhere. */
function textOf({ name, help, type, samples }: Family, from: number): Promise<string> {
  const registry = new Registry();
  const values = samples.slice(from, from + linesPerSlice).map(({ name: metricName, labels, value }) => ({
    ...{ metricName, labels, value },
  }));
  const metric = { name, help, type, get: () => Promise.resolve({ name, help, type, values }) };
  registry.registerMetric(metric as unknown as Metric);
  return registry.getSingleMetricAsString(name);
}

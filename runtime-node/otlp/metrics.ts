// What was recorded, as OpenTelemetry has it: the instruments under the names and units of their table, cumulative since the start.

import { ValueType } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type CollectionResult,
  DataPointType,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { Visit } from '../../src/telemetry/collect.ts';
import type { Instrument } from '../../src/telemetry/instruments.ts';
import type { Series } from '../../src/telemetry/telemetry.ts';

type HrTime = [seconds: number, nanoseconds: number];

/** Calls its argument with each series there is. */
export type Collect = (visit: Visit) => Promise<void>;

interface Point<T> {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
  readonly attributes: Readonly<Record<string, string>>;
  readonly value: T;
}

export class RecordedMetrics implements MetricProducer {
  /** Set once the service stands; before that there is nothing to tell. */
  source: Collect | null = null;
  private readonly resource: Resource;
  private readonly scope: { readonly name: string; readonly version: string };
  private readonly began: HrTime = hrTime(Date.now());

  constructor(resource: Resource, scope: { readonly name: string; readonly version: string }) {
    this.resource = resource;
    this.scope = scope;
  }

  async collect(): Promise<CollectionResult> {
    const numbers = new Map<Instrument, Point<number>[]>();
    const histograms = new Map<Instrument, Point<ReturnType<typeof histogramOf>>[]>();
    const times = { startTime: this.began, endTime: hrTime(Date.now()) };
    await this.source?.((instrument, attributes, value) => {
      if (typeof value === 'number') listIn(numbers, instrument).push({ ...times, attributes, value });
      else {
        const point = { ...times, attributes, value: histogramOf(instrument, value) };
        listIn(histograms, instrument).push(point);
      }
    });
    const metrics: MetricData[] = [];
    for (const [instrument, dataPoints] of numbers) metrics.push(numberData(instrument, dataPoints));
    for (const [instrument, dataPoints] of histograms) {
      metrics.push({ ...described(instrument), dataPointType: DataPointType.HISTOGRAM, dataPoints });
    }
    return { resourceMetrics: { resource: this.resource, scopeMetrics: [{ scope: this.scope, metrics }] }, errors: [] };
  }
}

function numberData(instrument: Instrument, dataPoints: Point<number>[]): MetricData {
  const data = { ...described(instrument), dataPoints };
  if (instrument.kind === 'gauge') return { ...data, dataPointType: DataPointType.GAUGE };
  return { ...data, dataPointType: DataPointType.SUM, isMonotonic: true };
}

function described({ name, unit, description }: Instrument) {
  const descriptor = { name, unit, description, valueType: ValueType.DOUBLE };
  return { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
}

function histogramOf({ bounds }: Instrument, { buckets, count, sum }: Series) {
  return { buckets: { boundaries: [...bounds], counts: [...buckets] }, count, sum };
}

function listIn<T>(lists: Map<Instrument, T[]>, instrument: Instrument): T[] {
  let list = lists.get(instrument);
  if (list === undefined) {
    list = [];
    lists.set(instrument, list);
  }
  return list;
}

function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}

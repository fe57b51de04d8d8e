// Records as OpenTelemetry's exporters ask for them.

import {
  createTraceState,
  type HrTime,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  ValueType,
} from '@opentelemetry/api';
import { SeverityNumber } from '@opentelemetry/api-logs';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs';
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { spanAttributes } from '../../src/telemetry/spans.ts';
import type { Ids } from './ids.ts';
import type {
  AttributeList,
  AttributeValues,
  InstrumentRecord,
  LogRecord,
  RequestRecord,
  SeriesRecord,
  SpanRecord,
  TraceContext,
} from './messages.ts';

type Scope = ReadableSpan['instrumentationScope'];

const severities: Readonly<Record<LogRecord['level'], SeverityNumber>> = {
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
};

interface Gathered {
  readonly instrument: InstrumentRecord;
  readonly series: SeriesRecord[];
}

export class ExportedRecords {
  private readonly resource: Resource;
  private readonly scope: Scope;
  private readonly ids: Ids;
  private readonly beganMs = Date.now();
  /** Of the collection that has begun; null: none has. */
  private gathered: Gathered[] | null = null;

  constructor(resource: Resource, scope: Scope, ids: Ids) {
    this.resource = resource;
    this.scope = scope;
    this.ids = ids;
  }

  /** One object of one shape: put together by spreading, each of the first two thousand took 24 us of this thread instead of 3. */
  span(record: SpanRecord | RequestRecord, aheadMs: number): ReadableSpan {
    const { beganMs, endedMs, parentSpanId } = record;
    const context = this.spanContext(record);
    const isRequest = 'route' in record;
    const span: ReadableSpan = {
      name: isRequest ? `${record.method} ${record.route}` : record.name,
      kind: isRequest ? SpanKind.SERVER : SpanKind.INTERNAL,
      spanContext: () => context,
      startTime: hrTime(beganMs + aheadMs),
      endTime: hrTime(endedMs + aheadMs),
      ended: true,
      duration: hrTime(endedMs - beganMs),
      status: { code: record.failed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
      attributes: isRequest ? requestAttributes(record) : valuesOf(record.attributes),
      links: [],
      events: [],
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
      resource: this.resource,
      instrumentationScope: this.scope,
    };
    if (parentSpanId === null) return span;
    const parent = { ...context, spanId: this.ids.span(parentSpanId) };
    return { ...span, parentSpanContext: record.isParentRemote ? { ...parent, isRemote: true } : parent };
  }

  readonly log = ({ level, body, atMs, context, attributes }: LogRecord): ReadableLogRecord => ({
    ...{ severityNumber: severities[level], severityText: level.toUpperCase(), body, attributes },
    ...{ hrTime: hrTime(atMs), hrTimeObserved: hrTime(atMs), droppedAttributesCount: 0 },
    ...(context === null ? {} : { spanContext: this.spanContext(context) }),
    ...{ resource: this.resource, instrumentationScope: this.scope },
  });

  private spanContext({ traceId, spanId, sampled, state }: TraceContext): SpanContext {
    const traceFlags = sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
    const context = { traceId: this.ids.trace(traceId), spanId: this.ids.span(spanId), traceFlags };
    return state === null ? context : { ...context, traceState: createTraceState(state) };
  }

  /** A part of a collection. What is left of one that was given up, or that began before this thread did, is in none. */
  addSeries(first: boolean, instruments: readonly InstrumentRecord[], series: readonly SeriesRecord[]): void {
    if (first) this.gathered = [];
    for (const instrument of instruments) this.gathered?.push({ instrument, series: [] });
    for (const one of series) this.gathered?.[one.instrument]?.series.push(one);
  }

  /** The collection, cumulative since the start of this thread; null when its beginning is missing. */
  takeMetrics(): ResourceMetrics | null {
    const times = { startTime: hrTime(this.beganMs), endTime: hrTime(Date.now()) };
    const metrics = this.gathered?.map((one) => metricData(one, times));
    this.gathered = null;
    return metrics === undefined ? null : { resource: this.resource, scopeMetrics: [{ scope: this.scope, metrics }] };
  }
}

function requestAttributes({ method, route, status, namespaceName, attributes }: RequestRecord): AttributeValues {
  const answered = {
    [spanAttributes.method]: method,
    [spanAttributes.route]: route,
    [spanAttributes.status]: status,
    ...valuesOf(attributes ?? []),
  };
  return namespaceName === null ? answered : { ...answered, [spanAttributes.namespaceName]: namespaceName };
}

function valuesOf(list: AttributeList): AttributeValues {
  const values: AttributeValues = {};
  for (let i = 0; i + 1 < list.length; i += 2) values[list[i] as string] = list[i + 1] as string | number | boolean;
  return values;
}

function metricData({ instrument, series }: Gathered, times: { startTime: HrTime; endTime: HrTime }): MetricData {
  const { kind, name, unit, description, bounds } = instrument;
  const shared = {
    descriptor: { name, unit, description, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  if (kind === 'histogram') {
    const dataPoints = series.flatMap(({ tags, value }) => {
      if (typeof value === 'number') return [];
      const { buckets, count, sum } = value;
      const histogram = { buckets: { boundaries: [...bounds], counts: [...buckets] }, count, sum };
      return [{ ...times, attributes: tags, value: histogram }];
    });
    return { ...shared, dataPointType: DataPointType.HISTOGRAM, dataPoints };
  }
  const dataPoints = series.map(({ tags, value }) => ({ ...times, attributes: tags, value: Number(value) }));
  if (kind === 'gauge') return { ...shared, dataPointType: DataPointType.GAUGE, dataPoints };
  return { ...shared, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints };
}

function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}

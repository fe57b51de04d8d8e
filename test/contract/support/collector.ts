// A collector that receives OTLP over HTTP and reads it with the messages of OpenTelemetry's own packages. It can be told to fail.

import { createServer, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';

type Value = string | number | boolean;

export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty: it is the first of its trace here. */
  readonly parentSpanId: string;
  readonly failed: boolean;
  /** Milliseconds since 1970. */
  readonly beganMs: number;
  readonly endedMs: number;
  readonly attributes: Readonly<Record<string, Value>>;
}

export interface ReceivedMetric {
  readonly name: string;
  readonly unit: string;
  readonly kind: 'sum' | 'gauge' | 'histogram';
  readonly points: readonly { readonly attributes: Readonly<Record<string, Value>>; readonly value: number }[];
}

export interface ReceivedLog {
  readonly body: string;
  readonly severity: string;
  readonly traceId: string;
  readonly attributes: Readonly<Record<string, Value>>;
}

// biome-ignore lint/suspicious/noExplicitAny: generated messages without declarations of their own.
type Message = any;

const { opentelemetry } = createRequire(import.meta.url)('otlp-messages/build/src/generated/root.js') as Message;
const { trace, metrics, logs } = opentelemetry.proto.collector;
const requests: Readonly<Record<string, Message>> = {
  '/v1/traces': trace.v1.ExportTraceServiceRequest,
  '/v1/metrics': metrics.v1.ExportMetricsServiceRequest,
  '/v1/logs': logs.v1.ExportLogsServiceRequest,
};
const errorStatus = 2;

export class Collector {
  readonly spans: ReceivedSpan[] = [];
  /** As exported last. */
  readonly metrics = new Map<string, ReceivedMetric>();
  readonly logs: ReceivedLog[] = [];
  /** Of who exports. */
  resource: Readonly<Record<string, Value>> = {};
  /** Everything that came, as bytes in one text. */
  raw = '';
  /** Requests so far. */
  asked = 0;
  private readonly server: Server;
  private readonly held: ServerResponse[] = [];

  /** `answers`: the status of every answer, read where it is 200; `never` reads and answers nothing. */
  static async start(answers: number | 'never' = 200): Promise<Collector> {
    const collector = new Collector(answers);
    await new Promise<void>((resolve) => collector.server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  private constructor(answers: number | 'never') {
    this.server = createServer(async (request, response) => {
      this.asked++;
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      if (answers === 200 || answers === 'never') this.receive(request.url ?? '', Buffer.concat(chunks));
      if (answers === 'never') this.held.push(response);
      else response.writeHead(answers, { 'content-type': 'application/x-protobuf' }).end();
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const response of this.held) response.destroy();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  spansNamed(name: string): ReceivedSpan[] {
    return this.spans.filter((span) => span.name === name);
  }

  private receive(path: string, body: Buffer): void {
    this.raw += body.toString('latin1');
    const kind = requests[path];
    if (kind === undefined) throw new Error(`Nothing is exported to ${path}.`);
    const message = kind.decode(body);
    for (const { resource, scopeSpans } of message.resourceSpans ?? []) {
      this.resource = attributesOf(resource.attributes);
      for (const { spans } of scopeSpans) this.spans.push(...spans.map(spanOf));
    }
    for (const { scopeMetrics } of message.resourceMetrics ?? []) {
      for (const scope of scopeMetrics) for (const one of scope.metrics) this.metrics.set(one.name, metricOf(one));
    }
    for (const { scopeLogs } of message.resourceLogs ?? []) {
      for (const { logRecords } of scopeLogs) this.logs.push(...logRecords.map(logOf));
    }
  }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function spanOf(span: Message): ReceivedSpan {
  const { name, traceId, spanId, parentSpanId, status, attributes, startTimeUnixNano, endTimeUnixNano } = span;
  return {
    ...{ name, traceId: hex(traceId), spanId: hex(spanId), parentSpanId: hex(parentSpanId ?? []) },
    ...{ beganMs: Number(startTimeUnixNano) / 1e6, endedMs: Number(endTimeUnixNano) / 1e6 },
    ...{ failed: status?.code === errorStatus, attributes: attributesOf(attributes) },
  };
}

function metricOf({ name, unit, sum, gauge, histogram }: Message): ReceivedMetric {
  const kind = sum ? 'sum' : gauge ? 'gauge' : 'histogram';
  const points = (sum ?? gauge ?? histogram).dataPoints.map((point: Message) => ({
    attributes: attributesOf(point.attributes),
    value: Number(kind === 'histogram' ? point.count : (point.asDouble ?? point.asInt)),
  }));
  return { name, unit, kind, points };
}

function logOf({ body, severityText, traceId, attributes }: Message): ReceivedLog {
  return {
    ...{ body: body.stringValue, severity: severityText, traceId: hex(traceId ?? []) },
    attributes: attributesOf(attributes),
  };
}

function attributesOf(list: Message): Record<string, Value> {
  return Object.fromEntries(list.map(({ key, value }: Message) => [key, scalarOf(value)]));
}

function scalarOf({ stringValue, boolValue, intValue, doubleValue }: Message): Value {
  const number = intValue ?? doubleValue;
  return stringValue ?? boolValue ?? Number(number);
}

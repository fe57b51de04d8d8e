// The thread that exports: OpenTelemetry's exporters (OTLP over HTTP, protobuf) and what they ask for, made of plain records.

import { parentPort, workerData } from 'node:worker_threads';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { giveWay } from '../workers/priority.ts';
import { ExportedRecords } from './exported-records.ts';
import { Ids } from './ids.ts';
import type { ExporterData, FromExporter, Signal, ToExporter } from './messages.ts';

const { niceness, base, timeoutMs, identity, version, idKey } = workerData as ExporterData;
giveWay(niceness);

const port = parentPort as NonNullable<typeof parentPort>;
const tell = (message: FromExporter): void => port.postMessage(message);
const optionsOf = (signal: Signal) => ({ url: `${base}/v1/${signal}`, timeoutMillis: timeoutMs });
const traces = new OTLPTraceExporter(optionsOf('traces'));
const logs = new OTLPLogExporter(optionsOf('logs'));
const metrics = new OTLPMetricExporter(optionsOf('metrics'));
const resource = resourceFromAttributes({ ...identity });
const records = new ExportedRecords(resource, { name: 'arcwise', version }, new Ids(idKey));

const ended =
  (signal: Signal) =>
  ({ code }: { readonly code: number }): void =>
    tell({ signal, failed: code !== 0 });

port.on('message', (message: ToExporter) => {
  if (message.signal === 'traces') {
    const { items, aheadMs } = message;
    traces.export(
      items.map((item) => records.span(item, aheadMs)),
      ended('traces'),
    );
  } else if (message.signal === 'logs') logs.export(message.items.map(records.log), ended('logs'));
  else {
    records.addSeries(message.first, message.instruments, message.series);
    if (message.last) exportMetrics();
  }
});

function exportMetrics(): void {
  const collection = records.takeMetrics();
  if (collection === null) tell({ signal: 'metrics', failed: true });
  else metrics.export(collection, ended('metrics'));
}

tell({ ready: true });

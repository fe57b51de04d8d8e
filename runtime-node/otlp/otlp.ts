// Export of metrics, traces and logs over OTLP (HTTP, protobuf), for a service that names an endpoint. Loaded only then. Everything goes
// out in the background from queues of bounded length: a collector that is slow, broken or gone costs what does not fit, and nothing waits
// for it.

import { randomBytes } from 'node:crypto';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace';
import type { Settings } from '../../src/config/catalogue.ts';
import type { Logger } from '../../src/engine/logger.ts';
import { engineVersion } from '../../src/engine/version.ts';
import type { TelemetryExport } from '../../src/service.ts';
import { exportedLogger } from './logs.ts';
import { type Collect, RecordedMetrics } from './metrics.ts';
import { ExportReports } from './reporting.ts';
import { SpanTracer } from './tracer.ts';

/** Spans, and lines of the log, that wait for their export at most; newer ones are dropped. */
const mostWaiting = 2048;
/** Of one export: spans or lines. */
const batchSize = 512;
/** After which an export is given up, retries included. */
const exportTimeoutMs = 10_000;
const delayMs = 2000;
const metricsIntervalMs = 15_000;
/** What a stop waits for the last exports at most. */
const longestEndMs = 1500;

/** Levels of the log, the last one the most severe. */
const severity: readonly string[] = ['trace', 'debug', 'info', 'warn', 'error', 'silent'];

export interface Otlp extends TelemetryExport {
  /** Writes to the log as before, and exports. */
  readonly logger: Logger;
  /** Exports what is left; takes no longer than some seconds. */
  close(): Promise<void>;
}

/** Throws TypeError when the endpoint is no URL. */
export function openOtlp(settings: Settings, endpoint: string, logger: Logger): Otlp {
  const base = new URL(endpoint);
  const url = (signal: string): string => `${base.href.replace(/\/+$/, '')}/v1/${signal}`;
  const options = (signal: string) => ({ url: url(signal), timeoutMillis: exportTimeoutMs });
  const reports = new ExportReports(logger, base.host);
  const resource = resourceFromAttributes(identity(settings));
  const scope = { name: 'arcwise', version: engineVersion };
  const batches = {
    ...{ maxQueueSize: mostWaiting, maxExportBatchSize: batchSize },
    ...{ scheduledDelayMillis: delayMs, exportTimeoutMillis: exportTimeoutMs },
  };
  const spanExporter = reports.watch(new OTLPTraceExporter(options('traces')));
  const traces = new BatchSpanProcessor({ exporter: spanExporter, ...batches });
  const logExporter = reports.watch(new OTLPLogExporter(options('logs')));
  const logs = new LoggerProvider({
    resource,
    processors: [new BatchLogRecordProcessor({ exporter: logExporter, ...batches })],
  });
  const recorded = new RecordedMetrics(resource, scope);
  const metrics = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: reports.watch(new OTLPMetricExporter(options('metrics'))),
        metricProducers: [recorded],
        exportIntervalMillis: metricsIntervalMs,
        exportTimeoutMillis: exportTimeoutMs,
      }),
    ],
  });
  const tracer = new SpanTracer(
    { resource, scope, ended: (span) => traces.onEnd(span) },
    settings['Observability:TracingSamplingRatio'],
  );
  const isShown = (level: string): boolean => severity.indexOf(level) >= severity.indexOf(settings['Log:Level']);
  return {
    tracer,
    logger: exportedLogger(logger, logs.getLogger(scope.name, scope.version), tracer, isShown),
    begin: (collect: Collect) => {
      recorded.source = collect;
    },
    close: async () => {
      const ends = [traces, metrics, logs].map((provider) => provider.shutdown().catch(() => {})); // told as failed exports
      await Promise.race([Promise.all(ends), new Promise((resolve) => setTimeout(resolve, longestEndMs).unref())]);
    },
  };
}

/** Who exports: the tenant and the instance as the settings name them. */
function identity(settings: Settings): Record<string, string> {
  const tenant = settings['Identity:Tenant:Id'] ?? 'default';
  const instance = settings['Identity:Instance:Id'] ?? `f8-${randomBytes(6).toString('hex')}`;
  return {
    'service.name': 'arcwise',
    'service.version': engineVersion,
    'service.tenant.id': tenant,
    'service.tenant.name': settings['Identity:Tenant:Name'] ?? tenant,
    'service.instance.id': instance,
    'service.instance.name': settings['Identity:Instance:Name'] ?? instance,
  };
}

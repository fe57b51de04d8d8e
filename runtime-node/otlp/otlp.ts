// Export of metrics, traces and logs over OTLP (HTTP, protobuf), for a service that names an endpoint. Loaded only then. Records are kept
// here and exported by a thread of their own, from queues of bounded length: a collector that is slow, broken or gone costs what does not
// fit, and nothing waits for it.

import { randomBytes } from 'node:crypto';
import type { Settings } from '../../src/config/catalogue.ts';
import type { Logger } from '../../src/engine/logger.ts';
import { engineVersion } from '../../src/engine/version.ts';
import type { TelemetryExport } from '../../src/service.ts';
import type { Visit } from '../../src/telemetry/collect.ts';
import { monotonicMs } from '../monotonic.ts';
import { ExportThread } from './export-thread.ts';
import { exportedLogger } from './logs.ts';
import type { LogRecord, RequestRecord, SpanRecord } from './messages.ts';
import { ExportReports } from './reporting.ts';
import { SeriesParts } from './series-parts.ts';
import { SpanTracer } from './tracer.ts';
import { Waiting } from './waiting.ts';

/** After which an export is given up, retries included. */
const exportTimeoutMs = 10_000;
const metricsIntervalMs = 15_000;
/** What a stop waits for the thread that exports, should it still be starting. */
const longestStartMs = 5000;
/** What a stop waits for the last exports at most. */
const longestEndMs = 1500;

/** Levels of the log, the last one the most severe. */
const severity: readonly string[] = ['trace', 'debug', 'info', 'warn', 'error', 'silent'];

/** Calls its argument with each series there is. */
type Collect = (visit: Visit) => Promise<void>;

export interface Otlp extends TelemetryExport {
  /** Writes to the log as before, and exports. */
  readonly logger: Logger;
  /** Exports what is left; takes no longer than some seconds. */
  close(): Promise<void>;
}

/** Throws TypeError when the endpoint is no URL. */
export function openOtlp(settings: Settings, endpoint: string, logger: Logger): Otlp {
  const { href, host } = new URL(endpoint);
  const reports = new ExportReports(logger, host);
  const thread = new ExportThread(
    {
      ...{ niceness: settings['Jobs:Niceness'], base: href.replace(/\/+$/, ''), timeoutMs: exportTimeoutMs },
      ...{ identity: identity(settings), version: engineVersion, idKey: randomBytes(32).toString('hex') },
    },
    reports,
  );
  const spans = new Waiting<SpanRecord | RequestRecord>(
    (items) => thread.post({ signal: 'traces', items, aheadMs: Date.now() - monotonicMs() }),
    () => thread.underWay('traces') > 0,
  );
  const lines = new Waiting<LogRecord>(
    (items) => thread.post({ signal: 'logs', items }),
    () => thread.underWay('logs') > 0,
  );
  thread.onEnded = (signal) => {
    if (signal === 'traces') spans.sendFull();
    if (signal === 'logs') lines.sendFull();
  };
  const metrics = new CollectedMetrics(thread, logger);
  const tracer = new SpanTracer(spans.add, settings['Observability:TracingSamplingRatio']);
  const isShown = (level: string): boolean => severity.indexOf(level) >= severity.indexOf(settings['Log:Level']);
  return {
    tracer,
    logger: exportedLogger(logger, lines.add, tracer, isShown),
    begin: (collect: Collect) => metrics.begin(collect),
    close: async () => {
      thread.hold();
      await Promise.race([thread.ready, after(longestStartMs)]);
      const late = after(longestEndMs);
      await Promise.race([metrics.end(), late]);
      spans.sendAll();
      lines.sendAll();
      await Promise.race([thread.idle(), late]);
      await thread.end();
    },
  };
}

/** Collects what was recorded at equal intervals, and hands it over. */
class CollectedMetrics {
  private readonly thread: ExportThread;
  private readonly logger: Logger;
  private collect: Collect = async () => {};
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(thread: ExportThread, logger: Logger) {
    this.thread = thread;
    this.logger = logger;
  }

  /** Called when the service stands; before that there is nothing to tell. */
  begin(collect: Collect): void {
    this.collect = collect;
    this.timer = setInterval(() => {
      // A collection that the collector has not taken is not followed by another one.
      if (this.thread.underWay('metrics') === 0) this.running = this.running.then(() => this.hand());
    }, metricsIntervalMs).unref();
  }

  /** The last collection. */
  async end(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
    await this.hand();
  }

  private async hand(): Promise<void> {
    const parts = new SeriesParts((part) => this.thread.post({ signal: 'metrics', ...part }));
    try {
      await this.collect(parts.visit);
      parts.end();
    } catch (error) {
      this.logger.warn('Metrics could not be collected; the next collection begins anew.', { error: String(error) });
    }
  }
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
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

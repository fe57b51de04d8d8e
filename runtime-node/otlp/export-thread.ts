// The thread that makes messages of OpenTelemetry of what was recorded, and sends them. It is one of its own because of Node's HTTP: its
// parts are shared by what serves and what asks, and a service whose thread also asks a collector serves slower for good. (Measured on
// 2 x AMD EPYC, Node 20: a GET took 35 us of the processor before the first export and 48 behind it.)

import { Worker } from 'node:worker_threads';
import type { ExporterData, FromExporter, Signal, ToExporter } from './messages.ts';
import type { ExportReports } from './reporting.ts';

/** What exporting may take, in mebibytes: a collection of ten thousand namespaces fits. */
const heapMebibytes = 1024;

export class ExportThread {
  private readonly data: ExporterData;
  private readonly reports: ExportReports;
  private readonly entry: URL;
  private worker: Worker | null = null;
  private readiness: Promise<void> = Promise.resolve();
  /** Of each signal: exports that have not ended. */
  private readonly unanswered: Record<Signal, number> = { traces: 0, logs: 0, metrics: 0 };
  private readonly idlers: (() => void)[] = [];
  /** Told that an export has ended, well or not. */
  onEnded: (signal: Signal) => void = () => {};

  /** `entry`: the built module of the thread; by default the one beside this module. */
  constructor(data: ExporterData, reports: ExportReports, entry = new URL('./export-worker.js', import.meta.url)) {
    this.data = data;
    this.reports = reports;
    this.entry = entry;
    this.started();
  }

  /** Resolves when the thread has loaded what it needs, or has ended. */
  get ready(): Promise<void> {
    return this.readiness;
  }

  /** Exports of this signal that have not ended. */
  underWay(signal: Signal): number {
    return this.unanswered[signal];
  }

  /** One that has died is started again. */
  post(message: ToExporter): void {
    if (message.signal !== 'metrics' || message.last) this.unanswered[message.signal]++;
    this.started().postMessage(message);
  }

  /** Resolves when no export is under way. */
  async idle(): Promise<void> {
    while (this.exports > 0) await new Promise<void>((resolve) => this.idlers.push(resolve));
  }

  private get exports(): number {
    return this.unanswered.traces + this.unanswered.logs + this.unanswered.metrics;
  }

  /** The process does not end before it, from now on. */
  hold(): void {
    this.worker?.ref();
  }

  async end(): Promise<void> {
    const { worker } = this;
    this.worker = null;
    await worker?.terminate();
  }

  private started(): Worker {
    if (this.worker !== null) return this.worker;
    const { data } = this;
    const worker = new Worker(this.entry, {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: heapMebibytes },
    });
    let why = 'it ended by itself';
    worker.unref();
    this.readiness = new Promise((resolve) => {
      worker.on('message', (message: FromExporter) => {
        if ('ready' in message) resolve();
        else this.ended(message.signal, message.failed);
      });
      worker.on('exit', resolve);
    });
    worker.on('error', (error: Error) => {
      why = error.message;
    });
    worker.on('exit', () => {
      if (this.worker !== worker) return;
      this.worker = null;
      this.reports.died(why);
      for (const signal of ['traces', 'logs', 'metrics'] as const) {
        while (this.unanswered[signal] > 0) this.ended(signal, true);
      }
    });
    this.worker = worker;
    return worker;
  }

  private ended(signal: Signal, failed: boolean): void {
    this.unanswered[signal]--;
    if (failed) this.reports.failed();
    this.onEnded(signal);
    if (this.exports === 0) for (const resolve of this.idlers.splice(0)) resolve();
  }
}

// What is recorded of every request, around its answer: a duration, and a line of the log where it is wanted. Routes are named by their
// templates: what a client writes into a path is no tag. No header and no body stands in a line, so no credential does. Where traces are
// exported, a request is a span, and everything it does is below it.

import { instruments } from '../telemetry/instruments.ts';
import type { Tracer } from '../telemetry/spans.ts';
import type { Meter, Series } from '../telemetry/telemetry.ts';
import { parseTraceParent } from '../telemetry/traceparent.ts';
import type { Exchange, PreparedService } from './exchange.ts';
import type { Moment } from './platform.ts';
import type { Route } from './route.ts';

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS']);
const otherMethod = '_OTHER';
/** For requests that met no route. */
const noRoute = 'none';
/** Longest name of a namespace in a line; one that exists is shorter. */
const shownName = 100;

/** Series of the answers of a route to its own method, by status: what is recorded most often is found without its tags. */
type RouteSeries = Series[];

/** Where the answer before went: the next one often goes there too, and nothing else of the table need come from memory. */
interface Latest {
  readonly route: Route;
  readonly template: string;
  readonly status: number;
  readonly series: Series;
}

export class RequestObserver {
  private readonly service: PreparedService;
  private readonly meter: Meter | null;
  private readonly logs: boolean;
  private readonly tracer: Tracer | null;
  private readonly monotonicMs: () => number;
  private latest: Latest | null = null;
  private readonly templates = new Map<Route, string>();
  private readonly series = new Map<Route, RouteSeries>();
  private readonly statuses = new Map<number, string>();

  private constructor(service: PreparedService) {
    this.service = service;
    this.meter = service.meter ?? null;
    this.logs = service.settings['Logging:Requests'];
    this.tracer = service.tracer ?? null;
    this.monotonicMs = service.platform.monotonicMs;
  }

  /** Null when nobody wants to know. */
  static of(service: PreparedService): RequestObserver | null {
    return service.meter || service.tracer || service.settings['Logging:Requests']
      ? new RequestObserver(service)
      : null;
  }

  /** Before anything of the request is looked at. */
  begins(exchange: Exchange, came: Moment): void {
    exchange.came = came;
    if (this.tracer !== null) exchange.span = this.tracer.openRequest(exchange);
  }

  /** Its answer has its head. */
  ends(exchange: Exchange, status: number): void {
    const { route, span } = exchange;
    const endedMs = this.monotonicMs();
    const ms = endedMs - exchange.beganMs;
    this.measured(exchange, route, status, ms / 1000);
    if (!this.logs && span?.isRecorded !== true) return;
    const method = this.methodOf(exchange);
    const template = this.templateOf(route);
    span?.answered(method, template, status, exchange.namespaceName);
    span?.end(endedMs);
    if (this.logs) this.log(exchange, method, template, status, ms);
  }

  private measured(exchange: Exchange, route: Route | null, status: number, seconds: number): void {
    const { meter } = this;
    if (meter === null) return;
    const { latest } = this;
    if (latest?.route === route && latest.status === status && exchange.method === route.method) {
      latest.series.record(seconds);
      return;
    }
    if (route !== null && exchange.method === route.method) {
      const byStatus = this.seriesOf(route);
      byStatus[status] ??= this.newSeries(meter, exchange.method, route, status);
      const series = byStatus[status];
      this.latest = { route, template: this.templateOf(route), status, series };
      series.record(seconds);
      return;
    }
    this.newSeries(meter, this.methodOf(exchange), route, status).record(seconds);
  }

  private newSeries(meter: Meter, method: string, route: Route | null, status: number): Series {
    return meter.series(instruments.requestDuration, [method, this.templateOf(route), this.statusOf(status)]);
  }

  private seriesOf(route: Route): RouteSeries {
    let series = this.series.get(route);
    if (series === undefined) {
      series = [];
      this.series.set(route, series);
    }
    return series;
  }

  /** `bytes` is null where a body is sent as it is made. */
  private log(exchange: Exchange, method: string, route: string, status: number, ms: number): void {
    const trace = parseTraceParent(exchange.header('traceparent'));
    const named = exchange.route?.scope === 'namespace';
    this.service.platform.logger.info('request', {
      ...{ method, route, status, ms: Math.round(ms * 1000) / 1000, bytes: exchange.answeredBytes },
      ...(named ? { namespace: exchange.encodedNamespace.slice(0, shownName) } : {}),
      ...(trace === null ? {} : { traceId: trace.traceId }),
      ...(exchange.warningCount === 0 ? {} : { warnings: exchange.warningCount }),
    });
  }

  private methodOf({ method, route }: Exchange): string {
    return method === route?.method || methods.has(method) ? method : otherMethod;
  }

  private templateOf(route: Route | null): string {
    if (route === null) return noRoute;
    if (this.latest?.route === route) return this.latest.template;
    let template = this.templates.get(route);
    if (template === undefined) {
      template = route.path.replace(/:(\w+)/g, '{$1}');
      this.templates.set(route, template);
    }
    return template;
  }

  private statusOf(status: number): string {
    let text = this.statuses.get(status);
    if (text === undefined) {
      text = String(status);
      this.statuses.set(status, text);
    }
    return text;
  }
}

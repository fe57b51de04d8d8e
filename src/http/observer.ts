// What is measured of every request, around its answer. Routes are named by their templates: what a client writes into a path is no tag.

import { instruments } from '../telemetry/instruments.ts';
import type { Meter } from '../telemetry/telemetry.ts';
import type { Exchange, PreparedService } from './exchange.ts';
import type { Route } from './route.ts';

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS']);
/** For requests that met no route. */
const noRoute = 'none';

export class RequestObserver {
  private readonly meter: Meter;
  private readonly templates = new Map<Route, string>();
  private readonly statuses = new Map<number, string>();

  private constructor(meter: Meter) {
    this.meter = meter;
  }

  /** Null when nobody wants to know. */
  static of({ meter }: PreparedService): RequestObserver | null {
    return meter ? new RequestObserver(meter) : null;
  }

  async observe(exchange: Exchange, answer: () => Promise<Response>): Promise<Response> {
    const began = this.meter.seconds();
    const response = await answer();
    const { method, route } = exchange;
    const seconds = this.meter.seconds() - began;
    const known = methods.has(method) ? method : '_OTHER';
    const template = route === null ? noRoute : this.templateOf(route);
    this.meter.record(instruments.requestDuration, seconds, known, template, this.statusOf(response.status));
    return response;
  }

  private templateOf(route: Route): string {
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

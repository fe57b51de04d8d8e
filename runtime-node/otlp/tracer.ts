// Spans that are exported. A span here is a few fields; the thread that exports makes what OpenTelemetry asks of one. The current one is a
// variable for work that is done at once, and kept along asynchronous calls by Node for all other. Node pays for that at every promise of
// the process while it is on, so it is on only while a request needs it. (Measured on 2 x AMD EPYC, Node 20: kept for every request GET
// fell to 0.73 of its rate and waited PUT to 0.71.)

import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type AttributeValue,
  type RequestSpan,
  type Span,
  type SpanAttribute,
  type SpanName,
  silentSpan,
  spans,
  type TracedRequest,
  type Tracer,
} from '../../src/telemetry/spans.ts';
import { parseTraceParent } from '../../src/telemetry/traceparent.ts';
import { contextBelow } from './contexts.ts';
import type { AttributeValues, RequestRecord, SpanRecord, TraceContext } from './messages.ts';

/** Longest `tracestate` that is kept: the standard asks for no more. */
const longestState = 512;
const firstError = 500;

/** Takes a span that has ended. */
type Ended = (span: SpanRecord | RequestRecord) => void;

class OpenSpan implements Span {
  /** That of what is done in this span. */
  readonly context: TraceContext;
  private readonly name: SpanName;
  private readonly parent: TraceContext | undefined;
  private readonly attributes: AttributeValues = {};
  private readonly ended: Ended;
  private readonly beganMs: number;
  private hasEnded = false;
  private hasFailed = false;

  /** `beganMs`: since 1970. */
  constructor(ended: Ended, name: SpanName, parent: TraceContext | undefined, beganMs: number) {
    this.ended = ended;
    this.name = name;
    this.parent = parent;
    this.context = contextBelow(parent);
    this.beganMs = beganMs;
  }

  get isRecorded(): boolean {
    return this.context.sampled;
  }

  set(attribute: SpanAttribute, value: AttributeValue): void {
    this.attributes[attribute] = value;
  }

  fail(): void {
    this.hasFailed = true;
  }

  end(durationSeconds?: number): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    if (!this.isRecorded) return;
    const { name, context, parent, beganMs, hasFailed: failed, attributes } = this;
    const endedMs = durationSeconds === undefined ? Date.now() : beganMs + durationSeconds * 1000;
    this.ended({ name, context, parent, beganMs, endedMs, failed, attributes });
  }
}

/** A request, which is a record as flat as can be: one in a hundred is traced, and finds nothing of what it needs in the caches. */
class OpenRequest implements RequestSpan {
  readonly isRecorded: boolean;
  private readonly ended: Ended;
  private readonly parent: TraceContext | undefined;
  private readonly beganMs = Date.now();
  private own: TraceContext | null = null;
  private attributes: AttributeValues | null = null;
  private method = '';
  private route = '';
  private status = 0;
  private namespaceName: string | null = null;
  private hasEnded = false;
  private hasFailed = false;

  constructor(ended: Ended, parent: TraceContext | undefined) {
    this.ended = ended;
    this.parent = parent;
    this.isRecorded = parent?.sampled ?? true;
  }

  /** Made when somebody asks. */
  get context(): TraceContext {
    this.own ??= contextBelow(this.parent);
    return this.own;
  }

  set(attribute: SpanAttribute, value: AttributeValue): void {
    this.attributes = { ...this.attributes, [attribute]: value };
  }

  fail(): void {
    this.hasFailed = true;
  }

  answered(method: string, route: string, status: number, namespaceName: string | null): void {
    this.method = method;
    this.route = route;
    this.status = status;
    this.namespaceName = namespaceName;
    if (status >= firstError) this.fail();
  }

  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    if (!this.isRecorded) return;
    const { method, route, status, namespaceName, own: context, parent, beganMs, hasFailed: failed, attributes } = this;
    const endedMs = Date.now();
    this.ended({ method, route, status, namespaceName, context, parent, beganMs, endedMs, failed, attributes });
  }
}

interface Place {
  /** Null: in no trace. */
  readonly context: TraceContext | null;
  /** Of the request. It is copied: what a request begins may hold its place for long, and must not hold the request. */
  readonly namespaceName: string | null;
}

/** No request: a trace may begin here. */
const outside: Place = { context: null, namespaceName: null };
/** Below a request that is not traced nothing is. */
export const untraced: TraceContext = { traceId: '', spanId: '', sampled: false };

/** Of all requests that begin no trace. (Measured: an object for each cost half a microsecond of a read's 30.) */
const untracedRequest: RequestSpan = { ...silentSpan, answered: () => {} };

export class SpanTracer implements Tracer {
  private readonly ended: Ended;
  /** Share of requests that begin a trace. */
  private readonly ratio: number;
  private readonly places = new AsyncLocalStorage<Place>();
  /** Requests whose place is kept along asynchronous calls. */
  private kept = 0;
  private current: Place | null = null;

  constructor(ended: Ended, ratio: number) {
    this.ended = ended;
    this.ratio = ratio;
  }

  /** Where the code that asks stands: the span around it, and the namespace that its request names. */
  get place(): Place {
    return this.current ?? (this.kept === 0 ? undefined : this.places.getStore()) ?? outside;
  }

  open(name: SpanName, secondsAgo: number): Span {
    const { place } = this;
    if (place.context === untraced) return silentSpan;
    // Only what a start or a stop does begins a trace; other work out of reach of its request is in none.
    const beginsTrace = name === spans.load || name === spans.save;
    if (place === outside && (!beginsTrace || Math.random() >= this.ratio)) return silentSpan;
    return new OpenSpan(this.ended, name, place.context ?? undefined, Date.now() - secondsAgo * 1000);
  }

  openRequest(request: TracedRequest): RequestSpan {
    const parent = parentOf(request);
    if (parent === undefined && Math.random() >= this.ratio) return untracedRequest;
    return new OpenRequest(this.ended, parent);
  }

  within<T>(span: Span, work: () => T): T {
    return this.at(span instanceof OpenSpan ? { ...this.place, context: span.context } : this.place, work);
  }

  withinRequest<T>(request: TracedRequest, work: () => T): T {
    return this.at(placeIn(request), work);
  }

  private at<T>(place: Place, work: () => T): T {
    const before = this.current;
    this.current = place;
    try {
      return work();
    } finally {
      this.current = before;
    }
  }

  async throughout<T>(request: TracedRequest, work: () => Promise<T>): Promise<T> {
    this.kept++;
    try {
      return await this.places.run(placeIn(request), work);
    } finally {
      if (--this.kept === 0) this.places.disable();
    }
  }
}

function placeIn({ span, namespaceName }: TracedRequest): Place {
  return { context: span instanceof OpenRequest ? span.context : untraced, namespaceName };
}

/** The span that a request's headers name; undefined when there is none or they are broken. */
function parentOf(request: TracedRequest): TraceContext | undefined {
  const header = request.traceHeader('traceparent');
  const parent = header === null ? null : parseTraceParent(header);
  if (parent === null) return undefined;
  const { traceId, spanId, sampled } = parent;
  const state = request.traceHeader('tracestate');
  const isKept = state !== null && state.length <= longestState;
  return { traceId, spanId, sampled, remote: true, ...(isKept ? { state } : {}) };
}

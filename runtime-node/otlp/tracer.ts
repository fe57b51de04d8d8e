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
import { monotonicMs } from '../monotonic.ts';
import type { RequestRecord, SpanRecord, TraceContext } from './messages.ts';

/** Longest `tracestate` that is kept: the standard asks for no more. */
const longestState = 512;
const firstError = 500;

/** Takes a span that has ended. */
type Ended = (span: SpanRecord | RequestRecord) => void;

/** The newest number of a span or a trace. */
let newestId = 0;

// A span is the record that is exported, filled while it is open: one request in a hundred is traced, and finds nothing of what it needs in
// the caches. (Measured on 2 x Xeon, Node 20: of a hundred waited PUTs of 25 us each the traced one takes 10 to 20 us more.)

class OpenSpan implements Span {
  readonly isRecorded = true;
  readonly record: SpanRecord;
  private readonly ended: Ended;

  /** Without a parent it begins a trace. */
  constructor(ended: Ended, name: SpanName, parent: TraceContext | null, beganMs: number) {
    this.ended = ended;
    this.record = {
      name,
      traceId: parent === null ? ++newestId : parent.traceId,
      spanId: ++newestId,
      sampled: true,
      state: parent === null ? null : parent.state,
      parentSpanId: parent === null ? null : parent.spanId,
      isParentRemote: false,
      beganMs,
      endedMs: 0,
      failed: false,
      attributes: [],
    };
  }

  set(attribute: SpanAttribute, value: AttributeValue): void {
    this.record.attributes.push(attribute, value);
  }

  fail(): void {
    this.record.failed = true;
  }

  end(endedMs = monotonicMs()): void {
    const { record } = this;
    if (record.endedMs !== 0) return;
    record.endedMs = endedMs;
    this.ended(record);
  }
}

class OpenRequest implements RequestSpan {
  readonly record: RequestRecord;
  private readonly ended: Ended;

  /** `parent`: another service's span. */
  constructor(ended: Ended, parent: TraceContext | null, beganMs: number) {
    this.ended = ended;
    this.record = {
      method: '',
      route: '',
      status: 0,
      namespaceName: null,
      traceId: parent === null ? ++newestId : parent.traceId,
      spanId: ++newestId,
      sampled: parent === null || parent.sampled,
      state: parent === null ? null : parent.state,
      parentSpanId: parent === null ? null : parent.spanId,
      isParentRemote: parent !== null,
      beganMs,
      endedMs: 0,
      failed: false,
      attributes: null,
    };
  }

  get isRecorded(): boolean {
    return this.record.sampled;
  }

  set(attribute: SpanAttribute, value: AttributeValue): void {
    this.record.attributes ??= [];
    this.record.attributes.push(attribute, value);
  }

  fail(): void {
    this.record.failed = true;
  }

  answered(method: string, route: string, status: number, namespaceName: string | null): void {
    const { record } = this;
    record.method = method;
    record.route = route;
    record.status = status;
    record.namespaceName = namespaceName;
    if (status >= firstError) record.failed = true;
  }

  end(endedMs = monotonicMs()): void {
    const { record } = this;
    if (record.endedMs !== 0) return;
    record.endedMs = endedMs;
    if (record.sampled) this.ended(record);
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
export const untraced: TraceContext = { traceId: 0, spanId: 0, sampled: false, state: null };

/** Of all requests that begin no trace. (Measured: an object for each cost half a microsecond of a read's 30.) */
const untracedRequest: RequestSpan = { ...silentSpan, answered: () => {} };

/** Which of those that have no parent begin a trace, each with the same chance: how many do not until the next one does is drawn at once. */
class Roots {
  private readonly ratio: number;
  private untilNext: number;

  constructor(ratio: number) {
    this.ratio = ratio;
    this.untilNext = this.drawn();
  }

  next(): boolean {
    if (this.untilNext > 0) {
      this.untilNext--;
      return false;
    }
    this.untilNext = this.drawn();
    return true;
  }

  /** Of the geometric distribution. */
  private drawn(): number {
    if (this.ratio >= 1) return 0;
    if (this.ratio <= 0) return Number.POSITIVE_INFINITY;
    return Math.floor(Math.log(1 - Math.random()) / Math.log1p(-this.ratio));
  }
}

export class SpanTracer implements Tracer {
  private readonly ended: Ended;
  private readonly roots: Roots;
  private readonly places = new AsyncLocalStorage<Place>();
  /** Requests whose place is kept along asynchronous calls. */
  private kept = 0;
  private current: Place | null = null;
  /** That of the newest untraced request: the next one mostly names the same namespace. */
  private untracedPlace: Place = { context: untraced, namespaceName: null };

  /** `ratio`: share of the requests that begin a trace. */
  constructor(ended: Ended, ratio: number) {
    this.ended = ended;
    this.roots = new Roots(ratio);
  }

  /** Where the code that asks stands: the span around it, and the namespace that its request names. */
  get place(): Place {
    return this.current ?? (this.kept === 0 ? undefined : this.places.getStore()) ?? outside;
  }

  open(name: SpanName, beganMs?: number): Span {
    // Nearly always.
    if (this.current === this.untracedPlace) return silentSpan;
    const { place } = this;
    const { context } = place;
    if (context !== null && !context.sampled) return silentSpan;
    // Only what a start or a stop does begins a trace; other work out of reach of its request is in none.
    const beginsTrace = name === spans.load || name === spans.save;
    if (place === outside && !(beginsTrace && this.roots.next())) return silentSpan;
    return new OpenSpan(this.ended, name, context, beganMs ?? monotonicMs());
  }

  openRequest(request: TracedRequest): RequestSpan {
    const parent = parentOf(request);
    if (parent === null && !this.roots.next()) return untracedRequest;
    return new OpenRequest(this.ended, parent, request.beganMs);
  }

  within<T>(span: Span, work: () => T): T {
    const before = this.current;
    this.current = span instanceof OpenSpan ? { ...this.place, context: span.record } : this.place;
    try {
      return work();
    } finally {
      this.current = before;
    }
  }

  enter(request: TracedRequest): Place | null {
    const before = this.current;
    this.current = this.placeIn(request);
    return before;
  }

  leave(before: Place | null): void {
    this.current = before;
  }

  async throughout<T>(request: TracedRequest, work: () => Promise<T>): Promise<T> {
    this.kept++;
    try {
      return await this.places.run(this.placeIn(request), work);
    } finally {
      if (--this.kept === 0) this.places.disable();
    }
  }

  private placeIn({ span, namespaceName }: TracedRequest): Place {
    if (span !== untracedRequest && span instanceof OpenRequest) return { context: span.record, namespaceName };
    if (this.untracedPlace.namespaceName !== namespaceName) {
      this.untracedPlace = { context: untraced, namespaceName };
    }
    return this.untracedPlace;
  }
}

/** The span that a request's headers name; null when there is none or they are broken. */
function parentOf(request: TracedRequest): TraceContext | null {
  const header = request.traceHeader('traceparent');
  const parent = header === null ? null : parseTraceParent(header);
  if (parent === null) return null;
  const state = request.traceHeader('tracestate');
  return { ...parent, state: state !== null && state.length <= longestState ? state : null };
}

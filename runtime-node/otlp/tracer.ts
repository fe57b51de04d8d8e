// Spans for OpenTelemetry's exporter. A span here is a few fields; what the exporter asks of one is made when it asks, once for a batch.
// (Measured on 2 x AMD EPYC, Node 20: a span of the SDK takes 45 us of the processor where few requests have one, 5 to 10 where all have. At
// a ratio of .01 that is a hundredth of a read.) The current one is a variable for work that is done at once, and kept along asynchronous
// calls by Node for all other. Node pays for that at every promise of the process while it is on, so it is on only while a request needs
// it. (Measured: kept for every request GET fell to 0.73 of its rate and waited PUT to 0.71.)

import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type Context,
  createTraceState,
  type HrTime,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  type SpanStatus,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import { RandomIdGenerator, type ReadableSpan } from '@opentelemetry/sdk-trace';
import {
  type AttributeValue,
  type RequestSpan,
  type Span,
  type SpanAttribute,
  type SpanName,
  silentSpan,
  spanAttributes,
  spans,
  type TraceHeader,
  type Tracer,
} from '../../src/telemetry/spans.ts';
import { parseTraceParent } from '../../src/telemetry/traceparent.ts';

/** Longest `tracestate` that is kept: the standard asks for no more. */
const longestState = 512;
const firstError = 500;

/** What all spans of a service have in common, and where they go once they have ended. */
export interface SpanTarget {
  readonly resource: Resource;
  readonly scope: ReadableSpan['instrumentationScope'];
  readonly ended: (span: ReadableSpan) => void;
}

const ids = new RandomIdGenerator();

/** The context of a new span below `parent`, or of one that begins a trace. */
function contextBelow(parent: SpanContext | undefined): SpanContext {
  return {
    traceId: parent === undefined ? ids.generateTraceId() : parent.traceId,
    spanId: ids.generateSpanId(),
    traceFlags: parent === undefined ? TraceFlags.SAMPLED : parent.traceFlags,
    ...(parent?.traceState === undefined ? {} : { traceState: parent.traceState }),
  };
}

function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}

class OpenSpan implements Span, ReadableSpan {
  name: string;
  readonly kind: SpanKind;
  readonly isRecorded: boolean;
  readonly parentSpanContext?: SpanContext;
  readonly attributes: Attributes = {};
  readonly links = [];
  readonly events = [];
  readonly droppedAttributesCount = 0;
  readonly droppedEventsCount = 0;
  readonly droppedLinksCount = 0;
  private readonly target: SpanTarget;
  private readonly own: SpanContext;
  private readonly beganMs: number;
  private endedMs = Number.NaN;
  private code = SpanStatusCode.UNSET;
  private made: Context | null = null;

  /** `beganMs`: since 1970. */
  constructor(target: SpanTarget, name: string, kind: SpanKind, parent: SpanContext | undefined, beganMs: number) {
    this.target = target;
    this.name = name;
    this.kind = kind;
    if (parent !== undefined) this.parentSpanContext = parent;
    this.own = contextBelow(parent);
    this.isRecorded = this.own.traceFlags === TraceFlags.SAMPLED;
    this.beganMs = beganMs;
  }

  /** That of what is done in this span. */
  get context(): Context {
    this.made ??= trace.setSpanContext(ROOT_CONTEXT, this.own);
    return this.made;
  }

  set(attribute: SpanAttribute, value: AttributeValue): void {
    this.attributes[attribute] = value;
  }

  fail(): void {
    this.code = SpanStatusCode.ERROR;
  }

  end(durationSeconds?: number): void {
    if (this.ended) return;
    this.endedMs = durationSeconds === undefined ? Date.now() : this.beganMs + durationSeconds * 1000;
    if (this.isRecorded) this.target.ended(this);
  }

  spanContext(): SpanContext {
    return this.own;
  }

  get startTime(): HrTime {
    return hrTime(this.beganMs);
  }

  get endTime(): HrTime {
    return hrTime(this.endedMs);
  }

  get duration(): HrTime {
    return hrTime(this.endedMs - this.beganMs);
  }

  get status(): SpanStatus {
    return { code: this.code };
  }

  get ended(): boolean {
    return !Number.isNaN(this.endedMs);
  }

  get resource(): Resource {
    return this.target.resource;
  }

  get instrumentationScope(): ReadableSpan['instrumentationScope'] {
    return this.target.scope;
  }
}

class OpenRequest extends OpenSpan implements RequestSpan {
  readonly scope: { namespace: string | null } = { namespace: null };

  answered(method: string, route: string, status: number): void {
    if (!this.isRecorded) return;
    this.name = `${method} ${route}`;
    this.set(spanAttributes.method, method);
    this.set(spanAttributes.route, route);
    this.set(spanAttributes.status, status);
    if (this.scope.namespace !== null) this.set(spanAttributes.namespaceName, this.scope.namespace);
    if (status >= firstError) this.fail();
  }
}

interface Place {
  readonly context: Context;
  readonly scope: RequestSpan['scope'] | null;
}

/** No request: a trace may begin here. */
const outside: Place = { context: ROOT_CONTEXT, scope: null };
/** Below a request that is not traced nothing is. */
const untraced = trace.setSpanContext(ROOT_CONTEXT, {
  ...{ traceId: '1'.repeat(32), spanId: '1'.repeat(16), traceFlags: TraceFlags.NONE },
});

/** A request that begins no trace, and the place inside it; its log lines have its namespace all the same. */
class UntracedRequest implements RequestSpan, Place {
  readonly isRecorded = false;
  readonly context = untraced;
  readonly scope: { namespace: string | null } = { namespace: null };
  set(): void {}
  fail(): void {}
  end(): void {}
  answered(): void {}
}

export class SpanTracer implements Tracer {
  private readonly target: SpanTarget;
  /** Share of requests that begin a trace. */
  private readonly ratio: number;
  private readonly places = new AsyncLocalStorage<Place>();
  /** Requests whose place is kept along asynchronous calls. */
  private kept = 0;
  private current: Place | null = null;

  constructor(target: SpanTarget, ratio: number) {
    this.target = target;
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
    const parent = trace.getSpanContext(place.context);
    return new OpenSpan(this.target, name, SpanKind.INTERNAL, parent, Date.now() - secondsAgo * 1000);
  }

  openRequest(header: TraceHeader): RequestSpan {
    const parent = parentOf(header);
    if (parent === undefined && Math.random() >= this.ratio) return new UntracedRequest();
    return new OpenRequest(this.target, spans.request, SpanKind.SERVER, parent, Date.now());
  }

  within<T>(span: Span, work: () => T): T {
    const before = this.current;
    this.current = this.placeOf(span);
    try {
      return work();
    } finally {
      this.current = before;
    }
  }

  async throughout<T>(span: RequestSpan, work: () => Promise<T>): Promise<T> {
    this.kept++;
    try {
      return await this.places.run(this.placeOf(span), work);
    } finally {
      if (--this.kept === 0) this.places.disable();
    }
  }

  private placeOf(span: Span): Place {
    if (span instanceof UntracedRequest || span instanceof OpenRequest) return span;
    return span instanceof OpenSpan ? { context: span.context, scope: this.place.scope } : this.place;
  }
}

/** The span that a request's headers name; undefined when there is none or they are broken. */
function parentOf(header: TraceHeader): SpanContext | undefined {
  const parent = parseTraceParent(header('traceparent'));
  if (parent === null) return undefined;
  const { traceId, spanId, sampled } = parent;
  const state = header('tracestate');
  const isKept = state !== null && state.length <= longestState;
  return {
    ...{ traceId, spanId, isRemote: true, traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE },
    ...(isKept ? { traceState: createTraceState(state) } : {}),
  };
}

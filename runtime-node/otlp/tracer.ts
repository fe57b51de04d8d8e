// Spans by OpenTelemetry. The current one is a variable for work that is done at once, and kept along asynchronous calls by Node for all
// other. Node pays for that at every promise of the process while it is on, so it is on only while a request needs it. Measured
// (`npm run bench -- observing`, 2 x AMD EPYC, Node 20): kept for every request GET fell to 0.73 of its rate and waited PUT to 0.71.

import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  createTraceState,
  type Span as OtelSpan,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
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

class OpenSpan implements Span {
  readonly span: OtelSpan;
  readonly beganMs: number;

  constructor(span: OtelSpan, beganMs: number) {
    this.span = span;
    this.beganMs = beganMs;
  }

  get isRecorded(): boolean {
    return this.span.isRecording();
  }

  set(attribute: SpanAttribute, value: AttributeValue): void {
    this.span.setAttribute(attribute, value);
  }

  fail(): void {
    this.span.setStatus({ code: SpanStatusCode.ERROR });
  }

  end(durationSeconds?: number): void {
    this.span.end(durationSeconds === undefined ? undefined : this.beganMs + durationSeconds * 1000);
  }
}

class OpenRequest extends OpenSpan implements RequestSpan {
  readonly scope: { namespace: string | null } = { namespace: null };

  answered(method: string, route: string, status: number): void {
    if (!this.isRecorded) return;
    this.span.updateName(`${method} ${route}`);
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

/** A request that begins no trace; its log lines have its namespace all the same. */
class UntracedRequest implements RequestSpan {
  readonly isRecorded = false;
  readonly scope: { namespace: string | null } = { namespace: null };
  set(): void {}
  fail(): void {}
  end(): void {}
  answered(): void {}
}

export class SpanTracer implements Tracer {
  private readonly tracer: OtelTracer;
  /** Share of requests that begin a trace. */
  private readonly ratio: number;
  private readonly places = new AsyncLocalStorage<Place>();
  /** Requests whose place is kept along asynchronous calls. */
  private kept = 0;
  private current: Place | null = null;

  constructor(tracer: OtelTracer, ratio: number) {
    this.tracer = tracer;
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
    const beganMs = Date.now() - secondsAgo * 1000;
    return new OpenSpan(this.tracer.startSpan(name, { startTime: beganMs }, place.context), beganMs);
  }

  openRequest(header: TraceHeader): RequestSpan {
    const parent = contextOf(header);
    if (parent === ROOT_CONTEXT && Math.random() >= this.ratio) return new UntracedRequest();
    const beganMs = Date.now();
    const options = { startTime: beganMs, kind: SpanKind.SERVER };
    return new OpenRequest(this.tracer.startSpan(spans.request, options, parent), beganMs);
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
    if (span instanceof UntracedRequest) return { context: untraced, scope: span.scope };
    if (!(span instanceof OpenSpan)) return this.place;
    const { scope } = span instanceof OpenRequest ? span : this.place;
    return { context: trace.setSpan(ROOT_CONTEXT, span.span), scope };
  }
}

/** The context that a request's headers name; none when they are broken. */
function contextOf(header: TraceHeader): Context {
  const parent = parseTraceParent(header('traceparent'));
  if (parent === null) return ROOT_CONTEXT;
  const { traceId, spanId, sampled } = parent;
  const state = header('tracestate');
  const isKept = state !== null && state.length <= longestState;
  return trace.setSpanContext(ROOT_CONTEXT, {
    ...{ traceId, spanId, isRemote: true, traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE },
    ...(isKept ? { traceState: createTraceState(state) } : {}),
  });
}

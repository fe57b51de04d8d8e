// Spans by OpenTelemetry. The current one is kept along asynchronous calls by Node, so that whatever a request awaits is below its span.

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
  spanAttributes,
  spans,
  type TraceHeaders,
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

const outside: Place = { context: ROOT_CONTEXT, scope: null };

export class SpanTracer implements Tracer {
  private readonly tracer: OtelTracer;
  private readonly places = new AsyncLocalStorage<Place>();

  constructor(tracer: OtelTracer) {
    this.tracer = tracer;
  }

  /** Where the code that asks stands: the span around it, and the namespace that its request names. */
  get place(): Place {
    return this.places.getStore() ?? outside;
  }

  open(name: SpanName, secondsAgo: number): Span {
    const beganMs = Date.now() - secondsAgo * 1000;
    return new OpenSpan(this.tracer.startSpan(name, { startTime: beganMs }, this.place.context), beganMs);
  }

  openRequest(headers: TraceHeaders): RequestSpan {
    const beganMs = Date.now();
    const options = { startTime: beganMs, kind: SpanKind.SERVER };
    return new OpenRequest(this.tracer.startSpan(spans.request, options, contextOf(headers)), beganMs);
  }

  within<T>(span: Span, work: () => T): T {
    if (!(span instanceof OpenSpan)) return work();
    const { scope } = span instanceof OpenRequest ? span : this.place;
    return this.places.run({ context: trace.setSpan(this.place.context, span.span), scope }, work);
  }
}

/** The context that a request's headers name; none when they are broken. */
function contextOf({ traceparent, tracestate }: TraceHeaders): Context {
  const parent = parseTraceParent(traceparent);
  if (parent === null) return ROOT_CONTEXT;
  const { traceId, spanId, sampled } = parent;
  const isKept = tracestate !== null && tracestate.length <= longestState;
  return trace.setSpanContext(ROOT_CONTEXT, {
    ...{ traceId, spanId, isRemote: true, traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE },
    ...(isKept ? { traceState: createTraceState(tracestate) } : {}),
  });
}

// Spans that are exported. A span here is a few fields; the thread that exports makes what OpenTelemetry asks of one. The current one is a
// variable for work that is done at once, and kept along asynchronous calls by Node for all other. Node pays for that at every promise of
// the process while it is on, so it is on only while a request needs it. (Measured on 2 x AMD EPYC, Node 20: kept for every request GET
// fell to 0.73 of its rate and waited PUT to 0.71.)

import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';
import {
  type AttributeValue,
  type RequestSpan,
  type Span,
  type SpanAttribute,
  type SpanName,
  silentSpan,
  spanAttributes,
  spans,
  type TracedRequest,
  type Tracer,
} from '../../src/telemetry/spans.ts';
import { parseTraceParent } from '../../src/telemetry/traceparent.ts';
import type { AttributeValues, SpanRecord, TraceContext } from './messages.ts';

/** Longest `tracestate` that is kept: the standard asks for no more. */
const longestState = 512;
const firstError = 500;
const [traceIdBytes, spanIdBytes] = [16, 8];

/** Takes a span that has ended. */
type Ended = (span: SpanRecord) => void;

const random = Buffer.alloc(4096);
let randomUsed = random.length;

/** Twice as many hexadecimal digits. */
function randomHex(bytes: number): string {
  if (randomUsed + bytes > random.length) {
    randomFillSync(random);
    randomUsed = 0;
  }
  randomUsed += bytes;
  return random.toString('hex', randomUsed - bytes, randomUsed);
}

/** The context of a new span below `parent`, or of one that begins a trace. */
function contextBelow(parent: TraceContext | undefined): TraceContext {
  const spanId = randomHex(spanIdBytes);
  if (parent === undefined) return { traceId: randomHex(traceIdBytes), spanId, sampled: true };
  const { traceId, sampled, state } = parent;
  return { traceId, spanId, sampled, ...(state === undefined ? {} : { state }) };
}

class OpenSpan implements Span {
  name: string;
  /** That of what is done in this span. */
  readonly context: TraceContext;
  private readonly kind: SpanRecord['kind'];
  private readonly parent: TraceContext | undefined;
  private readonly attributes: AttributeValues = {};
  private readonly ended: Ended;
  private readonly beganMs: number;
  private hasEnded = false;
  private hasFailed = false;

  /** `beganMs`: since 1970. */
  constructor(ended: Ended, name: string, kind: SpanRecord['kind'], parent: TraceContext | undefined, beganMs: number) {
    this.ended = ended;
    this.name = name;
    this.kind = kind;
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
    const { name, kind, context, parent, beganMs, hasFailed: failed, attributes } = this;
    const endedMs = durationSeconds === undefined ? Date.now() : beganMs + durationSeconds * 1000;
    this.ended({ name, kind, context, parent, beganMs, endedMs, failed, attributes });
  }
}

class OpenRequest extends OpenSpan implements RequestSpan {
  answered(method: string, route: string, status: number, namespaceName: string | null): void {
    if (!this.isRecorded) return;
    this.name = `${method} ${route}`;
    this.set(spanAttributes.method, method);
    this.set(spanAttributes.route, route);
    this.set(spanAttributes.status, status);
    if (namespaceName !== null) this.set(spanAttributes.namespaceName, namespaceName);
    if (status >= firstError) this.fail();
  }
}

interface Place {
  /** Null: in no trace. */
  readonly context: TraceContext | null;
  readonly request: TracedRequest | null;
}

/** No request: a trace may begin here. */
const outside: Place = { context: null, request: null };
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
    return new OpenSpan(this.ended, name, 'internal', place.context ?? undefined, Date.now() - secondsAgo * 1000);
  }

  openRequest(request: TracedRequest): RequestSpan {
    const parent = parentOf(request);
    if (parent === undefined && Math.random() >= this.ratio) return untracedRequest;
    return new OpenRequest(this.ended, spans.request, 'server', parent, Date.now());
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

function placeIn(request: TracedRequest): Place {
  const { span } = request;
  return { context: span instanceof OpenRequest ? span.context : untraced, request };
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

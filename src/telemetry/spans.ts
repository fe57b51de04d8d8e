// Every span there is (contract part 3, Metrics and traces) with its attributes, and how they are opened. Only a home that exports traces
// has a tracer; everywhere else one object answers that does nothing. As with the tags of instruments no attribute comes from a graph: no
// label, index name, property key, path or fragment, and none from what a client wrote. Ids and names of namespaces are the exception.

import { identityTags } from './instruments.ts';

export const spans = {
  /** A request from its head to its answer's head; its name is the method and the route's template. */
  request: 'http.server.request',
  /** A transaction on the writer, below the request that enqueued it. */
  transaction: 'transaction.execute',
  save: 'checkpoint.save',
  load: 'checkpoint.load',
  subgraph: 'subgraph.run',
  compile: 'codegen.compile',
  path: 'path.search',
  analytics: 'analytics.run',
} as const;

export type SpanName = (typeof spans)[keyof typeof spans];

export const spanAttributes = {
  method: 'http.request.method',
  route: 'http.route',
  status: 'http.response.status_code',
  transactionType: 'transaction.type',
  /** `Committed` or `RolledBack`. */
  transactionState: 'transaction.state',
  /** Of a committed one: whether its frame is on disk. */
  transactionDurable: 'transaction.durable',
  failureReason: 'failure.reason',
  /** Of a checkpoint. */
  bytes: 'checkpoint.bytes',
  artifact: 'artifact',
  success: 'success',
  ...identityTags,
} as const;

export type SpanAttribute = (typeof spanAttributes)[keyof typeof spanAttributes];
export type AttributeValue = string | number | boolean;

export interface Span {
  /** False: nobody will see it, so that nothing need be found out for it. */
  readonly isRecorded: boolean;
  set(attribute: SpanAttribute, value: AttributeValue): void;
  /** It did not do what it was begun for. */
  fail(): void;
  /** Once. It ended at `endedMs` by the clock of the telemetry, or now. */
  end(endedMs?: number): void;
}

/** A request, as whoever traces it sees it. */
export interface TracedRequest {
  /** Null where it has none. */
  traceHeader(name: 'traceparent' | 'tracestate'): string | null;
  /** Null until it is opened. */
  readonly span: RequestSpan | null;
  /** When it began, by the clock of the home that never goes back. */
  readonly beganMs: number;
  /** The namespace that it addresses: log lines written inside carry it. Null while that is not known. */
  readonly namespaceName: string | null;
}

/** What a home brings that exports traces. */
export interface Tracer {
  /** A span below the one that is current where this is called, which began at `beganMs`, or now. */
  open(name: SpanName, beganMs?: number): Span;
  /** The span of a request, below the one that its headers name. Requests that are not traced share one. */
  openRequest(request: TracedRequest): RequestSpan;
  /** Runs `work` with `span` as the current one until it returns, not in what it awaits: costs next to nothing. */
  within<T>(span: Span, work: () => T): T;
  /** What runs from here to `leave` is inside a request; nothing may be awaited between them. Answers what `leave` takes. */
  enter(request: TracedRequest): object | null;
  leave(before: object | null): void;
  /** Runs `work` inside a request, also what it awaits: all promises of the process cost more meanwhile. */
  throughout<T>(request: TracedRequest, work: () => Promise<T>): Promise<T>;
}

export interface RequestSpan extends Span {
  /** Its name becomes `GET /vertex/{id}`. */
  answered(method: string, route: string, status: number, namespaceName: string | null): void;
}

const nothing = (): void => {};
export const silentSpan: Span = { isRecorded: false, set: nothing, fail: nothing, end: nothing };

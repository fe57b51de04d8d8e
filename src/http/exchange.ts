// One request on its way to its answer: the parts of its target, who sent it, what its route found out, and the makers of every
// kind of answer. Answers share constant header lists, because building a `Headers` costs more than most reads.

import type { Settings } from '../config/catalogue.ts';
import type { Configuration } from '../config/configuration.ts';
import type { Documents } from '../documents/documents.ts';
import type { HealthProbe } from '../documents/health-probe.ts';
import type { JsonBody } from '../engine/answer-stream.ts';
import type { FrameTail } from '../engine/replication/tail.ts';
import type { Engine, GraphEngine } from '../engine/types.ts';
import type { ChatGateway } from '../providers/chat/gateway.ts';
import type { EmbeddingProvider } from '../providers/embedding/provider.ts';
import type { RunSlots } from '../queries/analytics/slots.ts';
import type { Caller, Compilers } from '../queries/fragments/compilers.ts';
import type { Queries } from '../queries/queries.ts';
import type { RequestSpan, TracedRequest, Tracer } from '../telemetry/spans.ts';
import type { Meter } from '../telemetry/telemetry.ts';
import type { BodyLimits } from './bodies.ts';
import type { BodyRoom } from './body-room.ts';
import type { AnswerBody, BodyHolder, HttpPlatform, Moment } from './platform.ts';
import { type HeaderList, Problem, type ProblemExtensions } from './problems.ts';
import type { ClusterNodeView } from './replication/cluster.ts';
import type { Guard } from './replication/guard.ts';
import type { Route } from './route.ts';
import { decodeSegment, parseQuery } from './target.ts';
import { strictnessOf, Warnings, warningsHeader } from './warnings.ts';

export const apiVersion = '0.1';

/** What every route can reach. */
export interface Service {
  /** Missing: documents are not ingested. */
  readonly documents?: Documents;
  readonly engine: Engine;
  readonly configuration: Configuration;
  readonly platform: HttpPlatform;
  /** False where the graphs' memories are plain ones; missing: they are shared. */
  readonly sharedMemory?: boolean;
  /** Where fragments are compiled; missing: on this thread. */
  readonly compilers?: Compilers;
  /** Missing: nothing is recorded. */
  readonly meter?: Meter | null;
  /** Missing: there are no traces. */
  readonly tracer?: Tracer | null;
  /** Requests of the service's own, to providers of models; missing: the platform's. */
  readonly fetch?: typeof globalThis.fetch;
  /** What serves a route where graphs are followed; missing: the route. */
  readonly guard?: Guard;
  /** Missing: this is no node of a cluster. */
  readonly cluster?: ClusterNodeView;
  /** Of the namespaces that others may follow, by their ids; missing: nobody may. */
  readonly tails?: (id: string) => FrameTail;
  /** Missing: one over `fetch`, in a home that runs no models. */
  readonly embedding?: EmbeddingProvider;
}

/** The same, with what routes share. */
export interface PreparedService extends Service {
  /** What is in force; a value that a write changes at once changes here. */
  readonly settings: Settings;
  readonly queries: Queries;
  readonly chat: ChatGateway;
  readonly doclingProbe: HealthProbe;
  readonly nlpProbe: HealthProbe;
  readonly embedding: EmbeddingProvider;
  /** Places for analytics runs, of the whole service. */
  readonly runSlots: RunSlots;
  readonly bodyLimits: BodyLimits;
  /** Of the bodies of all requests. */
  readonly bodyRoom: BodyRoom;
  /** Of the answers that are not sent yet. */
  readonly answerRoom: BodyRoom;
}

const version: HeaderList[number] = ['api-supported-versions', apiVersion];
const bodyless: HeaderList = [version, ['content-length', '0']];
const noContent: HeaderList = [version];
const typed = {
  json: [['content-type', 'application/json'], version],
  problem: [['content-type', 'application/problem+json'], version],
  text: [['content-type', 'text/plain; charset=utf-8'], version],
  lines: [['content-type', 'application/x-ndjson'], version],
  bytes: [['content-type', 'application/octet-stream'], version],
  // The last one keeps a reverse proxy from holding events back.
  events: [['content-type', 'text/event-stream'], ['cache-control', 'no-cache'], version, ['x-accel-buffering', 'no']],
} as const satisfies Record<string, HeaderList>;

/** Reason phrases; an answer without one is legal, but not every client is that well read. */
const reasons: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  304: 'Not Modified',
  307: 'Temporary Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  507: 'Insufficient Storage',
};

const never: Moment = { ms: 0 };

/** Smaller answers are not counted: a connection has few of them, and the system's own buffers take most. */
const smallAnswerBytes = 64 * 1024;

export class Exchange implements BodyHolder, TracedRequest {
  readonly service: PreparedService;
  readonly request: Request;
  readonly method: string;
  /** Raw path of the target, from its slash to the query. */
  readonly path: string;
  /** Parameters of the matched route, still percent-encoded. */
  params: Readonly<Record<string, string | undefined>> = {};
  /** Name of the addressed namespace, still percent-encoded. */
  encodedNamespace = 'default';
  /** The same, decoded; null before it was looked up. */
  namespaceName: string | null = null;
  /** The addressed namespace's graph; null before it was looked up, and where it is not loaded. */
  loadedGraph: GraphEngine | null = null;
  /** The matched route; null before, and where there is none. */
  route: Route | null = null;
  /** Null where there are no traces. */
  span: RequestSpan | null = null;
  /** Only where requests are watched. */
  came: Moment = never;
  /** True when the request carries the configured key. */
  authenticated = false;
  /** Headers that go onto every answer of this request, errors included. */
  extraHeaders: HeaderList = [];
  /** The same, when it is answered; null: none. */
  lateHeaders: (() => HeaderList) | null = null;
  /** Whether a route that else only reads has changed the graph. */
  hasWritten = false;
  /** Bytes of its body that it holds. */
  bodyBytes = 0;
  private warned: Warnings | null = null;
  private answered: AnswerBody | null = null;
  private readonly queryText: string;
  private queryValues: Map<string, string> | null = null;

  constructor(service: PreparedService, request: Request, path: string, queryText: string) {
    this.service = service;
    this.request = request;
    this.method = request.method;
    this.path = path;
    this.queryText = queryText;
  }

  get beganMs(): number {
    return this.came.ms;
  }

  holdBody(bytes: number): boolean {
    if (!this.service.bodyRoom.take(this.bodyBytes, bytes)) return false;
    this.bodyBytes += bytes;
    return true;
  }

  /** Once nobody looks at the body any more. */
  releaseBody(): void {
    this.service.bodyRoom.give(this.bodyBytes);
    this.bodyBytes = 0;
  }

  /** Does what is done at once as a part of the request's span. */
  spanned<T>(work: () => T): T {
    const { span } = this;
    const { tracer } = this.service;
    if (span === null || !tracer) return work();
    const before = tracer.enter(this);
    try {
      return work();
    } finally {
      tracer.leave(before);
    }
  }

  get graph(): GraphEngine {
    if (this.loadedGraph === null) throw new Error('This route has no graph.');
    return this.loadedGraph;
  }

  /** On whose behalf fragments are compiled. */
  get caller(): Caller {
    return { signal: this.request.signal, client: this.service.platform.clientOf?.(this.request) ?? '' };
  }

  header(name: string): string | null {
    return this.request.headers.get(name);
  }

  /** The way that costs least in this home. */
  traceHeader(name: string): string | null {
    const { headerOf } = this.service.platform;
    return headerOf === undefined ? this.header(name) : headerOf(this.request, name);
  }

  /** The path of something in the addressed namespace, by the way the request went: with or without `/ns/{ns}`. */
  placeOf(path: string): string {
    return /^\/ns\//i.test(this.path) ? `/ns/${this.encodedNamespace}${path}` : path;
  }

  /** A parameter of the path, percent-decoded. */
  parameter(name: string): string {
    return decodeSegment(this.params[name] ?? '');
  }

  /** First value of a query parameter, whose name is matched in any case; null when missing. */
  query(name: string): string | null {
    if (this.queryText === '') return null;
    this.queryValues ??= parseQuery(this.queryText);
    return this.queryValues.get(name.toLowerCase()) ?? null;
  }

  get hasQuery(): boolean {
    return this.queryText !== '';
  }

  /** Names of the query's parameters, in lower case. */
  get queryNames(): Iterable<string> {
    this.queryValues ??= parseQuery(this.queryText);
    return this.queryValues.keys();
  }

  /** What the answer will say beside itself. */
  get warnings(): Warnings {
    this.warned ??= new Warnings();
    return this.warned;
  }

  /** How many warnings there are. */
  get warningCount(): number {
    return this.warned === null ? 0 : this.warned.count;
  }

  /** Throws a Problem where the request wants to be refused for what of it is not used as it was sent. */
  refuseIfStrict(): void {
    if (this.warningCount === 0) return;
    const strict = strictnessOf(this.header('prefer')) ?? this.service.settings['Api:Strict'];
    const refusal = strict ? this.warnings.refusal() : null;
    if (refusal !== null) throw refusal;
  }

  /** The extension of a problem that a fragment's exception caused; whoever wrote the fragment wants to know it. */
  thrown(exception: string | undefined): ProblemExtensions {
    return exception === undefined || this.service.settings['Errors:HideDetails'] ? {} : { exception };
  }

  /** The whole query, for routes whose parameters repeat. */
  queryParameters(): URLSearchParams {
    return new URLSearchParams(this.queryText);
  }

  json(body: Uint8Array, status = 200): Response {
    return this.answer(body as Uint8Array<ArrayBuffer>, status, typed.json);
  }

  /** Blocks of one JSON text, sent as they are: nothing is copied together. */
  jsonBlocks(blocks: readonly Uint8Array[]): Response {
    if (blocks.length === 1) return this.json(blocks[0] as Uint8Array);
    const bytes = blocks.reduce((sum, block) => sum + block.byteLength, 0);
    const headers: HeaderList = [...typed.json, ['content-length', String(bytes)]];
    return this.answer(streamOf(blocks), 200, headers, bytes);
  }

  /** One JSON text, as a whole or as it is made; the length of the latter is told by its end. */
  jsonBody(body: JsonBody): Response {
    return body instanceof ReadableStream ? this.answer(body, 200, typed.json) : this.jsonBlocks(body);
  }

  /** A JSON text under a media type of the caller's. */
  jsonText(text: string, contentType: string, headers: HeaderList): Response {
    return this.answer(text, 200, [['content-type', contentType], version, ...headers]);
  }

  value(value: unknown, status = 200, headers: HeaderList = []): Response {
    return this.answer(JSON.stringify(value), status, headers.length > 0 ? [...typed.json, ...headers] : typed.json);
  }

  text(text: string, status = 200): Response {
    return this.answer(text, status, typed.text);
  }

  /** A text that is sent as it is made, under a media type of the caller's. */
  made(body: ReadableStream<Uint8Array>, contentType: string): Response {
    return this.answer(body, 200, [['content-type', contentType], version]);
  }

  lines(body: ReadableStream<Uint8Array>): Response {
    return this.answer(body, 200, typed.lines);
  }

  /** Bytes as a file to be saved under a name of letters, digits and `-`, `_`, `.`. */
  bytes(body: ReadableStream<Uint8Array>, fileName: string): Response {
    const disposition = `attachment; filename="${fileName.replace(/[^\w.-]/g, '_')}"`;
    return this.answer(body, 200, [...typed.bytes, ['content-disposition', disposition]]);
  }

  /** Bytes for a program to read. */
  binary(body: Uint8Array, headers: HeaderList = []): Response {
    return this.answer(body as Uint8Array<ArrayBuffer>, 200, [...typed.bytes, ...headers]);
  }

  events(body: AnswerBody, headers: HeaderList): Response {
    return this.answer(body, 200, [...typed.events, ...headers]);
  }

  empty(status: number, headers: HeaderList = []): Response {
    const base = status === 204 ? noContent : bodyless;
    return this.answer(null, status, headers.length > 0 ? [...base, ...headers] : base);
  }

  /** A static file, or nothing of it. `headers` say all there is to say. */
  file(body: ReadableStream<Uint8Array> | null, status: number, headers: HeaderList): Response {
    return this.answer(body, status, headers);
  }

  problem(problem: Problem): Response {
    const headers = problem.headers.length > 0 ? [...typed.problem, ...problem.headers] : typed.problem;
    return this.answer(problem.toJson(), problem.status, headers);
  }

  /** Counts a large answer until it is sent. Only a read is refused for want of room: what another request has done is told. */
  private holdAnswer(bytes: number): void {
    const { answerRoom, platform } = this.service;
    if (platform.whenSent === undefined) return;
    const isTaken = answerRoom.take(0, bytes);
    if (isTaken) platform.whenSent(this.request, () => answerRoom.give(bytes));
    else if (this.method === 'GET' || this.method === 'HEAD') {
      const detail = 'Answers that wait to be sent hold the bytes of Http:MaxHeldAnswerBytes.';
      throw new Problem('overloaded', detail, {}, [['retry-after', '1']]);
    }
  }

  /** Bytes of the answer's body; null for one that is sent as it is made. */
  get answeredBytes(): number | null {
    const { answered } = this;
    if (answered === null) return 0;
    if (typeof answered === 'string') return new TextEncoder().encode(answered).byteLength;
    return answered instanceof Uint8Array ? answered.byteLength : null;
  }

  /** `heldBytes`: what stays in memory until it is sent. */
  private answer(
    body: AnswerBody | null,
    status: number,
    headers: HeaderList,
    heldBytes = body instanceof Uint8Array ? body.byteLength : typeof body === 'string' ? body.length : 0,
  ): Response {
    if (heldBytes > smallAnswerBytes) this.holdAnswer(heldBytes);
    this.answered = body;
    let all = this.extraHeaders.length > 0 ? [...headers, ...this.extraHeaders] : headers;
    if (this.lateHeaders !== null) all = [...all, ...this.lateHeaders()];
    if (this.warningCount > 0) all = [...all, [warningsHeader, this.warnings.toHeader()]];
    return this.service.platform.respond(body, {
      status,
      statusText: reasons[status] ?? '',
      headers: all as [string, string][],
    });
  }
}

function streamOf(blocks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  let next = 0;
  return new ReadableStream({
    pull(controller) {
      const block = blocks[next++];
      if (block === undefined) controller.close();
      else controller.enqueue(block);
    },
  });
}

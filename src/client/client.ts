// The typed client (arcwise/client): every path of the OpenAPI document by its method, with the types that were made from it. It stands
// on `fetch` alone, so it runs in Node, in a page, in a worker and at the edge.

import { type components, servicePaths } from './api.ts';
import { type Change, type ChangeOptions, type Resync, readChanges } from './change-feed.ts';
import { readLines } from './events.ts';
import { problemOf } from './problems.ts';
import { type Pace, paceOf, type RetryOptions } from './retry.ts';
import type { CallAnswer, CallInput, CallOptions, Method, PathFor, Rest } from './types.ts';
import { logWarnings, type OnWarnings, warningsOf } from './warnings.ts';

export interface ClientOptions {
  /** Address of the service, such as `http://localhost:8080`. */
  readonly url: string;
  readonly apiKey?: string;
  /** Where the service expects the key elsewhere than in `X-Api-Key`. */
  readonly apiKeyHeader?: string;
  /** Every path of a namespace goes to this one; without it to `default`. */
  readonly namespace?: string;
  /** The platform's own when missing; also takes a service in the same program. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** For calls that may be repeated and are refused by 429 or 503. */
  readonly retry?: RetryOptions;
  /** What the service says of calls that it did not use as they were sent; missing: a line each on the console. */
  readonly onWarnings?: OnWarnings;
  /** Such calls are refused instead. */
  readonly strict?: boolean;
  /** For a change feed that lost its connection. */
  readonly reconnect?: Omit<RetryOptions, 'attempts'>;
}

export interface ExportFilter {
  readonly vertexLabel?: string;
  readonly edgeLabel?: string;
  readonly edgePropertyId?: string;
}

/** What can be imported: lines as a whole, or as they come. */
export type Lines = string | Uint8Array | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string>;

type ImportResult = components['schemas']['ImportResult'];

/** Any call, as it is made: what the types of each path have checked. */
interface AnyInput extends CallOptions {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

const statusesToRetry: readonly number[] = [429, 503];

/** Calls that change nothing, or nothing more when they are made twice. */
const repeatable: Readonly<Record<Method, readonly string[] | 'all'>> = {
  get: 'all',
  head: 'all',
  delete: 'all',
  patch: [],
  put: [
    '/graphelement/{id}/{propertyId}',
    '/graphelement/{id}/embedding/{name}',
    '/graphelements/properties',
  ] satisfies PathFor<'put'>[],
  post: [
    '/graphelements/get',
    '/scan/graph/property/{propertyId}',
    '/scan/graph/properties',
    '/scan/index/all',
    '/scan/index/range',
    '/scan/index/fulltext',
    '/scan/index/spatial',
    '/scan/index/vector',
    '/path/{from}/to/{to}',
    '/delegates/validate',
  ] satisfies PathFor<'post'>[],
};
/** GET by name only: it adds to the graph. */
const generatePath = '/generate' satisfies PathFor<'get'>;

export class Client {
  private readonly options: ClientOptions;
  private readonly base: string;
  private readonly send: (request: Request) => Promise<Response>;
  private readonly pace: Pace;
  private readonly feedPace: Pace;

  constructor(options: ClientOptions) {
    if (/^(?!https?:)[a-z][\w.+-]*:/i.test(options.url))
      throw new TypeError(`The URL of a service begins with http:// or https://; this one is ${options.url}`);
    this.options = options;
    this.base = options.url.replace(/\/+$/, '');
    this.send = options.fetch ?? ((request) => fetch(request));
    this.pace = paceOf(options.retry ?? {}, { attempts: 5, firstDelayMs: 200, maxDelayMs: 10_000 });
    this.feedPace = paceOf(options.reconnect ?? {}, { attempts: 0, firstDelayMs: 1000, maxDelayMs: 30_000 });
  }

  /** The same service, another namespace. */
  inNamespace(namespace: string): Client {
    return new Client({ ...this.options, namespace });
  }

  get<Path extends PathFor<'get'>>(
    path: Path,
    ...[input]: Rest<CallInput<'get', Path>>
  ): Promise<CallAnswer<'get', Path>> {
    return this.call('get', path, input as AnyInput | undefined) as Promise<CallAnswer<'get', Path>>;
  }

  head<Path extends PathFor<'head'>>(path: Path, ...[input]: Rest<CallInput<'head', Path>>): Promise<null> {
    return this.call('head', path, input as AnyInput | undefined) as Promise<null>;
  }

  put<Path extends PathFor<'put'>>(
    path: Path,
    ...[input]: Rest<CallInput<'put', Path>>
  ): Promise<CallAnswer<'put', Path>> {
    return this.call('put', path, input as AnyInput | undefined) as Promise<CallAnswer<'put', Path>>;
  }

  post<Path extends PathFor<'post'>>(
    path: Path,
    ...[input]: Rest<CallInput<'post', Path>>
  ): Promise<CallAnswer<'post', Path>> {
    return this.call('post', path, input as AnyInput | undefined) as Promise<CallAnswer<'post', Path>>;
  }

  patch<Path extends PathFor<'patch'>>(
    path: Path,
    ...[input]: Rest<CallInput<'patch', Path>>
  ): Promise<CallAnswer<'patch', Path>> {
    return this.call('patch', path, input as AnyInput | undefined) as Promise<CallAnswer<'patch', Path>>;
  }

  delete<Path extends PathFor<'delete'>>(
    path: Path,
    ...[input]: Rest<CallInput<'delete', Path>>
  ): Promise<CallAnswer<'delete', Path>> {
    return this.call('delete', path, input as AnyInput | undefined) as Promise<CallAnswer<'delete', Path>>;
  }

  /** The graph in the bulk interchange format, as it is made. */
  async exportStream(filter: ExportFilter = {}, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    const answer = await this.attempt('get', '/bulk/export', { ...options, query: { ...filter } });
    return bodyOf(answer);
  }

  /** The same, a line at a time. */
  async *exportLines(filter: ExportFilter = {}, options: CallOptions = {}): AsyncGenerator<string> {
    yield* readLines(await this.exportStream(filter, options));
  }

  /**
   * Fills an empty graph. Lines that come one after the other are sent as the service takes them, where the platform can: browsers send
   * a stream only over HTTP/2, so a page hands over text, bytes or a file.
   */
  async importLines(lines: Lines, { signal }: Pick<CallOptions, 'signal'> = {}): Promise<ImportResult> {
    const body = isIterable(lines) ? streamOf(lines) : lines;
    const answer = await this.attempt('post', '/bulk/import', { body, retry: false, ...(signal && { signal }) });
    return (await answer.json()) as ImportResult;
  }

  /** What is committed in the namespace, until the signal is aborted or the loop is left. */
  changes(options: ChangeOptions = {}): AsyncGenerator<Change | Resync> {
    const { kinds, elements, labels, keys } = options;
    const filter = { kinds, elements, labels, keys };
    const open = async (since: string | null, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> => {
      const query = { ...filter, ...(since === null ? {} : { since }) };
      return bodyOf(await this.attempt('get', '/changefeed', { query, signal, retry: false }));
    };
    return readChanges(open, options, this.feedPace);
  }

  private async call(method: Method, path: string, input: AnyInput | undefined): Promise<unknown> {
    const answer = await this.attempt(method, path, input ?? {});
    const text = await answer.text();
    if (text === '') return null;
    return /[/+]json\b/.test(answer.headers.get('content-type') ?? '') ? JSON.parse(text) : text;
  }

  /** The answer, when it is one of success; throws ProblemError. */
  private async attempt(method: Method, path: string, input: AnyInput): Promise<Response> {
    const attempts = (input.retry ?? mayRepeat(method, path)) ? this.pace.attempts : 1;
    for (let failed = 1; ; failed++) {
      const request = this.requestOf(method, path, input);
      const answer = await this.send(request).catch((error: unknown) => {
        throw input.signal?.aborted === true ? error : unanswered(request, error);
      });
      const warnings = warningsOf(answer).filter(({ code }) => !input.expects?.includes(code));
      if (warnings.length > 0) (this.options.onWarnings ?? logWarnings)(warnings, `${method.toUpperCase()} ${path}`);
      if (answer.ok) return answer;
      const problem = await problemOf(answer);
      if (failed >= attempts || !statusesToRetry.includes(answer.status)) throw problem;
      await this.pace.wait(failed, (problem.retryAfterSeconds ?? 0) * 1000, input.signal);
    }
  }

  private requestOf(method: Method, path: string, { path: values = {}, query = {}, body, signal }: AnyInput): Request {
    const { apiKey, apiKeyHeader = 'x-api-key', namespace } = this.options;
    const scope = namespace === undefined || servicePaths.includes(path) ? '' : `/ns/${encodeURIComponent(namespace)}`;
    const place = path.replace(/\{(\w+)\}/g, (_hole, name: string) => encodeURIComponent(String(values[name])));
    const headers = new Headers(apiKey === undefined ? {} : { [apiKeyHeader]: apiKey });
    if (this.options.strict === true) headers.set('prefer', 'handling=strict');
    const isLines = path === '/bulk/import';
    if (body !== undefined) headers.set('content-type', isLines ? 'application/x-ndjson' : 'application/json');
    const init: RequestInit & { duplex?: 'half' } = { method: method.toUpperCase(), headers };
    if (signal !== undefined) init.signal = signal;
    if (body !== undefined) init.body = isLines ? (body as BodyInit) : JSON.stringify(body);
    if (body instanceof ReadableStream) init.duplex = 'half';
    return new Request(`${this.base}${scope}${place}${queryOf(query)}`, init);
  }
}

/** `fetch failed` says neither where nor why. */
function unanswered({ method, url }: Request, error: unknown): unknown {
  if (!(error instanceof TypeError)) return error;
  const cause = (error.cause ?? error) as { readonly message?: string; readonly code?: string };
  return new TypeError(`${method} ${url} has no answer: ${cause.message || cause.code}`, { cause });
}

function mayRepeat(method: Method, path: string): boolean {
  const paths = repeatable[method];
  return path !== generatePath && (paths === 'all' || paths.includes(path));
}

/** Lists repeat their name; what is missing stands nowhere. */
function queryOf(query: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) parameters.append(name, String(one));
    }
  }
  return parameters.size === 0 ? '' : `?${parameters}`;
}

function bodyOf(answer: Response): ReadableStream<Uint8Array> {
  return answer.body ?? new Blob([]).stream();
}

function isIterable(lines: Lines): lines is AsyncIterable<Uint8Array | string> {
  return typeof lines === 'object' && !(lines instanceof ReadableStream) && Symbol.asyncIterator in lines;
}

function streamOf(lines: AsyncIterable<Uint8Array | string>): ReadableStream<Uint8Array> {
  const source = lines[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await source.next();
      if (done === true) controller.close();
      else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
    },
    async cancel() {
      await source.return?.();
    },
  });
}

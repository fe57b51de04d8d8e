// Following a writer over HTTP: `GET /package?anchored=true`, then `GET /log?from=` again and again. Anything that has `fetch` can follow so.

import type { HashedState, HistoryPosition } from '../state-hash.ts';
import { type LogPart, type LogSource, SourceFailed } from './log-source.ts';

/** How long the writer waits for something new before it answers that there is nothing. */
const waitMs = 10_000;
/** An answer that does not begin within this beyond that is given up. */
const patienceMs = 20_000;

export interface HttpSourceOptions {
  /** Of the writer, without a slash at its end. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof globalThis.fetch;
}

export class HttpSource implements LogSource {
  private readonly options: HttpSourceOptions;

  constructor(options: HttpSourceOptions) {
    this.options = options;
  }

  async namespaces(signal: AbortSignal): Promise<string[]> {
    const response = await this.expect('/ns', signal);
    const { namespaces } = (await response.json()) as { namespaces: { name: string; state: string }[] };
    return namespaces.filter(({ state }) => state === 'ready').map(({ name }) => name);
  }

  async snapshot(name: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const { body } = await this.expect(`${pathOf(name)}/package?anchored=true`, signal, false);
    if (body === null) throw new SourceFailed('The writer answered a package without a body.');
    return blocksOf(body);
  }

  async read(
    name: string,
    { epoch, sequence, chain }: HistoryPosition,
    signal: AbortSignal,
    isAtOnce = false,
  ): Promise<LogPart | null> {
    const position = { from: String(sequence), epoch, chain: String(chain) };
    const query = new URLSearchParams({ ...position, waitMs: String(isAtOnce ? 0 : waitMs) });
    const response = await this.ask(`${pathOf(name)}/log?${query}`, signal, true);
    if (response.status === 409) {
      await response.arrayBuffer();
      return null;
    }
    await expectSuccess(response, 'GET /log');
    const [feedEpoch = '', feedSequence = ''] = (response.headers.get('x-arcwise-feed') ?? '').split(':');
    const feed = feedEpoch === '' ? null : { epoch: feedEpoch, sequence: Number(feedSequence) };
    const headSequence = Number(response.headers.get('x-arcwise-head') ?? sequence);
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { blocks: bytes.length === 0 ? [] : [bytes], feed, headSequence };
  }

  async hash(name: string, signal: AbortSignal): Promise<HashedState> {
    return (await (await this.expect(`${pathOf(name)}/hash`, signal)).json()) as HashedState;
  }

  private async expect(path: string, signal: AbortSignal, isShort = true): Promise<Response> {
    const response = await this.ask(path, signal, isShort);
    await expectSuccess(response, `GET ${path}`);
    return response;
  }

  private ask(path: string, signal: AbortSignal, isShort: boolean): Promise<Response> {
    const { fetch, headers, url } = this.options;
    const until = isShort ? AbortSignal.any([signal, AbortSignal.timeout(waitMs + patienceMs)]) : signal;
    return fetch(url + path, { headers, signal: until });
  }
}

const pathOf = (name: string): string => `/ns/${encodeURIComponent(name)}`;

async function expectSuccess(response: Response, what: string): Promise<void> {
  if (response.ok) return;
  const text = (await response.text()).slice(0, 300);
  throw new SourceFailed(`${what} was answered with ${response.status}: ${text}`);
}

async function* blocksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); read.done !== true; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel().catch(() => {}); // what broke it was thrown already
  }
}

// A plain HTTP client for black-box tests: sends exactly the path and headers it is given, and keeps nothing back of the answer. Each
// answer is held against what the OpenAPI document declares for it.

import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { checkDeclared } from './declared.ts';
import { sendStrictly } from './strict.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  /** The body as JSON; throws when it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
}

export interface CallOptions {
  /** Sent as JSON with its content type. */
  readonly json?: unknown;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
/**
 * The edge runtime closes connections that were idle, and a test that has just made a large body has not heard of it. Nobody has read what is
 * sent on such a one. Elsewhere a connection that breaks is a failure.
 */
const closesIdle = process.env.CONTRACT_HOME === 'edge';
const closed: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE']);

/** Sends one request, strictly where the whole suite runs so; rejects when no answer comes, or one that is not declared. */
export function send(url: string, method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const once = (headers: CallOptions['headers'] = options.headers): Promise<Answer> =>
    sendOnce(url, method, path, headers === undefined ? options : { ...options, headers });
  return process.env.CONTRACT_STRICT ? sendStrictly(options.headers, once) : once();
}

function sendOnce(url: string, method: string, path: string, options: CallOptions): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const body = options.json === undefined ? options.body : JSON.stringify(options.json);
  const headers: Record<string, string> = { ...options.headers };
  if (options.json !== undefined) headers['content-type'] ??= 'application/json';
  if (body !== undefined && headers['transfer-encoding'] === undefined)
    headers['content-length'] = String(Buffer.byteLength(body));
  return new Promise((resolve, reject) => {
    const outgoing = request({ agent, hostname, port, method, path, headers }, (incoming) => {
      const blocks: Buffer[] = [];
      incoming.on('data', (block: Buffer) => blocks.push(block));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const bytes = Buffer.concat(blocks);
        const text = bytes.toString('utf8');
        const answer: Answer = {
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          bytes,
          text,
          get json() {
            return JSON.parse(text);
          },
        };
        try {
          checkDeclared(method, path, answer);
          resolve(answer);
        } catch (error) {
          reject(error);
        }
      });
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      const wasIdle = closesIdle && outgoing.reusedSocket && closed.has(error.code);
      if (wasIdle) sendOnce(url, method, path, options).then(resolve, reject);
      else reject(error);
    });
    outgoing.end(body);
  });
}

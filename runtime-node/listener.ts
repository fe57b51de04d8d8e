// The service's socket: srvx over node:http in front of one handler. It also answers what never becomes a request (malformed or
// oversized heads) in the contract's form, and drains on close.

import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { serve } from 'srvx/node';
import { apiVersion } from '../src/http/exchange.ts';
import type { Handler } from '../src/http/handler.ts';
import type { Moment } from '../src/http/platform.ts';
import { targetOf } from '../src/http/target.ts';
import { ConnectionTurns } from './connection-turns.ts';
import { Connections } from './connections.ts';
import { incoming, lingerMs, outgoing } from './http-platform.ts';

/** Heads carry property keys in their paths, percent-encoded. */
const maxHeaderBytes = 64 * 1024;
const headersTimeoutMs = 60_000;
/** Longer than the quarter of a minute between the polls of a browser client. */
const keepAliveTimeoutMs = 75_000;
const drainPollMs = 25;

export interface ListenerOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Connections that are served at once; missing: any number. */
  readonly maxConnections?: number;
}

export interface Listener {
  /** `http://127.0.0.1:8080` */
  readonly url: string;
  /** Takes no new connection, lets running requests finish for at most `graceMs`, then cuts what is left. */
  close(graceMs: number): Promise<void>;
}

/** Rejects with the system's error when the address cannot be taken. */
export async function listen(handler: Handler, { host, port, maxConnections }: ListenerOptions): Promise<Listener> {
  const turns = new ConnectionTurns();
  const connections = new Connections(maxConnections ?? Number.POSITIVE_INFINITY);
  const answer = (request: Request, came?: () => Moment): Response | Promise<Response> => {
    const message = incoming(request);
    if (lacksHost(message)) return answerItself(400, 'The request has no Host header.');
    if (connections.isBeyond(message.socket)) return answerItself(503, connections.refusal, [['retry-after', '1']]);
    return handler(request, rawTarget(request), came);
  };
  const web = serve({
    fetch: (request) => {
      const message = incoming(request);
      if (!outgoing(request).shouldKeepAlive) lingerOnClose(message);
      const turn = turns.wait(message.socket);
      return turn === null ? answer(request, turns.came) : turn.then(() => answer(request));
    },
    hostname: host,
    port,
    manual: true,
    silent: true,
    gracefulShutdown: false,
    node: {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: headersTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      // Node would refuse such a request without a body that says why.
      requireHostHeader: false,
      // An import may take hours; bodies that stand still are given up by whoever reads them.
      requestTimeout: 0,
    },
  });
  const server = web.node?.server as Server;
  connections.follow(server);
  server.on('clientError', answerMalformed);
  server.on('checkExpectation', answerExpectation);
  await web.serve();
  return { url: urlOf(server.address() as AddressInfo), close: (graceMs) => drain(server, connections, graceMs) };
}

/**
 * Node destroys a connection that is not kept alive behind the last byte of its answer. With a body still under way the system then
 * resets it, and a sender that reads only behind its last byte never sees the answer. So only our half is closed, and the rest of the
 * body is read and dropped until it ends or `lingerMs` have passed.
 */
function lingerOnClose(request: IncomingMessage): void {
  const { socket } = request;
  const destroySoon = socket.destroySoon;
  socket.destroySoon = () => {
    socket.destroySoon = destroySoon;
    if (request.complete) {
      socket.destroySoon();
      return;
    }
    socket.end();
    request.once('end', () => socket.destroySoon());
    const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
    socket.once('close', () => clearTimeout(timer));
  };
}

/** The target as it was sent: `request.url` has been through a URL parser, which rewrites paths. */
function rawTarget(request: Request): string {
  const url = incoming(request).url ?? '/';
  const target = url.startsWith('/') ? url : targetOf(url);
  // Node hands bytes over as Latin-1; a client that does not percent-encode sends UTF-8.
  return /[\x80-\xff]/.test(target) ? Buffer.from(target, 'latin1').toString('utf8') : target;
}

function urlOf({ address, port, family }: AddressInfo): string {
  return family === 'IPv6' ? `http://[${address}]:${port}` : `http://${address}:${port}`;
}

function answerMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = statusOf(error.code);
  const { headers, body } = problem(status, 'The request could not be read as HTTP.');
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

/** HTTP/1.1 asks for the header; 1.0 did not know it. */
function lacksHost({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion === '1.1';
}

/** The answer to a request that is shown to no handler; its connection ends with it. */
function answerItself(status: number, detail: string, more: readonly [string, string][] = []): Response {
  const { headers, body } = problem(status, detail);
  const list = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return new Response(body, { status, headers: [...list, ...more] });
}

/** Anything but `100-continue`, which Node knows. */
function answerExpectation({ headers }: IncomingMessage, response: ServerResponse): void {
  const answer = problem(417, `The expectation '${headers.expect}' cannot be met.`);
  response.writeHead(417, answer.headers).end(answer.body);
}

/** What the handlers would answer, for requests that do not reach them. */
function problem(status: number, detail: string): { headers: Record<string, string | number>; body: string } {
  const body = JSON.stringify({ title: STATUS_CODES[status], status, detail });
  return {
    headers: {
      'content-type': 'application/problem+json',
      'api-supported-versions': apiVersion,
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    },
    body,
  };
}

function statusOf(code: string | undefined): number {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
}

async function drain(server: Server, connections: Connections, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const poll = setInterval(() => {
    // A kept-alive connection turns idle only when its running request has been answered.
    server.closeIdleConnections();
    connections.closeUnused();
  }, drainPollMs);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(poll);
  clearTimeout(deadline);
}

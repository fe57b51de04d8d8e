// A closed-loop HTTP load: so many connections, each sending the same bytes again as soon as its answer is complete. `wrk` does it
// where it is installed, because it costs a fraction of any server under test; otherwise raw sockets in a worker thread, which a
// very fast server can outrun: the figures then say less about it than about the load.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

export interface LoadPlan {
  readonly port: number;
  readonly connections: number;
  readonly durationMs: number;
  /** The whole request, head and body, as it goes on the wire. */
  readonly request: string;
  readonly expectedStatus: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Us: number;
  readonly p99Us: number;
  readonly wrongStatus: number;
}

/** The body of a write of one vertex. */
export const vertex = JSON.stringify({
  label: 'person',
  creationDate: 0,
  properties: [{ propertyId: 'name', propertyValue: 'Ada', fullQualifiedTypeName: 'System.String' }],
});

/** The bytes of a request without a body, or with a JSON one; `more`: headers, as lines. */
export function requestText(method: string, path: string, body?: string, more: readonly string[] = []): string {
  const head = [`${method} ${path} HTTP/1.1`, 'host: localhost', ...more, ''].join('\r\n');
  if (body === undefined) return `${head}\r\n`;
  return `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Runs a plan with `wrk`. */
export async function runWrk(plan: LoadPlan): Promise<LoadResult> {
  const [head = '', body = ''] = plan.request.split('\r\n\r\n');
  const [method = '', path = ''] = head.split(' ');
  const folder = mkdtempSync(join(tmpdir(), 'wrk-'));
  const script = join(folder, 'request.lua');
  const lines = [`wrk.method = "${method}"`];
  if (body !== '') lines.push('wrk.headers["content-type"] = "application/json"', `wrk.body = [==[${body}]==]`);
  writeFileSync(script, lines.join('\n'));
  const seconds = Math.max(1, Math.round(plan.durationMs / 1000));
  const url = `http://127.0.0.1:${plan.port}${path}`;
  const output = await outputOf('wrk', [
    '-t1',
    `-c${plan.connections}`,
    `-d${seconds}s`,
    '--latency',
    '-s',
    script,
    url,
  ]);
  rmSync(folder, { recursive: true });
  const number = (pattern: RegExp): number => Number(pattern.exec(output)?.[1] ?? 0);
  return {
    requests: number(/(\d+) requests in/),
    perSecond: number(/Requests\/sec:\s+([\d.]+)/),
    p50Us: microseconds(/^\s*50%\s+(\S+)/m.exec(output)?.[1] ?? ''),
    p99Us: microseconds(/^\s*99%\s+(\S+)/m.exec(output)?.[1] ?? ''),
    wrongStatus: number(/Non-2xx or 3xx responses: (\d+)/),
  };
}

function microseconds(text: string): number {
  const match = /^([\d.]+)(us|ms|s)$/.exec(text);
  return Number(match?.[1]) * ({ us: 1, ms: 1e3, s: 1e6 }[match?.[2] ?? ''] ?? Number.NaN);
}

function outputOf(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (data: Buffer) => {
      output += data.toString();
    });
    child.once('error', reject);
    child.once('close', () => resolve(output));
  });
}

/** Runs a plan in a worker thread. */
export function runSockets(plan: LoadPlan): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: plan });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

/** Bytes of the first complete answer in `data`, 0 when it is not complete yet. */
export function answerBytes(data: Buffer): number {
  const end = data.indexOf('\r\n\r\n');
  if (end < 0) return 0;
  const head = data.toString('latin1', 0, end).toLowerCase();
  const at = head.indexOf('content-length:');
  if (at >= 0) {
    const total = end + 4 + Number.parseInt(head.slice(at + 15), 10);
    return data.length >= total ? total : 0;
  }
  if (!head.includes('transfer-encoding: chunked')) return end + 4;
  const last = data.indexOf('0\r\n\r\n', end + 4);
  return last < 0 ? 0 : last + 5;
}

type ConnectionPlan = Pick<LoadPlan, 'port' | 'request' | 'expectedStatus'>;

class Connection {
  readonly latenciesUs: number[] = [];
  wrongStatus = 0;
  private readonly socket: Socket;
  private readonly request: Buffer;
  private readonly status: string;
  private readonly goesOn: () => boolean;
  private pending: Buffer = Buffer.alloc(0);
  private sentAt = 0;
  private open = true;

  /** `goesOn` is asked after each answer whether the request is sent once more. */
  constructor(plan: ConnectionPlan, goesOn: () => boolean, connected: (connection: Connection) => void) {
    this.request = Buffer.from(plan.request, 'utf8');
    this.status = `HTTP/1.1 ${plan.expectedStatus}`;
    this.goesOn = goesOn;
    this.socket = connect({ port: plan.port, host: '127.0.0.1', noDelay: true });
    this.socket.on('connect', () => connected(this));
    this.socket.on('data', (data: Buffer) => this.receive(data));
    this.socket.on('error', (error) => {
      throw error;
    });
  }

  send(): void {
    this.sentAt = performance.now();
    this.socket.write(this.request);
  }

  private receive(data: Buffer): void {
    this.pending = this.pending.length === 0 ? data : Buffer.concat([this.pending, data]);
    const bytes = answerBytes(this.pending);
    if (bytes === 0) return;
    this.latenciesUs.push((performance.now() - this.sentAt) * 1000);
    if (this.pending.toString('latin1', 0, this.status.length) !== this.status) this.wrongStatus++;
    this.pending = this.pending.subarray(bytes);
    if (this.open && this.goesOn()) this.send();
  }

  close(): void {
    this.open = false;
    this.socket.destroy();
  }
}

/** Connections that stay open and send blocks of so many requests: short enough for servers to take turns within the machine's moods. */
export class BlockLoad {
  private readonly connections: Connection[];
  private toSend = 0;
  private toCome = 0;
  private end: () => void = () => {};

  private constructor(plan: ConnectionPlan, connections: number, connected: () => void) {
    const answered = (): boolean => {
      if (--this.toCome === 0) this.end();
      return --this.toSend >= 0;
    };
    this.connections = Array.from({ length: connections }, () => new Connection(plan, answered, connected));
  }

  static open(plan: ConnectionPlan, connections: number): Promise<BlockLoad> {
    return new Promise((resolve) => {
      let missing = connections;
      const load = new BlockLoad(plan, connections, () => {
        if (--missing === 0) resolve(load);
      });
    });
  }

  /** Milliseconds until all are answered. At least as many as connections. */
  async run(requests: number): Promise<number> {
    const began = performance.now();
    const ended = new Promise<void>((resolve) => {
      this.end = resolve;
    });
    this.toCome = requests;
    this.toSend = requests - this.connections.length;
    for (const connection of this.connections) connection.send();
    await ended;
    const ms = performance.now() - began;
    const wrong = this.connections.reduce((sum, { wrongStatus }) => sum + wrongStatus, 0);
    if (wrong > 0) throw new Error(`${wrong} answers had another status than expected`);
    for (const { latenciesUs } of this.connections) latenciesUs.length = 0;
    return ms;
  }

  close(): void {
    for (const connection of this.connections) connection.close();
  }
}

function runPlan(plan: LoadPlan): void {
  const started = performance.now();
  const open = (): Connection =>
    new Connection(
      plan,
      () => true,
      (connection) => connection.send(),
    );
  const connections = Array.from({ length: plan.connections }, open);
  setTimeout(() => {
    const seconds = (performance.now() - started) / 1000;
    for (const connection of connections) connection.close();
    const all = Float64Array.from(connections.flatMap((connection) => connection.latenciesUs)).sort();
    const rank = (share: number): number => all[Math.max(0, Math.ceil(share * all.length) - 1)] ?? Number.NaN;
    const result: LoadResult = {
      requests: all.length,
      perSecond: all.length / seconds,
      p50Us: rank(0.5),
      p99Us: rank(0.99),
      wrongStatus: connections.reduce((sum, connection) => sum + connection.wrongStatus, 0),
    };
    parentPort?.postMessage(result);
  }, plan.durationMs);
}

if (!isMainThread && (workerData as Partial<LoadPlan>)?.request !== undefined) runPlan(workerData as LoadPlan);

// Waited writes to the nodes of a cluster, or to one service, sent by a thread of their own: either at a steady rate, where latencies count from the
// moment at which a write was due, or as fast as so many clients get their answers. Each write has a number of its own, so that what was acknowledged
// can be looked for. A client goes where it is sent (307), and to the next node where there is no answer or a refusal.
//
// Clients share the machine with what is measured. (On 2 x AMD EPYC a write took 65 to 80 us of the processor here with undici, 35 to 45 with sockets.)

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { answerBytes } from './load.ts';

export interface WritePlan {
  readonly urls: readonly string[];
  /** Of the namespace: empty, or `/ns/name`. */
  readonly under: string;
  readonly clients: number;
  /** Null: as many as come. */
  readonly perSecond: number | null;
  readonly firstNumber: number;
}

export interface Writes {
  readonly numbers: readonly number[];
  /** When each was acknowledged, in milliseconds since 1970 with fractions, and how long that took. */
  readonly atMs: readonly number[];
  readonly tookMs: readonly number[];
  readonly refused: number;
  readonly beganMs: number;
  readonly endedMs: number;
}

/** Milliseconds since 1970, by the clock that does not jump. */
export const nowMs = (): number => performance.timeOrigin + performance.now();

/** How long before another attempt at another node, and for how long an answer is waited for. */
const againMs = 20;
const patienceMs = 3000;

/** Writes that go on until they are stopped. */
export class SteadyWrites {
  private readonly worker: Worker;
  private readonly over: Promise<Writes>;

  constructor(plan: WritePlan) {
    this.worker = new Worker(new URL(import.meta.url), { workerData: plan });
    this.over = new Promise((resolve, reject) => {
      this.worker.once('message', resolve);
      this.worker.once('error', reject);
    });
  }

  /** Resolves when what is under way has its answer. */
  stop(): Promise<Writes> {
    this.worker.postMessage('stop');
    return this.over;
  }
}

/** Those of them that were acknowledged within a stretch of time. */
export function between(writes: Writes, fromMs: number, toMs: number): Writes {
  const { atMs, numbers, tookMs } = writes;
  const isWithin = (_: number, i: number): boolean => (atMs[i] as number) >= fromMs && (atMs[i] as number) < toMs;
  return {
    ...{ numbers: numbers.filter(isWithin), atMs: atMs.filter(isWithin), tookMs: tookMs.filter(isWithin) },
    ...{ refused: writes.refused, beganMs: fromMs, endedMs: toMs },
  };
}

interface Answer {
  /** 0: there is none. */
  readonly status: number;
  readonly location: string | undefined;
}

const noAnswer: Answer = { status: 0, location: undefined };

/** One connection, made when it is first needed, with one request under way at most. */
class Connection {
  private readonly url: URL;
  private socket: Socket | null = null;
  private pending: Buffer = Buffer.alloc(0);
  private answered: (answer: Answer) => void = () => {};

  constructor(url: string) {
    this.url = new URL(url);
  }

  put(path: string, body: string): Promise<Answer> {
    return new Promise((resolve) => {
      this.answered = resolve;
      this.socket ??= this.connected();
      const head = `PUT ${path} HTTP/1.1\r\nhost: ${this.url.host}\r\ncontent-type: application/json`;
      this.socket.write(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    });
  }

  /** Resolves when it stands, or cannot. */
  async open(): Promise<void> {
    this.socket ??= this.connected();
    await Promise.race([once(this.socket, 'connect'), once(this.socket, 'close')]).catch(() => {}); // the first write says so
  }

  close(): void {
    this.socket?.destroy();
    this.socket = null;
  }

  private connected(): Socket {
    const socket = connect({ host: this.url.hostname, port: Number(this.url.port), noDelay: true });
    const failed = (): void => {
      socket.destroy();
      if (this.socket !== socket) return;
      this.socket = null;
      this.answered(noAnswer);
    };
    socket.setTimeout(patienceMs, failed);
    socket.on('data', (data: Buffer) => this.receive(data));
    socket.on('error', failed);
    socket.on('close', failed);
    return socket;
  }

  private receive(data: Buffer): void {
    this.pending = this.pending.length === 0 ? data : Buffer.concat([this.pending, data]);
    const bytes = answerBytes(this.pending);
    if (bytes === 0) return;
    const [head = ''] = this.pending.toString('latin1', 0, bytes).split('\r\n\r\n', 1);
    this.pending = this.pending.subarray(bytes);
    const status = Number(head.slice(9, 12));
    this.answered({ status, location: status === 307 ? /^location: (.+)$/im.exec(head)?.[1] : undefined });
  }
}

class Writing {
  private readonly plan: WritePlan;
  private readonly numbers: number[] = [];
  private readonly atMs: number[] = [];
  private readonly tookMs: number[] = [];
  private refused = 0;
  private next: number;
  private isOver = false;
  private beganMs = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(plan: WritePlan) {
    this.plan = plan;
    this.next = plan.firstNumber;
  }

  async run(): Promise<Writes> {
    parentPort?.once('message', () => {
      this.isOver = true;
      for (const resume of this.waiting.splice(0)) resume();
    });
    const ticking = this.plan.perSecond === null ? undefined : setInterval(() => this.wake(), 1);
    const connections = Array.from({ length: this.plan.clients }, () => new Connection(this.plan.urls[0] as string));
    await Promise.all(connections.map((connection) => connection.open()));
    this.beganMs = nowMs();
    await Promise.all(connections.map((connection) => this.client(connection)));
    clearInterval(ticking);
    const { atMs, beganMs, numbers, refused, tookMs } = this;
    return { numbers, atMs, tookMs, refused, beganMs, endedMs: nowMs() };
  }

  private dueMs(number: number): number {
    const { firstNumber, perSecond } = this.plan;
    return perSecond === null ? 0 : this.beganMs + (1000 * (number - firstNumber)) / perSecond;
  }

  private wake(): void {
    const now = nowMs();
    const due = Math.floor(((now - this.beganMs) * (this.plan.perSecond ?? 0)) / 1000) + this.plan.firstNumber;
    for (let left = due - this.next; left > 0 && this.waiting.length > 0; left--) this.waiting.pop()?.();
  }

  /** Resolves with when the write of the next number was due. */
  private async turn(): Promise<{ number: number; dueMs: number }> {
    while (!this.isOver && this.dueMs(this.next) > nowMs())
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    const number = this.next++;
    return { number, dueMs: this.plan.perSecond === null ? nowMs() : this.dueMs(number) };
  }

  private async client(connection: Connection): Promise<void> {
    const { under, urls } = this.plan;
    const path = `${under}/vertex?waitForCompletion=true`;
    let at = 0;
    let client = connection;
    const goTo = (url: string): void => {
      client.close();
      client = new Connection(url);
    };
    while (true) {
      const { dueMs, number } = await this.turn();
      if (this.isOver) break;
      const property = `{"propertyId":"n","propertyValue":"${number}","fullQualifiedTypeName":"System.Int32"}`;
      const body = `{"creationDate":1,"label":"numbered","properties":[${property}]}`;
      const { location, status } = await client.put(path, body);
      if (status === 202 || status === 200) {
        const now = nowMs();
        this.numbers.push(number);
        this.atMs.push(now);
        this.tookMs.push(now - dueMs);
      } else if (status === 307 && location !== undefined) goTo(new URL(location).origin);
      else {
        this.refused++;
        await new Promise((resolve) => setTimeout(resolve, againMs));
        goTo(urls[++at % urls.length] as string);
      }
    }
    client.close();
  }
}

if (!isMainThread) parentPort?.postMessage(await new Writing(workerData as WritePlan).run());

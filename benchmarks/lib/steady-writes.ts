// Waited writes to the nodes of a cluster, or to one service, sent with undici by a thread of their own: either at a steady rate, where latencies count
// from the moment at which a write was due, or as fast as so many clients get their answers. Each write has a number of its own, so that what was
// acknowledged can be looked for. A client goes where it is sent (307), and to the next node where there is no answer or a refusal.

import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { Client } from 'undici';

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

interface Answer {
  readonly status: number;
  readonly location: string | undefined;
}

function asked(client: Client, path: string, body: string): Promise<Answer> {
  return new Promise((resolve) => {
    let answer: Answer = { status: 0, location: undefined };
    const headers = { 'content-type': 'application/json' };
    client.dispatch(
      { path, method: 'PUT', headers, body },
      {
        onRequestStart: () => {},
        onResponseStart: (_, status, { location }) => {
          answer = { status, location: typeof location === 'string' ? location : undefined };
        },
        onResponseData: () => {},
        onResponseEnd: () => resolve(answer),
        onResponseError: () => resolve({ status: 0, location: undefined }),
      },
    );
  });
}

class Writing {
  private readonly plan: WritePlan;
  private readonly numbers: number[] = [];
  private readonly atMs: number[] = [];
  private readonly tookMs: number[] = [];
  private refused = 0;
  private next: number;
  private isOver = false;
  private readonly beganMs = nowMs();
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
    await Promise.all(Array.from({ length: this.plan.clients }, () => this.client()));
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

  private async client(): Promise<void> {
    const { under, urls } = this.plan;
    const to = (url: string): Client =>
      new Client(url, { pipelining: 1, headersTimeout: patienceMs, bodyTimeout: patienceMs });
    const path = `${under}/vertex?waitForCompletion=true`;
    let at = 0;
    let client = to(urls[0] as string);
    const goTo = async (url: string): Promise<void> => {
      await client.destroy();
      client = to(url);
    };
    while (true) {
      const { dueMs, number } = await this.turn();
      if (this.isOver) break;
      const property = `{"propertyId":"n","propertyValue":"${number}","fullQualifiedTypeName":"System.Int32"}`;
      const body = `{"creationDate":1,"label":"numbered","properties":[${property}]}`;
      const { location, status } = await asked(client, path, body);
      if (status === 202 || status === 200) {
        const now = nowMs();
        this.numbers.push(number);
        this.atMs.push(now);
        this.tookMs.push(now - dueMs);
      } else if (status === 307 && location !== undefined) await goTo(new URL(location).origin);
      else {
        this.refused++;
        await new Promise((resolve) => setTimeout(resolve, againMs));
        await goTo(urls[++at % urls.length] as string);
      }
    }
    await client.destroy();
  }
}

if (!isMainThread) parentPort?.postMessage(await new Writing(workerData as WritePlan).run());

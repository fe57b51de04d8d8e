// Services in processes of their own that make up a cluster, or follow each other, for benchmarks: what they are, and what processor time they took.

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Agent, fetch, type RequestInit, type Response } from 'undici';
import { freePort } from './postgres.ts';

const main = fileURLToPath(new URL('../../node/main.js', import.meta.url));
const startMs = 60_000;
/** Of the kernel's counters of processor time. */
const ticksPerSecond = 100;
/** Answers are not kept waiting behind others, and imports may take their time. */
const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

export const ask = (url: string, init: RequestInit = {}): Promise<Response> => fetch(url, { dispatcher, ...init });

export class BenchNode {
  readonly url: string;
  readonly child: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.child = child;
  }

  /** `settings` by their names behind `Service:`. */
  static async start(settings: Readonly<Record<string, string>>): Promise<BenchNode> {
    const port = await freePort();
    const all = { 'Http:Port': `${port}`, 'Log:Level': process.env.BENCH_LOG ?? 'error', ...limits, ...settings };
    const args = Object.entries(all).map(([key, value]) => `--Service:${key}=${value}`);
    const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
    return new BenchNode(`http://127.0.0.1:${port}`, child);
  }

  async role(namespace = 'default'): Promise<string> {
    const answer = await ask(`${this.url}/cluster`, { signal: AbortSignal.timeout(startMs) }).catch(() => null);
    const said = (await answer?.json().catch(() => null)) as Described | null | undefined;
    if (said?.role === 'alone') return said.role;
    return said?.namespaces?.find(({ name }) => name === namespace)?.role ?? 'none';
  }

  /** Until it answers, for the namespace. */
  async until(wanted: readonly string[], namespace = 'default'): Promise<void> {
    await come(`${this.url} is ${wanted}`, async () => wanted.includes(await this.role(namespace)));
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const over = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill(signal);
    await over;
  }

  /** Of the whole process so far, user and system. */
  processorSeconds(): number {
    const [, fields = ''] = /\) (.*)/.exec(readFileSync(`/proc/${this.child.pid}/stat`, 'utf8')) ?? [];
    const [user, system] = fields.split(' ').slice(11, 13).map(Number) as [number, number];
    return (user + system) / ticksPerSecond;
  }
}

interface Described {
  readonly role?: string;
  readonly namespaces?: readonly { readonly name: string; readonly role: string }[];
}

const limits = { 'Security:SensitiveRateLimitPermitPerWindow': '1000000' };

/** When `look` answers true. */
export async function come(what: string, look: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + startMs;
  while (!(await look())) {
    if (performance.now() > endMs) throw new Error(`It did not come within ${startMs / 1000} s: ${what}.`);
    await sleep(10);
  }
}

export async function good(answer: Response): Promise<Response> {
  if (answer.ok) return answer;
  throw new Error(`${answer.url}: ${answer.status} ${(await answer.text()).slice(0, 300)}`);
}

/** How often each number that was written is there. */
export async function numbersIn(url: string, under: string): Promise<Map<number, number>> {
  const { body } = await good(await ask(`${url}${under}/bulk/export?vertexLabel=numbered`));
  const found = new Map<number, number>();
  for await (const line of createInterface({ input: Readable.fromWeb(body as ReadableStream) })) {
    const { properties, type } = JSON.parse(line) as { type: string; properties?: { n?: { value: string } } };
    if (type !== 'vertex') continue;
    const number = Number(properties?.n?.value);
    found.set(number, (found.get(number) ?? 0) + 1);
  }
  return found;
}

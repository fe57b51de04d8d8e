// Nodes of a cluster as processes, what is written to them, and what is found of it.

import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { freePort } from '../../benchmarks/lib/postgres.ts';

const entry = fileURLToPath(new URL('../../dist/runtime-node/main.js', import.meta.url));
const leaseMs = 1500;
/** Where each node's lines are kept, from info on: what the nodes did, and when. */
const logs = process.env.CLUSTER_LOGS;
const level = logs === undefined ? 'warn' : 'info';

/** Settings by their names behind `Service__`, as environment variables take them; other variables with a dot in front. */
export type Given = Readonly<Record<string, string>>;

/** A service of the cluster. */
export class Node {
  readonly url: string;
  private readonly child: ChildProcess;
  private readonly headers: Readonly<Record<string, string>>;
  readonly exited: Promise<unknown>;
  private said = '';

  private constructor(port: number, child: ChildProcess, key: string) {
    this.headers = { 'x-api-key': key };
    this.url = `http://127.0.0.1:${port}`;
    this.child = child;
    this.exited = new Promise((resolve) => child.once('exit', resolve));
    child.stderr?.on('data', (part: Buffer) => {
      this.said = (this.said + part).slice(-4000);
      if (logs !== undefined) appendFileSync(join(logs, `${port}.log`), part);
    });
  }

  /** A process that has begun; `given` names the cluster. */
  static async begin(given: Given, program = entry): Promise<Node> {
    const port = await freePort();
    const all = { Cluster__LeaseMilliseconds: String(leaseMs), Http__Port: String(port), Log__Level: level, ...given };
    const named = Object.entries(all).map(([key, value]) => [
      key.startsWith('.') ? key.slice(1) : `Service__${key}`,
      value,
    ]);
    const env = { ...process.env, ...Object.fromEntries(named) };
    return new Node(
      port,
      spawn(process.execPath, [program], { env, stdio: ['ignore', 'ignore', 'pipe'] }),
      given.Security__ApiKey ?? '',
    );
  }

  /** One that writes or follows. */
  static async start(given: Given, program = entry): Promise<Node> {
    const node = await Node.begin(given, program);
    let isOver = false;
    void node.exited.then(() => {
      isOver = true;
    });
    const state = async (): Promise<string> => (isOver ? 'over' : node.role());
    const states = ['writer', 'replica', 'over'];
    const isThere = async (): Promise<boolean> => states.includes(await state());
    await expect
      .poll(isThere, { timeout: 180_000 })
      .toBe(true)
      .catch((error: unknown) => {
        throw new Error(`The node has no part in the cluster for three minutes: ${node.words}`, { cause: error });
      });
    if (isOver) throw new Error(`The node ended: ${node.words}`);
    return node;
  }

  /** What it wrote to standard error last. */
  get words(): string {
    return this.said;
  }

  async role(): Promise<string> {
    const { headers } = this;
    const asked = fetch(`${this.url}/cluster`, { headers, signal: AbortSignal.timeout(2000) });
    const answer = await asked.catch(() => null);
    return answer === null ? 'none' : ((await answer.json()) as { role: string }).role;
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  async end(name: NodeJS.Signals): Promise<void> {
    this.child.kill(name);
    await this.exited;
  }

  async count(namespace = ''): Promise<number | null> {
    const answer = await fetch(`${this.url}${namespace}/vertex/count`, { signal: AbortSignal.timeout(2000) }).catch(
      () => null,
    );
    return answer?.status === 200 ? Number(await answer.text()) : null;
  }

  async hash(namespace = ''): Promise<string> {
    return ((await (await fetch(`${this.url}${namespace}/hash`)).json()) as { hash: string }).hash;
  }
}

/** Waited writes to whichever node takes them; remembers the numbers that were acknowledged. */
export class Load {
  readonly acknowledged = new Set<number>();
  /** Between two writes that were acknowledged, one behind the other. */
  longestGapMs = 0;
  private lastMs = performance.now();
  private static next = 0;
  private over = false;
  private readonly clients: Promise<void>[];

  /** `targets` may change while it runs. */
  constructor(targets: readonly Node[], clients = 4, namespace = '') {
    this.clients = Array.from({ length: clients }, () => this.run(targets, namespace));
  }

  private async run(targets: readonly Node[], namespace: string): Promise<void> {
    for (let at = 0; !this.over; ) {
      const number = Load.next++;
      const property = { propertyId: 'n', propertyValue: String(number), fullQualifiedTypeName: 'System.Int32' };
      const body = JSON.stringify([{ creationDate: 1, label: 'v', properties: [property] }]);
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'PUT', headers, body, signal: AbortSignal.timeout(3000) };
      const answer = await fetch(
        `${targets[at % targets.length]?.url}${namespace}/vertices?waitForCompletion=true`,
        init,
      ).catch(() => null);
      if (answer?.status === 200) {
        const nowMs = performance.now();
        this.longestGapMs = Math.max(this.longestGapMs, nowMs - this.lastMs);
        this.lastMs = nowMs;
        this.acknowledged.add(number);
      } else {
        at++;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      await answer?.arrayBuffer().catch(() => null);
    }
  }

  async stop(): Promise<void> {
    this.over = true;
    await Promise.all(this.clients);
  }
}

/** How often each number is in the graph of a node. */
export async function numbersIn(node: Node, namespace = ''): Promise<Map<number, number>> {
  const answer = await fetch(`${node.url}${namespace}/graph?maxElements=10000000`);
  const { vertices } = (await answer.json()) as { vertices: { properties: { propertyValue: string }[] }[] };
  const found = new Map<number, number>();
  for (const { properties } of vertices) {
    const number = Number(properties[0]?.propertyValue);
    found.set(number, (found.get(number) ?? 0) + 1);
  }
  return found;
}

/** Everything that was acknowledged is there, and nothing twice. Answers how many that are. */
export async function check(loads: readonly Load[], node: Node, namespace = ''): Promise<number> {
  const found = await numbersIn(node, namespace);
  const acknowledged = loads.flatMap((load) => [...load.acknowledged]);
  const missing = acknowledged.filter((number) => !found.has(number));
  const twice = [...found].filter(([, count]) => count > 1);
  expect({ missing, twice }).toEqual({ missing: [], twice: [] });
  return acknowledged.length;
}

export const until = (node: Node, role: string): Promise<void> =>
  expect.poll(() => node.role(), { timeout: 60_000, interval: 50 }).toBe(role);

/** When so many more were acknowledged. */
export const written = (load: Load, count: number): Promise<void> =>
  expect.poll(() => load.acknowledged.size, { timeout: 60_000 }).toBeGreaterThan(load.acknowledged.size + count);

/** The one that writes, as soon as one does. */
export async function writerOf(some: readonly Node[]): Promise<Node> {
  let writer: Node | undefined;
  const look = async (): Promise<boolean> => {
    const roles = await Promise.all(some.map((node) => node.role()));
    writer = some[roles.indexOf('writer')];
    return writer !== undefined;
  };
  await expect.poll(look, { timeout: 60_000, interval: 50 }).toBe(true);
  return writer as Node;
}

/**
 * Take-overs one behind the other while `load` writes to `targets`: each fourth writer hands over, the others are killed; another node takes its place.
 * Answers how long nothing was acknowledged.
 */
export async function takenOver(
  times: number,
  targets: Node[],
  load: Load,
  another: () => Promise<Node>,
): Promise<string> {
  const gapsMs: number[] = [];
  for (let round = 0; round < times; round++) {
    try {
      const writer = await writerOf(targets);
      load.longestGapMs = 0;
      const signal = round % 4 === 3 ? 'SIGTERM' : 'SIGKILL';
      if (logs !== undefined) console.log(`${Date.now()} ${round + 1}: ${signal} to ${writer.url}`);
      await writer.end(signal);
      await written(load, 5);
      gapsMs.push(Math.round(load.longestGapMs));
      targets[targets.indexOf(writer)] = await another();
    } catch (error) {
      const said = await Promise.all(targets.map(async (node) => `${node.url}, ${await node.role()}: ${node.words}`));
      throw new Error(`Take-over ${round + 1} did not come. ${said.join('\n')}`, { cause: error });
    }
  }
  gapsMs.sort((a, b) => a - b);
  return `without a write ${gapsMs[times >> 1]} ms in the middle, ${gapsMs.at(-1)} ms at most`;
}

/** Nothing more is acknowledged, for longer than any deadline of a node. */
export async function quiet(load: Load): Promise<void> {
  const grows = async (ms: number): Promise<number> => {
    const before = load.acknowledged.size;
    await new Promise((resolve) => setTimeout(resolve, ms));
    return load.acknowledged.size - before;
  };
  await expect.poll(() => grows(500), { timeout: 30_000 }).toBe(0);
  expect(await grows(7_000)).toBe(0);
}

// Nodes of a cluster as processes over a real PostgreSQL of this test's own: one writes, the others follow, and whatever happens to the writer nothing
// that was acknowledged is lost and nothing is written twice. `npm run test:cluster` runs it; it wants the Debian package postgresql.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresCluster } from '../../runtime-node/cluster/postgres.ts';
import { objectStoreSuite } from '../unit/object-store-suite.ts';
import { sharedLogSuite } from '../unit/shared-log-suite.ts';

const isWanted = process.env.CLUSTER_POSTGRES !== undefined;
const programs = '/usr/lib/postgresql';
const entry = fileURLToPath(new URL('../../dist/runtime-node/main.js', import.meta.url));
const directory = isWanted ? mkdtempSync(join(tmpdir(), 'arcwise-cluster-')) : '';
let server: ChildProcess | null = null;
let url = '';
const nodes: Node[] = [];

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

async function startPostgres(): Promise<void> {
  if (!existsSync(programs)) throw new Error('test:cluster wants PostgreSQL: apt-get install postgresql');
  const bin = join(programs, readdirSync(programs).sort().at(-1) as string, 'bin');
  const data = join(directory, 'data');
  mkdirSync(data);
  // The server refuses to run as root.
  const asUser: { uid?: number; gid?: number } = process.getuid?.() === 0 ? idOf('postgres') : {};
  const { uid, gid } = asUser;
  if (uid !== undefined && gid !== undefined) for (const path of [directory, data]) chownSync(path, uid, gid);
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'arcwise', '--auth=trust', '-E', 'UTF8'], {
    ...asUser,
    stdio: 'pipe',
  });
  const port = await freePort();
  const settings = [
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    `unix_socket_directories=${directory}`,
    '-p',
    String(port),
  ];
  server = spawn(join(bin, 'postgres'), ['-D', data, ...settings], { ...asUser, stdio: 'ignore' });
  url = `postgres://arcwise@127.0.0.1:${port}/postgres`;
  while (!(await answers())) await new Promise((resolve) => setTimeout(resolve, 100));
}

async function answers(): Promise<boolean> {
  const probe = await PostgresCluster.open(url, 'probe').catch(() => null);
  await probe?.close();
  return probe !== null;
}

function idOf(user: string): { uid: number; gid: number } {
  const number = (flag: string): number => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
  return { uid: number('-u'), gid: number('-g') };
}

/** A service of the cluster. */
class Node {
  readonly url: string;
  private readonly child: ChildProcess;
  private readonly exited: Promise<unknown>;
  private said = '';

  private constructor(port: number, child: ChildProcess) {
    this.url = `http://127.0.0.1:${port}`;
    this.child = child;
    this.exited = new Promise((resolve) => child.once('exit', resolve));
    child.stderr?.on('data', (part: Buffer) => {
      this.said = (this.said + part).slice(-4000);
    });
  }

  static async start(name: string): Promise<Node> {
    const port = await freePort();
    const given = {
      Cluster__Url: url,
      Cluster__Name: name,
      Cluster__LeaseMilliseconds: '1500',
      Http__Port: String(port),
      Log__Level: 'warn',
    };
    const env = {
      ...process.env,
      ...Object.fromEntries(Object.entries(given).map(([key, value]) => [`Service__${key}`, value])),
    };
    const node = new Node(port, spawn(process.execPath, [entry], { env, stdio: ['ignore', 'ignore', 'pipe'] }));
    nodes.push(node);
    await expect.poll(() => node.role(), { timeout: 60_000, message: node.said }).not.toBe('none');
    return node;
  }

  async role(): Promise<string> {
    const answer = await fetch(`${this.url}/cluster`, { signal: AbortSignal.timeout(2000) }).catch(() => null);
    return answer === null ? 'none' : ((await answer.json()) as { role: string }).role;
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  async end(name: NodeJS.Signals): Promise<void> {
    this.child.kill(name);
    await this.exited;
  }

  async count(): Promise<number | null> {
    const answer = await fetch(`${this.url}/vertex/count`, { signal: AbortSignal.timeout(2000) }).catch(() => null);
    return answer?.status === 200 ? Number(await answer.text()) : null;
  }

  async hash(): Promise<string> {
    return ((await (await fetch(`${this.url}/hash`)).json()) as { hash: string }).hash;
  }
}

/** Waited writes to whichever node takes them; remembers the numbers that were acknowledged. */
class Load {
  readonly acknowledged = new Set<number>();
  private static next = 0;
  private over = false;
  private readonly clients: Promise<void>[];

  constructor(targets: readonly Node[], clients = 4) {
    this.clients = Array.from({ length: clients }, () => this.run(targets));
  }

  private async run(targets: readonly Node[]): Promise<void> {
    for (let at = 0; !this.over; ) {
      const number = Load.next++;
      const property = { propertyId: 'n', propertyValue: String(number), fullQualifiedTypeName: 'System.Int32' };
      const body = JSON.stringify([{ creationDate: 1, label: 'v', properties: [property] }]);
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'PUT', headers, body, signal: AbortSignal.timeout(3000) };
      const answer = await fetch(`${targets[at % targets.length]?.url}/vertices?waitForCompletion=true`, init).catch(
        () => null,
      );
      if (answer?.status === 200) this.acknowledged.add(number);
      else {
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
async function numbersIn(node: Node): Promise<Map<number, number>> {
  const answer = await fetch(`${node.url}/graph?maxElements=10000000`);
  const { vertices } = (await answer.json()) as { vertices: { properties: { propertyValue: string }[] }[] };
  const found = new Map<number, number>();
  for (const { properties } of vertices) {
    const number = Number(properties[0]?.propertyValue);
    found.set(number, (found.get(number) ?? 0) + 1);
  }
  return found;
}

async function check(load: Load, node: Node): Promise<void> {
  const found = await numbersIn(node);
  const missing = [...load.acknowledged].filter((number) => !found.has(number));
  const twice = [...found].filter(([, count]) => count > 1);
  expect({ missing, twice }).toEqual({ missing: [], twice: [] });
}

const until = (node: Node, role: string) =>
  expect.poll(() => node.role(), { timeout: 60_000, interval: 50 }).toBe(role);

describe.skipIf(!isWanted)('a cluster on PostgreSQL', () => {
  beforeAll(startPostgres);
  afterAll(async () => {
    for (const node of nodes) await node.end('SIGKILL');
    server?.kill('SIGINT');
    await new Promise((resolve) => server?.once('exit', resolve) ?? resolve(null));
    rmSync(directory, { recursive: true, force: true });
  });

  let clusters = 0;
  const opened: PostgresCluster[] = [];
  afterAll(async () => {
    for (const one of opened) await one.close();
  });
  const fresh = async (): Promise<PostgresCluster> => {
    const one = await PostgresCluster.open(url, `suite-${clusters++}`);
    opened.push(one);
    return one;
  };
  sharedLogSuite('its log', fresh, true);
  objectStoreSuite('its objects', async () => {
    const one = await fresh();
    await one.take(0, 'a', 1000);
    return one.objects(1);
  });

  it('goes on after kill -9, after SIGSTOP past a take-over, and after a hand-over', async () => {
    const name = 'takeovers';
    const first = await Node.start(name);
    expect(await first.role()).toBe('writer');
    const second = await Node.start(name);
    expect(await second.role()).toBe('replica');
    const load = new Load([first, second]);
    await expect.poll(() => load.acknowledged.size, { timeout: 30_000 }).toBeGreaterThan(50);

    const killedMs = performance.now();
    await first.end('SIGKILL');
    await until(second, 'writer');
    const afterKillMs = Math.round(performance.now() - killedMs);
    const third = await Node.start(name);
    const other = new Load([second, third]);
    await expect.poll(() => other.acknowledged.size, { timeout: 30_000 }).toBeGreaterThan(50);

    // A writer that stands still is replaced; when it moves again it has nothing to say.
    second.signal('SIGSTOP');
    await until(third, 'writer');
    const whileStopped = other.acknowledged.size;
    await expect.poll(() => other.acknowledged.size, { timeout: 30_000 }).toBeGreaterThan(whileStopped + 20);
    second.signal('SIGCONT');
    expect(await second.count()).toBeNull();
    await until(second, 'replica');

    const handedMs = performance.now();
    const ending = third.end('SIGTERM');
    await until(second, 'writer');
    const handOverMs = Math.round(performance.now() - handedMs);
    await ending;
    await load.stop();
    await other.stop();
    await check(load, second);
    const fourth = await Node.start(name);
    await expect.poll(() => fourth.count(), { timeout: 30_000 }).toBe(await second.count());
    expect(await fourth.hash()).toBe(await second.hash());
    const acknowledged = load.acknowledged.size + other.acknowledged.size;
    console.log(`${acknowledged} acknowledged, none lost; after kill -9 ${afterKillMs} ms, hand-over ${handOverMs} ms`);
  });
});

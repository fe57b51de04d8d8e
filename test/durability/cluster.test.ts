// Nodes of a cluster as processes over a real PostgreSQL of this test's own: one writes, the others follow, and whatever happens to the writer nothing
// that was acknowledged is lost and nothing is written twice. `npm run test:cluster` runs it; it wants the Debian package postgresql.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresCluster } from '../../runtime-node/cluster/postgres.ts';
import { objectStoreSuite } from '../unit/object-store-suite.ts';
import { sharedLogSuite } from '../unit/shared-log-suite.ts';
import { check, freePort, Load, Node, until } from './cluster-nodes.ts';

const isWanted = process.env.CLUSTER_POSTGRES !== undefined;
const programs = '/usr/lib/postgresql';
const directory = isWanted ? mkdtempSync(join(tmpdir(), 'arcwise-cluster-')) : '';
let server: ChildProcess | null = null;
let url = '';
const nodes: Node[] = [];
async function started(name: string): Promise<Node> {
  const node = await Node.start({ Cluster__Url: url, Cluster__Name: name });
  nodes.push(node);
  return node;
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
    const first = await started(name);
    expect(await first.role()).toBe('writer');
    const second = await started(name);
    expect(await second.role()).toBe('replica');
    const load = new Load([first, second]);
    await expect.poll(() => load.acknowledged.size, { timeout: 30_000 }).toBeGreaterThan(50);

    const killedMs = performance.now();
    await first.end('SIGKILL');
    await until(second, 'writer');
    const afterKillMs = Math.round(performance.now() - killedMs);
    const third = await started(name);
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
    const acknowledged = await check([load, other], second);
    const fourth = await started(name);
    await expect.poll(() => fourth.count(), { timeout: 30_000 }).toBe(await second.count());
    expect(await fourth.hash()).toBe(await second.hash());
    console.log(`${acknowledged} acknowledged, none lost; after kill -9 ${afterKillMs} ms, hand-over ${handOverMs} ms`);
  });
});

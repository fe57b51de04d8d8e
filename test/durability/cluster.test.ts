// Nodes of a cluster as processes over a real PostgreSQL of this test's own: one writes, the others follow, and whatever happens to the writer nothing
// that was acknowledged is lost and nothing is written twice. `npm run test:cluster` runs it; it wants the Debian package postgresql.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres, Postgres } from '../../benchmarks/lib/postgres.ts';
import { PostgresCluster } from '../../runtime-node/cluster/postgres.ts';
import { objectStoreSuite } from '../unit/object-store-suite.ts';
import { batchOf, sharedLogSuite } from '../unit/shared-log-suite.ts';
import { check, type Given, Load, Node, quiet, takenOver, until, writerOf, written } from './cluster-nodes.ts';
import { Way } from './cluster-way.ts';

const isWanted = process.env.CLUSTER_POSTGRES !== undefined && hasPostgres;
if (process.env.CLUSTER_POSTGRES !== undefined && !hasPostgres)
  console.log('test:cluster skips clusters on PostgreSQL: apt-get install postgresql');
/** Messages to the database at which a node is killed that takes over. */
const steps = Number(process.env.CLUSTER_STEPS ?? 42);
/** Take-overs under load. */
const takeovers = Number(process.env.CLUSTER_TAKEOVERS ?? 20);
const jump = new URL('./clock-jump.mjs', import.meta.url).href;
const directory = isWanted ? mkdtempSync(join(tmpdir(), 'arcwise-cluster-')) : '';
let postgres: Postgres;
let url = '';
let nodes: Node[] = [];

async function started(name: string, more: Given = {}): Promise<Node> {
  const node = await Node.start({ Cluster__Url: url, Cluster__Name: name, ...more });
  nodes.push(node);
  return node;
}

/** The database by another way. */
const through = (way: Way): Given => ({ Cluster__Url: `postgres://arcwise@127.0.0.1:${way.port}/postgres` });

describe.skipIf(!isWanted)('a cluster on PostgreSQL', () => {
  beforeAll(async () => {
    postgres = await Postgres.start(directory);
    url = postgres.url;
  });
  afterEach(async () => {
    for (const node of nodes) await node.end('SIGKILL');
    nodes = [];
  });
  afterAll(async () => {
    await postgres.stop();
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

  it('lets go of nothing for a writer that was replaced', async () => {
    const [one, other] = [await fresh(), await PostgresCluster.open(url, `suite-${clusters - 1}`)];
    opened.push(other);
    await one.take(0, 'one', 1000);
    for (let at = 1; at <= 5; at++) await one.append(batchOf(1, at, 1));
    await other.take(1, 'other', 1000);
    await one.truncate(4);
    expect(await other.first()).toBe(1);
    expect((await other.read(1, 1e9)).length).toBe(5);
    await other.truncate(4);
    expect(await one.first()).toBe(4);
  });

  it('goes on where its prepared statement is not known any more, as behind a pool of connections', async () => {
    const one = await fresh();
    await one.take(0, 'one', 1000);
    expect(await one.append(batchOf(1, 1, 1))).toBe('ok');
    const { pool } = one as unknown as { pool: { query(query: object): Promise<unknown> } };
    await pool.query({ text: 'deallocate all', values: [] });
    for (let at = 2; at <= 4; at++) expect(await one.append(batchOf(1, at, 1))).toBe('ok');
    expect((await one.read(1, 1e9)).length).toBe(4);
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

  it('gives the log to one of three that take it at once', async () => {
    const writer = await started('takers');
    const others = await Promise.all([1, 2, 3].map(() => started('takers')));
    const load = new Load([writer, ...others]);
    await written(load, 30);
    await writer.end('SIGKILL');
    await writerOf(others);
    await written(load, 30);
    expect((await Promise.all(others.map((node) => node.role()))).filter((role) => role === 'writer').length).toBe(1);
    await load.stop();
    console.log(`three takers at once: ${await check([load], await writerOf(others))} acknowledged, all found`);
  });

  it('goes on when the writer and the database do not hear each other, and when they do again', async () => {
    const way = await Way.to(postgres.port);
    const first = await started('partition', through(way));
    const second = await started('partition');
    const load = new Load([first, second]);
    await written(load, 30);
    way.hold();
    await until(second, 'writer');
    await written(load, 30);
    expect(await first.count()).toBeNull();
    way.release();
    way.cut();
    await until(first, 'replica');
    await load.stop();
    const acknowledged = await check([load], second);
    await expect.poll(() => first.count(), { timeout: 30_000 }).toBe(await second.count());
    expect(await first.hash()).toBe(await second.hash());
    await way.close();
    console.log(`writer and database apart: ${acknowledged} acknowledged, all found`);
  });

  it('rests on no clock: one that jumps by an hour, forward and back, changes nothing', async () => {
    const jumping = { '.NODE_OPTIONS': `--import=${jump}` };
    const targets = [await started('clocks', jumping), await started('clocks', jumping)];
    const load = new Load(targets);
    for (let jumps = 0; jumps < 4; jumps++) {
      await written(load, 20);
      targets[jumps % 2]?.signal('SIGUSR2');
    }
    const writer = await writerOf(targets);
    expect(writer).toBe(targets[0]);
    await writer.end('SIGKILL');
    await until(targets[1] as Node, 'writer');
    await written(load, 20);
    await load.stop();
    console.log(`clocks that jump by an hour: ${await check([load], targets[1] as Node)} acknowledged, all found`);
  });

  it('acknowledges nothing while the database has no room, and goes on when it has', async () => {
    const node = await started('full');
    const load = new Load([node]);
    await written(load, 30);
    postgres.ask(`create function full_disk() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
      create trigger full_disk before insert on arcwise_log for each row when (new.cluster = 'full') execute function full_disk()`);
    await quiet(load);
    postgres.ask('drop trigger full_disk on arcwise_log');
    await written(load, 30);
    await load.stop();
    await node.end('SIGKILL');
    const other = await started('full');
    await until(other, 'writer');
    console.log(`a database without room: ${await check([load], other)} acknowledged, all found`);
  });

  it(
    `loses nothing in ${takeovers} take-overs under load`,
    async () => {
      const more = { Cluster__CheckpointMegabytes: '1' };
      const targets = [await started('many', more), await started('many', more)];
      const load = new Load(targets, 8);
      const gaps = await takenOver(takeovers, targets, load, () => started('many', more));
      await load.stop();
      console.log(
        `${takeovers} take-overs: ${await check([load], await writerOf(targets))} acknowledged, all found; ${gaps}`,
      );
    },
    60_000 + takeovers * 15_000,
  );

  it(`loses nothing to kill -9 at any of the first ${steps} messages of a take-over`, async () => {
    const way = await Way.to(postgres.port);
    // A node that finds itself as the owner need not wait for the lease.
    const more = { ...through(way), Cluster__AdvertiseUrl: 'http://127.0.0.1:1' };
    const first = await started('steps', more);
    const load = new Load([first]);
    await written(load, 20);
    await load.stop();
    await first.end('SIGKILL');
    let kills = 0;
    for (let step = 1; step <= steps; step++) {
      let messages = 0;
      const node = await Node.begin({ Cluster__Url: url, Cluster__Name: 'steps', ...more });
      nodes.push(node);
      way.passes = () => {
        if (++messages !== step) return true;
        node.signal('SIGKILL');
        return step % 2 === 0; // it arrives all the same, or does not
      };
      const ends = await Promise.race([node.exited.then(() => true), until(node, 'writer').then(() => false)]);
      await node.end('SIGKILL');
      way.passes = () => true;
      if (ends) kills++;
    }
    const acknowledged = await check([load], await started('steps', more));
    await way.close();
    console.log(`${kills} kills, each at another message of a take-over: ${acknowledged} acknowledged, all found`);
  });

  it('waits for a synchronous standby that is slow, is cut off or stands still, and loses nothing', async () => {
    const way = await Way.to(postgres.port);
    const standby = await postgres.standby(way.port);
    const sync = "select count(*) from pg_stat_replication where sync_state in ('sync', 'quorum')";
    const node = await started('standby');
    const load = new Load([node]);
    await written(load, 10);
    postgres.ask("alter system set synchronous_standby_names = 'ANY 1 (standby)'");
    postgres.ask('select pg_reload_conf()');
    await expect.poll(() => postgres.ask(sync), { timeout: 30_000 }).toBe('1');
    await written(load, 30);
    way.delayMs = 100;
    await written(load, 30);
    way.delayMs = 0;
    standby.signalAll('SIGSTOP');
    await quiet(load);
    standby.signalAll('SIGCONT');
    await written(load, 30);
    way.hold();
    await quiet(load);
    way.release();
    way.cut();
    await written(load, 30);
    await load.stop();
    const acknowledged = await check([load], await writerOf([node]));
    postgres.ask('alter system reset synchronous_standby_names');
    postgres.ask('select pg_reload_conf()');
    await standby.stop();
    await way.close();
    console.log(`a standby that is slow, cut off and standing still: ${acknowledged} acknowledged, all found`);
  });
});

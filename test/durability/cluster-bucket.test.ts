// Nodes of a cluster as processes over objects alone, in a directory and in a bucket of this test's own: one writes, the others follow, and whatever
// happens to the writer nothing that was acknowledged is lost and nothing is written twice. `npm run test:cluster` runs it; it wants nothing installed.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { S3Double } from '../unit/support/s3-double.ts';
import { check, type Given, Load, Node, quiet, takenOver, until, writerOf, written } from './cluster-nodes.ts';

const isWanted = process.env.CLUSTER_POSTGRES !== undefined;
/** Take-overs under load. */
const takeovers = Number(process.env.CLUSTER_TAKEOVERS ?? 20);
/** Requests of a take-over at which its node is killed, and those before it that ask whether the bucket keeps conditions. */
const steps = Number(process.env.CLUSTER_STEPS ?? 42);
const probes = 6;
const jump = new URL('./clock-jump.mjs', import.meta.url).href;
let directory = '';
let double: S3Double;
let nodes: Node[] = [];
let clusters = 0;

async function begun(given: Given): Promise<Node> {
  const node = await Node.begin(given);
  nodes.push(node);
  return node;
}

async function started(given: Given): Promise<Node> {
  const node = await Node.start(given);
  nodes.push(node);
  return node;
}

type Cluster = Given & { readonly Cluster__Name: string };

const inDirectory = (): Cluster => ({
  Cluster__Url: pathToFileURL(directory).href,
  Cluster__Name: `c${clusters++}`,
});
const inBucket = (): Cluster => ({
  Cluster__Url: `s3://bucket/cluster?endpoint=${encodeURIComponent(double.endpoint)}&region=r`,
  ...{ Cluster__AccessKeyId: 'id', Cluster__SecretAccessKey: 'secret' },
  Cluster__Name: `c${clusters++}`,
});

describe.skipIf(!isWanted)('a cluster on objects alone', () => {
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'arcwise-bucket-'));
    double = await S3Double.start();
  });
  afterEach(async () => {
    double.fault = () => null;
    for (const node of nodes) await node.end('SIGKILL');
    nodes = [];
  });
  afterAll(async () => {
    await double.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  it.each([
    ['a directory', inDirectory],
    ['a bucket', inBucket],
  ])('goes on after kill -9, after SIGSTOP past a take-over, and after a hand-over (%s)', async (where, given) => {
    const cluster = given();
    const first = await started(cluster);
    expect(await first.role()).toBe('writer');
    const second = await started(cluster);
    expect(await second.role()).toBe('replica');
    const load = new Load([first, second]);
    await written(load, 50);

    const killedMs = performance.now();
    await first.end('SIGKILL');
    await until(second, 'writer');
    const afterKillMs = Math.round(performance.now() - killedMs);
    const third = await started(cluster);
    const other = new Load([second, third]);
    await written(other, 50);

    second.signal('SIGSTOP');
    await until(third, 'writer');
    await written(other, 20);
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
    const fourth = await started(cluster);
    await expect.poll(() => fourth.count(), { timeout: 30_000 }).toBe(await second.count());
    expect(await fourth.hash()).toBe(await second.hash());
    console.log(
      `${where}: ${acknowledged} acknowledged, all found; after kill -9 ${afterKillMs} ms, hand-over ${handOverMs} ms`,
    );
  });

  it('gives the log to one of three that take it at once', async () => {
    const cluster = inBucket();
    const writer = await started(cluster);
    const others = await Promise.all([1, 2, 3].map(() => started(cluster)));
    const load = new Load([writer, ...others]);
    await written(load, 30);
    await writer.end('SIGKILL');
    await writerOf(others);
    await written(load, 30);
    expect((await Promise.all(others.map((node) => node.role()))).filter((role) => role === 'writer').length).toBe(1);
    await load.stop();
    const acknowledged = await check([load], await writerOf(others));
    console.log(`three takers at once: ${acknowledged} acknowledged, all found`);
  });

  it('opens from checkpoints, and keeps no log before them', async () => {
    const cluster = { ...inBucket(), Cluster__CheckpointMegabytes: '1' };
    const first = await started(cluster);
    const load = new Load([first], 8);
    const name = cluster.Cluster__Name;
    const logged = (): number => [...double.objects.keys()].filter((key) => key.includes(`/${name}/log/`)).length;
    const bases = (): boolean => [...double.objects.keys()].some((key) => key.includes(`/${name}/files/`));
    await expect.poll(bases, { timeout: 120_000 }).toBe(true);
    await written(load, 50);
    const saved = await fetch(`${first.url}/save`, { method: 'PUT' });
    expect(saved.status).toBe(200);
    await written(load, 20);
    await load.stop();
    await first.end('SIGKILL');
    const second = await started(cluster);
    await until(second, 'writer');
    const { lastRecoveryReplayedEntries: replayed } = (
      (await (await fetch(`${second.url}/status`)).json()) as { durability: { lastRecoveryReplayedEntries: number } }
    ).durability;
    const acknowledged = await check([load], second);
    expect(replayed).toBeLessThan(acknowledged);
    expect(logged()).toBeLessThan(acknowledged);
    const games = (await (await fetch(`${second.url}/savegames`)).json()) as readonly unknown[];
    expect(games.length).toBe(1);
    console.log(
      `checkpoints: ${acknowledged} acknowledged, all found; ${replayed} replayed, ${logged()} objects of log`,
    );
  });

  it(`loses nothing to kill -9 at any of the first ${steps} requests of a take-over, before it happens and after`, async () => {
    // A node that finds itself as the owner need not wait for the lease.
    const cluster = { ...inBucket(), Cluster__AdvertiseUrl: 'http://127.0.0.1:1' };
    const first = await started(cluster);
    const load = new Load([first]);
    await written(load, 20);
    await load.stop();
    await first.end('SIGKILL');
    let kills = 0;
    for (let step = 1; step <= steps; step++) {
      let requests = -probes;
      const node = await begun(cluster);
      double.fault = () => {
        if (++requests !== step) return null;
        node.signal('SIGKILL');
        return step % 2 === 0 ? 'lostRequest' : 'lostAnswer';
      };
      const ends = await Promise.race([node.exited.then(() => true), until(node, 'writer').then(() => false)]);
      double.fault = () => null;
      await node.end('SIGKILL');
      if (ends) kills++;
    }
    const acknowledged = await check([load], await started(cluster));
    console.log(`${kills} kills, each at another request of a take-over: ${acknowledged} acknowledged, all found`);
  });

  it(
    `loses nothing in ${takeovers} take-overs under load`,
    async () => {
      const cluster = { ...inBucket(), Cluster__CheckpointMegabytes: '1' };
      const targets = [await started(cluster), await started(cluster)];
      const load = new Load(targets, 8);
      const gaps = await takenOver(takeovers, targets, load, () => started(cluster));
      await load.stop();
      const acknowledged = await check([load], await writerOf(targets));
      console.log(`${takeovers} take-overs: ${acknowledged} acknowledged, all found; ${gaps}`);
    },
    60_000 + takeovers * 15_000,
  );

  it('finds a namespace by the name it was being given when its writer was killed', async () => {
    const cluster = inBucket();
    const [first, second] = [await started(cluster), await started(cluster)];
    expect((await fetch(`${first.url}/ns/people`, { method: 'PUT' })).status).toBe(201);
    const load = new Load([first], 2, '/ns/people');
    await written(load, 20);
    await load.stop();
    await expect.poll(() => second.count('/ns/people'), { timeout: 60_000 }).not.toBe(null);
    let puts = 0;
    double.fault = (method, name) => {
      // The first one claims the name, the second one tells of it.
      if (method !== 'PUT' || !name.endsWith('/placement') || ++puts !== 2) return null;
      first.signal('SIGKILL');
      return 'lostRequest';
    };
    const body = JSON.stringify({ name: 'folk' });
    const renaming = { method: 'PATCH', headers: { 'content-type': 'application/json' }, body };
    expect(await fetch(`${first.url}/ns/people`, renaming).catch(() => null)).toBe(null);
    await first.exited;
    await expect.poll(() => second.count('/ns/folk'), { timeout: 60_000 }).not.toBe(null);
    const acknowledged = await check([load], second, '/ns/folk');
    await expect
      .poll(async () => (await fetch(`${second.url}/ns/people/vertex/count`)).status, { timeout: 60_000 })
      .toBe(404);
    console.log(`killed while it renamed: ${acknowledged} acknowledged, all found`);
  });

  it('says nothing to what was asked before it stood still past a take-over', async () => {
    const cluster = inBucket();
    const [first, second] = [await started(cluster), await started(cluster)];
    const asked = fetch(`${first.url}/vertex/count?atLeast=1000000`);
    await new Promise((resolve) => setTimeout(resolve, 300)); // it waits there by now, or the answer is the same
    first.signal('SIGSTOP');
    await until(second, 'writer');
    first.signal('SIGCONT');
    const answer = await asked;
    expect(answer.status).toBe(503);
    expect(await answer.json()).toHaveProperty('writer');
  });

  it('goes on with a bucket that loses requests and answers', async () => {
    const cluster = inBucket();
    const targets = [await started(cluster), await started(cluster)];
    let count = 0;
    double.fault = (method) => {
      if (method === 'GET' && count % 3 !== 0) return null;
      const faults = ['lostAnswer', 'lostRequest', 'unavailable'] as const;
      return ++count % 7 === 0 ? (faults[count % 3] ?? null) : null;
    };
    const load = new Load(targets);
    await written(load, 100);
    double.fault = () => null;
    await load.stop();
    const acknowledged = await check([load], await writerOf(targets));
    console.log(`a bucket that loses every seventh: ${acknowledged} acknowledged, all found`);
  });

  it('acknowledges nothing while the bucket takes nothing, and goes on when it does', async () => {
    const targets = [await started(inBucket())];
    const load = new Load(targets);
    await written(load, 30);
    double.fault = (method) => (method === 'PUT' ? 'unavailable' : null);
    await quiet(load);
    double.fault = () => null;
    await written(load, 30);
    await load.stop();
    console.log(`a bucket that takes nothing: ${await check([load], await writerOf(targets))} acknowledged, all found`);
  });

  it('rests on no clock: one that jumps by an hour, forward and back, changes nothing', async () => {
    const cluster = { ...inBucket(), '.NODE_OPTIONS': `--import=${jump}` };
    const targets = [await started(cluster), await started(cluster)];
    const load = new Load(targets);
    for (let jumps = 0; jumps < 4; jumps++) {
      await written(load, 20);
      targets[jumps % 2]?.signal('SIGUSR2');
    }
    const writer = await writerOf(targets);
    await writer.end('SIGKILL');
    targets.splice(targets.indexOf(writer), 1);
    await writerOf(targets);
    await written(load, 20);
    await load.stop();
    console.log(`clocks that jump by an hour: ${await check([load], targets[0] as Node)} acknowledged, all found`);
  });

  it('is not begun on a bucket that ignores conditions', async () => {
    double.ignoresConditions = true;
    const node = await begun(inBucket());
    await node.exited;
    double.ignoresConditions = false;
    expect(node.words).toContain('does not keep them');
    expect(await node.role()).toBe('none');
  });
});

// A replica that is no node of a cluster and reads its logs in the store: it comes to the state of every namespace, goes on whoever writes, and is there
// while nobody does. `npm run test:cluster` runs it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres, Postgres } from '../../benchmarks/lib/postgres.ts';
import { S3Double } from '../unit/support/s3-double.ts';
import { type Given, Load, Node, writerOf, written } from './cluster-nodes.ts';

const isWanted = process.env.CLUSTER_POSTGRES !== undefined;
let directory = '';
let double: S3Double;
let postgres: Postgres | null = null;
let nodes: Node[] = [];
let clusters = 0;

async function begun(given: Given, isNode = true): Promise<Node> {
  const node = await (isNode ? Node.start(given) : Node.begin(given));
  nodes.push(node);
  return node;
}

/** Once both are at one commit and have the same state there. */
async function same(writer: Node, replica: Node, namespace: string): Promise<void> {
  const at = async (node: Node): Promise<string | null> => {
    const answer = await fetch(`${node.url}${namespace}/vertex/count`).catch(() => null);
    await answer?.arrayBuffer();
    return answer?.status === 200 ? answer.headers.get('x-arcwise-position') : null;
  };
  await expect
    .poll(async () => (await at(replica)) === (await at(writer)) && (await at(writer)) !== null, { timeout: 60_000 })
    .toBe(true);
  expect(await replica.count(namespace)).toBe(await writer.count(namespace));
  expect(await replica.hash(namespace)).toBe(await writer.hash(namespace));
}

describe.skipIf(!isWanted)('a replica of the logs of a cluster', () => {
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'arcwise-journal-'));
    double = await S3Double.start();
    if (hasPostgres) postgres = await Postgres.start(mkdtempSync(join(tmpdir(), 'arcwise-journal-')));
  });
  afterEach(async () => {
    for (const node of nodes) await node.end('SIGKILL');
    nodes = [];
  });
  afterAll(async () => {
    await postgres?.stop();
    await double.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const stores: [where: string, url: () => Given][] = [
    ['a directory', () => ({ Cluster__Url: pathToFileURL(directory).href })],
    [
      'a bucket',
      () => ({
        Cluster__Url: `s3://bucket/cluster?endpoint=${encodeURIComponent(double.endpoint)}&region=r`,
        ...{ Cluster__AccessKeyId: 'id', Cluster__SecretAccessKey: 'secret' },
      }),
    ],
  ];
  if (hasPostgres) stores.push(['PostgreSQL', () => ({ Cluster__Url: postgres?.url ?? '' })]);

  it.each(stores)('has the state of every namespace, whoever writes and while nobody does (%s)', async (_, url) => {
    const cluster = { ...url(), Cluster__Name: `j${clusters++}`, Cluster__CheckpointMegabytes: '1' };
    const first = await begun(cluster);
    const early = new Load([first], 8);
    await written(early, 200);
    expect((await fetch(`${first.url}/ns/people`, { method: 'PUT' })).status).toBe(201);
    const people = new Load([first], 2, '/ns/people');
    await written(people, 20);

    const replica = await begun({ ...cluster, Replica__Of: 'cluster:' }, false);
    await expect.poll(() => replica.count('/ns/people'), { timeout: 60_000 }).not.toBe(null);
    await written(early, 50);
    await written(people, 20);
    await early.stop();
    await people.stop();
    await same(first, replica, '');
    await same(first, replica, '/ns/people');
    const refused = { method: 'PUT', body: '[]', redirect: 'manual' } as const;
    const answer = await fetch(`${replica.url}/ns/people/vertices?waitForCompletion=true`, refused);
    expect([answer.status, answer.headers.get('location')]).toEqual([
      307,
      `${first.url}/ns/people/vertices?waitForCompletion=true`,
    ]);

    // Nobody writes.
    const counted = await first.count();
    await first.end('SIGKILL');
    expect(await replica.count()).toBe(counted);
    const second = await begun(cluster);
    expect(await writerOf([second])).toBe(second);
    const late = new Load([second], 8);
    await written(late, 50);
    // Checkpoints let the log before them go; what has read it goes on.
    expect((await fetch(`${second.url}/save`, { method: 'PUT' })).status).toBe(200);
    await written(late, 50);
    expect((await fetch(`${second.url}/trim?waitForCompletion=true`, { method: 'HEAD' })).status).toBeLessThan(300);
    await written(late, 20);
    await late.stop();
    await same(second, replica, '');
    expect(replica.words).not.toContain('does not follow');

    // One that begins now opens from the checkpoint.
    const other = await begun({ ...cluster, Replica__Of: 'cluster:' }, false);
    await same(second, other, '');
    await same(second, other, '/ns/people');
  });

  it('does not begin where no cluster is named', async () => {
    const replica = await begun({ Replica__Of: 'cluster:' }, false);
    await replica.exited;
    expect(replica.words).toContain('there is no Cluster:Url');
  });
});

// Namespaces of a cluster that have writers of their own: any node answers for any of them, one moves while it is written to, and what was acknowledged
// is there wherever it was. `npm run test:cluster` runs it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import zlib from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres, Postgres } from '../../benchmarks/lib/postgres.ts';
import { DirectoryObjectStore } from '../../runtime-node/storage/directory-objects.ts';
import { BackupReader } from '../../src/engine/backup/reading.ts';
import { crc32With } from '../../src/engine/log/crc32.ts';
import { check, type Given, Load, Node, writerOf, written } from './cluster-nodes.ts';

const crc32 = crc32With((bytes, seed) => zlib.crc32(bytes, seed));
const isWanted = process.env.CLUSTER_POSTGRES !== undefined;
let directory = '';
let postgres: Postgres | null = null;
let nodes: Node[] = [];
let clusters = 0;

interface Described {
  readonly nodes: readonly string[];
  readonly namespaces: readonly {
    readonly name: string;
    readonly id: string;
    readonly node: string | null;
    readonly role: string;
  }[];
}

const described = async (node: Node): Promise<Described> =>
  (await (await fetch(`${node.url}/cluster`)).json()) as Described;
const roleIn = async (node: Node, name: string): Promise<string> =>
  (await described(node)).namespaces.find((one) => one.name === name)?.role ?? 'none';
const putJson = (url: string, body: unknown): Promise<Response> =>
  fetch(url, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const move = (by: Node, name: string, to: Node): Promise<Response> =>
  putJson(`${by.url}/cluster/namespaces/${name}`, { node: to.url });

/** Names of the namespaces that a backup has. */
async function backedUp(prefix: string): Promise<string[]> {
  const reader = new BackupReader(new DirectoryObjectStore(join(directory, 'backup')), prefix, crc32);
  return (await reader.manifests()).map(({ name }) => name);
}

async function started(given: Given): Promise<Node> {
  const node = await Node.start(given);
  nodes.push(node);
  return node;
}

/** Once each of them says that the namespace is written there. */
async function placedAt(all: readonly Node[], name: string, node: Node): Promise<void> {
  const places = async (): Promise<unknown> =>
    Promise.all(
      all.map(async (one) => (await described(one)).namespaces.find((namespace) => namespace.name === name)?.node),
    );
  await expect.poll(places, { timeout: 60_000 }).toEqual(all.map(() => node.url));
}

describe.skipIf(!isWanted)('namespaces in their places', () => {
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'arcwise-placement-'));
    if (hasPostgres) postgres = await Postgres.start(mkdtempSync(join(tmpdir(), 'arcwise-placement-')));
  });
  afterEach(async () => {
    for (const node of nodes) await node.end('SIGKILL');
    nodes = [];
  });
  afterAll(async () => {
    await postgres?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const inDirectory = (): Given => ({
    Cluster__Url: pathToFileURL(join(directory, 'cluster')).href,
    Cluster__Name: `p${clusters++}`,
    Backup__Url: pathToFileURL(join(directory, 'backup')).href,
  });
  const inDatabase = (): Given => ({ Cluster__Url: postgres?.url ?? '', Cluster__Name: `p${clusters++}` });

  const stores: [where: string, given: () => Given][] = [['a directory', inDirectory]];
  if (hasPostgres) stores.push(['PostgreSQL', inDatabase]);

  it('are made and told of for those who have the key alone, and strangers leave no place behind', async () => {
    const given = { ...inDirectory(), Security__ApiKey: 'secret', Replica__ApiKey: 'secret' };
    const [node, other] = [await started(given), await started(given)];
    const asked = async (method: string, path: string, key: string | null, body?: object): Promise<Response> =>
      fetch(`${node.url}${path}`, {
        method,
        headers: { ...(key === null ? {} : { 'x-api-key': key }), 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const places = async (): Promise<string[]> =>
      ((await (await asked('GET', '/cluster', 'secret')).json()) as Described).namespaces.map(({ name }) => name);
    expect((await asked('GET', '/cluster', null)).status).toBe(401);
    expect((await asked('PUT', '/ns/people', null)).status).toBe(401);
    expect((await asked('PUT', '/ns/people', 'wrong')).status).toBe(401);
    expect(await places()).toEqual(['default']);
    expect((await asked('PUT', '/ns/people', 'secret')).status).toBe(201);
    expect((await places()).sort()).toEqual(['default', 'people']);
    // Nodes ask each other with the key, or no namespace would ever move.
    await expect
      .poll(async () => (await asked('PUT', '/cluster/namespaces/people', 'secret', { node: other.url })).status, {
        timeout: 60_000,
      })
      .toBe(200);
  });

  it('are made by a node that has only begun, as soon as it can', async () => {
    const cluster = inDirectory();
    await started(cluster);
    const node = await Node.begin(cluster);
    nodes.push(node);
    let first: Response | null = null;
    while (first === null) first = await fetch(`${node.url}/ns/people`, { method: 'PUT' }).catch(() => null);
    expect(first.status, await first.text()).toBe(201);
    await expect.poll(() => node.count('/ns/people'), { timeout: 60_000 }).toBe(0);
  });

  it('are made once however many ask for one, and keep what was written to them', async () => {
    const cluster = inDirectory();
    const [one, two] = [await started(cluster), await started(cluster)];
    for (let round = 0; round < 3; round++) {
      const name = `n${round}`;
      const made = await Promise.all(
        [one, one, one, two].map(async (node) => {
          while (true) {
            const { status } = await fetch(`${node.url}/ns/${name}`, { method: 'PUT' });
            if (status !== 503) return status;
          }
        }),
      );
      expect(made.sort()).toEqual([201, 409, 409, 409]);
      await expect.poll(() => one.count(`/ns/${name}`), { timeout: 60_000 }).toBe(0);
      await expect.poll(() => two.count(`/ns/${name}`), { timeout: 60_000 }).toBe(0);
    }
    expect((await described(one)).namespaces.map(({ name }) => name)).toEqual(['default', 'n0', 'n1', 'n2']);
  });

  it('are given a name once, at whichever nodes', async () => {
    const cluster = inDirectory();
    const [one, two] = [await started(cluster), await started(cluster)];
    for (let round = 0; round < 4; round++) {
      const [name, wanted] = [`old${round}`, `new${round}`];
      expect((await fetch(`${one.url}/ns/${name}`, { method: 'PUT' })).status).toBe(201);
      const patch = { method: 'PATCH', headers: { 'content-type': 'application/json' } };
      // A node that does not follow yet answers 503.
      const put = async (): Promise<Response> => {
        const answer = await fetch(`${two.url}/ns/${wanted}`, { method: 'PUT' });
        return answer.status === 503 ? put() : answer;
      };
      const [made, renamed] = await Promise.all([
        put(),
        fetch(`${one.url}/ns/${name}`, { ...patch, body: JSON.stringify({ name: wanted }) }),
      ]);
      expect([
        [201, 409],
        [409, 200],
      ]).toContainEqual([made.status, renamed.status]);
      const left = made.status === 201 ? [wanted, name] : [wanted];
      for (const node of [one, two])
        for (const each of left) await expect.poll(() => node.count(`/ns/${each}`), { timeout: 60_000 }).toBe(0);
    }
  });

  it.each(stores)(
    'are made at any node, answered by any, moved while they are written to, and taken over (%s)',
    async (where, given) => {
      const cluster = given();
      const one = await started(cluster);
      const two = await started(cluster);
      // Where it is asked for, there it is written.
      const first = await fetch(`${two.url}/ns/people`, { method: 'PUT' });
      expect(first.status, await first.text()).toBe(201);
      expect((await fetch(`${two.url}/ns/people`, { method: 'PUT' })).status).toBe(409);
      await placedAt([one, two], 'people', two);
      expect(await roleIn(two, 'people')).toBe('writer');
      await writerOf([one, two]);
      await expect.poll(() => roleIn(one, 'people'), { timeout: 60_000 }).toBe('replica');
      expect((await fetch(`${one.url}/ns/people`, { method: 'PUT' })).status).toBe(409);
      const names = async (node: Node): Promise<unknown> =>
        ((await (await fetch(`${node.url}/ns`)).json()) as { namespaces: { name: string }[] }).namespaces.map(
          ({ name }) => name,
        );
      await expect.poll(() => names(one), { timeout: 60_000 }).toEqual(['default', 'people']);
      expect(await names(two)).toEqual(['default', 'people']);

      const load = new Load([one, two], 4, '/ns/people');
      await written(load, 30);
      const other = new Load([one, two], 2);
      await written(other, 20);
      const gaps: number[] = [];
      for (const to of [one, two, one]) {
        load.longestGapMs = 0;
        expect((await move(two, 'people', to)).status).toBe(200);
        await expect.poll(() => roleIn(to, 'people'), { timeout: 60_000 }).toBe('writer');
        await written(load, 20);
        gaps.push(Math.round(load.longestGapMs));
      }
      expect((await move(two, 'nobody', one)).status).toBe(404);
      expect((await putJson(`${two.url}/cluster/namespaces/people`, { node: 'http://127.0.0.1:1' })).status).toBe(409);

      // Its writer goes, and the writer of the rest with it.
      await one.end('SIGKILL');
      await placedAt([two], 'people', two);
      await written(load, 20);
      await written(other, 20);
      expect((await described(two)).nodes).toEqual([two.url]);
      await load.stop();
      await other.stop();
      expect(await writerOf([two])).toBe(two);
      const acknowledged = (await check([load], two, '/ns/people')) + (await check([other], two));

      // Each log has a backup of its own.
      if (cluster.Backup__Url !== undefined) {
        const { id } = (await described(two)).namespaces.find(({ name }) => name === 'people') ?? { id: '' };
        expect(await backedUp('')).toEqual(['default']);
        await expect.poll(() => backedUp(`parts/${id}/`), { timeout: 60_000 }).toContain('people');
      }

      // Whoever comes now has both.
      const three = await started(cluster);
      await expect.poll(() => three.count('/ns/people'), { timeout: 60_000 }).toBe(await two.count('/ns/people'));
      expect(await three.hash('/ns/people')).toBe(await two.hash('/ns/people'));
      const renamed = { method: 'PATCH', headers: { 'content-type': 'application/json' } };
      const named = (name: string): RequestInit => ({ ...renamed, body: JSON.stringify({ name }) });
      expect((await fetch(`${three.url}/ns/people`, named('default'))).status).toBe(409);
      expect((await fetch(`${three.url}/ns/people`, named('folk'))).status).toBe(200);
      await expect.poll(() => three.count('/ns/folk'), { timeout: 60_000 }).toBe(await two.count('/ns/folk'));
      await expect.poll(() => names(three), { timeout: 60_000 }).toEqual(['default', 'folk']);
      expect((await fetch(`${three.url}/ns/folk`, { method: 'DELETE' })).status).toBe(204);
      await expect.poll(() => names(three), { timeout: 60_000 }).toEqual(['default']);
      expect((await fetch(`${two.url}/ns/folk/vertex/count`)).status).toBe(404);
      console.log(
        `${where}: ${acknowledged} acknowledged, all found; without a write while it moved: ${gaps.join(', ')} ms`,
      );
    },
  );
});

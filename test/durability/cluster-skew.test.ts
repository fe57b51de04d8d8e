// Nodes of two versions in one cluster, as while it is brought from one to the other: each follows the other and takes over from it, and nothing that
// was acknowledged is lost. CLUSTER_OTHER names the other version's dist/runtime-node/main.js, of a clone in which `npm run build` was run.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres, Postgres } from '../../benchmarks/lib/postgres.ts';
import { check, type Given, Load, Node, until, written } from './cluster-nodes.ts';

const other = process.env.CLUSTER_OTHER;
const isWanted = process.env.CLUSTER_POSTGRES !== undefined && other !== undefined;
if (process.env.CLUSTER_POSTGRES !== undefined && other === undefined)
  console.log(
    'test:cluster skips nodes of two versions: CLUSTER_OTHER=…/dist/runtime-node/main.js names the other one',
  );
let directory = '';
let postgres: Postgres | null = null;
let nodes: Node[] = [];

async function started(given: Given, program?: string): Promise<Node> {
  const node = await Node.start(given, program);
  nodes.push(node);
  return node;
}

describe.skipIf(!isWanted)('nodes of two versions', () => {
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'arcwise-skew-'));
    if (hasPostgres) postgres = await Postgres.start(mkdtempSync(join(tmpdir(), 'arcwise-skew-')));
  });
  afterEach(async () => {
    for (const node of nodes) await node.end('SIGKILL');
    nodes = [];
  });
  afterAll(async () => {
    await postgres?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const inDirectory = (): Given => ({ Cluster__Url: pathToFileURL(directory).href });
  const inDatabase = (): Given => ({ Cluster__Url: postgres?.url ?? '' });

  const stores: [where: string, given: () => Given][] = [['a directory', inDirectory]];
  if (hasPostgres) stores.push(['PostgreSQL', inDatabase]);

  it.each(stores)('follow each other, and take over from each other (%s)', async (where, given) => {
    const cluster = { ...given(), Cluster__CheckpointMegabytes: '1' };
    const targets = [await started(cluster, other)];
    const load = new Load(targets, 8);
    let total = 0;
    for (const program of [undefined, other, undefined]) {
      const next = await started(cluster, program);
      await until(next, 'replica');
      targets[1] = next;
      await written(load, 50);
      const [writer] = targets as [Node];
      const count = await writer.count();
      await expect.poll(async () => (await next.count()) ?? -1, { timeout: 60_000 }).toBeGreaterThanOrEqual(count ?? 0);
      await writer.end('SIGKILL');
      await until(next, 'writer');
      targets[0] = next;
      await written(load, 20);
      total++;
    }
    await load.stop();
    const acknowledged = await check([load], targets[0] as Node);
    console.log(`two versions, ${where}: ${total} take-overs, ${acknowledged} acknowledged, all found`);
  });
});

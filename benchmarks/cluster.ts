// Clusters beside a single node, on one machine: how old a backup is while it is written to, what it puts, how fast WordNet comes back from it, how far
// replicas are behind, how long nothing is acknowledged when the writer is killed, hands over or a namespace moves, what a synchronous standby leaves
// of the waited writes, what all that costs the writer's processor, and whether anything that was acknowledged is lost. Clients and nodes share the
// machine. Without the Debian package postgresql it says so, and leaves out what needs it.
//
//   npm run bench -- cluster [--rate 10000] [--seconds 15] [--rounds 5] [--only copies,pairs,standby,restore,changes] [--small]

import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { changes } from './lib/cluster-changes.ts';
import { backupOf, lagOf, restoreOf, wordnetLines } from './lib/cluster-copies.ts';
import { BenchNode } from './lib/cluster-nodes.ts';
import { figure, machineLine, median, percentile, setting, table, target } from './lib/measure.ts';
import { hasPostgres, Postgres } from './lib/postgres.ts';
import { scratchFolder } from './lib/servers.ts';
import { between, nowMs, SteadyWrites, type Writes } from './lib/steady-writes.ts';

const perSecond = setting('rate', 10_000);
const seconds = setting('seconds', 15);
const rounds = setting('rounds', 5);
const only = process.argv[process.argv.indexOf('--only') + 1];
const isWanted = (part: string): boolean =>
  !process.argv.includes('--only') || only?.split(',').includes(part) === true;
const clients = 256;
const warmMs = 2000;
/** What is compared with the single node takes turns with it: the machine's speed changes from one minute to the next. */
const turns = 3;

const tell = (...lines: readonly string[]): void => {
  for (const line of lines) console.log(line);
};
const rows: (string | number)[][] = [
  ['writer', 'writes/s', 'p50 ms', 'p99 ms', 'processor s per 100 k', 'refused', '256 clients, writes/s'],
];
const folders: string[] = [];
const folder = (name: string): string => {
  const made = scratchFolder(name);
  folders.push(made);
  return made;
};
const single = (): Record<string, string> => {
  const directory = folder('bench-single');
  return { 'Durability:StorageDirectory': directory, 'Metadata:Directory': `${directory}/metadata` };
};
let number = 0;

interface Measured extends Writes {
  /** Of the node meanwhile. */
  readonly processorSeconds: number;
}

/** Writes to that node for so long, behind a while in which both sides come to their speed; what `during` does goes on beside those that count. */
async function written(
  node: BenchNode,
  rate: number | null,
  forSeconds: number,
  during: () => Promise<void> = async () => {},
): Promise<Measured> {
  const plan = { urls: [node.url], under: '', clients, perSecond: rate, firstNumber: number };
  number += 10_000_000;
  const load = new SteadyWrites(plan);
  await sleep(warmMs);
  const fromMs = nowMs();
  const before = node.processorSeconds();
  const beside = during();
  await sleep(1000 * forSeconds);
  const processorSeconds = node.processorSeconds() - before;
  const toMs = nowMs();
  const writes = between(await load.stop(), fromMs, toMs);
  await beside;
  return { ...writes, processorSeconds };
}

const rateOf = ({ beganMs, endedMs, numbers }: Writes): number => (1000 * numbers.length) / (endedMs - beganMs);
const processorOf = ({ numbers, processorSeconds }: Measured): number => (processorSeconds / numbers.length) * 100_000;

/** A line about a node under the steady load, and what it does at most. */
async function row(name: string, node: BenchNode, steady: readonly Measured[]): Promise<number> {
  const took = steady.flatMap(({ tookMs }) => tookMs);
  const refused = steady.reduce((sum, one) => sum + one.refused, 0);
  const most = rateOf(await written(node, null, seconds));
  const latencies = [percentile(took, 0.5), percentile(took, 0.99)];
  rows.push([name, median(steady.map(rateOf)), ...latencies, median(steady.map(processorOf)), refused, most]);
  return most;
}

/** Under the steady load in turns with the single node: how much more processor time each write takes, in hundredths. */
async function more(
  name: string,
  node: BenchNode,
  alone: BenchNode,
  during: () => Promise<void> = async () => {},
): Promise<number> {
  const base: Measured[] = [];
  const steady: Measured[] = [];
  for (let turn = 0; turn < turns; turn++) {
    base.push(await written(alone, perSecond, seconds / turns));
    steady.push(await written(node, perSecond, seconds / turns, during));
  }
  if (rows.length === 1) await row('single node', alone, base);
  await row(name, node, steady);
  return 100 * (median(steady.map(processorOf)) / median(base.map(processorOf)) - 1);
}

async function copies(alone: BenchNode): Promise<void> {
  const bucket = folder('bench-backup');
  const backed = await BenchNode.start({ ...single(), 'Backup:Url': `file://${bucket}` });
  await backed.until(['alone']);
  const withBackup = await more('with a backup', backed, alone);
  await backed.end('SIGTERM');
  const backup = await backupOf(bucket);
  tell(
    target(`backup lag p99 at ${figure(perSecond)} writes/s`, backup.lagP99Ms / 1000, '<=', 1, 's'),
    target('puts a second a namespace', backup.putsPerSecond, '<=', 2, ''),
    target("writer's processor time with a backup", withBackup, '<=', 10, '% more'),
  );

  const leading = await BenchNode.start({ ...single(), 'Replica:Serve': 'true' });
  await leading.until(['alone']);
  const following = await BenchNode.start({ 'Replica:Of': leading.url, 'Durability:Volatile': 'true' });
  await following.until(['alone']);
  await replicaOf('with a replica', leading, following, alone);
  await following.end('SIGTERM');
  await leading.end('SIGTERM');
}

/** How far a replica is behind under the load, and what it costs its writer. */
async function replicaOf(name: string, writer: BenchNode, replica: BenchNode, alone: BenchNode): Promise<void> {
  const lags: number[] = [];
  const withReplica = await more(name, writer, alone, async () => {
    lags.push(...(await lagOf(writer, replica, (1000 * seconds) / turns)));
  });
  tell(
    target(`replica lag p50, ${name}`, percentile(lags, 0.5), '<=', 20, 'ms'),
    target(`replica lag p99, ${name} (${lags.length} looks)`, percentile(lags, 0.99), '<=', 200, 'ms'),
    target(`writer's processor time ${name}`, withReplica, '<=', 10, '% more'),
  );
}

/** A writer of a cluster and one that follows it. */
async function pair(name: string, url: string, alone: BenchNode): Promise<void> {
  const settings = { 'Cluster:Url': url, 'Cluster:Name': 'pair' };
  const writer = await BenchNode.start(settings);
  await writer.until(['writer']);
  const replica = await BenchNode.start(settings);
  await replica.until(['replica']);
  await replicaOf(name, writer, replica, alone);
  await replica.end('SIGKILL');
  await writer.end('SIGKILL');
}

async function withStandby(postgres: Postgres): Promise<void> {
  const standby = await postgres.standby(postgres.port);
  try {
    postgres.ask("alter system set synchronous_standby_names = 'ANY 1 (standby)'");
    postgres.ask('select pg_reload_conf()');
    const sync = "select count(*) from pg_stat_replication where sync_state in ('sync', 'quorum')";
    while (postgres.ask(sync) !== '1') await sleep(100);
    const writer = await BenchNode.start({ 'Cluster:Url': postgres.url, 'Cluster:Name': 'standby' });
    await writer.until(['writer']);
    const steady = await written(writer, perSecond, seconds);
    const most = await row('on PostgreSQL with a synchronous standby', writer, [steady]);
    tell(target('waited writes with a synchronous standby, 256 clients', most / 1000, '>=', 10, 'thousand a second'));
    await writer.end('SIGKILL');
    postgres.ask('alter system reset synchronous_standby_names');
    postgres.ask('select pg_reload_conf()');
  } finally {
    await standby.stop();
  }
}

console.log(machineLine());
let postgres: Postgres | null = null;
try {
  if (hasPostgres) postgres = await Postgres.start(folder('bench-postgres'));
  else console.log('Left out, for want of the Debian package postgresql: all that is on PostgreSQL.');
  const directory = `file://${folder('bench-cluster')}`;
  if (isWanted('copies') || isWanted('pairs')) {
    const alone = await BenchNode.start(single());
    await alone.until(['alone']);
    if (isWanted('copies')) await copies(alone);
    if (isWanted('pairs') && postgres !== null) await pair('on PostgreSQL, with a replica', postgres.url, alone);
    if (isWanted('pairs')) await pair('on a directory, with a replica', directory, alone);
    await alone.end('SIGTERM');
  }
  if (isWanted('standby') && postgres !== null) await withStandby(postgres);
  console.log(table(rows));
  if (isWanted('restore')) tell(...(await restoreOf(folder('bench-restore'))));
  if (isWanted('changes')) {
    for (const lines of process.argv.includes('--small') ? [null] : [null, await wordnetLines()]) {
      if (postgres !== null) tell(...(await changes('PostgreSQL', postgres.url, rounds, lines)));
      tell(...(await changes('a directory', directory, rounds, lines)));
    }
  }
} finally {
  await postgres?.stop();
  for (const made of folders) rmSync(made, { recursive: true, force: true });
}

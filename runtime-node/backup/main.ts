// `arcwise restore` and `arcwise verify`: a backup becomes the data of a service again, or is read to its end to see that it could.

import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { BackupManifest } from '../../src/engine/backup/format.ts';
import { BackupReader, type Restored, type RestorePoint, type RestoreTarget } from '../../src/engine/backup/reading.ts';
import { crc32With } from '../../src/engine/log/crc32.ts';
import { applyFrame, type FollowTarget } from '../../src/engine/replication/apply.ts';
import type { ArcwiseService } from '../../src/service.ts';
import { settingsOf } from '../../src/settings-of.ts';
import { openService } from '../index.ts';
import { outboundFetches } from '../outbound-fetch.ts';
import { backupAccount, openObjects } from '../storage/open-objects.ts';

const usage = `arcwise restore --from URL --into DIRECTORY [--namespace NAME] [--to COMMIT|TIME]
arcwise verify --from URL [--namespace NAME] [--to COMMIT|TIME]

  --from URL        as Service:Backup:Url; a bucket's key comes from Service__Backup__AccessKeyId and Service__Backup__SecretAccessKey
  --into DIRECTORY  of a service that is to be; it must be empty or missing
  --namespace NAME  only this one; otherwise all that the backup has
  --to              the number of a commit, or a time such as 2026-05-06T07:08:09Z; otherwise the newest state
`;

/** Frames between two waits for the log. */
const framesAtOnce = 1000;

interface Wanted {
  readonly from: string;
  /** Null: it is only read. */
  readonly into: string | null;
  readonly namespace: string | null;
  readonly point: RestorePoint;
}

/** What is wrong with a command line. */
class BadUsage extends Error {}

function wanted(command: 'restore' | 'verify', args: readonly string[]): Wanted | null {
  const text = { type: 'string' } as const;
  const options = { from: text, into: text, namespace: text, to: text, help: { type: 'boolean' } } as const;
  const { values } = parseArgs({ args: [...args], options });
  if (values.help === true) return null;
  if (values.from === undefined) throw new BadUsage('--from is missing.');
  if (command === 'restore' && values.into === undefined) throw new BadUsage('--into is missing.');
  if (command === 'verify' && values.into !== undefined)
    throw new BadUsage('verify writes nothing: it takes no --into.');
  const { from, into = null, namespace = null } = values;
  return { from, into, namespace, point: pointOf(values.to) };
}

function pointOf(to: string | undefined): RestorePoint {
  if (to === undefined) return { kind: 'newest' };
  if (/^\d{1,15}$/.test(to)) return { kind: 'sequence', sequence: Number(to) };
  const ms = Date.parse(to);
  if (Number.isNaN(ms)) throw new BadUsage(`--to takes the number of a commit or a time, not ${to}.`);
  return { kind: 'time', ms };
}

async function run({ from, into, namespace, point }: Wanted): Promise<void> {
  const environment = (name: string): string | null => process.env[`Service__Backup__${name}`] ?? null;
  const { settings } = settingsOf({
    'Backup:AccessKeyId': environment('AccessKeyId') ?? '',
    'Backup:SecretAccessKey': environment('SecretAccessKey') ?? '',
  });
  const outbound = outboundFetches();
  try {
    const { store, prefix } = openObjects(from, backupAccount(settings), outbound.pool('service'));
    const reader = new BackupReader(store, prefix, crc32With(undefined));
    const all = await reader.manifests();
    const manifests = all.filter(({ name }) => namespace === null || name === namespace);
    if (manifests.length === 0) throw new Error(`There is no backup of ${namespace ?? 'any namespace'} at ${from}.`);
    await checkEmpty(into);
    const place = into === null ? { 'Durability:Volatile': true } : { 'Durability:StorageDirectory': resolve(into) };
    const service = await openService({ ...place, 'Durability:SaveOnShutdown': true });
    try {
      for (const manifest of manifests) await bringBack(service, reader, manifest, point);
    } finally {
      await service.close();
    }
  } finally {
    await outbound.close();
  }
}

async function checkEmpty(into: string | null): Promise<void> {
  if (into === null) return;
  const entries = await readdir(into).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (entries.length > 0) throw new Error(`${into} is not empty.`);
}

async function bringBack(
  service: ArcwiseService,
  reader: BackupReader,
  manifest: BackupManifest,
  point: RestorePoint,
): Promise<void> {
  const { name } = manifest;
  if (service.engine.find(name) === undefined) {
    const made = await service.engine.create(name);
    if (!made.ok) throw new Error(made.detail);
  }
  const startedMs = performance.now();
  const target = new GraphTarget(service, name);
  const restored = await reader.restore(manifest, point, target);
  await target.settled();
  const { hash } = await service.graph(name).engine.runs.stateHash();
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`${name}: ${described(restored)}; hash ${hash}; ${seconds} s`);
}

const ends: Readonly<Record<Restored['end'], string>> = {
  wanted: 'as wanted',
  newest: 'the newest',
  gap: 'the last before a gap in the log, which a later base bridges',
};

function described({ sequence, committedMs, frames, end }: Restored): string {
  const when = committedMs === null || committedMs === 0 ? '' : ` of ${new Date(committedMs).toISOString()}`;
  return `commit ${sequence}${when}, ${ends[end]}; ${frames} frames behind the base`;
}

/** A namespace of a service that is being filled. */
class GraphTarget implements RestoreTarget {
  private readonly service: ArcwiseService;
  private readonly name: string;
  private target: FollowTarget | null = null;
  private last: Promise<boolean> = Promise.resolve(true);
  private count = 0;

  constructor(service: ArcwiseService, name: string) {
    this.service = service;
    this.name = name;
  }

  async load(body: AsyncIterable<Uint8Array>): Promise<void> {
    const { packages } = this.service.engine;
    const result = await packages?.read(this.name, body, { maxBytes: null, mayHavePlugins: true });
    if (result?.ok !== true) throw new Error(result?.detail ?? 'This service has no packages.');
    this.target = this.service.followTarget(this.name);
  }

  async apply(frame: Parameters<RestoreTarget['apply']>[0]): Promise<void> {
    this.last = applyFrame(this.target as FollowTarget, frame);
    if (++this.count % framesAtOnce === 0) await this.settled();
  }

  async settled(): Promise<void> {
    if (!(await this.last)) throw new Error('The disk does not take the log.');
  }
}

/** Runs the command; its exit code says how it went. */
export async function backupCommand(command: 'restore' | 'verify', args: readonly string[]): Promise<void> {
  try {
    const all = wanted(command, args);
    if (all === null) console.log(usage);
    else await run(all);
  } catch (error) {
    const isUsage =
      error instanceof BadUsage || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true;
    console.error(`${(error as Error).message}${isUsage ? `\n\n${usage}` : ''}`);
    process.exitCode = isUsage ? 2 : 1;
  }
}

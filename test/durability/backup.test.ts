// The real service with a backup, killed under load: what comes back is what was stored, up to the last moments; from a directory, and from a
// bucket that fails now and then. What was waited for and is old enough to be in the backup is there.

// @module-tag long

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { S3Double } from '../unit/support/s3-double.ts';
import { randomFrom } from './choices.ts';
import { ServiceProcess } from './service-process.ts';

const seed = Number(process.env.ARCWISE_SEED ?? 20260103);
const directory = await mkdtemp(join(tmpdir(), 'arcwise-backup-'));
const main = fileURLToPath(new URL('../../dist/runtime-node/main.js', import.meta.url));
const run = promisify(execFile);
afterAll(() => rm(directory, { recursive: true, force: true }));

const account = { Service__Backup__AccessKeyId: 'id', Service__Backup__SecretAccessKey: 'secret' };
const base = { Service__Log__Level: 'error', Service__Backup__MaxPutsPerSecond: '10', ...account };

interface Hashed {
  readonly hash: string;
  readonly position: { readonly sequence: number };
}

const hashOf = (service: ServiceProcess) => service.call('GET', '/hash') as Promise<Hashed>;

/** Waited writes until `until` says so, or the service is gone; answers how many were acknowledged. */
async function write(service: ServiceProcess, until: () => boolean): Promise<number> {
  let acknowledged = 0;
  while (!until()) {
    const body = [
      {
        creationDate: 1,
        label: 'v',
        properties: [{ propertyId: 'n', propertyValue: String(acknowledged), fullQualifiedTypeName: 'Int32' }],
      },
    ];
    try {
      await service.call('PUT', '/vertices?waitForCompletion=true', body);
      acknowledged++;
    } catch (error) {
      if (error instanceof TypeError) break;
      throw error;
    }
  }
  return acknowledged;
}

async function command(...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [main, ...args], { env: { ...process.env, ...account } });
  return stdout;
}

async function killedAndBack(name: string, url: string): Promise<void> {
  const settings = { ...base, Service__Backup__Url: url };
  const data = join(directory, `${name}-data`);
  let service = await ServiceProcess.start(data, settings);
  // The base is there before anything is worth having.
  await expect
    .poll(() => command('verify', '--from', url).catch(() => ''), { timeout: 30_000, interval: 100 })
    .toContain('commit 0');
  const started = performance.now();
  let acknowledged = await write(service, () => performance.now() > started + 1500);
  const early = await hashOf(service);
  const writing = write(service, () => false);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await service.kill();
  acknowledged += await writing;

  const verified = await command('verify', '--from', url);
  const newest = Number(/commit (\d+)/.exec(verified)?.[1]);
  expect(newest).toBeGreaterThanOrEqual(early.position.sequence);
  const toEarly = await command('verify', '--from', url, '--to', String(early.position.sequence));
  expect(toEarly).toContain(`hash ${early.hash}`);

  // The log goes on, and so does the backup: what was killed before it was stored is stored now.
  service = await ServiceProcess.start(data, settings);
  const after = await hashOf(service);
  expect(after.position.sequence).toBeGreaterThanOrEqual(acknowledged);
  await service.stop();
  const into = join(directory, `${name}-restored`);
  const restored = await command('restore', '--from', url, '--into', into);
  expect(restored).toContain(`commit ${after.position.sequence}`);
  expect(restored).toContain(`hash ${after.hash}`);
  const again = await ServiceProcess.start(into, { Service__Log__Level: 'error' });
  expect((await hashOf(again)).hash).toBe(after.hash);
  await again.stop();
  console.log(
    `${name}: ${acknowledged} acknowledged, ${newest} in the backup at the kill, ${after.position.sequence} in the end`,
  );
}

it('comes back from a directory after kill -9', async () => {
  const url = pathToFileURL(join(directory, 'objects')).href;
  await killedAndBack('directory', url);
  await expect(command('restore', '--from', url, '--into', join(directory, 'directory-restored'))).rejects.toThrow(
    'is not empty',
  );
  await expect(command('restore', '--from', url)).rejects.toThrow('--into is missing');
  await expect(command('verify', '--from', url, '--namespace', 'none')).rejects.toThrow('no backup of none');
});

it(`comes back from a bucket that fails now and then, ARCWISE_SEED=${seed}`, async () => {
  const double = await S3Double.start();
  const random = randomFrom(seed);
  double.fault = (method) => {
    const dice = random();
    if (dice < 0.05) return 'lostAnswer';
    if (dice < 0.1 && method === 'PUT') return 'lostRequest';
    return dice < 0.15 && method === 'PUT' ? 'unavailable' : null;
  };
  // Whoever reads a backup by hand tries again by hand.
  const calm = (): void => {
    double.fault = () => null;
  };
  try {
    const query = new URLSearchParams({ endpoint: double.endpoint, region: 'eu' });
    setTimeout(calm, 4000);
    await killedAndBack('bucket', `s3://bucket/some/prefix?${query}`);
    expect([...double.objects.keys()].every((name) => name.startsWith('some/prefix/default/'))).toBe(true);
  } finally {
    await double.stop();
  }
});

it('does not start with a bucket that ignores conditions', async () => {
  const double = await S3Double.start();
  double.ignoresConditions = true;
  try {
    const url = `s3://bucket?${new URLSearchParams({ endpoint: double.endpoint })}`;
    const start = ServiceProcess.start(join(directory, 'refused'), { ...base, Service__Backup__Url: url });
    await expect(start).rejects.toThrow('does not keep them');
  } finally {
    await double.stop();
  }
});

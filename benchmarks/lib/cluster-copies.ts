// What is copied while a service is written to, and how far behind that is: the objects of a backup, and a replica.

import { spawn } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import zlib from 'node:zlib';
import { openSource } from '../../runtime-node/samples/sources.ts';
import { DirectoryObjectStore } from '../../runtime-node/storage/directory-objects.ts';
import { decodeLogObject } from '../../src/engine/backup/format.ts';
import { crc32With } from '../../src/engine/log/crc32.ts';
import { framesAfter } from '../../src/engine/replication/frames.ts';
import { ask, BenchNode, come, good } from './cluster-nodes.ts';
import { jsonlBlocks, uniformGraph } from './graphs.ts';
import { figure, percentile, target } from './measure.ts';
import { nowMs } from './steady-writes.ts';

const crc32 = crc32With((bytes, seed) => zlib.crc32(bytes, seed));
const main = fileURLToPath(new URL('../../node/main.js', import.meta.url));
/** Between two looks at a replica. */
const lookMs = 50;
/** Puts are counted over as long as this. */
const putsMs = 10_000;

export interface BackupFigures {
  readonly lagP99Ms: number;
  readonly putsPerSecond: number;
}

/**
 * From the commit of each frame to the moment at which the object with it was in its place, as the file system says it. Puts are those of the
 * busiest stretch; an object that was replaced counts as often as it was put, at the time of the last one.
 */
export async function backupOf(directory: string): Promise<BackupFigures> {
  const store = new DirectoryObjectStore(directory);
  const lags: number[] = [];
  const puts: number[] = [];
  for (const name of await store.list('')) {
    const object = await store.get(name);
    if (object === null) continue;
    const { ctimeMs } = await stat(join(directory, `${name}~${object.tag}`));
    for (let put = 0; put < Number(object.tag); put++) puts.push(ctimeMs);
    if (!/\/log\/\d+$/.test(name)) continue;
    const { before, frames } = decodeLogObject(object.bytes, name, crc32);
    if (frames.length === 0) continue;
    for (const { committedMs } of framesAfter(frames, before, crc32)) lags.push(ctimeMs - committedMs);
  }
  puts.sort((a, b) => a - b);
  const within = (from: number): number => puts.filter((at) => at >= from && at < from + putsMs).length;
  return {
    lagP99Ms: percentile(lags, 0.99),
    putsPerSecond: (1000 * Math.max(...puts.map(within))) / putsMs,
  };
}

/** Milliseconds from the acknowledgement of a write at the writer to an answer of the replica that has it. */
export async function lagOf(writer: BenchNode, replica: BenchNode, forMs: number): Promise<readonly number[]> {
  const lags: number[] = [];
  const headers = { 'content-type': 'application/json' };
  for (const endMs = nowMs() + forMs; nowMs() < endMs; await sleep(lookMs)) {
    const init = { method: 'PUT', headers, body: '{"creationDate":1,"label":"look"}' };
    const acknowledged = await good(await ask(`${writer.url}/vertex?waitForCompletion=true`, init));
    const beganMs = nowMs();
    const position = acknowledged.headers.get('x-arcwise-position') ?? '';
    await acknowledged.arrayBuffer();
    await (await good(await ask(`${replica.url}/vertex/count?atLeast=${position}`))).arrayBuffer();
    lags.push(nowMs() - beganMs);
  }
  return lags;
}

export interface Lines {
  readonly name: string;
  readonly body: Buffer;
}

/** The lines of WordNet, or of a graph of its size where its package is not there. */
export async function wordnetLines(): Promise<Lines> {
  const blocks: Uint8Array[] = [];
  try {
    for await (const block of (await openSource('wordnet')).blocks(() => {})) blocks.push(block);
    return { name: 'WordNet', body: Buffer.concat(blocks) };
  } catch {
    return { name: 'a graph of the size of WordNet', body: Buffer.concat(jsonlBlocks(uniformGraph(264_965, 2, 1), 2)) };
  }
}

export async function importInto(url: string, body: Buffer): Promise<void> {
  const headers = { 'content-type': 'application/x-ndjson' };
  await good(await ask(`${url}/bulk/import`, { method: 'POST', headers, body }));
}

async function hashOf(url: string): Promise<string> {
  return ((await (await good(await ask(`${url}/hash`))).json()) as { hash: string }).hash;
}

/** A restore as its command does it, from the start of the process to its end. */
export async function restoreOf(directory: string): Promise<string[]> {
  const { body, name } = await wordnetLines();
  const data = join(directory, 'data');
  const bucket = `file://${join(directory, 'backup')}`;
  const node = await BenchNode.start({
    ...{ 'Durability:StorageDirectory': data, 'Metadata:Directory': `${data}/metadata`, 'Backup:Url': bucket },
  });
  await node.until(['alone']);
  await importInto(node.url, body);
  const hash = await hashOf(node.url);
  await node.end('SIGTERM'); // it waits until the backup has everything
  const into = join(directory, 'restored');
  const beganMs = performance.now();
  const said = await outputOf(['restore', '--from', bucket, '--into', into]);
  const seconds = (performance.now() - beganMs) / 1000;
  const isEqual = said.includes(hash);
  const files = (await readdir(into)).length;
  return [
    `        ${said.trim()}`,
    target(`restore of ${name} (${figure(body.length / 2 ** 20)} MiB of lines, ${files} files)`, seconds, '<=', 5, 's'),
    target('restored with another hash', isEqual ? 0 : 1, '<=', 0, ''),
  ];
}

function outputOf(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (part: Buffer) => {
      text += part;
    });
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve(text) : reject(new Error(`It ends with ${code}: ${text}`))));
  });
}

/** When every one of them has the same hash of a namespace. */
export function sameHash(urls: readonly string[]): Promise<void> {
  const found = (url: string): Promise<string> => hashOf(url).catch(() => `not there yet: ${url}`);
  return come('The same hash everywhere', async () => new Set(await Promise.all(urls.map(found))).size === 1);
}

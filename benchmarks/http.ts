// HTTP beside a bare node:http handler and Redis, on one disk, in one run: durable single-vertex writes (waited) with 1 and 64
// clients, and GET of one vertex. `npm run bench -- http [--rounds 5] [--seconds 2]`

import { execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type LoadResult, requestText, runSockets, runWrk, vertex } from './lib/load.ts';
import { figure, machineLine, median, setting, table, target } from './lib/measure.ts';
import { hasProgram, type RunningServer, scratchFolder, startBareServer, startService } from './lib/servers.ts';

const runLoad = hasProgram('wrk') ? runWrk : runSockets;

interface Measured {
  readonly perSecond: number;
  readonly p50Us: number;
  readonly p99Us: number;
}

function summary(results: readonly LoadResult[]): Measured {
  const wrong = results.reduce((sum, result) => sum + result.wrongStatus, 0);
  if (wrong > 0) throw new Error(`${wrong} answers had another status than expected`);
  return {
    perSecond: median(results.map((result) => result.perSecond)),
    p50Us: median(results.map((result) => result.p50Us)),
    p99Us: median(results.map((result) => result.p99Us)),
  };
}

/** Load on two servers in turn, so that both meet the same moods of the machine; the first round warms up. */
async function duel(
  ours: RunningServer,
  bare: RunningServer,
  request: string,
  expectedStatus: number,
  connections: number,
  rounds: number,
  durationMs: number,
): Promise<[ours: Measured, bare: Measured]> {
  const results: [LoadResult[], LoadResult[]] = [[], []];
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { port }] of [ours, bare].entries()) {
      const result = await runLoad({ port, connections, durationMs, request, expectedStatus });
      if (round > 0) results[index as 0 | 1].push(result);
    }
  }
  return [summary(results[0]), summary(results[1])];
}

/** Synced 256-byte writes a second that the disk itself takes, into a preallocated file opened O_DSYNC. */
function diskRate(): number {
  const folder = scratchFolder('disk');
  const path = join(folder, 'log');
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_DSYNC);
  writeSync(file, Buffer.alloc(4 * 2 ** 20));
  fdatasyncSync(file);
  const record = Buffer.alloc(256, 7);
  const started = performance.now();
  let writes = 0;
  for (; performance.now() - started < 1000; writes++) writeSync(file, record, 0, 256, (writes % 16384) * 256);
  closeSync(file);
  rmSync(folder, { recursive: true });
  return (writes * 1000) / (performance.now() - started);
}

/** SET of 256 bytes with `appendfsync always`, by Redis's own benchmark; null when Redis is not installed. */
async function redisRates(rounds: number): Promise<Map<number, number> | null> {
  if (!hasProgram('redis-server') || !hasProgram('redis-benchmark')) return null;
  const folder = scratchFolder('redis');
  const socket = join(folder, 'socket');
  const args = [
    '--port',
    '0',
    '--unixsocket',
    socket,
    '--appendonly',
    'yes',
    '--appendfsync',
    'always',
    '--save',
    '',
    '--dir',
    folder,
  ];
  const server = spawn('redis-server', args, { stdio: 'ignore' });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const rates = new Map<number, number>();
  for (const connections of [1, 64]) {
    const own: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const requests = connections === 1 ? 5000 : 60_000;
      const output = execFileSync(
        'redis-benchmark',
        ['-s', socket, '-t', 'set', '-c', `${connections}`, '-n', `${requests}`, '-d', '256', '-r', '1000000', '--csv'],
        { encoding: 'utf8' },
      );
      own.push(
        Number(
          output
            .split('\n')
            .find((line) => line.includes('SET'))
            ?.split(',')[1]
            ?.replaceAll('"', ''),
        ),
      );
    }
    rates.set(connections, median(own));
  }
  const gone = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await gone;
  rmSync(folder, { recursive: true, force: true });
  return rates;
}

async function main(): Promise<void> {
  const rounds = setting('rounds', 5);
  const durationMs = setting('seconds', 2) * 1000;
  console.log(`${machineLine()}; load by ${runLoad === runWrk ? 'wrk' : 'sockets of our own (wrk is not installed)'}`);
  const service = await startService();
  const created = await fetch(`http://127.0.0.1:${service.port}/vertex?waitForCompletion=true`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: vertex,
  });
  if (created.status !== 202) throw new Error(`The first vertex answered ${created.status}`);
  const answer = await (await fetch(`http://127.0.0.1:${service.port}/vertex/0`)).text();
  const bare = await startBareServer(answer);
  const put = requestText('PUT', '/vertex?waitForCompletion=true', vertex);
  const [ourGet, bareGet] = await duel(service, bare, requestText('GET', '/vertex/0'), 200, 32, rounds, durationMs);
  const [ourOne, bareOne] = await duel(service, bare, put, 202, 1, rounds, durationMs);
  const [ourMany, bareMany] = await duel(service, bare, put, 202, 64, rounds, durationMs);
  await bare.stop();
  await service.stop();
  const disk = diskRate();
  const redis = await redisRates(3);
  const row = (name: string, it: Measured): (string | number)[] => [name, it.perSecond, it.p50Us, it.p99Us];
  console.log(
    table([
      ['', 'per second', 'p50 µs', 'p99 µs'],
      row('GET /vertex/{id}, 32 connections: arcwise', ourGet),
      row('    the same bytes from bare node:http', bareGet),
      row('PUT /vertex waited, 1 client: arcwise', ourOne),
      row('    parsed and dropped by bare node:http', bareOne),
      row('PUT /vertex waited, 64 clients: arcwise', ourMany),
      row('    parsed and dropped by bare node:http', bareMany),
    ]),
  );
  console.log(`disk: ${figure(disk)} synced writes of 256 B a second`);
  if (redis === null) console.log('Redis is not installed: its lines are left out.');
  else
    console.log(
      `Redis, appendfsync always: ${[...redis].map(([c, rate]) => `${c} connections ${figure(rate)}/s`).join(', ')}`,
    );
  console.log(target('GET against bare node:http', ourGet.perSecond / bareGet.perSecond, '>=', 0.6, '×'));
  const redisOne = redis?.get(1);
  if (redisOne !== undefined)
    console.log(target('1 client against Redis', ourOne.perSecond / redisOne, '>=', 0.5, '×'));
  console.log(target('64 clients against bare node:http', ourMany.perSecond / bareMany.perSecond, '>=', 0.6, '×'));
}

await main();

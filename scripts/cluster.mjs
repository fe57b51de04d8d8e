// Three nodes and a PostgreSQL of their own on this machine, and a take-over to look at: clients write all the time, the writer is killed, another node
// goes on, and in the end everything that was acknowledged is counted. `--stay` leaves the cluster running until it is interrupted. Installs nothing: it
// says which Debian package it wants. Without that, or with `--directory`, the nodes share a directory instead.

import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { at } from './lib/freshness.mjs';

const programs = '/usr/lib/postgresql';
const answerMs = 2_000;
const startMs = 60_000;
const clients = 8;
/** For how long clients write before the writer is killed, and behind each take-over. */
const writingMs = 4_000;

const say = (line) => console.log(`${new Date().toISOString().slice(11, 23)}  ${line}`);

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address());
      probe.close(() => resolve(port));
    });
  });
}

/** Whoever the server runs as: it refuses to be root. */
function serverUser() {
  if (process.getuid() !== 0) return {};
  const number = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: number('-u'), gid: number('-g') };
}

async function startPostgres(directory) {
  const version = readdirSync(programs).sort().at(-1);
  const program = (name) => join(programs, version, 'bin', name);
  const data = join(directory, 'data');
  mkdirSync(data);
  const user = serverUser();
  if (user.uid !== undefined) for (const path of [directory, data]) chownSync(path, user.uid, user.gid);
  execFileSync(program('initdb'), ['-D', data, '-U', 'arcwise', '--auth=trust', '-E', 'UTF8'], {
    ...user,
    stdio: 'pipe',
  });
  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', `unix_socket_directories=${directory}`];
  const server = spawn(
    program('postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((one) => ['-c', one])],
    {
      ...user,
      stdio: 'ignore',
    },
  );
  const url = `postgres://arcwise@127.0.0.1:${port}/postgres`;
  say(`PostgreSQL ${version} listens on port ${port}.`);
  await until('PostgreSQL answers', async () => {
    const asked = ['-h', '127.0.0.1', '-p', String(port), '-U', 'arcwise', '-q'];
    try {
      execFileSync(program('pg_isready'), asked, { stdio: 'pipe' });
      return true;
    } catch {
      return null;
    }
  });
  return { url, end: () => ended(server, 'SIGINT') };
}

function ended(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  const over = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  return over;
}

/** What `look` answers, once that is something. */
async function until(what, look) {
  const endMs = performance.now() + startMs;
  while (performance.now() < endMs) {
    const found = await look();
    if (found !== null) return found;
    await sleep(25);
  }
  throw new Error(`${what}: it did not come within ${startMs / 1000} s.`);
}

async function startNode(cluster, port) {
  const env = {
    ...process.env,
    Service__Cluster__Url: cluster,
    Service__Http__Port: String(port),
    Service__Log__Level: 'error',
  };
  const child = spawn(process.execPath, [at('dist/node/main.js')], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  return { url: `http://127.0.0.1:${port}`, child };
}

async function partOf({ url }) {
  const answer = await fetch(`${url}/cluster`, { signal: AbortSignal.timeout(answerMs) }).catch(() => null);
  return answer?.status === 200 ? answer.json() : null;
}

const writerAmong = (nodes) =>
  until('A node writes', async () => {
    for (const node of nodes) if ((await partOf(node))?.role === 'writer') return node;
    return null;
  });

/** Writes one number after the other to whichever node takes it, and keeps those that were acknowledged. */
class Clients {
  acknowledged = new Set();
  #next = 0;
  #over = false;
  #running;

  constructor(nodes) {
    this.#running = Array.from({ length: clients }, () => this.#run(nodes));
  }

  async #run(nodes) {
    for (let at = 0; !this.#over; ) {
      const number = this.#next++;
      const property = { propertyId: 'n', propertyValue: String(number), fullQualifiedTypeName: 'System.Int32' };
      const init = {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify([{ creationDate: 1, properties: [property] }]),
        signal: AbortSignal.timeout(answerMs),
      };
      const url = `${nodes[at % nodes.length].url}/vertices?waitForCompletion=true`;
      const answer = await fetch(url, init).catch(() => null);
      await answer?.arrayBuffer().catch(() => null);
      if (answer?.status === 200) this.acknowledged.add(number);
      else {
        at++;
        await sleep(20);
      }
    }
  }

  async end() {
    this.#over = true;
    await Promise.all(this.#running);
  }
}

async function numbersIn({ url }) {
  const { vertices } = await (await fetch(`${url}/graph?maxElements=10000000`)).json();
  return vertices.map(({ properties }) => Number(properties[0].propertyValue));
}

/** Answers an exit code. */
export async function showCluster(args) {
  const directory = mkdtempSync(join(tmpdir(), 'arcwise-cluster-'));
  const ends = [];
  try {
    const cluster = await storeOf(args, directory, ends);
    const nodes = await Promise.all([1, 2, 3].map(async () => startNode(cluster, await freePort())));
    ends.push(() => Promise.all(nodes.map(({ child }) => ended(child, 'SIGTERM'))));
    return await show(nodes, args);
  } finally {
    for (const end of ends.reverse()) await end();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function storeOf(args, directory, ends) {
  if (!args.includes('--directory') && existsSync(programs)) {
    const postgres = await startPostgres(directory);
    ends.push(postgres.end);
    return postgres.url;
  }
  if (!args.includes('--directory'))
    say('There is no PostgreSQL here (apt-get install postgresql): a directory takes its place.');
  return pathToFileURL(directory).href;
}

async function show(nodes, args) {
  const first = await writerAmong(nodes);
  await until('All nodes have a part', async () => {
    const parts = await Promise.all(nodes.map(partOf));
    return parts.every((part) => part !== null && part.role !== 'none') ? parts : null;
  });
  for (const node of nodes) say(`${node.url}  ${(await partOf(node))?.role}`);
  const load = new Clients(nodes);
  say(`${clients} clients write to whichever node takes it.`);
  await sleep(writingMs);
  say(`${load.acknowledged.size} writes acknowledged. kill -9 ${first.child.pid}: ${first.url}, the writer.`);
  const killedMs = performance.now();
  await ended(first.child, 'SIGKILL');
  const others = nodes.filter((node) => node !== first);
  const second = await writerAmong(others);
  say(`${second.url} writes, ${Math.round(performance.now() - killedMs)} ms after the kill.`);
  await sleep(writingMs);
  const handedMs = performance.now();
  say(`${load.acknowledged.size} acknowledged. SIGTERM to ${second.url}: it hands over.`);
  const ending = ended(second.child, 'SIGTERM');
  const third = await writerAmong(others.filter((node) => node !== second));
  say(`${third.url} writes, ${Math.round(performance.now() - handedMs)} ms after the signal.`);
  await ending;
  await sleep(writingMs);
  await load.end();
  const found = await numbersIn(third);
  const there = new Set(found);
  const missing = [...load.acknowledged].filter((number) => !there.has(number)).length;
  const twice = found.length - there.size;
  say(`${load.acknowledged.size} acknowledged: ${missing} lost, ${twice} there twice.`);
  if (args.includes('--stay')) await stay(third);
  return missing + twice === 0 ? 0 : 1;
}

async function stay({ url }) {
  say(`curl ${url}/cluster   ·   ${url}/explorer   ·   Ctrl+C ends it`);
  await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, resolve);
  });
}

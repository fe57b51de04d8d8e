// Changes of the writer under load: it is killed, it hands over, and a namespace moves, with what clients write in the graph that goes over, and with
// WordNet in it. How long nothing is acknowledged is what clients see, from the last acknowledgement before to the first one behind.

import { importInto, type Lines, sameHash } from './cluster-copies.ts';
import { ask, BenchNode, come, good, numbersIn } from './cluster-nodes.ts';
import { figure, median, target } from './measure.ts';
import { nowMs, SteadyWrites, type Writes } from './steady-writes.ts';

const clients = 8;
const namespace = 'moving';
/** Behind each change clients write for so long before the next one. */
const settleMs = 3000;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The longest stretch without an acknowledgement that ends behind `fromMs`, before `toMs`. */
function withoutWrites({ atMs }: Writes, fromMs: number, toMs: number): number {
  const times = atMs.filter((at) => at < toMs).sort((a, b) => a - b);
  let longest = 0;
  for (let i = 1; i < times.length; i++) {
    const [before, at] = [times[i - 1] as number, times[i] as number];
    if (at > fromMs) longest = Math.max(longest, at - before);
  }
  return longest;
}

class Changing {
  private readonly settings: Readonly<Record<string, string>>;
  nodes: BenchNode[] = [];

  constructor(url: string, name: string) {
    this.settings = { 'Cluster:Url': url, 'Cluster:Name': name };
  }

  async join(): Promise<void> {
    const node = await BenchNode.start(this.settings);
    this.nodes.push(node);
    await node.until(['writer', 'replica']);
  }

  async writer(name = 'default'): Promise<BenchNode> {
    let found: BenchNode | undefined;
    await come(`a writer of ${name}`, async () => {
      const roles = await Promise.all(this.nodes.map((node) => node.role(name)));
      found = this.nodes[roles.indexOf('writer')];
      return found !== undefined;
    });
    return found as BenchNode;
  }

  /** The writer goes, and another node comes when clients write again. */
  async replaced(signal: 'SIGKILL' | 'SIGTERM'): Promise<readonly [number, number]> {
    const writer = await this.writer();
    this.nodes = this.nodes.filter((node) => node !== writer);
    const fromMs = nowMs();
    await writer.end(signal);
    await this.writer();
    await sleep(settleMs);
    const toMs = nowMs();
    await this.join();
    await sleep(settleMs);
    return [fromMs, toMs];
  }

  async moved(): Promise<readonly [number, number]> {
    const from = await this.writer(namespace);
    const to = this.nodes.find((node) => node !== from) as BenchNode;
    await to.until(['replica'], namespace);
    const fromMs = nowMs();
    const init = {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ node: to.url }),
    };
    // 503 where the other node is not ready yet: it goes there when it is.
    const asked = (): Promise<boolean> => ask(`${from.url}/cluster/namespaces/${namespace}`, init).then(({ ok }) => ok);
    await come(`${namespace} moves`, asked);
    await to.until(['writer'], namespace);
    await sleep(settleMs);
    return [fromMs, nowMs()];
  }
}

/** What was acknowledged and is not there, or is there twice. */
async function lost(writes: Writes, node: BenchNode, under: string): Promise<{ missing: number; twice: number }> {
  const found = await numbersIn(node.url, under);
  return {
    missing: writes.numbers.filter((number) => !found.has(number)).length,
    twice: [...found.values()].filter((count) => count > 1).length,
  };
}

type Stretch = readonly [number, number];

function line(what: string, writes: Writes, stretches: readonly Stretch[], wanted: number): string {
  const gaps = stretches.map(([from, to]) => withoutWrites(writes, from, to));
  const all = `median ${figure(median(gaps))}, all ${gaps.map((gap) => Math.round(gap)).join(', ')}`;
  return target(`${what} (the longest of ${gaps.length}; ${all})`, Math.max(...gaps), '<=', wanted, 'ms');
}

/** Three nodes with two namespaces, both with these lines in them. */
async function prepared(cluster: Changing, lines: Lines | null): Promise<void> {
  for (let node = 0; node < 3; node++) await cluster.join();
  const { url } = await cluster.writer();
  await good(await ask(`${url}/ns/${namespace}`, { method: 'PUT' }));
  if (lines !== null) for (const at of [url, `${url}/ns/${namespace}`]) await importInto(at, lines.body);
  await sleep(settleMs);
  const urls = cluster.nodes.map((node) => node.url);
  await sameHash(urls.map((one) => `${one}/ns/${namespace}`));
  await sameHash(urls);
}

const begin = (cluster: Changing, under: string, firstNumber: number): SteadyWrites =>
  new SteadyWrites({ urls: cluster.nodes.map(({ url }) => url), under, clients, perSecond: null, firstNumber });

async function running(cluster: Changing, what: string, rounds: number, lines: Lines | null): Promise<string[]> {
  await prepared(cluster, lines);
  const load = begin(cluster, `/ns/${namespace}`, 0);
  await sleep(settleMs);
  const moves: Stretch[] = [];
  for (let round = 0; round < rounds; round++) moves.push(await cluster.moved());
  const moved = await load.stop();
  const there = await cluster.writer(namespace);
  const inMoves = await lost(moved, there, `/ns/${namespace}`);
  // From here on one log goes over at a time.
  await good(await ask(`${there.url}/ns/${namespace}`, { method: 'DELETE' }));

  const kills: Stretch[] = [];
  const handed: Stretch[] = [];
  const all: Writes[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const [signal, stretches] of [['SIGKILL', kills] as const, ['SIGTERM', handed] as const]) {
      const writing = begin(cluster, '', 1_000_000 * (1 + all.length));
      await sleep(settleMs);
      stretches.push(await cluster.replaced(signal));
      all.push(await writing.stop());
    }
  }
  const first = all[0] as Writes;
  const writes = {
    ...{ ...first, numbers: all.flatMap(({ numbers }) => numbers), atMs: all.flatMap(({ atMs }) => atMs) },
  };
  const { missing, twice } = await lost(writes, await cluster.writer(), '');
  const acknowledged = writes.numbers.length + moved.numbers.length;
  return [
    line(`without a write behind kill -9, ${what}`, writes, kills, 3000),
    line(`without a write in a planned hand-over, ${what}`, writes, handed, 500),
    line(`without a write while a namespace moves, ${what}`, moved, moves, 500),
    target(`lost of ${figure(acknowledged)} acknowledged writes, ${what}`, missing + inMoves.missing, '<=', 0, ''),
    target(`there twice, ${what}`, twice + inMoves.twice, '<=', 0, ''),
  ];
}

/** `lines`: in the graphs before clients write to them; null: nothing. */
export async function changes(where: string, url: string, rounds: number, lines: Lines | null): Promise<string[]> {
  const cluster = new Changing(url, lines === null ? 'changes' : 'changes-with-lines');
  try {
    return await running(cluster, lines === null ? `on ${where}` : `on ${where}, with ${lines.name}`, rounds, lines);
  } finally {
    for (const node of cluster.nodes) await node.end('SIGKILL');
  }
}

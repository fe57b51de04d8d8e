// The engine in a page of Chromium beside the service of Node, by turns: first answer, an import of WordNet, waited writes, reads, PageRank and
// nearest vectors, the opening of a large store, and memory. A page is asked through `arcwise.fetch`, Node through a socket.
//
//   npm run bench -- page [--rounds 3] [--seconds 2] [--elements 1000000] [--rows 50000] [--threads 2]     behind `npm run build`

import { createWriteStream, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openSource } from '../runtime-node/samples/sources.ts';
import { Random } from './lib/graphs.ts';
import { requestText, runSockets, runWrk } from './lib/load.ts';
import { compete, figure, machineLine, median, setting, table, target } from './lib/measure.ts';
import {
  missingPage,
  ownBytes,
  type PageBrowser,
  type PageOrigin,
  servePages,
  startBrowser,
} from './lib/page-browser.ts';
import { closeEngine, importInPage, numberIn, openEngine, pageMs, writesInPage } from './lib/page-engine.ts';
import { hasProgram, type RunningServer, scratchFolder, startService, timeToReady } from './lib/servers.ts';

const rounds = setting('rounds', 3);
const seconds = setting('seconds', 2);
const elements = setting('elements', 1_000_000);
const rows = setting('rows', 50_000);
const threads = setting('threads', 2);
const dimension = 128;
const degree = 9;
const restMs = 2000;
const reads = 20;
const many = 256;
const runLoad = hasProgram('wrk') ? runWrk : runSockets;
const json = { 'content-type': 'application/json' };
const lines = { 'content-type': 'application/x-ndjson' };
/** So that neither of the two counts permits. */
const settings = { 'Security:SensitiveRateLimitPermitPerWindow': 1_000_000, 'Jobs:Threads': threads };
const nodeSettings = [
  '--Service:Log:Level=error',
  ...Object.entries(settings).map(([key, value]) => `--Service:${key}=${value}`),
];

interface Row {
  readonly what: string;
  readonly unit: string;
  readonly page: number;
  readonly node: number;
}

const measured: Row[] = [];

function told(what: string, unit: string, page: number, node: number): Row {
  const row = { what, unit, page, node };
  measured.push(row);
  console.log(`${what}: ${figure(page)} and ${figure(node)} ${unit}`); // a run that is cut off has told something
  return row;
}

async function inTurn(
  what: string,
  unit: string,
  page: () => Promise<number>,
  node: () => Promise<number>,
): Promise<Row> {
  const [inPage, onNode] = await compete(
    [
      { name: 'page', round: page },
      { name: 'node', round: node },
    ],
    rounds,
  );
  return told(what, unit, inPage?.medianMs ?? Number.NaN, onNode?.medianMs ?? Number.NaN);
}

async function askNode({ port }: RunningServer, method: string, path: string, body?: BodyInit): Promise<string> {
  const headers = path === '/bulk/import' ? lines : json;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    ...(body === undefined ? {} : { headers, body }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answers ${answer.status}: ${text}`);
  return text;
}

async function nodeMs(server: RunningServer, method: string, path: string, body?: BodyInit): Promise<number> {
  const began = performance.now();
  await askNode(server, method, path, body);
  return performance.now() - began;
}

async function nodeTimes(
  server: RunningServer,
  method: string,
  path: string,
  body: string | undefined,
  times: number,
): Promise<number[]> {
  const took: number[] = [];
  for (let at = 0; at < times; at++) took.push(await nodeMs(server, method, path, body));
  return took;
}

async function writesOnNode({ port }: RunningServer, clients: number): Promise<number> {
  const request = requestText('PUT', '/vertices?waitForCompletion=true', '[{"label":"person"}]');
  const plan = { port, connections: clients, durationMs: 1000 * seconds, request, expectedStatus: 200 };
  const { perSecond, wrongStatus } = await runLoad(plan);
  if (wrongStatus > 0) throw new Error(`${wrongStatus} writes answered something else.`);
  return perSecond;
}

/** Vertices with a vector each. */
async function* vectorLines(): AsyncGenerator<string> {
  const random = new Random(5);
  yield `${JSON.stringify({ type: 'meta', format: 'service-jsonl', version: 2, vertexCount: rows, edgeCount: 0 })}\n`;
  for (let id = 0; id < rows; id++) {
    const value = Array.from({ length: dimension }, () => random.below(199) - 99).join(',');
    const properties = { '$embedding:default': { type: 'Single[]', value } };
    yield `${JSON.stringify({ type: 'vertex', id, label: 'row', creationDate: 0, properties })}\n`;
  }
}

async function firstAnswer(origin: PageOrigin): Promise<Row> {
  return inTurn(
    'first answer, cold',
    'ms',
    async () => {
      const browser = await startBrowser();
      const page = await browser.open(origin.url);
      await new Promise((resolve) => setTimeout(resolve, restMs)); // what a browser does as it starts is not measured
      const ms = await openEngine(page, 'memory://', settings);
      await browser.close();
      return ms;
    },
    async () => {
      const began = performance.now();
      const server = await startService(nodeSettings);
      await askNode(server, 'GET', '/vertex/count');
      const ms = performance.now() - began;
      await server.stop();
      return ms;
    },
  );
}

async function imports(browser: PageBrowser, origin: PageOrigin, file: string): Promise<[durable: Row, memory: Row]> {
  const text = await readFile(file);
  const server = await startService(nodeSettings);
  const page = await browser.open(origin.url);
  await openEngine(page, 'opfs://import', settings);
  const row = await inTurn(
    'WordNet, import that is kept',
    'ms',
    () => importInPage(page, '/wordnet'),
    async () => {
      await askNode(server, 'HEAD', '/tabularasa');
      return nodeMs(server, 'POST', '/bulk/import', text);
    },
  );
  await closeEngine(page);
  await page.close();
  await server.stop();
  // Each has imported it once and nothing else.
  const fresh = await startService(nodeSettings);
  await nodeMs(fresh, 'POST', '/bulk/import', text);
  const alone = await startBrowser();
  const other = await alone.open(origin.url);
  await openEngine(other, 'opfs://memory', settings);
  await importInPage(other, '/wordnet');
  await new Promise((resolve) => setTimeout(resolve, restMs));
  const mebibytes = [await alone.pageBytes(), ownBytes(fresh.process.pid)].map((bytes) => bytes / 2 ** 20);
  const memory = told('memory with WordNet', 'MiB', mebibytes[0] as number, mebibytes[1] as number);
  await alone.close();
  await fresh.stop();
  return [row, memory];
}

async function requests(browser: PageBrowser, origin: PageOrigin): Promise<[one: Row, all: Row, get: Row]> {
  const server = await startService(nodeSettings);
  const page = await browser.open(origin.url);
  await openEngine(page, 'opfs://requests', settings);
  const writes = (clients: number) =>
    inTurn(
      `waited PUT, ${clients} client${clients === 1 ? '' : 's'}`,
      '/s',
      () => writesInPage(page, clients, 1000 * seconds),
      () => writesOnNode(server, clients),
    );
  const one = await writes(1);
  const all = await writes(many);
  const times = 2000;
  const get = await inTurn(
    'GET of a vertex, one after the other',
    'ms',
    async () => median(await pageMs(page, { method: 'GET', path: '/vertex/0', times })),
    async () => median(await nodeTimes(server, 'GET', '/vertex/0', undefined, times)),
  );
  await closeEngine(page);
  await page.close();
  await server.stop();
  return [one, all, get];
}

async function longReads(
  browser: PageBrowser,
  origin: PageOrigin,
  files: { wordnet: string; vectors: string },
): Promise<[rank: Row, near: Row]> {
  const server = await startService(nodeSettings);
  const page = await browser.open(origin.url);
  await openEngine(page, 'memory://', settings);
  if (!(await page.evaluate(() => crossOriginIsolated))) throw new Error('The page is not isolated.');
  await importInPage(page, '/wordnet');
  await askNode(server, 'POST', '/bulk/import', await readFile(files.wordnet));
  const rank = { maxResults: 10, maxIterations: 50, epsilon: 0 };
  const body = JSON.stringify(rank);
  const pageRank = await inTurn(
    `PageRank of WordNet, ${threads} threads`,
    'ms',
    async () => median(await pageMs(page, { method: 'POST', path: '/analytics/PAGERANK', body, times: 5 })),
    async () => median(await nodeTimes(server, 'POST', '/analytics/PAGERANK', body, 5)),
  );
  await askNode(server, 'HEAD', '/tabularasa');
  await askNode(server, 'POST', '/bulk/import', await readFile(files.vectors));
  await importInPage(page, '/vectors');
  const typed = (type: string, value: string) => ({ fullQualifiedTypeName: type, propertyValue: value });
  const pluginOptions = {
    dimension: typed('int', `${dimension}`),
    metric: typed('string', 'Cosine'),
    embeddingName: typed('string', 'default'),
  };
  const index = JSON.stringify({ uniqueId: 'near', pluginType: 'VectorIndex', pluginOptions });
  await askNode(server, 'POST', '/index', index);
  await pageMs(page, { method: 'POST', path: '/index', body: index });
  const random = new Random(6);
  const query = Array.from({ length: dimension }, () => random.below(199) - 99);
  const wanted = JSON.stringify({ indexId: 'near', query, k: 10 });
  const nearest = await inTurn(
    `10 nearest of ${rows.toLocaleString('en')} x ${dimension}, ${threads} threads`,
    'ms',
    async () => median(await pageMs(page, { method: 'POST', path: '/scan/index/vector', body: wanted, times: reads })),
    async () => median(await nodeTimes(server, 'POST', '/scan/index/vector', wanted, reads)),
  );
  await closeEngine(page);
  await page.close();
  await server.stop();
  return [pageRank, nearest];
}

/** From the start of an engine on what another one has left, to its first answer. `saved`: it was closed, and so has a save game. */
async function openings(browser: PageBrowser, origin: PageOrigin, saved: boolean): Promise<Row> {
  const own = { ...settings, 'Durability:SaveOnShutdown': saved ? 'true' : 'false' };
  const ownOfNode = [...nodeSettings, `--Service:Durability:SaveOnShutdown=${saved}`];
  const folder = scratchFolder('arcwise-open');
  const vertices = Math.round(elements / (1 + degree));
  const generate = `/ns/default/generate?nodeCount=${vertices}&edgeCount=${degree}`;
  const server = await startService(ownOfNode, folder);
  await askNode(server, 'GET', generate);
  await server.stop();
  const store = `opfs://open-${saved ? 'saved' : 'log'}`;
  const page = await browser.open(origin.url);
  await openEngine(page, store, own);
  await pageMs(page, { method: 'GET', path: generate });
  await closeEngine(page);
  const row = await inTurn(
    `opening ${elements.toLocaleString('en')} elements from ${saved ? 'a save game' : 'the log'}`,
    'ms',
    async () => {
      await page.reload();
      const ms = await openEngine(page, store, own);
      const count = await numberIn(page, '/edge/count');
      if (count !== vertices * degree) throw new Error(`The page has ${count} edges.`);
      await closeEngine(page);
      return ms;
    },
    () => timeToReady(folder, ownOfNode),
  );
  await page.close();
  rmSync(folder, { recursive: true, force: true });
  return row;
}

const missing = missingPage();
if (missing !== null) {
  console.log(`No page: ${missing}.`);
  process.exit(1);
}
const scratch = scratchFolder('arcwise-page-bench');
const files = { wordnet: join(scratch, 'wordnet.jsonl'), vectors: join(scratch, 'vectors.jsonl') };
const data = { '/wordnet': files.wordnet, '/vectors': files.vectors };
const [plain, isolated] = [await servePages(data, false), await servePages(data, true)];
console.log(machineLine());
try {
  await pipeline(
    (await openSource('wordnet')).blocks(() => {}),
    createWriteStream(files.wordnet),
  );
  await pipeline(vectorLines, createWriteStream(files.vectors));
  const first = await firstAnswer(plain);
  const browser = await startBrowser();
  const [imported, memory] = await imports(browser, plain, files.wordnet);
  const [one, all, get] = await requests(browser, plain);
  const [rank, near] = await longReads(browser, isolated, files);
  const opened = [await openings(browser, plain, true), await openings(browser, plain, false)];
  await browser.close();
  console.log(`medians of ${rounds} rounds`);
  const rowsOf = measured.map(({ what, unit, page, node }) => [what, unit, page, node, page / node]);
  console.log(table([['', 'unit', 'page', 'node', 'page / node'], ...rowsOf]));
  const ratio = ({ page, node }: Row): number => page / node;
  console.log(target('first answer, cold', first.page, '<=', 500, 'ms'));
  console.log(target('import of WordNet', ratio(imported), '<=', 1.3, 'of Node'));
  console.log(target('waited PUT, 1 client', one.page, '>=', 800, '/s'));
  console.log(target(`waited PUT, ${many} clients`, all.page, '>=', 8000, '/s'));
  console.log(target('GET', get.page, '<=', 0.3, 'ms'));
  console.log(target('PageRank', ratio(rank), '<=', 1.3, 'of Node'));
  console.log(target('nearest vectors', ratio(near), '<=', 1.3, 'of Node'));
  for (const { what, page } of opened) console.log(target(what, page, '<=', 1500, 'ms'));
  console.log(target('memory', ratio(memory), '<=', 1.2, 'of Node'));
} finally {
  await plain.close();
  await isolated.close();
  rmSync(scratch, { recursive: true, force: true });
}

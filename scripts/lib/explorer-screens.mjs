// Every screen of the explorer and the way to it: looked at as pictures (scripts/explorer-pictures.mjs), and asked for its accessibility by
// a test. All are over one small graph, so that they look the same each time.

import { readFileSync } from 'node:fs';
import { at } from './freshness.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {{ name: string, graph?: string, open: (page: Page) => Promise<void> }} Screen */

const graph = 'packages';
const json = { 'content-type': 'application/json' };
const setting = (value, type = 'string') => ({ propertyValue: value, fullQualifiedTypeName: type });
const index = 'texts';
const vectors = 'near';
const dimension = 3;

/** Fills the namespaces that the screens show. */
export async function fillScreens(url) {
  const ask = async (method, path, body, type = json) => {
    const answer = await fetch(`${url}${path}`, { method, headers: type, ...(body === undefined ? {} : { body }) });
    if (!answer.ok) throw new Error(`${method} ${path} answers ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  const at_ = `/ns/${graph}`;
  for (const name of [graph, 'empty']) await ask('PUT', `/ns/${name}`);
  const lines = readFileSync(at('dist/explorer/samples/packages.jsonl'));
  await ask('POST', `${at_}/bulk/import`, lines, { 'content-type': 'application/x-ndjson' });
  await ask('POST', `${at_}/index`, JSON.stringify({ uniqueId: index, pluginType: 'RegExIndex' }));
  await ask('POST', `${at_}/index/backfill/${index}`, JSON.stringify({ propertyId: 'name' }));
  for (let id = 0; id < 12; id++) {
    const vector = Array.from({ length: dimension }, (_, place) => Math.cos(id * (place + 1)));
    const path = `${at_}/graphelement/${id}/embedding/default?waitForCompletion=true`;
    await ask('PUT', path, JSON.stringify({ vector }));
  }
  const pluginOptions = {
    ...{ dimension: setting(String(dimension), 'int'), metric: setting('Cosine') },
    embeddingName: setting('default'),
  };
  await ask('POST', `${at_}/index`, JSON.stringify({ uniqueId: vectors, pluginType: 'VectorIndex', pluginOptions }));
}

/** Opens a screen; `url` is the service that `fillScreens` has filled. */
export async function openScreen(page, url, { graph: other = graph, open }) {
  await page.goto('about:blank');
  await page.goto(`${url}/explorer#ns=${other}`);
  if (other === graph) {
    await page.locator('.schema').waitFor();
    await stands(page);
  }
  await open(page);
  await stands(page);
}

/** Nothing is awaited and nothing moves. */
async function stands(page) {
  await page.waitForFunction(() => {
    const busy = document.querySelector('.busy');
    return busy === null || (busy.textContent === '' && globalThis.arcwisePicture?.isStill === true);
  });
}

const tab = (page, name) => page.getByRole('tab', { name, exact: true }).click();

async function search(page, text) {
  await page.getByRole('searchbox', { name: 'Search all' }).fill(text);
  await page.locator('.hits button').first().waitFor();
}

async function choose(page, name) {
  await search(page, name);
  await page.locator('.hits button').first().click();
  await page.locator('.groups li').first().waitFor();
}

async function form(page, kind) {
  await tab(page, 'Ask');
  await page.getByLabel('Ask for').selectOption(kind);
}

async function ask(page) {
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.locator('.answer').waitFor();
}

async function ranked(page) {
  await form(page, 'analytics');
  await ask(page);
  await page.getByRole('button', { name: 'Colour by this' }).click();
  await page.locator('.legend').waitFor();
}

async function path(page) {
  await form(page, 'path');
  await page.getByLabel('From', { exact: true }).fill('0');
  await page.getByLabel('To', { exact: true }).fill('20');
}

async function edits(page) {
  await tab(page, 'Overview');
  await page.getByLabel('Allow changes to the graph').check();
}

/** As a person drops a table of edges. */
async function table(page) {
  await page.locator('.chip').click();
  const buffer = Buffer.from(
    'from,to,kind,weight\nAda Lovelace,Charles Babbage,wrote to,3\nGrace Hopper,Alan Turing,knows,2\n',
  );
  const file = { name: 'letters.csv', mimeType: 'text/csv', buffer };
  await page.locator('input[aria-label="File with a graph"]').setInputFiles(file);
  await page.getByText('Each row is an edge').waitFor();
}

/** Every call for data is answered so until the screen is left. */
async function answered(page, answer) {
  await page.route('**/ns/**', (route) => (answer === null ? route.abort() : route.fulfill(answer)));
  await page.reload();
  await page.locator('.welcome h2').waitFor();
  await page.unrouteAll();
}

/** The service says that it is one of four nodes, of which another one writes. */
async function cluster(page) {
  const [own, writer, ...others] = [8081, 8082, 8083, 8084].map((port) => `http://127.0.0.1:${port}`);
  const namespaces = [{ name: graph, writer }, ...['sales', 'people'].map((name) => ({ name, writer: own }))];
  const json = { role: 'replica', node: own, writer, nodes: [own, writer, ...others], namespaces };
  await page.route('**/cluster', (route) => route.fulfill({ json }));
  await page.reload();
  await page.getByRole('heading', { name: 'Cluster' }).waitFor();
  await page.getByRole('button', { name: 'Look at the cluster again' }).scrollIntoViewIfNeeded();
  await page.unrouteAll();
}

/** In the page: the middle of an edge that has no vertex near it. */
export function freeEdge() {
  const picture = globalThis.arcwisePicture;
  const { left, top } = picture.texts.getBoundingClientRect();
  const { vertexIds, drawnEdges } = picture.buffers;
  const places = [...vertexIds].map((id) => picture.screenOf(id));
  const pairs = new Map();
  for (const { source, target } of drawnEdges) {
    const key = `${Math.min(source, target)} ${Math.max(source, target)}`;
    pairs.set(key, (pairs.get(key) ?? 0) + 1);
  }
  for (const { source, target } of drawnEdges) {
    const isAlone = pairs.get(`${Math.min(source, target)} ${Math.max(source, target)}`) === 1;
    const [a, b] = [picture.screenOf(source), picture.screenOf(target)];
    const [x, y] = [(a.x + b.x) / 2, (a.y + b.y) / 2];
    const isIn = x > 60 && y > 120 && x < picture.size.width - 60 && y < picture.size.height - 80;
    const isFree = places.every((one) => Math.hypot(one.x - x, one.y - y) > 16);
    if (isAlone && isIn && isFree) return { x: left + x, y: top + y };
  }
  throw new Error('No edge has room around its middle.');
}

/** @type {readonly Screen[]} */
export const screens = [
  { name: 'overview', open: async () => {} },
  { name: 'cluster', open: cluster },
  { name: 'search', open: (page) => search(page, 'type') },
  { name: 'vertex', open: (page) => choose(page, 'vite') },
  {
    name: 'expanded',
    open: async (page) => {
      await page.getByLabel('Show so many vertices').selectOption('100');
      await page.locator('.shown', { hasText: /^100 of/ }).waitFor();
      await choose(page, 'vitest');
      await page.getByRole('button', { name: 'Next 25 edges' }).click();
    },
  },
  {
    name: 'several',
    open: async (page) => {
      await page.keyboard.down('Shift');
      const { x, y, width, height } = await page.locator('.frame').boundingBox();
      const corners = [
        [0.3, 0.3],
        [0.7, 0.3],
        [0.7, 0.7],
        [0.3, 0.7],
      ];
      for (const [place, [right, down]] of corners.entries()) {
        await page.mouse.move(x + right * width, y + down * height);
        if (place === 0) await page.mouse.down();
      }
      await page.mouse.up();
      await page.keyboard.up('Shift');
      await page.getByText('vertices chosen').waitFor();
    },
  },
  {
    name: 'edge',
    open: async (page) => {
      const { x, y } = await page.evaluate(freeEdge);
      await page.mouse.click(x, y);
      await page.getByText('edge · #').waitFor();
    },
  },
  {
    name: 'table',
    open: async (page) => {
      await page.getByRole('button', { name: 'Table' }).click();
      await page.locator('.table tbody tr').first().waitFor();
    },
  },
  {
    name: 'hidden',
    open: async (page) => {
      await page.locator('.overview').getByTitle('Hide package').click();
      await page.getByText(/hidden · show all/).waitFor();
    },
  },
  { name: 'ask-analytics', open: (page) => form(page, 'analytics') },
  { name: 'answer-analytics', open: ranked },
  {
    name: 'answer-groups',
    open: async (page) => {
      await form(page, 'analytics');
      await page.getByLabel('Algorithm').selectOption('LOUVAIN');
      await ask(page);
      await page.getByRole('button', { name: 'Colour by this' }).click();
      await page.locator('.legend').waitFor();
    },
  },
  { name: 'ask-path', open: path },
  {
    name: 'answer-path',
    open: async (page) => {
      await path(page);
      await ask(page);
      await page.locator('.ways button').first().click();
    },
  },
  {
    name: 'fragment',
    open: async (page) => {
      await path(page);
      const field = page.getByLabel('Vertices that may be passed');
      await field.fill('return v => v.Lable == "x";');
      await page.locator('.said .error').waitFor();
      await field.fill('return v => v.');
      await page.locator('.offer').first().waitFor();
    },
  },
  {
    name: 'ask-property',
    open: async (page) => {
      await form(page, 'property');
      await page.getByLabel(/^Property/).selectOption('version');
      await page.getByLabel(/^Value$/).fill('1.0.0');
      await ask(page);
    },
  },
  {
    name: 'ask-fulltext',
    open: async (page) => {
      await form(page, 'fulltext');
      await page.getByLabel('Index').selectOption(index);
      await page.getByLabel('Regular expression').fill('type');
      await ask(page);
    },
  },
  { name: 'ask-pattern', open: (page) => form(page, 'pattern') },
  {
    name: 'ask-similar',
    open: async (page) => {
      await form(page, 'similar');
      await page.getByLabel('Vertex', { exact: true }).fill('0');
      await page.getByLabel('Index').selectOption(vectors);
      await ask(page);
    },
  },
  { name: 'look', open: (page) => tab(page, 'Look') },
  {
    name: 'layers',
    open: async (page) => {
      await page.getByLabel('Show so many vertices').selectOption('100');
      await page.locator('.shown', { hasText: /^100 of/ }).waitFor();
      await tab(page, 'Look');
      await page.getByLabel('Stand').selectOption('layered');
    },
  },
  {
    name: 'rings',
    open: async (page) => {
      await tab(page, 'Look');
      await page.getByLabel('Stand').selectOption('radial');
    },
  },
  { name: 'share', open: (page) => tab(page, 'Share') },
  {
    name: 'editing',
    open: async (page) => {
      await edits(page);
      await choose(page, 'vite');
      await page.getByText('Remove this vertex …').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'plan',
    open: async (page) => {
      await edits(page);
      await page.locator('[aria-label=Editing]').getByLabel('Label', { exact: true }).fill('person');
      await page.locator('[aria-label=Editing]').getByLabel('name', { exact: true }).fill('Ada Lovelace');
      await page.getByRole('button', { name: 'New vertex …' }).click();
      await page.getByText('This will be sent').waitFor();
    },
  },
  {
    name: 'calls',
    open: async (page) => {
      await page.getByRole('button', { name: 'Calls' }).click();
      await page.getByText('Calls behind this page').waitFor();
    },
  },
  {
    name: 'open',
    open: async (page) => {
      await page.locator('.chip').click();
      await page.getByText('Open a graph').waitFor();
    },
  },
  { name: 'table-dialog', open: table },
  {
    name: 'trouble',
    open: async (page) => {
      await page.route('**/ns/**', (route) => route.abort());
      await page.getByRole('searchbox', { name: 'Search all' }).fill('type');
      await page.locator('.trouble').waitFor();
      await page.unrouteAll();
    },
  },
  { name: 'empty', graph: 'empty', open: (page) => page.getByText('This graph has no vertices yet').waitFor() },
  { name: 'missing', graph: 'missing', open: (page) => page.getByText('No graph to show').waitFor() },
  {
    name: 'wants-key',
    open: (page) => answered(page, { json: { apiKeyRequired: true, authenticated: false } }),
  },
  { name: 'gone', open: (page) => answered(page, null) },
];

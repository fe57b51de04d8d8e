// A service with a graph, and the explorer's page over it.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Point } from '../../../explorer/model/positions.ts';
import type { Camera } from '../../../explorer/render/camera.ts';
import type { Box } from '../../../explorer/render/labels.ts';
import type { TestService } from '../../contract/support/service.ts';
import { executablePath } from './page-server.ts';

/** WebGL by software: a test machine has no graphics processor. */
const args = [
  '--no-sandbox',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-background-networking',
];

export function launch(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath, args: [...args, ...more] });
}

/** What ends a test that hangs, not what a fast machine needs. */
const patienceMs = 200_000;

export async function newPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(patienceMs);
  return page;
}

export interface Line {
  readonly label?: string;
  readonly properties?: Readonly<Record<string, string>>;
}

type EdgeLine = readonly [source: number, target: number, type: string, properties?: Line['properties']];

/** As service-jsonl; vertices have the ids 0, 1, 2 … */
export function linesOf(vertices: readonly Line[], edges: readonly EdgeLine[]): string {
  const lines: unknown[] = [
    { type: 'meta', format: 'service-jsonl', version: 2, vertexCount: vertices.length, edgeCount: edges.length },
    ...vertices.map(({ label = 'person', properties }, id) => ({
      ...{ type: 'vertex', id, label, creationDate: 0 },
      properties: textsOf(properties),
    })),
    ...edges.map(([source, target, edgePropertyId, properties], at) => ({
      ...{ type: 'edge', id: vertices.length + at, edgePropertyId, source, target, creationDate: 0 },
      properties: textsOf(properties),
    })),
  ];
  return lines.map((line) => JSON.stringify(line)).join('\n');
}

function textsOf(properties: Line['properties'] = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, { type: 'System.String', value }]),
  );
}

/** Fills a namespace of its own by the bulk route. */
export async function fill(
  { url }: TestService,
  namespace: string,
  vertices: readonly Line[],
  edges: readonly EdgeLine[],
): Promise<void> {
  await fetch(`${url}/ns/${namespace}`, { method: 'PUT' });
  const answer = await fetch(`${url}/ns/${namespace}/bulk/import`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: linesOf(vertices, edges),
  });
  expect(answer.status, await answer.text()).toBe(200);
}

export interface Seen {
  readonly page: Page;
  /** What the page asked of other hosts than the service. */
  readonly foreign: string[];
  readonly errors: string[];
}

/** A page on a namespace, when its picture stands. */
export async function explore(
  browser: Browser,
  url: string,
  namespace: string,
  options: { readonly width?: number; readonly height?: number; readonly dark?: boolean } = {},
): Promise<Seen> {
  const { width = 1280, height = 800, dark = false } = options;
  const page = await newPage(browser, { viewport: { width, height }, colorScheme: dark ? 'dark' : 'light' });
  const [foreign, errors]: [string[], string[]] = [[], []];
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) foreign.push(request.url());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(`${url}/explorer#ns=${namespace}`);
  await page.locator('.status .shown').waitFor();
  await settled(page);
  return { page, foreign, errors };
}

/** Nothing is awaited, and nothing moves: the last frame is drawn where a picture is. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const { arcwisePicture } = globalThis as unknown as { arcwisePicture?: { draws: boolean; isStill: boolean } };
    const isStill = arcwisePicture?.draws !== true || arcwisePicture.isStill;
    return isStill && document.querySelector('.busy')?.textContent === '';
  });
}

/** Drops a file or folder of the disk onto the page, as a person does. */
export async function dropFile(page: Page, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data });
  await session.detach();
}

/** What the page's picture is asked for. */
interface Picture {
  readonly camera: Camera;
  readonly captions: readonly Box[];
  readonly positions: ReadonlyMap<number, Point>;
  screenOf(id: number): Point | null;
}

/** What the picture says of itself. */
export function inPicture<Value>(page: Page, ask: (picture: Picture) => Value): Promise<Value> {
  return page.evaluate(`(${ask})(globalThis.arcwisePicture)`) as Promise<Value>;
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Violations of the accessibility rules, one line each. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const found = (await page.evaluate('axe.run().then(({ violations }) => violations)')) as Violation[];
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

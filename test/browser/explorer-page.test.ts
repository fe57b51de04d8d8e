// The explorer as plain files on a static host, with the engine in the page: no service, offline.

// @module-tag long

import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { launch, newPage, settled } from './support/explorer-page.ts';
import { hasBrowser } from './support/page-server.ts';

const types: Record<string, string> = {
  js: 'text/javascript',
  html: 'text/html',
  css: 'text/css',
  wasm: 'application/wasm',
};

function staticHost(): Server {
  return createServer(({ url = '/' }, answer) => {
    const path = url.replace(/^\/a\/folder\//, '') || 'index.html';
    const file = at(`dist/explorer/${path}`);
    const isThere = url.startsWith('/a/folder/') && existsSync(file);
    answer.writeHead(isThere ? 200 : 404, { 'content-type': types[path.split('.').at(-1) ?? ''] ?? 'text/plain' });
    answer.end(isThere ? readFileSync(file) : '<html>no such page</html>');
  });
}

describe.skipIf(!hasBrowser)('the explorer without a service', () => {
  let browser: Browser;
  let host: Server;
  let page: Page;
  const foreign: string[] = [];
  const errors: string[] = [];

  beforeAll(async () => {
    host = staticHost();
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
    browser = await launch();
    page = await newPage(browser, { viewport: { width: 1280, height: 800 } });
    page.on('request', (request) => {
      if (!request.url().startsWith(origin) && !/^(data|blob):/.test(request.url())) foreign.push(request.url());
    });
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.goto(`${origin}/a/folder/`);
    await openSample('Karate club');
  });

  afterAll(async () => {
    await browser?.close();
    host?.closeAllConnections();
    host?.close();
  });

  const shown = (text: string): Promise<void> => page.locator('.shown', { hasText: text }).waitFor();
  const openSample = async (title: string): Promise<void> => {
    await page.getByRole('button', { name: title }).click();
    await shown('34 of 34 vertices and 78 of 78');
    await settled(page);
  };
  const tab = (name: string): Promise<void> => page.getByRole('tab', { name }).click();
  const ask = async (): Promise<string> => {
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.locator('.answer').waitFor();
    return (await page.locator('.answer').textContent()) ?? '';
  };
  const drop = (name: string, content: string): Promise<void> =>
    page.locator('input[aria-label="File with a graph"]').setInputFiles({
      ...{ name, mimeType: 'text/plain', buffer: Buffer.from(content) },
    });

  test('opens a sample, asks it what matters, and colours it by the answer', async () => {
    await tab('Ask');
    const answer = await ask();
    expect(answer).toContain('The first 34 of 34');
    expect(answer.indexOf('Officer')).toBeLessThan(answer.indexOf('Member 3'));
    await page.getByRole('button', { name: 'Colour by this' }).click();
    expect(await page.locator('.legend').textContent()).toContain('Score of the answer');
    expect(foreign).toEqual([]);
  });

  test('draws and lists all shortest paths; a fragment is checked as one types', async () => {
    await page.getByLabel('Ask for').selectOption('path');
    await page.getByLabel('From', { exact: true }).fill('0');
    await page.getByLabel('To', { exact: true }).fill('33');
    const filter = page.getByLabel('Vertices that may be passed');
    await filter.fill('return v => v.Lable == "x";');
    await page.locator('.said .error', { hasText: "Did you mean 'Label'?" }).waitFor();
    await filter.fill('return v => v.La');
    await filter.press('Enter');
    expect(await filter.inputValue()).toBe('return v => v.Label');
    await filter.fill('');
    expect(await ask()).toContain('4 shortest paths.');
    await page.locator('.ways button').first().click();
    await page.getByText('3 vertices chosen').waitFor();
  });

  test('finds by a property and says how; a question can be asked again', async () => {
    await page.getByLabel('Ask for').selectOption('property');
    await page.getByLabel(/^Property/).selectOption('side');
    await page.getByLabel(/^Value$/).fill('Officer');
    const answer = await ask();
    await page.getByText('A scan of all elements; no index was used.').first().waitFor();
    expect(answer).not.toContain('Nothing found');
    await page.getByRole('button', { name: 'side = Officer' }).click();
    await page.locator('.answer h3', { hasText: '18 of 18 shown' }).waitFor();
  });

  test('a table of edges is opened after a dialogue; what is no graph is said to be none', {
    tags: ['long'],
  }, async () => {
    await page.locator('.chip').click();
    await drop('edges.csv', 'from,to,kind,weight\nAda,Grace,knows,3\nGrace,Alan,knows,2\nAda,Alan,wrote,1\n');
    await page.getByText('Each row is an edge').waitFor();
    await page.locator('dialog').getByRole('button', { name: 'Open', exact: true }).click();
    await shown('3 of 3 vertices and 3 of 3 edges');
    await page.locator('.chip').click();
    await drop('words.txt', 'just some words');
    await page.locator('.trouble', { hasText: 'The file is no graph' }).waitFor();
    await page.locator('.chip').click();
    await drop('broken.jsonl', '{"type":"meta","format":"service-jsonl","version":2}\n{"type":"vertex"}\n');
    await page.locator('.trouble', { hasText: /line 2/ }).waitFor();
    await shown('3 of 3 vertices');
    expect(errors).toEqual([]);
    expect(foreign).toEqual([]);
  });

  test('opened from a folder, where browsers load no script, it says so', async () => {
    const bare = await newPage(browser);
    await bare.goto(pathToFileURL(at('dist/explorer/index.html')).href);
    await bare.getByText('Browsers load none from a folder').waitFor();
    await bare.close();
  });
});

// The picture of a cluster in the explorer, over two nodes in a directory, before and after another one writes. `npm run test:explorer` runs it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Node, until, writerOf } from '../durability/cluster-nodes.ts';
import { launch, newPage, violationsOf } from './support/explorer-page.ts';
import { hasBrowser } from './support/page-server.ts';

const isWhole = process.env.EXPLORER_WHOLE !== undefined;

describe.skipIf(!hasBrowser || !isWhole)('a cluster in the explorer', () => {
  let directory: string;
  let browser: Browser;
  const nodes: Node[] = [];

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'arcwise-explorer-'));
    browser = await launch();
  });

  afterAll(async () => {
    await browser?.close();
    for (const node of nodes) await node.end('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });

  test('shows who writes and who follows, and another writer when it is looked at again', async () => {
    const given = {
      ...{ Cluster__Url: pathToFileURL(directory).href, Cluster__Name: 'seen' },
      Cluster__LeaseMilliseconds: '6000',
    };
    nodes.push(await Node.start(given), await Node.start(given));
    const writer = await writerOf(nodes);
    const follower = nodes.find((node) => node !== writer) as Node;
    const body = JSON.stringify([{ label: 'person', creationDate: 0 }]);
    const headers = { 'content-type': 'application/json' };
    const put = await fetch(`${writer.url}/vertices?waitForCompletion=true`, { method: 'PUT', headers, body });
    expect(put.status).toBe(200);
    await expect.poll(() => follower.count(), { timeout: 60_000 }).toBe(1);
    const page = await newPage(browser);
    await page.goto(`${follower.url}/explorer`);
    const host = ({ url }: Node): string => new URL(url).host;
    const picture = (node: Node) =>
      page.getByRole('img', { name: `default is written at ${host(node)}; the others follow.` });
    await picture(writer).waitFor();
    expect(await page.locator('.node').allTextContents()).toEqual([host(writer), `${host(follower)}asked here`]);
    expect(await page.locator('.node.writer').textContent()).toBe(host(writer));
    expect(await violationsOf(page)).toEqual([]);
    await writer.end('SIGTERM');
    await until(follower, 'writer');
    await page.getByRole('button', { name: 'Look at the cluster again' }).click();
    await picture(follower).waitFor();
    await page.close();
  });
});

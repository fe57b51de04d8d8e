// The explorer over two nodes of a cluster: who writes, who follows, and what has become of it when it is looked at again. Wants Chromium.

// @module-tag long

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { Node } from '../durability/cluster-nodes.ts';
import { launch, newPage } from './support/explorer-page.ts';
import { hasBrowser } from './support/page-server.ts';

describe.skipIf(!hasBrowser)('the explorer over a cluster', () => {
  let folder: string;
  let browser: Browser;
  const nodes: Node[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'explorer-cluster-'));
    browser = await launch();
  });

  afterAll(async () => {
    await browser?.close();
    await Promise.all(nodes.map((node) => node.end('SIGKILL')));
    rmSync(folder, { recursive: true, force: true });
  });

  test('draws its nodes, and the next writer when the first one has gone', async () => {
    const given = { Cluster__Url: `file://${folder}/shared` };
    // The bundled service has the explorer's page beside it.
    for (let i = 0; i < 2; i++) nodes.push(await Node.start(given, at('dist/node/main.js')));
    const [writer, replica] = nodes as [Node, Node];
    const nameOf = ({ url }: Node): string => new URL(url).host;
    await expect.poll(() => replica.role(), { timeout: 60_000 }).toBe('replica');
    // An empty graph is welcomed and not drawn.
    const vertex = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{"label":"person"}' };
    expect((await fetch(`${writer.url}/vertex?waitForCompletion=true`, vertex)).status).toBe(202);
    await expect.poll(() => replica.count(), { timeout: 60_000 }).toBe(1);
    const page = await newPage(browser, { viewport: { width: 1280, height: 900 } });
    await page.goto(`${replica.url}/explorer/`);
    const picture = page.getByRole('img', { name: `default is written at ${nameOf(writer)}; the others follow.` });
    await picture.waitFor();
    const rows = () => page.locator('h2:has-text("Cluster") ~ ul li').allTextContents();
    const [first, second] = [nameOf(writer), nameOf(replica)];
    expect((await rows()).sort()).toEqual([`${first} writes default`, `${second} follows`].sort());
    expect(await page.locator('.schema-label.node', { hasText: 'asked here' }).textContent()).toContain(second);
    await writer.end('SIGKILL');
    await expect.poll(() => replica.role(), { timeout: 60_000 }).toBe('writer');
    await page.getByRole('button', { name: 'Look at the cluster again' }).click();
    await page.getByRole('img', { name: new RegExp(`^default is written at ${second};`) }).waitFor();
    expect(await rows()).toContain(`${second} writes default`);
    await page.close();
  });
});

// The documentation in Chromium, opened from its folder without a service: it reads, it is searched, in light, dark and on a narrow screen.

// @module-tag long

import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { launch, violationsOf } from './support/explorer-page.ts';
import { hasBrowser } from './support/page-server.ts';

describe.skipIf(!hasBrowser)('the documentation', () => {
  let browser: Browser;
  const address = (name: string): string => pathToFileURL(at(`dist/site/${name}`)).href;

  beforeAll(async () => {
    browser = await launch();
  });

  afterAll(() => browser?.close());

  test('is searched without a service, by words of any part of it', async () => {
    const page = await browser.newPage();
    const flaws: string[] = [];
    page.on('pageerror', (error) => flaws.push(error.message));
    await page.goto(address('index.html'));
    await page.keyboard.press('/');
    await page.keyboard.type('backfill index');
    await page.locator('#found a').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/(?:indexes|http)\.html#/);
    await page.fill('#search', 'zzzzqqqq');
    await expect.poll(() => page.locator('#found').textContent()).toBe('Nothing found.');
    expect(flaws).toEqual([]);
    await page.close();
  });

  test.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('keeps to the screen and to the rules of accessibility: %s, %i wide', async (colorScheme, width) => {
    const page = await browser.newPage({ viewport: { width, height: 740 }, colorScheme });
    for (const name of ['tutorial.html', 'operations.html', 'index.html']) {
      await page.goto(address(name));
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wider, name).toBeLessThanOrEqual(0);
    }
    expect(await violationsOf(page)).toEqual([]);
    await page.close();
  });
});

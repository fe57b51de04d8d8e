// Every screen of the explorer in light, dark and narrow: it breaks no rule of accessibility, is no wider than the window, and no button lies
// over another. `npm run test:explorer` runs them; `npm run pictures -- --screens FOLDER` takes them as pictures, to be looked at.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillScreens, openScreen, screens } from '../../scripts/lib/explorer-screens.mjs';
import { startService, type TestService } from '../contract/support/service.ts';
import { launch, newPage, violationsOf } from './support/explorer-page.ts';
import { hasBrowser } from './support/page-server.ts';

const isWhole = process.env.EXPLORER_WHOLE !== undefined;
const looks = [
  { look: 'light', colorScheme: 'light', width: 1280, height: 800 },
  { look: 'dark', colorScheme: 'dark', width: 1280, height: 800 },
  { look: 'narrow', colorScheme: 'light', width: 360, height: 740 },
] as const;

/** What ends a look that hangs: a picture drawn in software takes seconds. */
const patienceMs = 1_200_000;

/** Pairs of controls that lie over each other: inside of a dialog where one is open, else on the page. */
function overlaps(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.querySelector('dialog') ?? document;
    const controls = [...root.querySelectorAll('button, select, input, textarea')].filter(
      (one) => one.checkVisibility() && one.closest('.hits, .offers, .schema, .scroll, .unseen') === null,
    );
    // Of what a list scrolls, the part that can be seen.
    const seen = (one: Element) => {
      let { bottom, left, right, top } = one.getBoundingClientRect();
      for (let around = one.parentElement; around !== null; around = around.parentElement) {
        if (getComputedStyle(around).overflowY === 'visible') continue;
        const frame = around.getBoundingClientRect();
        [top, bottom] = [Math.max(top, frame.top), Math.min(bottom, frame.bottom)];
        [left, right] = [Math.max(left, frame.left), Math.min(right, frame.right)];
      }
      return { bottom, left, right, top };
    };
    const boxes = controls.map((one) => ({ one, box: seen(one) }));
    return boxes.flatMap(({ one, box: a }, at) =>
      boxes
        .slice(at + 1)
        .filter(({ box: b }) => {
          const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
          const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
          return across > 1 && down > 1;
        })
        .map(({ one: other }) => `${one.textContent || one.tagName} over ${other.textContent || other.tagName}`),
    );
  });
}

describe.skipIf(!hasBrowser || !isWhole)('the screens of the explorer', () => {
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    service = await startService({ 'Security:SensitiveRateLimitPermitPerWindow': 10_000 });
    await fillScreens(service.url);
    browser = await launch();
  });

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  test.each(looks)('every screen in $look', { timeout: patienceMs }, async ({ width, height, colorScheme }) => {
    const page = await newPage(browser, { viewport: { width, height }, colorScheme });
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    const flaws: string[] = [];
    for (const screen of screens) {
      await openScreen(page, service.url, screen);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      const found = [
        ...(await violationsOf(page)),
        ...(await overlaps(page)),
        ...(wide > 0 ? [`${wide} too wide`] : []),
      ];
      flaws.push(...found.map((flaw) => `${screen.name}: ${flaw}`));
    }
    expect(flaws).toEqual([]);
    expect(errors).toEqual([]);
    await page.close();
  });
});

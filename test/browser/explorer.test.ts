// The explorer in Chromium against a running service. `npm run test:explorer` adds what takes long. Without a browser the tests are
// skipped and say so.

// @module-tag long

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../../src/client/index.ts';
import { startService, type TestService } from '../contract/support/service.ts';
import {
  explore,
  fill,
  inPicture,
  type Line,
  launch,
  newPage,
  settled,
  violationsOf,
} from './support/explorer-page.ts';
import { executablePath, hasBrowser } from './support/page-server.ts';

if (!hasBrowser) console.log(`No explorer tests: there is no ${executablePath}; CHROMIUM_PATH names another one.`);
const run = promisify(execFile);
const isWhole = process.env.EXPLORER_WHOLE !== undefined;

const hubEdges = isWhole ? 100_000 : 400;
const named = (count: number): Line[] =>
  Array.from({ length: count }, (_, id) => ({ properties: { name: `Name ${id}` } }));
const markup = '<img src=x onerror="globalThis.wasRun = true"><script>globalThis.wasRun = true</script>';

describe.skipIf(!hasBrowser)('the explorer', () => {
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    service = await startService({ 'Security:SensitiveRateLimitPermitPerWindow': 10_000 });
    const people: Line[] = [...named(120), { label: 'town', properties: { name: 'Ulm' } }];
    const knows = Array.from({ length: 300 }, (_, i) => [i % 120, (i * 7 + 1) % 120, 'knows'] as const);
    await fill(service, 'people', people, [
      ...knows,
      [5, 120, 'livesIn'],
      [5, 5, 'knows'],
      [5, 6, 'knows'],
      [5, 6, 'likes'],
    ]);
    const spokes = Array.from({ length: hubEdges }, (_, i) => [0, i + 1, 'spoke'] as const);
    await fill(service, 'hub', named(hubEdges + 1), spokes);
    const links = { site: 'javascript:alert(1)', home: 'https://example.org/a' };
    const wild = [{ label: '<b>bold</b>', properties: { name: markup, note: '\u202eright to left', ...links } }];
    await fill(
      service,
      'wild',
      [...wild, { label: 'a'.repeat(300), properties: { name: 'x'.repeat(100_000) } }],
      [[0, 1, markup]],
    );
    const roads = Array.from({ length: 60 }, (_, id) => ({ properties: { name: `Road ${id} to Ulm` } }));
    await fill(service, 'roads', [...roads, { properties: { name: 'Ulm' } }], []);
    await fill(service, 'none', [], []);
    browser = await launch();
  });

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const shownIn = (page: Page): Promise<string> =>
    page.locator('.shown').evaluate(({ textContent }) => textContent ?? '');
  const shows = (page: Page, count: number): Promise<void> =>
    page.locator('.shown', { hasText: new RegExp(`^${count} of`) }).waitFor();
  const chooseByName = async (page: Page, name: string): Promise<void> => {
    if ((await page.locator('.table').count()) === 0) await page.getByRole('button', { name: 'Table' }).click();
    await page.getByLabel('Find in the picture').fill(name);
    await page.locator('tbody').getByRole('button', { name, exact: true }).click();
    await page.locator('.groups li').first().waitFor();
  };

  test('first sight: counts, labels, types, keys, schema and picture, from the service alone', async () => {
    const { page, foreign, errors } = await explore(browser, service.url, 'people');
    await page.locator('.schema').waitFor();
    expect(await shownIn(page)).toBe('121 of 121 vertices and 304 of 304 edges shown');
    const overview = (await page.locator('.overview').textContent()) ?? '';
    for (const part of ['person', '120 of 120', 'town', 'knows', 'livesIn', 'name']) expect(overview).toContain(part);
    expect(await page.locator('.schema svg').getAttribute('aria-label')).toContain('person to town: livesIn');
    expect(foreign).toEqual([]);
    expect(errors).toEqual([]);
    await page.close();
  });

  test.runIf(isWhole)('captions never touch, and the same graph gives the same picture', async () => {
    const pictures: unknown[] = [];
    for (let time = 0; time < 2; time++) {
      const { page } = await explore(browser, service.url, 'people');
      await page.waitForFunction(
        () => (globalThis as unknown as { arcwisePicture: { captions: unknown[] } }).arcwisePicture.captions.length > 5,
      );
      const boxes = await inPicture(page, (picture) => picture.captions);
      for (const [at, a] of boxes.entries())
        for (const b of boxes.slice(at + 1))
          expect(a.left >= b.right || b.left >= a.right || a.top >= b.bottom || b.top >= a.bottom).toBe(true);
      const places = await inPicture(page, (picture) => [0, 5, 120].map((id) => picture.screenOf(id)));
      // What the camera computes may differ in the last bits, by the steps in which it came there.
      pictures.push(places.map((place) => [place?.x.toFixed(6), place?.y.toFixed(6)]));
      await page.close();
    }
    expect(pictures[0]).toEqual(pictures[1]);
  });

  test('a hub unfolds in steps that move nothing else, never repeat, and can be taken back', async () => {
    const { page, errors } = await explore(browser, service.url, 'hub');
    const before = await shownIn(page);
    expect(before).toMatch(/^300 of [\d,]+ vertices/);
    await chooseByName(page, 'Name 0');
    await settled(page);
    const places = (): Promise<unknown> => inPicture(page, ({ positions }) => [...positions].slice(0, 300));
    const stood = await places();
    for (const count of [325, 350]) {
      await page.getByRole('button', { name: 'Next 25 edges' }).click();
      await shows(page, count);
      await settled(page);
    }
    expect(await places()).toEqual(stood);
    expect(await page.locator('.groups .count').textContent()).toBe(`349 of ${hubEdges.toLocaleString('en')} shown`);
    await page.getByRole('button', { name: 'Collapse' }).click();
    await shows(page, 300);
    expect(await shownIn(page)).toBe(before);
    await page.keyboard.press('Control+z');
    await shows(page, 350);
    expect(await places()).toEqual(stood);
    expect(errors).toEqual([]);
    await page.close();
  });

  test.runIf(isWhole)('hiding says so, search adds, calls can be copied', async () => {
    const { page } = await explore(browser, service.url, 'people');
    await page
      .locator('.overview')
      .getByRole('button', { name: /^town 1 of/ })
      .click();
    await page.getByText('2 hidden · show all').click();
    await shows(page, 121);
    await page.getByRole('searchbox', { name: 'Search all' }).fill('ulm');
    await page.locator('.hits button').click();
    await page.locator('.details h2', { hasText: 'Ulm' }).waitFor();
    await page.getByRole('button', { name: 'Calls' }).click();
    const curl = await page.getByRole('button', { name: 'Copy as curl' }).last().getAttribute('title');
    expect(curl).toBe(`curl -s '${service.url}/ns/people/status'`);
    await page.close();
  });

  test.runIf(isWhole)(
    'every call that can be copied is answered the same by curl and by the typed client',
    async () => {
      const { page } = await explore(browser, service.url, 'hub');
      await chooseByName(page, 'Name 0');
      await page.getByRole('button', { name: 'Next 25 edges' }).click();
      await settled(page);
      await page.getByRole('tab', { name: 'Ask' }).click();
      await page.getByRole('button', { name: 'Ask', exact: true }).click();
      await page.locator('.answer').waitFor();
      await page.getByRole('button', { name: 'Calls' }).click();
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const rows = page.locator('.calls li');
      await rows.first().waitFor();
      const copied = async (place: number): Promise<string[]> => {
        const texts: string[] = [];
        for (const row of await rows.all()) {
          await row.getByRole('button').nth(place).click();
          texts.push((await page.evaluate('navigator.clipboard.readText()')) as string);
        }
        return texts;
      };
      const [curls, lines] = [await copied(0), await copied(1)];
      expect(lines.length).toBe(curls.length);
      expect(curls.length).toBeGreaterThan(6);
      const client = new Client({ url: service.url, namespace: 'hub' });
      const Run = Object.getPrototypeOf(async () => {}).constructor as new (
        ...texts: string[]
      ) => (client: Client) => Promise<unknown>;
      for (const [at, curl] of curls.entries()) {
        const { stdout } = await run('sh', ['-c', `${curl} -o /dev/null -w '%{http_code}'`]);
        expect(stdout, curl).toMatch(/^2/);
        await new Run('client', lines[at] as string)(client);
      }
      await page.close();
    },
  );

  test('a search shows what bears the text as its name first, however many have it somewhere', async () => {
    const { page } = await explore(browser, service.url, 'roads');
    await page.getByRole('searchbox', { name: 'Search all' }).fill('Ulm');
    await page.locator('.hits', { hasText: '40 of 61 shown' }).waitFor();
    expect(await page.locator('.hits button').first().textContent()).toBe('Ulmperson #60');
    await page.close();
  });

  test('a tab begins at its upper end, wherever another one was left', async () => {
    const { page } = await explore(browser, service.url, 'people', { height: 500 });
    await page.getByRole('tab', { name: 'Ask' }).click();
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.locator('.answer .found button').last().scrollIntoViewIfNeeded();
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.locator('.totals').waitFor();
    expect(await page.locator('#side-panel').evaluate(({ scrollTop }) => scrollTop)).toBe(0);
    expect(await page.locator('#side-panel').evaluate(({ scrollHeight: all, clientHeight: seen }) => all > seen)).toBe(
      true,
    );
    await page.close();
  });

  test.runIf(isWhole)('keys do what buttons do', async () => {
    const { page } = await explore(browser, service.url, 'people');
    await page.keyboard.press('/');
    await page.keyboard.type('Name 5');
    await page.locator('.hits', { hasText: '11 of 11 shown' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('.details').waitFor();
    await settled(page);
    await page.locator('.surface').focus();
    const scale = await inPicture(page, ({ camera }) => camera.scale);
    await page.keyboard.press('+');
    expect(await inPicture(page, ({ camera }) => camera.scale)).toBeGreaterThan(scale);
    await page.keyboard.press('h');
    await shows(page, 120);
    await page.keyboard.press('Control+z');
    await shows(page, 121);
    await page.close();
  });

  test.each(isWhole ? ['light', 'dark'] : ['light'])('breaks no rule of accessibility in %s', async (theme) => {
    const { page } = await explore(browser, service.url, 'people', { dark: theme === 'dark' });
    await page.locator('.schema').waitFor();
    await chooseByName(page, 'Name 5');
    await settled(page);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Calls' }).click();
    expect(await violationsOf(page)).toEqual([]);
    await page.close();
  });

  test.runIf(isWhole)('markup, marks and long texts stay texts', async () => {
    const { page, errors } = await explore(browser, service.url, 'wild');
    await page.locator('.schema').waitFor();
    await page.getByRole('button', { name: 'Table' }).click();
    await page.locator('tbody button').first().click();
    await page.locator('.properties').waitFor();
    expect(await page.evaluate('globalThis.wasRun')).toBeUndefined();
    const link = page.locator('.properties a');
    expect(await link.count()).toBe(1);
    expect(await link.getAttribute('href')).toBe('https://example.org/a');
    expect(await link.getAttribute('rel')).toContain('noopener');
    expect(await page.locator('meta[http-equiv]').getAttribute('content')).not.toContain('unsafe-inline');
    expect(await page.locator('script:not([src]), [onclick], [onload]').count()).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(errors).toEqual([]);
    await page.close();
  });

  test.runIf(isWhole)('360 pixels are enough to read, and no graph is said to be none', async () => {
    const { page } = await explore(browser, service.url, 'people', { width: 360, height: 740 });
    await page.locator('.schema').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    await page.goto('about:blank');
    await page.goto(`${service.url}/explorer#ns=none`);
    await page.getByText('This graph has no vertices yet').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.goto('about:blank');
    await page.goto(`${service.url}/explorer#ns=missing`);
    await page.getByText('No graph to show').waitFor();
    await page.getByText(/check the namespace/).waitFor();
    await page.close();
  });

  test('a service that wants a key gets it; what is no service is said to be none', async () => {
    const apiKey = 'a-key-of-some-length';
    const locked = await startService({ 'Security:ApiKey': apiKey });
    const page = await newPage(browser);
    await page.goto(`${locked.url}/explorer`);
    await page.getByRole('button', { name: 'Type in the key' }).click();
    await page.getByLabel('API key').fill(apiKey);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText('This graph has no vertices yet').waitFor();
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(apiKey);
    await page.locator('.chip').click();
    await page.getByLabel('API key').fill(apiKey);
    await page.getByLabel('Keep the key in this browser').check();
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText('This graph has no vertices yet').waitFor();
    expect(await page.evaluate('JSON.stringify(localStorage)')).toContain(apiKey);
    await locked.stop();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText(/There is no answer from/).waitFor();
    await page.close();
  });

  test('a service that fails before anything is drawn is told of', async () => {
    const page = await newPage(browser);
    await page.addInitScript(() => {
      globalThis.fetch = () => Promise.reject(new TypeError('no answer'));
    });
    await page.goto(`${service.url}/explorer#ns=people`);
    await page.getByText('No graph to show').waitFor();
    await page.getByText(/There is no answer from/).waitFor();
    await page.close();
  });

  test.runIf(isWhole)('without WebGL the table remains, with a word', async () => {
    const bare = await launch(['--disable-3d-apis']);
    const { page } = await explore(bare, service.url, 'people');
    await page.getByText('This browser gives no WebGL2').waitFor();
    await chooseByName(page, 'Name 5');
    await bare.close();
  });
});

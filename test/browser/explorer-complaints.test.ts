// The five complaints about explorers, each as a test: it freezes, it scrambles, a hub floods it, labels lie over each other, it hides what is
// missing. With them memory, figures of large pictures (printed: they are of this machine), and what services and graphs do wrong.
// `npm run test:explorer` runs them.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
import { hasBrowser } from './support/page-server.ts';

const isWhole = process.env.EXPLORER_WHOLE !== undefined;
/** Vertices of the graphs whose figures are printed; a part of them with EXPLORER_SIZES=20000,200000. */
const sizes = (process.env.EXPLORER_SIZES ?? '20000,200000,1000000').split(',').map(Number);
const json = { 'content-type': 'application/json' };
const shownMost = 200_000;

interface Drawn {
  draws: number;
  uploads: number;
}

/** In the page, before its scripts: calls that draw, and calls that send numbers. */
function countDrawing(): void {
  const counts: Drawn = { draws: 0, uploads: 0 };
  const own = WebGL2RenderingContext.prototype;
  const { drawArrays, texImage2D } = own;
  own.drawArrays = function (...args) {
    counts.draws++;
    drawArrays.apply(this, args);
  };
  own.texImage2D = function (...args: unknown[]) {
    counts.uploads++;
    (texImage2D as (...all: unknown[]) => void).apply(this, args);
  };
  Object.assign(globalThis, { drawnSoFar: counts });
}

function drawn(page: Page): Promise<Drawn> {
  return page.evaluate(() => ({ ...(globalThis as unknown as { drawnSoFar: Drawn }).drawnSoFar }));
}

/** What the page shows of its picture. A policy of content keeps it from evaluating texts, so waiting asks by functions. */
interface Shown {
  readonly arcwisePicture: {
    readonly captions: readonly unknown[];
    readonly isStill: boolean;
    readonly texts: HTMLElement;
    readonly positions: ReadonlyMap<number, unknown>;
    screenOf(id: number): { x: number; y: number };
    readonly buffers?: { readonly vertexIds: { readonly length: number } };
  };
}

describe.skipIf(!hasBrowser || !isWhole)('complaints about explorers', () => {
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    service = await startService({
      'Security:SensitiveRateLimitPermitPerWindow': 10_000,
      'BulkIO:MaxLineBytes': 20_000_000,
    });
    const people: Line[] = Array.from({ length: 400 }, (_, id) => ({
      label: id % 5 === 0 ? 'town' : 'person',
      properties: { name: `A name of some length ${id}`, age: String(id % 90) },
    }));
    const knows = Array.from({ length: 900 }, (_, i) => [(i * 31) % 400, (i * 17 + 1) % 400, 'knows'] as const);
    await fill(service, 'people', people, knows);
    await fill(service, 'alone', named(50), []);
    browser = await launch();
  });

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const named = (count: number): Line[] =>
    Array.from({ length: count }, (_, id) => ({ properties: { name: `Name ${id}` } }));
  const tab = (page: Page, name: string): Promise<void> => page.getByRole('tab', { name }).click();
  const choose = async (page: Page, name: string): Promise<void> => {
    if ((await page.locator('.table').count()) === 0) await page.getByRole('button', { name: 'Table' }).click();
    await page.getByLabel('Find in the picture').fill(name);
    await page.locator('tbody').getByRole('button', { name, exact: true }).click();
    await page.locator('.groups li').first().waitFor();
  };
  const places = (page: Page): Promise<string> =>
    page.evaluate('JSON.stringify([...globalThis.arcwisePicture.positions].slice(0, 300))') as Promise<string>;

  test('it stays still: an expansion, a question, a filter and undo move nothing that stands', async () => {
    const { page, errors } = await explore(browser, service.url, 'people');
    await choose(page, 'A name of some length 7');
    const stood = await places(page);
    await page.getByRole('button', { name: 'Next 25 edges' }).click();
    await settled(page);
    expect(await places(page)).toBe(stood);
    await tab(page, 'Ask');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.locator('.answer').waitFor();
    await page.getByRole('button', { name: 'Add to the picture' }).click();
    await settled(page);
    expect(await places(page)).toBe(stood);
    await page.keyboard.press('Control+z');
    await settled(page);
    expect(await places(page)).toBe(stood);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('a click moves nothing on the screen, and a double click expands what it met, wherever it stands', async () => {
    const { page, errors } = await explore(browser, service.url, 'people');
    /** The vertex that stands farthest to the left or right, alone on its spot, in pixels of the page. */
    const spot = (side: number): Promise<{ id: number; x: number; y: number; rest: string }> =>
      page.evaluate((side) => {
        const { arcwisePicture: picture } = globalThis as unknown as Shown;
        const { left, top } = picture.texts.getBoundingClientRect();
        const at = [...picture.positions.keys()].map((id) => ({ id, ...picture.screenOf(id) }));
        const alone = at.filter((a) => at.every((b) => a === b || Math.hypot(a.x - b.x, a.y - b.y) > 30));
        const found = alone
          .filter(({ y }) => y > 120 && y < 500)
          .sort((a, b) => side * (b.x - a.x))[0] as (typeof at)[number];
        return {
          id: found.id,
          x: left + found.x,
          y: top + found.y,
          rest: at.map((one) => `${one.id} ${one.x.toFixed(3)} ${one.y.toFixed(3)}`).join(),
        };
      }, side);
    const far = await spot(-1);
    await page.mouse.click(far.x, far.y);
    await page.locator('.details .kind', { hasText: `#${far.id}` }).waitFor();
    await page.waitForFunction(() => (globalThis as unknown as Shown).arcwisePicture.isStill);
    expect((await spot(-1)).rest).toBe(far.rest);
    await page.keyboard.press('Escape');
    await page.locator('.details').waitFor({ state: 'detached' });
    const near = await spot(1);
    await page.mouse.dblclick(near.x, near.y);
    await page.locator('.details .kind', { hasText: `#${near.id}` }).waitFor();
    await page.locator('[role=status]', { hasText: /more edges of|All edges of/ }).waitFor({ state: 'attached' });
    await settled(page);
    const inView = await page.evaluate((id) => {
      const { arcwisePicture: picture } = globalThis as unknown as Shown;
      return picture.screenOf(id).x < picture.texts.getBoundingClientRect().width;
    }, near.id);
    expect(inView).toBe(true);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('a hub of a million edges: no more is sent than is shown, next never repeats, collapse takes it back', async () => {
    const million = Array.from({ length: 1_000_000 }, (_, i) => [0, 1 + (i % 1000), 'spoke'] as const);
    await fill(service, 'hub', named(1001), million);
    const page = await newPage(browser);
    let largest = 0;
    page.on('response', async (answer) => {
      const { pathname } = new URL(answer.url());
      const isData = pathname.includes('/ns/hub/') && !/bestConnected|graphelements/.test(pathname);
      if (isData) largest = Math.max(largest, (await answer.body().catch(() => Buffer.alloc(0))).length);
    });
    await page.goto(`${service.url}/explorer#ns=hub`);
    await page.locator('.status .shown').waitFor();
    await settled(page);
    await page.getByRole('searchbox').fill('#0');
    await page.locator('.hits button').first().click();
    await page.locator('.groups', { hasText: 'of 1,000,000 shown' }).waitFor();
    largest = 0;
    const shownEdges = async (): Promise<number> =>
      Number(/and ([\d,]+) of/.exec((await page.locator('.shown').textContent()) ?? '')?.[1]?.replaceAll(',', ''));
    const before = await shownEdges();
    for (let step = 1; step <= 4; step++) {
      await page.getByRole('button', { name: 'Next 25 edges' }).click();
      await page
        .locator('.groups', { hasText: `${(before + 25 * step).toLocaleString('en')} of 1,000,000 shown` })
        .waitFor();
      await settled(page);
    }
    console.log(`The largest answer of four steps at a hub of a million edges: ${largest} bytes.`);
    await page.getByRole('button', { name: 'Collapse' }).click();
    await page.locator('.groups', { hasText: `${before.toLocaleString('en')} of 1,000,000 shown` }).waitFor();
    await page.close();
  });

  test('no caption touches another one, and none but the three largest lie over another vertex, at any zoom', async () => {
    const { page } = await explore(browser, service.url, 'people');
    for (let zoom = 0; zoom < 3; zoom++) {
      await page.waitForFunction(() => {
        const { captions, isStill } = (globalThis as unknown as Shown).arcwisePicture;
        return isStill && captions.length > 3;
      });
      const flaws = await inPicture(page, (picture) => {
        const { captions, buffers, screenOf } = picture as unknown as {
          captions: { id: number; left: number; right: number; top: number; bottom: number }[];
          buffers: { vertexIds: Int32Array; vertices: Float32Array };
          screenOf(id: number): { x: number; y: number };
        };
        const bad: string[] = [];
        for (const [at, a] of captions.entries()) {
          for (const b of captions.slice(at + 1))
            if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
              bad.push(`${a.id} ${b.id}`);
          for (const [place, id] of buffers.vertexIds.entries()) {
            const { x, y } = screenOf.call(picture, id);
            const scale = (picture as unknown as { camera: { scale: number } }).camera.scale;
            const radius = Math.min(26, Math.max(1.5, (buffers.vertices[4 * place + 2] as number) * Math.sqrt(scale)));
            const dx = x - Math.max(a.left, Math.min(x, a.right));
            const dy = y - Math.max(a.top, Math.min(y, a.bottom));
            if (at >= 3 && id !== a.id && Math.hypot(dx, dy) < radius - 0.5) bad.push(`${a.id} over ${id}`);
          }
        }
        return bad;
      });
      expect(flaws).toEqual([]);
      await page.getByRole('button', { name: 'Zoom in' }).click();
    }
    await page.close();
  });

  test('what is shown and what there is are the true counts, also when things are hidden or filtered', async () => {
    const { page } = await explore(browser, service.url, 'people');
    const count = async (path: string): Promise<string> =>
      Number(await (await fetch(`${service.url}/ns/people/${path}/count`)).text()).toLocaleString('en');
    const [vertices, edges] = [await count('vertex'), await count('edge')];
    const isTrue = async (): Promise<void> => {
      await settled(page);
      const drawn = await inPicture(page, (picture) => {
        const { buffers } = picture as unknown as { buffers: { vertexIds: Int32Array; drawnEdges: unknown[] } };
        return [buffers.vertexIds.length, buffers.drawnEdges.length] as const;
      });
      const [shown, shownEdges] = drawn.map((one) => one.toLocaleString('en'));
      expect(await page.locator('.shown').textContent()).toBe(
        `${shown} of ${vertices} vertices and ${shownEdges} of ${edges} edges shown`,
      );
    };
    await isTrue();
    await page.locator('.overview').getByTitle('Hide town').click();
    await page.getByText(/hidden · show all/).waitFor();
    await isTrue();
    await page.getByText(/hidden · show all/).click();
    await choose(page, 'A name of some length 8');
    await page.getByRole('button', { name: 'Only neighbours' }).click();
    await isTrue();
    await page.close();
  });

  test('memory is flat over fifty changes of style', async () => {
    const { page } = await explore(browser, service.url, 'people');
    const session = await page.context().newCDPSession(page);
    await tab(page, 'Look');
    const change = async (times: number): Promise<void> => {
      for (let i = 0; i < times; i++) {
        await page.getByLabel('Colours show').selectOption(i % 2 === 0 ? 'degree' : 'label');
        await page.getByLabel('Sizes show').selectOption(i % 2 === 0 ? 'same' : 'degree');
      }
    };
    const used = async (): Promise<number> => {
      await session.send('HeapProfiler.collectGarbage');
      return (await session.send('Runtime.getHeapUsage')).usedSize;
    };
    await change(10);
    const before = await used();
    await change(50);
    const after = await used();
    console.log(`Heap before and after 50 changes of style: ${before} and ${after} bytes.`);
    expect(after - before).toBeLessThan(1_000_000);
    await page.close();
  });

  test('services that are gone, busy, closed, or something else say what to do, and come back', async () => {
    const page = await newPage(browser);
    const answers: [RegExp, { status: number; body: string; contentType: string } | null][] = [
      [
        /What answers at .* is no Arcwise service/,
        { status: 200, body: '<html>hello</html>', contentType: 'text/html' },
      ],
      [
        /asks for a pause/,
        { status: 429, body: '{"title":"Too Many Requests","status":429}', contentType: 'application/problem+json' },
      ],
      [
        /is not ready: .*loading/,
        {
          status: 503,
          body: '{"title":"Namespace not loaded","status":503,"detail":"It is loading."}',
          contentType: 'application/problem+json',
        },
      ],
      [/There is no answer from/, null],
    ];
    await page.goto(`${service.url}/explorer#ns=people`);
    await page.locator('.status .shown').waitFor();
    for (const [words, answer] of answers) {
      await page.route('**/ns/people/**', (route) => (answer === null ? route.abort() : route.fulfill(answer)));
      await page.reload();
      await page.locator('[role=alert]', { hasText: words }).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.unrouteAll();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.locator('.status .shown').waitFor();
    }
    // Gone while a picture is shown: the picture stays, and the next step works again.
    await settled(page);
    await page.route('**/ns/people/**', (route) => route.abort());
    await page.getByRole('searchbox').fill('length 8');
    await page.locator('.trouble', { hasText: 'There is no answer from' }).waitFor();
    await page.locator('.hits').waitFor({ state: 'detached' });
    await page.locator('.shown', { hasText: /^300 of 400/ }).waitFor();
    await page.unrouteAll();
    await page.getByRole('searchbox').fill('length 80');
    await page.locator('.hits', { hasText: '1 of 1 shown' }).waitFor();
    await page.close();
  });

  test('a question that takes long shows its time beside what it may take, and can be stopped', async () => {
    const { page, errors } = await explore(browser, service.url, 'people');
    await page.route('**/analytics/PAGERANK', () => {}); // it is never answered
    await tab(page, 'Ask');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.locator('.running', { hasText: 's of up to 30 s' }).waitFor();
    expect(await page.locator('.running progress').getAttribute('max')).toBe('30');
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('.running').waitFor({ state: 'detached' });
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.locator('.answer h3', { hasText: 'The first 50 of 400' }).waitFor();
    expect(errors).toEqual([]);
    await page.close();
  });

  test('a graph without edges, and texts of ten megabytes', async () => {
    const alone = await explore(browser, service.url, 'alone');
    await alone.page.getByText('There are no edges.').waitFor();
    expect(await alone.page.locator('.shown').textContent()).toBe('50 of 50 vertices and 0 of 0 edges shown');
    await alone.page.close();
    await fill(service, 'texts', [{ properties: { name: 'long', text: 'x'.repeat(10_000_000) } }, {}], [[0, 1, 'e']]);
    const { page, errors } = await explore(browser, service.url, 'texts');
    await choose(page, 'long');
    await page.locator('.properties').waitFor();
    expect(((await page.locator('.properties').textContent()) ?? '').length).toBeLessThan(100_000);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('a tab that was frozen goes on: what came meanwhile is there', async () => {
    const { page } = await explore(browser, service.url, 'alone');
    await page.getByRole('button', { name: 'Live' }).click();
    await page.locator('[role=status]', { hasText: 'New elements appear' }).waitFor({ state: 'attached' });
    const session = await page.context().newCDPSession(page);
    await session.send('Page.setWebLifecycleState', { state: 'frozen' });
    await fetch(`${service.url}/ns/alone/vertices?waitForCompletion=true`, {
      ...{ method: 'PUT', headers: json },
      body: JSON.stringify([{ label: 'person', creationDate: 0 }]),
    });
    await session.send('Page.setWebLifecycleState', { state: 'active' });
    await page.locator('.shown', { hasText: /^51 of 51/ }).waitFor();
    await page.close();
  });

  test('everything can be reached and done by keys alone', async () => {
    const { page } = await explore(browser, service.url, 'people');
    await page.locator('.schema').waitFor();
    const focused = (): Promise<string> =>
      page.evaluate(() => {
        const { activeElement } = document;
        const named = activeElement?.getAttribute('aria-label') ?? activeElement?.closest('label')?.textContent;
        return (named ?? activeElement?.textContent ?? '').trim().slice(0, 40);
      });
    const reach = async (name: string, key = 'Tab', presses = 120): Promise<void> => {
      for (let press = 0; press < presses; press++) {
        await page.keyboard.press(key);
        if ((await focused()).startsWith(name)) return;
      }
      throw new Error(`${presses} presses of ${key} do not reach ${name}.`);
    };
    const shows = (count: number): Promise<void> =>
      page.locator('.shown', { hasText: new RegExp(`^${count} of 400`) }).waitFor();
    // In the order in which they stand, by Tab alone.
    for (const name of ['Search all', 'Open', 'Calls', 'Overview', 'Undo', 'Redo', 'Show so many', 'Lasso', 'Live'])
      await reach(name === 'Open' ? `${new URL(service.url).host} people` : name);
    await reach('Table');
    await page.keyboard.press('Enter');
    for (const name of ['Zoom in', 'Fit all', 'Full screen', 'Arrange again', 'Freeze', 'Find in', 'A name'])
      await reach(name);
    await page.keyboard.press('Enter');
    await page.locator('.details h2').waitFor();
    await page.keyboard.press('h');
    await shows(299);
    await reach('Undo', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await shows(300);
    expect(await focused()).toBe('Undo');
    await reach('Redo');
    await page.keyboard.press('Space');
    await shows(299);
    await reach('Overview', 'Shift+Tab');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe('Ask');
    await reach('Time budget');
    await reach('Ask');
    await page.keyboard.press('Enter');
    await page.locator('.answer .found button').first().waitFor();
    await reach('Colour by this');
    await page.keyboard.press('Enter');
    await page.locator('.legend', { hasText: 'Score of the answer' }).waitFor();
    await reach('A name');
    await page.keyboard.press('Enter');
    await page.locator('.details h2').waitFor();
    await page.close();
  });

  test.each(sizes)('it does not freeze: a picture of %i vertices, and a click', async (count) => {
    const lines: Line[] = Array.from({ length: count }, (_, id) => ({
      label: count >= 1_000_000 ? `label ${id}` : `label ${id % 9}`,
    }));
    const edgeCount = count * (count === 200_000 ? 5 : 2);
    const edges = Array.from({ length: edgeCount }, (_, i) => [i % count, (i * 7919 + 13) % count, 'e'] as const);
    await fill(service, `size-${count}`, lines, edges);
    const page = await newPage(browser, { viewport: { width: 1280, height: 800 } });
    await page.addInitScript(countDrawing);
    const startMs = performance.now();
    await page.goto(`${service.url}/explorer#ns=size-${count}`);
    await page.locator('.status .shown').waitFor();
    const sightMs = performance.now() - startMs;
    await page.waitForFunction(
      () => ((globalThis as unknown as Partial<Shown>).arcwisePicture?.buffers?.vertexIds.length ?? 0) > 0,
    );
    const firstMs = performance.now() - startMs;
    await page.locator('.schema').waitFor();
    await settled(page);
    const wanted = Math.min(count, shownMost);
    const largeMs = performance.now();
    await page.getByLabel('Show so many vertices').selectOption(String(wanted));
    await page.locator('.shown', { hasText: `${wanted.toLocaleString('en')} of` }).waitFor();
    await page.waitForFunction(
      (count) => (globalThis as unknown as Shown).arcwisePicture.buffers?.vertexIds.length === count,
      wanted,
    );
    const shownMs = performance.now() - largeMs;
    await settled(page);
    const edgesShown = Number(
      /and ([\d,]+) of/.exec((await page.locator('.shown').textContent()) ?? '')?.[1]?.replaceAll(',', ''),
    );
    expect(await page.locator('.status', { hasText: 'edges is drawn' }).count()).toBe(edgesShown > 60_000 ? 1 : 0);
    const before = await drawn(page);
    const frames = (await page.evaluate(`new Promise((resolve) => {
      const times = [];
      let last = performance.now();
      const step = () => {
        const now = performance.now();
        times.push(now - last);
        last = now;
        globalThis.arcwisePicture.panBy(times.length % 2 === 0 ? 9 : -9, 3);
        if (times.length < 24) requestAnimationFrame(step); else resolve(times.slice(4).sort((a, b) => a - b));
      };
      requestAnimationFrame(step);
    })`)) as number[];
    await settled(page);
    const after = await drawn(page);
    // Whatever the size: a call a layer and frame, and nothing is sent to the processor of graphics again because the view moved.
    expect(after.uploads - before.uploads).toBe(0);
    expect(after.draws - before.draws).toBeGreaterThan(24);
    expect(after.draws - before.draws).toBeLessThanOrEqual(3 * (24 + 2));
    const spot = (await page.evaluate(`(() => {
      const picture = globalThis.arcwisePicture;
      const { left, top } = picture.texts.getBoundingClientRect();
      for (const id of picture.buffers.vertexIds) {
        const { x, y } = picture.screenOf(id);
        if (x > 300 && x < 500 && y > 200 && y < 400) return { x: left + x, y: top + y };
      }
      return null;
    })()`)) as { x: number; y: number } | null;
    expect(spot).not.toBeNull();
    const clickMs = performance.now();
    await page.mouse.click(spot?.x ?? 0, spot?.y ?? 0);
    await page.locator('.details .groups li').first().waitFor();
    const clickedMs = performance.now() - clickMs;
    await settled(page);
    expect((await drawn(page)).uploads - after.uploads, 'three textures, for what a click dims').toBeLessThanOrEqual(6);
    const middle = frames[Math.floor(frames.length / 2)] as number;
    console.log(
      `${count.toLocaleString('en')} vertices, ${edgeCount.toLocaleString('en')} edges (WebGL by software): numbers ${sightMs.toFixed(0)} ms, first picture ${firstMs.toFixed(0)} ms, ` +
        `${wanted.toLocaleString('en')} shown after ${shownMs.toFixed(0)} ms, frame ${middle.toFixed(0)} ms (slowest ${frames.at(-1)?.toFixed(0)}), ` +
        `click to details ${clickedMs.toFixed(0)} ms.`,
    );
    await page.close();
    await fetch(`${service.url}/ns/size-${count}`, { method: 'DELETE' });
  });
});

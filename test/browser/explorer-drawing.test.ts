// What the graphics processor has drawn, read back from the canvas: lines and arrows end where the disc of their target begins.

// @module-tag long

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Point } from '../../explorer/model/positions.ts';
import type { Buffers } from '../../explorer/render/buffers.ts';
import type { Camera } from '../../explorer/render/camera.ts';
import { startService, type TestService } from '../contract/support/service.ts';
import { explore, fill, launch, settled } from './support/explorer-page.ts';
import { hasBrowser } from './support/page-server.ts';

interface Pictured {
  readonly arcwisePicture: {
    readonly canvas: HTMLCanvasElement;
    readonly camera: Camera;
    readonly buffers: Buffers;
    screenOf(id: number): Point;
  };
}

/** In the page: how many strokes cross a circle that lies so many pixels outside of the disc of a vertex. */
function strokesAround({ id, outside }: { id: number; outside: number }): number {
  const { canvas, camera, buffers, screenOf } = (globalThis as unknown as Pictured).arcwisePicture;
  const copy = document.createElement('canvas');
  Object.assign(copy, { width: canvas.width, height: canvas.height });
  const context = copy.getContext('2d') as CanvasRenderingContext2D;
  context.drawImage(canvas, 0, 0);
  const { x, y } = screenOf.call((globalThis as unknown as Pictured).arcwisePicture, id);
  const place = buffers.vertexIds.indexOf(id);
  const radius = (buffers.vertices[4 * place + 2] as number) * Math.sqrt(camera.scale) + outside;
  const turns = 720;
  const covered = Array.from({ length: turns }, (_, at) => {
    const angle = (2 * Math.PI * at) / turns;
    const pixel = context.getImageData(x + radius * Math.cos(angle), y + radius * Math.sin(angle), 1, 1).data;
    return (pixel[3] as number) > 60;
  });
  return covered.filter((is, at) => is && !covered[(at + turns - 1) % turns]).length;
}

/** In the page: the different colours of the inner half of the disc of a vertex; 0 is none. */
function tintsWithin(id: number): number[] {
  const picture = (globalThis as unknown as Pictured).arcwisePicture;
  const { canvas, camera, buffers } = picture;
  const copy = document.createElement('canvas');
  Object.assign(copy, { width: canvas.width, height: canvas.height });
  const context = copy.getContext('2d') as CanvasRenderingContext2D;
  context.drawImage(canvas, 0, 0);
  const { x, y } = picture.screenOf(id);
  const radius = buffers.vertices[4 * buffers.vertexIds.indexOf(id) + 2] as number;
  const half = Math.floor(0.5 * radius * Math.sqrt(camera.scale));
  const { data } = context.getImageData(x - half, y - half, 2 * half, 2 * half);
  return [...new Set(new Uint32Array(data.buffer))];
}

describe.skipIf(!hasBrowser)('the drawn picture', () => {
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    service = await startService();
    const vertices = Array.from({ length: 3 }, () => ({}));
    const ways = Array.from({ length: 5 }, () => [0, 1, 'way'] as const);
    await fill(service, 'ways', vertices, [...ways, [2, 2, 'loop']]);
    browser = await launch();
  });

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  test('arrows of parallel edges and of loops touch their target', async () => {
    const { page, errors } = await explore(browser, service.url, 'ways');
    expect(await page.evaluate(strokesAround, { id: 1, outside: 2 })).toBe(5);
    expect(await page.evaluate(strokesAround, { id: 2, outside: 2 })).toBe(2);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('no line runs through a disc that is dimmed and lets it shine through', async () => {
    const { page } = await explore(browser, service.url, 'ways');
    const at = await page.evaluate(() => (globalThis as unknown as Pictured).arcwisePicture.screenOf(0));
    const box = await page.locator('canvas').first().boundingBox();
    await page.mouse.click((box?.x ?? 0) + at.x, (box?.y ?? 0) + at.y);
    await page.locator('.details', { hasText: '#0' }).waitFor();
    await page.locator('.surface').focus();
    await page.keyboard.press('0'); // all in view, beside the panel
    await settled(page);
    expect(await page.evaluate(tintsWithin, 2)).toHaveLength(1);
    expect(await page.evaluate(tintsWithin, 2)).not.toContain(0);
    await page.close();
  });
});

// The real service, killed while it generates a graph: what it answered is there in full, of what it did not answer a beginning, and a
// trim that was under way has happened or not.

// @module-tag long

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { ServiceProcess } from './service-process.ts';

const directory = await mkdtemp(join(tmpdir(), 'arcwise-generate-'));
const settings = { Service__Log__Level: 'error', Service__Security__SensitiveRateLimitPermitPerWindow: '1000' };
const vertices = 20_000;
const edges = 8;
let service: ServiceProcess;

afterAll(async () => {
  await service.kill();
  await rm(directory, { recursive: true, force: true });
});

const generate = (distribution: string): Promise<unknown> =>
  service.call('GET', `/ns/default/generate?nodeCount=${vertices}&edgeCount=${edges}&distribution=${distribution}`);

async function counts(): Promise<number[]> {
  return [(await service.call('GET', '/vertex/count')) as number, (await service.call('GET', '/edge/count')) as number];
}

/** Every edge of both directions is counted once, and the sweep sees no other. */
async function expectWhole(edgeCount: number): Promise<void> {
  expect(await service.call('GET', '/ns/default/benchmark?iterations=1')).toMatchObject({ edgesTraversed: edgeCount });
  const { inDegree, outDegree } = (await service.call('GET', '/statistics')) as Record<string, { mean: number }>;
  expect(inDegree?.mean).toBeCloseTo(outDegree?.mean as number, 9);
}

describe('the service, killed while it generates', () => {
  it('keeps what it answered, and a beginning of the rest', async () => {
    service = await ServiceProcess.start(directory, settings);
    await generate('uniform');
    let [vertexCount, edgeCount] = [vertices, vertices * edges];
    for (const delayMs of [30, 80]) {
      const answered = generate('preferential').then(
        () => true,
        () => false,
      );
      await sleep(delayMs);
      await service.kill();
      const most = vertices * edges - (edges * (edges + 1)) / 2;
      const isWhole = await answered;
      service = await ServiceProcess.start(directory, settings);
      const [nowVertices = 0, nowEdges = 0] = await counts();
      expect(nowVertices).toBeGreaterThanOrEqual(vertexCount + (isWhole ? vertices : 0));
      expect(nowEdges).toBeGreaterThanOrEqual(edgeCount + (isWhole ? most : 0));
      expect(nowVertices).toBeLessThanOrEqual(vertexCount + vertices);
      expect(nowEdges).toBeLessThanOrEqual(edgeCount + most);
      if (nowVertices < vertexCount + vertices) expect(nowEdges).toBe(edgeCount);
      [vertexCount, edgeCount] = [nowVertices, nowEdges];
      await expectWhole(edgeCount);
    }
  });

  it('has the ids of before a trim or those of behind it', async () => {
    const [vertexCount = 0] = await counts();
    await service.call('DELETE', '/graphelement/0?waitForCompletion=true');
    const [, edgeCount = 0] = await counts();
    const trimmed = service.call('HEAD', '/trim').then(
      () => true,
      () => false,
    );
    await sleep(15);
    await service.kill();
    const isDone = await trimmed;
    service = await ServiceProcess.start(directory, settings);
    expect(await counts()).toEqual([vertexCount - 1, edgeCount]);
    if (isDone) await expect(service.call('GET', '/vertex/0')).resolves.toMatchObject({ id: 0 });
    await service.call('HEAD', '/trim');
    await expect(service.call('GET', '/vertex/0')).resolves.toMatchObject({ id: 0 });
    await expectWhole(edgeCount);
  });
});

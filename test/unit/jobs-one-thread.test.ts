// The same jobs where there are no threads: in turns on the one thread, over a memory that is not shared.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Core } from '../../src/core/core.ts';
import { TypeId } from '../../src/core/values.ts';
import type { JobSpace, Jobs } from '../../src/engine/jobs/types.ts';
import { bodyOf, graphOf, importLimits, ringOf, startedWith, textOf, vertex } from './engine-support.ts';
import { cancelledOnceBegun, kinds, newCore, newPlainCore, oneThread, reasonOf, slotsOf } from './support/jobs-home.ts';

let core: Core;
let graph: number;
let jobs: Jobs;
let space: JobSpace;

beforeEach(() => {
  core = newPlainCore();
  graph = core.createGraph();
  core.write(graph, [vertex(), vertex()], 0);
  jobs = oneThread();
  space = jobs.open(core);
});

afterEach(async () => {
  await space.close();
  expect(slotsOf(core)).toEqual({ taken: 0, announced: 0 });
  await jobs.close();
});

describe('jobs on one thread', () => {
  test('results, blocks, parts and larger arenas', async () => {
    const blocks: number[] = [];
    const onBlock = (block: unknown): void => void blocks.push((block as Uint8Array)[0] as number);
    expect(await space.run(kinds.numbers, 10, { onBlock })).toMatchObject({ ok: true });
    expect(blocks).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(await space.run(kinds.widens, 1 << 20)).toMatchObject({ ok: true });
    expect(await space.run(kinds.counts, graph)).toMatchObject({ ok: true, value: { vertices: 2 } });
    const requests = Array.from({ length: 30 }, (_, i) => i);
    expect(await space.runParts(kinds.echo, requests)).toEqual({ ok: true, value: requests });
    expect(jobs.threads).toBe(1);
  });

  test('jobs take turns with each other and with everything else', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    // None of them ends by itself, so each of these has its turn beside them.
    const running = [1, 2, 3].map(() => space.run(kinds.slices, Number.POSITIVE_INFINITY, { signal }));
    expect(reasonOf(await space.run(kinds.slices, 2000))).toBe('ok');
    setTimeout(() => controller.abort(), 1);
    expect((await Promise.all(running)).map(reasonOf)).toEqual(['cancelled', 'cancelled', 'cancelled']);
  });

  test('cancelling, a deadline, a defect, the end of the namespace', async () => {
    expect(reasonOf(await space.run(kinds.slices, 1e9, { timeoutMs: 20 }))).toBe('deadline');
    const { signal, onBlock } = cancelledOnceBegun();
    expect(reasonOf(await space.run(kinds.numbers, 1e6, { signal, onBlock }))).toBe('cancelled');
    expect(reasonOf(await space.run(kinds.throws, 0))).toBe('failed');
    expect(await space.run(kinds.counts, graph)).toMatchObject({ ok: true, value: { vertices: 2 } });
    const running = space.run(kinds.slices, 1e9);
    await space.close();
    expect(reasonOf(await running)).toBe('closed');
  });

  test('what is open-ended ends when the service stops, everything else goes on', async () => {
    const openEnded = { ...kinds.slices, isOpenEnded: true };
    const running = space.run(openEnded, 1e9);
    const other = space.run(kinds.slices, 2000);
    jobs.endOpenEnded();
    expect(reasonOf(await running)).toBe('closed');
    expect(reasonOf(await other)).toBe('ok');
    expect(reasonOf(await space.run(openEnded, 1))).toBe('closed');
  });

  test('a gang has one member, which waits for nobody', async () => {
    const alone = { ...kinds.echo, name: 'alone', run: () => 1 };
    expect(reasonOf(await space.runGang(alone, 0, { members: 4, sharedBytes: 8 }))).toBe('failed');
    const outcome = await space.runGang(kinds.echo, 5, { members: 4, sharedBytes: 8 });
    expect(outcome).toEqual({ ok: true, value: [5] });
  });
});

describe('an engine over memory that is not shared', () => {
  test('scans and exports more than one slice, as the shared one does', async () => {
    const vertices = 40_000;
    const answers: string[][] = [];
    for (const make of [newPlainCore, newCore]) {
      const { engine } = await startedWith({ newCore: make });
      const graph = graphOf(engine);
      const limits = { ...importLimits, batchSize: 10_000 };
      expect(await graph.importLines(bodyOf(ringOf(vertices), 1 << 20), limits)).toMatchObject({ ok: true });
      const scan = {
        key: 'n',
        operator: 1,
        type: TypeId.int32,
        text: '39990',
        label: null,
        resultType: 'Both',
      } as const;
      const start = await graph.startExport({ vertexLabel: null, edgeLabel: null, edgeType: 'next' }, new Date(0));
      if (!start.ok) throw new Error('it can be exported');
      const lines = await new Response(start.body as ReadableStream<Uint8Array<ArrayBuffer>>).text();
      answers.push([
        textOf((await graph.scans.property(scan))?.ids),
        textOf(await graph.scans.text('3999', null, 'Vertices')),
        lines,
      ]);
      await engine.close();
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.[0]).toBe(`[${Array.from({ length: 9 }, (_, i) => 39_991 + i)}]`);
    expect(answers[0]?.[1]).toContain('13999,');
    expect(answers[0]?.[2]?.split('\n').length).toBe(2 * vertices + 2);
  });
});

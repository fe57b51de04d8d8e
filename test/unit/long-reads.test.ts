// Reads of one element and of its edges: short ones are answered at once, long ones by a thread, both with the same bytes.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobsOnThreads } from '../../runtime-node/workers/job-threads.ts';
import { at } from '../../scripts/lib/freshness.mjs';
import type { OneRead } from '../../src/engine/jobs/one-read.ts';
import type { Jobs } from '../../src/engine/jobs/types.ts';
import type { GraphEngine } from '../../src/engine/types.ts';
import { binary, bodyText, edge, graphOf, startedWith, textOf, vertex } from './engine-support.ts';

const entry = new URL(`file://${at('dist/runtime-node/workers/job-worker.js')}`);
let jobs: Jobs;
beforeAll(() => {
  jobs = jobsOnThreads({ binary, threads: 2, entry });
});
afterAll(() => jobs.close());

const element = (id: number): OneRead => ({ what: 'element', id, kind: 0 });

async function long(graph: GraphEngine, read: OneRead): Promise<string> {
  const body = await graph.reads.long(read);
  return body === null ? 'null' : bodyText(body);
}

describe('a read', () => {
  it('is short up to half a mebibyte of answer, and long above', async () => {
    const { engine } = await startedWith({ jobs });
    const graph = graphOf(engine);
    const write = (length: number) => graph.write([vertex('note', [['text', 1, 'x'.repeat(length)]])]);
    for (const length of [500_000, 550_000, 3_000_000]) expect(write(length).ok).toBe(true);
    const [below, above, farAbove] = [0, 1, 2].map((id) => graph.reads.short(element(id)));
    expect(textOf(below)).toBe(textOf(graph.reads.element(0, 'any')));
    expect([above, farAbove]).toEqual([undefined, undefined]);
    for (const id of [0, 1, 2]) expect(await long(graph, element(id))).toBe(textOf(graph.reads.element(id, 'any')));
    // A bound is of one read: the next one has none, or its own.
    expect(textOf(graph.reads.element(2, 'vertex')).length).toBeGreaterThan(3_000_000);
    expect(textOf(graph.reads.short(element(0)))).toBe(textOf(below));
    await engine.close();
  });

  it('of a vertex with many edges is long, as are their ids and their types', async () => {
    const { engine } = await startedWith({ jobs });
    const graph = graphOf(engine);
    graph.write([vertex(), vertex()]);
    graph.write(Array.from({ length: 100_000 }, () => edge(0, 1)));
    graph.write(Array.from({ length: 30_000 }, (_, i) => edge(1, 0, `a type with a name of some length, ${i}`)));
    const group: OneRead = { what: 'edgeGroup', id: 0, direction: 0, edgeType: 'knows' };
    const types: OneRead = { what: 'edgeTypes', id: 1, direction: 0 };
    for (const read of [element(0), element(1), group, types]) expect(graph.reads.short(read)).toBeUndefined();
    expect(await long(graph, element(0))).toBe(textOf(graph.reads.element(0, 'vertex')));
    expect(await long(graph, group)).toBe(textOf(graph.reads.edgeGroup(0, 'out', 'knows')));
    expect(await long(graph, types)).toBe(textOf(graph.reads.edgeTypes(1, 'out')));
    expect(textOf(graph.reads.short({ ...types, id: 0 }))).toBe('["knows"]');
    expect(await long(graph, { ...group, edgeType: 'no such' })).toBe('null');
    expect(await long(graph, { what: 'element', id: 0, kind: 2 })).toBe('null');
    graph.write([{ kind: 'erase' }]);
    expect(graph.reads.short(element(0))).toBeNull();
    expect(await long(graph, element(0))).toBe('null');
    await engine.close();
  });

  it('that is long is answered in a full memory too', async () => {
    const { engine } = await startedWith({ jobs, limitBytes: 24 * 1024 * 1024 });
    const graph = graphOf(engine);
    graph.write([vertex('note', [['text', 1, 'x'.repeat(3_000_000)]])]);
    for (const length of [1_000_000, 100_000, 1000]) {
      while (graph.write([vertex(null, [['text', 1, 'y'.repeat(length)]])]).ok) {}
    }
    expect(graph.reads.short(element(0))).toBeUndefined();
    expect((await long(graph, element(0))).length).toBeGreaterThan(3_000_000);
    await engine.close();
  });
});

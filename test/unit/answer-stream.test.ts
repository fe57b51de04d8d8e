// Long answers about a graph: how far they run ahead of whoever reads them, what ends them, and what they hold meanwhile.

import { describe, expect, test } from 'vitest';
import type { JsonBody } from '../../src/engine/answer-stream.ts';
import { jobsOnOneThread } from '../../src/engine/jobs/one-thread.ts';
import type { Jobs } from '../../src/engine/jobs/types.ts';
import type { GraphEngine } from '../../src/engine/types.ts';
import { binary, bodyOf, bodyText, graphOf, type Home, importLimits, ringOf, startedWith } from './engine-support.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const count = 20_000;
const limits = { ...importLimits, batchSize: 10_000 };

/** Counts the jobs of each kind; `before` is awaited before each of them begins. */
class CountedJobs {
  readonly counts = new Map<string, number>();
  before: (name: string) => Promise<void> = async () => {};
  private readonly inner = jobsOnOneThread({ binary, pause: turn });

  readonly jobs: Jobs = {
    threads: 1,
    open: (core) => {
      const space = this.inner.open(core);
      const run: typeof space.run = async (kind, request, options) => {
        this.counts.set(kind.name, this.of(kind.name) + 1);
        await this.before(kind.name);
        return space.run(kind, request, options);
      };
      return {
        ...{ threads: 1, freeThreads: 1, startedThreads: 1, run },
        runParts: (...args) => space.runParts(...args),
        runGang: (...args) => space.runGang(...args),
        close: () => space.close(),
      };
    },
    isAtWork: false,
    startAhead: () => this.inner.startAhead(),
    endOpenEnded: () => this.inner.endOpenEnded(),
    close: () => this.inner.close(),
  };

  of(name: string): number {
    return this.counts.get(name) ?? 0;
  }
}

/** In a namespace that can go. */
async function withRing(): Promise<{ home: Home; graph: GraphEngine; counted: CountedJobs }> {
  const counted = new CountedJobs();
  const home = await startedWith({ jobs: counted.jobs });
  await home.engine.create('ring');
  const graph = graphOf(home.engine, 'ring');
  expect(await graph.importLines(bodyOf(ringOf(count), 65_536), limits)).toMatchObject({ ok: true });
  return { home, graph, counted };
}

function readerOf(body: JsonBody): ReadableStreamDefaultReader<Uint8Array> {
  if (!(body instanceof ReadableStream)) throw new Error('The answer is not streamed.');
  return body.getReader();
}

async function readOut(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read()).done);
}

const ids = Array.from({ length: 2 * count + 10 }, (_, id) => id);
const answers: [string, string, (graph: GraphEngine, signal?: AbortSignal) => Promise<JsonBody>][] = [
  ['a page of a graph', 'graphPage', (graph, signal) => graph.reads.graph(100_000, signal)],
  ['a list of elements', 'elementList', (graph, signal) => graph.reads.elements(ids, signal)],
];

describe.each(answers)('%s', (_, kind, ask) => {
  test('runs two jobs ahead of its reader, who asks for the next by reading', async () => {
    const { home, graph, counted } = await withRing();
    const body = await ask(graph);
    for (let i = 0; i < 50; i++) await turn();
    expect(counted.of(kind)).toBe(2);
    const document = JSON.parse(await bodyText(body));
    expect(counted.of(kind)).toBeGreaterThan(4);
    const expected = Array.from({ length: count }, (_, id) => id);
    if (kind === 'graphPage') {
      expect(document.vertices.map(({ id }: { id: number }) => id)).toEqual(expected);
      expect(document.edges.map(({ id }: { id: number }) => id)).toEqual(expected.map((id) => id + count));
    } else {
      expect(document.elements.map(({ id }: { id: number }) => id)).toEqual(ids.slice(0, 2 * count));
      expect(document.notFound).toEqual(ids.slice(2 * count));
    }
    await home.engine.close();
  });

  test('breaks off when the graph is erased behind its first part', async () => {
    const { home, graph } = await withRing();
    const reader = readerOf(await ask(graph));
    expect(graph.write([{ kind: 'erase' }])).toMatchObject({ ok: true });
    await expect(readOut(reader)).rejects.toThrow('erased or renumbered');
    await home.engine.close();
  });

  test('begins again when the graph is erased during its first part', async () => {
    const { home, graph, counted } = await withRing();
    counted.before = async (name) => {
      if (name === kind && counted.of(kind) === 1) graph.write([{ kind: 'erase' }]);
    };
    const document = JSON.parse(await bodyText(await ask(graph)));
    if (kind === 'graphPage') expect(document).toEqual({ edges: [], vertices: [] });
    else expect(document).toEqual({ elements: [], notFound: ids });
    await home.engine.close();
  });

  test('ends with its client, and with its namespace', async () => {
    const { home, graph } = await withRing();
    const abort = new AbortController();
    const reader = readerOf(await ask(graph, abort.signal));
    abort.abort();
    await expect(readOut(reader)).rejects.toThrow();
    const other = readerOf(await ask(graph));
    await home.engine.remove('ring');
    await expect(readOut(other)).rejects.toThrow('not there any more');
    await home.engine.close();
  });

  test('of few elements is whole at once, without a job', async () => {
    const counted = new CountedJobs();
    const home = await startedWith({ jobs: counted.jobs });
    const graph = graphOf(home.engine);
    await graph.importLines(bodyOf(ringOf(20)), limits);
    const body = await (kind === 'graphPage' ? graph.reads.graph(100) : graph.reads.elements([3, 1, 99]));
    expect(body).not.toBeInstanceOf(ReadableStream);
    expect(counted.of(kind)).toBe(0);
    await home.engine.close();
  });
});

import { describe, expect, it } from 'vitest';
import { CoreStatus } from '../../src/core/status.ts';
import { TypeId } from '../../src/core/values.ts';
import type { NamespaceEngine } from '../../src/engine/namespace-engine.ts';
import { MemoryLogStore } from '../../src/storage/memory-store.ts';
import {
  bodyOf,
  bodyText,
  edge,
  graphOf,
  homeWith,
  importLimits,
  ringOf,
  startedWith,
  textOf,
  vertex,
} from './engine-support.ts';
import { BreakableLogStore } from './support/breakable-stores.ts';

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

describe('a graph engine', () => {
  it('writes, reads, refuses and comes back by replay', async () => {
    const logs = new MemoryLogStore();
    const first = await startedWith({ logs });
    const graph = graphOf(first.engine);
    const created = graph.write([vertex('person', [['name', 1, 'Ann']]), vertex('person', [['age', 7, '41']])]);
    expect(created).toMatchObject({ ok: true, firstId: 0, createCount: 2 });
    expect(graph.write([edge(0, 1), edge(1, 0, 'likes')])).toMatchObject({ ok: true, firstId: 2, createCount: 2 });
    expect(graph.write([edge(0, 99)])).toMatchObject({ ok: false, status: CoreStatus.notFound, element: 99 });
    expect(graph.write([vertex(null, [['n', 7, 'seven']])])).toMatchObject({ ok: false, status: CoreStatus.badValue });
    expect(graph.write([{ kind: 'removeElement', element: 3, skipRemoved: false }])).toMatchObject({ ok: true });
    const last = graph.write([{ kind: 'setProperty', element: 0, key: 'name', type: 1, text: 'Eve' }]);
    expect(last.ok && (await last.durable)).toBe(true);
    const seen = (from: typeof graph): Promise<unknown> =>
      Promise.all([
        from.vertexCount,
        from.edgeCount,
        textOf(from.reads.element(0, 'vertex')),
        from.reads.element(0, 'edge'),
        from.reads.element(3, 'any'),
        from.reads.elements([2, 7, 1, 2]).then(bodyText),
        from.reads.graph(10).then(bodyText),
        textOf(from.reads.edgeTypes(0, 'out')),
        textOf(from.reads.edgeGroup(0, 'out', 'knows')),
        from.reads.edgeGroup(0, 'out', 'nope'),
        from.reads.degree(1, 'in'),
        from.reads.groupDegree(1, 'in', 'knows'),
        from.reads.endpoint(2, 'target'),
        from.reads.endpoint(0, 'source'),
      ]);
    const before = await seen(graph);
    expect((before as unknown[]).slice(0, 3)).toEqual([2, 1, expect.stringContaining('"Eve"')]);
    await first.engine.close();
    const second = await startedWith({ logs });
    expect(await seen(graphOf(second.engine))).toEqual(before);
    expect(graphOf(second.engine).durability).toMatchObject({
      walEnabled: true,
      recoveryRan: true,
      lastRecoveryTruncated: false,
      lastRecoveryReplayedEntries: 4,
    });
    await second.engine.close();
  });

  it('lists elements and graphs of any size as one JSON document', async () => {
    const { engine } = await startedWith();
    const graph = graphOf(engine);
    expect(JSON.parse(await bodyText(await graph.reads.graph(10)))).toEqual({ edges: [], vertices: [] });
    expect(JSON.parse(await bodyText(await graph.reads.elements([])))).toEqual({ elements: [], notFound: [] });
    await graph.importLines(bodyOf(ringOf(5000), 65_536), importLimits);
    const ids = Array.from({ length: 11_000 }, (_, i) => i);
    const listed = JSON.parse(await bodyText(await graph.reads.elements(ids)));
    expect(listed.elements.length).toBe(10_000);
    expect(listed.notFound).toEqual(ids.slice(10_000));
    const page = JSON.parse(await bodyText(await graph.reads.graph(4321)));
    expect(page.vertices.length).toBe(4321);
    expect(page.edges.map(({ id }: { id: number }) => id)).toEqual(ids.slice(5000, 9321));
    expect(JSON.parse(await bodyText(await graph.reads.graph(-1)))).toEqual({ edges: [], vertices: [] });
    await engine.close();
  });

  it('scans by property and by text', async () => {
    const { engine } = await startedWith();
    const graph = graphOf(engine);
    await graph.importLines(bodyOf(ringOf(3000), 65_536), importLimits);
    const scan = { key: 'n', operator: 4, type: 7 as const, text: '3', label: null, resultType: 'Both' as const };
    expect(textOf((await graph.scans.property(scan))?.ids)).toBe('[0,1,2,3]');
    expect(textOf((await graph.scans.property({ ...scan, resultType: 'Edges' }))?.ids)).toBe('[]');
    expect(textOf((await graph.scans.property({ ...scan, label: 'dash' }))?.ids)).toBe('[]');
    expect(await graph.scans.property({ ...scan, text: 'three' })).toBeNull();
    expect(JSON.parse(textOf(await graph.scans.text('299', 'dot', 'Vertices')))).toEqual([
      299, 1299, 2299, 2990, 2991, 2992, 2993, 2994, 2995, 2996, 2997, 2998, 2999,
    ]);
    await engine.close();
  });

  it('finds a text of hundreds of thousands of characters in a graph of several slices', async () => {
    const { engine } = await startedWith();
    const graph = graphOf(engine);
    await graph.importLines(bodyOf(ringOf(20_000), 65_536), importLimits);
    const term = 'Long '.repeat(60_000);
    const long = {
      kind: 'setProperty',
      element: 17_000,
      key: 'text',
      type: TypeId.string,
      text: `a ${term}!`,
    } as const;
    const outcome = graph.write([long]);
    expect(outcome.ok && (await outcome.durable)).toBe(true);
    expect(textOf(await graph.scans.text(term.toLowerCase(), null, 'Both'))).toBe('[17000]');
    expect(textOf(await graph.scans.text(`${term}?`, null, 'Both'))).toBe('[]');
    await engine.close();
  });

  it('turns degraded when the log fails: writes go on, reads go on, nothing is called durable', async () => {
    const logs = new BreakableLogStore();
    const { engine, lines } = await startedWith({ logs });
    const graph = graphOf(engine);
    const good = graph.write([vertex()]);
    expect(good.ok && (await good.durable)).toBe(true);
    logs.broken = true;
    const results = [graph.write([vertex()]), graph.write([vertex()])];
    for (const result of results) expect(result.ok && (await result.durable)).toBe(false);
    logs.broken = false;
    const later = graph.write([vertex()]);
    expect(later.ok && (await later.durable)).toBe(false);
    expect(graph.durability.degraded).toBe(true);
    expect(graph.vertexCount).toBe(4);
    expect(graph.reads.element(3, 'vertex')).not.toBeNull();
    const generated = await graph.runs.generate({ vertices: 2, edges: 1, distribution: 'uniform' });
    expect(generated).toMatchObject({ ok: true, verticesCreated: 2, edgesCreated: 2, durable: false });
    expect(lines.filter((line) => line.startsWith('error'))).toEqual([
      'error The log of namespace "default" failed; its writes are not durable any more.',
    ]);
    await graph.write([{ kind: 'erase' }]);
    expect(await graph.importLines(bodyOf(ringOf(10)), importLimits)).toMatchObject({ ok: true, durable: false });
    await engine.close();
  });
});

describe('import and export', () => {
  it('bring a graph over, survive a restart, and export the same lines', async () => {
    const logs = new MemoryLogStore();
    const first = await startedWith({ logs });
    const result = await graphOf(first.engine).importLines(bodyOf(ringOf(1050), 777), importLimits);
    const counts = { verticesCreated: 1050, edgesCreated: 1050, linesRead: 2101 };
    expect(result).toEqual({ ok: true, ...counts, durable: true, commas: null });
    const exported = async (home: typeof first): Promise<string> => {
      const names = { vertexLabel: null, edgeLabel: null, edgeType: null };
      const start = await graphOf(home.engine).startExport(names, new Date(0));
      if (!start.ok) throw new Error(start.cause);
      const blocks: Uint8Array[] = [];
      for await (const block of start.body) blocks.push(block);
      return textOf(blocks);
    };
    const before = await exported(first);
    expect(before.split('\n').length).toBe(2102);
    await first.engine.close();
    const second = await startedWith({ logs });
    expect(graphOf(second.engine).durability.lastRecoveryReplayedEntries).toBe(21);
    expect(await exported(second)).toBe(before);
    await second.engine.create('copy');
    const copy = await graphOf(second.engine, 'copy').importLines(bodyOf(before), importLimits);
    expect(copy).toMatchObject({ ok: true, verticesCreated: 1050, edgesCreated: 1050 });
    await second.engine.close();
  });

  it('stop at the first bad line and keep what was committed', async () => {
    const { engine } = await startedWith();
    const graph = graphOf(engine);
    const lines = ringOf(250).split('\n');
    lines[230] = '{"type":"vertex"';
    expect(await graph.importLines(bodyOf(lines.join('\n')), importLimits)).toMatchObject({
      ok: false,
      reason: 'invalidLine',
      lineNumber: 231,
      verticesCreated: 200,
      edgesCreated: 0,
      durable: true,
    });
    expect(graph.vertexCount).toBe(200);
    expect(await graph.importLines(bodyOf(ringOf(1)), importLimits)).toMatchObject({ ok: false, reason: 'notEmpty' });
    graph.write([{ kind: 'erase' }]);
    expect(await graph.importLines(bodyOf(ringOf(1)), importLimits)).toMatchObject({ ok: true });
    await engine.close();
  });

  it('keep the limits of lines and bodies', async () => {
    const { engine } = await startedWith();
    const graph = graphOf(engine);
    const short = { ...importLimits, maxLineBytes: 50 };
    expect(await graph.importLines(bodyOf(ringOf(3)), short)).toMatchObject({ reason: 'lineTooLong', lineNumber: 1 });
    const body = ringOf(3);
    const exact = { ...importLimits, maxBodyBytes: body.length };
    expect(await graph.importLines(bodyOf(body), { ...exact, maxBodyBytes: body.length - 1 })).toMatchObject({
      reason: 'bodyTooLarge',
      verticesCreated: 0,
    });
    expect(await graph.importLines(bodyOf(body), exact)).toMatchObject({ ok: true });
    await engine.close();
  });

  it('run one at a time, and end when aborted, when the body breaks and when the namespace goes', async () => {
    const { engine } = await startedWith();
    await engine.create('busy');
    const graph = graphOf(engine, 'busy');
    async function* stuck(): AsyncGenerator<Uint8Array> {
      yield* bodyOf(ringOf(150).slice(0, 12_000));
      await new Promise(() => {});
    }
    const abort = new AbortController();
    const running = graph.importLines(stuck(), importLimits, abort.signal);
    while (graph.vertexCount < 100) await turn();
    expect(await graph.importLines(bodyOf(ringOf(1)), importLimits)).toMatchObject({
      reason: 'notEmpty',
      detail: 'Another import into this namespace is running.',
    });
    abort.abort();
    expect(await running).toMatchObject({ ok: false, reason: 'aborted', verticesCreated: 100, durable: true });
    expect(graph.vertexCount).toBe(100);

    graph.write([{ kind: 'erase' }]);
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield* bodyOf(ringOf(10));
      throw new Error('connection reset');
    }
    expect(await graph.importLines(broken(), importLimits)).toMatchObject({ reason: 'aborted' });

    graph.write([{ kind: 'erase' }]);
    const doomed = graph.importLines(stuck(), importLimits);
    doomed.catch(() => {});
    while (graph.vertexCount < 100) await turn();
    await engine.remove('busy');
    await expect(doomed).rejects.toThrow('not there any more');
    await engine.close();
  });

  it('are refused with their reason when memory does not suffice, and the graph stays whole', {
    tags: ['long'],
  }, async () => {
    const { engine } = await startedWith({ limitBytes: 24 * 1024 * 1024 });
    const graph = graphOf(engine);
    const result = await graph.importLines(bodyOf(ringOf(400_000), 65_536), { ...importLimits, batchSize: 10_000 });
    expect(result).toMatchObject({ ok: false, reason: 'rolledBack', status: CoreStatus.noMemory, durable: true });
    expect(graph.vertexCount).toBe(result.verticesCreated);
    expect(result.verticesCreated).toBeGreaterThan(0);
    expect(graph.reads.element(0, 'vertex')).not.toBeNull();
    graph.write([{ kind: 'erase' }]);
    expect(graph.write([vertex()])).toMatchObject({ ok: true });
    await engine.close();
  });

  it('break off an export when the namespace goes', async () => {
    const { engine } = await startedWith();
    await engine.create('left');
    const graph = graphOf(engine, 'left');
    await graph.importLines(bodyOf(ringOf(20_000), 65_536), { ...importLimits, batchSize: 10_000 });
    const start = await graph.startExport({ vertexLabel: null, edgeLabel: null, edgeType: null }, new Date(0));
    if (!start.ok) throw new Error(start.cause);
    const reader = start.body.getReader();
    expect((await reader.read()).done).toBe(false);
    await engine.remove('left');
    await expect(
      (async () => {
        while (!(await reader.read()).done);
      })(),
    ).rejects.toThrow('not there any more');
    await engine.close();
  });

  it('end a backfill when another graph takes the place of this one', async () => {
    const { engine } = await startedWith();
    const graph = graphOf(engine);
    graph.write(Array.from({ length: 20_000 }, (_, i) => vertex(null, [['n', 7, `${i}`]])));
    graph.indexes.create('numbers', 'DictionaryIndex', new Map(), true);
    const request = { index: 'numbers', property: 'n', replace: true, prefix: false, label: null };
    const filled = graph.indexes.backfill(request);
    const ended = expect(filled).rejects.toMatchObject({ name: 'NamespaceGone' });
    await turn();
    // What a restore does first with the engine that it replaces.
    const { engine: replaced } = graph as unknown as { engine: NamespaceEngine };
    await replaced.stopImports();
    await ended;
    expect(engine.find('default')?.graph).toBe(graph);
    await engine.close();
  });

  it('say which element a half surrogate keeps from being exported', async () => {
    const { engine } = await startedWith();
    const graph = graphOf(engine);
    graph.write([vertex(), vertex(null, [['half', 1, 'a\ud800']])]);
    const names = { vertexLabel: null, edgeLabel: null, edgeType: null };
    expect(await graph.startExport(names, new Date(0))).toMatchObject({ ok: false, element: 1, key: 'half' });
    await engine.close();
  });

  it('replays what was imported under less memory not silently: the start says so', async () => {
    const logs = new MemoryLogStore();
    const first = await startedWith({ logs });
    await graphOf(first.engine).importLines(bodyOf(ringOf(60_000), 65_536), { ...importLimits, batchSize: 10_000 });
    await first.engine.close();
    const { engine } = homeWith({ logs, limitBytes: 3 * 1024 * 1024 });
    await expect(engine.start()).rejects.toThrow(
      /^The core (refuses the logged transaction with sequence \d+|cannot link the edges [^:]*): noMemory/,
    );
    const again = await startedWith({ logs });
    expect(graphOf(again.engine).edgeCount).toBe(60_000);
    await again.engine.close();
  });
});

// Extracted graphs: what is copied, to the byte what it takes and gives back, beside writes that take elements away, without memory, and under
// readers; and the registry: recipes that a start brings and cannot be built, sources that are recalculated or renumbered meanwhile.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { readSettings } from '../../src/config/settings.ts';
import { Core } from '../../src/core/core.ts';
import { dropGraph, extractGraph } from '../../src/core/extract.ts';
import { MemoryPool } from '../../src/core/memory-pool.ts';
import { allocateReaderArena, CoreReader } from '../../src/core/reader.ts';
import { CoreStatus } from '../../src/core/status.ts';
import { TypeId } from '../../src/core/values.ts';
import { sectionKinds } from '../../src/engine/checkpoint/types.ts';
import type { GraphEngine } from '../../src/engine/types.ts';
import { createQueries } from '../../src/queries/queries.ts';
import { type Recipe, subgraphAlgorithm } from '../../src/queries/subgraphs/recipe.ts';
import { bodyText, graphOf, startedWith } from './engine-support.ts';

interface Element {
  readonly id: number;
  readonly sourceVertex?: number;
  readonly targetVertex?: number;
  readonly properties: readonly { readonly propertyValue: string }[];
}

const noPause = async (): Promise<void> => {};
const vertexCount = 20_000;

/** Vertex i has the property `n` of value i, edge i leads from i to i + 1 and has the property `n` of value `e<i>`. */
function filled(file: string, vertices = vertexCount): { core: Core; graph: number } {
  const binary = { module: new WebAssembly.Module(readFileSync(at(file))), shared: true };
  const core = new Core(binary, new MemoryPool(binary), 2 ** 28);
  const graph = core.createGraph();
  const property = (text: string) => [{ key: 'n', type: TypeId.string, text }];
  const common = { creationDate: 7, label: 'l' };
  const made = [
    Array.from({ length: vertices }, (_, i) => {
      return { kind: 'createVertex', ...common, properties: property(`${i}`) } as const;
    }),
    Array.from({ length: vertices }, (_, i) => {
      const ends = { source: i, target: (i + 1) % vertices, edgeType: `t${i % 3}` };
      return { kind: 'createEdge', ...common, ...ends, properties: property(`e${i}`) } as const;
    }),
  ];
  for (const operations of made) expect(core.write(graph, operations, 0).ok).toBe(true);
  return { core, graph };
}

function elementsOf(core: Core, graph: number, kind: 1 | 2): Element[] {
  const list: Element[] = [];
  for (let next = 0; next < core.nextId(graph); ) {
    const block = core.readGraph(graph, kind, next, 1_000_000);
    list.push(...(JSON.parse(`[${new TextDecoder().decode(block.items)}]`) as Element[]));
    next = block.next;
  }
  return list;
}

const nameOf = (element: Element | undefined): string => element?.properties[0]?.propertyValue ?? '';

/** Every edge leads between the copies of its vertices, ids are dense, and adjacency says the same as the edges. */
function expectWhole(core: Core, graph: number): void {
  const vertices = elementsOf(core, graph, 1);
  const edges = elementsOf(core, graph, 2);
  expect([...vertices, ...edges].map(({ id }) => id)).toEqual(Array.from({ length: core.nextId(graph) }, (_, i) => i));
  expect([core.vertexCount(graph), core.edgeCount(graph)]).toEqual([vertices.length, edges.length]);
  for (const edge of edges) {
    const [from, to] = [vertices[edge.sourceVertex ?? -1], vertices[edge.targetVertex ?? -1]];
    const number = Number(nameOf(edge).slice(1));
    expect([nameOf(from), nameOf(to)]).toEqual([`${number}`, `${(number + 1) % vertexCount}`]);
  }
  for (const { id } of vertices.slice(0, 50)) {
    expect(core.readDegree(graph, id, 0)).toBe(edges.filter(({ sourceVertex }) => sourceVertex === id).length);
    expect(core.readDegree(graph, id, 1)).toBe(edges.filter(({ targetVertex }) => targetVertex === id).length);
  }
}

const bytesOf = (core: Core): number[] => Object.values(core.memoryUse());

describe.each(['dist/wasm/core.shared.wasm', 'dist/wasm/debug/core.shared.wasm'])('extraction, %s', (file) => {
  it('copies what the bits say, and gives all of it back', async () => {
    const { core, graph } = filled(file);
    const ids = core.nextId(graph);
    // Once before: buffers keep what they grew to.
    const warm = await extractGraph(core, graph, ids, new Uint8Array(8 * Math.ceil(ids / 64)).fill(0xff), noPause);
    if (warm.ok) dropGraph(core, warm.graph);
    const before = bytesOf(core);
    const bits = new Uint8Array(8 * Math.ceil(ids / 64));
    for (let id = 0; id < ids; id++) if (id % 5 !== 0) bits[id >> 3] = (bits[id >> 3] as number) | (1 << (id & 7));
    const made = await extractGraph(core, graph, ids, bits, noPause);
    if (!made.ok) throw new Error(`${made.status}`);
    expect(core.vertexCount(made.graph)).toBe((vertexCount / 5) * 4);
    expect(core.edgeCount(made.graph)).toBe((vertexCount / 5) * 3);
    expectWhole(core, made.graph);
    // Independent of the source.
    core.write(graph, [{ kind: 'erase' }], 0);
    expectWhole(core, made.graph);
    expect(dropGraph(core, made.graph)).toBe(true);
    core.instance.exports.retireAdvance();
    const { elements, adjacency, properties, strings } = core.memoryUse();
    expect(elements + adjacency + properties + strings).toBeLessThan(before.slice(0, 4).reduce((a, b) => a + b));
  });

  it('is to the byte what it was when a graph has come and gone, or did not fit', async () => {
    const { core, graph } = filled(file, 600);
    const extractAll = () => extractGraph(core, graph, core.nextId(graph), null, noPause);
    const first = await extractAll();
    if (first.ok) dropGraph(core, first.graph);
    core.instance.exports.retireAdvance();
    const before = bytesOf(core);
    let failed = 0;
    for (let n = 1; ; n += n < 60 ? 1 : 97) {
      core.instance.exports.failAfter(n);
      const made = await extractAll();
      core.instance.exports.failAfter(0);
      if (made.ok) dropGraph(core, made.graph);
      else expect(made.status).toBe(CoreStatus.noMemory);
      core.instance.exports.retireAdvance();
      expect(bytesOf(core)).toEqual(before);
      if (made.ok && n > 60) break;
      failed += made.ok ? 0 : 1;
    }
    expect(failed).toBeGreaterThan(50);
  });

  it('leaves out what goes meanwhile, and edges with their vertices', async () => {
    const { core, graph } = filled(file);
    let removed = 0;
    const pause = async (): Promise<void> => {
      for (let i = 0; i < 40; i++) {
        const element = (removed++ * 7919) % (2 * vertexCount);
        core.write(graph, [{ kind: 'removeElement', element, skipRemoved: true }], 0);
      }
      core.write(graph, [{ kind: 'createVertex', creationDate: 0, label: null, properties: [] }], 0);
    };
    const made = await extractGraph(core, graph, core.nextId(graph), null, pause);
    if (!made.ok) throw new Error(`${made.status}`);
    expect(removed).toBeGreaterThan(200);
    expectWhole(core, made.graph);
    expect(core.vertexCount(made.graph)).toBeLessThan(vertexCount);
  });

  it('stays as long as a reader holds it, and is given up by whoever throws', async () => {
    const { core, graph } = filled(file);
    const made = await extractGraph(core, graph, core.nextId(graph), null, noPause);
    if (!made.ok) throw new Error(`${made.status}`);
    const arena = allocateReaderArena(core.instance, 2 ** 20);
    if (arena === null) throw new Error('no arena');
    const reader = new CoreReader(core.binary, core.instance.memory, arena);
    reader.attach();
    reader.announced(() => {
      dropGraph(core, made.graph);
      core.instance.exports.retireAdvance();
      expect(reader.readElement(made.graph, 17, 0)).toBeInstanceOf(Uint8Array);
    });
    const before = core.memoryUse().elements;
    core.instance.exports.retireAdvance();
    expect(core.memoryUse().elements).toBeLessThan(before);
    const { pages } = core.memoryUse();
    for (let stop = 1; stop < 14; stop += 2) {
      let left = stop;
      const pause = async (): Promise<void> => {
        if (--left === 0) throw new Error('enough');
      };
      await expect(extractGraph(core, graph, core.nextId(graph), null, pause)).rejects.toThrow('enough');
      core.instance.exports.retireAdvance();
      expect(core.memoryUse().pages).toBeLessThanOrEqual(pages + 64);
    }
  });
});

// --- The registry ----------------------------------------------------------------------------------------------------------

const recipeOf = (name: string, changes: Partial<Recipe> = {}): Recipe => ({
  ...{ name, fromSubGraph: null, algorithm: subgraphAlgorithm, template: {}, semantic: null },
  ...{ additionalInformation: null },
  ...changes,
});

function queriesOf(changes: Readonly<Record<string, string>> = {}) {
  const said: string[] = [];
  const entries = Object.entries(changes).map(([key, text]) => ({ key, text, source: 'test' }));
  const settings = readSettings(entries).settings;
  const report = (message: string): void => void said.push(message);
  const queries = createQueries(settings, { shared: true, now: () => 0, report });
  return { queries, said };
}

async function graphWith(count: number): Promise<GraphEngine> {
  const { engine } = await startedWith();
  const graph = graphOf(engine);
  addVertices(graph, count);
  return graph;
}

function addVertices(graph: GraphEngine, count: number): void {
  const vertex = { kind: 'createVertex', creationDate: 0, label: null, properties: [] } as const;
  expect(graph.write(Array.from({ length: count }, () => vertex)).ok).toBe(true);
}

describe('the registry of subgraphs', () => {
  it('leaves out, and says so, what a start brings and cannot be built', async () => {
    const graph = await graphWith(3);
    const kept = sectionKinds.subgraphRecipes;
    const recipes = [
      recipeOf('grandchild', { fromSubGraph: 'child' }),
      recipeOf('child', { fromSubGraph: 'parent' }),
      recipeOf('broken', { template: { vertexFilter: 'return v => v.Gone;' } }),
      recipeOf('of the broken', { fromSubGraph: 'broken' }),
      recipeOf('orphan', { fromSubGraph: 'nobody' }),
      recipeOf('ring a', { fromSubGraph: 'ring b' }),
      recipeOf('ring b', { fromSubGraph: 'ring a' }),
      recipeOf('parent'),
    ];
    for (const recipe of recipes) graph.documents.put(kept, recipe.name, JSON.stringify(recipe));
    graph.documents.put(kept, 'unreadable', '{"name":3}');
    const { queries, said } = queriesOf();
    const registry = queries.subgraphs(graph);
    expect(await registry.names()).toEqual(['child', 'grandchild', 'parent']);
    expect((await registry.find('grandchild'))?.vertexCount).toBe(3);
    const left = ['unreadable', 'orphan', 'ring a', 'ring b', 'broken', 'of the broken'];
    expect(said.map((line) => /'([^']+)'/.exec(line)?.[1])).toEqual(left);
    expect(said.find((line) => line.includes("'broken'"))).toContain('CS1061');
    // Whoever deletes one of them is rid of its recipe.
    expect(await registry.remove('broken')).not.toBe(false);
    expect(await registry.remove('broken')).toBe(false);
    expect(graph.documents.get(kept, 'broken')).toBeNull();
  });

  it('leaves nothing out because much is going on', async () => {
    const graph = await graphWith(3);
    const recipes = [recipeOf('a', { template: { vertexFilter: 'return v => v.Id == 1;' } }), recipeOf('b')];
    for (const recipe of recipes)
      graph.documents.put(sectionKinds.subgraphRecipes, recipe.name, JSON.stringify(recipe));
    const { extracts } = graph;
    const { extract } = extracts;
    let refusals = 3;
    // The job that matches, without a thread: vertex 1.
    const matched = { ended: 'matched', bits: Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0), vertices: 1, edges: 0 };
    extracts.runJob = async () => {
      if (refusals-- > 0) return { ok: false, reason: 'overload', detail: 'Much waits.' };
      return { ok: true, value: { ended: 'value', value: matched } as never };
    };
    let changes = 12;
    extracts.extract = (...wanted) =>
      changes-- > 0 ? Promise.resolve({ ok: false, reason: 'changed' }) : extract.apply(extracts, wanted);
    const { queries, said } = queriesOf();
    const registry = queries.subgraphs(graph);
    expect(await registry.names()).toEqual(['a', 'b']);
    expect((await registry.find('a'))?.vertexCount).toBe(1);
    expect(said).toEqual([]);
  });

  it('builds what was left out before behind all that was made since', async () => {
    const graph = await graphWith(3);
    const kept = sectionKinds.subgraphRecipes;
    const put = (recipe: Recipe) => graph.documents.put(kept, recipe.name, JSON.stringify(recipe));
    put(recipeOf('big'));
    put(recipeOf('of the big', { fromSubGraph: 'big' }));
    const tight = { 'Subgraphs:MaxElements': '3', 'Subgraphs:MaxCount': '2' };
    addVertices(graph, 1);
    const first = queriesOf(tight).queries.subgraphs(graph);
    expect(await first.names()).toEqual([]);
    graph.write([{ kind: 'erase' }]);
    expect((await first.create(recipeOf('new one'))).ok && (await first.create(recipeOf('new two'))).ok).toBe(true);
    // All four would fit by now, but for the number of subgraphs.
    const { queries, said } = queriesOf(tight);
    const second = queries.subgraphs(graph);
    expect(await second.names()).toEqual(['new one', 'new two']);
    expect(said.map((line) => /'([^']+)'/.exec(line)?.[1])).toEqual(['big', 'of the big']);
    await second.remove('new one');
    await second.remove('new two');
    expect(await queriesOf(tight).queries.subgraphs(graph).names()).toEqual(['big', 'of the big']);
    expect(graph.documents.list(kept).map(({ text }) => text)).toEqual(
      [recipeOf('big'), recipeOf('of the big', { fromSubGraph: 'big' })].map((recipe) => JSON.stringify(recipe)),
    );
  });

  it('keeps quotas at load as well', async () => {
    const graph = await graphWith(3);
    for (const name of ['a', 'b', 'c', 'd']) {
      graph.documents.put(sectionKinds.subgraphRecipes, name, JSON.stringify(recipeOf(name)));
    }
    const { queries, said } = queriesOf({ 'Subgraphs:MaxTotalElements': '8', 'Subgraphs:MaxCount': '3' });
    expect(await queries.subgraphs(graph).names()).toEqual(['a', 'b']);
    expect(said).toHaveLength(2);
  });

  it('starts again when the graph is renumbered while it is looked at', async () => {
    const graph = await graphWith(20_000);
    const { queries } = queriesOf();
    const registry = queries.subgraphs(graph);
    const making = registry.create(recipeOf('all'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(graph.write([{ kind: 'erase' }]).ok).toBe(true);
    addVertices(graph, 5);
    expect(await making).toMatchObject({ ok: true, subgraph: { vertexCount: 5 } });
  });

  it('reads one graph to its end though it is recalculated and deleted meanwhile', async () => {
    const graph = await graphWith(30_000);
    const { queries } = queriesOf();
    const registry = queries.subgraphs(graph);
    await registry.create(recipeOf('big'));
    const reading = registry.read('big', 100_000);
    await new Promise((resolve) => setImmediate(resolve));
    addVertices(graph, 1);
    expect(await registry.recalculate('big')).toMatchObject({ ok: true, subgraph: { vertexCount: 30_001 } });
    expect(await registry.remove('big')).not.toBe(false);
    const read = JSON.parse(await bodyText((await reading) ?? [])) as {
      readonly vertices: readonly unknown[];
    };
    expect(read.vertices).toHaveLength(30_000);
    expect(await registry.names()).toEqual([]);
  });
});

// Random transactions through Core.write against the naive model of the contract: after each every answer about what it touched,
// now and then every answer there is. Then the same graph once more from the transactions' bytes, and from its own export.
// ENGINE_CORE_SEED repeats a run, ENGINE_CORE_STEPS makes it longer.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Applied, Core } from '../../src/core/core.ts';
import { beginExport, ExportSession, endExport, ImportSession } from '../../src/core/interchange.ts';
import { MemoryPool } from '../../src/core/memory-pool.ts';
import type { WriteOperation, WriteRefusal } from '../../src/core/requests.ts';
import { type ResultMask, scanPropertySlice, scanTextSlice } from '../../src/core/scans.ts';
import { CoreStatus } from '../../src/core/status.ts';
import { SteppedWrite } from '../../src/core/stepped-write.ts';
import type { TypeId } from '../../src/core/values.ts';
import type { Direction, ResultType } from '../../src/engine/types.ts';
import { pick, randomFrom } from '../unit/support/reads-values.ts';
import {
  below,
  keys,
  labels,
  populationOf,
  type Random,
  randomTransaction,
  typeCount,
  valueText,
} from './engine-core-operations.ts';
import { NaiveGraph } from './naive-graph.ts';

const seed = Number(process.env.ENGINE_CORE_SEED ?? (Date.now() ^ 0xc0de) >>> 0);
const steps = Number(process.env.ENGINE_CORE_STEPS ?? 900);
const builds = ['release', 'debug'] as const;
type Build = (typeof builds)[number];

const directions: readonly Direction[] = ['out', 'in'];
const resultTypes: Readonly<Record<ResultMask, ResultType>> = { 1: 'Vertices', 2: 'Edges', 3: 'Both' };
const decoder = new TextDecoder('utf-8', { fatal: true });

function newCore(build: Build): Core {
  const path = `../../dist/wasm/${build === 'debug' ? 'debug/' : ''}core.plain.wasm`;
  const module = new WebAssembly.Module(readFileSync(new URL(path, import.meta.url)));
  return new Core({ module, shared: false }, new MemoryPool({ shared: false }), 1 << 30);
}

/** Objects as lists of members in the order of their names: the order of edge types is nobody's business. */
function parsed(bytes: Uint8Array | null): unknown {
  if (bytes === null) return null;
  return JSON.parse(decoder.decode(bytes), (name, value) => {
    if (name !== 'outEdges' && name !== 'inEdges') return value;
    return value && Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  });
}

/** A core and the model, given the same transactions. */
class Pair {
  readonly core: Core;
  readonly graph: number;
  readonly model: NaiveGraph;
  /** Bytes of every transaction that was applied. */
  readonly log: Uint8Array[] = [];
  readonly counts: Record<string, number> = {};
  private seconds = 1_700_000_000;

  constructor(build: Build) {
    this.core = newCore(build);
    this.graph = this.core.createGraph();
    this.model = new NaiveGraph(() => this.seconds);
  }

  /** `failAfter`: the allocation that fails, 0 for none. */
  write(operations: readonly WriteOperation[], failAfter: number): void {
    this.seconds += 1;
    const { exports } = this.core.instance;
    exports.failAfter(failAfter);
    const result = this.inSteps(operations) ?? this.core.write(this.graph, operations, this.seconds * 1000 + 250);
    exports.failAfter(0);
    this.count(result.ok ? 'applied' : `status ${result.status}`);
    if (result.ok) this.log.push(result.bytes.slice());
    if (!result.ok && result.status === CoreStatus.noMemory && failAfter > 0) return;
    const { model } = this;
    const expected = model.write(operations);
    const what = JSON.stringify(operations).slice(0, 3000);
    if (!expected.ok || !result.ok) {
      expect(result, what).toMatchObject(expected.ok ? { ok: true } : refusalOf(expected, operations));
      return;
    }
    expect(result.createCount, what).toBe(expected.createCount);
    if (expected.createCount > 0) expect(result.firstId, what).toBe(expected.firstId);
  }

  /** Every third time the transaction is made in steps, with reads in between; null: it was not. */
  private inSteps(operations: readonly WriteOperation[]): Applied | WriteRefusal | null {
    if (this.seconds % 3 !== 0 || operations.length === 0) return null;
    let outcome: Applied | WriteRefusal | null = null;
    const write = new SteppedWrite(this.core, this.graph, operations, (ended) => {
      outcome = ended.ok ? { ...ended, bytes: ended.bytes.slice() } : ended;
    });
    try {
      if (!write.begin(this.seconds * 1000 + 250)) return null;
      const built = write.build();
      if (built !== true) return built;
      if (!write.apply()) return null;
      for (let step = 1; !write.step((this.seconds % 5) + 1); step++) {
        this.core.readElement(this.graph, step, 0);
        if (step % 7 === 0) this.core.trimBuffers();
      }
      this.count('in steps');
    } finally {
      write.drop();
    }
    return outcome;
  }

  private count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  compareCounts(): void {
    const { core, graph, model } = this;
    expect([core.vertexCount(graph), core.edgeCount(graph)]).toEqual([model.vertexCount, model.edgeCount]);
  }

  /** Every read of one id. */
  compareElement(id: number): void {
    const { core, graph, model } = this;
    for (const [kind, name] of (['any', 'vertex', 'edge'] as const).entries()) {
      const answer = core.readElement(graph, id, kind as 0 | 1 | 2);
      expect(parsed(answer), `element ${id}`).toEqual(parsed(model.reads.element(id, name)));
    }
    for (const [end, name] of (['source', 'target'] as const).entries()) {
      expect(core.readEndpoint(graph, id, end as 0 | 1), `end of ${id}`).toBe(model.reads.endpoint(id, name));
    }
    for (const [number, direction] of directions.entries()) {
      const way = number as 0 | 1;
      expect(core.readDegree(graph, id, way), `degree of ${id}`).toBe(model.reads.degree(id, direction));
      const types = parsed(model.reads.edgeTypes(id, direction)) as string[] | null;
      const found = parsed(core.readEdgeTypes(graph, id, way)) as string[] | null;
      expect(found?.sort() ?? null, `types of ${id}`).toEqual(types?.sort() ?? null);
      for (const type of [...(types ?? []), 'nobody has this']) {
        const group = parsed(core.readGroup(graph, id, way, type));
        expect(group, `group of ${id}`).toEqual(parsed(model.reads.edgeGroup(id, direction, type)));
        for (const part of [
          { after: -1, limit: 2 },
          { after: (group as number[] | null)?.[1] ?? id, limit: 3 },
        ])
          expect(parsed(core.readGroupPart(graph, id, way, type, part)), `part of a group of ${id}`).toEqual(
            parsed(model.reads.edgeGroupPart(id, direction, type, part)),
          );
        const degree = core.readGroupDegree(graph, id, way, type);
        expect(degree, `group of ${id}`).toBe(model.reads.groupDegree(id, direction, type));
      }
    }
  }

  async compareLists(random: Random): Promise<void> {
    const { core, graph, model } = this;
    const next = core.nextId(graph);
    const ids = Int32Array.from(new Set(Array.from({ length: 80 }, () => below(random, next + 3))));
    const items: unknown[] = [];
    const missing: number[] = [];
    for (let start = 0; start < ids.length; ) {
      const block = core.readElements(graph, ids, start);
      items.push(...itemsOf(block.items));
      missing.push(...block.missing);
      start = block.next;
    }
    const [listed] = await model.reads.elements([...ids]);
    expect({ elements: items, notFound: missing }).toEqual(parsed(listed as Uint8Array));
    const [whole] = await model.reads.graph(1e9);
    const { edges, vertices } = parsed(whole as Uint8Array) as { edges: unknown; vertices: unknown };
    const limit = 1 + below(random, 60);
    expect(pagesOf(core, graph, 1, limit)).toEqual(vertices);
    expect(pagesOf(core, graph, 2, limit)).toEqual(edges);
  }

  async compareScans(random: Random, rounds: number): Promise<number> {
    const { core, graph, model } = this;
    let hits = 0;
    for (let round = 0; round < rounds; round++) {
      const number = below(random, keys.length);
      const type = (random() < 0.7 ? 1 + (number % typeCount) : 1 + below(random, typeCount)) as TypeId;
      const mask = (1 + below(random, 3)) as ResultMask;
      const label = pick(labels, random);
      const query = {
        key: keys[number] as string,
        operator: round % 6,
        type,
        text: valueText(type, random),
        label,
        mask,
      };
      const found = scanPropertySlice(core.instance, graph, query, 0, core.nextId(graph));
      const expected = await model.scans.property({ ...query, resultType: resultTypes[mask] });
      expect(found && [...found], JSON.stringify(query)).toEqual(expected && parsed(expected.ids[0] as Uint8Array));
      expect(core.instance.exports.scanTypes(), JSON.stringify(query)).toBe(expected?.types ?? 0);
      hits += found?.length ?? 0;
      if (round % 4 !== 0) continue;
      const term = pick(['0', 'true', 'É', '-0', '01/01', 'ω', '\ud800', 'LONG TEXT É', '.', '00:0', 'zZ', ''], random);
      const texts = scanTextSlice(core.instance, graph, { term, label, mask }, 0, core.nextId(graph));
      const [listed] = await model.scans.text(term, label, resultTypes[mask]);
      expect([...texts], `term ${term}`).toEqual(parsed(listed as Uint8Array));
      hits += texts.length;
    }
    return hits;
  }
}

/** What the core says where the model says `expected`: it knows no other kind, and no place of a property in a set. */
function refusalOf(expected: WriteRefusal, operations: readonly WriteOperation[]) {
  const { status, record, property, element } = expected;
  if (status === CoreStatus.notFound || status === CoreStatus.wrongKind) {
    return { ok: false, status: CoreStatus.notFound, record, element };
  }
  const isCreate = operations[record]?.kind === 'createVertex' || operations[record]?.kind === 'createEdge';
  return isCreate ? { ok: false, status, record, property } : { ok: false, status, record };
}

function itemsOf(bytes: Uint8Array): unknown[] {
  return parsed(new TextEncoder().encode(`[${decoder.decode(bytes)}]`)) as unknown[];
}

function pagesOf(core: Core, graph: number, kind: 1 | 2, limit: number): unknown[] {
  const items: unknown[] = [];
  for (let next = 0; next < core.nextId(graph); ) {
    const block = core.readGraph(graph, kind, next, limit);
    expect(block.count).toBeLessThanOrEqual(limit);
    items.push(...itemsOf(block.items));
    next = block.next;
  }
  return items;
}

/** All that reads show of a graph, byte for byte. */
function dumpOf(core: Core, graph: number): string[] {
  const blocks: string[] = [String(core.nextId(graph))];
  for (const kind of [1, 2] as const) {
    for (let next = 0; next < core.nextId(graph); ) {
      const block = core.readGraph(graph, kind, next, 1000);
      blocks.push(decoder.decode(block.items));
      next = block.next;
    }
  }
  return blocks;
}

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

function textOfProperty(model: NaiveGraph, element: number, key: string): string | undefined {
  const { properties } = parsed(model.reads.element(element, 'any')) as {
    properties: { propertyId: string; propertyValue: string }[];
  };
  return properties.find(({ propertyId }) => propertyId === key)?.propertyValue;
}

type Line = Record<string, unknown>;

/** The lines of an export; the element and key that forbid one. */
function exportOf(core: Core, graph: number): Line[] | { element: number; key: string } {
  const keep = beginExport(core.instance, graph);
  const names = { vertexLabel: null, edgeLabel: null, edgeType: null };
  const session = new ExportSession(core, graph, { ...keep, names });
  const check = session.check();
  let step = check.next();
  while (step.done !== true) step = check.next();
  if (!step.value.ok) {
    endExport(core.instance, keep);
    return { element: step.value.element, key: step.value.key };
  }
  const blocks = [session.meta(step.value.vertices, step.value.edges, new Date(0))];
  for (let block = session.block(); block !== null; block = session.block()) blocks.push(block);
  endExport(core.instance, keep);
  return linesOf(decoder.decode(Buffer.concat(blocks)));
}

function linesOf(text: string): Line[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

function importInto(core: Core, graph: number, lines: readonly Line[]): void {
  const session = new ImportSession(core, graph, 100, 1 << 24);
  const body = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const follow = (first: string): void => {
    let step = first;
    for (; step === 'batch'; step = session.resume(0)) expect(session.apply()).toMatchObject({ ok: true });
    expect(step === 'failed' ? session.failure() : null).toBeNull();
  };
  for (let at = 0; at < body.length; at += 10_007) follow(session.feed(body.subarray(at, at + 10_007), 0));
  follow(session.end(0));
  session.drop();
}

/** Lines with ids counted from 0 in the order of the file, as an import gives them. */
function renumbered(lines: readonly Line[]): Line[] {
  const ids = new Map(lines.slice(1).map(({ id }, index) => [id, index]));
  return lines.map((line) => ({
    ...line,
    ...('id' in line ? { id: ids.get(line.id) } : {}),
    ...('source' in line ? { source: ids.get(line.source), target: ids.get(line.target) } : {}),
  }));
}

describe.each(builds)('the core against the model (%s)', (build) => {
  it(`answers as the model does, ENGINE_CORE_SEED=${seed}`, async () => {
    const random = randomFrom(seed + builds.indexOf(build));
    const pair = new Pair(build);
    const { core, graph } = pair;
    let hits = 0;
    for (let step = 0; step < steps; step++) {
      const operations = randomTransaction(random, populationOf(core, graph), step < steps - 400);
      pair.write(operations, random() < 0.1 ? 1 + below(random, 40) : 0);
      pair.compareCounts();
      for (const operation of operations.slice(0, 3)) {
        if ('element' in operation) pair.compareElement(operation.element);
        if ('source' in operation) pair.compareElement(operation.source);
      }
      if (step % 10 === 0) hits += await pair.compareScans(random, 12);
      if (step % 150 !== 0 && step !== steps - 1) continue;
      await pair.compareLists(random);
      for (let id = 0; id < core.nextId(graph) + 2; id++) pair.compareElement(id);
    }
    console.log(`engine core (${build}): ${JSON.stringify(pair.counts)}, ${hits} hits of scans`);
    expect(hits).toBeGreaterThan(1000);
    for (const status of [CoreStatus.notFound, CoreStatus.noMemory, CoreStatus.badValue, CoreStatus.duplicateKey]) {
      expect(pair.counts[`status ${status}`] ?? 0, `status ${status}`).toBeGreaterThan(0);
    }
    replays(build, pair);
    await exportsAndImports(build, pair);
  });
});

/** The bytes of the transactions make the same graph again, applied or redone. */
function replays(build: Build, { core, graph, log }: Pair): void {
  const dump = dumpOf(core, graph);
  for (const redo of [false, true]) {
    const again = newCore(build);
    const copy = again.createGraph();
    for (const bytes of log) expect(again.applyBytes(copy, bytes, redo)).toMatchObject({ ok: true });
    expect(dumpOf(again, copy)).toEqual(dump);
  }
}

async function exportsAndImports(build: Build, pair: Pair): Promise<void> {
  const { core, graph, model } = pair;
  const filter = { vertexLabel: null, edgeLabel: null, edgeType: null };
  // Values that no line can carry are named and taken out, one by one.
  let lines = exportOf(core, graph);
  for (; !Array.isArray(lines); lines = exportOf(core, graph)) {
    const { element, key } = lines;
    expect(await model.startExport(filter, new Date(0))).toMatchObject({ ok: false });
    expect(textOfProperty(model, element, key)).toMatch(loneSurrogate);
    pair.write([{ kind: 'removeProperty', element, key }], 0);
  }
  const expected = await model.startExport(filter, new Date(0));
  if (!expected.ok) throw new Error('the model refuses an export');
  expect(lines).toEqual(linesOf(await new Response(expected.body).text()));
  expect(lines.length).toBeGreaterThan(100);
  const second = newCore(build);
  const copy = second.createGraph();
  importInto(second, copy, lines);
  expect(exportOf(second, copy)).toEqual(renumbered(lines));
}

// The two binaries of the core, over shared memory of full size and over plain memory that grows, do the same: one script of random
// writes, an import included, must leave the same graph, and refuse the same things. Release and debug build of each.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { Core } from '../../src/core/core.ts';
import { beginExport, ExportSession, endExport, ImportSession } from '../../src/core/interchange.ts';
import { MemoryPool } from '../../src/core/memory-pool.ts';
import type { WriteOperation } from '../../src/core/requests.ts';
import { scanPropertySlice, scanTextSlice } from '../../src/core/scans.ts';
import { TypeId } from '../../src/core/values.ts';

const seed = Number(process.env.VARIANTS_SEED ?? Date.now() % 2 ** 32);
const limitBytes = 512 * 2 ** 20;

function newCore(file: string, shared: boolean): Core {
  const module = new WebAssembly.Module(readFileSync(at(`dist/wasm/${file}`)));
  return new Core({ module, shared }, new MemoryPool({ shared }), limitBytes);
}

function randomFrom(start: number): (below: number) => number {
  let state = start >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function randomOperation(random: (below: number) => number, ids: number): WriteOperation {
  const element = random(ids + 2);
  const text = 'ä'.repeat(random(40)) + random(1000);
  const properties = [
    { key: `k${random(4)}`, type: TypeId.int32, text: `${random(100)}` },
    { key: `s${random(3)}`, type: TypeId.string, text },
  ];
  const kind = random(10);
  if (kind < 4) return { kind: 'createVertex', creationDate: random(1000), label: `L${random(3)}`, properties };
  if (kind < 7) {
    const [source, target] = [random(ids + 1), random(ids + 1)];
    return { kind: 'createEdge', creationDate: 1, source, target, edgeType: `E${random(3)}`, label: null, properties };
  }
  if (kind < 8)
    return { kind: 'setProperty', element, key: `k${random(4)}`, type: TypeId.double, text: `${random(9)}` };
  if (kind < 9) return { kind: 'removeProperty', element, key: `s${random(3)}` };
  return { kind: 'removeElement', element, skipRemoved: true };
}

/** Everything a script did and left, as text. */
function runScript(core: Core): string[] {
  const random = randomFrom(seed);
  const graph = core.createGraph();
  const outcomes: string[] = [];
  const session = new ImportSession(core, graph, 700, 4096);
  const lines = Array.from(
    { length: 20_000 },
    (_, id) =>
      `{"type":"vertex","id":${id},"creationDate":1,"properties":{"big":{"type":"string","value":"${'x'.repeat(id % 700)}"}}}`,
  );
  let step = session.feed(new TextEncoder().encode(`${lines.join('\n')}\n`), 5000);
  while (step === 'batch') {
    expect(session.apply().ok).toBe(true);
    step = session.resume(5000);
  }
  step = session.end(5000);
  if (step === 'batch') session.apply();
  session.drop();
  for (let i = 0; i < 1500; i++) {
    const operations = Array.from({ length: 1 + random(4) }, () => randomOperation(random, core.nextId(graph)));
    const written = core.write(graph, operations, 1_000_000 + i * 1000);
    outcomes.push(written.ok ? `ok ${written.firstId} ${written.createCount}` : JSON.stringify(written));
  }
  core.write(graph, [{ kind: 'trim' }], 9_000_000);
  const { instance } = core;
  const query = { key: 'k1', operator: 3, type: TypeId.int32, text: '50', label: null, mask: 3 } as const;
  outcomes.push(`${scanPropertySlice(instance, graph, query, 0, core.nextId(graph))}`);
  outcomes.push(`${scanTextSlice(instance, graph, { term: 'Ä7', label: null, mask: 3 }, 0, core.nextId(graph))}`);
  const keep = beginExport(core.instance, graph);
  const names = { vertexLabel: null, edgeLabel: null, edgeType: null };
  const session2 = new ExportSession(core, graph, { ...keep, names });
  const decoder = new TextDecoder();
  for (let block = session2.block(); block !== null; block = session2.block()) outcomes.push(decoder.decode(block));
  endExport(core.instance, keep);
  for (let id = 0; id < core.nextId(graph); id += 97) {
    const element = core.readElement(graph, id, 0);
    outcomes.push(element === null ? 'none' : decoder.decode(element));
  }
  return outcomes;
}

test(`the binaries of the core agree (seed ${seed})`, () => {
  const expected = runScript(newCore('core.shared.wasm', true));
  expect(expected.length).toBeGreaterThan(1700);
  expect(expected.some((line) => line.startsWith('{"ok":false'))).toBe(true);
  for (const file of ['core.plain.wasm', 'debug/core.plain.wasm', 'debug/core.shared.wasm']) {
    const actual = runScript(newCore(file, file.includes('shared')));
    expect(actual.length, file).toBe(expected.length);
    for (const [index, line] of actual.entries())
      if (line !== expected[index]) expect(line, file).toBe(expected[index]);
  }
});

test('a plain memory grows no further than its limit, and the graph stays whole', () => {
  const module = new WebAssembly.Module(readFileSync(at('dist/wasm/core.plain.wasm')));
  const core = new Core({ module, shared: false }, new MemoryPool({ shared: false }), 8 * 2 ** 20);
  const graph = core.createGraph();
  const text = 'y'.repeat(100_000);
  const create: WriteOperation = {
    kind: 'createVertex',
    creationDate: 0,
    label: null,
    properties: [{ key: 'text', type: TypeId.string, text }],
  };
  let written = 0;
  while (core.write(graph, [create], 0).ok) written++;
  expect(written).toBeGreaterThan(10);
  expect(core.vertexCount(graph)).toBe(written);
  expect(core.instance.memory.buffer.byteLength).toBeLessThanOrEqual(8 * 2 ** 20);
  const removed = core.write(graph, [{ kind: 'removeElement', element: 0, skipRemoved: false }], 0);
  expect(removed.ok).toBe(true);
  expect(core.write(graph, [create], 0).ok).toBe(true);
  const last = new TextDecoder().decode(core.readElement(graph, written, 1) ?? new Uint8Array());
  expect(JSON.parse(last).properties[0].propertyValue).toBe(text);
});

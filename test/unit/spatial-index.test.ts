// The tree of a SpatialIndex beside a look at every box: points and boxes of one to five dimensions, several an element, under adds,
// removals, allocations that fail, and keys that are no places.

import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { Core } from '../../src/core/core.ts';
import {
  findIndex,
  type Geometry,
  geometryKey,
  IndexKind,
  indexEntry,
  scanIndexSpatial,
} from '../../src/core/indexes.ts';
import { MemoryPool } from '../../src/core/memory-pool.ts';
import type { WriteOperation } from '../../src/core/requests.ts';
import { CoreStatus } from '../../src/core/status.ts';
import { TypeId } from '../../src/core/values.ts';
import { vertex } from './engine-support.ts';
import { randomFrom } from './support/reads-values.ts';

const module = new WebAssembly.Module(readFileSync(new URL('../../dist/wasm/debug/core.plain.wasm', import.meta.url)));
const cores: Core[] = [];
afterEach(() => {
  for (const core of cores.splice(0)) core.dispose();
});

function newCore(vertices: number): { core: Core; graph: number } {
  const core = new Core({ module, shared: false }, new MemoryPool({ shared: false }), 1 << 30);
  cores.push(core);
  const graph = core.createGraph();
  const creates = Array.from({ length: vertices }, () => vertex());
  for (const operations of [creates, [create]]) expect(core.write(graph, operations, 0).ok).toBe(true);
  return { core, graph };
}

const create: WriteOperation = { kind: 'createIndex', index: 's', indexKind: IndexKind.spatial, definition: null };
const add = (element: number, place: Geometry): WriteOperation => {
  return { kind: 'addToIndex', index: 's', element, type: TypeId.string, text: geometryKey(place) };
};

function isNear(a: Geometry, b: Geometry, distance: number): boolean {
  if (a.low.length !== b.low.length) return false;
  let sum = 0;
  a.low.forEach((_, i) => {
    const above = (a.low[i] as number) - (b.high[i] as number);
    const gap = Math.max(0, above, (b.low[i] as number) - (a.high[i] as number));
    sum += gap * gap;
  });
  return sum <= distance * distance;
}

/** The index, and the places that each element should have in it. */
class Pair {
  readonly places = new Map<number, Geometry[]>();
  readonly random = randomFrom(7);
  readonly core: Core;
  readonly graph: number;

  constructor(vertices: number) {
    ({ core: this.core, graph: this.graph } = newCore(vertices));
  }

  place(): Geometry {
    const { random } = this;
    const dimensions = 1 + Math.floor(random() ** 2 * 5);
    // Some places coincide, some are far away, some lie where single precision has gaps.
    const scale = [4, 100, 1e-3, 1e30][Math.floor(random() * 4)] as number;
    const low = Array.from({ length: dimensions }, () => {
      return scale === 4 ? Math.floor(random() * 4) : (random() - 0.5) * scale + (random() < 0.3 ? 16_777_216.7 : 0);
    });
    return { low, high: low.map((value) => (random() < 0.5 ? value : value + random() * scale * 0.1)) };
  }

  write(operations: readonly WriteOperation[]): void {
    expect(this.core.write(this.graph, operations, 0).ok).toBe(true);
  }

  addMany(count: number, vertices: number): void {
    const adds: WriteOperation[] = [];
    for (let i = 0; i < count; i++) {
      const element = Math.floor(this.random() * vertices);
      const place = this.place();
      adds.push(add(element, place));
      this.places.set(element, [...(this.places.get(element) ?? []), place]);
    }
    this.write(adds);
  }

  /** Elements near one of those that have places, at several distances. */
  compare(rounds: number): void {
    const known = [...this.places.keys()];
    for (let i = 0; i < rounds && known.length > 0; i++) {
      const element = known[Math.floor(this.random() * known.length)] as number;
      const own = this.places.get(element) as Geometry[];
      const distance = [0, 1e-4, 1, 10, 1e29, Number.POSITIVE_INFINITY][Math.floor(this.random() * 6)] as number;
      const near = (place: Geometry): boolean => own.some((mine) => isNear(mine, place, distance));
      const expected = [...this.places].filter(([, places]) => places.some(near)).map(([id]) => id);
      const found = scanIndexSpatial(this.core.instance, this.graph, 's', element, distance) as Uint32Array;
      const ids = [...new Set(found)].sort((a, b) => a - b);
      expect(ids, `element ${element}, distance ${distance}`).toEqual(expected.sort((a, b) => a - b));
    }
  }
}

describe('the tree of a SpatialIndex', () => {
  it('answers what a look at every box answers', () => {
    const pair = new Pair(1500);
    for (let round = 0; round < 8; round++) {
      pair.addMany(400, 1500);
      pair.compare(15);
      const gone = [...pair.places.keys()].filter(() => pair.random() < (round % 3 === 2 ? 0.8 : 0.2));
      for (const element of gone) {
        pair.write([{ kind: 'removeFromIndex', index: 's', element }]);
        pair.places.delete(element);
      }
      pair.compare(15);
    }
    for (const element of pair.places.keys()) pair.write([{ kind: 'removeFromIndex', index: 's', element }]);
    const { instance, graph } = { instance: pair.core.instance, graph: pair.graph };
    const emptied = indexEntry(instance, findIndex(instance, graph, 's'));
    expect(emptied).toMatchObject({ keys: 0, values: 0 });
    pair.places.clear();
    pair.addMany(300, 1500);
    pair.compare(10);
    pair.write([{ kind: 'dropIndex', index: 's' }]);
    instance.exports.retireAdvance();
    expect(pair.core.memoryUse().indexes).toBe(0);
  });

  it('takes bytes that are no place, which are near nothing', () => {
    const pair = new Pair(20);
    const odd = ['', 'text', 'sixteen bytes ok', 'sixteen bytes ok'.repeat(7)];
    pair.write(odd.map((text, i) => ({ kind: 'addToIndex', index: 's', element: i, type: TypeId.string, text })));
    const nowhere = new Uint8Array(Float64Array.of(Number.NaN, 1, 2, 3).buffer);
    pair.write([{ kind: 'addToIndex', index: 's', element: 9, type: TypeId.string, text: nowhere }]);
    const places = Array.from({ length: 60 }, (_, i): Geometry => ({ low: [i, i], high: [i, i] }));
    pair.write(places.map((place) => add(15, place)));
    const { instance } = pair.core;
    expect([...new Set(scanIndexSpatial(instance, pair.graph, 's', 15, 3) as Uint32Array)]).toContain(15);
    for (const element of [0, 1, 2, 3, 9]) pair.write([{ kind: 'removeFromIndex', index: 's', element }]);
    expect([...new Set(scanIndexSpatial(instance, pair.graph, 's', 15, 1e9) as Uint32Array)]).toEqual([15]);
  });

  it('stays as it was when an allocation fails', () => {
    const pair = new Pair(400);
    const { core, graph } = pair;
    const places = Array.from({ length: 130 }, () => pair.place());
    const scripts = [places.slice(0, 1), places.slice(1, 50), places.slice(50)];
    let failures = 0;
    let next = 0;
    for (const script of scripts) {
      const operations = script.map((place, i) => add(next + i, place));
      for (let n = 1; ; n++) {
        core.instance.exports.failAfter(n);
        const outcome = core.write(graph, operations, 0);
        core.instance.exports.failAfter(0);
        if (outcome.ok) break;
        expect(outcome.status).toBe(CoreStatus.noMemory);
        failures++;
        if (failures % 10 === 0) pair.compare(2);
      }
      script.forEach((place, i) => {
        pair.places.set(next + i, [place]);
      });
      next += script.length;
      pair.compare(5);
    }
    expect(failures).toBeGreaterThan(100);
    // Removing cannot fail, whatever fails.
    for (const [i, element] of [...pair.places.keys()].entries()) {
      core.instance.exports.failAfter(1 + (i % 4));
      const removed = core.write(graph, [{ kind: 'removeFromIndex', index: 's', element }], 0);
      core.instance.exports.failAfter(0);
      if (removed.ok) pair.places.delete(element);
      if (i % 10 === 0) pair.compare(2);
    }
    pair.compare(5);
    pair.addMany(200, 400);
    pair.compare(20);
  });
});

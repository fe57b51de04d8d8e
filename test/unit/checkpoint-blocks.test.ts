// The block kernels by themselves: what is written, loaded and linked is the graph again, and no file makes the core read astray.

import { describe, expect, it } from 'vitest';
import { randomFrom } from '../durability/choices.ts';
import { Alive, checkpointBuilds, difference, orderedDump, RandomWrites } from './support/checkpoint-graph.ts';
import { type Build, GraphCore, STATUS } from './support/graph-core.ts';
import { Transaction, value } from './support/transaction.ts';

const seed = Number(process.env.ARCWISE_SEED ?? 20260301);

function blocksOf(core: GraphCore, byteLimit = 1 << 20): Uint8Array[] {
  const { exports } = core;
  const next = core.word(core.word(core.graph) + 12);
  const blocks: Uint8Array[] = [];
  for (let from = 0; from < next; from = exports.checkpointNext!() >>> 0) {
    expect(exports.checkpointBlock!(core.graph, from, next, byteLimit)).toBe(STATUS.ok);
    const base = exports.outBase!() >>> 0;
    blocks.push(core.bytes.slice(base, base + exports.outUsed!()));
  }
  return blocks;
}

function loadBlocks(core: GraphCore, next: number, blocks: readonly Uint8Array[]): number {
  const { exports, graph } = core;
  let status = exports.loadBegin!(graph, next);
  for (const block of blocks) {
    if (status !== STATUS.ok) return status;
    const at = exports.inputEnsure!(exports.loadBlockRoom!(block.length)) >>> 0;
    core.bytes.set(block, at);
    status = exports.loadBlock!(graph, at, block.length);
  }
  return status;
}

/** As the host does it; `nodes` false: as if the nodes did not fit. */
function link(core: GraphCore, next: number, nodes = true): number {
  const { exports, graph } = core;
  exports.linkBegin!();
  exports.linkCheck!(graph, 0, next);
  if (nodes) {
    const status = exports.linkCount!(graph, 0, next);
    if (status !== STATUS.ok) return status;
    for (let base = 0; base < next; base += 65536) {
      const laid = exports.linkLayout!(graph, base);
      if (laid !== STATUS.ok) return laid;
    }
  } else {
    exports.linkClear!(graph, 0, next);
  }
  exports.linkRelease!();
  const status = (nodes ? exports.linkFill : exports.linkAdd)!(graph, 0, next);
  if (nodes && status === STATUS.ok) exports.linkClose!(graph, 0, next);
  exports.linkEnd!(graph);
  return status;
}

function nextIdOf(core: GraphCore): number {
  return core.word(core.word(core.graph) + 12);
}

function roundTrip(build: Build, core: GraphCore, byteLimit?: number, nodes = true): GraphCore {
  const loaded = new GraphCore(build);
  expect(loadBlocks(loaded, nextIdOf(core), blocksOf(core, byteLimit))).toBe(STATUS.ok);
  expect(link(loaded, nextIdOf(core), nodes)).toBe(STATUS.ok);
  expect(loaded.verify()).toBe(0);
  expect(difference(orderedDump(loaded), orderedDump(core))).toBeNull();
  return loaded;
}

function randomGraph(build: Build, from: number, transactions: number, operations: number): GraphCore {
  const core = new GraphCore(build);
  const writes = new RandomWrites(from);
  const alive = new Alive();
  for (let i = 0; i < transactions; i++) {
    expect(core.apply(writes.transaction(alive, operations, 1_700_000_000 + i))).toBe(STATUS.ok);
  }
  return core;
}

describe.each(checkpointBuilds)('%s', (build) => {
  it('brings back random graphs with every type, holes and hubs', () => {
    for (let round = 0; round < 6; round++) {
      const core = randomGraph(build, seed + round, 40, 60);
      roundTrip(build, core, [1 << 20, 300][round % 2], round % 3 !== 2);
    }
  }, 60_000);

  it('goes on like the original after loading', () => {
    const core = randomGraph(build, seed + 50, 30, 40);
    const loaded = roundTrip(build, core);
    const add = new Transaction(5).set(0, 'key1', value.int32(7));
    for (let i = 0; i < 300; i++) add.edge(0, i % 2 ? 0 : { created: 0 }, `type${i % 7}`);
    const other = new Transaction(5);
    other.vertex({ label: 'x' });
    for (const one of [core, loaded]) {
      expect(one.apply(other)).toBe(STATUS.ok);
      expect(one.apply(new Transaction(6).remove(0, true))).toBe(STATUS.ok);
      expect(one.verify()).toBe(0);
    }
    expect(difference(orderedDump(loaded), orderedDump(core))).toBeNull();
  }, 60_000);

  it('brings back a hub, many edge types at one vertex and an element of many properties', {
    tags: ['long'],
    timeout: 60_000,
  }, () => {
    const core = new GraphCore(build);
    const first = new Transaction();
    for (let i = 0; i < 500; i++) first.vertex();
    expect(core.apply(first)).toBe(STATUS.ok);
    const second = new Transaction();
    for (let i = 0; i < 20_000; i++) second.edge(0, i % 500, i % 3 ? 'hub' : `type${i % 1000}`);
    expect(core.apply(second)).toBe(STATUS.ok);
    const many = build === checkpointBuilds[0] ? 100_000 : 5000;
    const properties = Object.fromEntries(Array.from({ length: many }, (_, i) => [`key${i}`, value.int32(i)]));
    const third = new Transaction();
    third.vertex({ properties });
    expect(core.apply(third)).toBe(STATUS.ok);
    const thin = new Transaction();
    for (let i = 500; i < 20_500; i += 3) thin.remove(i);
    expect(core.apply(thin)).toBe(STATUS.ok);
    roundTrip(build, core);
    roundTrip(build, core, 1000, false);
  });

  it('brings back vertices of one type each, more types than the table of counting has slots', () => {
    const core = new GraphCore(build);
    const transaction = new Transaction();
    for (let i = 0; i < 700; i++) transaction.vertex();
    expect(core.apply(transaction)).toBe(STATUS.ok);
    const edges = new Transaction();
    for (let i = 0; i < 4200; i++) edges.edge(i % 700, (i * 7) % 700, `own${i % 700}`);
    expect(core.apply(edges)).toBe(STATUS.ok);
    roundTrip(build, core);
  });

  it('counts more edges of one type at a vertex than its word holds', () => {
    const core = new GraphCore(build);
    const transaction = new Transaction();
    transaction.vertex();
    for (let i = 0; i < 10; i++) transaction.edge({ created: 0 }, { created: 0 }, 'loop');
    expect(core.apply(transaction)).toBe(STATUS.ok);
    const loaded = new GraphCore(build);
    const { exports, graph } = loaded;
    expect(loadBlocks(loaded, 11, blocksOf(core))).toBe(STATUS.ok);
    exports.linkBegin!();
    exports.linkCheck!(graph, 0, 11);
    expect(exports.linkCount!(graph, 0, 5)).toBe(STATUS.ok);
    const page = exports.loadPage!(graph, 0) >>> 0;
    const words = new Uint32Array(loaded.bytes.buffer);
    const out = (page + 65536 + 4 * 4 * 65536) / 4;
    const counted = words[out] as number;
    expect(counted >>> 9).toBe(4);
    expect(words[out + 65536]).toBe(counted);
    // All but three of the largest number of edges.
    words[out] = ((2 ** 23 - 4) << 9) | (counted & 0x1ff);
    expect(exports.linkCount!(graph, 5, 8)).toBe(STATUS.ok);
    expect((words[out] as number) >>> 9).toBe(2 ** 23 - 1);
    expect(exports.linkCount!(graph, 8, 11)).toBe(STATUS.ok);
    const node = words[out] as number;
    expect(node & 1).toBe(0);
    expect(words[node / 4 + 1]).toBe(2 ** 23 + 2);
    expect(words[node / 4 + 2]).toBe(0);
    expect((words[out + 65536] as number) >>> 9).toBe(10);
    exports.linkRelease!();
  });

  it('drops edges whose vertex is gone', () => {
    const core = new GraphCore(build);
    const transaction = new Transaction();
    for (let i = 0; i < 4; i++) transaction.vertex();
    expect(core.apply(transaction)).toBe(STATUS.ok);
    const edges = new Transaction();
    edges.edge(0, 1, 'a', { properties: { k: value.string('dropped'), l: value.guid(1) } });
    edges.edge(2, 0, 'a');
    edges.edge(1, 2, 'b', { properties: { k: value.string('kept') } });
    expect(core.apply(edges)).toBe(STATUS.ok);
    const early = blocksOf(core, 1);
    expect(early).toHaveLength(7);
    expect(core.apply(new Transaction().remove(0))).toBe(STATUS.ok);
    const late = blocksOf(core, 1);
    const loaded = new GraphCore(build);
    // The reader came by vertex 0 after the removal and by its edges before.
    const mixed = [...late.filter((block) => firstIdOf(block) < 4), ...early.filter((block) => firstIdOf(block) >= 4)];
    expect(loadBlocks(loaded, 7, mixed)).toBe(STATUS.ok);
    expect(link(loaded, 7)).toBe(STATUS.ok);
    expect(loaded.verify()).toBe(0);
    expect(difference(orderedDump(loaded), orderedDump(core))).toBeNull();
  });

  it('answers, whatever stands in a block', () => {
    const core = randomGraph(build, seed + 90, 8, 12);
    const next = nextIdOf(core);
    const [block] = blocksOf(core) as [Uint8Array];
    const random = randomFrom(seed);
    const rounds = build === checkpointBuilds[0] ? 4000 : 1000;
    const target = new GraphCore(build, 2048);
    const dropped = () => {
      target.exports.graphDrop!(target.graph);
      target.exports.retireAdvance!();
    };
    dropped();
    const counts = new Map<number, number>();
    for (let round = 0; round < rounds; round++) {
      const bad = block.slice();
      for (let i = 1 + Math.floor(random() * 3); i > 0; i--) {
        const at = 8 + Math.floor(random() * (bad.length - 8));
        bad[at] = (bad[at] as number) ^ (1 << Math.floor(random() * 8));
      }
      Object.assign(target, { graph: target.exports.graphCreate!() >>> 0 });
      const status = loadBlocks(target, next, [bad]);
      counts.set(status, (counts.get(status) ?? 0) + 1);
      if (status === STATUS.ok) {
        expect(link(target, next)).toBe(STATUS.ok);
        expect(target.verify()).toBe(0);
      }
      dropped();
    }
    expect(
      [...counts.keys()].every((status) => [STATUS.ok, STATUS.noMemory, STATUS.badTransaction].includes(status as 0)),
    ).toBe(true);
    expect(counts.get(STATUS.badTransaction)).toBeGreaterThan(rounds / 4);
  }, 60_000);

  it('gives up cleanly at every failing allocation', () => {
    const core = randomGraph(build, seed + 91, 10, 20);
    const next = nextIdOf(core);
    const blocks = blocksOf(core, 2000);
    const target = new GraphCore(build, 2048);
    const empty = target.exports.pagesUsed!();
    target.exports.graphDrop!(target.graph);
    let failures = 0;
    for (let n = 1; ; n++) {
      Object.assign(target, { graph: target.exports.graphCreate!() >>> 0 });
      target.exports.failAfter!(n);
      let status = loadBlocks(target, next, blocks);
      if (status === STATUS.ok) {
        status = link(target, next);
        if (status !== STATUS.ok && target.exports.failLeft!() === 0) {
          target.exports.linkRelease!();
          status = link(target, next, false);
        }
      }
      const left = target.exports.failLeft!();
      target.exports.failAfter!(0);
      if (status === STATUS.ok) expect(target.verify()).toBe(0);
      else failures++;
      target.exports.graphDrop!(target.graph);
      target.exports.retireAdvance!();
      if (left !== 0) break;
    }
    expect(failures).toBeGreaterThan(50);
    expect(target.exports.pagesUsed!()).toBeLessThan(empty + 64);
  }, 120_000);
});

function firstIdOf(block: Uint8Array): number {
  return new DataView(block.buffer).getUint32(8, true);
}

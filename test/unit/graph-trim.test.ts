// Trim in steps, with other work in between, and the generator, which leaves nothing to trim.

import { describe, expect, it } from 'vitest';
import { BUILDS, type Build, type Dump, GraphCore, STATUS } from './support/graph-core.ts';
import { randomFrom } from './support/graph-random.ts';
import { Transaction, value } from './support/transaction.ts';

const vertexCount = 1200;
/** So many that their group takes several steps. */
const hubEdges = 40_000;
const more = 1;
const complete = 0;
const noMemory = -1;
const overtaken = -2;

/** Vertices with rows, edges of several types in random order, a hub; then holes everywhere. */
function holed(build: Build, hub = hubEdges): GraphCore {
  const core = new GraphCore(build);
  const random = randomFrom(11);
  const vertices = new Transaction();
  for (let i = 0; i < vertexCount; i++) {
    vertices.vertex({ label: `l${i % 3}`, properties: { name: value.string(`name ${i}`), n: value.int32(i) } });
  }
  expect(core.apply(vertices)).toBe(STATUS.ok);
  const edges = new Transaction();
  for (let i = 0; i < 6000; i++) edges.edge(random(vertexCount), random(vertexCount), `t${random(20)}`);
  for (let i = 0; i < hub; i++) edges.edge(7, 8 + (i % 1000), 'hub');
  expect(core.apply(edges)).toBe(STATUS.ok);
  const removal = new Transaction();
  for (let id = 9; id < vertexCount; id += 13) removal.remove(id);
  expect(core.apply(removal)).toBe(STATUS.ok);
  return core;
}

function trimmedInSteps(core: GraphCore): number {
  expect(core.exports.graphTrimBegin!(core.graph)).toBe(1);
  let steps = 1;
  while (core.exports.trimStep!() === more) steps++;
  return steps;
}

/** Looked at item by item only where it differs: graphs of a hundred thousand elements take seconds otherwise. */
function expectSame(one: unknown, other: unknown): void {
  if (JSON.stringify(one) !== JSON.stringify(other)) expect(one).toEqual(other);
}

const trim = (core: GraphCore): number => core.apply(new Transaction().trim());
const memoryOf = (core: GraphCore): number[] => Array.from({ length: 8 }, (_, i) => core.exports.memoryBytes!(i));

describe.each(BUILDS)('a trim of %s', (build) => {
  it('is in many steps what it is in one', { tags: ['long'] }, () => {
    const whole = holed(build);
    expect(trim(whole)).toBe(STATUS.ok);
    const core = holed(build);
    const before = core.dump();
    expect(trimmedInSteps(core)).toBeGreaterThan(6);
    expectSame(core.dump(), before);
    expect(trim(core)).toBe(STATUS.ok);
    expect(core.verify()).toBe(0);
    expectSame(core.dump(), whole.dump());
    expect(memoryOf(core)).toEqual(memoryOf(whole));
    const { nextId, vertexCount, edgeCount } = core.dump();
    expect(nextId).toBe(vertexCount + edgeCount);
  });

  it('is finished by its transaction wherever it stands', () => {
    const whole = holed(build, 100);
    expect(trim(whole)).toBe(STATUS.ok);
    const wanted = whole.dump();
    for (let steps = 0; steps < 12; steps += 2) {
      const core = holed(build, 100);
      core.exports.graphTrimBegin!(core.graph);
      for (let i = 0; i < steps; i++) core.exports.trimStep!();
      expect(trim(core)).toBe(STATUS.ok);
      expect(core.verify()).toBe(0);
      expectSame(core.dump(), wanted);
    }
  });

  it('is given up when something is written, and leaves nothing behind', () => {
    const core = holed(build, 100);
    core.exports.retireAdvance!();
    const memory = memoryOf(core);
    for (let steps = 0; steps < 12; steps += 2) {
      core.exports.graphTrimBegin!(core.graph);
      for (let i = 0; i < steps; i++) core.exports.trimStep!();
      // Refused half way, which changes nothing but might have.
      expect(core.apply(new Transaction().remove(0).set(0, 'n', value.int32(1)))).toBe(STATUS.notFound);
      expect(core.exports.trimStep!()).toBe(overtaken);
      expect(memoryOf(core).slice(0, 4)).toEqual(memory.slice(0, 4));
    }
    core.exports.graphTrimBegin!(core.graph);
    core.exports.trimDrop!();
    core.exports.trimDrop!();
    expect(core.exports.trimStep!()).toBe(overtaken);
    expect(core.apply(new Transaction().erase())).toBe(STATUS.ok);
    expect(core.verify()).toBe(0);
  });

  it('changes nothing when an allocation fails in any step', () => {
    const core = holed(build, 100);
    const before = core.dump();
    core.exports.retireAdvance!();
    const memory = memoryOf(core);
    let failures = 0;
    for (let n = 1; ; n = Math.ceil(n * 1.6)) {
      core.exports.failAfter!(n);
      const isBegun = core.exports.graphTrimBegin!(core.graph) === 1;
      let step = isBegun ? more : noMemory;
      while (step === more) step = core.exports.trimStep!();
      core.exports.failAfter!(0);
      if (step === complete) break;
      failures++;
      expect(step).toBe(noMemory);
      expect(memoryOf(core)).toEqual(memory);
    }
    expect(failures).toBeGreaterThan(6);
    expectSame(core.dump(), before);
    expect(trim(core)).toBe(STATUS.ok);
    expect(core.verify()).toBe(0);
  });

  it('moves nothing when there is nothing to gain', () => {
    const core = holed(build, 100);
    expect(core.exports.graphTrimNeeded!(core.graph)).toBe(1);
    expect(trim(core)).toBe(STATUS.ok);
    expect(core.exports.graphTrimNeeded!(core.graph)).toBe(0);
    const state = core.word(core.graph);
    const [before, version] = [core.dump(), core.word(state + 24)];
    expect(trim(core)).toBe(STATUS.ok);
    expect(core.word(core.graph)).toBe(state);
    expect(core.word(state + 24)).toBe(version + 1);
    expectSame(core.dump(), before);
  });
});

interface Generation {
  readonly vertices: number;
  readonly edges: number;
  readonly preferential: boolean;
}

/** Generates as the host does; `between` is called after each transaction with their number, and may end it. They go to `log`. */
function generate(
  core: GraphCore,
  of: Generation,
  between: (count: number) => boolean = () => true,
  log: Uint8Array[] = [],
): boolean {
  const { exports } = core;
  const session = exports.generateBegin!(of.vertices, of.edges, of.preferential, 5) >>> 0;
  expect(session).not.toBe(0);
  while (exports.generateChoose!(session) === 1);
  let made = 0;
  let count = 0;
  let isWhole = true;
  while (isWhole) {
    const creates = exports.generateNext!(session, 3000, 1, 1000);
    if (creates === 0) break;
    const at = exports.transactionBase!() >>> 0;
    isWhole =
      creates > 0 && exports.applyTransaction!(core.graph, at, exports.transactionBytes!(), false, false) === STATUS.ok;
    if (!isWhole) break;
    exports.generateCreated!(session, core.word(at + 36));
    log.push(core.bytes.slice(at, at + exports.transactionBytes!()));
    made += creates;
    isWhole = between(++count);
    if (made === of.vertices) while (exports.generateReserve!(session, core.graph) === 1);
  }
  if (!isWhole) while (exports.generateUnreserve!(session, core.graph) === 1);
  exports.generateDrop!(session);
  return isWhole;
}

/** Targets of each vertex that has any. */
function targetsOf({ elements }: Dump): Map<number, number[]> {
  const targets = new Map<number, number[]>();
  for (const { source, target } of Object.values(elements)) {
    if (source === undefined || target === undefined) continue;
    targets.set(source, [...(targets.get(source) ?? []), target]);
  }
  return targets;
}

describe.each(BUILDS)('a graph that %s generates', (build) => {
  const vertices = 8500;

  it.each([
    ['uniform', { vertices, edges: 3, preferential: false }],
    ['uniform with long groups', { vertices: 140, edges: 135, preferential: false }],
    ['preferential', { vertices, edges: 3, preferential: true }],
    ['preferential with hubs', { vertices: 1500, edges: 10, preferential: true }],
    ['of fewer vertices than edges', { vertices: 5, edges: 9, preferential: true }],
    ['without edges', { vertices: 9000, edges: 0, preferential: false }],
  ])('is whole, as it is without room made ahead, and has no slack: %s', (_, of) => {
    const core = new GraphCore(build);
    expect(generate(core, of)).toBe(true);
    expect(core.verify()).toBe(0);
    const dump = core.dump();
    for (const [source, targets] of targetsOf(dump)) {
      expect(new Set(targets).size).toBe(targets.length);
      expect(targets.length).toBe(of.preferential ? Math.min(of.edges, source) : Math.min(of.edges, of.vertices));
      if (of.preferential) expect(Math.max(...targets)).toBeLessThan(source);
    }
    // In the debug build blocks are longer than they say.
    if (build === 'graph') expect(core.exports.graphTrimNeeded!(core.graph)).toBe(0);
    // Behind an edge no page is fresh, so groups grow as they do everywhere.
    const grown = new GraphCore(build);
    const first = new Transaction();
    first.edge(first.vertex(), first.vertex(), 'x');
    grown.apply(first);
    expect(generate(grown, of)).toBe(true);
    expect(grown.verify()).toBe(0);
    const shifted = new Map([...targetsOf(dump)].map(([source, all]) => [source + 3, all.map((one) => one + 3)]));
    expect(targetsOf(grown.dump())).toEqual(new Map([[0, [1]], ...shifted]));
  });

  it('is made again of its transactions, also over parts of it', () => {
    const core = new GraphCore(build);
    const log: Uint8Array[] = [];
    generate(core, { vertices: 8500, edges: 2, preferential: true }, () => true, log);
    expect(log.length).toBeGreaterThan(6);
    expect(log.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(8500 * 16 + 17_000 * 8 + log.length * 256);
    core.apply(new Transaction().remove(1).remove(8505).set(8506, 'n', value.int32(1)));
    const wanted = core.dump();
    for (const parts of [0, 3]) {
      const again = new GraphCore(build);
      for (const [i, bytes] of log.entries()) {
        if (parts !== 0 && i % parts === 1) expect(again.apply(bytes, true)).toBe(STATUS.ok);
      }
      for (const bytes of [...log, ...log]) expect(again.apply(bytes, true)).toBe(STATUS.ok);
      again.apply(new Transaction().remove(1).remove(8505).set(8506, 'n', value.int32(1)));
      expect(again.verify()).toBe(0);
      expectSame(again.dump(), wanted);
    }
  });

  it('takes room back that a trim has begun to copy, and the trim begins anew', () => {
    for (const steps of [2, 3, 4]) {
      const core = new GraphCore(build);
      // Groups of 135 pairs have blocks of their own, whose memory is somebody else's once they are taken back.
      const isWhole = generate(core, { vertices: 140, edges: 135, preferential: false }, (count) => {
        if (count < 2) return true;
        expect(core.exports.graphTrimBegin!(core.graph)).toBe(1);
        for (let i = 0; i < steps; i++) expect(core.exports.trimStep!()).toBe(more);
        return false;
      });
      expect(isWhole).toBe(false);
      expect(core.exports.trimStep!()).toBe(overtaken);
      expect(core.verify()).toBe(0);
      expect(core.apply(new Transaction().remove(0))).toBe(STATUS.ok);
      expect(trim(core)).toBe(STATUS.ok);
      expect(core.verify()).toBe(0);
    }
  });

  it('has runs of edges that are refused when they are not right', () => {
    const core = new GraphCore(build);
    const log: Uint8Array[] = [];
    generate(core, { vertices: 20, edges: 2, preferential: false }, () => true, log);
    const run = log.at(-1) as Uint8Array;
    const with32 = (at: number, word: number): Uint8Array => {
      const bytes = run.slice();
      new DataView(bytes.buffer).setUint32(at, word, true);
      return bytes;
    };
    const before = core.dump();
    const operation = 64;
    const [template, count, target, creates, operations] = [operation + 4, operation + 12, operation + 20, 40, 24];
    expect(core.apply(with32(target, 20))).toBe(STATUS.notFound);
    expect(core.apply(with32(target, 25))).toBe(STATUS.notFound);
    for (const [at, word] of [
      [template, 1],
      [count, 0],
      [count, 39],
      [count, 1000],
      [count, 0x20000001],
      [creates, 39],
      [creates, 0xffffffff],
      [operations, 2],
    ] as const) {
      expect([at, word, core.apply(with32(at, word))]).toEqual([at, word, STATUS.badTransaction]);
    }
    expectSame(core.dump(), before);
    expect(core.apply(run)).toBe(STATUS.ok);
    expect(core.verify()).toBe(0);
    expect(core.dump().edgeCount).toBe(80);
  });

  it('stands other writes between its own', () => {
    const core = new GraphCore(build);
    const of = { vertices, edges: 3, preferential: false };
    const isWhole = generate(core, of, (count) => {
      const other = new Transaction();
      other.vertex();
      if (count > 5) other.edge(count, count * 7, 'A');
      if (count > 5) other.edge(count * 3, 1, 'other');
      const code = core.apply(other);
      // Refused as a whole, with edges that are taken back one by one.
      const refused = new Transaction();
      for (let i = 0; i < 50; i++) refused.edge(i, i + 1, 'A');
      const failed = core.apply(refused.remove(0).set(0, 'n', value.int32(1)));
      return code === STATUS.ok && failed === STATUS.notFound;
    });
    expect(isWhole).toBe(true);
    expect(core.verify()).toBe(0);
    expect(core.dump().edgeCount).toBeGreaterThan(3 * vertices);
  });

  it.each([1, 3, 4, 9])('leaves no room behind when it ends after %i transactions', (most) => {
    for (const edges of [3, 150]) {
      const core = new GraphCore(build);
      const of = { vertices: edges === 3 ? vertices : 200, edges, preferential: false };
      expect(generate(core, of, (count) => count < most)).toBe(false);
      expect(core.verify()).toBe(0);
    }
  });

  it('is whole or takes its room back whatever allocation fails', { tags: ['long'] }, () => {
    const of = { vertices: 150, edges: 130, preferential: false };
    for (let n = 1; n < 400; n = Math.ceil(n * 2)) {
      const core = new GraphCore(build);
      const isWhole = generate(core, of, (count) => {
        if (count === 1) core.exports.failAfter!(n);
        return true;
      });
      core.exports.failAfter!(0);
      expect(core.verify()).toBe(0);
      if (isWhole) expect(core.dump().edgeCount).toBe(19_500);
    }
  });
});

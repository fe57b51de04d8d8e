// Random transactions against a naive model: after each, the core's graph is what the model says, whole or not at all.
// The seed is in the test's name; GRAPH_SEED repeats a run.

import { describe, expect, it } from 'vitest';
import { BUILDS, type Build, type Dump, GraphCore, PURPOSE, STATUS } from '../unit/support/graph-core.ts';
import { randomFrom } from '../unit/support/graph-random.ts';
import { type Choices, encode, GraphModel, randomStep, type Step } from './graph-model.ts';

const SEED = Number(process.env.GRAPH_SEED ?? Date.now() % 1_000_000);
const CHOICES: Choices = { size: 60, types: 4, erases: 300, trims: 60, mistakes: 25 };
const MANY_TYPES: Choices = { size: 50, types: 60, erases: 0, trims: 100, mistakes: 40 };
const STEPS = { graph: 800, 'graph.debug': 800 } as const;

describe.each(BUILDS)('%s', (build) => {
  it.each([
    ['few types', CHOICES],
    ['many types', MANY_TYPES],
    ['tiny', { size: 6, types: 2, erases: 50, trims: 20, mistakes: 10 }],
  ])(`follows the model, ${SEED}, %s`, (_, choices) => {
    const core = new GraphCore(build);
    const model = new GraphModel();
    const random = randomFrom(SEED);
    let failed = 0;
    for (let i = 0; i < STEPS[build]; i++) {
      const step = randomStep(random, model, 1000 + i, choices);
      const good = model.apply(step);
      if (!good) failed++;
      expect(core.apply(encode(step)), `step ${i}`).toBe(good ? STATUS.ok : STATUS.notFound);
      expect(core.verify(), `step ${i}`).toBe(0);
      if (!good || i % 5 === 0) expect(core.dump(), `step ${i}`).toEqual(model.dump());
    }
    expect(core.dump()).toEqual(model.dump());
    expect(failed).toBeGreaterThan(0);
    expect(failed).toBeLessThan(STEPS[build] * 0.8);
  });

  it(`makes the same graph of the same buffers, ${SEED}`, () => {
    const { log, model } = history(SEED, 400, CHOICES);
    const dumps = [0, 1].map(() => {
      const core = new GraphCore(build);
      for (const { step } of log) core.apply(encode(step));
      return core.dump();
    });
    expect(dumps[0]).toEqual(dumps[1]);
    expect(dumps[0]).toEqual(model.dump());
  });

  it(`redoes a log over a graph that has all of it already, ${SEED}`, () => {
    for (let round = 0; round < 12; round++) {
      const { log, model } = history(SEED + round, 150, { ...CHOICES, trims: 0, erases: round % 3 ? 0 : 60 });
      const random = randomFrom(round);
      const core = new GraphCore(build);
      const prefix = random(log.length);
      for (const { step } of log.slice(0, prefix)) core.apply(encode(step));
      // An erase empties the graph whatever stood in it, so redoing may begin on either side of one.
      redo(core, log.slice(random(prefix + 1)));
      expect(core.dump()).toEqual(model.dump());
      redo(core, log.slice(random(log.length)));
      expect(core.dump()).toEqual(model.dump());
    }
  });

  it(`redoes a log over parts of it in any order, ${SEED}`, () => {
    for (let round = 0; round < 12; round++) {
      const { log, model } = history(SEED + round, 120, { ...CHOICES, trims: 0, erases: 0 });
      const random = randomFrom(round);
      const core = new GraphCore(build);
      const parts = log.filter(() => random(2) === 0);
      for (let i = parts.length - 1; i > 0; i--) {
        const j = random(i + 1);
        [parts[i], parts[j]] = [parts[j]!, parts[i]!];
      }
      redo(core, parts);
      redo(core, log);
      expect(unordered(core.dump())).toEqual(unordered(model.dump()));
    }
  });

  it(`is as before whenever any one allocation fails, ${SEED}`, () => {
    const rounds = build === 'graph' ? 40 : 20;
    for (let round = 0; round < rounds; round++) {
      const { log, model } = history(SEED + round, 25 + round, CHOICES);
      failEverywhere(build, log, model, randomStep(randomFrom(round), model, 9999, { ...CHOICES, mistakes: 1000 }));
    }
  });

  it(`makes the same graph in steps, whatever others do between them, ${SEED}`, () => {
    const random = randomFrom(SEED);
    const [whole, stepped] = [new GraphCore(build), new GraphCore(build)];
    const model = new GraphModel();
    let begun = 0;
    const between = (): void => {
      stepped.exports.allocate!(0, PURPOSE.system, 1 + random(500));
      stepped.exports.retireAdvance!();
    };
    for (let i = 0; i < STEPS[build] / 4; i++) {
      const step = randomStep(random, model, 1000 + i, CHOICES);
      model.apply(step);
      const code = whole.apply(encode(step), false, true);
      const inSteps = stepped.applyInSteps(encode(step), 1 + random(4), between);
      if (inSteps !== null) begun++;
      expect(inSteps ?? stepped.apply(encode(step), false, true), `step ${i}`).toBe(code);
      expect(stepped.changes, `step ${i}`).toEqual(code === STATUS.ok ? whole.changes : []);
      expect(stepped.verify(), `step ${i}`).toBe(0);
      expect(stepped.memoryBytes(), `step ${i}`).toEqual(whole.memoryBytes());
      if (i % 10 === 0) expect(stepped.dump(), `step ${i}`).toEqual(model.dump());
    }
    expect(begun).toBeGreaterThan(STEPS[build] / 10);
    expect(stepped.dump()).toEqual(model.dump());
  });

  it(`is as before whenever any one allocation fails in steps, ${SEED}`, () => {
    for (let round = 0; round < (build === 'graph' ? 4 : 2); round++) {
      const { log, model } = history(SEED + round, 25 + round, CHOICES);
      const core = new GraphCore(build);
      for (const { step } of log) core.apply(encode(step));
      const transaction = encode(randomStep(randomFrom(round), model, 9999, { ...CHOICES, mistakes: 1000 }));
      const before = core.dump();
      for (let n = 1; n < 1000; n++) {
        core.exports.failAfter!(n);
        const code = core.applyInSteps(transaction, 1 + (n % 3), () => core.exports.retireAdvance!());
        core.exports.failAfter!(0);
        expect(core.verify()).toBe(0);
        if (code !== null && code !== STATUS.noMemory) break;
        if (n % 5 === 0) expect(core.dump()).toEqual(before);
      }
    }
  });

  it(`is as before whenever any one allocation of a redo fails, ${SEED}`, { tags: ['long'] }, () => {
    for (let round = 0; round < 8; round++) {
      const { log } = history(SEED + round, 40, { ...CHOICES, trims: 0, erases: 0 });
      const core = new GraphCore(build);
      redo(
        core,
        log.filter((_, i) => i % 3 !== 0),
      );
      for (const { step, firstId } of log) {
        const bytes = encode(step).encode(firstId);
        const before = core.dump();
        for (let n = 1; n < 1000; n++) {
          core.exports.failAfter!(n);
          const code = core.apply(bytes, true);
          const left = core.exports.failLeft!();
          core.exports.failAfter!(0);
          expect(core.verify()).toBe(0);
          if (code === STATUS.ok) break;
          expect([code, left]).toEqual([STATUS.noMemory, 0]);
          expect(core.dump()).toEqual(before);
        }
      }
    }
  });
});

interface Logged {
  step: Step;
  firstId: number;
}

/** Random steps that succeeded, and the model after them. */
function history(seed: number, count: number, choices: Choices): { log: Logged[]; model: GraphModel } {
  const random = randomFrom(seed);
  const model = new GraphModel();
  const log: Logged[] = [];
  while (log.length < count) {
    const step = randomStep(random, model, 1000 + log.length, choices);
    const firstId = model.nextId;
    if (model.apply(step)) log.push({ step, firstId });
  }
  return { log, model };
}

function redo(core: GraphCore, log: Logged[]): void {
  for (const { step, firstId } of log) {
    expect(core.apply(encode(step).encode(firstId), true)).toBe(STATUS.ok);
    expect(core.verify()).toBe(0);
  }
}

/** Group order follows the order of arrival, and modification times what changed in that order. */
function unordered(dump: Dump): Dump {
  const elements = Object.entries(dump.elements).map(([id, one]) => {
    const sorted = (groups?: [string, number[]][]) => groups?.toSorted(([a], [b]) => (a < b ? -1 : 1));
    return [id, { ...one, modification: 0, out: sorted(one.out), in: sorted(one.in) }];
  });
  return { ...dump, elements: Object.fromEntries(elements) };
}

function failEverywhere(build: Build, log: Logged[], model: GraphModel, step: Step): void {
  const core = new GraphCore(build);
  for (const one of log) core.apply(encode(one.step));
  const before = core.dump();
  const good = model.apply(step);
  let tablesGrown = 0;
  for (let n = 1; n < 1000; n++) {
    const bytes = core.memoryBytes();
    core.exports.failAfter!(n);
    const code = core.apply(encode(step), false, true);
    core.exports.failAfter!(0);
    expect(core.verify(), `allocation ${n}`).toBe(0);
    if (code === STATUS.ok || !good) {
      expect(core.dump()).toEqual(good ? model.dump() : before);
      // The two tables of interned strings may grow once each; the strings themselves are taken back.
      expect(tablesGrown).toBeLessThan(4);
      return;
    }
    expect(code).toBe(STATUS.noMemory);
    expect(core.dump()).toEqual(before);
    expect(core.changes).toEqual([]);
    const [elements, , properties, strings] = core.memoryBytes();
    expect([elements, properties]).toEqual([bytes[0], bytes[2]]);
    if (strings !== bytes[3]) tablesGrown++;
  }
  throw new Error('never succeeded');
}

// What members of a job make of it together, however their steps come between each other: every phase is ended by one of them, and every
// kernel answers what one member alone answers. The seeds are fixed; ANALYTICS_ROUNDS tries more of them.

import { afterAll, describe, expect, it } from 'vitest';
import { type Job, Kernel, type Run, type Scope, View } from '../../src/core/analytics.ts';
import { TypeId } from '../../src/core/values.ts';
import { randomFrom } from '../unit/memory-module.ts';
import { AnalyticsCore, type RunOptions } from './support/analytics-core.ts';
import { Member, playAll, stackBytes } from './support/switched-members.ts';

const rounds = Number(process.env.ANALYTICS_ROUNDS ?? 12);
const mostMembers = 3;

describe('phases', () => {
  const memory = new WebAssembly.Memory({ initial: 65536, maximum: 65536, shared: true });
  const words = new Uint32Array(memory.buffer);
  const [job, sizesAt, endsAt, runsAt, stacksAt] = [65_536, 66_560, 67_584, 68_608, 131_072];

  it.each([2, 3])('%i members end each of them once, and run each chunk once', (count) => {
    let random = randomFrom(1);
    const leaves = (): boolean => random(3) === 0;
    const members = Array.from({ length: count }, (_, i) => new Member(memory, stacksAt + i * stackBytes, leaves));
    for (let round = 0; round < 40 * rounds; round++) {
      random = randomFrom(7919 * (round + 1));
      const sizes = Array.from({ length: 5 }, () => 1 + random(3));
      words.fill(0, job >>> 2, (runsAt >>> 2) + 256);
      words.set(sizes, sizesAt >>> 2);
      (members[0] as Member).exports.jobOpen(job, sizes[0] as number);
      playAll(members, (exports, member) => exports.playMember(job, member, sizesAt, endsAt, runsAt), random);
      const seen = (at: number): number[] => [...words.subarray(at >>> 2, (at >>> 2) + sizes.length)];
      expect([seen(endsAt), seen(runsAt)], `round ${round}`).toEqual([sizes.map(() => 1), sizes]);
    }
  });
});

/** A core whose kernels are run by switched members. */
class SwitchedCore extends AnalyticsCore {
  random: (below: number) => number = () => 0;
  /** How often a member is left: every so many words it shares. */
  every = 1;
  /** Called before the members begin. */
  prepare: (job: Job) => void = () => {};
  private readonly members: readonly Member[];

  constructor() {
    super('debug');
    const stacks = this.instance.exports.arenaAllocate(mostMembers * stackBytes) >>> 0;
    const leaves = (): boolean => this.random(this.every) === 0;
    this.members = Array.from({ length: mostMembers }, (_, i) => {
      return new Member(this.instance.memory, stacks + i * stackBytes, leaves);
    });
  }

  override play(job: Job, members: number, slice = 0): Run {
    if (members === 1) return super.play(job, members, slice);
    this.prepare(job);
    const run = (exports: Member['exports'], member: number): number => exports.jobRun(job.address, member, -1, slice);
    const answers = playAll(this.members.slice(0, members), run, this.random);
    return Math.max(...answers) as Run;
  }
}

/** Words of SSSP's job (assembly/analytics/sssp.ts). */
const ssspBlockCount = 144 + 16;

describe('kernels', () => {
  const core = new SwitchedCore();
  afterAll(() => core.dispose());
  const vertices = 1500;

  function fill(random: (below: number) => number): void {
    core.write([{ kind: 'erase' }]);
    const labels = Array.from({ length: vertices }, () => null);
    const edges = Array.from({ length: 6000 }, () => {
      return { source: random(vertices), target: random(1 + random(vertices)), type: 'to', weight: random(1000) / 8 };
    });
    core.fill(labels, edges, ({ weight }) => [{ key: 'w', type: TypeId.double, text: String(weight) }]);
  }

  function compare(kernel: Kernel, scope: Partial<Scope>, options: RunOptions = {}): void {
    const whole: Scope = { label: null, edgeType: null, view: View.both, ...scope };
    const projection = core.project(whole, kernel === Kernel.degree);
    const alone = core.run(projection, kernel, options);
    for (const members of [2, 3]) expect(core.run(projection, kernel, { ...options, members })).toEqual(alone);
    core.drop(projection);
  }

  it.each([
    ['PAGERANK', Kernel.pageRank, { opposite: true }, { maxIterations: 8, damping: 0.85, epsilon: 1e-9 }],
    ['WCC', Kernel.wcc, {}, {}],
    ['LABELPROPAGATION', Kernel.labelPropagation, {}, { maxIterations: 5 }],
    ['DEGREE', Kernel.degree, {}, {}],
    ['TRIANGLECOUNT', Kernel.triangleCount, { view: View.simple }, {}],
    ['CLUSTERINGCOEFFICIENT', Kernel.clusteringCoefficient, { view: View.simple }, {}],
    ['CLUSTERINGCOEFFICIENT out', Kernel.directedClustering, { view: View.out }, {}],
    ['BFS', Kernel.bfs, {}, { source: 0 }],
    ['SSSP', Kernel.sssp, { weightKey: 'w' }, { source: 0 }],
    ['CLOSENESS', Kernel.closeness, {}, { samples: 3, seed: 5 }],
    ['LOUVAIN', Kernel.louvain, { weightKey: 'w' }, { damping: 1 }],
    ['BETWEENNESS', Kernel.betweenness, {}, { samples: 3, seed: 5 }],
  ] as const)('%s', (_, kernel, scope, options) => {
    for (let round = 0; round < Math.max(1, rounds / 6); round++) {
      core.random = randomFrom(104_729 * (round + 1));
      core.every = 2 + core.random(60);
      fill(core.random);
      compare(kernel, scope, options);
    }
  });

  // With few blocks the members meet where blocks are handed out; the same one to two of them would lose what the other writes.
  it('SSSP whose members run out of blocks', () => {
    core.prepare = ({ address }) => {
      core.instance.words[(address + ssspBlockCount) >>> 2] = 100 + core.random(100);
    };
    for (let round = 0; round < rounds; round++) {
      core.random = randomFrom(15_485_863 * (round + 1));
      core.every = 1 + core.random(4);
      fill(core.random);
      compare(Kernel.sssp, { weightKey: 'w' }, { source: 0 });
    }
    core.prepare = () => {};
  });
});

// Jobs of every temper over namespaces that come and go, with the writer at work: whatever ends however, each job has an outcome that
// its kind may have, reads only its own namespace, and leaves nothing behind. `npm run soak:jobs` runs it for ten minutes;
// JOBS_SEED repeats a run.

import { expect, test } from 'vitest';
import { Random } from '../../benchmarks/lib/graphs.ts';
import type { Core } from '../../src/core/core.ts';
import type { JobFailure, JobOptions, JobSpace, Jobs } from '../../src/engine/jobs/types.ts';
import { vertex } from '../unit/engine-support.ts';
import { kinds, newCore, reasonOf, slotsOf, threads } from '../unit/support/jobs-home.ts';

const seconds = Number(process.env.JOBS_SECONDS ?? 2);
const seed = Number(process.env.JOBS_SEED ?? Date.now() % 1_000_000);
const threadCount = 3;

class LiveNamespace {
  readonly core: Core = newCore();
  readonly graph: number = this.core.createGraph();
  readonly vertices: number;
  readonly space: JobSpace;
  readonly outcomes = new Set<Promise<void>>();
  private readonly scratchBytes: number;

  /** No other living namespace has as many vertices. */
  constructor(jobs: Jobs, vertices: number) {
    this.vertices = vertices;
    this.core.write(
      this.graph,
      Array.from({ length: vertices }, () => vertex('dot')),
      0,
    );
    this.core.instance.exports.caseTableAddress();
    this.scratchBytes = this.core.memoryUse().scratch;
    this.space = jobs.open(this.core);
  }

  change(value: number): void {
    const operations = Array.from({ length: 1 + (value % 20) }, (_, id) => {
      const property = { key: `key ${value % 50}`, type: 7, text: `${value}` } as const;
      return { kind: 'setProperty', element: id % this.vertices, ...property } as const;
    });
    expect(this.core.write(this.graph, operations, 0).ok).toBe(true);
  }

  /** All its jobs have ended: nothing they were lent is missing, and nothing waits for them. */
  expectClean(): void {
    expect(slotsOf(this.core)).toEqual({ taken: 0, announced: 0 });
    this.core.instance.exports.retireAdvance();
    expect(this.core.instance.exports.retireAdvance()).toBe(0);
    // The writer's own buffers may have grown by a few writes.
    expect(this.core.memoryUse().scratch - this.scratchBytes).toBeLessThanOrEqual(512 * 1024);
  }

  async end(): Promise<void> {
    await this.space.close();
    await Promise.all(this.outcomes);
    this.expectClean();
    this.core.dispose();
  }
}

/** What a kind may come to, besides being told to stop. */
const tempers: readonly { kind: keyof typeof kinds; gang?: true; ends: boolean; may: readonly string[] }[] = [
  { kind: 'counts', ends: true, may: ['ok'] },
  { kind: 'counts', ends: true, may: ['ok'] },
  { kind: 'slices', ends: true, may: ['ok'] },
  { kind: 'numbers', ends: true, may: ['ok'] },
  { kind: 'widens', ends: true, may: ['ok', 'memory'] },
  { kind: 'poll', ends: false, may: [] },
  { kind: 'endless', ends: false, may: [] },
  { kind: 'throws', ends: true, may: ['failed'] },
  { kind: 'traps', ends: true, may: ['failed'] },
  { kind: 'exits', ends: true, may: ['crashed'] },
  { kind: 'uncaught', ends: true, may: ['crashed'] },
  { kind: 'unreadable', ends: true, may: ['failed'] },
  { kind: 'gangSum', gang: true, ends: true, may: ['ok'] },
  { kind: 'gangWait', gang: true, ends: false, may: [] },
  { kind: 'gangStuck', gang: true, ends: false, may: [] },
  { kind: 'gangTraps', gang: true, ends: true, may: ['failed'] },
];
const stopped: readonly JobFailure[] = ['cancelled', 'deadline', 'closed', 'overload'];

class Soak {
  readonly ended: Record<string, number> = {};
  private readonly random = new Random(seed);
  private readonly jobs = threads(threadCount, { graceMs: 15, maxWaiting: 40 });
  private namespaces: LiveNamespace[] = [];
  private ending: Promise<void>[] = [];
  private created = 0;

  step(): void {
    const { random, namespaces } = this;
    if (namespaces.length < 2 || (namespaces.length < 5 && random.below(40) === 0)) {
      namespaces.push(new LiveNamespace(this.jobs, 2 + (this.created++ % 200)));
    }
    if (namespaces.length > 2 && random.below(60) === 0) {
      const [gone] = namespaces.splice(random.below(namespaces.length), 1) as [LiveNamespace];
      this.ending.push(gone.end());
    }
    const one = namespaces[random.below(namespaces.length)] as LiveNamespace;
    if (random.below(2) === 0) one.change(random.below(1_000_000));
    else this.start(one);
  }

  private start(one: LiveNamespace): void {
    const { random } = this;
    const { kind: name, gang, ends, may } = tempers[random.below(tempers.length)] as (typeof tempers)[number];
    const request = this.requestOf(name, one);
    const controller = new AbortController();
    const options: JobOptions = ends && random.below(2) === 0 ? {} : this.limits(controller);
    const running = gang
      ? one.space.runGang(kinds[name], request, { ...options, members: 1 + random.below(4), sharedBytes: 64 })
      : one.space.run(kinds[name], request, options);
    const checked = running.then((outcome) => {
      const reason = reasonOf(outcome);
      this.ended[`${name} ${reason}`] = (this.ended[`${name} ${reason}`] ?? 0) + 1;
      // A gang of one has no one that traps or is stuck beside another; what a member alone may do is its kind's business.
      expect([...may, ...stopped], `${name}: ${JSON.stringify(outcome)}`).toContain(reason);
      if (outcome.ok && name === 'counts') {
        expect((outcome.value as { vertices: number }).vertices).toBe(one.vertices);
      }
    });
    checked.catch(() => {});
    one.outcomes.add(checked);
    checked.then(() => one.outcomes.delete(checked)).catch(() => {}); // kept, and thrown by `end`
  }

  private requestOf(name: keyof typeof kinds, one: LiveNamespace): unknown {
    if (name === 'counts') return one.graph;
    if (name === 'slices' || name === 'numbers') return this.random.below(200);
    if (name === 'widens') return this.random.below(4 << 20);
    return name === 'gangSum' ? { numbers: 1 + this.random.below(1000), rounds: this.random.below(50) } : 0;
  }

  private limits(controller: AbortController): JobOptions {
    if (this.random.below(2) === 0) return { timeoutMs: this.random.below(30) };
    setTimeout(() => controller.abort(), this.random.below(30));
    return { signal: controller.signal };
  }

  async settle(): Promise<void> {
    await Promise.all(this.ending.splice(0));
    for (const one of this.namespaces) {
      await Promise.all(one.outcomes);
      one.expectClean();
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.namespaces.splice(0).map((one) => one.end()));
    await this.jobs.close();
  }
}

test(`jobs of every temper, ${seconds} s, seed ${seed}`, { timeout: (seconds + 60) * 1000 }, async () => {
  console.log(`jobs: seed ${seed}`);
  const soak = new Soak();
  const until = performance.now() + seconds * 1000;
  // On a slow machine what ends well takes longer to come.
  while (performance.now() < until || !(Number(soak.ended['counts ok']) > 0)) {
    for (let i = 0; i < 150; i++) {
      for (let j = 0; j < 3; j++) soak.step();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await soak.settle();
  }
  await soak.settle();
  await soak.end();
  console.log(`jobs: ${JSON.stringify(soak.ended)}`);
  expect(soak.ended['counts ok']).toBeGreaterThan(0);
});

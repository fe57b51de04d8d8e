// The projections of one graph that are kept between runs. One serves as long as the graph has the version it was begun on; with the
// first write it is stale and goes, unless a run is on it, which then finishes and gives it back. What is kept beyond the budget goes
// too, the longest unused first, and all that is idle does when a write, or another run, finds no memory.

import { dropProjection, type Projection, type Scope } from '../../core/analytics.ts';
import type { Core } from '../../core/core.ts';

/** A projection that runs may stand on. */
export interface Held {
  readonly key: string;
  readonly projection: Projection;
  readonly hasArcs: boolean;
  /** Without kernels. */
  readonly bytes: number;
  users: number;
}

export class Projections {
  private readonly core: Core;
  private readonly graph: number;
  private readonly budgetBytes: number;
  /** The longest unused first. */
  private held: Held[] = [];
  /** Those in use whose graph has changed, and those that could not be dropped for want of memory. */
  private outdated: Held[] = [];
  private readonly building = new Map<string, Promise<void>>();

  constructor(core: Core, graph: number, budgetBytes: number) {
    this.core = core;
    this.graph = graph;
    this.budgetBytes = budgetBytes;
  }

  /** One of the present graph, held for the caller until `release`; null when there is none. */
  take(key: string, needsArcs: boolean): Held | null {
    this.changed();
    const at = this.held.findIndex((one) => one.key === key && (one.hasArcs || !needsArcs));
    if (at < 0) return null;
    const [found] = this.held.splice(at, 1) as [Held];
    this.held.push(found);
    found.users++;
    return found;
  }

  /** A new one, held for the caller until `release`. */
  add(key: string, projection: Projection, hasArcs: boolean, bytes: number): Held {
    const held: Held = { key, projection, hasArcs, bytes, users: 1 };
    if (this.isCurrent(held)) this.held.push(held);
    else this.outdated.push(held);
    return held;
  }

  release(held: Held): void {
    held.users--;
    this.changed();
    this.dropOutdated();
    let bytes = this.held.reduce((sum, one) => sum + one.bytes, 0);
    for (const one of [...this.held]) {
      if (bytes <= this.budgetBytes) return;
      if (one.users > 0) continue;
      bytes -= one.bytes;
      this.held.splice(this.held.indexOf(one), 1);
      this.drop(one);
    }
  }

  /** Lets go of what is not of the present graph. To be called after every write. */
  changed(): void {
    if (this.held.length === 0 || this.isCurrent(this.held[0] as Held)) return;
    this.outdated.push(...this.held);
    this.held = [];
    this.dropOutdated();
  }

  /** Gives back everything that no run stands on, or else what is kept for exports, which then break off; false when there was nothing. */
  yield(): boolean {
    const idle = this.held.filter(({ users }) => users === 0);
    const had = idle.length > 0 || this.outdated.some(({ users }) => users === 0);
    this.held = this.held.filter(({ users }) => users > 0);
    this.outdated.push(...idle);
    this.dropOutdated();
    return had || this.core.instance.exports.keepsYield(this.graph) !== 0;
  }

  /** While one of this key is being built: settles when that is over, one way or the other. */
  underConstruction(key: string): Promise<void> | null {
    return this.building.get(key) ?? null;
  }

  /** Runs what builds one of this key; nobody else may be at that. */
  async construct<T>(key: string, build: () => Promise<T>): Promise<T> {
    let settle = (): void => {};
    this.building.set(
      key,
      new Promise((resolve) => {
        settle = resolve;
      }),
    );
    try {
      return await build();
    } finally {
      this.building.delete(key);
      settle();
    }
  }

  private isCurrent({ projection }: Held): boolean {
    return projection.version === this.core.graphVersion(this.graph);
  }

  private dropOutdated(): void {
    const idle = this.outdated.filter(({ users }) => users === 0);
    this.outdated = this.outdated.filter(({ users }) => users > 0);
    for (const one of idle) this.drop(one);
  }

  private drop(held: Held): void {
    const { instance } = this.core;
    if (dropProjection(instance, held.projection)) instance.exports.retireAdvance();
    else this.outdated.push(held);
  }
}

/** Names a scope for `take` and `add`. */
export function keyOf({ label, edgeType, view, weightKey = null, paired = false, opposite = false }: Scope): string {
  return JSON.stringify([label, edgeType, view, weightKey, paired && weightKey !== null, opposite]);
}

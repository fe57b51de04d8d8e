// Graphs that a service has let go of, as the next one in the same process takes them: each is the whole state of a namespace after one commit, as
// a checkpoint is, in memory. Whoever goes on from one with a log has to find that very commit in it (log/open-segments.ts).

import type { Core } from '../core/core.ts';
import type { Documents } from './documents.ts';
import type { HistoryPosition } from './state-hash.ts';

export interface KeptGraph {
  /** Nothing else uses it. */
  readonly core: Core;
  readonly graph: number;
  readonly documents: Documents;
  /** Of the last commit that is in it. */
  readonly position: HistoryPosition;
}

export class KeptGraphs {
  private readonly byName: Map<string, KeptGraph>;

  constructor(graphs: Iterable<readonly [name: string, graph: KeptGraph]> = []) {
    this.byName = new Map(graphs);
  }

  /** It is the caller's from then on; null: there is none of that name. */
  take(name: string): KeptGraph | null {
    const kept = this.byName.get(name) ?? null;
    this.byName.delete(name);
    return kept;
  }

  /** All that nobody has taken. */
  takeAll(): (readonly [name: string, graph: KeptGraph])[] {
    const all = [...this.byName];
    this.byName.clear();
    return all;
  }

  /** Gives back the memory of those that nobody has taken. */
  dispose(): void {
    for (const { core } of this.byName.values()) core.dispose();
    this.byName.clear();
  }
}

// Transactions whose body is code of a plugin (contract part 1, Change event: `delegateWrite`): the body runs first, elsewhere, and knows the
// ids that its creates will get; then all it asked for is one transaction on the writer. Writes that ask (`hold`) wait while a body is open, for
// a few seconds at most; after one that did not ask the ids are another's, and the transaction is refused.
//
// What only sets or removes properties is not logged, as the contract has it. What creates or removes elements is: ids in the log's later
// transactions would otherwise mean other elements when the log is replayed.

import type { Applied } from '../core/core.ts';
import type { WriteOperation } from '../core/requests.ts';
import { CoreStatus } from '../core/status.ts';
import type { DelegateCommit, DelegateTransaction } from './types.ts';
import type { WriterSlices } from './writer-slices.ts';

/** How long other writes wait for a body. */
const mostHoldMs = 5_000;

/** What such writes need of their namespace. */
export interface DelegateTarget extends WriterSlices {
  /** How often ids lost their meaning. */
  readonly renumberings: () => number;
  /** Logs, if it is to be logged, and publishes what was applied. */
  readonly commitDelegate: (applied: Applied, nowMs: number, logged: boolean) => Promise<boolean>;
}

export class DelegateWrites {
  private readonly target: DelegateTarget;
  /** The last body that was opened; null: it is over. */
  private open: Promise<void> | null = null;

  constructor(target: DelegateTarget) {
    this.target = target;
  }

  /** Null as a rule; else a promise for the moment a body is over, or has had its time. There may be another one then: ask again. */
  hold(): Promise<void> | null {
    return this.open;
  }

  /** One at a time: waits for those before it. The caller ends it, whatever becomes of the body. */
  async begin(): Promise<DelegateTransaction> {
    while (this.open !== null) await this.open;
    const { core, graph, renumberings } = this.target;
    const firstId = core.nextId(graph);
    const renumbered = renumberings();
    let over = (): void => {};
    const open = new Promise<void>((resolve) => {
      over = resolve;
    });
    const end = (): void => {
      clearTimeout(timer);
      if (this.open === open) this.open = null;
      over();
    };
    const timer = setTimeout(end, mostHoldMs);
    this.open = open;
    const isOvertaken = (): boolean => core.nextId(graph) !== firstId || renumberings() !== renumbered;
    return { firstId, commit: (operations) => this.commit(operations, isOvertaken), end };
  }

  private commit(operations: readonly WriteOperation[], isOvertaken: () => boolean): DelegateCommit {
    const { core, graph, nowMs, yieldMemory, obstacle, commitDelegate } = this.target;
    const flaw = obstacle() ?? (isOvertaken() ? 'Another transaction was committed meanwhile.' : null);
    if (flaw !== null) return { ok: false, flaw };
    if (operations.length === 0) return { ok: true, durable: Promise.resolve(true) };
    const now = nowMs();
    let applied = core.write(graph, operations, now);
    if (!applied.ok && applied.status === CoreStatus.noMemory && yieldMemory()) {
      applied = core.write(graph, operations, now);
    }
    if (!applied.ok) return { ok: false, flaw: flaws[applied.status] ?? `The core refused it (${applied.status}).` };
    return { ok: true, durable: commitDelegate(applied, now, operations.some(changesIds)) };
  }
}

const flaws: Readonly<Partial<Record<number, string>>> = {
  [CoreStatus.notFound]: 'An element is not there.',
  [CoreStatus.wrongKind]: 'An element is of the other kind.',
  [CoreStatus.badValue]: 'A value is none of its type.',
  [CoreStatus.noMemory]: 'The namespace has no memory left for it.',
};

function changesIds({ kind }: WriteOperation): boolean {
  return kind === 'createVertex' || kind === 'createEdge' || kind === 'removeElement';
}

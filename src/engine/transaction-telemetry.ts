// What is recorded of transactions: how they ended, under which name, and how long they took.

import type { WriteOperation, WriteRefusal } from '../core/requests.ts';
import { CoreStatus } from '../core/status.ts';
import { instruments } from '../telemetry/instruments.ts';
import { type Span, spanAttributes, spans } from '../telemetry/spans.ts';
import type { EngineTelemetry, Series } from '../telemetry/telemetry.ts';
import type { CommitGroup, CommitGroups, CommitStep } from './commit-groups.ts';

/** Transactions by their first operation: the name for one of them, and for several. */
const names: Readonly<Record<WriteOperation['kind'], readonly [one: string, several: string]>> = {
  createVertex: ['CreateVertexTransaction', 'CreateVerticesTransaction'],
  createEdge: ['CreateEdgeTransaction', 'CreateEdgesTransaction'],
  setProperty: ['AddPropertyTransaction', 'AddPropertiesTransaction'],
  removeProperty: ['RemovePropertyTransaction', 'RemovePropertiesTransaction'],
  removeElement: ['RemoveGraphElementTransaction', 'RemoveGraphElementsTransaction'],
  erase: ['TabulaRasaTransaction', 'TabulaRasaTransaction'],
  trim: ['TrimTransaction', 'TrimTransaction'],
  createIndex: ['CreateIndexTransaction', 'CreateIndexTransaction'],
  dropIndex: ['DropIndexTransaction', 'DropIndexTransaction'],
  clearIndex: ['ClearIndexTransaction', 'ClearIndexTransaction'],
  addToIndex: ['AddToIndexTransaction', 'AddToIndexTransaction'],
  removeFromIndex: ['RemoveFromIndexTransaction', 'RemoveFromIndexTransaction'],
  removeIndexKey: ['RemoveIndexKeyTransaction', 'RemoveIndexKeyTransaction'],
  putDocument: ['PutDocumentTransaction', 'PutDocumentTransaction'],
  removeDocument: ['RemoveDocumentTransaction', 'RemoveDocumentTransaction'],
};

/** Transactions that are not made of a list of operations. */
export type BulkTransaction =
  | 'ImportTransaction'
  | 'GenerateTransaction'
  | 'AnalyticsWriteBackTransaction'
  | 'DelegateTransaction'
  | 'FillIndexTransaction';

const reasons: Readonly<Partial<Record<WriteRefusal['status'], string>>> = {
  [CoreStatus.notFound]: 'NotFound',
  [CoreStatus.badValue]: 'InvalidInput',
  [CoreStatus.wrongKind]: 'InvalidInput',
  [CoreStatus.duplicateKey]: 'Conflict',
  [CoreStatus.noMemory]: 'QuotaExceeded',
  [CoreStatus.tooManyIds]: 'QuotaExceeded',
  [CoreStatus.limitMet]: 'QuotaExceeded',
};

function nameOf(operations: readonly WriteOperation[]): string {
  const first = operations[0];
  return first === undefined ? 'EmptyTransaction' : names[first.kind][operations.length === 1 ? 0 : 1];
}

const { commits, executeDuration, commitDuration } = instruments;

/** Transactions of one group for which there is room at first, and for which it is kept from group to group. */
const [usualGroup, keptGroup] = [64, 1024];
/** Settled groups whose room is kept. */
const keptGroups = 8;

/** Transactions that become durable together. Of each its times are written down; histograms take those of a group at once. */
class Ending {
  /** When the bodies began: the first `count` are of this group. */
  beganMs = new Float64Array(usualGroup);
  count = 0;
  /** What the bodies took, of which that is known: the first `bodies`. */
  seconds = new Float64Array(usualGroup);
  bodies = 0;
  /** Of those that are traced. */
  readonly spans: Span[] = [];
  /** When the bodies of those ended. */
  readonly spansEndedMs: number[] = [];
  /** What its group does when it has settled. */
  readonly settle: CommitStep;

  constructor(settled: (ending: Ending, isDurable: boolean) => void) {
    this.settle = (isDurable) => settled(this, isDurable);
  }

  add(beganMs: number): void {
    if (this.count === this.beganMs.length) this.grow();
    this.beganMs[this.count++] = beganMs;
  }

  /** Of the newest, what its body took. */
  took(seconds: number): void {
    this.seconds[this.bodies++] = seconds;
  }

  private grow(): void {
    const [beganMs, seconds] = [this.beganMs, this.seconds];
    this.beganMs = new Float64Array(2 * this.count);
    this.beganMs.set(beganMs);
    this.seconds = new Float64Array(2 * this.count);
    this.seconds.set(seconds);
  }

  clear(): void {
    this.count = 0;
    this.bodies = 0;
    if (this.spans.length === 0) return;
    this.spans.length = 0;
    this.spansEndedMs.length = 0;
  }
}

export class TransactionTelemetry {
  private readonly telemetry: EngineTelemetry;
  // What every transaction records into is looked up once.
  private readonly commits = new Map<string, Series>();
  /** That of the commit before: most are followed by one of their kind. */
  private latest: { readonly name: string; readonly series: Series } | null = null;
  private executed: Series | null = null;
  private committed: Series | null = null;
  /** Settled groups, for the next ones. */
  private readonly spares: Ending[] = [];
  private readonly groups: CommitGroups;
  /** The newest group, and what is written down of it. */
  private group: CommitGroup | null = null;
  private ending: Ending | null = null;

  constructor(telemetry: EngineTelemetry, groups: CommitGroups) {
    this.telemetry = telemetry;
    this.groups = groups;
  }

  rolledBack(operations: readonly WriteOperation[], { status }: WriteRefusal, beganMs: number): void {
    if (!this.telemetry.on) return;
    const reason = reasons[status] ?? 'InternalError';
    const name = nameOf(operations);
    this.telemetry.add(instruments.rollbacks, 1, name, reason);
    const span = this.telemetry.span(spans.transaction, beganMs);
    if (!span.isRecorded) return;
    span.set(spanAttributes.transactionType, name);
    span.set(spanAttributes.transactionState, 'RolledBack');
    span.set(spanAttributes.failureReason, reason);
    span.fail();
    span.end();
  }

  /** In the turn of the commit. `beganMs`: when its body did. */
  written(operations: readonly WriteOperation[], durable: Promise<boolean>, beganMs: number): void {
    if (!this.telemetry.on) return;
    const endedMs = this.telemetry.monotonicMs();
    this.end(nameOf(operations), durable, beganMs, endedMs).took((endedMs - beganMs) / 1000);
  }

  /** The same for a transaction that was made elsewhere. Answers `durable`. */
  made(transaction: BulkTransaction, durable: Promise<boolean>): Promise<boolean> {
    if (!this.telemetry.on) return durable;
    const nowMs = this.telemetry.monotonicMs();
    this.end(transaction, durable, nowMs, nowMs);
    return durable;
  }

  private end(name: string, durable: Promise<boolean>, beganMs: number, endedMs: number): Ending {
    const ending = this.endingOf(durable);
    ending.add(beganMs);
    this.commitsOf(name).add(1);
    const span = this.telemetry.span(spans.transaction, beganMs);
    if (!span.isRecorded) return ending;
    span.set(spanAttributes.transactionType, name);
    span.set(spanAttributes.transactionState, 'Committed');
    ending.spans.push(span);
    ending.spansEndedMs.push(endedMs);
    return ending;
  }

  private endingOf(durable: Promise<boolean>): Ending {
    const group = this.groups.of(durable);
    if (this.ending !== null && this.group === group) return this.ending;
    const ending = this.spares.pop() ?? new Ending((settled, isDurable) => this.settled(settled, isDurable));
    this.group = group;
    this.ending = ending;
    group.push(ending.settle);
    return ending;
  }

  private settled(ending: Ending, isDurable: boolean): void {
    if (this.ending === ending) {
      this.group = null;
      this.ending = null;
    }
    for (let i = 0; i < ending.spans.length; i++) {
      const span = ending.spans[i] as Span;
      span.set(spanAttributes.transactionDurable, isDurable);
      span.end(ending.spansEndedMs[i]);
    }
    this.recordBodies(ending);
    if (isDurable) this.recordCommits(ending);
    else this.telemetry.add(instruments.nondurable, ending.count);
    ending.clear();
    if (ending.beganMs.length <= keptGroup && this.spares.length < keptGroups) this.spares.push(ending);
  }

  private recordBodies({ seconds, bodies }: Ending): void {
    if (bodies === 0) return;
    this.executed ??= this.telemetry.series(executeDuration, []);
    this.executed.recordAll(seconds, bodies);
  }

  private recordCommits({ beganMs, count }: Ending): void {
    this.committed ??= this.telemetry.series(commitDuration, []);
    const nowMs = this.telemetry.monotonicMs();
    for (let i = 0; i < count; i++) beganMs[i] = (nowMs - (beganMs[i] as number)) / 1000;
    this.committed.recordAll(beganMs, count);
  }

  private commitsOf(name: string): Series {
    if (this.latest?.name === name) return this.latest.series;
    let series = this.commits.get(name);
    if (series === undefined) {
      series = this.telemetry.series(commits, [name]);
      this.commits.set(name, series);
    }
    this.latest = { name, series };
    return series;
  }
}

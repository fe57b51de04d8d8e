// What is recorded of transactions: how they ended, under which name, and how long they took.

import type { WriteOperation, WriteRefusal } from '../core/requests.ts';
import { CoreStatus } from '../core/status.ts';
import { instruments } from '../telemetry/instruments.ts';
import { type Span, spanAttributes, spans } from '../telemetry/spans.ts';
import type { EngineTelemetry, Series } from '../telemetry/telemetry.ts';
import { CommitGroups } from './commit-groups.ts';

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

/** Transactions that become durable together. */
class Ending {
  /** When the bodies began, in seconds: the first `count` are of this group. */
  began = new Float64Array(usualGroup);
  count = 0;
  /** Of those that are traced. */
  readonly spans: Span[] = [];
  /** The seconds they took. */
  readonly took: number[] = [];

  add(began: number): void {
    if (this.count === this.began.length) {
      const grown = new Float64Array(2 * this.count);
      grown.set(this.began);
      this.began = grown;
    }
    this.began[this.count++] = began;
  }

  clear(): void {
    this.count = 0;
    if (this.spans.length === 0) return;
    this.spans.length = 0;
    this.took.length = 0;
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
  private readonly groups = new CommitGroups(
    () => this.spares.pop() ?? new Ending(),
    (ending, isDurable) => this.settled(ending, isDurable),
  );

  constructor(telemetry: EngineTelemetry) {
    this.telemetry = telemetry;
  }

  rolledBack(operations: readonly WriteOperation[], { status }: WriteRefusal, began: number): void {
    if (!this.telemetry.on) return;
    const reason = reasons[status] ?? 'InternalError';
    const name = nameOf(operations);
    this.telemetry.add(instruments.rollbacks, 1, name, reason);
    const span = this.telemetry.span(spans.transaction, this.telemetry.seconds() - began);
    if (!span.isRecorded) return;
    span.set(spanAttributes.transactionType, name);
    span.set(spanAttributes.transactionState, 'RolledBack');
    span.set(spanAttributes.failureReason, reason);
    span.fail();
    span.end();
  }

  /** In the turn of the commit. `began`: when its body did. */
  written(operations: readonly WriteOperation[], durable: Promise<boolean>, began: number): void {
    if (!this.telemetry.on) return;
    this.executed ??= this.telemetry.series(executeDuration, []);
    const took = this.telemetry.seconds() - began;
    this.executed.record(took);
    this.end(nameOf(operations), durable, began, took);
  }

  /** The same for a transaction that was made elsewhere. Answers `durable`. */
  made(transaction: BulkTransaction, durable: Promise<boolean>): Promise<boolean> {
    if (this.telemetry.on) this.end(transaction, durable, this.telemetry.seconds(), 0);
    return durable;
  }

  private end(name: string, durable: Promise<boolean>, began: number, took: number): void {
    this.commitsOf(name).add(1);
    const group = this.groups.of(durable);
    group.add(began);
    const span = this.telemetry.span(spans.transaction, took);
    if (!span.isRecorded) return;
    span.set(spanAttributes.transactionType, name);
    span.set(spanAttributes.transactionState, 'Committed');
    group.spans.push(span);
    group.took.push(took);
  }

  private settled(ending: Ending, isDurable: boolean): void {
    const { began, count } = ending;
    for (let i = 0; i < ending.spans.length; i++) {
      const span = ending.spans[i] as Span;
      span.set(spanAttributes.transactionDurable, isDurable);
      span.end(ending.took[i]);
    }
    if (isDurable) this.recordCommits(began, count);
    else this.telemetry.add(instruments.nondurable, count);
    ending.clear();
    if (began.length <= keptGroup && this.spares.length < keptGroups) this.spares.push(ending);
  }

  private recordCommits(began: Float64Array, count: number): void {
    this.committed ??= this.telemetry.series(commitDuration, []);
    const now = this.telemetry.seconds();
    for (let i = 0; i < count; i++) this.committed.record(now - (began[i] as number));
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

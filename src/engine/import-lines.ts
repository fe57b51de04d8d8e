// One bulk import: chunks of lines in, transactions out, each applied and handed to the log as it completes. While the log writes
// one batch the core reads the lines of the next; what waits for the disk is bounded by the log. The first line that is wrong ends
// the import; the batches before it stay committed.

import type { Applied, Core } from '../core/core.ts';
import { describeLineFailure, importNoMemory, lineTooLong } from '../core/import-errors.ts';
import { ImportSession, type ImportStep } from '../core/interchange.ts';
import { CoreMemoryExhausted } from '../core/memory-exhausted.ts';
import type { WriteRefusal } from '../core/requests.ts';
import { CoreStatus } from '../core/status.ts';
import type { Clock } from './logger.ts';
import type { GraphEngine, ImportCounts, ImportResult } from './types.ts';

/** The core's input buffer grows to the largest piece it is given. */
const pieceBytes = 256 * 1024;

const disturbed =
  'The graph was erased or trimmed while the import ran, so its lines refer to elements that are not there as they were.';

type Failure = Omit<ImportResult & { ok: false }, 'ok' | keyof ImportCounts>;

/** What an import needs of its namespace. */
export interface ImportTarget {
  readonly core: Core;
  readonly graph: number;
  readonly clock: Clock;
  /** Hands an applied batch to the log. */
  commit(batch: Applied): Promise<boolean>;
  backpressure(): Promise<void> | null;
  /** Lets other work run; throws when the namespace has gone. */
  nextSlice(): Promise<void>;
  /** Changes whenever the ids that elements have may mean others from now on. */
  renumberings(): number;
  /** Aborted when the namespace goes. */
  readonly ending: AbortSignal;
  readonly degraded: boolean;
}

/**
 * Runs an import into a graph that is empty. Rejects only with what the namespace's own end throws; an abort by `signal` or a body
 * that breaks off is an answer like any other.
 */
export async function importLines(
  target: ImportTarget,
  body: AsyncIterable<Uint8Array>,
  limits: Parameters<GraphEngine['importLines']>[1],
  signal: AbortSignal | undefined,
): Promise<ImportResult> {
  const run = new ImportRun(target, limits);
  const chunks = new ChunkReader(body, target.ending, signal);
  let failure: Failure | null;
  try {
    failure = await run.readAll(chunks);
  } catch (error) {
    if (target.ending.aborted) throw error;
    failure = failureOf(error, signal);
    if (failure === null) throw error;
  } finally {
    run.drop();
    chunks.close();
  }
  const counts = await run.counts();
  return failure === null ? { ok: true, ...counts } : { ok: false, ...failure, ...counts };
}

class ImportRun {
  private readonly target: ImportTarget;
  private readonly session: ImportSession;
  private readonly maxBodyBytes: number;
  private bodyBytes = 0;
  private vertices = 0;
  private edges = 0;
  private lines = 0;
  private commas: ImportCounts['commas'] = null;
  private lastBatch: Promise<boolean> | null = null;
  private renumberings: number;

  constructor(target: ImportTarget, limits: Parameters<GraphEngine['importLines']>[1]) {
    this.target = target;
    this.renumberings = target.renumberings();
    this.maxBodyBytes = limits.maxBodyBytes ?? Number.POSITIVE_INFINITY;
    this.session = new ImportSession(target.core, target.graph, limits.batchSize, limits.maxLineBytes);
  }

  /** Null when every line was read and committed. */
  async readAll(chunks: ChunkReader): Promise<Failure | null> {
    const { clock } = this.target;
    for (let chunk = await chunks.next(); chunk !== null; chunk = await chunks.next()) {
      this.bodyBytes += chunk.length;
      if (this.bodyBytes > this.maxBodyBytes) {
        return refused('bodyTooLarge', null, `The body is longer than ${this.maxBodyBytes} bytes.`);
      }
      for (let at = 0; at < chunk.length; at += pieceBytes) {
        const step = this.session.feed(chunk.subarray(at, at + pieceBytes), clock.nowMs());
        const failure = await this.follow(step, chunks);
        if (failure !== null) return failure;
      }
    }
    return this.follow(this.session.end(clock.nowMs()), chunks);
  }

  /** Commits batches until the reader wants more bytes or is done. */
  private async follow(first: ImportStep, chunks: ChunkReader): Promise<Failure | null> {
    let step = first;
    while (step === 'batch') {
      const refusal = this.commit();
      if (refusal !== null) return refusal;
      await this.target.backpressure();
      await this.target.nextSlice();
      chunks.check();
      step = this.session.resume(this.target.clock.nowMs());
    }
    this.lines = this.session.linesRead;
    if (step !== 'failed') return null;
    const failure = this.session.failure();
    const detail = describeLineFailure(failure);
    if (failure.code === importNoMemory) return refused('rolledBack', failure.lineNumber, detail, CoreStatus.noMemory);
    return refused(failure.code === lineTooLong ? 'lineTooLong' : 'invalidLine', failure.lineNumber, detail);
  }

  private commit(): Failure | null {
    const { core, graph } = this.target;
    const vertices = core.vertexCount(graph);
    const edges = core.edgeCount(graph);
    this.lines = this.session.linesRead;
    if (this.isDisturbed()) return refused('rolledBack', this.lines, disturbed, CoreStatus.notFound);
    const batch = this.session.apply();
    if (!batch.ok) return rolledBack(batch, this.lines);
    this.lastBatch = this.target.commit(batch);
    this.vertices += core.vertexCount(graph) - vertices;
    this.edges += core.edgeCount(graph) - edges;
    return null;
  }

  /** True when the vertices that lines refer to may have other ids by now: edges would join the wrong ones. */
  private isDisturbed(): boolean {
    const now = this.target.renumberings();
    const changed = now !== this.renumberings;
    this.renumberings = now;
    return changed && this.vertices > 0;
  }

  drop(): void {
    this.commas = this.session.commas;
    this.session.drop();
  }

  /** What is committed. Waits for the log: a batch is durable when a later one is, so the last one speaks for all. */
  async counts(): Promise<ImportCounts> {
    const durable = this.lastBatch === null ? !this.target.degraded : await this.lastBatch;
    const { vertices: verticesCreated, edges: edgesCreated, lines: linesRead, commas } = this;
    return { verticesCreated, edgesCreated, linesRead, durable, commas };
  }
}

/** Takes chunks from a body, and stops waiting for one when the import is to end. */
class ChunkReader {
  private readonly iterator: AsyncIterator<Uint8Array>;
  private readonly signals: readonly AbortSignal[];
  private readonly onAbort = (): void => this.wake(this.reason());
  private wake: (reason: unknown) => void = () => {};
  private over = false;

  constructor(body: AsyncIterable<Uint8Array>, ending: AbortSignal, signal: AbortSignal | undefined) {
    this.iterator = body[Symbol.asyncIterator]();
    this.signals = signal === undefined ? [ending] : [ending, signal];
    for (const one of this.signals) one.addEventListener('abort', this.onAbort);
  }

  /** Throws the reason of the first signal that is aborted. */
  check(): void {
    for (const one of this.signals) one.throwIfAborted();
  }

  /** The next chunk; null at the end of the body. */
  async next(): Promise<Uint8Array | null> {
    this.check();
    const result = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
      this.wake = reject;
      this.iterator.next().then(resolve, (cause: unknown) => reject(new BodyBroken(cause)));
    });
    this.over = result.done === true;
    return result.done === true ? null : result.value;
  }

  close(): void {
    for (const one of this.signals) one.removeEventListener('abort', this.onAbort);
    if (this.over) return;
    // A body that is stuck would never answer this; whoever owns it closes its connection.
    this.iterator.return?.().catch(() => {});
  }

  private reason(): unknown {
    return this.signals.find(({ aborted }) => aborted)?.reason;
  }
}

/** The body ended by an error: the client went away. */
class BodyBroken extends Error {
  override readonly name = 'BodyBroken';

  constructor(cause: unknown) {
    super('The body broke off.', { cause });
  }
}

/** The failure an error stands for; null for one that is nobody's doing but this program's. */
function failureOf(error: unknown, signal: AbortSignal | undefined): Failure | null {
  if (signal?.aborted) return refused('aborted', null, 'The import was aborted.');
  if (error instanceof BodyBroken) return refused('aborted', null, error.message);
  if (error instanceof CoreMemoryExhausted) return refused('rolledBack', null, error.message, CoreStatus.noMemory);
  return null;
}

function rolledBack(refusal: WriteRefusal, linesRead: number): Failure {
  const detail = `The batch that ends at line ${linesRead} was rolled back.`;
  return refused('rolledBack', linesRead, detail, refusal.status);
}

function refused(
  reason: Failure['reason'],
  lineNumber: number | null,
  detail: string,
  status: CoreStatus = CoreStatus.ok,
): Failure {
  return { reason, lineNumber, detail, status };
}

/** Refused before anything was read. */
export function notEmpty(isImporting: boolean, durable: boolean): ImportResult {
  const detail = isImporting ? 'Another import into this namespace is running.' : 'The graph is not empty.';
  const counts = { verticesCreated: 0, edgesCreated: 0, linesRead: 0, durable, commas: null };
  return { ok: false, ...refused('notEmpty', null, detail), ...counts };
}

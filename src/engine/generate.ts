// A random graph as transactions of some thousand elements each, logged and published like any other write, with other work between
// them (assembly/transaction/generate.ts says which graph).

import type { Applied } from '../core/core.ts';
import { CoreMemoryExhausted } from '../core/memory-exhausted.ts';
import { CoreStatus } from '../core/status.ts';
import type { Generated, Generation, WriteOutcome } from './types.ts';
import { applyBuilt, type WriterSlices } from './writer-slices.ts';

/** A few milliseconds of the writer's. */
const edgesATransaction = 32_768;
const pageBytes = 65_536;
/** What an element and an edge's two places among its ends take at least. */
const bytesPerElement = 29;
const bytesPerEdge = 16;
/** Most ids of one graph (contract part 1). */
const mostIds = 2 ** 31 - 1;

export interface GenerateTarget extends WriterSlices {
  readonly commit: (applied: Applied, nowMs: number) => Promise<boolean>;
  readonly backpressure: () => Promise<void> | null;
  readonly trim: () => Promise<WriteOutcome>;
  /** How often ids lost their meaning. */
  readonly renumberings: () => number;
}

/** Rejects with CoreMemoryExhausted when the whole cannot fit; nothing has been written then. */
export async function generateGraph(
  target: GenerateTarget,
  { vertices, edges, distribution }: Generation,
  signal: AbortSignal | undefined,
): Promise<Generated> {
  const { exports } = target.core.instance;
  const isPreferential = distribution === 'preferential' ? 1 : 0;
  const sessionBytes = exports.generateBytes(vertices, edges);
  demandRoom(target, vertices, vertices * Math.min(edges, vertices), sessionBytes);
  const session = exports.generateBegin(vertices, edges, isPreferential, randomSeed()) >>> 0;
  if (session === 0) throw new CoreMemoryExhausted(`The generator needs ${sessionBytes} bytes of memory.`);
  try {
    const written = await writeOrTakeBack(target, session, vertices, signal);
    if ('ok' in written) return written;
    const trimmed = await target.trim();
    const durable = await (trimmed.ok ? trimmed.durable : written.durable);
    return { ok: true, verticesCreated: vertices, edgesCreated: written.made - vertices, durable };
  } finally {
    exports.generateDrop(session);
  }
}

interface Written {
  /** Elements created. */
  readonly made: number;
  /** Of the last transaction; a log that failed before it does not take it either. */
  readonly durable: Promise<boolean>;
}

async function writeOrTakeBack(
  target: GenerateTarget,
  session: number,
  vertices: number,
  signal: AbortSignal | undefined,
): Promise<Written | Generated> {
  let isWhole = false;
  try {
    await inSlices(target, () => target.core.instance.exports.generateChoose(session), signal);
    const written = await writeAll(target, session, vertices, signal);
    isWhole = !('ok' in written);
    return written;
  } finally {
    const { core, graph } = target;
    if (!isWhole) await inSlices(target, () => core.instance.exports.generateUnreserve(session, graph), undefined);
  }
}

/** Calls `step` until it answers 0, with other work in between. */
async function inSlices(target: GenerateTarget, step: () => number, signal: AbortSignal | undefined): Promise<void> {
  while (true) {
    target.core.finishStepped();
    if (step() === 0) return;
    await target.nextSlice();
    signal?.throwIfAborted();
  }
}

async function writeAll(
  target: GenerateTarget,
  session: number,
  vertices: number,
  signal: AbortSignal | undefined,
): Promise<Written | Generated> {
  const { exports } = target.core.instance;
  const renumberings = target.renumberings();
  let made = 0;
  let durable: Promise<boolean> = Promise.resolve(true);
  while (true) {
    const obstacle = target.obstacle();
    if (obstacle !== null || target.renumberings() !== renumberings) {
      return { ok: false, reason: 'overtaken', detail: obstacle ?? 'The graph was erased or trimmed meanwhile.' };
    }
    const nowMs = target.nowMs();
    const creates = exports.generateNext(session, edgesATransaction, Math.floor(nowMs / 1000), nowMs);
    if (creates === 0) break;
    if (creates < 0) return full();
    const applied = applyBuilt(target, true);
    if (!applied.ok) {
      const isFull = applied.status === CoreStatus.noMemory || applied.status === CoreStatus.tooManyIds;
      return isFull ? full() : { ok: false, reason: 'overtaken', detail: 'A vertex was removed meanwhile.' };
    }
    exports.generateCreated(session, applied.firstId);
    durable = target.commit(applied, nowMs);
    made += creates;
    await target.backpressure();
    await target.nextSlice();
    signal?.throwIfAborted();
    if (made !== vertices || target.renumberings() !== renumberings) continue;
    await inSlices(target, () => exports.generateReserve(session, target.graph), signal);
  }
  return { made, durable };
}

function full(): Generated {
  return { ok: false, reason: 'memory', detail: 'The memory of the namespace is full; what was created before stays.' };
}

function demandRoom({ core, graph, yieldMemory }: GenerateTarget, vertices: number, edges: number, more: number): void {
  const needed = bytesPerElement * (vertices + edges) + bytesPerEdge * edges + more;
  const free = (): number => core.instance.exports.pagesFree() * pageBytes;
  if (needed > free()) yieldMemory();
  if (needed > free()) {
    throw new CoreMemoryExhausted(`The graph needs at least ${Math.ceil(needed)} bytes, and ${free()} are free.`);
  }
  if (core.nextId(graph) + vertices + edges > mostIds) {
    throw new CoreMemoryExhausted(`A graph has at most ${mostIds} ids.`);
  }
}

function randomSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] as number;
}

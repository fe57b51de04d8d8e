// Applying the frames of another's log to a graph: what a replica does, and a restore. A frame is applied as a write is: documents, log, tail,
// change feed and all; so the graph, the sequence of its commits and the numbers of its events come out as they did there.

import type { Applied, Core } from '../../core/core.ts';
import { CoreStatus } from '../../core/status.ts';
import type { Projections } from '../analytics/projections.ts';
import { isIndexTransaction } from '../checkpoint/indexes.ts';
import { type Documents, isDocumentTransaction } from '../documents.ts';
import type { WriteReason } from '../feed/events.ts';
import { ReplayRefused } from '../log-replay.ts';
import { type Frame, frameKinds, resyncOf } from './frames.ts';

/** Words of the transaction buffer (assembly/transaction/format.ts). */
const firstIdAt = 36;
const createCountAt = 40;

/** The engine's side. */
export interface FollowTarget {
  readonly core: Core;
  readonly graph: number;
  readonly documents: Documents;
  readonly projections: Projections;
  /** Ids have lost their meaning. */
  readonly renumbered: () => void;
  readonly commit: (applied: Applied, resync: WriteReason | null, nowMs: number) => Promise<boolean>;
  readonly commitIndex: (applied: Applied) => Promise<boolean>;
  readonly commitDelegate: (applied: Applied, nowMs: number, logged: boolean) => Promise<boolean>;
}

/** Applies the frame that follows. Settles as a write does. Throws ReplayRefused: the graph is not the one that the frame is for. */
export function applyFrame(target: FollowTarget, frame: Frame): Promise<boolean> {
  const { core, documents, graph } = target;
  const ids = core.nextId(graph);
  const applied = apply(target, frame);
  if (core.nextId(graph) < ids) target.renumbered();
  if (isDocumentTransaction(applied.bytes)) documents.apply(applied.bytes);
  const { committedMs, kind } = frame;
  if (isIndexTransaction(applied.bytes)) return target.commitIndex(applied);
  // What was published before the other one's start is known here as a change of everything.
  if (kind === frameKinds.delegateWrite || kind === frameKinds.nothing)
    return target.commitDelegate(applied, committedMs, true);
  return target.commit(applied, resyncOf(kind), committedMs);
}

function apply({ core, graph, projections }: FollowTarget, { payload, sequence }: Frame): Applied {
  let applied = core.applyBytes(graph, payload, false);
  if (!applied.ok && applied.status === CoreStatus.noMemory) {
    projections.yield();
    applied = core.instance.lending(() => core.applyBytes(graph, payload, false));
  }
  if (!applied.ok) throw new ReplayRefused(`Frame ${sequence} cannot be applied: status ${applied.status}.`);
  const words = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  const firstId = words.getInt32(firstIdAt, true);
  if (words.getUint32(createCountAt, true) > 0 && firstId !== applied.firstId)
    throw new ReplayRefused(`Frame ${sequence} began at id ${firstId}, now at ${applied.firstId}.`);
  return applied;
}

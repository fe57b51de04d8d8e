// Opening the engine of one namespace: a core, its graph, from a checkpoint or empty, and its log replayed into it. A checkpoint or a log
// that cannot be read completely gives no engine at all; nothing of it is changed then, and the memory goes back.

import type { Core } from '../core/core.ts';
import { Room } from '../core/room.ts';
import type { Slices } from '../core/slices.ts';
import type { LogStore } from '../storage/types.ts';
import { type EngineTelemetry, silentEngine, type Telemetry } from '../telemetry/telemetry.ts';
import type { LoadHelpers } from './checkpoint/load.ts';
import { type PartitionScanner, slicingScanner } from './checkpoint/scan.ts';
import { LoadRecord } from './checkpoint/telemetry.ts';
import {
  type Anchor,
  CheckpointFailed,
  CheckpointUnreadable,
  LogElsewhere,
  type LogStart,
  type PreparedNamespace,
  type StartPoint,
} from './checkpoint/types.ts';
import { Documents } from './documents.ts';
import { jobsOnOneThread } from './jobs/one-thread.ts';
import type { Jobs } from './jobs/types.ts';
import type { KeptGraph, KeptGraphs } from './kept-graphs.ts';
import type { LoadProgress } from './load-progress.ts';
import { crc32With, type NativeCrc32 } from './log/crc32.ts';
import { firstHeader, type OpenOptions, openSegments } from './log/open-segments.ts';
import { LogCorruption, type RecoveryStatus, type Replay } from './log/recovery.ts';
import type { SegmentedLog } from './log/segments.ts';
import { LogReplay, ReplayRefused } from './log-replay.ts';
import type { Clock, Logger } from './logger.ts';
import { logNameOf } from './names.ts';
import { NamespaceEngine } from './namespace-engine.ts';
import type { FrameTail } from './replication/tail.ts';

/** What every namespace of a service is opened with. */
export interface NamespaceHome {
  /** A core over a memory of its own. Throws when there is no memory for another one. */
  readonly newCore: () => Core;
  /** Null in volatile mode. */
  readonly logs: LogStore | null;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly pause: () => Promise<void>;
  /** How work between two pauses is measured; missing: by time. */
  readonly slices?: Slices;
  readonly nativeCrc32?: NativeCrc32;
  /** Reads graphs for checkpoints in threads of its own; without one that is done between requests. */
  readonly scanner?: PartitionScanner;
  /** Runs what is too long for the writer's thread; without it that is done there in slices. */
  readonly jobs?: Jobs;
  /** Threads that help to load large checkpoints. */
  readonly loadHelpers?: LoadHelpers;
  /** The tail of a namespace by its id, always the same one; missing: nobody may follow. Everything is logged then. */
  readonly tails?: (id: string) => FrameTail;
  /** Whether namespaces change by another's log alone; missing: no. */
  readonly isReplica?: boolean;
  /** Of the service before this one, by the names of their namespaces; missing: there was none. */
  readonly kept?: KeptGraphs;
  /** Whether changes of indexes are logged; missing: yes. */
  readonly logIndexes?: boolean;
  /** Of projections that a namespace keeps between analytics runs; missing: half a GiB. */
  readonly projectionBytes?: number;
  /** Whether a namespace whose log can be read but not written to is opened all the same, degraded; missing: no. */
  readonly mayDegrade?: boolean;
  /** Missing: nothing is recorded. */
  readonly telemetry?: Telemetry;
  /** Told how far an opening is; null or missing: nobody asks. */
  readonly progress?: LoadProgress | null | undefined;
}

/** `id` names the log, `name` is for the log lines only. Without `start` the graph begins empty. */
export async function openNamespace(
  home: NamespaceHome,
  id: string,
  name: string,
  start?: StartPoint,
): Promise<NamespaceEngine> {
  return (await prepareNamespace(home, id, name, start)).finish();
}

/**
 * Goes on from a graph that is there already. Where there is a log it has to go through the graph's last commit and end no earlier: rejects with
 * LogElsewhere otherwise, and the graph has gone.
 */
export async function goOnFrom(
  home: NamespaceHome,
  id: string,
  name: string,
  kept: KeptGraph,
): Promise<NamespaceEngine> {
  const { core, documents, graph, position: anchor } = kept;
  const state: FirstState = { graph, anchor, documents, droppedIndexes: 0, totalBytes: 0 };
  const engine = await prepared({ home, id, name, core, state: async () => state, isKept: true }).then((one) =>
    one.finish(),
  );
  if (home.logs === null) engine.followed = anchor;
  return engine;
}

/** The first half of opening: everything but the log. Rejects with CheckpointUnreadable. */
export async function prepareNamespace(
  home: NamespaceHome,
  id: string,
  name: string,
  start?: StartPoint,
): Promise<PreparedNamespace<NamespaceEngine>> {
  const core = home.newCore();
  return prepared({ home, id, name, core, start, state: () => firstState(home, core, id, start), isKept: false });
}

interface Opening {
  readonly home: NamespaceHome;
  readonly id: string;
  readonly name: string;
  readonly core: Core;
  readonly start?: StartPoint | undefined;
  readonly state: () => Promise<FirstState>;
  /** The state was there before. */
  readonly isKept: boolean;
}

async function prepared({
  core,
  home,
  id,
  isKept,
  name,
  start,
  state,
}: Opening): Promise<PreparedNamespace<NamespaceEngine>> {
  const telemetry = home.telemetry?.engine(id) ?? silentEngine;
  const load = start === undefined ? null : new LoadRecord(telemetry);
  const undoing = async <T>(run: () => Promise<T>): Promise<T> => {
    try {
      return await (load?.step(run) ?? run());
    } catch (error) {
      core.dispose();
      throw error;
    }
  };
  const room = new Room(core);
  const { graph, anchor, documents, droppedIndexes, totalBytes } = await undoing(state);
  room.begin(graph);
  return {
    abandon: () => core.dispose(),
    finish: () =>
      undoing(async () => {
        const { pause, loadHelpers: helpers = null } = home;
        const replay = new LogReplay({ core, graph, room, documents, pause, helpers });
        const restart = start?.log === 'restart';
        const tail = home.tails?.(id) ?? null;
        tail?.begin(anchor ?? { epoch: '', sequence: 0, chain: 0 }, 0);
        const apply: Replay = (payload, sequence, checksum) => {
          tail?.replayed(payload, sequence, checksum);
          return replay.apply(payload, sequence);
        };
        const passed = isKept && tail !== null ? leadTo(tail) : null;
        const { log, recovery } = await openLog(home, { id, name, anchor, restart, apply, telemetry, isKept, passed });
        home.progress?.begin('edges', 0);
        await replay.end();
        room.end();
        load?.done(totalBytes);
        const { clock, scanner = slicingScanner } = home;
        const jobs = (home.jobs ?? jobsOnOneThread({ binary: core.binary, pause })).open(core);
        const crc32 = crc32With(home.nativeCrc32);
        if (log !== null) tail?.begin(log.position, 0);
        const { logIndexes = true, projectionBytes } = home;
        const isSaved = start !== undefined && recovery.replayedEntries === 0 && droppedIndexes === 0;
        return new NamespaceEngine({
          ...(home.slices === undefined ? {} : { slices: home.slices }),
          ...{ id, core, graph, documents, log, tail, recovery, clock, pause, scanner, crc32, jobs },
          ...{ logIndexes: logIndexes || tail !== null, isReplica: home.isReplica === true },
          telemetry,
          savedAs: isSaved ? start.name : null,
          ...{ droppedIndexes, ...(projectionBytes === undefined ? {} : { projectionBytes }) },
        });
      }),
  };
}

interface FirstState {
  readonly graph: number;
  /** Null for an empty graph. */
  readonly anchor: Anchor | null;
  readonly documents: Documents;
  readonly droppedIndexes: number;
  /** Of the checkpoint. */
  readonly totalBytes: number;
}

async function firstState(
  { nativeCrc32, pause, loadHelpers: helpers, progress }: NamespaceHome,
  core: Core,
  id: string,
  start: StartPoint | undefined,
): Promise<FirstState> {
  if (start === undefined)
    return { graph: core.createGraph(), anchor: null, documents: new Documents(), droppedIndexes: 0, totalBytes: 0 };
  const namespaceId = start.anyNamespace === true ? null : id;
  const options = { crc32: crc32With(nativeCrc32), pause, namespaceId, helpers: helpers ?? null, progress };
  // Loaded with the first checkpoint: a page counts the bytes before its first answer.
  const { loadCheckpoint } = await import('./checkpoint/load.ts');
  const { info, ...loaded } = await loadCheckpoint(core, start.store, start.name, options);
  return { ...loaded, anchor: info.anchor, totalBytes: info.totalBytes };
}

interface LogPlace {
  readonly id: string;
  readonly name: string;
  readonly anchor: Anchor | null;
  readonly restart: boolean;
  readonly apply: Replay;
  readonly telemetry: EngineTelemetry;
  readonly isKept: boolean;
  readonly passed: OpenOptions['passed'];
}

/** Gives the tail what leads to the state that is there: others who follow may not have come so far. */
function leadTo(tail: FrameTail): NonNullable<OpenOptions['passed']> {
  let hasBegun = false;
  return (before, payload, { chain, sequence }) => {
    if (!hasBegun) {
      tail.lose();
      tail.begin(before, 0);
    }
    hasBegun = true;
    tail.replayed(payload, sequence, chain);
  };
}

async function openLog(
  home: NamespaceHome,
  { id, name, anchor, restart, apply, telemetry, isKept, passed }: LogPlace,
): Promise<{ log: SegmentedLog | null; recovery: RecoveryStatus }> {
  const none: RecoveryStatus = { ran: false, truncated: false, replayedEntries: 0 };
  if (home.logs === null) return { log: null, recovery: none };
  const crc32 = crc32With(home.nativeCrc32);
  const onFailure = (error: unknown): void =>
    home.logger.error(`The log of namespace "${name}" failed; its writes are not durable any more.`, {
      namespace: name,
      error: String(error),
    });
  const { mayDegrade = false } = home;
  const options = {
    crc32,
    namespaceId: id,
    nowMs: home.clock.nowMs(),
    log: { crc32, onFailure, telemetry },
    newEpoch,
    mayDegrade,
    progress: home.progress,
  };
  const given = { ...options, anchor, restart, isProven: isKept, passed };
  const opened = await openSegments(home.logs, logNameOf(id), given, apply);
  for (const torn of opened.torn) {
    home.logger.warn(
      `The log of namespace "${name}" ended in ${torn.bytes} bytes that were never acknowledged; they are kept in ${torn.name}.`,
      { namespace: name, bytes: torn.bytes, keptIn: torn.name },
    );
  }
  if (!opened.existed) return { log: opened.log, recovery: none };
  const recovery = { ran: true, truncated: opened.torn.length > 0, replayedEntries: opened.replayed };
  return { log: opened.log, recovery };
}

/** Where the log of a namespace begins; null when it has none. Throws LogCorruption. */
export async function readLogStart(home: NamespaceHome, id: string): Promise<LogStart | null> {
  if (home.logs === null) return null;
  const options = { crc32: crc32With(home.nativeCrc32), namespaceId: id };
  const header = await firstHeader(home.logs, logNameOf(id), options);
  if (header === null) return null;
  const { epoch, baseSequence: sequence, parentEpoch = null } = header;
  return { epoch, sequence, parentEpoch, needsCheckpoint: sequence !== 0 || parentEpoch !== null };
}

function newEpoch(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** One line for an operator: what kept a namespace from loading. */
export function reasonOf(error: unknown): string {
  const ours = [LogCorruption, LogElsewhere, CheckpointFailed, CheckpointUnreadable, ReplayRefused];
  if (ours.some((kind) => error instanceof kind)) return (error as Error).message;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

// What others need to know of checkpoints: a checkpoint is the whole state of one namespace after one commit, in files. Who writes,
// reads or picks one meets these shapes; what the files hold is the business of `format.ts`.
//
//   save      NamespaceEngine.saveCheckpoint(options: SaveOptions): Promise<CheckpointInfo>      rejects: CheckpointFailed
//   look      readCheckpoint(store, name): Promise<CheckpointInfo>   (manifest.ts)               rejects: CheckpointUnreadable
//   delete    deleteCheckpoint(store, name): Promise<void>           (manifest.ts)               the manifest goes first
//   start     openNamespace(home, id, name, start?: StartPoint): Promise<NamespaceEngine>        (open-namespace.ts)
//   replace   prepareNamespace(home, id, name, start?): Promise<PreparedNamespace>               (open-namespace.ts)
//   log       readLogStart(home, id): Promise<LogStart | null>       (open-namespace.ts)         which checkpoint a log wants
//
// One save of a namespace at a time. Saving needs no pause of reads or writes; a save rejects with the reason of `signal` or with
// NamespaceGone when the namespace is disposed meanwhile.

import type { CheckpointStore } from '../../storage/types.ts';

/**
 * A point in the history of a namespace: the state after the commit with number `sequence` in the history `epoch`. Logs and
 * checkpoints name their place with it, so a log fits a checkpoint exactly when one of its segments goes through its anchor.
 */
export interface Anchor {
  /** 32 hexadecimal digits. */
  readonly epoch: string;
  readonly sequence: number;
  /** Payload checksum of frame `sequence`, 0 for none. */
  readonly chain: number;
}

/** What is not the graph and is kept with it. Kinds are numbers that never change their meaning. */
export const sectionKinds = {
  indexes: 1,
  subgraphRecipes: 2,
  storedQueries: 3,
  pluginSources: 4,
  services: 5,
} as const;

export interface CheckpointSection {
  readonly kind: number;
  /** A reader that does not know the kind refuses the checkpoint when this is true, and passes over it otherwise. */
  readonly required: boolean;
  readonly bytes: Uint8Array;
}

/** A checkpoint as its manifest describes it. */
export interface CheckpointInfo {
  /** Name of the manifest in the store: the primary file. Sidecars begin with this and `_`. */
  readonly name: string;
  readonly namespaceId: string;
  readonly createdAtMs: number;
  readonly engineVersion: string;
  readonly vertexCount: number;
  readonly edgeCount: number;
  /** Files, the manifest included. */
  readonly fileCount: number;
  readonly totalBytes: number;
  readonly anchor: Anchor;
  readonly sections: readonly CheckpointSection[];
}

export interface SaveOptions {
  readonly store: CheckpointStore;
  /** Must not exist yet, nor any file that begins with it and `_`. */
  readonly name: string;
  /** How many element files at most; small graphs take fewer. */
  readonly partitions: number;
  readonly engineVersion: string;
  readonly nowMs: number;
  readonly sections?: readonly CheckpointSection[];
  readonly signal?: AbortSignal;
  /** It is handed on: log and namespace take no notice of it, and its anchor is a history of its own. Missing: false. */
  readonly isCopy?: boolean;
  /** Of a copy: its anchor is the log's all the same, for who goes on from it with the log's frames. Missing: false. */
  readonly keepsAnchor?: boolean;
  /**
   * Called when the checkpoint is durable, before the log lets go of what came before it. A rejection takes the checkpoint back,
   * except where a CheckpointFailed says that its files stay.
   */
  readonly register?: (info: CheckpointInfo) => Promise<void>;
}

/** Why there is no checkpoint; nothing of it is left in the store, as far as that could still be seen to. */
export class CheckpointFailed extends Error {
  override readonly name = 'CheckpointFailed';
  /** Something may name the files although there is no checkpoint. */
  readonly filesStay: boolean;

  constructor(message: string, options: ErrorOptions & { readonly filesStay?: boolean } = {}) {
    super(message, options);
    this.filesStay = options.filesStay ?? false;
  }
}

/** Why a checkpoint cannot be loaded. */
export type UnreadableReason =
  /** There is no file of that name. */
  | 'missing'
  /** It is a file, but no manifest of ours. */
  | 'notACheckpoint'
  /** Written by a later version, or with a required section that is not known here. */
  | 'unsupported'
  /** A checksum does not hold, a file is missing or short, or the contents contradict each other. */
  | 'corrupt'
  /** Of another namespace than the one it shall be loaded into. */
  | 'otherNamespace'
  /** It does not fit into the memory limit. */
  | 'noMemory';

/** A checkpoint that cannot be loaded: nothing was changed by trying. */
export class CheckpointUnreadable extends Error {
  override readonly name = 'CheckpointUnreadable';
  readonly reason: UnreadableReason;
  readonly file: string;

  constructor(reason: UnreadableReason, file: string, problem: string) {
    super(`The checkpoint file ${file} cannot be used: ${problem}.`);
    this.reason = reason;
    this.file = file;
  }
}

/** Where an engine starts from instead of an empty graph. */
export interface StartPoint {
  readonly store: CheckpointStore;
  readonly name: string;
  /**
   * What becomes of the log. `continue`: every commit of it above the checkpoint's anchor is replayed; a log that does not go through
   * the anchor is refused (LogElsewhere). `restart`: the log begins anew at the checkpoint, what it held is discarded.
   */
  readonly log: 'continue' | 'restart';
  /** Load it although it was written for another namespace, whose files may be imported; a log must go through it all the same. */
  readonly anyNamespace?: boolean;
}

/** The log does not go through the checkpoint's anchor: it belongs to another checkpoint, or to none. Nothing was changed. */
export class LogElsewhere extends Error {
  override readonly name = 'LogElsewhere';
}

/**
 * A namespace whose checkpoint is loaded into a memory of its own while another engine of the same namespace may still be at work.
 * Dispose that engine first, then `finish`: what it logged until then is replayed (`continue`) or discarded (`restart`).
 */
export interface PreparedNamespace<Engine> {
  /** Rejects with LogElsewhere, LogCorruption or the store's error; the memory has been given back then. */
  finish(): Promise<Engine>;
  /** Gives the memory back. */
  abandon(): void;
}

/** Where a log begins, for choosing the checkpoint it needs. */
export interface LogStart {
  /** The history of the log's frames. */
  readonly epoch: string;
  /** The frames begin above this sequence. */
  readonly sequence: number;
  /** The log continues this other history from its `sequence` on: it was restarted at a checkpoint of it. Null for a log of its own. */
  readonly parentEpoch: string | null;
  /** A log that begins with frame 1 needs no checkpoint. */
  readonly needsCheckpoint: boolean;
}

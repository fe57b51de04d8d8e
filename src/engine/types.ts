// The engine as its callers see it: namespaces, and for each loaded one a graph with reads, writes and bulk interchange.
// HTTP routes know this file and nothing below it. Statuses, titles and JSON shapes around it are the routes' business.

import type { MemoryUse } from '../core/core.ts';
import type { OddCommas } from '../core/interchange.ts';
import type { WriteOperation, WriteRefusal } from '../core/requests.ts';
import type { CoreStatus } from '../core/status.ts';
import type { TypeId } from '../core/values.ts';
import type { AnalyticsRun, RunAnswer, SteppedRun } from './analytics/types.ts';
import type { DocumentSet } from './documents.ts';
import type { Extracts } from './extracts/types.ts';
import type { ChangeFeed, FeedSettings } from './feed/feed.ts';
import type { IndexSet } from './indexes/types.ts';
import type { JobKind, JobOptions, JobOutcome } from './jobs/types.ts';
import type { LoadState } from './load-progress.ts';
import type { PackageSet } from './packages/types.ts';
import type { ReadSet } from './read-set.ts';
import type { SaveGame } from './savegames/registry.ts';
import type { HashedState, HistoryPosition } from './state-hash.ts';
import type { VectorSet } from './vectors/types.ts';

export type NamespaceState = 'ready' | 'notLoaded';

/** A namespace as the catalogue knows it (contract part 1, Namespace record; reference 2.1). */
export interface NamespaceInfo {
  readonly id: string;
  readonly name: string;
  readonly state: NamespaceState;
  /** True while its graph is being opened; missing: it is not. And how far that is, where somebody counts. */
  readonly isLoading?: boolean;
  readonly loadState?: LoadState | null;
  /** `yyyy-MM-ddTHH:mm:ss.fffZ` */
  readonly createdAt: string;
  /** Null: inherit `Security:EnableDynamicPluginLoading`. */
  readonly pluginRegistrationEnabled: boolean | null;
  /** Null: inherit `Namespaces:LoadOnStartup`; `default` always true. */
  readonly loadOnStartupEnabled: boolean | null;
  /** Null while not loaded. */
  readonly graph: GraphEngine | null;
}

export type Policy = 'enabled' | 'disabled' | 'inherit';

export interface NamespacePatch {
  readonly name?: string;
  readonly pluginRegistration?: Policy;
  readonly loadOnStartup?: Policy;
}

export type NamespaceFailure =
  | 'invalidName'
  | 'nameInUse'
  | 'quotaExceeded'
  | 'reserved'
  | 'notFound'
  | 'unregisteredCheckpoints'
  | 'activationFailed'
  | 'storageFailed';

export type NamespaceResult =
  | { readonly ok: true; readonly namespace: NamespaceInfo }
  | { readonly ok: false; readonly failure: NamespaceFailure; readonly detail: string };

/** Limits that may change while the engine runs. */
export interface EngineLimits {
  readonly maxNamespaces: number;
  readonly changeFeed: Partial<FeedSettings>;
}

export interface Engine {
  /** All namespaces in ordinal name order. */
  list(): NamespaceInfo[];
  /** By decoded name, compared ordinally. */
  find(name: string): NamespaceInfo | undefined;
  create(name: string): Promise<NamespaceResult>;
  update(name: string, patch: NamespacePatch): Promise<NamespaceResult>;
  remove(name: string): Promise<NamespaceResult>;
  activate(
    name: string,
  ): Promise<(NamespaceResult & { ok: true; activated: boolean }) | (NamespaceResult & { ok: false })>;
  /**
   * `HEAD /tabularasa/all`: drops every other namespace, loaded or not, and empties `default`: the outcome is that of this write. Null while
   * `default` is being loaded; nothing has been done then. Rejects, with nothing done, when the catalogue cannot be written.
   */
  eraseAll(): Promise<WriteOutcome | null>;
  readonly maxNamespaces: number;
  /** Other limits from here on: of namespaces to come, and of feeds that are there and those to come. */
  configure(limits: EngineLimits): void;
  readonly loadOnStartupDefault: boolean;
  readonly startupLoadMode: 'catalog' | 'all' | 'defaultOnly';
  /** True once every namespace this boot loads has been loaded. */
  readonly ready: boolean;
  /** Null or missing where nothing is kept. */
  readonly saveGames?: SaveGames | null;
  /** Null or missing where namespaces cannot be handed on. */
  readonly packages?: PackageSet | null;
  /** Drains logs and closes files; idempotent. */
  close(): Promise<void>;
}

export interface SaveRequest {
  /** As the request gave it; null or blank for the default place. */
  readonly location: string | null;
  /** Null for the home's own number. */
  readonly partitions: number | null;
}

export type SaveResult =
  | { readonly ok: true; readonly entry: SaveGame }
  | { readonly ok: false; readonly failure: 'badLocation' | 'failed'; readonly detail: string };

export interface SaveAllResult {
  /** What was saved; null when nothing was. */
  readonly entry: SaveGame | null;
  readonly failedNamespaces: readonly string[];
  /** Those that are not loaded. */
  readonly skippedNamespaces: readonly string[];
}

export type LoadResult =
  | { readonly ok: true; readonly loaded: boolean }
  | { readonly ok: false; readonly failure: 'badLocation' | 'rolledBack'; readonly detail: string };

export type RestoreStart =
  /** Files are there, dropped namespaces are made again, members that were not loaded are; loaded ones follow. */
  | { readonly ok: true; readonly done: Promise<RestoreEnd> }
  | {
      readonly ok: false;
      readonly failure:
        | 'unknownEntry'
        | 'unknownMember'
        | 'filesMissing'
        | 'filesUnreadable'
        | 'notRecreated'
        | 'notActivated';
      readonly detail: string;
      readonly activatedNamespaces: readonly string[];
    };

export type RestoreEnd =
  | { readonly ok: true; readonly entry: SaveGame; readonly activatedNamespaces: readonly string[] }
  | {
      readonly ok: false;
      readonly failedNamespaces: readonly string[];
      readonly activatedNamespaces: readonly string[];
      readonly detail: string;
    };

/** The save games of the service (contract part 1, Save games). */
export interface SaveGames {
  /** Newest first. */
  list(): Promise<readonly SaveGame[]>;
  find(id: string): Promise<SaveGame | undefined>;
  save(namespace: string, request: SaveRequest): Promise<SaveResult>;
  saveAll(): Promise<SaveAllResult>;
  /** Checkpoints that are no save games, of all loaded namespaces that have changed: their logs begin there. */
  saveBases(): Promise<void>;
  /** False when there is no such entry. */
  remove(id: string, deleteFiles: boolean): Promise<boolean>;
  load(namespace: string, location: string): Promise<LoadResult>;
  /** All members of an entry, or the one of that name. */
  restore(id: string, namespace: string | null): Promise<RestoreStart>;
}

/** The durability block of `GET /status`, read as one consistent group. */
export interface DurabilityStatus {
  readonly walEnabled: boolean;
  readonly degraded: boolean;
  readonly recoveryRan: boolean;
  readonly lastRecoveryTruncated: boolean;
  readonly lastRecoveryReplayedEntries: number;
  readonly lastCheckpointDroppedIndices: number;
}

/** A committed transaction. `durable` settles when its log frame is on disk (true), or cannot be put there (false). */
export interface Committed {
  readonly ok: true;
  readonly firstId: number;
  readonly createCount: number;
  readonly durable: Promise<boolean>;
}

export type WriteOutcome = Committed | WriteRefusal;

export type ElementKind = 'any' | 'vertex' | 'edge';
export type Direction = 'out' | 'in';
export type ResultType = 'Vertices' | 'Edges' | 'Both';

/** A scan or lookup that walks the graph in slices and lets other work run in between. Answers JSON bytes. */
export interface PropertyScan {
  readonly key: string;
  /** 0 equals .. 5 not equals; anything else matches nothing. */
  readonly operator: number;
  readonly type: TypeId;
  readonly text: string;
  readonly label: string | null;
  readonly resultType: ResultType;
}

export interface ExportFilter {
  readonly vertexLabel: string | null;
  readonly edgeLabel: string | null;
  readonly edgeType: string | null;
}

export type ExportStart =
  | { readonly ok: true; readonly body: ReadableStream<Uint8Array> }
  | { readonly ok: false; readonly element: number; readonly key: string; readonly cause: string };

export interface ImportCounts {
  readonly verticesCreated: number;
  readonly edgesCreated: number;
  readonly linesRead: number;
  readonly durable: boolean;
  /** Numbers that were probably meant otherwise, those of lines that were not committed included; null: none. */
  readonly commas: OddCommas | null;
}

export type ImportResult =
  | ({ readonly ok: true } & ImportCounts)
  | ({
      readonly ok: false;
      readonly reason: 'notEmpty' | 'invalidLine' | 'lineTooLong' | 'bodyTooLarge' | 'rolledBack' | 'aborted';
      /** 1-based; null when no line is concerned. */
      readonly lineNumber: number | null;
      readonly detail: string;
      /** Set for `rolledBack`. */
      readonly status: CoreStatus;
    } & ImportCounts);

export interface StatisticsOptions {
  /** Elements that are looked at, at most. */
  readonly elementBudget: number;
  /** Length of the lists. */
  readonly topN: number;
}

/** How often names stand: the most frequent ones, ordinal order among equals, and how many there are. */
export interface NameTally {
  readonly top: readonly { readonly name: string; readonly count: number }[];
  readonly distinctTotal: number;
}

/** Percentiles by nearest rank; all 0 without vertices. */
export interface DegreeSpread {
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

/** The shape of a graph. Names and degrees are those of each `sampleStride`-th element. */
export interface GraphStatistics {
  readonly vertexCount: number;
  readonly edgeCount: number;
  /** Elements without a label stand under the empty name. */
  readonly vertexLabels: NameTally;
  readonly edgeLabels: NameTally;
  /** Of vertices and edges, reserved keys included. */
  readonly propertyKeys: NameTally;
  readonly inDegree: DegreeSpread;
  readonly outDegree: DegreeSpread;
  readonly totalDegree: DegreeSpread;
  readonly sampleStride: number;
}

export interface Generation {
  readonly vertices: number;
  /** Of each vertex, at most. */
  readonly edges: number;
  readonly distribution: 'uniform' | 'preferential';
}

export type Generated =
  | { readonly ok: true; readonly verticesCreated: number; readonly edgesCreated: number; readonly durable: boolean }
  /** What was committed before stays. */
  | { readonly ok: false; readonly reason: 'overtaken' | 'memory'; readonly detail: string };

/** A sweep over all out-edges, again and again. */
export interface SweepRounds {
  readonly edges: number; // of the last round
  /** Edges a second, of each round. */
  readonly edgesPerSecond: readonly number[];
}

/** Searches by value over a whole graph. */
export interface FoundByProperty {
  /** JSON array of ids, ascending. */
  readonly ids: Uint8Array[];
  /** Types of the values that the elements in question have under the key, bit `TypeId` each. */
  readonly types: number;
}

export interface ScanSet {
  /** Null when `text` is not a value of the type. */
  property(scan: PropertyScan, signal?: AbortSignal): Promise<FoundByProperty | null>;
  /** JSON array of ids of elements with a property whose text contains `term`, ignoring case. */
  text(term: string, label: string | null, resultType: ResultType, signal?: AbortSignal): Promise<Uint8Array[]>;
}

export type DelegateCommit =
  | { readonly ok: true; readonly durable: Promise<boolean> }
  /** Nothing changed. */
  | { readonly ok: false; readonly flaw: string };

/** A transaction whose operations somebody puts together while other writes wait. */
export interface DelegateTransaction {
  /** Of its first create; the others follow, vertices and edges alike. */
  readonly firstId: number;
  /** Applies the operations as one transaction, published as one `delegateWrite`. Once. */
  commit(operations: readonly WriteOperation[]): DelegateCommit;
  /** Lets the others go on. */
  end(): void;
}

/** What works on a graph as a whole. */
export interface RunSet {
  /** For the code of a plugin; waits for those before it. */
  delegate(): Promise<DelegateTransaction>;
  /** The transaction of a trim, when all that it has to make has been made in pieces, with reads in between. */
  trim(): Promise<WriteOutcome>;
  stateHash(signal?: AbortSignal): Promise<HashedState>; // as hashState (state-hash.ts)
  /** A whole-graph algorithm, on other threads where there are any. Rejects with CoreMemoryExhausted or JobFailed. */
  analytics(run: AnalyticsRun, signal?: AbortSignal): Promise<RunAnswer>;
  /** The same for a caller that works on a thread of its own, over the graph of this set; to be ended. */
  stepped(run: AnalyticsRun): Promise<SteppedRun>;
  statistics(options: StatisticsOptions, signal?: AbortSignal): Promise<GraphStatistics>;
  /** Adds a random graph, in transactions of some thousand elements each, and a trim behind them (reference 17). */
  generate(specification: Generation, signal?: AbortSignal): Promise<Generated>;
  /** Follows every out-edge to its target, `iterations` times or, where that takes longer than `mostSeconds`, fewer times. */
  benchmark(iterations: number, mostSeconds: number, signal?: AbortSignal): Promise<SweepRounds>;
}

/** The graph of one loaded namespace. A set belongs to the graph of this moment: ask for it again after a restore. */
export interface GraphEngine {
  readonly vertexCount: number;
  readonly edgeCount: number;
  /** Another number after every transaction, never 0, and never that of another graph: what was found out at one holds as long as it stays. */
  readonly revision: number;
  readonly durability: DurabilityStatus;
  readonly position: HistoryPosition | null; // of the last commit; null where nothing is logged
  /** What its memory is used for. */
  readonly memory: MemoryUse;
  /** What was committed, as events; the same feed as long as the namespace stays loaded. */
  readonly changeFeed: ChangeFeed;
  /** Named texts kept with the graph; what they mean is the business of whoever puts them there. */
  readonly documents: DocumentSet;
  readonly indexes: IndexSet;
  readonly vectors: VectorSet;
  /** Graphs made out of this one, beside it. */
  readonly extracts: Extracts;
  readonly reads: ReadSet;
  readonly scans: ScanSet;
  readonly runs: RunSet;

  /**
   * Builds, validates and applies one transaction at once and hands it to the log. A value text that does not parse, a repeated
   * key, a missing element or a memory limit refuses it as a whole; nothing changed then and no id was consumed.
   */
  write(operations: readonly WriteOperation[]): WriteOutcome;
  /** The same in steps, between which reads are answered and other writes wait; it waits itself for what holds writes. */
  writeInSteps(operations: readonly WriteOperation[]): Promise<WriteOutcome>;
  /** Null while the log keeps up and nothing holds writes; else a promise for the end of that, for who sends many writes unwaited. */
  backpressure(): Promise<void> | null;
  /** Null as a rule; else a promise for the moment a trim or a large write is over that writes would disturb. Who can wait should, and ask again. */
  writeHold(): Promise<void> | null;

  /**
   * A job of the caller's own over this graph (docs/jobs.md): `request` gets the graph's handle as `graph`. What comes to nothing is data;
   * a graph that is gone throws.
   */
  runJob<Request extends object, Result>(
    kind: JobKind<Request & { readonly graph: number }, Result>,
    request: Request,
    options: JobOptions,
  ): Promise<JobOutcome<Result>>;

  /** Checks every property first; the stream then yields blocks of whole lines. */
  startExport(filter: ExportFilter, exportedAt: Date, signal?: AbortSignal): Promise<ExportStart>;
  /** Reads a service-jsonl stream into this graph, which must be empty. Batches of `batchSize` elements, each one log frame. */
  importLines(
    body: AsyncIterable<Uint8Array>,
    limits: { readonly batchSize: number; readonly maxLineBytes: number; readonly maxBodyBytes: number | null },
    signal?: AbortSignal,
  ): Promise<ImportResult>;
}

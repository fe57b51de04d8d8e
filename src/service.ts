// The one place that puts the engine together. A home (a Node process, a page, an edge runtime) offers its parts: storage, clocks, the
// core's binaries, threads or none. Here they become namespaces, queries, long reads, feeds and the HTTP contract. Everything a service
// starts it also ends, and a start that fails ends it too.

import type { Settings } from './config/catalogue.ts';
import type { Configuration } from './config/configuration.ts';
import { Core } from './core/core.ts';
import type { CoreBinary } from './core/instance.ts';
import { provideMachine } from './core/machine.ts';
import { MemoryPool } from './core/memory-pool.ts';
import type { Slices } from './core/slices.ts';
import { provideTrampolines, type TrampolineModules } from './core/trampoline.ts';
import type * as DocumentsModule from './documents/documents.ts';
import type { Documents } from './documents/documents.ts';
import { embedderOf } from './documents/embedder.ts';
import { type EmbeddedGraph, embeddedGraph } from './embedded-graph.ts';
import type { LoadHelpers } from './engine/checkpoint/load.ts';
import type { PartitionScanner } from './engine/checkpoint/scan.ts';
import type { EngineOptions } from './engine/engine-options.ts';
import { jobsOnOneThread } from './engine/jobs/one-thread.ts';
import { jobKinds } from './engine/jobs/table.ts';
import type { Jobs } from './engine/jobs/types.ts';
import type { KeptGraphs } from './engine/kept-graphs.ts';
import type { LiveGraph } from './engine/live-graph.ts';
import type { NativeCrc32 } from './engine/log/crc32.ts';
import type { Clock } from './engine/logger.ts';
import { defaultNamespace } from './engine/names.ts';
import { Namespaces } from './engine/namespaces.ts';
import type { FollowTarget } from './engine/replication/apply.ts';
import type { JournalPlace } from './engine/replication/journal-source.ts';
import type { CheckpointPlaces, SaveGameHome } from './engine/savegames/home.ts';
import type { Engine, GraphEngine } from './engine/types.ts';
import { engineVersion } from './engine/version.ts';
import { createHandler, type Handler } from './http/handler.ts';
import type { HttpPlatform } from './http/platform.ts';
import type { ClusterNodeView } from './http/replication/cluster.ts';
import { targetOf } from './http/target.ts';
import type { LocalModels } from './providers/embedding/backends.ts';
import { EmbeddingProvider } from './providers/embedding/provider.ts';
import { compilersHere } from './queries/fragments/compiler-here.ts';
import type { Compilers } from './queries/fragments/compilers.ts';
import { startsAhead } from './queries/fragments/starts-ahead.ts';
import { queryJobKinds } from './queries/jobs.ts';
import { compileLimits } from './queries/queries.ts';
import type { Replication } from './replication.ts';
import type { ObjectStore } from './storage/objects.ts';
import type { BlobStore, CheckpointStore, LogStore } from './storage/types.ts';
import { succession } from './succession.ts';
import { collect, type Visit } from './telemetry/collect.ts';
import type { Tracer } from './telemetry/spans.ts';
import { Meter } from './telemetry/telemetry.ts';
import { keepLive } from './written-settings.ts';

/** Where a service keeps what must outlive it. */
export interface ServiceStorage {
  readonly logs: LogStore;
  /** The catalogue of namespaces and the registry of save games. */
  readonly metadata: BlobStore;
  /** Null: nothing is saved but the log. */
  readonly saveGames: { readonly checkpoints: CheckpointStore; readonly places: CheckpointPlaces } | null;
  /** Gives back what the storage holds: locks, handles. */
  release(): Promise<void>;
}

/** The threads of a home that has some. */
export interface ServiceThreads {
  /** The pool for long reads; the service ends it. */
  readonly jobs: Jobs;
  /** Where fragments are compiled; the service ends them. */
  readonly compilers: Compilers;
  /** Reads graphs for checkpoints; missing: that is done between requests. */
  readonly scanner?: PartitionScanner;
  readonly loadHelpers?: LoadHelpers;
}

/** Objects, and what all their names begin with. */
export interface Bucket {
  readonly store: ObjectStore;
  readonly prefix: string;
}

/** What a home brings that exports metrics and traces. */
export interface TelemetryExport {
  readonly tracer: Tracer;
  /** Called once: `collect` visits everything that was recorded, as often as it is asked to. */
  begin(collect: (visit: Visit) => Promise<void>): void;
}

/** What a home offers. */
export interface ServiceHome {
  /** The release build of the core. */
  readonly core: CoreBinary;
  /** The build whose searches give way, for a home without threads; asked for only there. */
  readonly turnsCore: () => CoreBinary;
  /** Null: nothing is kept. */
  readonly storage: ServiceStorage | null;
  readonly clock: Clock;
  /** For a home that compiles nothing at run time: they came with the deployment. */
  readonly trampolines?: TrampolineModules;
  /** The module that runs fragments in such a home (scripts/build-machine.mjs); missing: the interpreter does. */
  readonly machine?: WebAssembly.Module;
  /** Resolves in a later turn of the event loop, after input and output that is waiting. */
  readonly pause: () => Promise<void>;
  /** How work between two pauses is measured; missing: by time. */
  readonly slices?: Slices;
  /** Null: long reads take turns on the service's own thread. */
  readonly threads: ServiceThreads | null;
  readonly http: HttpPlatform;
  /** Requests of the service's own, to providers of models and the like. */
  readonly fetch: typeof globalThis.fetch;
  /** The same over connections of its own, one pool a name; missing: `fetch` serves all. */
  readonly pool?: (name: 'embedding' | 'chat' | 'documents') => typeof globalThis.fetch;
  /** Models that run in the home; missing: it runs none. */
  readonly models?: LocalModels;
  /** The bucket or directory that `Backup:Url` names, and what all names in it begin with; missing: the home reaches none. */
  readonly objects?: (url: string) => Promise<Bucket>;
  /** The logs of the cluster that the settings name; missing: the home reaches none. */
  readonly journals?: () => Promise<JournalPlace>;
  /** Missing: nothing is exported. */
  readonly exporting?: TelemetryExport;
  readonly nativeCrc32?: NativeCrc32;
  /** Of a node of a cluster; missing: the service is no node of one. */
  readonly cluster?: ClusterNodeView;
  /** Whether another node writes by now, or may: what was read is not answered then. Missing: no. */
  readonly isReplaced?: () => boolean;
  /** Names that no namespace can be given here, because they are others' outside of this service. */
  readonly isNameTaken?: (name: string) => boolean;
  /** Asked for the new name of a namespace before it gets it; false: it is another's outside of this service. */
  readonly claimName?: (name: string) => Promise<boolean>;
  /** What the service before this one has let go of (`ArcwiseService.release`); missing: there was none. */
  readonly kept?: KeptGraphs;
  /** Processors that saves may use; missing: one. */
  readonly processors?: number;
  /** Ends what the home itself started; called once, last. */
  close?(): Promise<void>;
}

export interface ArcwiseService {
  readonly engine: Engine;
  /** Resolves when everything this start loads is loaded. Rejects when it cannot be; the service has been closed then. */
  readonly ready: Promise<void>;
  /** Answers a request of the HTTP contract. `target` and `came`: what the home knows better (src/http/handler.ts). */
  readonly fetch: Handler;
  /** The graph of a namespace (missing: `default`). What is asked of it throws when there is none of that name, or it is not loaded. */
  graph(namespace?: string): EmbeddedGraph;
  /**
   * Makes ready one thing more that a request would wait for: the compiler of fragments, then each thread for long reads. Nothing while a
   * long read is under way, which would share its processors. False: all is ready.
   */
  startAhead(): boolean;
  /**
   * Puts a loaded graph into a memory of its own: the checkpoint at `location`, which was written of it, and what its log has behind that.
   * Its callers notice no more than a `resync` of the change feed.
   */
  renew(namespace: string, location: string): Promise<void>;
  /** For tools that apply the frames of another's log to a graph (engine/replication/apply.ts). Throws as `graph` does. */
  followTarget(namespace: string): FollowTarget;
  /** Ends change feeds and reads that may take as long as their callers like; everything else goes on. For a stop that drains. */
  endOpenEnded(): void;
  /**
   * Ends everything that runs on its graphs, closes their logs, and gives away those that are known to be whole, for the service that comes behind
   * this one. `close` follows.
   */
  release(): Promise<KeptGraphs>;
  /** Whether `release` would give away each graph that is loaded, if nothing came in between. */
  isWhole(): boolean;
  /** Finishes what is under way, closes logs, and gives storage and threads back. Idempotent. */
  close(): Promise<void>;
}

const startupLoadModes = { Catalog: 'catalog', All: 'all', DefaultOnly: 'defaultOnly' } as const;

/**
 * A service that answers at once; `ready` says when the namespaces of this start are loaded. `home` belongs to the service from here on:
 * when a setting cannot be used this rejects, and the home has been closed.
 */
export async function createService(home: ServiceHome, configuration: Configuration): Promise<ArcwiseService> {
  try {
    const { settings } = configuration;
    return assemble(home, configuration, await documentsModule(settings), await replicationOf(home, settings));
  } catch (error) {
    await closeInOrder([
      () => home.threads?.compilers.close(),
      () => home.threads?.jobs.close(),
      ...endsOf(home),
    ]).catch(() => {}); // the first failure is the one to tell
    throw error;
  }
}

/** Null while documents are off: most services load none of it. */
async function documentsModule(settings: Settings): Promise<typeof DocumentsModule | null> {
  return settings['Ingestion:Enabled'] ? import('./documents/documents.ts') : null;
}

/** Null while nobody follows a graph: most services load none of it. */
async function replicationOf(home: ServiceHome, settings: Settings): Promise<Replication | null> {
  const isWanted = settings['Backup:Url'] !== null || settings['Replica:Of'] !== null || settings['Replica:Serve'];
  return isWanted ? (await import('./replication.ts')).openReplication(home, settings) : null;
}

function assemble(
  home: ServiceHome,
  configuration: Configuration,
  ingestion: typeof DocumentsModule | null,
  replication: Replication | null,
): ArcwiseService {
  const { settings } = configuration;
  if (home.trampolines !== undefined) provideTrampolines(home.trampolines);
  if (home.machine !== undefined) provideMachine(home.machine);
  const jobs = home.threads?.jobs ?? jobsWithoutThreads(home, settings);
  const compilers = home.threads?.compilers ?? compilersHere({ ...compileLimits(settings), pause: home.pause });
  const meter = meterOf(home, settings);
  const options = { ...engineOptions(home, settings, jobs), ...replication?.options };
  const engine = new Namespaces(meter === null ? options : { ...options, telemetry: meter });
  keepLive(configuration, engine);
  if (meter !== null) home.exporting?.begin((visit) => collect(meter, engine.list(), home.pause, visit));
  const now = home.http.monotonicMs;
  const pool = home.pool ?? (() => home.fetch);
  const embedding = new EmbeddingProvider(settings, { fetch: pool('embedding'), now, models: home.models ?? null });
  const documents =
    ingestion === null
      ? null
      : new ingestion.Documents({
          ...{ settings, engine, fetch: pool('documents'), pause: home.pause },
          embedder: embedderOf(settings, embedding),
          report: (message) => home.http.logger.warn(message),
        });
  const fetch = createHandler({
    ...(documents === null ? {} : { documents }),
    ...replication?.http,
    ...(home.cluster === undefined ? {} : { cluster: home.cluster }),
    ...{ engine, configuration, compilers },
    platform: home.http,
    sharedMemory: home.core.shared,
    fetch: pool('chat'),
    embedding,
    meter,
    tracer: home.exporting?.tracer ?? null,
  });
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= closeInOrder([
      () => documents?.close(),
      () => replication?.end(),
      () => engine.close(),
      () => replication?.close(),
      () => embedding.close(),
      () => compilers.close(),
      () => jobs.close(),
      ...endsOf(home),
    ]);
    return closing;
  };
  const ready = startAll(home, engine, documents, () => replication?.start(engine, meter)).catch(
    async (error: unknown) => {
      await close().catch(() => {}); // the first failure is the one to tell
      throw error;
    },
  );
  ready.catch(() => {}); // whoever waits for it is told
  return {
    ...{ engine, ready, close },
    fetch: takingRequests(fetch),
    graph: (namespace = defaultNamespace) => embeddedGraph(() => graphOf(closing === null ? engine : null, namespace)),
    startAhead: startsAhead(jobs, compilers),
    followTarget: (name) => (graphOf(engine, name) as LiveGraph).followTarget,
    renew: (name, location) => renewGraph(engine, home, name, location),
    ...succession(engine, documents, replication),
    endOpenEnded: () => {
      engine.endFeeds();
      jobs.endOpenEnded();
    },
  };
}

/** Namespaces first; then what an earlier process left behind of its documents. */
async function startAll(
  home: ServiceHome,
  engine: Namespaces,
  documents: Documents | null,
  replicate: () => Promise<void> | undefined,
): Promise<void> {
  await engine.start();
  // One that follows learns the names of its namespaces later.
  if (home.storage !== null) home.kept?.dispose();
  await replicate();
  await documents?.start();
}

/** Null while nobody can look: nothing is recorded then. */
function meterOf({ http, exporting }: ServiceHome, settings: Settings): Meter | null {
  const isScraped = settings['Observability:Prometheus:Enabled'] && http.scrapeFormat !== undefined;
  if (!isScraped && exporting === undefined) return null;
  return new Meter(http.monotonicMs, exporting?.tracer ?? null);
}

/** What ends with the home itself. */
function endsOf(home: ServiceHome): (() => Promise<void> | undefined)[] {
  return [() => home.close?.(), () => home.storage?.release()];
}

/** Each step is taken, whatever the ones before came to; rejects with the first failure. */
async function closeInOrder(steps: readonly (() => Promise<void> | undefined)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

function takingRequests(fetch: Handler): Handler {
  return (request, target, came) => {
    const given: unknown = request;
    if (typeof given !== 'string') return fetch(request, target ?? targetOf(request.url), came);
    return Promise.reject(new TypeError(`A Request is wanted, such as new Request('http://localhost${given}').`));
  };
}

/** `engine`: null when it is closed. */
function graphOf(engine: Engine | null, name: string): GraphEngine {
  if (engine === null) throw new Error('The service is closed.');
  const namespace = engine.find(name);
  if (namespace === undefined) throw new Error(`There is no namespace "${name}".`);
  if (namespace.graph === null) throw new Error(`Namespace "${name}" is not loaded.`);
  return namespace.graph;
}

async function renewGraph(engine: Namespaces, home: ServiceHome, name: string, location: string): Promise<void> {
  const { checkpoints: store, places } = home.storage?.saveGames ?? {};
  const namespace = engine.named(name);
  const saved = places?.nameOf(location) ?? null;
  if (namespace === undefined || store === undefined || saved === null)
    throw new Error(`There is no checkpoint of "${name}" at ${location}.`);
  await engine.replaceFrom(namespace, { store, name: saved, log: 'continue' });
}

function jobsWithoutThreads({ turnsCore, pause, slices }: ServiceHome, settings: Settings): Jobs {
  return jobsOnOneThread({
    ...{ binary: turnsCore(), pause, maxWaiting: settings['Jobs:MaxWaiting'], kinds: [...jobKinds, ...queryJobKinds] },
    ...(slices === undefined ? {} : { slices }),
  });
}

function engineOptions(home: ServiceHome, settings: Settings, jobs: Jobs): EngineOptions {
  const { core, storage, threads, nativeCrc32, slices } = home;
  const pool = MemoryPool.of(core);
  return {
    newCore: () => new Core(core, pool, settings['Memory:MaxBytesPerNamespace']),
    logs: storage?.logs ?? null,
    metadata: storage?.metadata ?? null,
    ...{ logger: home.http.logger, clock: home.clock, pause: home.pause, jobs },
    ...(threads?.scanner === undefined ? {} : { scanner: threads.scanner }),
    ...(threads?.loadHelpers === undefined ? {} : { loadHelpers: threads.loadHelpers }),
    ...(nativeCrc32 === undefined ? {} : { nativeCrc32 }),
    ...(slices === undefined ? {} : { slices }),
    logIndexes: settings['Durability:LogIndexes'],
    projectionBytes: settings['Analytics:ProjectionCacheMegabytes'] * 2 ** 20,
    saveGames: saveGameHome(home, settings),
    changeFeed: {
      enabled: settings['ChangeFeed:Enabled'],
      bufferSize: settings['ChangeFeed:BufferSize'],
      subscriberQueueSize: settings['ChangeFeed:SubscriberQueueSize'],
      maxSubscribers: settings['ChangeFeed:MaxSubscribers'],
      keepAliveSeconds: settings['ChangeFeed:KeepAliveSeconds'],
    },
    maxNamespaces: settings['Namespaces:MaxNamespaces'],
    ...(home.isNameTaken === undefined ? {} : { isNameTaken: home.isNameTaken }),
    ...(home.kept === undefined ? {} : { kept: home.kept }),
    ...(home.claimName === undefined ? {} : { claimName: home.claimName }),
    loadOnStartupDefault: settings['Namespaces:LoadOnStartup'],
    startupLoadMode: startupLoadModes[settings['Namespaces:StartupLoadMode']],
  };
}

function saveGameHome({ storage, http, processors = 1 }: ServiceHome, settings: Settings): SaveGameHome | null {
  if (storage === null || storage.saveGames === null) return null;
  return {
    ...storage.saveGames,
    baseName: settings['Durability:CheckpointBaseName'],
    saveOnShutdown: settings['Durability:SaveOnShutdown'],
    defaultPartitions: Math.max(1, Math.floor((processors * 3) / 2)),
    engineVersion,
    usedMemoryBytes: () => http.usedMemoryBytes(),
  };
}

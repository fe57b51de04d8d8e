// A whole service on Node, put together: storage, core, engine, handlers, listener. Everything it starts it also ends.

import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as zlib from 'node:zlib';
import type { Settings } from '../src/config/catalogue.ts';
import type { Configuration } from '../src/config/configuration.ts';
import { Core } from '../src/core/core.ts';
import type { CoreBinary } from '../src/core/instance.ts';
import { MemoryPool } from '../src/core/memory-pool.ts';
import { type PartitionScanner, slicingScanner } from '../src/engine/checkpoint/scan.ts';
import { jobsOnOneThread } from '../src/engine/jobs/one-thread.ts';
import { jobKinds } from '../src/engine/jobs/table.ts';
import type { Jobs } from '../src/engine/jobs/types.ts';
import type { Logger } from '../src/engine/logger.ts';
import { type EngineOptions, Namespaces } from '../src/engine/namespaces.ts';
import type { SaveGameHome } from '../src/engine/savegames/home.ts';
import { engineVersion } from '../src/engine/version.ts';
import { createHandler } from '../src/http/handler.ts';
import type { StaticFiles } from '../src/http/platform.ts';
import { compilersHere } from '../src/queries/fragments/compiler-here.ts';
import type { Compilers } from '../src/queries/fragments/compilers.ts';
import { queryJobKinds } from '../src/queries/jobs.ts';
import { compileLimits } from '../src/queries/queries.ts';
import { FeedDelivery } from './feed/feed-delivery.ts';
import { createNodePlatform } from './http-platform.ts';
import { listen } from './listener.ts';
import { openStaticFiles } from './static-files.ts';
import { type NodeStorage, openNodeStorage } from './storage/open-storage.ts';
import { ThreadScanner } from './workers/checkpoint-scanner.ts';
import { compilersOnThreads } from './workers/compiler-threads.ts';
import { jobsOnThreads } from './workers/job-threads.ts';
import { LoadThreads } from './workers/load-threads.ts';
import type { ThreadData } from './workers/priority.ts';
import { paceBesideRequests } from './workers/request-pace.ts';

/** How long running requests may go on after the service was told to stop. */
const drainMs = 10_000;

/** The release build, beside the built runtime. */
const coreFile = '../wasm/core.shared.wasm';
const turnsFile = '../wasm/core.shared.turns.wasm';
/** A graph of fewer ids is read for its checkpoint between requests: a thread with its arena would cost more. */
const threadedScanIds = 65_536;
const defaultDirectory = 'arcwise-data';

export interface RunningService {
  readonly url: string;
  /** Where logs lie; null in volatile mode. */
  readonly storageDirectory: string | null;
  /** Finishes running requests, closes logs and gives directories back. */
  stop(): Promise<void>;
}

/** Resolves when everything this start loads is loaded; it listens before. Rejects after having ended what it had begun. */
export async function startService(configuration: Configuration, logger: Logger): Promise<RunningService> {
  const begun = new Begun();
  try {
    return await start(configuration, logger, begun);
  } catch (error) {
    await begun.end().catch((also: unknown) => logger.error('What the start had begun did not end.', reason(also)));
    throw error;
  }
}

async function start(configuration: Configuration, logger: Logger, begun: Begun): Promise<RunningService> {
  const { settings } = configuration;
  const page = await openPage(settings);
  const isVolatile = settings['Durability:Volatile'];
  const storageDirectory = resolve(settings['Durability:StorageDirectory'] ?? defaultDirectory);
  const storage = isVolatile ? null : await openStorage(settings, storageDirectory);
  begun.add(() => storage?.release());
  const binary = loadCore(coreFile);
  const jobs = startJobs(settings, binary, logger);
  begun.add(() => jobs.close());
  const loadThreads = availableParallelism() > 1 ? new LoadThreads(binary) : null;
  begun.add(() => loadThreads?.close());
  const options = engineOptions(settings, storage, binary, scannerOf(jobs, storageDirectory), logger);
  const engine = new Namespaces({ ...options, jobs, ...(loadThreads === null ? {} : { loadHelpers: loadThreads }) });
  begun.add(() => engine.close());
  const compilers = startCompilers(settings);
  begun.add(() => compilers.close());
  const feeds = settings['ChangeFeed:DeliveryThread'] ? new FeedDelivery({ logger }) : null;
  begun.add(() => feeds?.close());
  const loading = engine.start();
  loading.catch(() => {}); // awaited below, after the socket is there
  const platform = createNodePlatform(logger, { ...(feeds === null ? {} : { feedOutlet: feeds }), ...page });
  const handler = createHandler({ engine, configuration, platform, compilers });
  const listener = await listen(handler, { host: settings['Http:Host'], port: settings['Http:Port'] });
  let patienceMs = 0;
  begun.add(() => listener.close(patienceMs));
  begun.add(() => {
    engine.endFeeds();
    jobs.endOpenEnded();
  });
  await loading;
  patienceMs = drainMs;
  // When the requests that are waiting already have been answered.
  setTimeout(() => compilers.warm(), 100).unref();
  return { url: listener.url, storageDirectory: isVolatile ? null : storageDirectory, stop: () => begun.end() };
}

/** What has begun and must end, in the opposite order. */
class Begun {
  private readonly ends: (() => Promise<void> | void | undefined)[] = [];

  add(end: () => Promise<void> | void | undefined): void {
    this.ends.push(end);
  }

  /** Ends everything, also behind an end that fails; rejects with the first failure. */
  async end(): Promise<void> {
    const failures: unknown[] = [];
    for (let end = this.ends.pop(); end !== undefined; end = this.ends.pop()) {
      try {
        await end();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

function reason(error: unknown): { error: string } {
  return { error: String(error) };
}

async function openPage(settings: Settings): Promise<{ readonly staticFiles?: StaticFiles }> {
  const directory = settings['Http:StaticDirectory'];
  return directory === null ? {} : { staticFiles: await openStaticFiles(resolve(directory)) };
}

function startJobs(settings: Settings, binary: CoreBinary, logger: Logger): Jobs {
  const maxWaiting = settings['Jobs:MaxWaiting'];
  if (settings['Jobs:Threads'] < 0)
    return jobsOnOneThread({
      binary: loadCore(turnsFile),
      pause: () => setImmediate(),
      maxWaiting,
      kinds: [...jobKinds, ...queryJobKinds],
    });
  const threads = settings['Jobs:Threads'] || Math.max(2, availableParallelism());
  const niceness = settings['Jobs:Niceness'];
  const entryData: ThreadData = { niceness };
  const pace = niceness === 0 ? {} : { pace: paceBesideRequests() };
  return jobsOnThreads({ binary, threads, maxWaiting, entryData, logger, ...pace });
}

function startCompilers(settings: Settings): Compilers {
  const limits = compileLimits(settings);
  if (settings['Jobs:Threads'] < 0) return compilersHere({ ...limits, pause: () => setImmediate() });
  return compilersOnThreads({ ...limits, niceness: settings['Jobs:Niceness'] });
}

function openStorage(settings: Settings, storageDirectory: string): Promise<NodeStorage> {
  return openNodeStorage({
    storageDirectory,
    metadataDirectory: resolve(settings['Metadata:Directory'] ?? join(storageDirectory, 'metadata')),
    walPath: settings['Durability:WalPath'],
  });
}

const startupLoadModes = { Catalog: 'catalog', All: 'all', DefaultOnly: 'defaultOnly' } as const;

function scannerOf(jobs: Jobs, storageDirectory: string): PartitionScanner {
  if (jobs.threads === 1) return slicingScanner;
  const threads = new ThreadScanner(jobs, storageDirectory);
  return { threaded: true, scan: (job) => (job.ids < threadedScanIds ? slicingScanner : threads).scan(job) };
}

function engineOptions(
  settings: Settings,
  storage: NodeStorage | null,
  binary: CoreBinary,
  scanner: PartitionScanner,
  logger: Logger,
): EngineOptions {
  const pool = new MemoryPool(binary);
  return {
    newCore: () => new Core(binary, pool, settings['Memory:MaxBytesPerNamespace']),
    logs: storage?.logs ?? null,
    metadata: storage?.metadata ?? null,
    logger,
    clock: { nowMs: () => Date.now() },
    pause: () => setImmediate(),
    scanner,
    logIndexes: settings['Durability:LogIndexes'],
    projectionBytes: settings['Analytics:ProjectionCacheMegabytes'] * 2 ** 20,
    ...nativeCrc32(),
    saveGames: storage === null ? null : saveGameHome(settings, storage),
    changeFeed: {
      enabled: settings['ChangeFeed:Enabled'],
      bufferSize: settings['ChangeFeed:BufferSize'],
      subscriberQueueSize: settings['ChangeFeed:SubscriberQueueSize'],
      maxSubscribers: settings['ChangeFeed:MaxSubscribers'],
      keepAliveSeconds: settings['ChangeFeed:KeepAliveSeconds'],
    },
    maxNamespaces: settings['Namespaces:MaxNamespaces'],
    loadOnStartupDefault: settings['Namespaces:LoadOnStartup'],
    startupLoadMode: startupLoadModes[settings['Namespaces:StartupLoadMode']],
  };
}

function saveGameHome(settings: Settings, { checkpoints, places }: NodeStorage): SaveGameHome {
  return {
    checkpoints,
    places,
    baseName: settings['Durability:CheckpointBaseName'],
    saveOnShutdown: settings['Durability:SaveOnShutdown'],
    defaultPartitions: Math.max(1, Math.floor((availableParallelism() * 3) / 2)),
    engineVersion,
    usedMemoryBytes: () => process.memoryUsage.rss(),
  };
}

function loadCore(file: string): CoreBinary {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return { module: new WebAssembly.Module(readFileSync(path)), shared: true };
}

/** Newer than the oldest Node the service runs on; without it the engine's own tables do. */
function nativeCrc32(): Pick<EngineOptions, 'nativeCrc32'> {
  const { crc32 } = zlib as unknown as { crc32?: (bytes: Uint8Array, seed: number) => number };
  return crc32 === undefined ? {} : { nativeCrc32: crc32 };
}

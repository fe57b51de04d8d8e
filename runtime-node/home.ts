// What a Node process offers a service: files under a lock, worker threads, the built cores beside this module.

import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as zlib from 'node:zlib';
import type { Settings } from '../src/config/catalogue.ts';
import type { Configuration } from '../src/config/configuration.ts';
import { coreBinaryOf } from '../src/core/core-binary.ts';
import type { CoreBinary } from '../src/core/instance.ts';
import { type PartitionScanner, slicingScanner } from '../src/engine/checkpoint/scan.ts';
import type { Jobs } from '../src/engine/jobs/types.ts';
import type { NativeCrc32 } from '../src/engine/log/crc32.ts';
import type { Logger } from '../src/engine/logger.ts';
import type { HttpPlatform, StaticFiles } from '../src/http/platform.ts';
import { webPlatform } from '../src/http/web-platform.ts';
import { compileLimits } from '../src/queries/queries.ts';
import type { ServiceHome, ServiceStorage, ServiceThreads } from '../src/service.ts';
import { openWrittenSettings } from '../src/written-settings.ts';
import { FeedDelivery } from './feed/feed-delivery.ts';
import { createNodePlatform } from './http-platform.ts';
import { localModels } from './models/model-thread.ts';
import type { Otlp } from './otlp/otlp.ts';
import { outboundFetches } from './outbound-fetch.ts';
import { prometheusText } from './prometheus-text.ts';
import { openStaticFiles } from './static-files.ts';
import { type MetadataStore, openMetadata } from './storage/open-metadata.ts';
import { openNodeStorage } from './storage/open-storage.ts';
import { FileUploads } from './uploads.ts';
import { ThreadScanner } from './workers/checkpoint-scanner.ts';
import { compilersOnThreads } from './workers/compiler-threads.ts';
import { jobsOnThreads } from './workers/job-threads.ts';
import { LoadThreads } from './workers/load-threads.ts';
import type { ThreadData } from './workers/priority.ts';
import { paceBesideRequests } from './workers/request-pace.ts';

/** The release build, beside the built runtime. */
const coreFile = '../wasm/core.shared.wasm';
const turnsFile = '../wasm/core.shared.turns.wasm';
/** A graph of fewer ids is read for its checkpoint between requests: a thread with its arena would cost more. */
const threadedScanIds = 65_536;
const defaultDirectory = 'arcwise-data';

/** Where a service with these settings keeps its files; null in volatile mode. */
export function storageDirectoryOf(settings: Settings): string | null {
  const isElsewhere = settings['Replica:Of'] !== null || settings['Cluster:Url'] !== null;
  if (settings['Durability:Volatile'] || isElsewhere) return null;
  return resolve(settings['Durability:StorageDirectory'] ?? defaultDirectory);
}

/**
 * `behind`: whether requests come from the Node listener or from the program around the service. Rejects with StorageInUse when
 * another process has one of the directories; nothing stays open then. `given`: in place of directories.
 */
export async function openNodeHome(
  configuration: Configuration,
  lines: Logger,
  behind: 'listener' | 'program' = 'listener',
  given: ServiceStorage | null = null,
): Promise<ServiceHome> {
  const { settings } = configuration;
  const core = loadCore(coreFile);
  const otlp = await openExport(settings, lines);
  const logger = otlp?.logger ?? lines;
  const page = await openPage(settings);
  const storage = given ?? (await openStorage(settings));
  const written = await openNamedMetadata(settings, storage);
  if (written !== null) await openWrittenSettings(configuration, written.metadata, logger);
  // Nothing from here on can fail, and threads start only when there is work for them.
  const threads = threadsOf(settings, core, logger);
  const outbound = outboundFetches();
  const uploads = await uploadsOf(settings, logger);
  const feeds = behind === 'listener' && settings['ChangeFeed:DeliveryThread'] ? new FeedDelivery({ logger }) : null;
  return {
    core,
    turnsCore: () => loadCore(turnsFile),
    storage,
    clock: { nowMs: () => Date.now() },
    pause: () => setImmediate(),
    threads,
    http:
      behind === 'listener'
        ? createNodePlatform(logger, { ...outletOf(feeds), ...page, ...(uploads === null ? {} : { uploads }) })
        : programPlatform(logger),
    ...{ fetch: outbound.pool('service'), pool: outbound.pool },
    ...(otlp === null ? {} : { exporting: otlp }),
    objects: async (url) => {
      const { backupAccount, openObjects } = await import('./storage/open-objects.ts');
      return openObjects(url, backupAccount(settings), outbound.pool('service'));
    },
    journals: async () => {
      const { openJournals } = await import('./cluster/journals.ts');
      return openJournals(settings, outbound.pool('service'));
    },
    models: localModels(settings['Jobs:Niceness']),
    ...nativeCrc32(),
    processors: availableParallelism(),
    close: async () => {
      await feeds?.close();
      await uploads?.close();
      await outbound.close();
      await threads?.loadHelpers?.close();
      if (storage === null) await written?.release();
      await otlp?.close();
    },
  };
}

/** Null: nothing is exported. An endpoint that is no URL is told and not used: it stops no service. */
async function openExport(settings: Settings, logger: Logger): Promise<Otlp | null> {
  const endpoint = settings['Observability:Otlp:Endpoint'];
  if (endpoint === null) return null;
  if (!URL.canParse(endpoint) || !/^https?:/i.test(endpoint)) {
    logger.warn('Observability:Otlp:Endpoint is not the URL of a collector (http or https): nothing is exported.');
    return null;
  }
  const { openOtlp } = await import('./otlp/otlp.ts');
  return openOtlp(settings, endpoint, logger);
}

/** Null: a volatile service keeps no files. */
async function uploadsOf(settings: Settings, logger: Logger): Promise<FileUploads | null> {
  const directory = storageDirectoryOf(settings);
  if (directory === null) return null;
  const uploads = new FileUploads(directory, (message) => logger.warn(message));
  await uploads.clear();
  return uploads;
}

function outletOf(feeds: FeedDelivery | null): { readonly feedOutlet?: FeedDelivery } {
  return feeds === null ? {} : { feedOutlet: feeds };
}

function programPlatform(logger: Logger): HttpPlatform {
  const platform = webPlatform({
    logger,
    pause: () => setImmediate(),
    usedMemoryBytes: () => process.memoryUsage.rss(),
  });
  return { ...platform, scrapeFormat: prometheusText };
}

async function openPage(settings: Settings): Promise<{ readonly staticFiles?: StaticFiles }> {
  const directory = settings['Http:StaticDirectory'];
  return directory === null ? {} : { staticFiles: await openStaticFiles(resolve(directory)) };
}

/** Settings are written only where a metadata directory was named; a volatile service has it for nothing else. */
async function openNamedMetadata(settings: Settings, storage: ServiceStorage | null): Promise<MetadataStore | null> {
  const directory = settings['Metadata:Directory'];
  if (directory === null) return null;
  return storage ?? openMetadata(directory);
}

async function openStorage(settings: Settings): Promise<ServiceStorage | null> {
  const storageDirectory = storageDirectoryOf(settings);
  if (storageDirectory === null) return null;
  const { logs, metadata, checkpoints, places, release } = await openNodeStorage({
    storageDirectory,
    metadataDirectory: resolve(settings['Metadata:Directory'] ?? join(storageDirectory, 'metadata')),
    walPath: settings['Durability:WalPath'],
  });
  return { logs, metadata, saveGames: { checkpoints, places }, release };
}

interface NodeThreads extends ServiceThreads {
  readonly loadHelpers?: LoadThreads;
}

/** Null: none are wanted. */
function threadsOf(settings: Settings, binary: CoreBinary, logger: Logger): NodeThreads | null {
  if (settings['Jobs:Threads'] < 0) return null;
  const jobs = jobThreads(settings, binary, logger);
  const directory = storageDirectoryOf(settings);
  return {
    jobs,
    compilers: compilersOnThreads({ ...compileLimits(settings), niceness: settings['Jobs:Niceness'] }),
    ...(directory === null || jobs.threads === 1 ? {} : { scanner: scannerOf(jobs, directory) }),
    ...(availableParallelism() > 1 ? { loadHelpers: new LoadThreads(binary) } : {}),
  };
}

function jobThreads(settings: Settings, binary: CoreBinary, logger: Logger): Jobs {
  const maxWaiting = settings['Jobs:MaxWaiting'];
  const threads = settings['Jobs:Threads'] || Math.max(2, availableParallelism());
  const niceness = settings['Jobs:Niceness'];
  const entryData: ThreadData = { niceness };
  const pace = niceness === 0 ? {} : { pace: paceBesideRequests() };
  return jobsOnThreads({ binary, threads, maxWaiting, entryData, logger, ...pace });
}

function scannerOf(jobs: Jobs, storageDirectory: string): PartitionScanner {
  const threads = new ThreadScanner(jobs, storageDirectory);
  return { threaded: true, scan: (job) => (job.ids < threadedScanIds ? slicingScanner : threads).scan(job) };
}

const cores = new Map<string, CoreBinary>();

/** Compiled once: a node of a cluster opens one service after the other. */
function loadCore(file: string): CoreBinary {
  const known = cores.get(file);
  if (known !== undefined) return known;
  const path = fileURLToPath(new URL(file, import.meta.url));
  const core = coreBinaryOf(new WebAssembly.Module(readFileSync(path)));
  cores.set(file, core);
  return core;
}

/** Newer than the oldest Node the service runs on; without it the engine's own tables do. */
function nativeCrc32(): { readonly nativeCrc32?: NativeCrc32 } {
  const { crc32 } = zlib as unknown as { crc32?: NativeCrc32 };
  return crc32 === undefined ? {} : { nativeCrc32: crc32 };
}

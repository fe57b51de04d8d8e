// What of a service follows its graphs, or lets it follow others': tails of logs, backups, replicas. Loaded only where a setting asks for it.

import type { Settings } from './config/catalogue.ts';
import { Core } from './core/core.ts';
import { MemoryPool } from './core/memory-pool.ts';
import { defaultSlices } from './core/slices.ts';
import { Backups } from './engine/backup/backups.ts';
import { BackupReader } from './engine/backup/reading.ts';
import { type Crc32, crc32With } from './engine/log/crc32.ts';
import type { Namespaces } from './engine/namespaces.ts';
import type { NamespaceHome } from './engine/open-namespace.ts';
import { pause } from './engine/pause.ts';
import { BackupSource } from './engine/replication/backup-source.ts';
import { Followers } from './engine/replication/followers.ts';
import { HttpSource } from './engine/replication/http-source.ts';
import type { LogSource } from './engine/replication/log-source.ts';
import { FrameTail } from './engine/replication/tail.ts';
import type { Service } from './http/exchange.ts';
import { guardOf } from './http/replication/guard.ts';
import type { Bucket, ServiceHome } from './service.ts';
import { StoreUnfit } from './storage/objects.ts';
import type { Telemetry } from './telemetry/telemetry.ts';

export interface Replication {
  /** For the engine. */
  readonly options: Pick<NamespaceHome, 'tails' | 'isReplica'>;
  /** For the routes. */
  readonly http: Pick<Service, 'guard' | 'tails'>;
  /** When the namespaces of the start are loaded. Rejects with StoreUnfit. */
  start(engine: Namespaces, telemetry: Telemetry | null): Promise<void>;
  /** Before the engine ends. */
  end(): Promise<void>;
  /** Whether the namespace's graph is the state after the commit that it says, when this has ended. */
  isWhole(namespace: string): boolean;
  /** When the logs are closed. */
  close(): Promise<void>;
}

const mebibyte = 2 ** 20;
const minuteMs = 60_000;

/** Rejects with StoreUnfit. */
export async function openReplication(home: ServiceHome, settings: Settings): Promise<Replication> {
  const of = settings['Replica:Of'];
  return of === null ? leading(home, settings) : following(home, settings, of);
}

/** A service that others follow, or a backup does. */
async function leading(home: ServiceHome, settings: Settings): Promise<Replication> {
  const crc32 = crc32With(home.nativeCrc32);
  const limitBytes = settings['Log:TailMegabytes'] * mebibyte;
  const byId = new Map<string, FrameTail>();
  const tails = (id: string): FrameTail => {
    const tail = byId.get(id) ?? new FrameTail({ crc32, limitBytes });
    byId.set(id, tail);
    return tail;
  };
  const url = settings['Backup:Url'];
  if (home.storage === null)
    throw new StoreUnfit('Backup:Url and Replica:Serve need a log, and nothing is logged here.');
  const bucket = url === null ? null : await bucketOf(home, 'Backup:Url', url);
  let backups: Backups | null = null;
  return {
    options: { tails },
    http: { guard: guardOf(null, home.isReplaced), ...(settings['Replica:Serve'] ? { tails } : {}) },
    start: async (engine, telemetry) => {
      if (bucket === null) return;
      const { clock, http } = home;
      backups = await Backups.start({
        ...{ engine, tails, crc32, clock, telemetry, logger: http.logger, ...bucket },
        settings: {
          putsPerSecond: settings['Backup:MaxPutsPerSecond'],
          baseEveryMs: settings['Backup:BaseEveryMinutes'] * minuteMs,
          keepMs: settings['Backup:KeepHours'] * 60 * minuteMs,
        },
      });
    },
    end: async () => {},
    isWhole: () => true,
    close: async () => backups?.close(),
  };
}

/** A service that follows another one. */
async function following(home: ServiceHome, settings: Settings, of: string): Promise<Replication> {
  if (home.storage !== null)
    throw new StoreUnfit('A replica keeps nothing itself: Durability:Volatile belongs to Replica:Of.');
  const crc32 = crc32With(home.nativeCrc32);
  const source = await sourceOf(home, settings, of, crc32);
  const given = (settings['Replica:WriterUrl'] ?? (/^https?:/i.test(of) ? of : null))?.replace(/\/+$/, '') ?? null;
  const writerUrl = (): string | null => given ?? source.writerUrl ?? null;
  let followers: Followers | null = null;
  const isReady = (name: string): boolean => followers?.isReady(name) ?? false;
  return {
    options: { isReplica: true },
    http: { guard: guardOf({ writerUrl, isReady, redirects: settings['Replica:Writes'] === 'Redirect' }) },
    start: async (engine, telemetry) => {
      const { clock, http, slices = defaultSlices } = home;
      const minutes = settings['Replica:VerifyMinutes'];
      const verifyEveryMs = minutes === 0 ? null : minutes * minuteMs;
      followers = new Followers({
        ...{ engine, source, crc32, slices, clock, telemetry, verifyEveryMs, pauseMs: pause },
        logger: http.logger,
        kept: home.kept,
      });
      followers.start();
    },
    end: async () => followers?.close(),
    isWhole: (name) => followers?.isWhole(name) ?? false,
    close: async () => source.close?.(),
  };
}

/** What a request to the writer, or to another node of the cluster, carries: the key that it asks for. */
export function writerHeaders(settings: Settings): Readonly<Record<string, string>> {
  const key = settings['Replica:ApiKey'];
  return key === null ? {} : { [settings['Security:ApiKeyHeader']]: key };
}

async function sourceOf(home: ServiceHome, settings: Settings, of: string, crc32: Crc32): Promise<LogSource> {
  if (/^https?:/i.test(of))
    return new HttpSource({ url: of.replace(/\/+$/, ''), headers: writerHeaders(settings), fetch: home.fetch });
  if (/^cluster:/i.test(of)) return journalsOf(home, settings, crc32);
  const { store, prefix } = await bucketOf(home, 'Replica:Of', of);
  return new BackupSource(new BackupReader(store, prefix, crc32), pause);
}

/** Loaded for those replicas alone. */
async function journalsOf(home: ServiceHome, settings: Settings, crc32: Crc32): Promise<LogSource> {
  if (settings['Cluster:Url'] === null || home.journals === undefined)
    throw new StoreUnfit('Replica:Of is cluster: and there is no Cluster:Url, or this home reaches no cluster.');
  const place = await home.journals();
  const { JournalSource } = await import('./engine/replication/journal-source.ts');
  const { clock, core, http, nativeCrc32 } = home;
  const newCore = (): Core => new Core(core, MemoryPool.of(core), settings['Memory:MaxBytesPerNamespace']);
  const opening = { newCore, clock, logger: http.logger, pause: home.pause };
  return new JournalSource({
    ...{ place, crc32, pause },
    home: { ...opening, ...(nativeCrc32 === undefined ? {} : { nativeCrc32 }) },
  });
}

async function bucketOf(home: ServiceHome, setting: string, url: string): Promise<Bucket> {
  if (home.objects === undefined) throw new StoreUnfit(`${setting} is set, and this home reaches no bucket.`);
  return home.objects(url);
}

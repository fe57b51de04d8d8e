// What of a service follows its graphs: tails of their logs, backups. Loaded only where a setting asks for it.

import type { Settings } from './config/catalogue.ts';
import { Backups } from './engine/backup/backups.ts';
import { crc32With } from './engine/log/crc32.ts';
import type { NamespaceHome } from './engine/open-namespace.ts';
import { FrameTail } from './engine/replication/tail.ts';
import type { Engine } from './engine/types.ts';
import type { Bucket, ServiceHome } from './service.ts';
import { StoreUnfit } from './storage/objects.ts';
import type { Telemetry } from './telemetry/telemetry.ts';

export interface Replication {
  /** For the engine. */
  readonly options: Pick<NamespaceHome, 'tails'>;
  /** When the namespaces of the start are loaded. Rejects with StoreUnfit. */
  start(engine: Engine, telemetry: Telemetry | null): Promise<void>;
  /** When the logs are closed. */
  close(): Promise<void>;
}

const mebibyte = 2 ** 20;
const minuteMs = 60_000;

/** Rejects with StoreUnfit. */
export async function openReplication(home: ServiceHome, settings: Settings): Promise<Replication> {
  const crc32 = crc32With(home.nativeCrc32);
  const limitBytes = settings['Log:TailMegabytes'] * mebibyte;
  const byId = new Map<string, FrameTail>();
  const tails = (id: string): FrameTail => {
    const tail = byId.get(id) ?? new FrameTail({ crc32, limitBytes });
    byId.set(id, tail);
    return tail;
  };
  const bucket = await bucketOf(home, settings);
  let backups: Backups | null = null;
  return {
    options: { tails },
    start: async (engine, telemetry) => {
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
    close: async () => backups?.close(),
  };
}

async function bucketOf(home: ServiceHome, settings: Settings): Promise<Bucket> {
  const url = settings['Backup:Url'] ?? '';
  if (home.storage === null)
    throw new StoreUnfit('Backup:Url is set and nothing is logged here: there is nothing to back up.');
  if (home.objects === undefined) throw new StoreUnfit('Backup:Url is set, and this home reaches no bucket.');
  return home.objects(url);
}

// The backups of a service: one beside each loaded namespace, begun when the namespace is there and ended when it has gone. At a stop what is
// committed is stored first, within bounds.

import { checkConditions, type ObjectStore, StoreUnfit } from '../../storage/objects.ts';
import { instruments } from '../../telemetry/instruments.ts';
import { type EngineTelemetry, silentEngine, type Telemetry } from '../../telemetry/telemetry.ts';
import type { Crc32 } from '../log/crc32.ts';
import type { Clock, Logger } from '../logger.ts';
import { reasonOf } from '../open-namespace.ts';
import { pause } from '../pause.ts';
import type { FrameTail } from '../replication/tail.ts';
import type { Engine, NamespaceInfo } from '../types.ts';
import { BackupFenced, NamespaceBackup } from './namespace-backup.ts';
import { PacedStore } from './paced-store.ts';

/** How often namespaces are looked for. */
const lookEveryMs = 200;
/** Log objects leave a quarter of the puts to bases and manifests. */
const objectPuts = 1.25;
/** What a stop waits for the last frames to be stored. */
const drainMs = 10_000;
/** A backup that broke off begins again. */
const againMs = 30_000;

export interface BackupSettings {
  readonly putsPerSecond: number;
  readonly baseEveryMs: number;
  readonly keepMs: number;
}

export interface BackupsParts {
  readonly engine: Engine;
  readonly tails: (id: string) => FrameTail;
  readonly store: ObjectStore;
  /** Before the names of all objects; empty, or with a slash at its end. */
  readonly prefix: string;
  readonly settings: BackupSettings;
  readonly crc32: Crc32;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly telemetry: Telemetry | null;
}

interface Running {
  readonly backup: NamespaceBackup;
  readonly end: AbortController;
  readonly over: Promise<void>;
}

export class Backups {
  private readonly parts: BackupsParts;
  private readonly running = new Map<string, Running>();
  /** When those that broke off may begin again; infinite for one that another service has. */
  private readonly againMs = new Map<string, number>();
  private timer: ReturnType<typeof setTimeout> | null = null;
  private closed = false;

  private constructor(parts: BackupsParts) {
    this.parts = parts;
  }

  /** Rejects with StoreUnfit for a store that does not keep conditions. One that does not answer is waited for. */
  static async start(parts: BackupsParts): Promise<Backups> {
    const backups = new Backups(parts);
    await backups.probe();
    return backups;
  }

  private async probe(): Promise<void> {
    const { logger, prefix, store } = this.parts;
    try {
      await checkConditions(store, prefix);
      this.look();
    } catch (error) {
      if (error instanceof StoreUnfit) throw error;
      logger.warn(`Backups wait for their store: ${reasonOf(error)}`);
      const again = (): void => {
        this.probe().catch((unfit: unknown) => logger.error(`There are no backups: ${reasonOf(unfit)}`));
      };
      if (!this.closed) this.timer = setTimeout(again, againMs);
    }
  }

  private look(): void {
    if (this.closed) return;
    const there = new Set<string>();
    for (const namespace of this.parts.engine.list()) {
      if (namespace.graph === null) continue;
      there.add(namespace.id);
      const isWaiting = this.parts.clock.nowMs() < (this.againMs.get(namespace.id) ?? 0);
      if (!this.running.has(namespace.id) && !isWaiting) this.begin(namespace);
    }
    for (const [id, { end }] of this.running) if (!there.has(id)) end.abort(new Error('The namespace has gone.'));
    this.timer = setTimeout(() => this.look(), lookEveryMs);
  }

  private begin({ id }: NamespaceInfo): void {
    const { clock, crc32, engine, logger, settings, store, tails } = this.parts;
    const end = new AbortController();
    const telemetry = this.parts.telemetry?.engine(id) ?? silentEngine;
    const name = (): string => engine.list().find((one) => one.id === id)?.name ?? id;
    const nowMs = (): number => clock.nowMs();
    const told = new Told(logger, name, telemetry);
    const { signal } = end;
    const paced = new PacedStore({ ...settings, store, nowMs, pause, signal, failed: (error) => told.failed(error) });
    const { packages } = engine;
    const backup = new NamespaceBackup({
      ...{ id, name, crc32, nowMs, pause, signal, store: paced, tail: tails(id), prefix: `${this.parts.prefix}${id}/` },
      list: (prefix) => store.list(prefix),
      snapshot: async (until) => (await packages?.snapshot(name(), until)) ?? null,
      ...{
        objectEveryMs: (1000 * objectPuts) / settings.putsPerSecond,
        baseEveryMs: settings.baseEveryMs,
        keepMs: settings.keepMs,
      },
      stored: (lagMs) => told.stored(lagMs),
      baseFailed: (error) => told.failed(error),
    });
    const over = backup.run().catch((error: unknown) => {
      if (signal.aborted) return;
      const isFenced = error instanceof BackupFenced;
      logger.error(`The backup of namespace "${name()}" has ended: ${reasonOf(error)}`, { namespace: name() });
      this.againMs.set(id, isFenced ? Number.POSITIVE_INFINITY : nowMs() + againMs);
    });
    this.running.set(id, { backup, end, over });
    void over.finally(() => this.running.delete(id));
  }

  /** Stores what is committed, unless that takes too long. */
  async close(): Promise<void> {
    this.closed = true;
    if (this.timer !== null) clearTimeout(this.timer);
    const all = [...this.running.values()];
    for (const { backup } of all) backup.drain();
    const late = setTimeout(() => {
      if (this.running.size > 0) this.parts.logger.warn('Not everything is in the backup: the bucket took too long.');
      for (const { end } of all) end.abort(new Error('The service has stopped.'));
    }, drainMs);
    await Promise.all(all.map(({ over }) => over));
    clearTimeout(late);
  }
}

/** What is told of one backup: figures always, lines once for each time that it goes wrong. */
class Told {
  private readonly logger: Logger;
  private readonly name: () => string;
  private readonly telemetry: EngineTelemetry;
  private isFailing = false;

  constructor(logger: Logger, name: () => string, telemetry: EngineTelemetry) {
    this.logger = logger;
    this.name = name;
    this.telemetry = telemetry;
  }

  stored(lagMs: number | null): void {
    if (lagMs !== null) this.telemetry.record(instruments.backupLag, lagMs / 1000);
    this.telemetry.add(instruments.backupObjects, 1);
    if (this.isFailing)
      this.logger.info(`The backup of namespace "${this.name()}" goes on.`, { namespace: this.name() });
    this.isFailing = false;
  }

  failed(error: unknown): void {
    this.telemetry.add(instruments.backupFailures, 1);
    if (this.isFailing) return;
    this.isFailing = true;
    this.logger.warn(`The backup of namespace "${this.name()}" waits: ${reasonOf(error)}`, { namespace: this.name() });
  }
}

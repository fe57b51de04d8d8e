// How namespaces come to be loaded: which ones a start loads and in what order, what each starts from, and the change to another
// graph by a restore. Engines are opened once: callers at the same time share the work.

import { CheckpointUnreadable, LogElsewhere, type StartPoint } from './checkpoint/types.ts';
import { ChangeFeed, type FeedSettings } from './feed/feed.ts';
import { NamespaceGone } from './gone.ts';
import { LiveGraph } from './live-graph.ts';
import { LoadProgress } from './load-progress.ts';
import { defaultNamespace } from './names.ts';
import { fromItsLog, type Namespace } from './namespace.ts';
import type { NamespaceEngine } from './namespace-engine.ts';
import { goOnFrom, type NamespaceHome, openNamespace, prepareNamespace, reasonOf } from './open-namespace.ts';
import type { SaveGameHome } from './savegames/home.ts';
import type { SaveGameBook } from './savegames/save-games.ts';
import type { Unregistered } from './savegames/start.ts';
import { sideBySide } from './side-by-side.ts';

/** Namespaces that are loaded side by side at the start. */
const loadsAtOnce = 4;

const withoutFeed = { enabled: false, bufferSize: 1, subscriberQueueSize: 1, maxSubscribers: 1, keepAliveSeconds: 1 };

export interface ResidencyOptions extends NamespaceHome {
  readonly loadOnStartupDefault: boolean;
  readonly startupLoadMode: 'catalog' | 'all' | 'defaultOnly';
  /** Null or missing: nothing is saved, and nothing but logs is loaded. */
  readonly saveGames?: SaveGameHome | null;
  /** Missing: nothing is published. */
  readonly changeFeed?: FeedSettings & { readonly enabled: boolean };
}

export class Residency {
  private readonly options: ResidencyOptions;
  private readonly book: SaveGameBook | null;
  private feedSettings: FeedSettings & { readonly enabled: boolean };

  constructor(options: ResidencyOptions, book: SaveGameBook | null) {
    this.options = options;
    this.book = book;
    this.feedSettings = options.changeFeed ?? withoutFeed;
  }

  /** Changes the settings of feeds to come. */
  configureFeeds(settings: Partial<FeedSettings>): void {
    this.feedSettings = { ...this.feedSettings, ...settings };
  }

  /**
   * Loads what this start loads. Rejects when a registered checkpoint of one of them is missing, or `first` cannot be loaded; another
   * one that cannot be loaded stays `notLoaded`, with the reason in the log.
   */
  async loadAll(first: Namespace, others: readonly Namespace[]): Promise<void> {
    const waiting = others.filter((namespace) => this.isWanted(namespace));
    const wanted = [first, ...waiting];
    await sideBySide(wanted, loadsAtOnce, async (namespace) => {
      await this.book?.checkFiles(namespace);
      await this.book?.removeUnfinished(namespace.id).catch((error: unknown) => {
        const { name } = namespace;
        this.options.logger.warn(`Parts of unfinished checkpoints are left: ${reasonOf(error)}`, { namespace: name });
      });
    });
    await this.loadOne(first);
    await sideBySide(waiting, loadsAtOnce, (namespace) => this.loadOne(namespace).catch(() => {})); // logged, and notLoaded
    const ready = wanted.filter(({ state }) => state === 'ready').length;
    this.options.logger.info(`${ready} of ${others.length + 1} namespaces are loaded.`, {
      loaded: ready,
      failed: wanted.length - ready,
      skipped: others.length + 1 - wanted.length,
    });
  }

  /** By the start mode and the namespace's own policy; says so in the log when not. */
  private isWanted(namespace: Namespace): boolean {
    const byPolicy = namespace.loadOnStartupEnabled ?? this.options.loadOnStartupDefault;
    const wanted = this.options.startupLoadMode === 'all' || (this.options.startupLoadMode === 'catalog' && byPolicy);
    if (!wanted) {
      const reason =
        this.options.startupLoadMode === 'defaultOnly'
          ? 'only default is loaded at the start'
          : 'its policy excludes it';
      this.options.logger.info(`Namespace "${namespace.name}" is not loaded: ${reason}.`, {
        namespace: namespace.name,
      });
    }
    return wanted;
  }

  private async loadOne(namespace: Namespace): Promise<void> {
    const { logger, clock } = this.options;
    const { name } = namespace;
    const startedMs = clock.nowMs();
    try {
      await this.open(namespace);
    } catch (error) {
      logger.error(`Namespace "${name}" could not be loaded: ${reasonOf(error)}`, {
        namespace: name,
        id: namespace.id,
      });
      throw error;
    }
    this.warnOfMissingLog(namespace);
    const replayed = namespace.graph?.durability.lastRecoveryReplayedEntries ?? 0;
    logger.info(`Namespace "${name}" is loaded.`, {
      namespace: name,
      id: namespace.id,
      ...countsOf(namespace),
      from: namespace.startedFrom,
      replayed,
      ms: clock.nowMs() - startedMs,
    });
  }

  /** Every namespace that the catalogue lists had a log; only `default` may be new. */
  private warnOfMissingLog({ name, id, graph, startedFrom }: Namespace): void {
    if (this.options.logs === null || graph === null || graph.durability.recoveryRan) return;
    const isEmpty = startedFrom === fromItsLog;
    if (id === defaultNamespace && isEmpty) return;
    const state = isEmpty ? 'empty, and no save game has it' : `from ${startedFrom}, without what came after it`;
    this.options.logger.warn(`The log of namespace "${name}" is missing; the namespace starts ${state}.`, {
      namespace: name,
      id,
    });
  }

  /** Gives a namespace its engine, from `start` or from what the registry and its log say; callers at the same time share the work. */
  open(namespace: Namespace, start?: StartPoint): Promise<void> {
    const opening = async (): Promise<NamespaceEngine> => {
      await namespace.borrowed;
      namespace.progress = new LoadProgress();
      if (start === undefined) return this.openChosen(namespace);
      return openNamespace({ ...this.options, progress: namespace.progress }, namespace.id, namespace.name, start);
    };
    namespace.loading ??= opening()
      .then((engine) => {
        namespace.graph = this.live(engine);
      })
      .finally(() => {
        namespace.loading = null;
        namespace.progress = null;
      });
    return namespace.loading;
  }

  /** An unregistered checkpoint that cannot be loaded is not adopted; the namespace starts from what is registered. */
  private async openChosen(namespace: Namespace): Promise<NamespaceEngine> {
    const { id, name } = namespace;
    // Reads go on whatever the disk takes.
    const home = { ...this.options, mayDegrade: true, progress: namespace.progress };
    const keptOn = await this.openKept(namespace);
    if (keptOn !== null) return keptOn;
    if (this.book === null) return openNamespace(home, id, name);
    const damaged = new Set<string>();
    while (true) {
      const choice = await this.book.startOf(namespace, damaged);
      const { start, adopted } = choice;
      try {
        const engine = await openNamespace(home, id, name, start);
        this.warnOf(namespace, choice.passedOver);
        namespace.startedFrom = choice.from;
        if (adopted !== null) await this.adopt(namespace, adopted);
        return engine;
      } catch (error) {
        if (adopted === null || !isUnfit(error)) throw error;
        damaged.add(adopted.info.name);
      }
    }
  }

  /** From the graph that the service before this one has let go of; null: there is none, or it is not what the log goes through. */
  private async openKept(namespace: Namespace): Promise<NamespaceEngine | null> {
    const { id, name } = namespace;
    const kept = this.options.kept?.take(name) ?? null;
    if (kept === null) return null;
    const { sequence } = kept.position;
    try {
      const engine = await goOnFrom({ ...this.options, progress: namespace.progress }, id, name, kept);
      namespace.startedFrom = `its graph as it stood at commit ${sequence}`;
      return engine;
    } catch (error) {
      const message = `Namespace "${name}" does not go on from its graph at commit ${sequence}: ${reasonOf(error)}`;
      this.options.logger.warn(message, { namespace: name });
      return null;
    }
  }

  /** Where it cannot be registered the next start adopts it. */
  private async adopt(namespace: Namespace, found: Unregistered): Promise<void> {
    const { name } = namespace;
    await this.book?.enterFound(namespace, found).catch((error: unknown) => {
      this.options.logger.error(`The checkpoint ${found.info.name} could not be registered: ${reasonOf(error)}`, {
        namespace: name,
      });
    });
    await this.book?.dropBases([namespace]);
  }

  private warnOf({ name }: Namespace, passedOver: readonly string[]): void {
    if (passedOver.length === 0) return;
    const message = `Checkpoints of namespace "${name}" that no save game names are not loaded: ${passedOver.join(', ')}.`;
    this.options.logger.warn(message, { namespace: name });
  }

  private live(engine: NamespaceEngine): LiveGraph {
    const { clock } = this.options;
    const feed = new ChangeFeed({ ...this.feedSettings, clock });
    // A clock that is set back does not take commits back before those that are there.
    let lastMs = Number.NEGATIVE_INFINITY;
    const nowMs = (): number => {
      lastMs = Math.max(lastMs, clock.nowMs());
      return lastMs;
    };
    return new LiveGraph(engine, feed, nowMs);
  }

  /** The graph of a namespace that is being made. */
  async openNew(namespace: Namespace, start?: StartPoint): Promise<LiveGraph> {
    const isFollowed = start === undefined && this.options.isReplica === true;
    const keptOn = isFollowed ? await this.openKept(namespace) : null;
    if (keptOn !== null) return this.live(keptOn);
    return this.live(await openNamespace(this.options, namespace.id, namespace.name, start));
  }

  /** Puts the graph of a checkpoint in place of a loaded one, unless `check` throws when it is loaded. */
  async replace(namespace: Namespace, start: StartPoint, check: () => void = () => {}): Promise<void> {
    const { graph, id, name } = namespace;
    const prepared = await prepareNamespace(this.options, id, name, start);
    if (graph === null || namespace.dropped) {
      prepared.abandon();
      throw new NamespaceGone();
    }
    try {
      check();
    } catch (error) {
      prepared.abandon();
      throw error;
    }
    const replaced = graph.replace({ prepared, log: start.log, reopen: () => this.openChosen(namespace) });
    namespace.loading = replaced.finally(() => {
      namespace.loading = null;
    });
    await namespace.loading;
  }
}

/** The checkpoint is damaged, or the log does not go through it after all. */
function isUnfit(error: unknown): boolean {
  return error instanceof CheckpointUnreadable || error instanceof LogElsewhere;
}

/** For log lines. */
export function countsOf(namespace: Namespace): { vertices: number; edges: number } {
  return { vertices: namespace.graph?.vertexCount ?? 0, edges: namespace.graph?.edgeCount ?? 0 };
}

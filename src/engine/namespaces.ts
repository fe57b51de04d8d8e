// The namespaces of one service: `default`, which is always there, and the named ones of the catalogue. It keeps the catalogue, the
// save games and the engines in step, and knows nothing of HTTP. How a namespace is loaded is in residency.ts.
//
// Changes of the catalogue run one after the other, and each is on disk before it is answered. A namespace is made by log first,
// catalogue second, and dropped in the opposite order, so that a crash in between leaves a log nobody lists, never the reverse.

import { readCatalogue, writeCatalogue } from './catalogue.ts';
import type { StartPoint } from './checkpoint/types.ts';
import { claimedName, type EngineOptions } from './engine-options.ts';
import type { KeptGraphs } from './kept-graphs.ts';
import { checkNothingIsLost } from './lost-catalogue.ts';
import { defaultNamespace, logNameOf, nameProblem, namespaceId } from './names.ts';
import { Namespace } from './namespace.ts';
import { reasonOf } from './open-namespace.ts';
import type { PackageSet } from './packages/types.ts';
import { releaseGraphs } from './release.ts';
import { countsOf, Residency } from './residency.ts';
import type { NamespaceKeeper } from './savegames/restore.ts';
import { saveGamesOf } from './savegames/save-game-set.ts';
import { SaveGameBook } from './savegames/save-games.ts';
import type {
  Engine,
  EngineLimits,
  NamespaceFailure,
  NamespaceInfo,
  NamespacePatch,
  NamespaceResult,
  Policy,
  SaveGames,
  WriteOutcome,
} from './types.ts';
import { packagesLater, restorerLater } from './when-needed.ts';

export class Namespaces implements Engine, NamespaceKeeper {
  maxNamespaces: number;
  readonly loadOnStartupDefault: boolean;
  readonly startupLoadMode: 'catalog' | 'all' | 'defaultOnly';
  readonly saveGames: SaveGames | null;
  readonly packages: PackageSet;
  private readonly options: EngineOptions;
  private readonly book: SaveGameBook | null;
  private readonly residency: Residency;
  private readonly isInUse = (name: string) => this.byName.has(name) || this.options.isNameTaken?.(name) === true;
  private readonly byName = new Map<string, Namespace>();
  private readonly default: Namespace;
  private rejected: readonly unknown[] = [];
  private hasCatalogue = false;
  private lastChange: Promise<unknown> = Promise.resolve();
  private catalogued: Promise<void> | null = null;
  private started: Promise<void> | null = null;
  private closing: Promise<void> | null = null;
  private loaded = false;

  constructor(options: EngineOptions) {
    this.options = options;
    this.maxNamespaces = options.maxNamespaces;
    this.loadOnStartupDefault = options.loadOnStartupDefault;
    this.startupLoadMode = options.startupLoadMode;
    this.default = new Namespace({
      id: defaultNamespace,
      name: defaultNamespace,
      createdAt: new Date(options.clock.nowMs()).toISOString(),
      pluginRegistrationEnabled: null,
      loadOnStartupEnabled: true,
    });
    this.byName.set(defaultNamespace, this.default);
    const { metadata, saveGames: home } = options;
    this.book =
      home && metadata
        ? new SaveGameBook({ home, metadata, namespaces: this, engines: options, started: () => this.start() })
        : null;
    this.residency = new Residency(options, this.book);
    this.saveGames = this.book === null ? null : saveGamesOf(this.book, restorerLater(this.book, this, options));
    this.packages = packagesLater({ keeper: this, engines: options, book: this.book });
  }

  get ready(): boolean {
    return this.loaded;
  }

  /**
   * Reads the catalogue and loads what this start loads. Rejects when the catalogue is unreadable or `default` cannot be loaded; a
   * named namespace that cannot be loaded stays `notLoaded`, with the reason in the log. Idempotent.
   */
  start(): Promise<void> {
    if (this.started === null) {
      this.catalogued = this.readEntries();
      this.started = this.load(this.catalogued);
    }
    return this.started;
  }

  configure({ maxNamespaces, changeFeed }: EngineLimits): void {
    this.maxNamespaces = maxNamespaces;
    this.residency.configureFeeds(changeFeed);
    for (const { graph } of this.byName.values()) graph?.changeFeed.configure(changeFeed);
  }

  list(): NamespaceInfo[] {
    return this.all();
  }

  find(name: string): NamespaceInfo | undefined {
    return this.byName.get(name);
  }

  named(name: string): Namespace | undefined {
    return this.byName.get(name);
  }

  all(): Namespace[] {
    return [...this.byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  create(name: string): Promise<NamespaceResult> {
    return this.change(async () => this.newNameFailure(name) ?? this.createChecked(name));
  }

  createFrom(name: string, start: StartPoint): Promise<NamespaceResult> {
    return this.change(async () => this.newNameFailure(name) ?? this.createChecked(name, start));
  }

  refusalOf(names: readonly string[]): string | null {
    for (const name of names) {
      const refusal = this.newNameFailure(name, names.length);
      if (refusal !== null) return refusal.detail;
    }
    return null;
  }

  /** Why there cannot be a new namespace of this name, one of `count`. */
  private newNameFailure(name: string, count = 1): (NamespaceResult & { ok: false }) | null {
    const problem = nameProblem(name);
    if (problem !== null) return failure('invalidName', problem);
    if (this.isInUse(name)) return failure('nameInUse', `There is a namespace "${name}" already.`);
    if (this.byName.size + count <= this.maxNamespaces) return null;
    return failure('quotaExceeded', `There are ${this.byName.size} namespaces; the limit is ${this.maxNamespaces}.`);
  }

  private async createChecked(name: string, start?: StartPoint): Promise<NamespaceResult> {
    const nowMs = this.options.clock.nowMs();
    try {
      // A log beside no catalogue at all would look like a namespace that was lost.
      if (!this.hasCatalogue) await this.save(this.others());
      const namespace = new Namespace({
        id: await this.freeId(nowMs),
        name,
        createdAt: new Date(nowMs).toISOString(),
        pluginRegistrationEnabled: null,
        loadOnStartupEnabled: null,
      });
      namespace.graph = await this.residency.openNew(namespace, start);
      try {
        await this.save([...this.others(), namespace]);
      } catch (error) {
        await namespace.graph.dispose();
        await this.deleteFiles(namespace);
        throw error;
      }
      this.byName.set(name, namespace);
      return { ok: true, namespace };
    } catch (error) {
      this.options.logger.error(`The namespace "${name}" could not be made.`, {
        namespace: name,
        error: String(error),
      });
      return failure('storageFailed', reasonOf(error));
    }
  }

  update(name: string, patch: NamespacePatch): Promise<NamespaceResult> {
    return this.change(async () => {
      const problem = patch.name === undefined ? null : nameProblem(patch.name);
      if (problem !== null) return failure('invalidName', problem);
      const namespace = this.byName.get(name);
      if (name === defaultNamespace && (patch.name !== undefined || patch.loadOnStartup !== undefined)) {
        return failure('reserved', 'The default namespace cannot be renamed or excluded from the start.');
      }
      if (namespace === undefined) return failure('notFound', `There is no namespace "${name}".`);
      if (patch.name !== undefined) {
        const claimed = this.isInUse(patch.name) ? false : await claimedName(this.options, patch.name);
        if (claimed === false) return failure('nameInUse', `There is a namespace "${patch.name}" already.`);
        if (claimed !== true) return failure('storageFailed', claimed);
      }
      return this.updateChecked(namespace, patch);
    });
  }

  private async updateChecked(namespace: Namespace, patch: NamespacePatch): Promise<NamespaceResult> {
    const { name, pluginRegistrationEnabled, loadOnStartupEnabled } = namespace;
    namespace.name = patch.name ?? name;
    namespace.pluginRegistrationEnabled = policy(patch.pluginRegistration, pluginRegistrationEnabled);
    namespace.loadOnStartupEnabled = policy(patch.loadOnStartup, loadOnStartupEnabled);
    try {
      await this.save(this.others());
    } catch (error) {
      Object.assign(namespace, { name, pluginRegistrationEnabled, loadOnStartupEnabled });
      return failure('storageFailed', reasonOf(error));
    }
    this.byName.delete(name);
    this.byName.set(namespace.name, namespace);
    return { ok: true, namespace };
  }

  remove(name: string): Promise<NamespaceResult> {
    return this.change(async () => {
      if (name === defaultNamespace) return failure('reserved', 'The default namespace cannot be dropped.');
      const namespace = this.byName.get(name);
      if (namespace === undefined) return failure('notFound', `There is no namespace "${name}".`);
      try {
        const left = this.others().filter((other) => other !== namespace);
        await this.save(left, true);
      } catch (error) {
        return failure('storageFailed', reasonOf(error));
      }
      await this.drop(namespace);
      return { ok: true, namespace };
    });
  }

  async activate(
    name: string,
  ): Promise<(NamespaceResult & { ok: true; activated: boolean }) | (NamespaceResult & { ok: false })> {
    const namespace = this.byName.get(name);
    if (namespace === undefined) return failure('notFound', `There is no namespace "${name}".`);
    if (namespace.graph !== null) return { ok: true, namespace, activated: false };
    const detail = `There are checkpoints of "${name}", but no save game names one. Load one once with PUT /load to adopt it.`;
    try {
      if (namespace.loading === null && (await this.book?.hasOnlyUnregistered(namespace)))
        return failure('unregisteredCheckpoints', detail);
      await this.residency.open(namespace);
    } catch (error) {
      const reason = reasonOf(error);
      this.options.logger.error(`Namespace "${name}" could not be activated: ${reason}`, { namespace: name });
      return failure('activationFailed', reason);
    }
    if (namespace.dropped) return failure('notFound', `There is no namespace "${name}".`);
    this.options.logger.info(`Namespace "${name}" is active.`, { namespace: name, ...countsOf(namespace) });
    return { ok: true, namespace, activated: true };
  }

  async activateFrom(namespace: Namespace, start: StartPoint): Promise<void> {
    await namespace.loading?.catch(() => {}); // whoever began that was told
    if (namespace.graph !== null) await this.replaceFrom(namespace, start);
    else await this.residency.open(namespace, start);
    if (namespace === this.default || namespace.loadOnStartupEnabled === true) return;
    const result = await this.update(namespace.name, { loadOnStartup: 'enabled' });
    if (!result.ok) throw new Error(result.detail);
  }

  replaceFrom(namespace: Namespace, start: StartPoint, check?: () => void): Promise<void> {
    return this.residency.replace(namespace, start, check);
  }

  async removeAgain(namespace: Namespace): Promise<void> {
    await this.remove(namespace.name);
  }

  eraseAll(): Promise<WriteOutcome | null> {
    return this.change(async () => {
      const { graph } = this.default;
      if (graph === null) return null;
      const named = this.others();
      const rejected = this.rejected;
      this.rejected = [];
      try {
        await this.save([], true);
      } catch (error) {
        this.rejected = rejected;
        throw error;
      }
      const erased = graph.write([{ kind: 'erase' }]);
      for (const namespace of named) await this.drop(namespace);
      return erased;
    });
  }

  /** Ends every change feed, whose streams would otherwise hold up the end of the listener. */
  endFeeds(): void {
    for (const { graph } of this.all()) graph?.changeFeed.close();
  }

  close(): Promise<void> {
    this.closing ??= this.shutDown();
    return this.closing;
  }

  /** Gives away the graphs of those namespaces for which `isKept`; behind this comes `close`. */
  async release(isKept: (name: string) => boolean): Promise<KeptGraphs> {
    await Promise.all([this.started?.catch(() => {}), this.lastChange]); // whoever started it was told
    return releaseGraphs(this.all(), isKept, this.options.kept ?? null);
  }

  private async shutDown(): Promise<void> {
    await this.started?.catch(() => {}); // whoever started it was told
    await this.lastChange;
    await this.book?.idle();
    if (this.loaded && this.options.saveGames?.saveOnShutdown) await this.saveAtTheEnd();
    await Promise.all([...this.byName.values()].map(({ graph }) => graph?.close()));
  }

  /** What cannot be saved is in the logs. */
  private async saveAtTheEnd(): Promise<void> {
    const result = await this.book?.saveAll('shutdown');
    if (result === undefined || result.entry === null) return;
    this.options.logger.info(`Save game ${result.entry.id} was written at the end.`, {
      namespaces: result.entry.namespaces?.length ?? 0,
      failed: result.failedNamespaces.length,
      skipped: result.skippedNamespaces.length,
    });
  }

  private async readEntries(): Promise<void> {
    const { metadata, logger } = this.options;
    if (metadata === null) return;
    await this.book?.read();
    const catalogue = await readCatalogue(metadata, logger);
    if (catalogue === null) return checkNothingIsLost((await this.book?.list()) ?? [], this.options.logs);
    this.hasCatalogue = true;
    this.rejected = catalogue.rejected;
    this.default.pluginRegistrationEnabled = catalogue.defaultPluginRegistrationEnabled;
    for (const entry of catalogue.entries) {
      this.byName.set(entry.name, new Namespace(entry));
    }
  }

  private async load(catalogued: Promise<void>): Promise<void> {
    await catalogued;
    await this.residency.loadAll(this.default, this.others());
    this.loaded = true;
  }

  /** Takes a namespace that the catalogue no longer lists out of service, and its files off the disk. */
  private async drop(namespace: Namespace): Promise<void> {
    namespace.dropped = true;
    this.byName.delete(namespace.name);
    await namespace.loading?.catch(() => {}); // whoever activates it is told
    await namespace.borrowed;
    const engine = namespace.graph;
    namespace.graph = null;
    await engine?.dispose();
    await this.deleteFiles(namespace);
    await this.options.pause(); // thousands may be dropped one behind the other
  }

  private async deleteFiles({ id }: Namespace): Promise<void> {
    const { logs, logger } = this.options;
    if (logs === null) return;
    try {
      for (const name of await logs.list(logNameOf(id))) await logs.delete(name);
      await this.book?.deleteBases(id);
      void this.book?.heal(); // there may be room again
    } catch (error) {
      // The namespace is gone from the catalogue and its id is never used again, so what is left is only space.
      logger.warn(`Files of the dropped namespace ${id} are left on the disk.`, { id, error: String(error) });
    }
  }

  private others(): Namespace[] {
    return [...this.byName.values()].filter((namespace) => namespace !== this.default);
  }

  private async save(namespaces: readonly Namespace[], makesRoom = false): Promise<void> {
    if (this.options.metadata === null) return;
    const { pluginRegistrationEnabled: defaultPluginRegistrationEnabled } = this.default;
    const catalogue = { entries: namespaces.map(({ entry }) => entry), rejected: this.rejected };
    await writeCatalogue(this.options.metadata, { ...catalogue, defaultPluginRegistrationEnabled }, makesRoom);
    this.hasCatalogue = true;
  }

  /** An id that no namespace has and no file was left under. */
  private async freeId(nowMs: number): Promise<string> {
    const used = new Set([...this.byName.values()].map(({ id }) => id));
    while (true) {
      const id = namespaceId(nowMs, crypto.getRandomValues(new Uint16Array(1))[0] as number);
      if (used.has(id)) continue;
      if (this.options.logs === null || (await this.options.logs.list(logNameOf(id))).length === 0) return id;
    }
  }

  /** Runs changes of the catalogue one after the other, and none before it has been read. */
  private change<T>(run: () => Promise<T>): Promise<T> {
    const next = this.lastChange.then(async () => {
      if (this.catalogued === null) throw new Error('The engine has not been started.');
      await this.catalogued;
      return run();
    });
    this.lastChange = next.catch(() => {}); // the caller has the rejection
    return next;
  }
}

function policy(wanted: Policy | undefined, now: boolean | null): boolean | null {
  if (wanted === undefined) return now;
  return wanted === 'inherit' ? null : wanted === 'enabled';
}

function failure(reason: NamespaceFailure, detail: string): NamespaceResult & { readonly ok: false } {
  return { ok: false, failure: reason, detail };
}

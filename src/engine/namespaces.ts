// The namespaces of one service: `default`, which is always there, and the named ones of the catalogue. It decides which are
// loaded, keeps the catalogue and the engines in step, and knows nothing of HTTP.
//
// Changes of the catalogue run one after the other, and each is on disk before it is answered. A namespace is made by log first,
// catalogue second, and dropped in the opposite order, so that a crash in between leaves a log nobody lists, never the reverse.

import type { BlobStore } from '../storage/types.ts';
import { readCatalogue, writeCatalogue } from './catalogue.ts';
import { defaultNamespace, logNameOf, nameProblem, namespaceId } from './names.ts';
import { Namespace } from './namespace.ts';
import { type NamespaceHome, openNamespace, reasonOf } from './open-namespace.ts';
import type { Engine, NamespaceFailure, NamespaceInfo, NamespacePatch, NamespaceResult, Policy } from './types.ts';

/** Namespaces that are loaded side by side at the start: while one waits for its disk another one computes. */
const loadsAtOnce = 4;

export interface EngineOptions extends NamespaceHome {
  /** Where the catalogue lies; null in volatile mode. */
  readonly metadata: BlobStore | null;
  readonly maxNamespaces: number;
  readonly loadOnStartupDefault: boolean;
  readonly startupLoadMode: 'catalog' | 'all' | 'defaultOnly';
}

export class Namespaces implements Engine {
  readonly maxNamespaces: number;
  readonly loadOnStartupDefault: boolean;
  readonly startupLoadMode: 'catalog' | 'all' | 'defaultOnly';
  private readonly options: EngineOptions;
  private readonly byName = new Map<string, Namespace>();
  private readonly default: Namespace;
  private rejected: readonly unknown[] = [];
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
      this.started = this.load();
    }
    return this.started;
  }

  list(): NamespaceInfo[] {
    return [...this.byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  find(name: string): NamespaceInfo | undefined {
    return this.byName.get(name);
  }

  create(name: string): Promise<NamespaceResult> {
    return this.change(async () => {
      const problem = nameProblem(name);
      if (problem !== null) return failure('invalidName', problem);
      if (this.byName.has(name)) return failure('nameInUse', `There is a namespace "${name}" already.`);
      if (this.byName.size >= this.maxNamespaces) {
        return failure(
          'quotaExceeded',
          `There are ${this.byName.size} namespaces; the limit is ${this.maxNamespaces}.`,
        );
      }
      return this.createChecked(name);
    });
  }

  private async createChecked(name: string): Promise<NamespaceResult> {
    const nowMs = this.options.clock.nowMs();
    try {
      const namespace = new Namespace({
        id: await this.freeId(nowMs),
        name,
        createdAt: new Date(nowMs).toISOString(),
        pluginRegistrationEnabled: null,
        loadOnStartupEnabled: null,
      });
      namespace.graph = await openNamespace(this.options, namespace.id, name);
      try {
        await this.save([...this.named(), namespace]);
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
      if (patch.name !== undefined && this.byName.has(patch.name)) {
        return failure('nameInUse', `There is a namespace "${patch.name}" already.`);
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
      await this.save(this.named());
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
        await this.save(this.named().filter((other) => other !== namespace));
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
    try {
      await this.open(namespace);
    } catch (error) {
      const reason = reasonOf(error);
      this.options.logger.error(`Namespace "${name}" could not be activated: ${reason}`, { namespace: name });
      return failure('activationFailed', reason);
    }
    if (namespace.dropped) return failure('notFound', `There is no namespace "${name}".`);
    this.options.logger.info(`Namespace "${name}" is active.`, { namespace: name, ...counts(namespace) });
    return { ok: true, namespace, activated: true };
  }

  eraseAll(): Promise<void> {
    return this.change(async () => {
      const named = this.named();
      const rejected = this.rejected;
      this.rejected = [];
      try {
        await this.save([]);
      } catch (error) {
        this.rejected = rejected;
        throw error;
      }
      const erased = this.default.graph?.write([{ kind: 'erase' }]);
      for (const namespace of named) await this.drop(namespace);
      if (erased?.ok) await erased.durable;
    });
  }

  close(): Promise<void> {
    this.closing ??= this.shutDown();
    return this.closing;
  }

  private async shutDown(): Promise<void> {
    await this.started?.catch(() => {}); // whoever started it was told
    await this.lastChange;
    const engines = [...this.byName.values()].flatMap(({ graph }) => (graph === null ? [] : [graph]));
    await Promise.all(engines.map((engine) => engine.close()));
  }

  private async readEntries(): Promise<void> {
    const { metadata, logger } = this.options;
    if (metadata === null) return;
    const catalogue = await readCatalogue(metadata, logger);
    this.rejected = catalogue.rejected;
    this.default.pluginRegistrationEnabled = catalogue.defaultPluginRegistrationEnabled;
    for (const entry of catalogue.entries) {
      this.byName.set(entry.name, new Namespace(entry));
    }
  }

  private async load(): Promise<void> {
    await this.catalogued;
    await this.loadOne(this.default);
    const waiting = this.named().filter((namespace) => this.isWanted(namespace));
    const total = waiting.length + 1;
    await Promise.all(
      Array.from({ length: loadsAtOnce }, async () => {
        for (let namespace = waiting.shift(); namespace !== undefined; namespace = waiting.shift()) {
          await this.loadOne(namespace).catch(() => {}); // logged, and answered as notLoaded
        }
      }),
    );
    this.loaded = true;
    const ready = this.list().filter(({ state }) => state === 'ready').length;
    this.options.logger.info(`${ready} of ${this.byName.size} namespaces are loaded.`, {
      loaded: ready,
      failed: total - ready,
      skipped: this.byName.size - total,
    });
  }

  /** By the start mode and the namespace's own policy; says so in the log when not. */
  private isWanted(namespace: Namespace): boolean {
    const byPolicy = namespace.loadOnStartupEnabled ?? this.loadOnStartupDefault;
    const wanted = this.startupLoadMode === 'all' || (this.startupLoadMode === 'catalog' && byPolicy);
    if (!wanted) {
      const reason =
        this.startupLoadMode === 'defaultOnly' ? 'only default is loaded at the start' : 'its policy excludes it';
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
    const replayed = namespace.graph?.durability.lastRecoveryReplayedEntries ?? 0;
    logger.info(`Namespace "${name}" is loaded.`, {
      namespace: name,
      id: namespace.id,
      ...counts(namespace),
      replayed,
      ms: clock.nowMs() - startedMs,
    });
  }

  /** Gives a namespace its engine; callers at the same time share the work. */
  private open(namespace: Namespace): Promise<void> {
    namespace.loading ??= openNamespace(this.options, namespace.id, namespace.name)
      .then((engine) => {
        namespace.graph = engine;
      })
      .finally(() => {
        namespace.loading = null;
      });
    return namespace.loading;
  }

  /** Takes a namespace that the catalogue no longer lists out of service, and its files off the disk. */
  private async drop(namespace: Namespace): Promise<void> {
    namespace.dropped = true;
    this.byName.delete(namespace.name);
    await namespace.loading?.catch(() => {}); // whoever activates it is told
    const engine = namespace.graph;
    namespace.graph = null;
    await engine?.dispose();
    await this.deleteFiles(namespace);
  }

  private async deleteFiles(namespace: Namespace): Promise<void> {
    const { logs, logger } = this.options;
    if (logs === null) return;
    try {
      for (const name of await logs.list(logNameOf(namespace.id))) await logs.delete(name);
    } catch (error) {
      // The namespace is gone from the catalogue and its id is never used again, so what is left is only space.
      logger.warn(`Files of the dropped namespace ${namespace.id} are left on the disk.`, {
        id: namespace.id,
        error: String(error),
      });
    }
  }

  private named(): Namespace[] {
    return [...this.byName.values()].filter((namespace) => namespace !== this.default);
  }

  private async save(namespaces: readonly Namespace[]): Promise<void> {
    if (this.options.metadata === null) return;
    await writeCatalogue(this.options.metadata, {
      entries: namespaces.map((namespace) => namespace.entry),
      defaultPluginRegistrationEnabled: this.default.pluginRegistrationEnabled,
      rejected: this.rejected,
    });
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

function counts(namespace: Namespace): { vertices: number; edges: number } {
  return { vertices: namespace.graph?.vertexCount ?? 0, edges: namespace.graph?.edgeCount ?? 0 };
}

function failure(
  reason: NamespaceFailure,
  detail: string,
): { readonly ok: false; readonly failure: NamespaceFailure; readonly detail: string } {
  return { ok: false, failure: reason, detail };
}

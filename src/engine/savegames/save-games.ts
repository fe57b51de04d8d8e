// The save games of one service: saving, listing and deleting them, and what a start or a restore needs to know of them. What is
// registered is the registry's (registry.ts), what is loaded from it start.ts decides, restores are in restore.ts.
//
// Operations run one after the other. A checkpoint is complete before it is registered, and an entry is gone from the registry
// before its files are, so that whatever a crash leaves behind is a file nobody names, never the reverse.

import type { BlobStore } from '../../storage/types.ts';
import { indexesOf } from '../checkpoint/indexes.ts';
import { type CheckpointInfo, sectionKinds } from '../checkpoint/types.ts';
import { namesOf } from '../documents.ts';
import { indexPlugins } from '../indexes/plugins.ts';
import type { Namespace } from '../namespace.ts';
import { type NamespaceHome, readLogStart, reasonOf } from '../open-namespace.ts';
import { pathAlgorithms } from '../plugin-names.ts';
import { sideBySide } from '../side-by-side.ts';
import type { SaveAllResult, SaveRequest, SaveResult } from '../types.ts';
import { CheckpointFiles } from './files.ts';
import type { SaveGameHome } from './home.ts';
import { directoryOf, isOwnFile, nameFlaw, primariesOver, Stamps } from './locations.ts';
import {
  entryOf,
  membersOf,
  newestFirst,
  readRegistry,
  type SaveGame,
  type SaveGameKpis,
  type SaveGameMember,
  type SaveGameTrigger,
  saveGameId,
  writeRegistry,
} from './registry.ts';
import {
  checkNewestFile,
  chooseStart,
  findUnregistered,
  registeredFor,
  type StartChoice,
  type Unregistered,
} from './start.ts';

/** What a save game does not say of an index. */
const unknownIndex = { embeddingName: null, model: null, capabilities: null, keys: null, values: null };

/** Namespaces saved side by side. */
const savesAtOnce = 4;
const mostPartitions = 1024;

/** What stands where a request points: a name below the storage directory, or why there cannot be one. */
export type Place =
  | { readonly ok: true; readonly name: string; readonly exists: boolean; readonly modifiedMs: number }
  | {
      readonly ok: false;
      readonly flaw: string;
      /** True when the request's own words are wrong, false when our default place is unusable. */
      readonly isRequest: boolean;
    };

/** What the collection of namespaces gives. */
export interface NamespaceList {
  /** All, in ordinal order of their names. */
  all(): Namespace[];
  named(name: string): Namespace | undefined;
}

export interface SaveGameOptions {
  readonly home: SaveGameHome;
  readonly metadata: BlobStore;
  readonly namespaces: NamespaceList;
  readonly engines: NamespaceHome;
  /** Resolves when the start has loaded what it loads; operations wait for it. */
  readonly started: () => Promise<void>;
}

export class SaveGameBook {
  readonly home: SaveGameHome;
  private readonly metadata: BlobStore;
  private readonly namespaces: NamespaceList;
  private readonly engines: NamespaceHome;
  private readonly started: () => Promise<void>;
  private readonly files: CheckpointFiles;
  private readonly stamps = new Stamps();
  private reading: Promise<void> = Promise.reject(new Error('The registry has not been read.'));
  private entries: readonly SaveGame[] = [];
  private last: Promise<unknown> = Promise.resolve();

  constructor({ home, metadata, namespaces, engines, started }: SaveGameOptions) {
    this.reading.catch(() => {}); // for who asks too early
    const flaw = nameFlaw(home.baseName, home.places.reserved);
    if (flaw !== null || home.baseName.includes('/')) {
      throw new Error(
        `Durability:CheckpointBaseName is "${home.baseName}", which is no file name: ${flaw ?? 'a slash'}.`,
      );
    }
    this.home = home;
    this.metadata = metadata;
    this.namespaces = namespaces;
    this.engines = engines;
    this.started = started;
    this.files = new CheckpointFiles(home, engines, namespaces);
  }

  /** Rejects with RegistryUnreadable, and so does everything that needs the registry afterwards. */
  read(): Promise<void> {
    const { places } = this.home;
    const rebase = (location: string, writtenIn: string | undefined): string => {
      const name = places.nameOf(location, writtenIn) ?? places.nameOf(location);
      return name === null ? location : places.pathOf(name);
    };
    this.reading = readRegistry(this.metadata, rebase).then((entries) => {
      this.entries = entries;
    });
    return this.reading;
  }

  async list(): Promise<readonly SaveGame[]> {
    await this.reading;
    return this.entries;
  }

  async find(id: string): Promise<SaveGame | undefined> {
    await this.reading;
    return this.entry(id);
  }

  private entry(id: string): SaveGame | undefined {
    return this.entries.find((entry) => entry.id === id);
  }

  /** Runs operations one after the other, and none before the start is over. */
  inTurn<T>(run: () => Promise<T>): Promise<T> {
    const next = this.last.then(() => this.started()).then(run);
    this.last = next.catch(() => {}); // the caller has the rejection
    return next;
  }

  /** Resolves when everything that was asked for is done. */
  async idle(): Promise<void> {
    await this.last;
  }

  save(name: string, request: SaveRequest): Promise<SaveResult> {
    return this.inTurn(async (): Promise<SaveResult> => {
      const namespace = this.namespaces.named(name);
      if (namespace === undefined || namespace.graph === null) {
        return { ok: false, failure: 'failed', detail: `Namespace "${name}" is not loaded any more.` };
      }
      const place = await this.place(namespace.id, request.location);
      if (!place.ok) return { ok: false, failure: place.isRequest ? 'badLocation' : 'failed', detail: place.flaw };
      try {
        const member = await this.saveNamespace(namespace, place.name, request.partitions);
        return { ok: true, entry: await this.enter('api', [member]) };
      } catch (error) {
        return { ok: false, failure: 'failed', detail: this.tell(name, error) };
      }
    });
  }

  /** One entry over every loaded namespace. Namespaces that fail do not keep the others from being registered. */
  saveAll(trigger: SaveGameTrigger = 'api'): Promise<SaveAllResult> {
    return this.inTurn(async (): Promise<SaveAllResult> => {
      const all = this.namespaces.all();
      const loaded = all.filter(({ graph }) => graph !== null);
      const saved = new Map<Namespace, SaveGameMember>();
      await sideBySide(loaded, savesAtOnce, async (namespace) => {
        try {
          saved.set(
            namespace,
            await this.saveNamespace(namespace, directoryOf(namespace.id) + this.home.baseName, null),
          );
        } catch (error) {
          this.tell(namespace.name, error);
        }
      });
      const members = loaded.flatMap((namespace) => saved.get(namespace) ?? []);
      return {
        entry: members.length === 0 ? null : await this.enter(trigger, members),
        failedNamespaces: loaded.flatMap((one) => (saved.has(one) || one.dropped ? [] : [one.name])),
        skippedNamespaces: all.flatMap(({ graph, name }) => (graph === null ? [name] : [])),
      };
    });
  }

  private tell(name: string, error: unknown): string {
    const reason = reasonOf(error);
    this.engines.logger.error(`Namespace "${name}" could not be saved: ${reason}`, { namespace: name });
    return reason;
  }

  /** Writes a checkpoint at `target`, or beside it when something is there. */
  private async saveNamespace(
    namespace: Namespace,
    target: string,
    partitions: number | null,
  ): Promise<SaveGameMember> {
    const { graph, id, name } = namespace;
    if (graph === null) throw new Error('it is not loaded any more');
    const { home } = this;
    const nowMs = this.engines.clock.nowMs();
    const info = await graph.saveCheckpoint({
      store: home.checkpoints,
      name: await this.freeName(target, nowMs),
      partitions: Math.min(partitions ?? home.defaultPartitions, mostPartitions),
      engineVersion: home.engineVersion,
      nowMs,
    });
    return this.memberOf({ id, name }, info);
  }

  private async freeName(name: string, nowMs: number): Promise<string> {
    const files = await this.home.places.filesIn(name.slice(0, name.lastIndexOf('/') + 1));
    return files.some((file) => isOwnFile(file, name)) ? this.stamps.next(nowMs, name, files) : name;
  }

  memberOf(namespace: { readonly id: string; readonly name: string }, info: CheckpointInfo): SaveGameMember {
    const { fileCount, totalBytes } = info;
    const location = this.home.places.pathOf(info.name);
    return { name: namespace.name, id: namespace.id, location, fileCount, totalBytes, kpis: this.kpisOf(info) };
  }

  private kpisOf({ vertexCount, edgeCount, sections }: CheckpointInfo): SaveGameKpis {
    return {
      vertexCount,
      edgeCount,
      usedMemoryBytes: this.home.usedMemoryBytes(),
      indices: indexesOf(sections).map(({ indexId, pluginType }) => ({ ...unknownIndex, indexId, pluginType })),
      availableIndexPlugins: [...indexPlugins],
      availablePathPlugins: [...pathAlgorithms],
      availableServicePlugins: [],
      subGraphs: namesOf(sections, sectionKinds.subgraphRecipes),
    };
  }

  /** Registers an entry over its members. A registry that cannot be written takes nothing from the checkpoints: the entry is answered all the same. */
  async enter(trigger: SaveGameTrigger, members: readonly SaveGameMember[], savedAtMs?: number): Promise<SaveGame> {
    const nowMs = this.engines.clock.nowMs();
    const savedAt = new Date(savedAtMs ?? nowMs).toISOString();
    const facts = { id: this.freeId(nowMs), savedAt, trigger, engineVersion: this.home.engineVersion };
    const entry = entryOf(facts, members);
    try {
      await this.replaceEntries([entry, ...this.entries].sort(newestFirst));
      for (const { id } of members) await this.files.dropBases(id);
    } catch (error) {
      this.engines.logger.error(`Save game ${entry.id} could not be registered: ${reasonOf(error)}`, {
        saveGame: entry.id,
        locations: members.map(({ location }) => location),
      });
    }
    return entry;
  }

  /** Registers a checkpoint that was found or loaded, unless it is known for this namespace already. */
  async enterFound(namespace: { readonly id: string; readonly name: string }, found: Unregistered): Promise<void> {
    const location = this.home.places.pathOf(found.info.name);
    if (registeredFor(this.entries, namespace.id).some(({ member }) => member.location === location)) return;
    await this.enter('imported', [this.memberOf(namespace, found.info)], found.modifiedMs);
  }

  /** Members of a dropped namespace go on under the id it has been made again with. */
  async moveMembers(oldId: string, newId: string): Promise<void> {
    const moved = this.entries.map((entry) => {
      if (!membersOf(entry).some(({ id }) => id === oldId)) return entry;
      return { ...entry, namespaces: membersOf(entry).map((one) => (one.id === oldId ? { ...one, id: newId } : one)) };
    });
    await this.replaceEntries(moved);
  }

  private async replaceEntries(entries: readonly SaveGame[]): Promise<void> {
    await writeRegistry(this.metadata, this.home.places.directory, entries);
    this.entries = entries;
  }

  private freeId(nowMs: number): string {
    while (true) {
      const id = saveGameId(nowMs, crypto.getRandomValues(new Uint16Array(1))[0] as number);
      if (this.entry(id) === undefined) return id;
    }
  }

  /** False when there is no such entry. With `deleteFiles` its own files go as well, but for those another entry names. */
  remove(id: string, deleteFiles: boolean): Promise<boolean> {
    return this.inTurn(async () => {
      const entry = this.entry(id);
      if (entry === undefined) return false;
      const rest = this.entries.filter((other) => other !== entry);
      const kept = new Set(rest.flatMap((other) => membersOf(other).map(({ location }) => location)));
      const leaving = deleteFiles ? membersOf(entry).filter(({ location }) => !kept.has(location)) : [];
      // The entry goes first: the log must never have moved on from a checkpoint that is still registered, because restoring that one
      // would then discard what came after it. Killed in between, the next start finds the checkpoint under the log.
      await this.replaceEntries(rest);
      for (const member of leaving) await this.files.deleteUnlessNeeded(member, rest);
      return true;
    });
  }

  /** Where a request points; null or blank is the namespace's default place. */
  async place(id: string, location: string | null): Promise<Place> {
    const { places, baseName } = this.home;
    const isRequest = location !== null && location.trim() !== '';
    const refuse = (why: string): Place => ({ ok: false, flaw: `The location cannot be used: ${why}.`, isRequest });
    const asked = isRequest ? location : directoryOf(id) + baseName;
    const name = places.isAbsolute(asked) ? places.nameOf(asked) : asked;
    if (name === null) return refuse('it lies outside the storage directory');
    const flaw = isRequest ? nameFlaw(name, places.reserved) : null;
    if (flaw !== null) return refuse(flaw);
    const facts = await places.inspect(name);
    if (facts.kind === 'refused') return refuse(facts.problem);
    for (const primary of primariesOver(name)) {
      if ((await places.inspect(primary)).kind === 'file') return refuse('it names a sidecar of another checkpoint');
    }
    const exists = facts.kind === 'file';
    return { ok: true, name, exists, modifiedMs: exists ? facts.modifiedMs : 0 };
  }

  /** True when there are checkpoints in the namespace's directory and no entry names it: only `PUT /load` adopts one. */
  async hasOnlyUnregistered({ id }: Namespace): Promise<boolean> {
    if (registeredFor(this.entries, id).length > 0) return false;
    return (await findUnregistered(this.home, this.entries, id)).length > 0;
  }

  /** As CheckpointFiles.removeUnfinished. */
  removeUnfinished(id: string): Promise<void> {
    return this.files.removeUnfinished(id);
  }

  /** As CheckpointFiles.deleteBases. */
  deleteBases(id: string): Promise<void> {
    return this.files.deleteBases(id);
  }

  /** What a namespace starts from (start.ts). Rejects when that is not there. */
  async startOf(namespace: Namespace, damaged: ReadonlySet<string>): Promise<StartChoice> {
    const log = await readLogStart(this.engines, namespace.id);
    return chooseStart(this.home, this.entries, namespace, log, damaged);
  }

  /** Rejects with SaveGameFileMissing. */
  checkFiles(namespace: Namespace): Promise<void> {
    return checkNewestFile(this.home.places, this.entries, namespace);
  }
}

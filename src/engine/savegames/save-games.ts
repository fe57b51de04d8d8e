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
import { SaveGameEntries } from './entries.ts';
import { CheckpointFiles } from './files.ts';
import type { SaveGameHome } from './home.ts';
import { directoryOf, isOwnFile, nameFlaw, primariesOver, Stamps } from './locations.ts';
import {
  entryOf,
  membersOf,
  type SaveGame,
  type SaveGameKpis,
  type SaveGameMember,
  type SaveGameTrigger,
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

/** On purpose: whoever has the API key is no reader or writer of the machine's other files. */
const outside = 'it lies outside the storage directory, and save games are kept inside it only';

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
  private readonly entries: SaveGameEntries;
  private readonly namespaces: NamespaceList;
  private readonly engines: NamespaceHome;
  private readonly started: () => Promise<void>;
  private readonly files: CheckpointFiles;
  private readonly stamps = new Stamps();
  private last: Promise<unknown> = Promise.resolve();

  constructor({ home, metadata, namespaces, engines, started }: SaveGameOptions) {
    const flaw = nameFlaw(home.baseName, home.places.reserved);
    if (flaw !== null || home.baseName.includes('/')) {
      throw new Error(
        `Durability:CheckpointBaseName is "${home.baseName}", which is no file name: ${flaw ?? 'a slash'}.`,
      );
    }
    this.home = home;
    this.entries = new SaveGameEntries(metadata, home.places);
    this.namespaces = namespaces;
    this.engines = engines;
    this.started = started;
    this.files = new CheckpointFiles(home, engines, namespaces);
  }

  /** As SaveGameEntries.read. */
  read(): Promise<void> {
    return this.entries.read();
  }

  async list(): Promise<readonly SaveGame[]> {
    await this.entries.known;
    return this.entries.list;
  }

  async find(id: string): Promise<SaveGame | undefined> {
    await this.entries.known;
    return this.entries.find(id);
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
      let entry: SaveGame | null = null;
      const register = async (member: SaveGameMember): Promise<void> => {
        entry = await this.enter('api', [member]);
      };
      try {
        await this.saveNamespace(namespace, place.name, request.partitions, register);
      } catch (error) {
        return { ok: false, failure: 'failed', detail: this.tell(name, error) };
      }
      await this.dropBases([namespace]);
      return { ok: true, entry: entry as unknown as SaveGame };
    });
  }

  /**
   * One entry over every loaded namespace. One that fails does not keep the others from being registered; an entry that cannot be written
   * fails all. At a clean stop what its newest save game holds to the last commit is not written again.
   */
  saveAll(trigger: SaveGameTrigger = 'api'): Promise<SaveAllResult> {
    return this.inTurn(async (): Promise<SaveAllResult> => {
      const all = this.namespaces.all();
      const loaded = all.filter(({ graph }) => graph !== null);
      const saved = new Map<Namespace, SaveGameMember>();
      if (trigger === 'shutdown') for (const one of loaded) await this.takeUnchanged(one, saved);
      const changed = loaded.filter((one) => !saved.has(one));
      const isNeeded = changed.length > 0;
      const entry = isNeeded ? await this.saveTogether(trigger, loaded, changed, saved) : null;
      return {
        entry,
        failedNamespaces: loaded.flatMap((one) => (saved.has(one) || one.dropped ? [] : [one.name])),
        skippedNamespaces: all.flatMap(({ graph, name }) => (graph === null ? [name] : [])),
      };
    });
  }

  /** Notes the member of the newest save game of a namespace that says all there is to say of it. */
  private async takeUnchanged(namespace: Namespace, saved: Map<Namespace, SaveGameMember>): Promise<void> {
    const { places } = this.home;
    const name = namespace.graph?.savedAs ?? null;
    const newest = registeredFor(this.entries.list, namespace.id)[0]?.member;
    if (name === null || newest === undefined || newest.location !== places.pathOf(name)) return;
    const facts = await places.inspect(name);
    if (facts.kind === 'file') saved.set(namespace, { ...newest, name: namespace.name });
  }

  /** Writes the checkpoints of `changed`, enters all that is saved, and only then lets the logs go on from them. */
  private async saveTogether(
    trigger: SaveGameTrigger,
    loaded: readonly Namespace[],
    changed: readonly Namespace[],
    saved: Map<Namespace, SaveGameMember>,
  ): Promise<SaveGame | null> {
    let decide: (entered: Promise<void>) => void = () => {};
    const registered = new Promise<void>((resolve) => {
      decide = resolve;
    });
    const saves: Promise<void>[] = [];
    await sideBySide(changed, savesAtOnce, (namespace) => {
      // The next one begins when this one's files are there.
      return new Promise((written) => {
        const register = (member: SaveGameMember): Promise<void> => {
          saved.set(namespace, member);
          written();
          return registered;
        };
        const target = directoryOf(namespace.id) + this.home.baseName;
        const saving = this.saveNamespace(namespace, target, null, register).catch((error: unknown) => {
          saved.delete(namespace);
          this.tell(namespace.name, error);
          written();
        });
        saves.push(saving);
      });
    });
    const members = loaded.flatMap((namespace) => saved.get(namespace) ?? []);
    let entry: SaveGame | null = null;
    const entering = async (): Promise<void> => {
      if (changed.some((namespace) => saved.has(namespace))) entry = await this.enter(trigger, members);
    };
    decide(entering());
    await Promise.all(saves);
    await this.dropBases(changed.filter((namespace) => saved.has(namespace)));
    return entry;
  }

  private tell(name: string, error: unknown): string {
    const reason = reasonOf(error);
    this.engines.logger.error(`Namespace "${name}" could not be saved: ${reason}`, { namespace: name });
    return reason;
  }

  /** Writes a checkpoint at `target`, or beside it when something is there. It is taken back when `register` rejects. */
  private async saveNamespace(
    namespace: Namespace,
    target: string,
    partitions: number | null,
    register: (member: SaveGameMember) => Promise<void>,
  ): Promise<void> {
    const { graph, id, name } = namespace;
    if (graph === null) throw new Error('it is not loaded any more');
    const { home } = this;
    const nowMs = this.engines.clock.nowMs();
    await graph.saveCheckpoint({
      store: home.checkpoints,
      name: await this.freeName(target, nowMs),
      partitions: Math.min(partitions ?? home.defaultPartitions, mostPartitions),
      engineVersion: home.engineVersion,
      nowMs,
      register: (info) => register(this.memberOf({ id, name }, info)),
    });
  }

  private async freeName(name: string, nowMs: number): Promise<string> {
    const files = await this.home.places.filesIn(name.slice(0, name.lastIndexOf('/') + 1));
    return files.some((file) => isOwnFile(file, name)) ? this.stamps.next(nowMs, name, files) : name;
  }

  /** A name for a checkpoint that comes from elsewhere; no other one gets it. */
  async newName(id: string): Promise<string> {
    const name = directoryOf(id) + this.home.baseName;
    return this.stamps.next(this.engines.clock.nowMs(), name, await this.home.places.filesIn(directoryOf(id)));
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

  /** Registers an entry over its members. Rejects with CheckpointFailed, with nothing registered. */
  private async enter(
    trigger: SaveGameTrigger,
    members: readonly SaveGameMember[],
    savedAtMs?: number,
  ): Promise<SaveGame> {
    const nowMs = this.engines.clock.nowMs();
    const savedAt = new Date(savedAtMs ?? nowMs).toISOString();
    const facts = { id: this.entries.freeId(nowMs), savedAt, trigger, engineVersion: this.home.engineVersion };
    const entry = entryOf(facts, members);
    await this.entries.add(entry);
    return entry;
  }

  /** As CheckpointFiles.dropBases. What cannot be deleted is only space. */
  async dropBases(namespaces: readonly { readonly id: string }[]): Promise<void> {
    for (const { id } of namespaces) {
      await this.files.dropBases(id).catch((error: unknown) => {
        this.engines.logger.warn(`Bases of the namespace ${id} are left: ${reasonOf(error)}`, { id });
      });
    }
  }

  /** Registers a checkpoint that was found or is being loaded; null when it is known for this namespace already. Rejects as `enter`. */
  async enterFound(
    namespace: { readonly id: string; readonly name: string },
    found: Unregistered,
  ): Promise<SaveGame | null> {
    const location = this.home.places.pathOf(found.info.name);
    if (registeredFor(this.entries.list, namespace.id).some(({ member }) => member.location === location)) return null;
    return this.enter('imported', [this.memberOf(namespace, found.info)], found.modifiedMs);
  }

  /** Takes an entry out again; its files stay. One that cannot be taken out names what is there. */
  async withdraw(entry: SaveGame): Promise<void> {
    await this.entries.remove(entry).catch((error: unknown) => {
      this.engines.logger.warn(`Save game ${entry.id} stays: ${reasonOf(error)}`, { saveGame: entry.id });
    });
  }

  /** As SaveGameEntries.moveMembers. */
  moveMembers(newIds: ReadonlyMap<string, string>): Promise<void> {
    return this.entries.moveMembers(newIds);
  }

  /** False when there is no such entry. With `deleteFiles` its own files go as well, but for those another entry names. */
  remove(id: string, deleteFiles: boolean): Promise<boolean> {
    return this.inTurn(async () => {
      const entry = this.entries.find(id);
      if (entry === undefined) return false;
      const rest = this.entries.list.filter((other) => other !== entry);
      const kept = new Set(rest.flatMap((other) => membersOf(other).map(({ location }) => location)));
      const leaving = deleteFiles ? membersOf(entry).filter(({ location }) => !kept.has(location)) : [];
      // The entry goes first: the log must never have moved on from a checkpoint that is still registered, because restoring that one
      // would then discard what came after it. Killed in between, the next start finds the checkpoint under the log.
      await this.entries.remove(entry);
      for (const [at, member] of leaving.entries()) {
        try {
          await this.files.deleteUnlessNeeded(member, rest);
        } catch (error) {
          await this.entries.addAgain(entryOf(entry, leaving.slice(at)));
          throw error;
        }
      }
      await this.files.heal();
      return true;
    });
  }

  /** As CheckpointFiles.heal; what fails is in the log. */
  async heal(): Promise<void> {
    await this.inTurn(() => this.files.heal()).catch(() => {}); // a start that failed heals nothing
  }

  /** As CheckpointFiles.saveBases. */
  saveBases(): Promise<void> {
    return this.inTurn(() => this.files.saveBases());
  }

  /** Where a request points; null or blank is the namespace's default place. */
  async place(id: string, location: string | null): Promise<Place> {
    const { places, baseName } = this.home;
    const isRequest = location !== null && location.trim() !== '';
    const refuse = (why: string): Place => ({ ok: false, flaw: `The location cannot be used: ${why}.`, isRequest });
    const asked = isRequest ? location : directoryOf(id) + baseName;
    const name = places.isAbsolute(asked) ? places.nameOf(asked) : asked;
    if (name === null) return refuse(outside);
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
    if (registeredFor(this.entries.list, id).length > 0) return false;
    return (await findUnregistered(this.home, this.entries.list, id)).length > 0;
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
    return chooseStart(this.home, this.entries.list, namespace, log, damaged);
  }

  /** Rejects with SaveGameFileMissing. */
  checkFiles(namespace: Namespace): Promise<void> {
    return checkNewestFile(this.home.places, this.entries.list, namespace);
  }
}

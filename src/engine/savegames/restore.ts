// Putting checkpoints in place of graphs: `PUT /load` of a file, and the restore of a save game.
//
// The log always takes part. A checkpoint that the live log is anchored to comes back with everything committed since; any other
// one starts the log anew and discards what it held, with a warning. A restore first looks for every file and makes dropped
// namespaces again (all or nothing), then activates members that are not loaded, and only then replaces graphs in service.

import { readCheckpoint } from '../checkpoint/manifest.ts';
import {
  type CheckpointInfo,
  CheckpointUnreadable,
  LogElsewhere,
  type LogStart,
  type StartPoint,
} from '../checkpoint/types.ts';
import type { Logger } from '../logger.ts';
import type { Namespace } from '../namespace.ts';
import { type NamespaceHome, readLogStart, reasonOf } from '../open-namespace.ts';
import type { LoadResult, NamespaceResult, RestoreEnd, RestoreStart } from '../types.ts';
import { membersOf, type SaveGame, type SaveGameMember } from './registry.ts';
import type { NamespaceList, SaveGameBook } from './save-games.ts';
import { mayGoThrough, registeredFor } from './start.ts';

/** What the collection of namespaces does for a restore. */
export interface NamespaceKeeper extends NamespaceList {
  /** Why namespaces of these names cannot be made now; null when nothing speaks against it. */
  refusalOf(names: readonly string[]): string | null;
  /** Makes a namespace under a new id whose graph comes from a checkpoint. */
  createFrom(name: string, start: StartPoint): Promise<NamespaceResult>;
  /** Undoes `createFrom`. */
  removeAgain(namespace: Namespace): Promise<void>;
  /** Loads a namespace from a checkpoint and lets every later start load it. */
  activateFrom(namespace: Namespace, start: StartPoint): Promise<void>;
  /**
   * Puts the graph of a checkpoint in place of a loaded namespace's. `check` throws where it must stay after all: it runs when the checkpoint
   * is loaded, in the step in which the namespace goes over to it.
   */
  replaceFrom(namespace: Namespace, start: StartPoint, check?: () => void): Promise<void>;
}

/** A member of the entry with what there is of it. */
interface Part {
  readonly member: SaveGameMember;
  readonly info: CheckpointInfo;
  namespace: Namespace | undefined;
}

type Failed = RestoreStart & { readonly ok: false };

export class Restorer {
  private readonly book: SaveGameBook;
  private readonly keeper: NamespaceKeeper;
  private readonly engines: NamespaceHome;
  private readonly logger: Logger;

  constructor(book: SaveGameBook, keeper: NamespaceKeeper, engines: NamespaceHome) {
    this.book = book;
    this.keeper = keeper;
    this.engines = engines;
    this.logger = engines.logger;
  }

  /** Replaces the graph of a loaded namespace by the checkpoint at `location`. A file that is not there changes nothing. */
  load(name: string, location: string): Promise<LoadResult> {
    return this.book.inTurn(async (): Promise<LoadResult> => {
      const namespace = this.keeper.named(name);
      if (namespace === undefined || namespace.graph === null) {
        return { ok: false, failure: 'rolledBack', detail: `Namespace "${name}" is not loaded any more.` };
      }
      const place = await this.book.place(namespace.id, location);
      if (!place.ok) return { ok: false, failure: 'badLocation', detail: place.flaw };
      if (!place.exists) return { ok: true, loaded: false };
      try {
        const info = await readCheckpoint(this.book.home.checkpoints, place.name);
        // Entered first: a log must never build on a checkpoint that no start would find.
        const entered = await this.book.enterFound(namespace, { info, modifiedMs: place.modifiedMs });
        try {
          await this.replace(namespace, info);
        } catch (error) {
          if (entered !== null) await this.book.withdraw(entered);
          throw error;
        }
        await this.book.dropBases([namespace]);
        return { ok: true, loaded: true };
      } catch (error) {
        if (error instanceof CheckpointUnreadable && error.reason === 'missing') return { ok: true, loaded: false };
        const detail = reasonOf(error);
        this.logger.error(`Namespace "${name}" could not be loaded from ${place.name}: ${detail}`, { namespace: name });
        return { ok: false, failure: 'rolledBack', detail };
      }
    });
  }

  /** Restores all members of an entry, or the one of that name. What concerns loaded namespaces may end after this resolves. */
  restore(id: string, only: string | null): Promise<RestoreStart> {
    return new Promise((begun, broken) => {
      const whole = this.book.inTurn(async () => {
        const started = await this.begin(id, only);
        begun(started);
        if (started.ok) await started.done;
      });
      whole.catch(broken);
    });
  }

  private async begin(id: string, only: string | null): Promise<RestoreStart> {
    const entry = await this.book.find(id);
    if (entry === undefined) return failure('unknownEntry', `There is no save game "${id}".`);
    const renamed = only === null ? undefined : this.keeper.named(only)?.id;
    const members = membersOf(entry).filter(({ name, id: of }) => only === null || name === only || of === renamed);
    if (members.length === 0) return failure('unknownMember', `Save game "${id}" holds no namespace "${only}".`);
    const parts = await this.look(members);
    if (!Array.isArray(parts)) return parts;
    const remade = await this.remake(parts);
    if (remade !== null) return remade;
    const activated: string[] = [];
    const waiting: Part[] = [];
    for (const part of parts) {
      if (part.namespace === undefined) continue; // made again above, from this very checkpoint
      if (part.namespace.graph === null) {
        const refusal = await this.activate(part.namespace, part.info);
        if (refusal !== null) return { ...refusal, activatedNamespaces: activated };
        activated.push(part.namespace.name);
      } else {
        waiting.push(part);
      }
    }
    return { ok: true, done: this.replaceAll(id, entry, waiting, activated) };
  }

  /** Finds every member's checkpoint before anything is touched. */
  private async look(members: readonly SaveGameMember[]): Promise<Part[] | Failed> {
    const { places, checkpoints } = this.book.home;
    const byId = new Map(this.keeper.all().map((namespace) => [namespace.id, namespace]));
    const parts: Part[] = [];
    const missing: string[] = [];
    const unreadable: string[] = [];
    for (const member of members) {
      const name = places.nameOf(member.location);
      const there = name !== null && (await places.inspect(name)).kind === 'file';
      try {
        if (!there) missing.push(`${member.location} of namespace "${member.name}" is not there`);
        else parts.push({ member, info: await readCheckpoint(checkpoints, name), namespace: byId.get(member.id) });
      } catch (error) {
        unreadable.push(`${member.location} of namespace "${member.name}": ${reasonOf(error).replace(/\.$/, '')}`);
      }
    }
    if (parts.length === members.length) return parts;
    const reason = missing.length > 0 ? 'filesMissing' : 'filesUnreadable';
    return failure(reason, `Nothing was restored. ${[...missing, ...unreadable].join('; ')}.`);
  }

  /** Makes the dropped namespaces again, all of them or none. */
  private async remake(parts: readonly Part[]): Promise<Failed | null> {
    const dropped = parts.filter(({ namespace }) => namespace === undefined);
    if (dropped.length === 0) return null;
    const refusal = this.keeper.refusalOf(dropped.map(({ member }) => member.name));
    if (refusal !== null) return failure('notRecreated', `Nothing was restored. ${refusal}`);
    const made: { member: SaveGameMember; namespace: Namespace }[] = [];
    for (const { member, info } of dropped) {
      const result = await this.keeper.createFrom(member.name, this.startAt(info, 'restart'));
      const namespace = result.ok ? this.keeper.named(member.name) : undefined;
      if (namespace === undefined) {
        for (const one of made) await this.keeper.removeAgain(one.namespace);
        const detail = result.ok ? 'It was dropped again meanwhile.' : result.detail;
        return failure('notRecreated', `Nothing was restored. Namespace "${member.name}": ${detail}`);
      }
      made.push({ member, namespace });
    }
    try {
      await this.book.moveMembers(new Map(made.map(({ member, namespace }) => [member.id, namespace.id])));
    } catch (error) {
      for (const one of made) await this.keeper.removeAgain(one.namespace);
      return failure('notRecreated', `Nothing was restored. ${reasonOf(error)}`);
    }
    for (const { member, namespace } of made) {
      this.logger.info(`Namespace "${namespace.name}" is there again, with id ${namespace.id}.`, {
        namespace: namespace.name,
        id: namespace.id,
        before: member.id,
      });
    }
    return null;
  }

  private async activate(namespace: Namespace, info: CheckpointInfo): Promise<Failed | null> {
    try {
      await this.startedFrom(namespace, info, (start) => this.keeper.activateFrom(namespace, start));
      return null;
    } catch (error) {
      const detail = `Namespace "${namespace.name}" could not be activated: ${reasonOf(error)}`;
      this.logger.error(detail, { namespace: namespace.name });
      return failure('notActivated', detail);
    }
  }

  private async replaceAll(
    id: string,
    before: SaveGame,
    parts: readonly Part[],
    activatedNamespaces: readonly string[],
  ): Promise<RestoreEnd> {
    const failedNamespaces: string[] = [];
    const details: string[] = [];
    for (const { namespace, info, member } of parts) {
      if (namespace === undefined) continue;
      try {
        await this.replace(namespace, info);
      } catch (error) {
        failedNamespaces.push(member.name);
        details.push(`"${member.name}": ${reasonOf(error)}`);
        this.logger.error(`Namespace "${member.name}" could not be restored: ${reasonOf(error)}`, {
          namespace: member.name,
          saveGame: id,
        });
      }
    }
    const entry = (await this.book.find(id)) ?? before;
    if (failedNamespaces.length === 0) return { ok: true, entry, activatedNamespaces };
    return { ok: false, failedNamespaces, activatedNamespaces, detail: `Not restored: ${details.join('; ')}` };
  }

  private async replace(namespace: Namespace, info: CheckpointInfo): Promise<void> {
    const log = await this.startedFrom(namespace, info, (start) => this.keeper.replaceFrom(namespace, start));
    this.logger.info(`Namespace "${namespace.name}" was restored from ${info.name}.`, {
      namespace: namespace.name,
      log: log === 'continue' ? 'replayed' : 'begun anew',
    });
  }

  /** Only replaying shows whether a log of the same history really holds what the checkpoint ends with; a copy may have gone elsewhere. */
  private async startedFrom(
    namespace: Namespace,
    info: CheckpointInfo,
    run: (start: StartPoint) => Promise<void>,
  ): Promise<StartPoint['log']> {
    const log = await this.logModeFor(namespace, info);
    try {
      await run(this.startAt(info, log));
      if (log === 'restart') this.warnOfDiscarding(namespace, info);
      return log;
    } catch (error) {
      if (log === 'restart' || !(error instanceof LogElsewhere)) throw error;
    }
    await run(this.startAt(info, 'restart'));
    this.warnOfDiscarding(namespace, info);
    return 'restart';
  }

  private warnOfDiscarding({ name }: Namespace, info: CheckpointInfo): void {
    this.logger.warn(
      `The log of namespace "${name}" began anew at ${info.name}: later transactions were discarded by this restore.`,
      { namespace: name, checkpoint: info.name, sequence: info.anchor.sequence },
    );
  }

  private startAt(info: CheckpointInfo, log: StartPoint['log']): StartPoint {
    return { store: this.book.home.checkpoints, name: info.name, log, anyNamespace: true };
  }

  /** `continue` when the live log is anchored to this checkpoint: it goes through it and through no later one. */
  private async logModeFor({ id }: Namespace, info: CheckpointInfo): Promise<StartPoint['log']> {
    const log = await readLogStart(this.engines, id);
    if (log === null) return 'restart';
    const fits = mayGoThrough(log, info.anchor);
    return fits && !(await this.isOvertaken(id, info, log)) ? 'continue' : 'restart';
  }

  private async isOvertaken(id: string, { anchor }: CheckpointInfo, log: LogStart): Promise<boolean> {
    const { places, checkpoints } = this.book.home;
    for (const { member } of registeredFor(await this.book.list(), id)) {
      const name = places.nameOf(member.location);
      const other = name === null ? null : await readCheckpoint(checkpoints, name).catch(() => null);
      if (other !== null && mayGoThrough(log, other.anchor) && other.anchor.sequence > anchor.sequence) return true;
    }
    return false;
  }
}

function failure(reason: Failed['failure'], detail: string): Failed {
  return { ok: false, failure: reason, detail, activatedNamespaces: [] };
}

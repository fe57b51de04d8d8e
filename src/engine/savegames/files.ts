// The files of checkpoints beyond their writing: which of them go when a save game is deleted, and *bases*, checkpoints that no entry
// names and that a log builds on because its save game has been deleted with its files.

import { beginsAsPart, primaryOfPart } from '../checkpoint/format.ts';
import { deleteCheckpoint, readCheckpoint } from '../checkpoint/manifest.ts';
import type { LogStart, SaveOptions } from '../checkpoint/types.ts';
import type { LiveGraph } from '../live-graph.ts';
import { type NamespaceHome, openNamespace, readLogStart, reasonOf } from '../open-namespace.ts';
import type { SaveGameHome } from './home.ts';
import { baseNameOf, basePrefixOf, directoryOf, isOwnFile, nameFlaw, primariesOver } from './locations.ts';
import { membersOf, type SaveGame, type SaveGameMember } from './registry.ts';
import type { NamespaceList } from './save-games.ts';
import { mayGoThrough, registeredFor } from './start.ts';

export class CheckpointFiles {
  private readonly home: SaveGameHome;
  private readonly engines: NamespaceHome;
  private readonly namespaces: NamespaceList;

  constructor(home: SaveGameHome, engines: NamespaceHome, namespaces: NamespaceList) {
    this.home = home;
    this.engines = engines;
    this.namespaces = namespaces;
  }

  /**
   * Takes the files of an entry that is gone. Where the log's base cannot be written elsewhere they stay; rejects when no start would
   * find them there.
   */
  async deleteUnlessNeeded(member: SaveGameMember, rest: readonly SaveGame[]): Promise<void> {
    try {
      await this.keepBase(member, rest);
    } catch (error) {
      const name = this.home.places.nameOf(member.location) ?? '';
      const directory = directoryOf(member.id);
      if (!name.startsWith(directory) || name.slice(directory.length).includes('/')) throw error;
      this.tellOfLeft(member.location, error);
      return;
    }
    await this.delete(member.location, rest);
  }

  /** There may be room again: namespaces that are not durable are saved for their logs alone. */
  async heal(): Promise<void> {
    const { logger } = this.engines;
    for (const { id, name, graph } of this.namespaces.all()) {
      if (graph?.durability.degraded !== true) continue;
      try {
        await this.saveBase(id, graph);
        logger.info(`Writes of namespace "${name}" are durable again.`, { namespace: name });
      } catch (error) {
        logger.warn(`Writes of namespace "${name}" are still not durable: ${reasonOf(error)}`, { namespace: name });
      }
    }
  }

  /** Saves loaded namespaces that have changed for their logs alone: a start replays no more than what comes behind. */
  async saveBases(): Promise<void> {
    const { logger } = this.engines;
    for (const { id, name, graph } of this.namespaces.all()) {
      if (graph === null || graph.savedAs !== null) continue;
      await this.saveBase(id, graph).catch((error: unknown) => {
        logger.warn(`The log of namespace "${name}" goes on growing: ${reasonOf(error)}`, { namespace: name });
      });
    }
  }

  private async saveBase(id: string, graph: LiveGraph): Promise<void> {
    await graph.saveCheckpoint(this.baseOptions(id));
    await this.dropBases(id);
  }

  private baseOptions(id: string): SaveOptions {
    const { checkpoints: store, engineVersion, defaultPartitions: partitions } = this.home;
    const nowMs = this.engines.clock.nowMs();
    const name = baseNameOf(id, new Date(nowMs).toISOString().replace(/\D/g, ''));
    return { store, name, partitions, engineVersion, nowMs };
  }

  private tellOfLeft(location: string, error: unknown): void {
    this.engines.logger.warn(`Files of the deleted checkpoint ${location} are left: ${reasonOf(error)}`, { location });
  }

  /**
   * Before a checkpoint's files go: when the log of its namespace builds on them and on nothing else, the namespace is saved once
   * more for its log alone, because deleting a save game deletes no graph.
   */
  private async keepBase(member: SaveGameMember, rest: readonly SaveGame[]): Promise<void> {
    const { checkpoints, places } = this.home;
    const namespace = this.namespaces.all().find(({ id }) => id === member.id);
    if (namespace === undefined) return;
    const log = await readLogStart(this.engines, namespace.id);
    const leaving = places.nameOf(member.location);
    if (log === null || !log.needsCheckpoint || leaving === null) return;
    if (!(await this.goesThrough(log, leaving))) return;
    for (const { member: other } of registeredFor(rest, namespace.id)) {
      const name = places.nameOf(other.location);
      if (name !== null && (await this.goesThrough(log, name))) return;
    }
    const options = this.baseOptions(namespace.id);
    await namespace.loading?.catch(() => {}); // whoever activates it is told
    if (namespace.graph !== null) {
      await namespace.graph.saveCheckpoint(options);
      return;
    }
    const start = { store: checkpoints, name: leaving, log: 'continue', anyNamespace: true } as const;
    const saving = openNamespace(this.engines, namespace.id, namespace.name, start).then((engine) =>
      engine.saveCheckpoint(options).finally(() => engine.dispose()),
    );
    const over = (): void => {
      namespace.borrowed = null;
    };
    namespace.borrowed = saving.then(over, over);
    await saving;
  }

  private async goesThrough(log: LogStart, name: string): Promise<boolean> {
    const info = await readCheckpoint(this.home.checkpoints, name).catch(() => null); // one that cannot be read is no base
    return info !== null && mayGoThrough(log, info.anchor);
  }

  /** Bases are of no use any more once the log builds on a registered checkpoint. */
  async dropBases(id: string): Promise<void> {
    const { places } = this.home;
    const prefix = basePrefixOf(id);
    const files = (await places.filesIn(directoryOf(id))).filter((name) => name.startsWith(prefix));
    if (files.length === 0) return;
    const log = await readLogStart(this.engines, id);
    for (const name of files) {
      if (primariesOver(name).some((primary) => files.includes(primary))) continue;
      if (log !== null && (await this.goesThrough(log, name))) continue;
      await deleteCheckpoint(this.home.checkpoints, name);
    }
  }

  /** The exact primary and its sidecars, never a sibling's. What cannot be deleted is only space. */
  private async delete(location: string, rest: readonly SaveGame[]): Promise<void> {
    const { places, checkpoints } = this.home;
    const name = places.nameOf(location);
    if (name === null || nameFlaw(name, places.reserved) !== null) return;
    const others = rest.flatMap((entry) => membersOf(entry).map((member) => places.nameOf(member.location) ?? ''));
    try {
      const files = await places.filesIn(name.slice(0, name.lastIndexOf('/') + 1));
      const own = files.filter(
        (file) => isOwnFile(file, name) && !others.some((other) => isOwnFile(other, name) && isOwnFile(file, other)),
      );
      for (const file of own) await checkpoints.delete(file);
    } catch (error) {
      this.tellOfLeft(location, error);
    }
  }

  /**
   * Deletes what a process that died while it saved this namespace has left: files of a checkpoint whose primary never came. Only
   * before anything is saved, because a save that is under way looks the same.
   */
  async removeUnfinished(id: string): Promise<void> {
    const files = await this.home.places.filesIn(directoryOf(id));
    const present = new Set(files);
    for (const file of files) {
      const primary = primaryOfPart(file);
      if (primary === null || present.has(primary) || !(await this.isPart(file))) continue;
      await this.home.checkpoints.delete(file);
      this.engines.logger.info(`${file} belongs to a checkpoint that was never finished, and is deleted.`, { id });
    }
  }

  private async isPart(name: string): Promise<boolean> {
    const file = await this.home.checkpoints.open(name);
    if (file === null) return false;
    const bytes = new Uint8Array(8);
    const got = await file.read(0, bytes).finally(() => file.close());
    return beginsAsPart(bytes.subarray(0, got));
  }

  /** Takes what only a dropped namespace's log built on off the disk. */
  async deleteBases(id: string): Promise<void> {
    const prefix = basePrefixOf(id);
    for (const file of await this.home.places.filesIn(directoryOf(id))) {
      if (file.startsWith(prefix)) await this.home.checkpoints.delete(file);
    }
  }
}

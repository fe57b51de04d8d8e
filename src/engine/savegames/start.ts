// Which checkpoint a namespace starts from. The registry decides, and the log has a say: it is replayed only over a checkpoint that
// it goes through, so that nothing that was acknowledged is left out and nothing of another history is mixed in.
//
//   1. An unregistered checkpoint in the namespace's own directory that is strictly newer than its newest entry is adopted, if the
//      log goes through it.
//   2. Else the newest entry that the log goes through: normally the newest of all; after a restore of an older one that one.
//   3. Without an entry the namespace starts from its log, and from the checkpoint that log builds on when it builds on one.
//
// A missing file of the newest entry ends the start. A log that goes through nothing that is there keeps the namespace from loading.

import { readCheckpoint } from '../checkpoint/manifest.ts';
import type { Anchor, CheckpointInfo, LogStart, StartPoint } from '../checkpoint/types.ts';
import { fromItsLog } from '../namespace.ts';
import type { CheckpointPlaces, FileFacts, SaveGameHome } from './home.ts';
import { basePrefixOf, directoryOf, mayBePrimary, primariesOver } from './locations.ts';
import { membersOf, type SaveGame, type SaveGameMember } from './registry.ts';

/** The file of a registered save game is not there: the start must not go on without it. */
class SaveGameFileMissing extends Error {
  override readonly name = 'SaveGameFileMissing';

  constructor(namespace: string, entry: string, location: string) {
    super(`The checkpoint ${location} of namespace "${namespace}", registered as save game ${entry}, is missing.`);
  }
}

/** The log builds on a checkpoint that is not there, or on none although there are save games. */
class LogWithoutCheckpoint extends Error {
  override readonly name = 'LogWithoutCheckpoint';

  constructor() {
    super(
      'Its log goes through no checkpoint that is there. Bring that checkpoint back, or move the log away to start from the newest save game without what the log holds.',
    );
  }
}

type StartHome = Pick<SaveGameHome, 'checkpoints' | 'places'>;

export interface Registered {
  readonly entry: SaveGame;
  readonly member: SaveGameMember;
}

/** A checkpoint in a namespace's directory that no entry names. */
export interface Unregistered {
  readonly info: CheckpointInfo;
  readonly modifiedMs: number;
}

export interface StartChoice {
  /** Undefined: an empty graph and the log. */
  readonly start: StartPoint | undefined;
  /** For the log: what it starts from. */
  readonly from: string;
  /** To be registered once it is loaded. */
  readonly adopted: Unregistered | null;
  /** Names of primaries that no entry names and that were passed over. */
  readonly passedOver: readonly string[];
}

interface Overview {
  readonly byNamespace: ReadonlyMap<string, readonly Registered[]>;
  readonly locations: ReadonlySet<string>;
}

/** A list of entries is never changed, only replaced; a start asks about each of many namespaces. */
const overviews = new WeakMap<readonly SaveGame[], Overview>();

function overviewOf(entries: readonly SaveGame[]): Overview {
  const known = overviews.get(entries);
  if (known !== undefined) return known;
  const byNamespace = new Map<string, Registered[]>();
  const locations = new Set<string>();
  for (const entry of entries) {
    for (const member of membersOf(entry)) {
      const others = byNamespace.get(member.id);
      if (others === undefined) byNamespace.set(member.id, [{ entry, member }]);
      else others.push({ entry, member });
      locations.add(member.location);
    }
  }
  const overview = { byNamespace, locations };
  overviews.set(entries, overview);
  return overview;
}

/** Members with this namespace id, newest entry first. */
export function registeredFor(entries: readonly SaveGame[], id: string): readonly Registered[] {
  return overviewOf(entries).byNamespace.get(id) ?? [];
}

/** Whether the log with this start may go through the anchor; how far the log reaches only replaying it shows. */
export function mayGoThrough(log: LogStart, anchor: Anchor): boolean {
  if (anchor.epoch === log.epoch) return anchor.sequence >= log.sequence;
  return anchor.epoch === log.parentEpoch && anchor.sequence === log.sequence;
}

/** Throws SaveGameFileMissing when the newest entry of the namespace names a file that is not there. */
export async function checkNewestFile(
  places: CheckpointPlaces,
  entries: readonly SaveGame[],
  namespace: { readonly id: string; readonly name: string },
): Promise<void> {
  const newest = registeredFor(entries, namespace.id)[0];
  if (newest === undefined) return;
  const { location } = newest.member;
  const name = places.nameOf(location);
  if (name !== null && (await places.inspect(name)).kind !== 'missing') return;
  throw new SaveGameFileMissing(namespace.name, newest.entry.id, location);
}

/** `damaged` names unregistered checkpoints that turned out not to be loadable: they are not adopted. */
export async function chooseStart(
  home: StartHome,
  entries: readonly SaveGame[],
  namespace: { readonly id: string; readonly name: string },
  log: LogStart | null,
  damaged: ReadonlySet<string> = new Set(),
): Promise<StartChoice> {
  await checkNewestFile(home.places, entries, namespace);
  const registered = registeredFor(entries, namespace.id);
  const unregistered = await findUnregistered(home, entries, namespace.id);
  const passedOver = unregistered.map(({ info }) => info.name);
  const newest = registered[0];
  if (newest === undefined) {
    return { ...(await startFromLog(home, namespace.id, log, unregistered)), adopted: null, passedOver };
  }
  const newer = unregistered.find(
    ({ info, modifiedMs }) =>
      !damaged.has(info.name) &&
      modifiedMs > Date.parse(newest.entry.savedAt) &&
      (log === null ? info.namespaceId === namespace.id : mayGoThrough(log, info.anchor)),
  );
  if (newer !== undefined) {
    const { name } = newer.info;
    return {
      start: startAt(home, name, log),
      from: `the checkpoint ${name}, which is newer than save game ${newest.entry.id} and is adopted`,
      adopted: newer,
      passedOver: passedOver.filter((other) => other !== name),
    };
  }
  const found = await firstThatFits(home, registered, log);
  if (found !== null) return { ...found, adopted: null, passedOver };
  // An older unregistered checkpoint that the log builds on is its base, whatever else is registered.
  const base = log === null ? null : await baseOf(home, namespace.id, log, unregistered);
  if (base === null) throw new LogWithoutCheckpoint();
  return { ...base, adopted: null, passedOver };
}

async function firstThatFits(
  home: StartHome,
  registered: readonly Registered[],
  log: LogStart | null,
): Promise<Pick<StartChoice, 'start' | 'from'> | null> {
  for (const { entry, member } of registered) {
    const name = home.places.nameOf(member.location);
    if (name === null) continue;
    const from = `save game ${entry.id}`;
    if (log === null) return { start: startAt(home, name, log), from };
    const anchor = await anchorOf(home, name, entry === registered[0]?.entry);
    if (anchor !== null && mayGoThrough(log, anchor)) return { start: startAt(home, name, log), from };
  }
  return null;
}

/** Null when an older checkpoint cannot be read; that matters only if nothing else fits. The newest one has to be readable. */
async function anchorOf(home: StartHome, name: string, isNewest: boolean): Promise<Anchor | null> {
  try {
    return (await readCheckpoint(home.checkpoints, name)).anchor;
  } catch (error) {
    if (isNewest) throw error;
    return null;
  }
}

async function startFromLog(
  home: StartHome,
  id: string,
  log: LogStart | null,
  unregistered: readonly Unregistered[],
): Promise<Pick<StartChoice, 'start' | 'from'>> {
  if (log === null || !log.needsCheckpoint) return { start: undefined, from: fromItsLog };
  const base = await baseOf(home, id, log, unregistered);
  if (base === null) throw new LogWithoutCheckpoint();
  return base;
}

/** A checkpoint that no entry names and the log goes through. */
async function baseOf(
  home: StartHome,
  id: string,
  log: LogStart,
  unregistered: readonly Unregistered[],
): Promise<Pick<StartChoice, 'start' | 'from'> | null> {
  const prefix = basePrefixOf(id);
  const own = await readAll(home, await filesOf(home, directoryOf(id), (name) => name.startsWith(prefix)));
  const base = [...own, ...unregistered].find(({ info }) => mayGoThrough(log, info.anchor));
  if (base === undefined) return null;
  const { name } = base.info;
  return { start: startAt(home, name, log), from: `its log, which builds on the checkpoint ${name}` };
}

/** Checkpoints directly in the namespace's directory that no entry names, newest first. */
export async function findUnregistered(
  home: StartHome,
  entries: readonly SaveGame[],
  id: string,
): Promise<Unregistered[]> {
  const directory = directoryOf(id);
  const { locations } = overviewOf(entries);
  const isKnown = (name: string): boolean => locations.has(home.places.pathOf(name));
  const isFree = (name: string): boolean =>
    mayBePrimary(name) && !isKnown(name) && !primariesOver(name).some((primary) => isKnown(primary));
  return readAll(home, await filesOf(home, directory, isFree));
}

async function filesOf(home: StartHome, directory: string, wanted: (name: string) => boolean): Promise<string[]> {
  return (await home.places.filesIn(directory)).filter(wanted);
}

/** Those of the files that are primaries, newest first. */
async function readAll(home: StartHome, names: readonly string[]): Promise<Unregistered[]> {
  const present = new Set(names);
  const found: Unregistered[] = [];
  for (const name of names) {
    if (primariesOver(name).some((primary) => present.has(primary))) continue;
    const facts: FileFacts = await home.places.inspect(name);
    if (facts.kind !== 'file') continue;
    const info = await readCheckpoint(home.checkpoints, name).catch(() => null); // no checkpoint, or none that can be read
    if (info !== null) found.push({ info, modifiedMs: facts.modifiedMs });
  }
  return found.sort((a, b) => b.modifiedMs - a.modifiedMs);
}

/** Where the log is gone, another one begins at the checkpoint, as a history of its own. */
function startAt(home: StartHome, name: string, log: LogStart | null): StartPoint {
  return { store: home.checkpoints, name, log: log === null ? 'restart' : 'continue', anyNamespace: true };
}

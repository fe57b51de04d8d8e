// The registry of save games, one JSON document in the metadata store:
//
//   savegames.json
//   { "schemaVersion": 2,
//     "storageDirectory": "/var/lib/graph",            absolute; what locations below it were written against
//     "saveGames": [ { "id", "savedAt", "trigger", "location", "fileCount", "totalBytes", "engineVersion", "kpis",
//                      "namespaces": [ { "name", "id", "location", "fileCount", "totalBytes", "kpis" } ] } ],
//     "checksum": "…" }                                ../sealed-document.ts
//
// Newest first. It says what a start loads, so it is replaced whole and atomically, and a document that cannot be read (an empty
// one included) ends the start and is never written over. Locations are absolute paths; a storage directory that has moved since
// the document was written takes its locations along. Entries of schema version 1 have no `namespaces`: they hold `default`.

import { z } from 'zod';
import type { BlobStore } from '../../storage/types.ts';
import { defaultNamespace, isNamespaceId } from '../names.ts';
import { openDocument, sealDocument } from '../sealed-document.ts';

const registryName = 'savegames.json';
const schemaVersion = 2;

const count = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);
const names = z.array(z.string());

const index = z.looseObject({ indexId: z.string(), pluginType: z.string() });

const kpis = z.object({
  vertexCount: count,
  edgeCount: count,
  usedMemoryBytes: count,
  indices: z.array(index).default([]),
  availableIndexPlugins: names.default([]),
  availablePathPlugins: names.default([]),
  availableServicePlugins: names.default([]),
  subGraphs: names.default([]),
});

const namespaceId = z.string().refine((id) => id === defaultNamespace || isNamespaceId(id), 'not a namespace id');

const member = z.object({
  name: z.string().min(1),
  id: namespaceId,
  location: z.string().min(1),
  fileCount: count,
  totalBytes: count,
  kpis,
});

const time = z.string().transform((text, context) => {
  const ms = Date.parse(text);
  if (!Number.isNaN(ms)) return new Date(ms).toISOString();
  context.addIssue('not a time');
  return z.NEVER;
});

const entry = z.object({
  id: z.string().min(1),
  savedAt: time,
  trigger: z.enum(['api', 'shutdown', 'imported']),
  location: z.string().min(1).nullable().default(null),
  fileCount: count,
  totalBytes: count,
  engineVersion: z.string().default(''),
  kpis,
  namespaces: z.array(member).min(1).nullable().default(null),
});

const wholeRegistry = z.object({
  schemaVersion: z.union([z.literal(1), z.literal(schemaVersion)]),
  storageDirectory: z.string().min(1).optional(),
  saveGames: z.array(entry),
});

export type SaveGameKpis = z.infer<typeof kpis>;
/** One namespace of a save game; `location` is the absolute path of its checkpoint's primary file. */
export type SaveGameMember = z.infer<typeof member>;
export type SaveGame = z.infer<typeof entry>;
export type SaveGameTrigger = SaveGame['trigger'];

/** The registry is there and cannot be read: the start must not go on, nothing may be written over it. @testonly: nobody else tells it apart. */
export class RegistryUnreadable extends Error {
  override readonly name = 'RegistryUnreadable';

  constructor(problem: string, cause?: unknown) {
    super(`The save game registry ${registryName} cannot be read: ${problem}. It has been left as it is.`, { cause });
  }
}

/** All entries, newest first. `rebase` turns a location that was written against a storage directory (if known) into today's. */
export async function readRegistry(
  store: BlobStore,
  rebase: (location: string, writtenIn: string | undefined) => string,
): Promise<SaveGame[]> {
  const bytes = await store.get(registryName).catch((error: unknown) => {
    throw new RegistryUnreadable(error instanceof Error ? error.message : String(error), error);
  });
  if (bytes === null) return [];
  if (bytes.length === 0) throw new RegistryUnreadable('it is empty');
  const opened = openDocument(bytes, Object.keys(wholeRegistry.shape));
  if (!opened.ok) throw new RegistryUnreadable(opened.problem, opened.cause);
  const read = wholeRegistry.safeParse(opened.content);
  if (!read.success) {
    const issue = read.error.issues[0];
    throw new RegistryUnreadable(`${issue?.path.join('.') || 'the document'}: ${issue?.message ?? 'not understood'}`);
  }
  const { saveGames, storageDirectory } = read.data;
  const twice = saveGames.find(({ id }, at) => saveGames.findIndex((other) => other.id === id) !== at);
  if (twice !== undefined) throw new RegistryUnreadable(`the id ${twice.id} is there twice`);
  const today = (location: string): string => rebase(location, storageDirectory);
  const rebased = saveGames.map((one) => ({
    ...one,
    location: one.location === null ? null : today(one.location),
    namespaces: one.namespaces?.map((part) => ({ ...part, location: today(part.location) })) ?? null,
  }));
  return rebased.sort(newestFirst);
}

/** Replaces the document; afterwards, and after any crash, it is the old one or this one. */
export async function writeRegistry(
  store: BlobStore,
  storageDirectory: string,
  saveGames: readonly SaveGame[],
  makesRoom = false,
): Promise<void> {
  await store.put(registryName, bytesOf(storageDirectory, saveGames), makesRoom);
}

/** Whether the document holds these entries, or cannot be read just now. */
export async function isRegistry(
  store: BlobStore,
  storageDirectory: string,
  saveGames: readonly SaveGame[],
): Promise<boolean> {
  const expected = bytesOf(storageDirectory, saveGames);
  try {
    const bytes = await store.get(registryName);
    return bytes !== null && bytes.length === expected.length && bytes.every((byte, at) => byte === expected[at]);
  } catch {
    return true;
  }
}

function bytesOf(storageDirectory: string, saveGames: readonly SaveGame[]): Uint8Array {
  return sealDocument({ schemaVersion, storageDirectory, saveGames });
}

/** By time, latest first; of the same time the one that was first before stays first. */
export function newestFirst(a: SaveGame, b: SaveGame): number {
  return a.savedAt < b.savedAt ? 1 : a.savedAt > b.savedAt ? -1 : 0;
}

/** The members of an entry. One from before there were namespaces holds `default` alone. */
export function membersOf(one: SaveGame): readonly SaveGameMember[] {
  if (one.namespaces !== null) return one.namespaces;
  if (one.location === null) return [];
  const { location, fileCount, totalBytes, kpis: facts } = one;
  return [{ name: defaultNamespace, id: defaultNamespace, location, fileCount, totalBytes, kpis: facts }];
}

/** `sg-yyyyMMdd-HHmmss-xxxx`, the last part four hexadecimal digits from `random` (0 .. 65535). UTC. */
export function saveGameId(nowMs: number, random: number): string {
  const digits = new Date(nowMs).toISOString().replace(/[-:]/g, '');
  return `sg-${digits.slice(0, 8)}-${digits.slice(9, 15)}-${(random & 0xffff).toString(16).padStart(4, '0')}`;
}

/**
 * An entry over its members: sums of figures and no inventory, unless there is one member, which is then mirrored.
 * `members` is not empty.
 */
export function entryOf(
  facts: Pick<SaveGame, 'id' | 'savedAt' | 'trigger' | 'engineVersion'>,
  members: readonly SaveGameMember[],
): SaveGame {
  const only = members.length === 1 ? members[0] : undefined;
  const sum = (of: (one: SaveGameMember) => number): number => members.reduce((total, one) => total + of(one), 0);
  return {
    id: facts.id,
    savedAt: facts.savedAt,
    trigger: facts.trigger,
    location: only?.location ?? null,
    fileCount: sum((one) => one.fileCount),
    totalBytes: sum((one) => one.totalBytes),
    engineVersion: facts.engineVersion,
    kpis: only?.kpis ?? {
      vertexCount: sum((one) => one.kpis.vertexCount),
      edgeCount: sum((one) => one.kpis.edgeCount),
      usedMemoryBytes: Math.max(...members.map((one) => one.kpis.usedMemoryBytes)),
      indices: [],
      availableIndexPlugins: [],
      availablePathPlugins: [],
      availableServicePlugins: [],
      subGraphs: [],
    },
    namespaces: [...members],
  };
}

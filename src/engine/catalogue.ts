// The namespace catalogue, one JSON document in the metadata store:
//
//   namespaces.json
//   { "schemaVersion": 1,
//     "namespaces": [ { "id", "name", "createdAt", "pluginRegistrationEnabled", "loadOnStartupEnabled" } ],
//     "defaultPluginRegistrationEnabled": true, false or null,
//     "checksum": "…" }                              sealed-document.ts
//
// It lists every namespace but `default`. It is replaced whole and atomically. A document that cannot be read aborts the start and
// is never overwritten. One bad entry does not take the others down: it is left out with an error in the log, and written back as
// it was found, so that a repaired file brings its namespace back.

import type { BlobStore } from '../storage/types.ts';
import type { Logger } from './logger.ts';
import { defaultNamespace, isNamespaceId, nameProblem } from './names.ts';
import { openDocument, sealDocument } from './sealed-document.ts';

export const catalogueName = 'namespaces.json';
const schemaVersion = 1;
const memberNames = ['schemaVersion', 'namespaces', 'defaultPluginRegistrationEnabled'];

export interface CatalogueEntry {
  readonly id: string;
  readonly name: string;
  /** `yyyy-MM-ddTHH:mm:ss.fffZ` */
  readonly createdAt: string;
  readonly pluginRegistrationEnabled: boolean | null;
  readonly loadOnStartupEnabled: boolean | null;
}

export interface Catalogue {
  readonly entries: readonly CatalogueEntry[];
  readonly defaultPluginRegistrationEnabled: boolean | null;
  /** Entries that were not understood, as found. */
  readonly rejected: readonly unknown[];
}

/** The catalogue is there and cannot be read: the start must not go on, nothing may be written over it. @testonly: nobody else tells it apart. */
export class CatalogueUnreadable extends Error {
  override readonly name = 'CatalogueUnreadable';

  constructor(problem: string, cause?: unknown) {
    super(`The namespace catalogue ${catalogueName} cannot be read: ${problem}. It has been left as it is.`, { cause });
  }
}

/** Null when there is none. Rejects with CatalogueUnreadable. */
export async function readCatalogue(store: Pick<BlobStore, 'get'>, logger: Logger): Promise<Catalogue | null> {
  const bytes = await store.get(catalogueName).catch((error: unknown) => {
    throw new CatalogueUnreadable(error instanceof Error ? error.message : String(error), error);
  });
  if (bytes === null) return null;
  const opened = openDocument(bytes, memberNames);
  if (!opened.ok) throw new CatalogueUnreadable(opened.problem, opened.cause);
  return readDocument(opened.content, logger);
}

export async function writeCatalogue(store: BlobStore, catalogue: Catalogue, makesRoom = false): Promise<void> {
  const content = {
    schemaVersion,
    namespaces: [...catalogue.entries, ...catalogue.rejected],
    defaultPluginRegistrationEnabled: catalogue.defaultPluginRegistrationEnabled,
  };
  await store.put(catalogueName, sealDocument(content), makesRoom);
}

function readDocument(content: Readonly<Record<string, unknown>>, logger: Logger): Catalogue {
  if (content.schemaVersion !== schemaVersion) {
    throw new CatalogueUnreadable(
      `its schemaVersion is ${JSON.stringify(content.schemaVersion)}, not ${schemaVersion}`,
    );
  }
  if (!Array.isArray(content.namespaces)) throw new CatalogueUnreadable('it has no list of namespaces');
  const policy = content.defaultPluginRegistrationEnabled ?? null;
  if (!isPolicy(policy)) throw new CatalogueUnreadable('defaultPluginRegistrationEnabled is not true, false or null');
  const entries: CatalogueEntry[] = [];
  const rejected: unknown[] = [];
  const seen: Seen = { ids: new Set(), names: new Set() };
  for (const [index, found] of content.namespaces.entries()) {
    const entry = readEntry(found, seen);
    if (typeof entry === 'string') {
      logger.error(`Entry ${index} of the namespace catalogue is left out: ${entry}.`, { index });
      rejected.push(found);
    } else {
      entries.push(entry);
      seen.ids.add(entry.id);
      seen.names.add(entry.name);
    }
  }
  return { entries, defaultPluginRegistrationEnabled: policy, rejected };
}

interface Seen {
  readonly ids: Set<string>;
  readonly names: Set<string>;
}

/** The entry, or what is wrong with it. */
function readEntry(found: unknown, before: Seen): CatalogueEntry | string {
  if (!isRecord(found)) return 'it is not a JSON object';
  const { id, name, createdAt } = found;
  const pluginRegistrationEnabled = found.pluginRegistrationEnabled ?? null;
  const loadOnStartupEnabled = found.loadOnStartupEnabled ?? null;
  if (typeof id !== 'string' || !isNamespaceId(id)) return `its id ${JSON.stringify(id)} is not a namespace id`;
  if (typeof name !== 'string') return 'it has no name';
  if (name === defaultNamespace) return `the name "${defaultNamespace}" is reserved`;
  const problem = nameProblem(name);
  if (problem !== null) return `its name ${JSON.stringify(name)} is not valid`;
  if (typeof createdAt !== 'string' || Number.isNaN(Date.parse(createdAt))) return 'its createdAt is not a time';
  if (!isPolicy(pluginRegistrationEnabled) || !isPolicy(loadOnStartupEnabled))
    return 'a policy is not true, false or null';
  if (before.ids.has(id)) return `its id ${id} is used twice`;
  if (before.names.has(name)) return `its name ${JSON.stringify(name)} is used twice`;
  return {
    id,
    name,
    createdAt: new Date(createdAt).toISOString(),
    pluginRegistrationEnabled,
    loadOnStartupEnabled,
  };
}

function isPolicy(value: unknown): value is boolean | null {
  return value === null || typeof value === 'boolean';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// Parts of the engine that few of its lives use: what they are made of loads with their first call.

import type { NamespaceHome } from './open-namespace.ts';
import type { PackageParts } from './packages/packages.ts';
import type { PackageSet } from './packages/types.ts';
import type { NamespaceKeeper, Restorer } from './savegames/restore.ts';
import type { SaveGameBook } from './savegames/save-games.ts';

/** Makes the part when it is first asked for. A module that could not be loaded is asked for again the next time. */
function whenNeeded<Part>(make: () => Promise<Part>): () => Promise<Part> {
  let made: Promise<Part> | null = null;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
}

export function restorerLater(
  book: SaveGameBook,
  keeper: NamespaceKeeper,
  engines: NamespaceHome,
): () => Promise<Restorer> {
  return whenNeeded(async () => {
    const { Restorer } = await import('./savegames/restore.ts');
    return new Restorer(book, keeper, engines);
  });
}

export function packagesLater(parts: PackageParts): PackageSet {
  const packages = whenNeeded(async () => {
    const { Packages } = await import('./packages/packages.ts');
    return new Packages(parts);
  });
  return {
    snapshot: async (...call) => (await packages()).snapshot(...call),
    write: async (...call) => (await packages()).write(...call),
    read: async (...call) => (await packages()).read(...call),
  };
}

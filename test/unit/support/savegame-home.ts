// Save games over a store in memory, for tests.

import type { CheckpointPlaces, SaveGameHome } from '../../../src/engine/savegames/home.ts';
import type { MemoryCheckpointStore } from '../../../src/storage/memory-store.ts';

export function saveGamesOver(checkpoints: MemoryCheckpointStore): SaveGameHome {
  const places: CheckpointPlaces = {
    directory: '/data',
    reserved: [],
    isAbsolute: (path) => path.startsWith('/'),
    pathOf: (name) => `/data/${name}`,
    nameOf: (path, directory = '/data') => (path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : null),
    inspect: async (name) => {
      const file = await checkpoints.open(name);
      return file === null ? { kind: 'missing' } : { kind: 'file', bytes: file.sizeBytes, modifiedMs: 0 };
    },
    filesIn: async (directory) =>
      (await checkpoints.list(directory)).filter((name) => !name.slice(directory.length).includes('/')),
  };
  return {
    ...{ checkpoints, places, baseName: 'Temp.f8s', saveOnShutdown: false, defaultPartitions: 2 },
    ...{ engineVersion: '1', usedMemoryBytes: () => 1000 },
  };
}

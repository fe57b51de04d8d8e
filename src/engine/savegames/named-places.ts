// Checkpoints as requests name them, where there are no paths: names below a directory such as `opfs://<store>`.

import type { CheckpointStore } from '../../storage/types.ts';
import type { CheckpointPlaces, FileFacts } from './home.ts';

export interface FoundFile {
  readonly bytes: number;
  readonly modifiedMs: number;
}

export interface NamedCheckpoints extends CheckpointStore {
  /** Null when there is no such file. */
  facts(name: string): FoundFile | null | Promise<FoundFile | null>;
}

const absolute = /^(?:[a-z][a-z0-9+.-]*:|\/|\\)/i;

/** `directory`: such as `opfs://wordnet`. */
export function placesIn(directory: string, checkpoints: NamedCheckpoints): CheckpointPlaces {
  return {
    directory,
    reserved: [],
    isAbsolute: (path) => absolute.test(path),
    pathOf: (name) => `${directory}/${name}`,
    nameOf: (path, below = directory) => (path.startsWith(`${below}/`) ? path.slice(below.length + 1) : null),
    inspect: async (name): Promise<FileFacts> => {
      const facts = await checkpoints.facts(name);
      return facts === null ? { kind: 'missing' } : { kind: 'file', ...facts };
    },
    filesIn: async (below) => {
      const names = await checkpoints.list(below);
      return names.filter((name) => !name.slice(below.length).includes('/'));
    },
  };
}

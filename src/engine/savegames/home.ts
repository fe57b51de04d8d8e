// What save games need of the home they live in: where checkpoint files lie and what stands there, and the settings that matter.

import type { CheckpointStore } from '../../storage/types.ts';

/** What stands under a name. `refused`: something that is no plain file, or is reached through a symbolic link. */
export type FileFacts =
  | { readonly kind: 'file'; readonly bytes: number; readonly modifiedMs: number }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly problem: string };

/** The storage directory as requests and entries name it: absolute paths outside, names relative to it inside. */
export interface CheckpointPlaces {
  /** Absolute path of the storage directory. */
  readonly directory: string;
  /** Names below it that belong to the service; with `*` at the end all that begin so. */
  readonly reserved: readonly string[];
  /** Whether a text is an absolute path on this system or on another. */
  isAbsolute(path: string): boolean;
  /** The absolute path of a name. */
  pathOf(name: string): string;
  /** The name of an absolute path below `directory` (or below the directory given), as text alone: parts may still be dots. */
  nameOf(path: string, directory?: string): string | null;
  inspect(name: string): Promise<FileFacts>;
  /** Names of the plain files directly in a directory (empty, or with a slash at the end), in ordinal order; none for a missing one. */
  filesIn(directory: string): Promise<string[]>;
}

export interface SaveGameHome {
  readonly checkpoints: CheckpointStore;
  readonly places: CheckpointPlaces;
  /** `Durability:CheckpointBaseName` */
  readonly baseName: string;
  /** `Durability:SaveOnShutdown` */
  readonly saveOnShutdown: boolean;
  /** Element files of a checkpoint when a request names no number. */
  readonly defaultPartitions: number;
  readonly engineVersion: string;
  /** Bytes of memory the whole process holds. */
  readonly usedMemoryBytes: () => number;
}

// What an engine of namespaces is made with.

import type { BlobStore } from '../storage/types.ts';
import { reasonOf } from './open-namespace.ts';
import type { ResidencyOptions } from './residency.ts';

export interface EngineOptions extends ResidencyOptions {
  /** Where the catalogue and the registry of save games lie; null in volatile mode. */
  readonly metadata: BlobStore | null;
  readonly maxNamespaces: number;
  /** Names that others have outside of this engine; missing: there are no others. */
  readonly isNameTaken?: (name: string) => boolean;
  /** Asked for the new name of a namespace before it gets it; false: somebody else has it. */
  readonly claimName?: (name: string) => Promise<boolean>;
}

/** Whether a namespace may have that name from now on; why that is not known is a text. */
export async function claimedName({ claimName }: EngineOptions, name: string): Promise<boolean | string> {
  try {
    return (await claimName?.(name)) ?? true;
  } catch (error) {
    return reasonOf(error);
  }
}

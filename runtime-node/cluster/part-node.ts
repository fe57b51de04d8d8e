// What a node of a cluster is to its parts (part.ts), one for each log.

import type { Configuration } from '../../src/config/configuration.ts';
import type { Logger } from '../../src/engine/logger.ts';
import type { ServiceHome } from '../../src/service.ts';
import type { ClusterStore } from './store.ts';

/** Settings beside those that were given. */
export type Configure = (extra: readonly string[]) => Configuration;

/** What the parts of a node have in common. */
export interface PartNode {
  readonly configure: Configure;
  readonly logger: Logger;
  /** Where others find it. */
  readonly address: () => string;
  /** What its services say of the cluster. */
  readonly home: Pick<ServiceHome, 'cluster'>;
  /** Whether another part than that of `id` has a namespace of that name. */
  readonly isNameTaken: (name: string, id: string) => boolean;
  /** Whether that name is now that part's, for a namespace that is to have it. */
  readonly claimName: (name: string, id: string) => Promise<boolean>;
}

export interface PartOptions {
  readonly node: PartNode;
  readonly cluster: ClusterStore;
  /** In paths: what follows it asks for exactly this log. */
  readonly id: string;
  /** Of its own save games' locations. */
  readonly directory: string;
  /** The node that is to write; null: whichever takes the log. */
  readonly place: () => string | null;
  /** This node has taken the log from `holder`, which is not where it was to be. */
  readonly taken: (holder: string) => void;
}

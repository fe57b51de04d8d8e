// How the graphs of a service go to the one that comes behind it.

import type { Documents } from './documents/documents.ts';
import type { KeptGraphs } from './engine/kept-graphs.ts';
import type { Namespaces } from './engine/namespaces.ts';
import type { Replication } from './replication.ts';

export function succession(
  engine: Namespaces,
  documents: Documents | null,
  replication: Replication | null,
): { release(): Promise<KeptGraphs>; isWhole(): boolean } {
  const isWhole = (name: string): boolean => replication?.isWhole(name) ?? true;
  return {
    release: async () => {
      await documents?.close();
      await replication?.end();
      return engine.release(isWhole);
    },
    isWhole: () => engine.all().every(({ graph, name }) => graph === null || isWhole(name)),
  };
}

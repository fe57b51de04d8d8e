// Giving away the graphs of a service's namespaces to the one that comes behind it.

import { type KeptGraph, KeptGraphs } from './kept-graphs.ts';
import type { Namespace } from './namespace.ts';

/** Ends everything that runs on the graphs; the memory of those that are not kept goes back. `before`: came from the service before, as far as nobody took it. */
export async function releaseGraphs(
  namespaces: readonly Namespace[],
  isKept: (name: string) => boolean,
  before: KeptGraphs | null,
): Promise<KeptGraphs> {
  const all = new Map<string, KeptGraph>(before?.takeAll() ?? []);
  const release = async (namespace: Namespace): Promise<void> => {
    await namespace.loading?.catch(() => {}); // whoever began that was told
    const { graph, name } = namespace;
    namespace.graph = null;
    const kept = graph !== null && isKept(name) ? await graph.release() : null;
    if (kept === null) await graph?.dispose();
    else {
      all.get(name)?.core.dispose();
      all.set(name, kept);
    }
  };
  await Promise.all(namespaces.map(release));
  return new KeptGraphs(all);
}

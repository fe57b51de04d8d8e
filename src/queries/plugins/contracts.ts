// What a plugin may be for: the contracts of the interface, their words and what is built in under each (reference 14.1). A contract more is a
// word here, and whoever runs it.

import { pathAlgorithms } from '../../engine/plugin-names.ts';
import type { PluginContract } from '../../fragments/plugin-contract.ts';
import { algorithms } from '../analytics/algorithms.ts';
import { subgraphAlgorithm } from '../subgraphs/recipe.ts';

/** Those that a registration of an algorithm names. */
export const algorithmContracts = ['Path', 'SubGraph', 'Analytics'] as const satisfies readonly PluginContract[];

const builtIn: Readonly<Record<PluginContract, readonly string[]>> = {
  Path: pathAlgorithms,
  SubGraph: [subgraphAlgorithm],
  Analytics: [...algorithms.keys()],
  GraphFunction: [],
};

export function isBuiltIn(contract: PluginContract, name: string): boolean {
  return builtIn[contract].includes(name);
}

// The home that this run tests, by CONTRACT_HOME. A new home is a file beside this one and a line here; only the one that is tested is loaded.

import type { Home } from './home.ts';

const homes: Readonly<Record<string, () => Promise<Home>>> = {
  node: async () => (await import('./node.ts')).nodeHome,
  page: async () => (await import('./page.ts')).pageHome,
  edge: async () => (await import('./edge.ts')).edgeHome,
};

function homeOf(name: string): Promise<Home> {
  const load = homes[name];
  if (load === undefined) throw new Error(`There is no home "${name}": ${Object.keys(homes).join(', ')} are.`);
  return load();
}

export const home = await homeOf(process.env.CONTRACT_HOME ?? 'node');

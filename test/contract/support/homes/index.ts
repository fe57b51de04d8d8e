// The home that this run tests, by CONTRACT_HOME. A new home is a file beside this one and a line here.

import { edgeHome } from './edge.ts';
import type { Home } from './home.ts';
import { nodeHome } from './node.ts';
import { pageHome } from './page.ts';

const homes: Readonly<Record<string, Home>> = { node: nodeHome, page: pageHome, edge: edgeHome };

function homeOf(name: string): Home {
  const found = homes[name];
  if (found === undefined) throw new Error(`There is no home "${name}": ${Object.keys(homes).join(', ')} are.`);
  return found;
}

export const home = homeOf(process.env.CONTRACT_HOME ?? 'node');

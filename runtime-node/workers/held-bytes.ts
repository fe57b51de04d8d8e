// What the objects of this thread take, asked of the engine's own collector.

import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { HeldBytes } from '../../src/queries/plugins/held-bytes.ts';

let collect: (() => void) | null = null;

export const heldBytes: HeldBytes = (collected) => {
  if (collected) {
    if (collect === null) {
      // New contexts of this process have the function from here on; nobody else makes any.
      setFlagsFromString('--expose-gc');
      collect = runInNewContext('gc') as () => void;
    }
    collect();
  }
  const { used_heap_size: used, external_memory: outside } = getHeapStatistics();
  return used + outside;
};

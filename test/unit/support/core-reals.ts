// The core's functions of mathematics, for tests that run the interpreter without a graph in a core.

import { readFileSync } from 'node:fs';
import { at } from '../../../scripts/lib/freshness.mjs';
import { Core } from '../../../src/core/core.ts';
import { MemoryPool } from '../../../src/core/memory-pool.ts';
import type { RealFunctions } from '../../../src/fragments/real-functions.ts';
import { realFunctions } from '../../../src/queries/fragments/elements.ts';

export function realsOf(wasm: string): RealFunctions {
  const module = new WebAssembly.Module(readFileSync(at(wasm)));
  const shared = !wasm.includes('plain');
  return realFunctions(new Core({ module, shared }, new MemoryPool({ shared }), 2 ** 24).instance);
}

export const coreReals = realsOf('dist/wasm/core.shared.wasm');

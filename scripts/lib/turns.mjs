// Makes a module whose searches can be left where they call `env.pulse`, and come back to (src/core/turns.ts), out of a release module of the
// core: a pass of binaryen over the functions that lead there. What they call by index never leaves.

import binaryen from 'binaryen';

const known = binaryen.Features;
/** What the core is compiled with (check-wasm.mjs): the optimiser may use no more. */
const features =
  known.Atomics |
  known.MutableGlobals |
  known.BulkMemory |
  known.BulkMemoryOpt |
  known.SignExt |
  known.NontrappingFPToInt |
  known.SIMD128;

/** The bytes of the module for turns. */
export function forTurns(bytes) {
  const module = binaryen.readBinary(bytes);
  const before = [binaryen.getOptimizeLevel(), binaryen.getShrinkLevel()];
  try {
    module.setFeatures(features);
    binaryen.setPassArgument('asyncify-imports', 'env.pulse');
    binaryen.setPassArgument('asyncify-ignore-indirect', '');
    binaryen.setOptimizeLevel(3);
    binaryen.setShrinkLevel(0);
    module.runPasses(['asyncify']);
    module.optimize();
    return module.emitBinary();
  } finally {
    binaryen.clearPassArguments();
    binaryen.setOptimizeLevel(before[0]);
    binaryen.setShrinkLevel(before[1]);
    module.dispose();
  }
}

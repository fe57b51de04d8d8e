// What a compiled core is, found out from the module itself: whoever loads one cannot name it wrongly.

import type { CoreBinary } from './instance.ts';

const noFunction = (): void => {};

/** A module that was compiled for shared memory links with no other; linking a plain one makes an instance that nobody keeps. */
export function coreBinaryOf(module: WebAssembly.Module): CoreBinary {
  const memory = new WebAssembly.Memory({ initial: 1 });
  try {
    new WebAssembly.Instance(module, { env: { memory, abort: noFunction, pulse: noFunction } });
  } catch (error) {
    if (error instanceof WebAssembly.LinkError) return { module, shared: true };
    throw error;
  }
  return { module, shared: false };
}

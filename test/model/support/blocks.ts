// A rule in JavaScript as a function for blocks of ids, such as compiled filters export: `(in, count, out) => passed`.

import type { CoreInstance } from '../../../src/core/instance.ts';

// biome-ignore format: a module, section by section
const module = new WebAssembly.Module(new Uint8Array([
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00,
  0x01, 0x08, 0x01, 0x60, 0x03, 0x7f, 0x7f, 0x7f, 0x01, 0x7f, // type 0: (i32, i32, i32) -> i32
  0x02, 0x07, 0x01, 0x01, 0x65, 0x01, 0x66, 0x00, 0x00, // import e.f, a function of type 0
  0x07, 0x05, 0x01, 0x01, 0x66, 0x00, 0x00, // export f
]));

export function selecting(core: CoreInstance, rule: (id: number) => boolean): WebAssembly.ExportValue {
  const f = (from: number, count: number, to: number): number => {
    const { words } = core;
    const passing = [...words.subarray(from >>> 2, (from >>> 2) + count)].filter(rule);
    words.set(passing, to >>> 2);
    return passing.length;
  };
  return new WebAssembly.Instance(module, { e: { f } }).exports.f as WebAssembly.ExportValue;
}

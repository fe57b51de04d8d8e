// A JavaScript function as a function that fits into a WebAssembly table: a module of a few bytes that imports it and exports it again.
// For fragments that an interpreter runs, and for tests; compiled fragments are functions of their own module.

/** (id) => i32 or (id) => f64; a JavaScript throw passes through the core to whoever called it. */
export type TrampolineResult = 'i32' | 'f64';

const resultTypes = { i32: 0x7f, f64: 0x7c } as const;
const modules = new Map<TrampolineResult, WebAssembly.Module>();

function moduleOf(result: TrampolineResult): WebAssembly.Module {
  const known = modules.get(result);
  if (known !== undefined) return known;
  // biome-ignore format: a module, section by section
  const module = new WebAssembly.Module(new Uint8Array([
    0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00,
    0x01, 0x06, 0x01, 0x60, 0x01, 0x7f, 0x01, resultTypes[result], // type 0: (i32) -> result
    0x02, 0x07, 0x01, 0x01, 0x65, 0x01, 0x66, 0x00, 0x00, // import e.f, a function of type 0
    0x07, 0x05, 0x01, 0x01, 0x66, 0x00, 0x00, // export f
  ]));
  modules.set(result, module);
  return module;
}

/**
 * `call` as a function of WebAssembly that takes an id (i32, so ids from 2^31 on are negative).
 */
export function trampoline(result: TrampolineResult, call: (id: number) => number): WebAssembly.ExportValue {
  const instance = new WebAssembly.Instance(moduleOf(result), { e: { f: call } });
  return instance.exports.f as WebAssembly.ExportValue;
}

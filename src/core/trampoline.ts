// A JavaScript function as a function that fits into a WebAssembly table: a module of a few bytes that imports it and exports it again.
// For fragments that an interpreter runs, and for tests; compiled fragments are functions of their own module.

import { compileModule } from './compile-module.ts';

/** (id) => i32 or (id) => f64; a JavaScript throw passes through the core to whoever called it. */
export type TrampolineResult = 'i32' | 'f64';

export type TrampolineModules = Readonly<Record<TrampolineResult, WebAssembly.Module>>;

const resultTypes = { i32: 0x7f, f64: 0x7c } as const;
const modules = new Map<TrampolineResult, WebAssembly.Module>();

/** Modules that came with the deployment (`trampolineBytes`), for homes that compile nothing at run time. */
export function provideTrampolines({ i32, f64 }: TrampolineModules): void {
  modules.set('i32', i32);
  modules.set('f64', f64);
}

/** The binary of the module, which the build puts beside the core of an edge runtime. @testonly */
export function trampolineBytes(result: TrampolineResult): Uint8Array<ArrayBuffer> {
  // biome-ignore format: a module, section by section
  return new Uint8Array([
    0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00,
    0x01, 0x06, 0x01, 0x60, 0x01, 0x7f, 0x01, resultTypes[result], // type 0: (i32) -> result
    0x02, 0x07, 0x01, 0x01, 0x65, 0x01, 0x66, 0x00, 0x00, // import e.f, a function of type 0
    0x07, 0x05, 0x01, 0x01, 0x66, 0x00, 0x00, // export f
  ]);
}

function moduleOf(result: TrampolineResult): WebAssembly.Module {
  let module = modules.get(result);
  if (module === undefined) {
    module = compileModule(trampolineBytes(result));
    modules.set(result, module);
  }
  return module;
}

/**
 * `call` as a function of WebAssembly that takes an id (i32, so ids from 2^31 on are negative).
 */
export function trampoline(result: TrampolineResult, call: (id: number) => number): WebAssembly.ExportValue {
  const instance = new WebAssembly.Instance(moduleOf(result), { e: { f: call } });
  return instance.exports.f as WebAssembly.ExportValue;
}

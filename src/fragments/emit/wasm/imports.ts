// What a compiled fragment may import, checked on the module itself before anybody joins it: the memory, the fuel, the functions of the core that
// are meant for fragments, and those that ask for fuel or throw; of a plugin the two that ask the host, too. Nothing of the host's beside
// them.

import { coreFunctions, hostFunctions } from './core-functions.ts';
import type { Signature } from './module-writer.ts';
import { signature } from './number-functions.ts';

/** What plugins ask of the host: the number of a question and five words (engine/host-calls.ts). */
export const pluginFunctions = {
  ask: signature('i32,i32,i32,i32,i32,i32>i32'),
  askReal: signature('i32,i32,i32>f64'),
} as const satisfies Record<string, Signature>;

const places: Readonly<Record<string, WebAssembly.ImportExportKind>> = { memory: 'memory', fuel: 'global' };

function isKnown({ module, name, kind }: WebAssembly.ModuleImportDescriptor, ofPlugin: boolean): boolean {
  if (module === 'core') return kind === 'function' && Object.hasOwn(coreFunctions, name);
  if (module !== 'env') return false;
  if (ofPlugin && Object.hasOwn(pluginFunctions, name)) return kind === 'function';
  return Object.hasOwn(hostFunctions, name)
    ? kind === 'function'
    : Object.hasOwn(places, name) && places[name] === kind;
}

/** The imports of a module that fragments, or plugins, do not have, as `module.name`; none for what the emitter makes. */
export function foreignImports(module: WebAssembly.Module, ofPlugin = false): string[] {
  return WebAssembly.Module.imports(module)
    .filter((each) => !isKnown(each, ofPlugin))
    .map(({ module: from, name }) => `${from}.${name}`);
}

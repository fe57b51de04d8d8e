// What a compiled fragment may import, checked on the module itself before anybody joins it: the memory, the fuel, the functions of the core that
// are meant for fragments, and those that ask for fuel or throw. Nothing of the host's beside them.

import { coreFunctions, hostFunctions } from './core-functions.ts';

const places: Readonly<Record<string, WebAssembly.ImportExportKind>> = { memory: 'memory', fuel: 'global' };

function isKnown({ module, name, kind }: WebAssembly.ModuleImportDescriptor): boolean {
  if (module === 'core') return kind === 'function' && Object.hasOwn(coreFunctions, name);
  if (module !== 'env') return false;
  return Object.hasOwn(hostFunctions, name)
    ? kind === 'function'
    : Object.hasOwn(places, name) && places[name] === kind;
}

/** The imports of a module that fragments do not have, as `module.name`; none for what the emitter makes. */
export function foreignImports(module: WebAssembly.Module): string[] {
  return WebAssembly.Module.imports(module)
    .filter((each) => !isKnown(each))
    .map(({ module: from, name }) => `${from}.${name}`);
}

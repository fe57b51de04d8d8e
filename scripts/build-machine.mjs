// Builds the fragment machine into dist/wasm/machine.plain.wasm: what runs fragments where no module may be compiled at run time. Its source is
// made of the list of operations (lib/machine-source.mjs), so this runs behind the build of TypeScript.
//
//   node scripts/build-machine.mjs    builds when something has changed

import { pathToFileURL } from 'node:url';
import { gzippedBytes } from './lib/bundle.mjs';
import { at, Failed, isStarted, replaceFile, step } from './lib/freshness.mjs';

export const MACHINE = 'dist/wasm/machine.plain.wasm';
const OPERATIONS = 'dist/src/fragments/machine/operations.js';
const OPCODES = 'dist/src/fragments/emit/wasm/opcodes.js';
const FUNCTIONS = ['core', 'number', 'text'].map((name) => `dist/src/fragments/emit/wasm/${name}-functions.js`);
const INPUTS = [OPERATIONS, OPCODES, ...FUNCTIONS];
const RECIPE_FILES = ['scripts/build-machine.mjs', 'scripts/lib/machine-source.mjs', 'package-lock.json'];
const SOURCE = 'machine.ts';
const OPTIONS = [
  ...['--runtime', 'stub', '--enable', 'simd', '--importMemory', '--noExportMemory', '--importTable'],
  ...['--optimizeLevel', '3', '--noAssert', '--use', 'abort='],
];

/** Builds what is not fresh; false after a failure, which has been reported. */
export function buildMachine({ report = console.log } = {}) {
  const make = async () => {
    const bytes = await compile();
    replaceFile(MACHINE, bytes);
    return {
      outputs: [MACHINE],
      says: `${bytes.length.toLocaleString('en')} bytes, ${gzippedBytes([MACHINE])} gzipped,`,
    };
  };
  return step({ name: 'machine', title: MACHINE, recipe: RECIPE_FILES, inputs: () => INPUTS, make, report });
}

async function compile() {
  const load = (path) => import(pathToFileURL(at(path)).href);
  const { machineSource } = await import('./lib/machine-source.mjs');
  const source = machineSource(await load(OPERATIONS), await load(OPCODES));
  const { default: asc } = await import('assemblyscript/asc');
  let bytes = null;
  let output = '';
  const stream = {
    write(text) {
      output += text;
      return true;
    },
  };
  const { error } = await asc.main([SOURCE, '--outFile', 'machine.wasm', '--config', 'none', ...OPTIONS], {
    stdout: stream,
    stderr: stream,
    readFile: (name) => (name === SOURCE ? source : null),
    writeFile: (_name, content) => {
      bytes = content;
    },
    listFiles: () => [],
  });
  if (error !== null || bytes === null) throw new Failed(output);
  const { problemsOf } = await import('./check-wasm.mjs');
  const problems = await problemsOf(bytes, { variant: 'machine', debug: false });
  if (problems.length > 0) throw new Failed(problems.join('\n'));
  return bytes;
}

if (isStarted(import.meta.url) && !(await buildMachine())) process.exitCode = 1;

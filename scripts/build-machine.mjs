// Builds the fragment machine into dist/wasm/machine.plain.wasm: what runs fragments where no module may be compiled at run time. Its source is
// made of the list of operations (lib/machine-source.mjs), so this runs behind the build of TypeScript.
//
//   node scripts/build-machine.mjs    builds when something has changed

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { at, hashesOf, hashOf, hashOfFile, isFresh, replaceFile, withLock, writeStamp } from './lib/freshness.mjs';

const STEP = 'machine';
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
export async function buildMachine({ report = console.log } = {}) {
  const recipe = hashOf(RECIPE_FILES.map(hashOfFile).join('\n'));
  if (isFresh(STEP, recipe, INPUTS)) return true;
  return withLock(STEP, async () => {
    if (isFresh(STEP, recipe, INPUTS)) return true;
    const hashes = hashesOf(INPUTS);
    try {
      const bytes = await compile();
      replaceFile(MACHINE, bytes);
      writeStamp(STEP, recipe, hashes, [MACHINE]);
      report(`  ${MACHINE}: ${bytes.length.toLocaleString('en')} bytes, ${gzipSync(bytes).length} gzipped`);
      return true;
    } catch (error) {
      report(`  ${MACHINE}: FAILED\n${error.stack ?? error}`);
      return false;
    }
  });
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
  if (error !== null || bytes === null) throw new Error(output);
  const { problemsOf } = await import('./check-wasm.mjs');
  const problems = await problemsOf(bytes, { variant: 'machine', debug: false });
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return bytes;
}

if (process.argv[1] && import.meta.url === pathToFileURL(resolve(process.argv[1])).href) {
  if (!(await buildMachine())) process.exitCode = 1;
}

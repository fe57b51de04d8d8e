// Bundles what an edge runtime needs into dist/edge/: index.js, the core, the machine of fragments, and the two modules by which the core
// calls JavaScript, because such runtimes compile nothing while they run, and a configuration file for the local runtime. Runs behind the builds of the core and of TypeScript.
//
//   node scripts/build-edge.mjs    builds when something has changed

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MACHINE } from './build-machine.mjs';
import { bundle, gzippedBytes } from './lib/bundle.mjs';
import { at, isStarted, listFiles, put, step } from './lib/freshness.mjs';
import { withoutLocales } from './lib/without-locales.mjs';

const FOLDER = 'dist/edge';
const CORE = 'dist/wasm/core.plain.turns.wasm';
const CONFIGURATION = 'runtime-edge/workerd.capnp';
const TEMPLATE = ['worker.js', 'wrangler.jsonc'].map((name) => `runtime-edge/template/${name}`);
const TRAMPOLINE = 'dist/src/core/trampoline.js';
const RECIPE_FILES = ['scripts/build-edge.mjs', 'scripts/lib/without-locales.mjs', 'package-lock.json'];

/** Builds what is not fresh; false after a failure, which has been reported. */
export function buildEdge({ report = console.log } = {}) {
  return step({ name: 'edge', recipe: RECIPE_FILES, inputs: listInputs, make: makeFiles, report });
}

function listInputs() {
  return [
    ...listFiles(['src', 'runtime-edge'], (path) => path.endsWith('.ts')),
    CORE,
    MACHINE,
    CONFIGURATION,
    ...TEMPLATE,
    TRAMPOLINE,
  ];
}

async function makeFiles() {
  // One module, which imports those of WebAssembly by their names.
  const options = { input: { index: 'runtime-edge/index.ts' }, external: /\.wasm$/, plugins: [withoutLocales] };
  const [{ code }] = await bundle(options, { codeSplitting: false });
  const { trampolineBytes } = await import(pathToFileURL(at(TRAMPOLINE)).href);
  const outputs = [
    put(`${FOLDER}/index.js`, code),
    ...[CORE, MACHINE, CONFIGURATION].map((path) => put(`${FOLDER}/${basename(path)}`, readFileSync(at(path)))),
    ...TEMPLATE.map((path) => put(`${FOLDER}/template/${basename(path)}`, readFileSync(at(path)))),
    ...['i32', 'f64'].map((result) => put(`${FOLDER}/trampoline.${result}.wasm`, Buffer.from(trampolineBytes(result)))),
  ];
  return { outputs, says: `${Math.ceil(gzippedBytes(outputs) / 1024)} KiB gzipped` };
}

if (isStarted(import.meta.url) && !(await buildEdge())) process.exitCode = 1;

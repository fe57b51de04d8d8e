// Bundles what an edge runtime needs into dist/edge/: index.js, the core, the machine of fragments, and the two modules by which the core
// calls JavaScript, because such runtimes compile nothing while they run, and a configuration file for the local runtime. Runs behind the builds of the core and of TypeScript.
//
//   node scripts/build-edge.mjs    builds when something has changed

import { readFileSync, rmSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { MACHINE } from './build-machine.mjs';
import {
  at,
  hashesOf,
  hashOf,
  hashOfFile,
  isFresh,
  listFiles,
  outputsOf,
  replaceFile,
  withLock,
  writeStamp,
} from './lib/freshness.mjs';
import { withoutLocales } from './lib/without-locales.mjs';

const STEP = 'edge';
const FOLDER = 'dist/edge';
const CORE = 'dist/wasm/core.plain.turns.wasm';
const CONFIGURATION = 'runtime-edge/workerd.capnp';
const TEMPLATE = ['worker.js', 'wrangler.jsonc'].map((name) => `runtime-edge/template/${name}`);
const TRAMPOLINE = 'dist/src/core/trampoline.js';
const RECIPE_FILES = ['scripts/build-edge.mjs', 'scripts/lib/without-locales.mjs', 'package-lock.json'];

/** Builds what is not fresh; false after a failure, which has been reported. */
export async function buildEdge({ report = console.log } = {}) {
  const recipe = hashOf(RECIPE_FILES.map(hashOfFile).join('\n'));
  if (isFresh(STEP, recipe, listInputs())) return true;
  return withLock(STEP, async () => {
    const inputs = listInputs();
    if (isFresh(STEP, recipe, inputs)) return true;
    const started = performance.now();
    const hashes = hashesOf(inputs);
    try {
      const outputs = await takeOver();
      writeStamp(STEP, recipe, hashes, outputs);
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      report(`  edge: ${sizeOf(outputs)} KiB gzipped in ${seconds} s`);
      return true;
    } catch (error) {
      report(`  edge: FAILED\n${error.stack ?? error}`);
      return false;
    }
  });
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

/** One module, which imports those of WebAssembly by their names. */
async function bundle() {
  const { rolldown } = await import('rolldown');
  const input = { index: at('runtime-edge/index.ts') };
  const external = /\.wasm$/;
  const bundled = await rolldown({ input, external, platform: 'browser', plugins: [withoutLocales], logLevel: 'warn' });
  try {
    const names = { entryFileNames: '[name].js', codeSplitting: false };
    const { output } = await bundled.generate({ format: 'es', minify: true, ...names });
    return output[0].code;
  } finally {
    await bundled.close();
  }
}

/** Puts everything in place, removes files of the build before; returns the places. */
async function takeOver() {
  const code = await bundle();
  const { trampolineBytes } = await import(pathToFileURL(at(TRAMPOLINE)).href);
  const outputs = [
    put('index.js', code),
    ...[CORE, MACHINE, CONFIGURATION].map((path) => put(basename(path), readFileSync(at(path)))),
    ...TEMPLATE.map((path) => put(`template/${basename(path)}`, readFileSync(at(path)))),
    ...['i32', 'f64'].map((result) => put(`trampoline.${result}.wasm`, Buffer.from(trampolineBytes(result)))),
  ];
  const kept = new Set(outputs);
  for (const path of outputsOf(STEP)) if (!kept.has(path)) rmSync(at(path), { force: true });
  return outputs;
}

function put(name, content) {
  const path = `${FOLDER}/${name}`;
  if (hashOfFile(path) !== hashOf(content)) replaceFile(path, content);
  return path;
}

function sizeOf(paths) {
  const bytes = paths.reduce((sum, path) => sum + gzipSync(readFileSync(at(path))).length, 0);
  return Math.ceil(bytes / 1024);
}

if (process.argv[1] && import.meta.url === pathToFileURL(resolve(process.argv[1])).href) {
  if (!(await buildEdge())) process.exitCode = 1;
}

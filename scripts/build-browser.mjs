// Bundles what a page needs into dist/browser/: index.js for the page, worker.js for the engine's worker, service-worker.js, and the core. Modules name each
// other and the core by paths relative to themselves, so the folder can be put anywhere. Runs behind the builds of the core and of
// TypeScript.
//
//   node scripts/build-browser.mjs    builds when something has changed

import { readFileSync, rmSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
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

const STEP = 'browser';
const FOLDER = 'dist/browser';
const CORE = 'dist/wasm/core.plain.turns.wasm';
const RECIPE_FILES = ['scripts/build-browser.mjs', 'scripts/lib/without-locales.mjs', 'package-lock.json'];
const ENTRIES = { index: 'runtime-browser/index.ts', worker: 'runtime-browser/worker.ts' };
const SERVICE_WORKER = 'runtime-browser/service-worker.ts';

/** Builds what is not fresh; false after a failure, which has been reported. */
export async function buildBrowser({ report = console.log } = {}) {
  const recipe = hashOf(RECIPE_FILES.map(hashOfFile).join('\n'));
  if (isFresh(STEP, recipe, listInputs())) return true;
  return withLock(STEP, async () => {
    const inputs = listInputs();
    if (isFresh(STEP, recipe, inputs)) return true;
    const started = performance.now();
    const hashes = hashesOf(inputs);
    try {
      const outputs = takeOver(await bundle());
      writeStamp(STEP, recipe, hashes, outputs);
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      const first = sizeOf(firstAnswer(outputs));
      report(`  browser: ${sizeOf(outputs)} kB gzipped, ${first} to the first answer, in ${seconds} s`);
      return true;
    } catch (error) {
      report(`  browser: FAILED\n${error.stack ?? error}`);
      return false;
    }
  });
}

function listInputs() {
  return [...listFiles(['src', 'runtime-browser'], (path) => path.endsWith('.ts')), CORE];
}

/** The modules by their names. Not by vite, which would take the worker for a file of a web site. */
async function bundle() {
  const { rolldown } = await import('rolldown');
  const entries = Object.entries({ ...ENTRIES, 'service-worker': SERVICE_WORKER });
  const input = Object.fromEntries(entries.map(([name, path]) => [name, at(path)]));
  const bundled = await rolldown({ input, platform: 'browser', plugins: [withoutLocales], logLevel: 'warn' });
  try {
    const names = { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' };
    return (await bundled.generate({ format: 'es', minify: true, ...names })).output;
  } finally {
    await bundled.close();
  }
}

/** Puts the modules and the core in place, removes files of the build before; returns the places. */
function takeOver(modules) {
  const outputs = modules.map(({ fileName, code, source }) => put(`${FOLDER}/${fileName}`, code ?? source));
  outputs.push(put(`${FOLDER}/${basename(CORE)}`, readFileSync(at(CORE))));
  const kept = new Set(outputs);
  for (const path of outputsOf(STEP)) if (!kept.has(path)) rmSync(at(path), { force: true });
  return outputs;
}

function put(path, content) {
  if (hashOfFile(path) !== hashOf(content)) replaceFile(path, content);
  return path;
}

/** What a page loads before its first answer: the entries, what they import without being asked, and the core. */
function firstAnswer(paths) {
  const needed = new Set(paths.filter((path) => path.endsWith('.wasm')));
  const follow = (path) => {
    if (needed.has(path)) return;
    needed.add(path);
    const code = readFileSync(at(path), 'utf8');
    for (const [, name] of code.matchAll(/(?:from|import)\s?"\.\/([^"]+\.js)"/g)) follow(`${FOLDER}/${name}`);
  };
  for (const name of Object.keys(ENTRIES)) follow(`${FOLDER}/${name}.js`);
  return [...needed];
}

function sizeOf(paths) {
  const bytes = paths.reduce((sum, path) => sum + gzipSync(readFileSync(at(path)), { level: 9 }).length, 0);
  return Math.ceil(bytes / 1000);
}

if (process.argv[1] && import.meta.url === pathToFileURL(resolve(process.argv[1])).href) {
  if (!(await buildBrowser())) process.exitCode = 1;
}

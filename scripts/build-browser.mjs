// Bundles what a page needs into dist/browser/: index.js for the page, worker.js for the engine's worker, service-worker.js, and the core. Modules name each
// other and the core by paths relative to themselves, so the folder can be put anywhere. Runs behind the builds of the core and of
// TypeScript.
//
//   node scripts/build-browser.mjs    builds when something has changed

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { bundle, gzippedBytes } from './lib/bundle.mjs';
import { at, isStarted, listFiles, put, step } from './lib/freshness.mjs';
import { withoutLocales } from './lib/without-locales.mjs';

const FOLDER = 'dist/browser';
const CORE = 'dist/wasm/core.plain.turns.wasm';
const RECIPE_FILES = ['scripts/build-browser.mjs', 'scripts/lib/without-locales.mjs', 'package-lock.json'];
const ENTRIES = { index: 'runtime-browser/index.ts', worker: 'runtime-browser/worker.ts' };
const SERVICE_WORKER = 'runtime-browser/service-worker.ts';

/** Builds what is not fresh; false after a failure, which has been reported. */
export function buildBrowser({ report = console.log } = {}) {
  return step({ name: 'browser', recipe: RECIPE_FILES, inputs: listInputs, make: makeFiles, report });
}

function listInputs() {
  return [...listFiles(['src', 'runtime-browser'], (path) => path.endsWith('.ts')), CORE];
}

async function makeFiles() {
  const input = { ...ENTRIES, 'service-worker': SERVICE_WORKER };
  const modules = await bundle({ input, plugins: [withoutLocales] }, { chunkFileNames: '[name]-[hash].js' });
  const outputs = modules.map(({ fileName, code, source }) => put(`${FOLDER}/${fileName}`, code ?? source));
  outputs.push(put(`${FOLDER}/${basename(CORE)}`, readFileSync(at(CORE))));
  const first = kilobytes(firstAnswer(outputs));
  return { outputs, says: `${kilobytes(outputs)} kB gzipped, ${first} to the first answer,` };
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

function kilobytes(paths) {
  return Math.ceil(gzippedBytes(paths) / 1000);
}

if (isStarted(import.meta.url) && !(await buildBrowser())) process.exitCode = 1;

// Bundles the explorer into dist/explorer/: the page, its style, its script, the thread that lays out, its samples. The files name each
// other by paths relative to themselves, so the folder can be served from anywhere. Needs the sources alone, no other build; the engine for
// graphs that are opened in the page is put beside it, into dist/explorer/engine/, once dist/browser/ is built.
//
//   node scripts/build-explorer.mjs    builds when something has changed

import { readFileSync } from 'node:fs';
import { bundle, gzippedBytes } from './lib/bundle.mjs';
import { samples } from './lib/explorer-samples.mjs';
import { at, isStarted, listFiles, put, step } from './lib/freshness.mjs';

const FOLDER = 'dist/explorer';
const RECIPE_FILES = [
  'scripts/build-explorer.mjs',
  'scripts/lib/explorer-samples.mjs',
  'scripts/lib/bundle.mjs',
  'NOTICE.md',
  'package-lock.json',
];
const ENGINE_FOLDER = 'dist/browser';
const ENTRIES = { explorer: 'explorer/main.tsx', layout: 'explorer/layout/worker.ts' };
const PLAIN = { 'index.html': 'explorer/index.html', 'explorer.css': 'explorer/style/explorer.css' };

/** Builds what is not fresh; false after a failure, which has been reported. */
export function buildExplorer({ report = console.log } = {}) {
  return step({ name: 'explorer', recipe: RECIPE_FILES, inputs: listInputs, make: makeFiles, report });
}

/** Puts what dist/browser has beside the page. */
export function buildExplorerEngine() {
  const inputs = () => listFiles([ENGINE_FOLDER], (path) => /\.(js|wasm)$/.test(path));
  const make = (paths) => ({
    outputs: paths.map((path) => put(path.replace(ENGINE_FOLDER, `${FOLDER}/engine`), readFileSync(at(path)))),
  });
  return step({ name: 'explorer-engine', recipe: RECIPE_FILES, inputs, make });
}

function listInputs() {
  return listFiles(['explorer', 'src/client'], (path) => /\.(tsx?|css|html)$/.test(path));
}

async function makeFiles() {
  const transform = { jsx: { runtime: 'automatic', importSource: 'preact' } };
  const modules = await bundle({ input: ENTRIES, transform }, { chunkFileNames: '[name]-[hash].js' });
  const outputs = [
    ...modules.map(({ fileName, code, source }) => put(`${FOLDER}/${fileName}`, code ?? source)),
    ...Object.entries(PLAIN).map(([name, path]) => put(`${FOLDER}/${name}`, readFileSync(at(path)))),
    ...Object.entries(samples).map(([name, linesOf]) => put(`${FOLDER}/samples/${name}`, linesOf())),
  ];
  return { outputs, says: `${Math.ceil(gzippedBytes(outputs) / 1024)} KiB gzipped` };
}

if (isStarted(import.meta.url) && !((await buildExplorer()) && (await buildExplorerEngine()))) process.exitCode = 1;

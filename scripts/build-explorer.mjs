// Bundles the explorer into dist/explorer/: the page, its style, its script, the thread that lays out, its samples. The files name each
// other by paths relative to themselves, so the folder can be served from anywhere. Needs the sources alone, no other build; the engine for
// graphs that are opened in the page is put beside it, into dist/explorer/engine/, once dist/browser/ is built.
//
//   node scripts/build-explorer.mjs    builds when something has changed

import { readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { samples } from './lib/explorer-samples.mjs';
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

const STEP = 'explorer';
const FOLDER = 'dist/explorer';
const RECIPE_FILES = ['scripts/build-explorer.mjs', 'scripts/lib/explorer-samples.mjs', 'package-lock.json'];
const ENGINE_STEP = 'explorer-engine';
const ENGINE_FOLDER = 'dist/browser';
const ENTRIES = { explorer: 'explorer/main.tsx', layout: 'explorer/layout/worker.ts' };
const PLAIN = { 'index.html': 'explorer/index.html', 'explorer.css': 'explorer/style/explorer.css' };

/** Builds what is not fresh; false after a failure, which has been reported. */
export async function buildExplorer({ report = console.log } = {}) {
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
      report(`  explorer: ${sizeOf(outputs)} KiB gzipped in ${seconds} s`);
      return true;
    } catch (error) {
      report(`  explorer: FAILED\n${error.stack ?? error}`);
      return false;
    }
  });
}

/** Puts what dist/browser has beside the page. */
export async function buildExplorerEngine() {
  const recipe = hashOf(RECIPE_FILES.map(hashOfFile).join('\n'));
  const listEngine = () => listFiles([ENGINE_FOLDER], (path) => /\.(js|wasm)$/.test(path));
  if (isFresh(ENGINE_STEP, recipe, listEngine())) return true;
  return withLock(ENGINE_STEP, async () => {
    const inputs = listEngine();
    const hashes = hashesOf(inputs);
    const outputs = inputs.map((path) => put(path.replace(ENGINE_FOLDER, `${FOLDER}/engine`), readFileSync(at(path))));
    removeOthers(ENGINE_STEP, outputs);
    writeStamp(ENGINE_STEP, recipe, hashes, outputs);
    return true;
  });
}

function listInputs() {
  return listFiles(['explorer', 'src/client'], (path) => /\.(tsx?|css|html)$/.test(path));
}

async function bundle() {
  const { rolldown } = await import('rolldown');
  const input = Object.fromEntries(Object.entries(ENTRIES).map(([name, path]) => [name, at(path)]));
  /** @type {{ jsx: { runtime: 'automatic', importSource: string } }} */
  const transform = { jsx: { runtime: 'automatic', importSource: 'preact' } };
  const bundled = await rolldown({ input, platform: 'browser', transform, logLevel: 'warn' });
  try {
    const names = { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' };
    return (await bundled.generate({ format: 'es', minify: true, ...names })).output;
  } finally {
    await bundled.close();
  }
}

/** Puts the files in place, removes those of the build before; returns the places. */
function takeOver(modules) {
  const outputs = modules.map(({ fileName, code, source }) => put(`${FOLDER}/${fileName}`, code ?? source));
  for (const [name, path] of Object.entries(PLAIN)) outputs.push(put(`${FOLDER}/${name}`, readFileSync(at(path))));
  for (const [name, linesOf] of Object.entries(samples)) outputs.push(put(`${FOLDER}/samples/${name}`, linesOf()));
  removeOthers(STEP, outputs);
  return outputs;
}

function removeOthers(step, outputs) {
  const kept = new Set(outputs);
  for (const path of outputsOf(step)) if (!kept.has(path)) rmSync(at(path), { force: true });
}

function put(path, content) {
  if (hashOfFile(path) !== hashOf(content)) replaceFile(path, content);
  return path;
}

function sizeOf(paths) {
  const bytes = paths.reduce((sum, path) => sum + gzipSync(readFileSync(at(path))).length, 0);
  return Math.ceil(bytes / 1024);
}

if (process.argv[1] && import.meta.url === pathToFileURL(resolve(process.argv[1])).href) {
  if (!(await buildExplorer()) || !(await buildExplorerEngine())) process.exitCode = 1;
}

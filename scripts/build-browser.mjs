// Bundles what a page needs into dist/browser/: index.js for the page, worker.js for the engine's worker, service-worker.js, and the core. Modules name each
// other and the core by paths relative to themselves, so the folder can be put anywhere. Runs behind the builds of the core and of
// TypeScript.
//
//   node scripts/build-browser.mjs    builds when something has changed

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { bundle, gzippedBytes } from './lib/bundle.mjs';
import { at, isStarted, listFiles, put, step } from './lib/freshness.mjs';
import { schemasLater } from './lib/schemas-later.mjs';
import { withoutLocales } from './lib/without-locales.mjs';

const FOLDER = 'dist/browser';
/** The first serves pages that may not share memory, and counts to the first answer; the other one those that may. */
const CORES = ['dist/wasm/core.plain.turns.wasm', 'dist/wasm/core.shared.wasm'];
const RECIPE_FILES = [
  'scripts/build-browser.mjs',
  'scripts/lib/schemas-later.mjs',
  'scripts/lib/without-locales.mjs',
  'package-lock.json',
];
const ENTRIES = { index: 'runtime-browser/index.ts', worker: 'runtime-browser/worker.ts' };
/** Loaded when first needed, by their names. */
const MORE_ENTRIES = {
  'service-worker': 'runtime-browser/service-worker.ts',
  'job-worker': 'runtime-browser/workers/job-worker.ts',
  'compiler-worker': 'runtime-browser/workers/compiler-worker.ts',
};

/** Builds what is not fresh; false after a failure, which has been reported. */
export function buildBrowser({ report = console.log } = {}) {
  return step({ name: 'browser', recipe: RECIPE_FILES, inputs: listInputs, make: makeFiles, report });
}

function listInputs() {
  return [...listFiles(['src', 'runtime-browser'], (path) => path.endsWith('.ts')), ...CORES];
}

async function makeFiles() {
  const input = { ...ENTRIES, ...MORE_ENTRIES };
  const options = { input, plugins: [schemasLater, withoutLocales], preserveEntrySignatures: 'allow-extension' };
  const names = {
    chunkFileNames: '[name]-[hash].js',
    entryFileNames: ({ name }) => (name === 'index' ? 'index.js' : '[name]-[hash].js'),
  };
  const together = startGroups(await bundle(options, names));
  const nameOf = (id) => together.get(id) ?? null;
  const groups = [{ debugName: 'start', name: nameOf, includeDependenciesRecursively: false }];
  const modules = await bundle(options, { ...names, codeSplitting: { groups } });
  const outputs = modules.map(({ fileName, code, source }) => put(`${FOLDER}/${fileName}`, code ?? source));
  // Modules that a worker loads later import what it began with. Were that the worker's own module, a server that gives it another address,
  // as Vite's does, would have it run twice.
  for (const { name, fileName, isEntry } of modules)
    if (isEntry && name !== 'index') outputs.push(put(`${FOLDER}/${name}.js`, `import"./${fileName}";\n`));
  for (const core of CORES) outputs.push(put(`${FOLDER}/${basename(core)}`, readFileSync(at(core))));
  const first = kilobytes(firstAnswer());
  return { outputs, says: `${kilobytes(outputs)} kB gzipped, ${first} to the first answer,` };
}

/**
 * What a page and its worker begin with, by ids of modules, each with the name of its group: modules that the same entries need, sooner or
 * later, are in one file. The bundler by itself makes a file of each set of modules that some later one shares: a worker begins with forty
 * then, and the first answer takes 276 ms instead of 176. The entries stay alone, because whoever imports their file runs them.
 */
function startGroups(modules) {
  const starts = reached(modules, ({ imports }) => imports);
  const needs = reached(modules, ({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
  const groups = new Map();
  for (const { fileName, moduleIds, facadeModuleId } of modules) {
    if (!Object.keys(ENTRIES).some((entry) => starts.get(fileName).has(entry))) continue;
    const name = `start-${[...needs.get(fileName)].sort().join('-')}`;
    for (const id of moduleIds) if (id !== facadeModuleId) groups.set(id, name);
  }
  return groups;
}

/** The entries from which imports lead to a file, by its name. */
function reached(modules, importsOf) {
  const files = new Map(modules.map((module) => [module.fileName, module]));
  const entriesOf = new Map(modules.map(({ fileName }) => [fileName, new Set()]));
  const follow = (entry, fileName) => {
    const entries = entriesOf.get(fileName);
    if (entries.has(entry)) return;
    entries.add(entry);
    for (const name of importsOf(files.get(fileName))) follow(entry, name);
  };
  for (const { name, fileName, isEntry } of modules) if (isEntry) follow(name, fileName);
  return entriesOf;
}

/** What a page loads before its first answer: the entries, what they import without being asked, and the core. */
function firstAnswer() {
  const needed = new Set([`${FOLDER}/${basename(CORES[0])}`]);
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

/** Bytes, gzipped, that the built modules need before the first answer. */
export function firstAnswerBytes() {
  return gzippedBytes(firstAnswer());
}

if (isStarted(import.meta.url) && !(await buildBrowser())) process.exitCode = 1;

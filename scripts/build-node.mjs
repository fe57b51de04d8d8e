// Bundles the Node service into dist/node/: main.js, and the entries of its threads. A start reads a dozen files instead of eight hundred,
// which is most of what it costs. All of them lie in one folder, beside the folders of the core and of the pages, so what a module finds by a
// path relative to itself it finds from here too. Programs that embed the engine import dist/runtime-node, whose classes are those of
// dist/src. Runs behind the build of TypeScript.
//
//   node scripts/build-node.mjs    builds when something has changed

import { basename } from 'node:path';
import { bundle } from './lib/bundle.mjs';
import { isStarted, listFiles, put, step } from './lib/freshness.mjs';
import { schemasLater } from './lib/schemas-later.mjs';
import { withoutLocales } from './lib/without-locales.mjs';

const FOLDER = 'dist/node';
const RECIPE_FILES = [
  'scripts/build-node.mjs',
  'scripts/lib/bundle.mjs',
  'scripts/lib/schemas-later.mjs',
  'scripts/lib/without-locales.mjs',
  'package-lock.json',
];
const ENTRIES = [
  'main.ts',
  'workers/job-worker.ts',
  'workers/compiler-worker.ts',
  'workers/load-worker.ts',
  'feed/delivery-worker.ts',
  'storage/file-worker.ts',
  'otlp/export-worker.ts',
  'models/onnx-worker.ts',
  'models/gguf-worker.ts',
];
/** What a start or a thread loads of others. Every other package stays one of its own. */
const CONTAINED = ['@noble/hashes', '@streamparser/json', 'itty-router', 're2js', 'srvx', 'zod'];

/** Builds what is not fresh; false after a failure, which has been reported. */
export function buildNode({ report = console.log } = {}) {
  return step({ name: 'node', title: 'Node', recipe: RECIPE_FILES, inputs: listInputs, make: makeFiles, report });
}

function listInputs() {
  return listFiles(['src', 'runtime-node'], (path) => path.endsWith('.ts'));
}

/** Each entry by itself: threads share no modules, and what an entry loads at once is one file. */
async function makeFiles() {
  const modules = [];
  for (const path of ENTRIES) {
    const name = basename(path, '.ts');
    const options = { platform: 'node', external: isOutside, plugins: [schemasLater, withoutLocales] };
    const output = { chunkFileNames: `${name}-[name]-[hash].js`, minify: { compress: true, mangle: false } };
    modules.push(...(await bundle({ input: { [name]: `runtime-node/${path}` }, ...options }, output)));
  }
  const outputs = modules.map(({ fileName, code }) => put(`${FOLDER}/${fileName}`, code));
  const bytes = modules.reduce((sum, { code }) => sum + code.length, 0);
  return { outputs, says: `${outputs.length} files, ${Math.ceil(bytes / 1000)} kB,` };
}

/** Packages by their names, but for those that are contained. */
function isOutside(id) {
  if (id.startsWith('.') || id.startsWith('/') || id.startsWith('\0')) return false;
  return !CONTAINED.some((name) => id === name || id.startsWith(`${name}/`));
}

if (isStarted(import.meta.url) && !(await buildNode())) process.exitCode = 1;

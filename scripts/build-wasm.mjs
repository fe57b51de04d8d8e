// Builds the WebAssembly modules from assembly/, on as many threads as there are processors, each only when something it read has changed.
//
//   node scripts/build-wasm.mjs                    the core: four modules, by the targets of asconfig.json, and two for turns
//   node scripts/build-wasm.mjs --release          only the release modules of the core, and those for turns
//   node scripts/build-wasm.mjs --tests            the core and every test entry
//   node scripts/build-wasm.mjs --only values,log  only these entries of test/assembly (`core` names the core)
//   ... --force                                    also what is fresh
//
// A test entry is a file test/assembly/<name>.ts; it becomes dist/wasm/test/<name>.wasm and <name>.debug.wasm, both over a
// shared memory, with only that file's exports. The modules for turns are made of the release modules (lib/turns.mjs). Every module passes check-wasm.mjs before it replaces the one before it.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { isMainThread, Worker } from 'node:worker_threads';
import { writeCoreTexts } from './lib/core-texts.mjs';
import {
  at,
  Failed,
  hashOf,
  isFresh,
  isStarted,
  listFiles,
  lockedPackages,
  recipeOf,
  replaceFile,
  step,
} from './lib/freshness.mjs';

const CONFIG = 'asconfig.json';
const TEST_FOLDER = 'test/assembly';
const TEST_OUTPUT_FOLDER = 'dist/wasm/test';
/** What shapes a module besides its sources; a change in any of them rebuilds everything. */
const RECIPE_FILES = [
  CONFIG,
  'scripts/build-wasm.mjs',
  'scripts/check-wasm.mjs',
  'scripts/lib/strip-checks.mjs',
  'scripts/lib/switches.mjs',
  'scripts/lib/turns.mjs',
];
/** The compilers; other packages come and go without a module being built again. */
const RECIPE_TEXTS = lockedPackages(['assemblyscript', 'binaryen', 'long']);

/**
 * Builds what is not fresh and returns true when all of it is good. `core`: 'all', 'release' or 'none'; `tests`: 'all' or a
 * list of entry names; `report` gets one line a module, failures in full.
 * @param {{ core?: string, tests?: string[] | 'all', force?: boolean, report?: import('./lib/freshness.mjs').Report }} options
 */
export async function buildWasm(options = {}) {
  const { core = 'all', tests = [], force = false } = options;
  /** @type {import('./lib/freshness.mjs').Report} */
  const report = options.report ?? console.log;
  writeCoreTexts();
  const recipe = recipeOf(RECIPE_FILES, RECIPE_TEXTS);
  if (tests === 'all') removeOrphans();
  const build = (targets) => {
    const stale = targets.filter(({ name }) => force || !isFresh(name, recipe));
    if (stale.length > 0) report.begins?.();
    return buildAll(stale, force, report);
  };
  // Release modules take longest. Those for turns are made of them.
  const compiled = [...coreTargets(core), ...testTargets(tests)];
  const longestFirst = [...compiled.filter(isRelease), ...compiled.filter((target) => !isRelease(target))];
  return (await build(longestFirst)) && (await build(turnsTargets(core)));
}

/** A compiler holds some 700 MB. */
const mostWorkers = 4;

async function buildAll(targets, force, report) {
  const threads = Math.min(targets.length, availableParallelism(), mostWorkers);
  const rest = [...targets];
  let good = true;
  if (threads <= 1) {
    for (const target of rest) good = (await buildTarget(target, force, report)) && good;
    return good;
  }
  const workers = Array.from({ length: threads }, () => {
    return new Worker(new URL('./lib/wasm-worker.mjs', import.meta.url), { workerData: force });
  });
  const work = async (worker) => {
    for (let target = rest.shift(); target !== undefined; target = rest.shift()) {
      good = (await buildThere(worker, target, report)) && good;
    }
  };
  try {
    await Promise.all(workers.map(work));
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return good;
}

/** Rejects when the thread ends instead of answering. */
function buildThere(worker, target, report) {
  return new Promise((done, fail) => {
    const ended = (code) => fail(new Error(`a thread of the build ended with ${code}`));
    const answered = ({ line, good }) => {
      if (line !== undefined) return report(line);
      worker.off('message', answered).off('error', fail).off('exit', ended);
      done(good);
    };
    worker.on('message', answered).on('error', fail).on('exit', ended);
    worker.postMessage(target);
  });
}

/** Builds one module unless somebody else just did; true when it is good. */
export function buildTarget(target, force, report) {
  const make = () => makeModule(target);
  const recipe = { recipe: RECIPE_FILES, texts: RECIPE_TEXTS };
  return step({ name: target.name, title: target.outFile, ...recipe, force, make, report });
}

function isRelease({ mode }) {
  return mode === 'release';
}

/** Names of the test entries in test/assembly. */
export function testEntries() {
  return listFiles([TEST_FOLDER], (path) => /^test\/assembly\/[^/]+\.ts$/.test(path)).map((path) =>
    basename(path, '.ts'),
  );
}

function readTargets() {
  const { entries, options, targets } = JSON.parse(readFileSync(at(CONFIG), 'utf8'));
  return { entries, of: (name) => ({ ...options, ...targets[name] }) };
}

function coreTargets(which) {
  if (which === 'none') return [];
  const { entries, of } = readTargets();
  const modes = which === 'release' ? ['release'] : ['release', 'debug'];
  return modes.flatMap((mode) =>
    ['shared', 'plain'].map((variant) => {
      const { outFile, ...options } = of(`${mode}-${variant}`);
      return { name: `wasm-core-${mode}-${variant}`, mode, variant, entries, outFile, options };
    }),
  );
}

function turnsTargets(which) {
  return coreTargets(which)
    .filter(({ mode }) => mode === 'release')
    .map(({ variant, outFile }) => ({
      name: `wasm-core-turns-${variant}`,
      mode: 'release',
      variant,
      madeOf: outFile,
      outFile: outFile.replace(/\.wasm$/, '.turns.wasm'),
    }));
}

/** The test entry whose members the host leaves and comes back to; it has a debug build only, whose chunks are small. */
const SWITCHED = 'switched';

function testTargets(which) {
  const { of } = readTargets();
  const names = which === 'all' ? testEntries() : which;
  return names.flatMap((entry) =>
    (entry === SWITCHED ? ['debug'] : ['release', 'debug']).map((mode) => ({
      isSwitched: entry === SWITCHED,
      name: `wasm-test-${entry}-${mode}`,
      mode,
      variant: 'shared',
      entries: [`${TEST_FOLDER}/${entry}.ts`],
      options: of(`${mode}-shared`),
      outFile: `${TEST_OUTPUT_FOLDER}/${entry}${mode === 'debug' ? '.debug' : ''}.wasm`,
    })),
  );
}

async function makeModule(target) {
  const { files, inputs, problems } = await (target.madeOf === undefined ? compile(target) : makeForTurns(target));
  const bytes = files.get(target.outFile);
  if (problems.length === 0) {
    const { problemsOf } = await import('./check-wasm.mjs');
    problems.push(...(await problemsOf(bytes, { variant: target.variant, debug: target.mode === 'debug' })));
  }
  if (problems.length > 0) throw new Failed(problems.join('\n'));
  for (const [path, content] of files) replaceFile(path, content);
  return { outputs: [...files.keys()], inputs, says: `${bytes.length.toLocaleString('en')} bytes` };
}

/**
 * One run of the compiler: `files` by path, `inputs` with the hash of every source it opened (null where it looked in vain),
 * `problems` with the compiler's own output when it failed.
 */
async function compile(target) {
  const { default: asc } = await import('assemblyscript/asc');
  const compiler = await import('assemblyscript');
  const { stripChecks } = await import('./lib/strip-checks.mjs');
  const { switchPoints } = await import('./lib/switches.mjs');
  const files = new Map();
  const inputs = {};
  let output = '';
  const stream = {
    write(text) {
      output += text;
    },
  };
  const { error } = await asc.main([...target.entries, ...flags(target)], {
    stdout: stream,
    stderr: stream,
    readFile(path) {
      // The targets arrive as flags already; the file would add the core's entry to every test module.
      if (basename(path) === CONFIG) return null;
      const name = path.replaceAll('\\', '/');
      const content = existsSync(at(name)) ? readFileSync(at(name), 'utf8') : null;
      inputs[name] = content === null ? null : hashOf(content);
      return content;
    },
    writeFile: (path, content) => void files.set(path.replaceAll('\\', '/'), content),
    listFiles: () => [],
    // @ts-expect-error: the compiler fills in the other members of a transform itself.
    transforms: target.mode === 'release' ? [stripChecks(compiler)] : target.isSwitched ? [switchPoints(compiler)] : [],
  });
  const failed = error !== null || !files.has(target.outFile);
  if (target.isSwitched === true && !failed) {
    const { forTurns } = await import('./lib/turns.mjs');
    files.set(target.outFile, forTurns(files.get(target.outFile)));
  }
  return { files, inputs, problems: failed ? [output.trim() || String(error)] : [] };
}

async function makeForTurns({ madeOf, outFile }) {
  const { forTurns } = await import('./lib/turns.mjs');
  const bytes = readFileSync(at(madeOf));
  return { files: new Map([[outFile, forTurns(bytes)]]), inputs: { [madeOf]: hashOf(bytes) }, problems: [] };
}

function flags({ options, outFile }) {
  const list = ['--outFile', outFile, '--noColors'];
  for (const [name, value] of Object.entries(options)) {
    if (name === 'outFile' || value === false) continue;
    if (value === true) list.push(`--${name}`);
    else for (const item of [value].flat()) list.push(`--${name}`, String(item));
  }
  return list;
}

function removeOrphans() {
  const names = new Set(testEntries());
  for (const path of listFiles([TEST_OUTPUT_FOLDER])) {
    const name = basename(path).replace(/(\.debug)?\.wasm(\.map)?$/, '');
    if (!path.endsWith('.part') && !names.has(name)) rmSync(at(path), { force: true });
  }
}

async function main(args) {
  const has = (flag) => args.includes(flag);
  const only = has('--only') ? (args[args.indexOf('--only') + 1] ?? '').split(',').filter(Boolean) : null;
  const known = new Set(['core', ...testEntries()]);
  for (const name of only ?? []) {
    if (!known.has(name)) throw new Error(`no such entry: ${name} (there are ${[...known].join(', ')})`);
  }
  const good = await buildWasm({
    core: has('--release') ? 'release' : only === null || only.includes('core') ? 'all' : 'none',
    tests: only?.filter((name) => name !== 'core') ?? (has('--tests') ? 'all' : []),
    force: has('--force'),
  });
  if (!good) process.exitCode = 1;
}

if (isMainThread && isStarted(import.meta.url)) await main(process.argv.slice(2));

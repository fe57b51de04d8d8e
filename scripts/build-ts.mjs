// Builds the TypeScript of src/, the runtimes and benchmarks/ into dist/, with the same folders below it
// (dist/runtime-node/main.js, dist/src/...). The compiler writes into a folder of its own; only files whose content is new
// then replace those in dist, each in one step, so a service that is just starting never loads half a build.
//
//   node scripts/build-ts.mjs                     builds when something has changed; nothing is written on a type error
//   node scripts/build-ts.mjs --despite-errors    shows type errors and writes what compiles (and stays "not fresh")

import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { at, Failed, isStarted, listFiles, put, step } from './lib/freshness.mjs';

const SOURCE_FOLDERS = ['src', 'runtime-node', 'runtime-browser', 'runtime-edge', 'benchmarks'];
const RECIPE_FILES = ['tsconfig.base.json', 'tsconfig.build.json', 'scripts/build-ts.mjs', 'package-lock.json'];
export const compilerPath = at('node_modules/typescript/bin/tsc');

/** Builds what is not fresh and returns true when it is good; `report` gets a line, and the type errors in full. */
export function buildTypeScript({ despiteErrors = false, report = console.log } = {}) {
  const make = (sources) => ({ outputs: compile(despiteErrors), says: `${sources.length} files` });
  return step({ name: 'typescript', title: 'TypeScript', recipe: RECIPE_FILES, inputs: listSources, make, report });
}

function listSources() {
  return listFiles(SOURCE_FOLDERS, (path) => path.endsWith('.ts'));
}

/** Answers the files it wrote; with type errors it fails, having written what compiles or nothing. */
function compile(despiteErrors) {
  const staging = `dist/.staging-${process.pid}`;
  try {
    const args = [compilerPath, '-p', 'tsconfig.build.json', '--outDir', staging, '--pretty', 'false'];
    if (despiteErrors) args.push('--noEmitOnError', 'false');
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: at('.'), encoding: 'utf8' });
    const outputs = status === 0 || despiteErrors ? takeOver(staging) : [];
    if (status !== 0) throw new Failed((stdout + stderr).trim());
    return outputs;
  } finally {
    rmSync(at(staging), { recursive: true, force: true });
  }
}

/** Moves the staged files to their places; returns those. */
function takeOver(staging) {
  return listFiles([staging]).map((path) => put(path.replace(staging, 'dist'), readFileSync(at(path))));
}

if (isStarted(import.meta.url)) {
  const despiteErrors = process.argv.includes('--despite-errors');
  if (!(await buildTypeScript({ despiteErrors }))) process.exitCode = 1;
}

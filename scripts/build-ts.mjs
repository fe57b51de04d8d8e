// Builds the TypeScript of src/, the runtimes and benchmarks/ into dist/, with the same folders below it
// (dist/runtime-node/main.js, dist/src/...). The compiler writes into a folder of its own; only files whose content is new
// then replace those in dist, each in one step, so a service that is just starting never loads half a build.
//
//   node scripts/build-ts.mjs                     builds when something has changed; nothing is written on a type error
//   node scripts/build-ts.mjs --despite-errors    shows type errors and writes what compiles (and stays "not fresh")

import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
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

const STEP = 'typescript';
const SOURCE_FOLDERS = ['src', 'runtime-node', 'runtime-browser', 'runtime-edge', 'benchmarks'];
const RECIPE_FILES = ['tsconfig.base.json', 'tsconfig.build.json', 'scripts/build-ts.mjs', 'package-lock.json'];
export const compilerPath = at('node_modules/typescript/bin/tsc');

/** Builds what is not fresh and returns true when it is good; `report` gets a line, and the type errors in full. */
export async function buildTypeScript({ despiteErrors = false, report = console.log } = {}) {
  const recipe = hashOf(RECIPE_FILES.map(hashOfFile).join('\n'));
  if (isFresh(STEP, recipe, listSources())) return true;
  return withLock(STEP, async () => {
    const sources = listSources();
    if (isFresh(STEP, recipe, sources)) return true;
    return compile(recipe, sources, despiteErrors, report);
  });
}

function listSources() {
  return listFiles(SOURCE_FOLDERS, (path) => path.endsWith('.ts'));
}

function compile(recipe, sources, despiteErrors, report) {
  const started = performance.now();
  const staging = `dist/.staging-${process.pid}`;
  const inputs = hashesOf(sources);
  try {
    const args = [compilerPath, '-p', 'tsconfig.build.json', '--outDir', staging, '--pretty', 'false'];
    if (despiteErrors) args.push('--noEmitOnError', 'false');
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: at('.'), encoding: 'utf8' });
    if (status !== 0) report(`  TypeScript: FAILED\n${(stdout + stderr).trim()}`);
    if (status !== 0 && !despiteErrors) return false;
    const outputs = takeOver(staging);
    if (status === 0) writeStamp(STEP, recipe, inputs, outputs);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    report(`  TypeScript: ${sources.length} files in ${seconds} s`);
    return status === 0;
  } finally {
    rmSync(at(staging), { recursive: true, force: true });
  }
}

/** Moves the staged files to their places, removes files of the build before whose source is gone; returns the places. */
function takeOver(staging) {
  const outputs = listFiles([staging]).map((path) => path.replace(staging, 'dist'));
  for (const path of outputs) {
    const content = readFileSync(at(path.replace('dist', staging)));
    if (hashOfFile(path) !== hashOf(content)) replaceFile(path, content);
  }
  const kept = new Set(outputs);
  for (const path of outputsOf(STEP)) if (!kept.has(path)) rmSync(at(path), { force: true });
  return outputs;
}

async function main(args) {
  if (!(await buildTypeScript({ despiteErrors: args.includes('--despite-errors') }))) process.exitCode = 1;
}

if (process.argv[1] && import.meta.url === pathToFileURL(resolve(process.argv[1])).href)
  await main(process.argv.slice(2));

// The formatter and linter over the whole project, and the types of each part: the portable host without Node's globals, what
// runs in Node, the scripts. Used by `npm run check` and by a test, so `npm test` holds the same line.

import { spawnSync } from 'node:child_process';
import { at } from './lib/freshness.mjs';

/**
 * Name, script and arguments of each check.
 * @type {[string, string, string[]][]}
 */
export const checks = [
  ['format and lint', 'node_modules/@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '--colors=off']],
  ['types of src', 'node_modules/typescript/bin/tsc', ['-p', 'tsconfig.src.json', '--pretty', 'false']],
  [
    'types of runtime-node, test, benchmarks',
    'node_modules/typescript/bin/tsc',
    ['-p', 'tsconfig.json', '--pretty', 'false'],
  ],
  ['types of explorer', 'node_modules/typescript/bin/tsc', ['-p', 'tsconfig.explorer.json', '--pretty', 'false']],
  ['types of scripts', 'node_modules/typescript/bin/tsc', ['-p', 'tsconfig.scripts.json', '--pretty', 'false']],
];

/** Runs one check; an empty string when it passes, else its output. */
export function outputOf([, script, args]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [at(script), ...args], {
    cwd: at('.'),
    encoding: 'utf8',
  });
  return status === 0 ? '' : `${stdout}${stderr}`.trim() || `exit code ${status}`;
}

/** Runs all of them, printing a line each; returns an exit code. */
export function runCheck() {
  let code = 0;
  for (const check of checks) {
    const output = outputOf(check);
    console.log(`${check[0]}: ${output === '' ? 'good' : 'FAILED'}`);
    if (output !== '') {
      console.log(output);
      code = 1;
    }
  }
  return code;
}

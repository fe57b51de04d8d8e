// Every package that package.json names is there for something: what ships imports the dependencies, anything at all the others.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { at, listFiles } from '../../scripts/lib/freshness.mjs';

/** Packages that no line of code names, and what they are there for. */
const UNNAMED: Readonly<Record<string, string>> = {
  '@assemblyscript/loader': 'goes with the compiler (docs/decisions/0001-assemblyscript-loader.md)',
  'graphology-types': 'types of graphology',
};
/** Types of a package that is used, or of Node. */
const typesOf = /^@types\/(.+)$/;

const shipped = ['src', 'runtime-node', 'runtime-browser', 'runtime-edge'];
const others = ['explorer', 'scripts', 'test', 'benchmarks', 'assembly'];

const isCode = (path: string): boolean => /\.(m?[jt]sx?|json)$/.test(path) && !path.includes('/fixtures/');
const textOf = (folders: readonly string[]): string =>
  listFiles([...folders], isCode)
    .map((path) => readFileSync(at(path), 'utf8'))
    .join('\n');

/** Those that no import, path or resolution in the text begins with. */
function unused(names: readonly string[], text: string): string[] {
  return names.filter((name) => !new RegExp(`['"\`](?:node_modules/)?${name}(?:/|['"\`])`).test(text));
}

test('every dependency is used by what ships, every other one by something', () => {
  const manifest = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  expect(unused(Object.keys(manifest.dependencies), textOf(shipped))).toEqual([]);
  const code = textOf([...shipped, ...others]).replace(/const UNNAMED[^;]*;/, '');
  const named = Object.keys(manifest.devDependencies).map((name) => typesOf.exec(name)?.[1] ?? name);
  expect(
    unused(
      named.filter((name) => name !== 'node'),
      code,
    ),
  ).toEqual(Object.keys(UNNAMED));
});

test('a package that nothing names is found', () => {
  expect(unused(['one', '@two/three'], "import 'one/part'; import x from '@two/threes'; // '@two'")).toEqual([
    '@two/three',
  ]);
});

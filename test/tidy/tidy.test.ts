// The checks over the project itself. That each of them can fail is shown in canaries.test.ts.

import { describe, expect, test } from 'vitest';
import { checks, outputOf } from '../../scripts/check.mjs';
import { arrowProblems } from './arrows.ts';
import { circleProblems } from './circles.ts';
import { coreDialectProblems } from './core-dialect.ts';
import { coreRuleProblems } from './core-rules.ts';
import { unusedExportProblems } from './exports.ts';
import { compilingProblems, globalProblems } from './globals.ts';
import { fileLengthProblems, functionLengthProblems } from './lengths.ts';
import { markProblems } from './marks.ts';
import { readFiles, readProjectFile } from './project.ts';

const runtimes = ['runtime-node', 'runtime-browser', 'runtime-edge'];
const source = readFiles(['src', ...runtimes], ['.ts']);
const explorer = readFiles(['explorer'], ['.ts', '.tsx']);
const core = readFiles(['assembly', 'test/assembly'], ['.ts']);
const tools = readFiles(['scripts', 'benchmarks'], ['.ts', '.mjs']);
const tests = readFiles(['test'], ['.ts', '.mjs']).filter(({ path }) => !path.startsWith('test/assembly/'));
const prose = readFiles(['docs', '.ci'], ['']).filter(({ path }) => !path.endsWith('.png'));
const top = ['package.json', 'package-lock.json', '.npmrc', 'asconfig.json', 'biome.json', 'vitest.config.ts'];
const readable = readFiles(['.'], ['.md']).filter(({ path }) => /^[^/]+$/.test(path));

describe('the project', () => {
  test('keeps the dependency arrows', () => {
    expect(
      arrowProblems([...source, ...explorer, ...core, ...tools.filter(({ path }) => path.startsWith('scripts/'))]),
    ).toEqual([]);
  });

  test('imports in circles only where recursion is the subject', () => {
    expect(circleProblems(source)).toEqual([]);
    expect(circleProblems(explorer, {})).toEqual([]);
    expect(circleProblems(core, {})).toEqual([]);
  });

  test('has no file over its length', () => {
    expect(fileLengthProblems([...source, ...explorer, ...core, ...tools, ...tests])).toEqual([]);
  });

  test('has no function over its length', () => {
    expect(functionLengthProblems([...source, ...explorer, ...core, ...tools])).toEqual([]);
  });

  test('uses no global of one runtime in src', () => {
    expect(globalProblems(source.filter(({ path }) => path.startsWith('src/')))).toEqual([]);
  });

  test('compiles modules at run time in one place of src, and nowhere at the edge', () => {
    expect(compilingProblems(source.filter(({ path }) => /^(src|runtime-edge)\//.test(path)))).toEqual([]);
  });

  test('has no unused export', () => {
    expect(unusedExportProblems([...source, ...explorer], tools, tests)).toEqual([]);
  });

  test('keeps the rules of the core', () => {
    expect(coreRuleProblems(core)).toEqual([]);
    expect(coreDialectProblems(core)).toEqual([]);
  });

  test('has no mark of unfinished work and no path of one machine', () => {
    const files = [
      ...source,
      ...explorer,
      ...core,
      ...tools,
      ...tests,
      ...prose,
      ...readable,
      ...top.map(readProjectFile),
    ];
    expect(markProblems(files)).toEqual([]);
  });

  test.each(checks)('passes: %s', (...check) => {
    const output = outputOf(check);
    if (output !== '') expect.fail(output);
  });
});

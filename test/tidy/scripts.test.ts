// The build scripts' own promises: the last line counts what the runner reported and nothing kinder, and a step is fresh only
// while everything it read and wrote is unchanged.

import { existsSync, rmSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import {
  at,
  Failed,
  hashesOf,
  isFresh,
  lockedPackages,
  put,
  replaceFile,
  step as runStep,
  withLock,
  writeStamp,
} from '../../scripts/lib/freshness.mjs';
import { isInstalled } from '../../scripts/lib/install.mjs';
import { countResults, kindsLine, summaryLine } from '../../scripts/run-tests.mjs';

describe('the last line', () => {
  const report = { numPassedTests: 3, numFailedTests: 1, numPendingTests: 1, numTodoTests: 1, testResults: [] };

  test('counts passed, failed and skipped', () => {
    expect(summaryLine(countResults(report, 1))).toBe('3 passed, 1 failed, 2 skipped');
    expect(summaryLine({ passed: 5, failed: 0, skipped: 0 })).toBe('5 passed, 0 failed');
  });

  test('counts a file that did not load', () => {
    const testResults = [
      { status: 'failed', assertionResults: [] },
      { status: 'failed', assertionResults: [{ status: 'failed' }] },
    ];
    expect(countResults({ ...report, testResults }, 1)).toEqual({ passed: 3, failed: 2, skipped: 2 });
  });

  test('never says 0 failed when the runner failed', () => {
    expect(countResults(null, 1)).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(countResults({ ...report, numFailedTests: 0 }, 1).failed).toBe(1);
    expect(countResults({ ...report, numFailedTests: 0 }, 0).failed).toBe(0);
  });
});

test('a recipe may name some packages of the lock file, by version and content', () => {
  expect(lockedPackages(['assemblyscript', 'binaryen'])).toEqual([
    expect.stringMatching(/^assemblyscript \d+\.\d+\.\d+ sha512-/),
    expect.stringMatching(/^binaryen \S+ sha512-/),
  ]);
  expect(() => lockedPackages(['a package that nobody asks for'])).toThrow();
});

test('the line of kinds adds up the files of each folder, the longest first', () => {
  const file = (name: string, seconds: number) => ({ name, startTime: 5_000, endTime: 5_000 + 1000 * seconds });
  const files = [
    file('/a/test/unit/b.test.ts', 2),
    file('/a/test/edge/c.test.ts', 9),
    file('/a/test/unit/d.test.ts', 3),
  ];
  expect(kindsLine({ testResults: files })).toBe('Seconds: edge 9, unit 5');
  expect(kindsLine(null)).toBe('Seconds: ');
});

describe('freshness', () => {
  const step = `test-step-${process.pid}`;
  const folder = `dist/.${step}`;
  const [input, output] = [`${folder}/input`, `${folder}/output`];

  afterAll(() => {
    rmSync(at(folder), { recursive: true, force: true });
    rmSync(at(`dist/.stamps/${step}.json`), { force: true });
  });

  const build = (): void => {
    replaceFile(input, 'in');
    replaceFile(output, 'out');
    writeStamp(step, 'recipe', hashesOf([input, `${folder}/absent`]), [output]);
  };

  test('holds while nothing has changed', () => {
    expect(isFresh(step, 'recipe')).toBe(false);
    build();
    expect(isFresh(step, 'recipe')).toBe(true);
  });

  test.each([
    ['the recipe', () => {}, 'other recipe'],
    ['an input', () => replaceFile(input, 'changed'), 'recipe'],
    ['an output', () => replaceFile(output, 'changed'), 'recipe'],
    ['a file that was looked for in vain', () => replaceFile(`${folder}/absent`, 'here now'), 'recipe'],
    ['a lost output', () => rmSync(at(output)), 'recipe'],
  ])('ends with %s', (_name, change, recipe) => {
    rmSync(at(folder), { recursive: true, force: true });
    build();
    change();
    expect(isFresh(step, recipe)).toBe(false);
  });

  test('a new input ends it where the inputs are known beforehand', () => {
    build();
    expect(isFresh(step, 'recipe', [input, `${folder}/absent`])).toBe(true);
    expect(isFresh(step, 'recipe', [input, `${folder}/absent`, `${folder}/more`])).toBe(false);
  });

  test('a step runs when something has changed, takes away what it no longer writes, and a failure is told and leaves it stale', async () => {
    const said: string[] = [];
    const second = `${folder}/second`;
    let outputs = [output, second];
    let flaw: Error | null = null;
    const frame = {
      name: step,
      title: 'a step',
      recipe: [],
      inputs: () => [input],
      report: (line: string) => said.push(line.replace(/[0-9.]+ s$/, '… s')),
    };
    const make = () => {
      if (flaw !== null) throw flaw;
      for (const path of outputs) put(path, 'made');
      return { outputs, says: `${outputs.length} files` };
    };
    replaceFile(input, 'first');
    expect([await runStep({ ...frame, make }), await runStep({ ...frame, make })]).toEqual([true, true]);
    outputs = [output];
    replaceFile(input, 'other');
    expect(await runStep({ ...frame, make })).toBe(true);
    expect([existsSync(at(output)), existsSync(at(second))]).toEqual([true, false]);
    flaw = new Failed('line 3: no');
    replaceFile(input, 'third');
    expect([await runStep({ ...frame, make }), await runStep({ ...frame, make })]).toEqual([false, false]);
    const failed = '  a step: FAILED\nline 3: no';
    expect(said).toEqual(['  a step: 2 files in … s', '  a step: 1 files in … s', failed, failed]);
  });

  test('a lock lets one in at a time and outlives neither its work nor its process', async () => {
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, ++inside);
      await new Promise((done) => setTimeout(done, 20));
      inside--;
    };
    await Promise.all([withLock(step, work), withLock(step, work), withLock(step, work)]);
    expect(most).toBe(1);
    await expect(withLock(step, () => Promise.reject(new Error('failed work')))).rejects.toThrow('failed work');
    replaceFile(`dist/.locks/${step}`, '999999999');
    await withLock(step, work);
  });

  test('the dependencies of this very run are installed', () => {
    expect(isInstalled()).toBe(true);
  });
});

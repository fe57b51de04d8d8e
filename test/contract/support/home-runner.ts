// Runs the tests of a file that are for the home under test, and notes at each other one why it is not: in `meta.skipReason`, for the report.

import { basename } from 'node:path';
import { type RunnerTask, type RunnerTestFile, type RunnerTestSuite, TestRunner } from 'vitest';

import { fits, type Home, type SkipRule } from './homes/home.ts';
import { home } from './homes/index.ts';
import { needsByTest } from './homes/needs-by-test.ts';

declare module 'vitest' {
  interface TaskMeta {
    skipReason?: string;
  }
}

export default class HomeRunner extends TestRunner {
  /** Set by vitest, which hears of results through it. */
  declare onTaskUpdate?: (packs: unknown[], events: unknown[]) => Promise<void>;

  override async onBeforeRunSuite(suite: RunnerTestSuite): Promise<void> {
    if (suite.mode === 'run') {
      if ('filepath' in suite) await this.markSkips(suite as RunnerTestFile);
      // Hooks start services: those that no test waits for are not run.
      const rest = testsOf(suite);
      if (rest.length > 0 && rest.every(({ mode }) => mode === 'skip')) suite.mode = 'skip';
    }
    await super.onBeforeRunSuite(suite);
  }

  private async markSkips(file: RunnerTestFile): Promise<void> {
    const name = basename(file.filepath, '.test.ts');
    const rules: SkipRule[] = [...home.skips, ...rulesOf(home)].filter((rule) => rule.file === name);
    const unused = new Set(rules);
    const skipped: RunnerTask[] = [];
    for (const test of testsOf(file)) {
      const whole = nameOf(test);
      const rule = rules.find((one) => fits(one, name, whole));
      if (rule !== undefined) unused.delete(rule);
      const reason = home.missing ?? rule?.reason;
      if (reason === undefined || test.mode !== 'run') continue;
      test.mode = 'skip';
      test.result = { state: 'skip', note: reason } as NonNullable<RunnerTask['result']>;
      test.meta.skipReason = reason;
      skipped.push(test);
    }
    for (const { test } of unused) throw new Error(`No test of ${name} fits the rule "${test}" of home ${home.name}.`);
    await this.onTaskUpdate?.(
      skipped.map(({ id, result, meta }) => [id, result, meta]),
      skipped.map(({ id }) => [id, 'test-finished', undefined]),
    );
  }
}

/** Tests that need what the home lacks, with its reason. */
function rulesOf({ lacks = {} }: Home): SkipRule[] {
  return needsByTest.flatMap(({ need, ...rule }) => {
    const reason = lacks[need];
    return reason === undefined ? [] : [{ ...rule, reason }];
  });
}

function testsOf(task: RunnerTask): RunnerTask[] {
  return task.type === 'suite' ? task.tasks.flatMap(testsOf) : [task];
}

/** `suite > suite > test`. */
function nameOf(task: RunnerTask): string {
  const above = task.suite === undefined || 'filepath' in task.suite ? '' : `${nameOf(task.suite)} > `;
  return `${above}${task.name}`;
}

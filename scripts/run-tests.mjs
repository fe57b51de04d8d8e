// Runs the test suites and ends with one line `N passed, N failed` (and `, N skipped` where there are any), counted from the
// runner's own JSON report. A file that does not load, or an error outside every test, counts as one failure: the line can
// never say 0 failed when the runner failed.

import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { at } from './lib/freshness.mjs';

/** What takes long, and rounds on debug builds, which have that word in their names. */
export const withoutLong = ['--tags-filter=!long', '--testNamePattern=^(?!.*\\bdebug\\b)'];

/** Runs vitest with these extra arguments (file filters, --project); returns the process's exit code. */
export async function runTests(args) {
  const { report, exitCode } = await runVitest(args);
  const counts = countResults(report, exitCode);
  console.log(kindsLine(report));
  console.log(summaryLine(counts));
  return counts.failed > 0 || exitCode !== 0 ? exitCode || 1 : 0;
}

/** Its JSON report (null: it died before it wrote one) and its exit code. */
export async function runVitest(args) {
  mkdirSync(at('dist'), { recursive: true });
  const reportPath = at(`dist/.test-report-${process.pid}.json`);
  const command = [
    at('node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportPath}`,
    ...args,
  ];
  const exitCode = await run(command);
  const report = readReport(reportPath);
  rmSync(reportPath, { force: true });
  return { report, exitCode };
}

/** Counts of a vitest JSON report (null: there was none) beside the exit code of the run that wrote it. */
export function countResults(report, exitCode) {
  const passed = report?.numPassedTests ?? 0;
  const skipped = (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0);
  const unloaded = (report?.testResults ?? []).filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((one) => one.status === 'failed'),
  );
  const failed = (report?.numFailedTests ?? 0) + unloaded.length;
  return { passed, failed: failed === 0 && exitCode !== 0 ? 1 : failed, skipped };
}

/** How long the files of each folder of test/ took, in seconds of one worker. */
export function kindsLine(report) {
  const seconds = new Map();
  for (const { name, startTime, endTime } of report?.testResults ?? []) {
    const kind = /\/test\/([^/]+)\//.exec(name)?.[1] ?? 'others';
    seconds.set(kind, (seconds.get(kind) ?? 0) + (endTime - startTime) / 1000);
  }
  const longestFirst = [...seconds].sort(([, a], [, b]) => b - a);
  return `Seconds: ${longestFirst.map(([kind, sum]) => `${kind} ${Math.round(sum)}`).join(', ')}`;
}

/** The line that ends every run. */
export function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null; // the runner died before it wrote one; its exit code says so
  }
}

function run(command) {
  return new Promise((done) => {
    const child = spawn(process.execPath, command, { cwd: at('.'), stdio: 'inherit' });
    child.on('error', (error) => {
      console.error(error.message);
      done(1);
    });
    child.on('close', (code) => done(code ?? 1));
  });
}

// Runs the contract suite against a home and ends with `N passed, N failed, N skipped`; before that, why tests were skipped.
//
//   npm run contract -- --home node|page|edge [--browser chromium|firefox] [--isolated] [--standing] [filters and options of vitest]
//
// `--isolated`: the page is isolated from other origins, so its engine has threads.
// `--standing`: the suites of searches, analytics and fragments, under clocks that move between two events only.

import { basename } from 'node:path';
import { countResults, runVitest, summaryLine } from './run-tests.mjs';

const homes = ['node', 'page', 'edge'];
const browsers = ['chromium', 'firefox'];
/** What must come to its end without a clock. */
const standingFiles = [
  'analytics',
  'graph-runs',
  'hostile-fragments',
  'jobs',
  'paths',
  'plugins',
  'query-faults',
  'scans',
  'stored-queries',
  'subgraphs',
  'traversal',
  'vectors',
].map((name) => `test/contract/${name}.test.ts`);
const unknownReason = 'its own file says when it runs';

/** @param {string[]} args */
export async function runContract(args) {
  const rest = [...args];
  const home = taken(rest, '--home') ?? 'node';
  const browser = taken(rest, '--browser') ?? 'chromium';
  const standing = rest.indexOf('--standing');
  if (standing >= 0) {
    process.env.CONTRACT_CLOCK = 'standing';
    rest.splice(standing, 1, ...standingFiles);
  }
  if (!homes.includes(home) || !browsers.includes(browser)) {
    console.error(
      `Usage: npm run contract -- --home ${homes.join('|')} [--browser ${browsers.join('|')}] [--isolated] [filters]`,
    );
    return 2;
  }
  const isolated = rest.indexOf('--isolated');
  if (isolated >= 0) rest.splice(isolated, 1);
  Object.assign(process.env, {
    CONTRACT_HOME: home,
    CONTRACT_BROWSER: browser,
    CONTRACT_ISOLATED: isolated < 0 ? '' : '1',
  });
  const { report, exitCode } = await runVitest(['--project', 'contract', ...rest]);
  const counts = countResults(report, exitCode);
  console.log(
    `The contract of home ${home}${home === 'page' ? ` in ${browser}${isolated < 0 ? '' : ', isolated'}` : ''}`,
  );
  for (const line of skipLines(report)) console.log(line);
  console.log(summaryLine(counts));
  return counts.failed > 0 || exitCode !== 0 ? exitCode || 1 : 0;
}

/**
 * Takes an option and its value out of the arguments.
 * @param {string[]} args
 * @param {string} name
 */
function taken(args, name) {
  const place = args.findIndex((arg) => arg === name || arg.startsWith(`${name}=`));
  if (place < 0) return undefined;
  const [arg = ''] = args.splice(place, 1);
  return arg === name ? args.splice(place, 1)[0] : arg.slice(name.length + 1);
}

/** A line for each file and reason; of a vitest JSON report. */
export function skipLines(report) {
  const counts = new Map();
  for (const { name, assertionResults } of report?.testResults ?? []) {
    for (const { status, meta } of assertionResults) {
      if (status === 'passed' || status === 'failed') continue;
      const what = `${basename(name, '.test.ts')}: ${meta?.skipReason ?? unknownReason}`;
      counts.set(what, (counts.get(what) ?? 0) + 1);
    }
  }
  return [...counts].map(([what, count]) => `skipped ${count} of ${what}`);
}

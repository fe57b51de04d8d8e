// The project's commands, each of which works alone on a fresh clone: what is missing is installed and built first, what is
// fresh is skipped. Imports only Node and files that do, because nothing may be installed yet.
//
//   node scripts/run.mjs start [settings]     the service, in this process (settings such as --Service:Http:Port=9000)
//   node scripts/run.mjs explore [settings]   a service that keeps nothing, with WordNet in it, and the explorer's address
//   node scripts/run.mjs test [filters]       builds everything, runs what is quick of the suites, ends with `N passed, N failed`
//   node scripts/run.mjs test-all [filters]   the same with what takes long, and on the debug builds
//   node scripts/run.mjs contract --home <home> [filters]   the contract suite against a home, with why tests were skipped
//   node scripts/run.mjs build                everything: four core modules, TypeScript, the modules for Node, for pages and for edge runtimes
//   node scripts/run.mjs check                formatter, linter, types
//   node scripts/run.mjs generate             the types of the client, from the routes
//   node scripts/run.mjs bench <name> [...]   dist/benchmarks/<name>.js or benchmarks/<name>.mjs; without a name, the list
//   node scripts/run.mjs soak <project> <file> [NAME=value ...]   one suite for as long as its variables say
//   node scripts/run.mjs sample <name> [...]  dist/runtime-node/samples/main.js with these arguments
//   node scripts/run.mjs cluster [--stay] [--directory]   three nodes on this machine, and a take-over to look at
//   node scripts/run.mjs package <name> <out> dist/runtime-node/samples/package.js with these

import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runCheck } from './check.mjs';
import { at, listFiles } from './lib/freshness.mjs';
import { install } from './lib/install.mjs';

const commands = {
  start,
  explore,
  test,
  'test-all': testAll,
  contract,
  build,
  check,
  generate,
  bench,
  sample,
  cluster,
  package: makePackage,
  soak,
};

async function start(args) {
  if (!(await prepare({ core: 'release', pages: 'explorer' }))) return 1;
  // Whoever starts a clone develops: the OpenAPI document and its page are served. An installed service says so itself.
  process.env.NODE_ENV ??= 'development';
  return runHere('dist/node/main.js', args);
}

async function explore(args) {
  if (!(await prepare({ core: 'release', pages: 'explorer' }))) return 1;
  const { exploreSample } = await import('./explore.mjs');
  return exploreSample(args);
}

async function test(args) {
  const { withoutLong } = await import('./run-tests.mjs');
  return testAll([...withoutLong, ...args]);
}

async function testAll(args) {
  const { runTests, summaryLine } = await import('./run-tests.mjs');
  if (await prepare({ core: 'all', tests: 'all', pages: true })) return runTests(args);
  console.log(summaryLine({ passed: 0, failed: 1, skipped: 0 }));
  return 1;
}

async function contract(args) {
  const { runContract } = await import('./run-contract.mjs');
  if (await prepare({ core: 'all', pages: true })) return runContract(args);
  return 1;
}

async function build() {
  return (await prepare({ core: 'all', pages: true })) ? 0 : 1;
}

async function check() {
  if (!(await install())) return 1;
  return runCheck();
}

async function generate() {
  if (!(await prepare({ core: 'release' }))) return 1;
  await import('./generate-client.mjs');
  return 0;
}

async function bench([name, ...args]) {
  if (!(await prepare({ core: 'all' }))) return 1;
  const scripts = listFiles(['benchmarks', 'dist/benchmarks'], (path) => /benchmarks\/[^/]+\.m?js$/.test(path));
  const script = scripts.find((path) => basename(path).replace(/\.m?js$/, '') === name);
  if (script) return runHere(script, args);
  console.log(`There are: ${scripts.map((path) => basename(path).replace(/\.m?js$/, '')).join(', ') || 'none'}`);
  return name === undefined ? 0 : 1;
}

async function soak([project, file, ...variables]) {
  const { runTests, summaryLine } = await import('./run-tests.mjs');
  for (const variable of variables) {
    const [name, value] = variable.split('=');
    process.env[name] ??= value;
  }
  const pages = project === 'browser';
  if (await prepare({ core: 'all', tests: 'all', pages }))
    return runTests(['--project', project, '--testTimeout=0', file]);
  console.log(summaryLine({ passed: 0, failed: 1, skipped: 0 }));
  return 1;
}

async function sample(args) {
  if (!(await prepare({ core: 'release' }))) return 1;
  return runHere('dist/runtime-node/samples/main.js', args);
}

async function cluster(args) {
  if (!(await prepare({ core: 'release' }))) return 1;
  const { showCluster } = await import('./cluster.mjs');
  return showCluster(args);
}

async function makePackage(args) {
  if (!(await prepare({ core: 'release' }))) return 1;
  return runHere('dist/runtime-node/samples/package.js', args);
}

/** @typedef {{ core: 'all' | 'release', tests?: 'all', pages?: boolean | 'explorer' }} Wanted */

/**
 * Installs and builds what is missing or has changed; false after a failure, which has then been shown.
 * @param {Wanted} wanted
 */
async function prepare(wanted) {
  if (!(await install())) return false;
  const report = announceOnce('Building (a minute or two, the first time) ...');
  const good = await makeAll(wanted, report);
  if (!good) console.error('The build failed; what is wrong stands above.');
  else if (report.said) console.log('Built.');
  return good;
}

/**
 * @param {Wanted} wanted
 * @param {import('./lib/freshness.mjs').Report} report
 */
async function makeAll({ core, tests, pages = false }, report) {
  const { buildWasm } = await import('./build-wasm.mjs');
  const { buildTypeScript } = await import('./build-ts.mjs');
  const wasm = await buildWasm({ core, tests, report });
  const { buildExplorer, buildExplorerEngine } = await import('./build-explorer.mjs');
  const { buildSite } = await import('./build-site.mjs');
  const pagesMade = (await buildExplorer({ report })) && (await buildSite({ report }));
  const { buildNode } = await import('./build-node.mjs');
  const compiled = (await buildTypeScript({ report })) && (await buildNode({ report }));
  const good = compiled && pagesMade && wasm;
  const { buildMachine } = await import('./build-machine.mjs');
  if (!good || !pages) return good;
  if (!(await buildMachine({ report }))) return false;
  const { buildBrowser } = await import('./build-browser.mjs');
  const { buildEdge } = await import('./build-edge.mjs');
  if (!(await buildBrowser({ report })) || !(await buildExplorerEngine())) return false;
  return pages === 'explorer' || buildEdge({ report });
}

function announceOnce(title) {
  const report = (line) => {
    report.begins();
    console.log(line);
  };
  report.said = false;
  report.begins = () => {
    if (!report.said) console.log(title);
    report.said = true;
  };
  return report;
}

/** Runs a built script in this very process, so that signals and the exit code are the script's own. */
async function runHere(path, args) {
  if (!existsSync(at(path))) {
    console.error(`There is no ${path}`);
    return 1;
  }
  process.argv = [process.argv[0], at(path), ...args];
  await import(pathToFileURL(at(path)).href);
  return null;
}

const [name, ...args] = process.argv.slice(2);
if (!Object.hasOwn(commands, name ?? '')) {
  console.error(`Usage: node scripts/run.mjs ${Object.keys(commands).join(' | ')}`);
  process.exitCode = 2;
} else {
  // A script that runs here keeps the process alive by itself and sets its own code.
  const code = await commands[name](args);
  if (code !== null) process.exitCode = code;
}

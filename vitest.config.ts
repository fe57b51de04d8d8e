// One project a folder of test/, so that `vitest run --project unit` runs a kind and each kind has its own patience.
// Two workers at most: several suites start services and threads of their own.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { buildNode } from './scripts/build-node.mjs';
import { buildTypeScript } from './scripts/build-ts.mjs';

const seconds = 1000;

/**
 * Folder of test/ and the time one test may take: what ends a test that hangs, not what a fast machine needs. Beside ten other busy processes
 * a test of two seconds has taken forty.
 */
const kinds: Record<string, number> = {
  unit: 120 * seconds,
  model: 300 * seconds,
  differential: 300 * seconds,
  contract: 180 * seconds,
  durability: 300 * seconds,
  browser: 300 * seconds,
  edge: 300 * seconds,
  tidy: 300 * seconds,
};

/** Folders that the build compiles into the folder of the same name below `dist/`. */
const compiled = ['src', 'runtime-node', 'runtime-browser', 'runtime-edge', 'benchmarks'];

/** What marks a module that is loaded from its source. */
const fromSource = '?source';

/**
 * What tests import of the compiled folders is what the build made of it, which Node loads by itself. Transforming the hundreds of modules of
 * the host again for every kind of test, and handing them to every file's process, took longer than most tests. Files that replace a
 * module (`vi.mock`) get the sources: modules that Node has loaded cannot be replaced.
 */
function built(root: string): Plugin {
  const mocking = new Map<string, boolean>();
  const mocks = (file: string): boolean => {
    const known = mocking.get(file) ?? readFileSync(file, 'utf8').includes('vi.mock(');
    mocking.set(file, known);
    return known;
  };
  return {
    name: 'built',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!source.startsWith('.') || !source.endsWith('.ts') || importer === undefined) return null;
      const path = resolve(dirname(importer), source);
      const [folder = ''] = relative(root, path).split(sep);
      if (!compiled.includes(folder)) return null;
      if (importer.endsWith(fromSource) || mocks(importer)) return path + fromSource;
      const file = resolve(root, 'dist', relative(root, path).replace(/\.ts$/, '.js'));
      return existsSync(file) ? file : null;
    },
  };
}

/** Says which of its tests are for the home that CONTRACT_HOME names. */
const homeRunner = 'test/contract/support/home-runner.ts';

/** What of the contract a run of everything asks of a page too; `npm run contract -- --home page` asks the rest, which takes minutes. */
const inPage = ['traversal'].map((name) => `test/contract/${name}.test.ts`);

/**
 * Kinds whose files share a process, one after the other: they talk to services that are processes of their own, and keep nothing. What they
 * load, the checks of every answer above all, is then loaded once. Other homes are pages and runtimes that a file leaves behind.
 */
const sharing = (process.env.CONTRACT_HOME ?? 'node') === 'node' ? ['contract'] : [];

function projectOf(name: string, testTimeout: number, include: string[], env: Record<string, string> = {}) {
  return {
    extends: true as const,
    test: {
      name,
      include,
      env,
      isolate: !sharing.includes(name),
      ...(name === 'contract' || name === 'page' ? { runner: homeRunner } : {}),
      testTimeout,
      hookTimeout: testTimeout,
      teardownTimeout: 10 * seconds,
    },
  };
}

// A single file that is run by hand meets what stands in the sources too, errors of type or not.
await buildTypeScript({ despiteErrors: true });
await buildNode();

export default defineConfig({
  plugins: [built(import.meta.dirname)],
  test: {
    server: { deps: { external: [/\/dist\//] } },
    pool: 'forks',
    tags: [
      { name: 'long', description: 'Left out of `npm test`, which has minutes; `npm run test:all` runs everything.' },
    ],
    maxWorkers: 2,
    projects: [
      ...Object.entries(kinds).map(([name, testTimeout]) =>
        projectOf(name, testTimeout, [`test/${name}/**/*.test.ts`]),
      ),
      projectOf('page', kinds.contract as number, inPage, { CONTRACT_HOME: 'page' }),
    ],
  },
});

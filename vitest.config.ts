// One project a folder of test/, so that `vitest run --project unit` runs a kind and each kind has its own patience.
// Two workers at most: several suites start services and threads of their own.

import { defineConfig } from 'vitest/config';

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

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    projects: Object.entries(kinds).map(([name, testTimeout]) => ({
      extends: true,
      test: {
        name,
        include: [`test/${name}/**/*.test.ts`],
        testTimeout,
        hookTimeout: testTimeout,
        teardownTimeout: 10 * seconds,
      },
    })),
  },
});

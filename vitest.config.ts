// One project a folder of test/, so that `vitest run --project unit` runs a kind and each kind has its own patience.
// Two workers at most: several suites start services and threads of their own.

import { defineConfig } from 'vitest/config';

const seconds = 1000;

/** Folder of test/ and the time one test may take. */
const kinds: Record<string, number> = {
  unit: 20 * seconds,
  model: 120 * seconds,
  differential: 120 * seconds,
  contract: 60 * seconds,
  durability: 120 * seconds,
  browser: 120 * seconds,
  edge: 120 * seconds,
  tidy: 60 * seconds,
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

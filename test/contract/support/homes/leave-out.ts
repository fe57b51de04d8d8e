// Leaves out the running test where it asks for what the home under test does not have, with the reason.

import { type RunnerTestCase, TestRunner } from 'vitest';

/** Of homes that keep nothing in files. */
export const noDirectory = 'A directory with files: tests that look into one, or change it, are for a server.';

/** Ends the test as skipped. Outside of a test it is an error. */
export function leaveOut(reason: string): never {
  const test = TestRunner.getCurrentTest<RunnerTestCase | undefined>();
  if (test === undefined) throw new Error(`This cannot be asked of the home under test. ${reason}`);
  test.meta.skipReason = reason;
  return test.context.skip(reason);
}

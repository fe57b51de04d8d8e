// What a suite takes from vitest, for one that runs in a page: cases are gathered and run one after the other.

import { chai, JestChaiExpect, JestExtend } from '@vitest/expect';

chai.use(JestExtend);
chai.use(JestChaiExpect);
export const { expect } = chai;

export interface SuiteResult {
  readonly name: string;
  /** Null: it passed. */
  readonly failure: string | null;
}

const cases: { readonly name: string; readonly run: () => Promise<void> | void }[] = [];

export function describe(_name: string, define: () => void): void {
  define();
}

export function it(name: string, run: () => Promise<void> | void): void {
  cases.push({ name, run });
}

export async function runCases(): Promise<SuiteResult[]> {
  const results: SuiteResult[] = [];
  for (const { name, run } of cases) {
    try {
      await run();
      results.push({ name, failure: null });
    } catch (error) {
      results.push({ name, failure: String(error) });
    }
  }
  return results;
}

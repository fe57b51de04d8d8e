// The README's questions and answers, asked of the real service after the README's own sample has been loaded.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { ask, type Example, examplesOf } from './support/examples.ts';
import { startService, type TestService } from './support/service.ts';

describe('the README', () => {
  const examples = examplesOf(readFileSync(at('README.md'), 'utf8'));
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
  });

  afterAll(() => service.stop());

  it('has examples to run', () => {
    expect(examples.length).toBeGreaterThanOrEqual(8);
    expect(examples[0]?.command).toBe('npm run sample -- wordnet');
  });

  it('loads the sample it names', async () => {
    const main = at('dist/runtime-node/samples/main.js');
    // This process goes on meanwhile: what it starts may ask a home whose server it is itself.
    const run = await promisify(execFile)(process.execPath, [main, 'wordnet', '--url', service.url]);
    const counts = (examples[0] as Example).answer.replace(/ in .*/, '');
    expect(run.stdout.trim().replace(/ in .*/, '')).toBe(counts);
    expect(run.stderr).toContain('100 %');
  });

  for (const { command, answer } of examples.slice(1)) {
    it(`answers ${command}`, async () => {
      expect(await ask(command, service.url)).toBe(answer);
    });
  }
});

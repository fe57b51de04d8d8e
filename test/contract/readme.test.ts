// The README's questions and answers, asked of the real service after the README's own sample has been loaded.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { startService, type TestService } from './support/service.ts';

interface Example {
  readonly command: string;
  readonly answer: string;
}

/** `$ command` lines with the line of output that follows each. */
function examplesOf(text: string): Example[] {
  const examples: Example[] = [];
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('$ ')) examples.push({ command: line.slice(2), answer: lines[index + 1] ?? '' });
  }
  return examples;
}

/** The words of a command line that quotes with single quotes only. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? '');
}

async function ask(command: string, service: string): Promise<string> {
  const words = wordsOf(command);
  const url = words.find((word) => word.startsWith('localhost:8080')) ?? '';
  const after = (flag: string): string | undefined => {
    const at = words.indexOf(flag);
    return at < 0 ? undefined : words[at + 1];
  };
  const body = after('-d');
  const headers = words.flatMap((word, i) => (word === '-H' ? [words[i + 1]?.split(': ') as [string, string]] : []));
  const answer = await fetch(`${service}${url.slice('localhost:8080'.length)}`, {
    method: after('-X') ?? (body === undefined ? 'GET' : 'POST'),
    headers,
    ...(body === undefined ? {} : { body }),
  });
  return answer.text();
}

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

  it('loads the sample it names', () => {
    const main = at('dist/runtime-node/samples/main.js');
    const run = spawnSync(process.execPath, [main, 'wordnet', '--url', service.url], {
      encoding: 'utf8',
    });
    const counts = (examples[0] as Example).answer.replace(/ in .*/, '');
    expect(run.stdout.trim().replace(/ in .*/, '')).toBe(counts);
    expect(run.stderr).toContain('100 %');
  }, 120_000);

  for (const { command, answer } of examples.slice(1)) {
    it(`answers ${command}`, async () => {
      expect(await ask(command, service.url)).toBe(answer);
    });
  }
});

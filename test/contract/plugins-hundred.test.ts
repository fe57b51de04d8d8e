// A hundred registrations within a second: every one is answered by what it came to, and whoever reads meanwhile is answered, too.

import { afterEach, describe, expect, test } from 'vitest';
import { found, functionOf } from './support/plugin-sources.ts';
import { expectJson, expectProblem } from './support/requests.ts';
import { isReal, startService, type TestService } from './support/service.ts';

const permits = 'Security:SensitiveRateLimitPermitPerWindow';
let service: TestService | null = null;

afterEach(async () => {
  await service?.stop();
  service = null;
});

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe.runIf(isReal)('many registrations', () => {
  test('a hundred within a second are all registered', { tags: ['long'] }, async () => {
    // Whatever else the machine does: a first compilation that is beside ten busy processes may take seconds.
    const own = await startService({ [permits]: '100000', 'Fragments:MaxCompileSeconds': '60' });
    service = own;
    // The quota of one namespace is 64.
    const places = ['', '/ns/other'];
    expectJson(await own.call('PUT', '/ns/other'), 201);
    expect(
      (await own.call('PUT', '/vertex?waitForCompletion=true', { json: { label: 'a', creationDate: 0 } })).status,
    ).toBeLessThan(300);
    const began = performance.now();
    const answers = Array.from({ length: 100 }, async (_, at) => {
      await wait(10 * at);
      const [name, place] = [`Many${at}`, places[at % 2]];
      return own.call('POST', `${place}/plugins/function`, { json: { name, sourceCode: functionOf(name, found) } });
    });
    let isOver = false;
    const all = Promise.all(answers).finally(() => {
      isOver = true;
    });
    let [reads, longest] = [0, 0];
    for (; !isOver; reads++) {
      const asked = performance.now();
      expectJson(await own.call('GET', '/vertex/0'));
      longest = Math.max(longest, performance.now() - asked);
    }
    expect((await all).map(({ status }) => status)).toEqual(answers.map(() => 201));
    const ms = Math.round(performance.now() - began);
    console.log(`100 registrations in ${ms} ms; the longest of ${reads} reads ${longest.toFixed(1)} ms`);
    for (const place of places) {
      const listed = expectJson(await own.call('GET', `${place}/plugins`)) as { compileState: string }[];
      expect(listed.map(({ compileState }) => compileState)).toEqual(Array.from({ length: 50 }, () => 'Compiled'));
    }
  });

  test('beyond the limit of sensitive requests are 429, and the others registered', async () => {
    const own = await startService({ [permits]: '5' });
    service = own;
    const names = Array.from({ length: 20 }, (_, at) => `Many${at}`);
    const answers = await Promise.all(
      names.map((name) =>
        own.call('POST', '/plugins/function', { json: { name, sourceCode: functionOf(name, found) } }),
      ),
    );
    const registered = names.filter((_, at) => answers[at]?.status === 201);
    for (const answer of answers) if (answer.status !== 201) expectProblem(answer, 429, 'Too Many Requests');
    expect(registered.length).toBeGreaterThanOrEqual(5);
    const listed = expectJson(await own.call('GET', '/plugins')) as { name: string }[];
    expect(listed.map(({ name }) => name)).toEqual([...registered].sort());
  });
});

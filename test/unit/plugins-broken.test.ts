// Broken sources, each with the id that the C# compiler at hand (mcs) gives its first error, and the column where both put it in the same place.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { bindPlugin } from '../../src/fragments/plugins/compile.ts';
import { pluginHead as head } from './support/plugin-head.ts';

const line = head.split('\n').length;
const cases = readFileSync(at('test/fixtures/plugins/broken.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((each) => each.split('\t') as [id: string, column: string, source: string]);

it('there are many, and the source around them is fine', () => {
  expect(cases.length).toBeGreaterThan(120);
  expect(bindPlugin(head, 'GraphFunction').ok).toBe(true);
});

it.each(cases)('%s at %s: %s', (id, column, source) => {
  const binding = bindPlugin(`${head}${source}\n`, 'GraphFunction');
  const errors = binding.ok ? [] : binding.errors.map((error) => error.replace(/^(\(\d+,\d+\): error \w+).*$/s, '$1'));
  if (column === '') expect(errors.join(' ')).toContain(`error ${id}`);
  else expect(errors).toContain(`(${line},${column}): error ${id}`);
});

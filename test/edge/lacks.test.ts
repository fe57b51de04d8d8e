// What the page on the edge says that this home does not do, held against why tests of the contract are skipped there.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { edgeLacks, edgeSkips } from '../contract/support/homes/edge-skips.ts';

it('the list of the page is the list of reasons', () => {
  const page = readFileSync(at('docs/edge.md'), 'utf8');
  const [, section = ''] = /^## What this home does not do\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(page) ?? [];
  const lines = section
    .replaceAll(/\n {2}(?=\S)/g, ' ')
    .split('\n')
    .flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []));
  expect(lines).toEqual(Object.values(edgeLacks));
});

it('the page shows the template', () => {
  const page = readFileSync(at('docs/edge.md'), 'utf8');
  for (const name of ['worker.js', 'wrangler.jsonc'])
    expect(page).toContain(readFileSync(at(`runtime-edge/template/${name}`), 'utf8').trim());
});

it('every reason is one that a test is skipped for', () => {
  const used = new Set(edgeSkips.map(({ reason }) => reason));
  expect(Object.values(edgeLacks).filter((reason) => !used.has(reason))).toEqual([]);
});

// What a page has to load before its first answer. Needs no browser.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { firstAnswerBytes } from '../../scripts/build-browser.mjs';
import { at } from '../../scripts/lib/freshness.mjs';

const mostBytes = 350_000;

it('is at most 350 kB gzipped, modules and core together', () => {
  expect(firstAnswerBytes()).toBeLessThanOrEqual(mostBytes);
  // A count that misses the core, or the engine's own module, would hold any bound.
  expect(firstAnswerBytes()).toBeGreaterThan(mostBytes / 2);
});

it('has no module that imports the own module of a worker, which would run a second time where it has another address', () => {
  const folder = at('dist/browser');
  const importing = readdirSync(folder).filter((name) => {
    const code = name.endsWith('.js') ? readFileSync(`${folder}/${name}`, 'utf8') : '';
    return /(?:from|import)\s*\(?\s*["'`]\.\/(?:service-|job-|compiler-)?worker\.js["'`]/.test(code);
  });
  expect(importing).toEqual([]);
});

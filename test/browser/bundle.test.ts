// What a page has to load before its first answer. Needs no browser.

import { expect, it } from 'vitest';
import { firstAnswerBytes } from '../../scripts/build-browser.mjs';

const mostBytes = 350_000;

it('is at most 350 kB gzipped, modules and core together', () => {
  expect(firstAnswerBytes()).toBeLessThanOrEqual(mostBytes);
  // A count that misses the core, or the engine's own module, would hold any bound.
  expect(firstAnswerBytes()).toBeGreaterThan(mostBytes / 2);
});

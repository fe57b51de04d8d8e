// The settings reference says what the catalogue says, and no page names a setting that there is not.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { catalogue } from '../../src/config/catalogue.ts';
import { settingsPage } from './settings-page.ts';

test('docs/settings.md is made from the catalogue', async () => {
  await expect(settingsPage()).toMatchFileSnapshot('../../docs/settings.md');
});

test('every setting that a page sets or names in full is one of the catalogue', () => {
  const pages = ['README.md', ...readdirSync(at('docs')).map((name) => `docs/${name}`)].filter((path) =>
    path.endsWith('.md'),
  );
  const keys = Object.keys(catalogue);
  /** A section of them may be named too. */
  const isKnown = (name: string) => keys.some((key) => key === name || key.startsWith(`${name}:`));
  let named = 0;
  const unknown = pages.flatMap((path) => {
    const text = readFileSync(at(path), 'utf8');
    const flags = [...text.matchAll(/\bService(?::|__)([A-Za-z]+(?:(?::|__)[A-Za-z]+)*)/g)].map(([, key = '']) =>
      key.replaceAll('__', ':'),
    );
    named += flags.length;
    return flags.filter((key) => !isKnown(key)).map((key) => `${path}: ${key}`);
  });
  expect(named).toBeGreaterThan(60);
  expect(unknown).toEqual([]);
});

// The settings reference says what the catalogue says.

import { expect, test } from 'vitest';
import { settingsPage } from './settings-page.ts';

test('docs/settings.md is made from the catalogue', async () => {
  await expect(settingsPage()).toMatchFileSnapshot('../../docs/settings.md');
});

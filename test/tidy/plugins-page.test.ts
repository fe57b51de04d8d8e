// The page of members says what the library declares.

import { expect, test } from 'vitest';
import { pluginsPage } from './plugins-page.ts';

test('docs/plugins-members.md is made from the library', async () => {
  expect(pluginsPage()).toContain('IFallen8');
  await expect(pluginsPage()).toMatchFileSnapshot('../../docs/plugins-members.md');
});

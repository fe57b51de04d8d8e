// The page of members says what the library declares and what the compiler answers.

import { expect, test } from 'vitest';
import { fragmentsPage } from './fragments-page.ts';

test('docs/fragments-members.md is made from the library', async () => {
  await expect(fragmentsPage()).toMatchFileSnapshot('../../docs/fragments-members.md');
});

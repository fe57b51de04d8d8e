// The page of routes says what the route table says.

import { expect, test } from 'vitest';
import { httpPage } from './http-page.ts';

test('docs/http.md is made from the route table', async () => {
  await expect(await httpPage()).toMatchFileSnapshot('../../docs/http.md');
});

// Runs the suite of all stores over the storage of a page, and sends what came of it.

import { openOpfs } from '../../../runtime-browser/storage/opfs.ts';
import { storageSuite } from '../../unit/storage-suite.ts';
import { expect, it, runCases } from './vitest-in-page.ts';

let stores = 0;

storageSuite('a page', async () => {
  const { logs, metadata, release } = await openOpfs(`suite-${stores++}`, async () => {});
  return { logs, blobs: metadata, dispose: release };
});

it('a canary that must fail', () => {
  expect(1).to.equal(2);
});

postMessage(await runCases());

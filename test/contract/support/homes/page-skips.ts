// Tests of the contract that are not for a page, and why.

import type { SkipRule } from './home.ts';

const noBody = 'a request of a browser has no body when its method is GET';

export const pageSkips: readonly SkipRule[] = [
  { file: 'capabilities', test: 'capabilities that are off > GET ', reason: noBody },
  {
    file: 'chat',
    test: 'a stream that breaks behind a word',
    reason: 'when a connection breaks, a browser drops what has come of the body and was not read yet',
  },
];

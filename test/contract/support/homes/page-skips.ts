// What a page has not, and tests of the contract that are not for a page in a browser of this test.

import type { Home, SkipRule } from './home.ts';

export function pageLacks(isIsolated: boolean): NonNullable<Home['lacks']> {
  return {
    files: 'the graphs of a page lie in the storage of its browser, where no test can look or change a file',
    process: 'the engine of a page has no process of its own: a start that fails rejects, and ends with no code',
    log: 'what the engine of a page tells goes to the console of its worker',
    socket:
      'a page hands over a `Request`, whose method, target and headers its browser has put in order, and GET has no body',
    ...(isIsolated
      ? {}
      : { threads: 'a page that is not isolated from other origins has no memory that threads could share' }),
  };
}

export const pageSkips: readonly SkipRule[] = [
  {
    file: 'chat',
    test: 'a stream that breaks behind a word',
    reason: 'when a connection breaks, a browser drops what has come of the body and was not read yet',
  },
];

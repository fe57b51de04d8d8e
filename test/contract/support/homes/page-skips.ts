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

const models = 'a page runs no models: the provider `Onnx` answers 503 there, and those over HTTP work';
const pages = 'the explorer and the documentation are pages that the service of Node has files of';

const usedMemory = 'no browser tells a page how much memory its process has: `GET /status` says 0';
const telemetry = 'a page is not scraped and exports nothing: metrics, traces and logs over OTLP are for a server';

export const pageSkips: readonly SkipRule[] = [
  {
    file: 'chat',
    test: 'a stream that breaks behind a word',
    reason: 'when a connection breaks, a browser drops what has come of the body and was not read yet',
  },
  { file: 'conventions', test: 'which tells where the pages are', reason: pages },
  { file: 'documents-meaning', test: 'are embedded chunk by chunk', reason: models },
  { file: 'embedding-limits', reason: models },
  { file: 'guides', test: 'documents.md', reason: models },
  { file: 'guides', test: 'embedding.md', reason: models },
  { file: 'metrics', test: 'the scrape > ', reason: telemetry },
  { file: 'otlp', reason: telemetry },
  { file: 'explorer', test: 'its page is below a folder', reason: pages },
  { file: 'explorer', test: 'the documentation is below a folder', reason: pages },
  {
    file: 'plugins-memory',
    test: 'comes to its end: interpreted',
    reason: 'no browser tells a page what its objects hold, so all that an interpreted plugin allocated counts',
  },
  { file: 'reference', test: 'the page names no other host', reason: pages },
  { file: 'status', test: 'status has every member', reason: usedMemory },
];

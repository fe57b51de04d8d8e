// Tests that need more of a home than answers and do not ask for it where it could be heard (../needs.ts).

import type { Need, SkipRule } from './home.ts';

interface NeedOfTest extends Omit<SkipRule, 'reason'> {
  readonly need: Need;
}

export const needsByTest: readonly NeedOfTest[] = [
  { file: 'bodies', test: 'is bounded, whoever stops before the end', need: 'socket' },
  { file: 'bodies', test: 'are bounded together; reading them, or going away', need: 'socket' },
  { file: 'capabilities', test: 'capabilities that are off > GET ', need: 'socket' },
  // They look into the file of written settings.
  { file: 'config-write', test: 'stores a value for the next start', need: 'files' },
  { file: 'config-write', test: 'refuses a batch whole', need: 'files' },
  { file: 'config-write', test: 'while writing is off', need: 'files' },
  { file: 'config-write', test: 'a torn file is left alone', need: 'files' },
  { file: 'config-write', test: 'a directory that takes no file', need: 'files' },
  { file: 'lifecycle', test: 'ends with 1 when the file of a registered entry is missing', need: 'files' },
  { file: 'lifecycle-restore', test: 'touches nothing when the file of a member is missing', need: 'files' },
  { file: 'lifecycle-restore', test: 'touches nothing when a checkpoint is damaged', need: 'files' },
  { file: 'conventions', test: 'TRACE /status is 405', need: 'socket' },
  { file: 'conventions', test: '/vertex/0/./edges is 400', need: 'socket' },
  { file: 'conventions', test: '/../x is 400', need: 'socket' },
  { file: 'conventions', test: 'what is not HTTP gets a problem document too', need: 'socket' },
  { file: 'conventions', test: 'an absolute target is the same as its path', need: 'socket' },
  { file: 'conventions', test: 'a preflight is answered without a key', need: 'socket' },
  { file: 'conventions', test: 'every answer to a listed origin names it', need: 'socket' },
  { file: 'namespaces', test: 'the segment ', need: 'socket' },
  { file: 'regressions', test: 'a request without a Host header is told so', need: 'socket' },
  { file: 'regressions', test: 'an expectation that cannot be met is a problem', need: 'socket' },
  // These would look into the directory only when they have changed what the tests behind them count.
  { file: 'savegames', test: 'a named namespace is saved in its own directory', need: 'files' },
  { file: 'savegames', test: 'says which namespaces failed, and registers the others', need: 'files' },
  // Names that mean something in a directory of storage.
  { file: 'savegames', test: 'the location "metadata', need: 'files' },
  // A fragment without end holds the only thread until its budget is used up.
  { file: 'query-faults', test: 'answers 404 to a search whose namespace is dropped meanwhile', need: 'threads' },
  { file: 'plugins', test: 'writes in one transaction, or not at all', need: 'threads' },
  { file: 'plugins', test: 'holds up no other write for long, and none when it is over', need: 'threads' },
  { file: 'plugins', test: 'writes back in transactions of its own', need: 'threads' },
];

// Tests of the contract that are not for an object of an edge runtime. Each reason is a line of the list in docs/edge.md, and each line of
// that list is a reason (test/edge/lacks.test.ts).

import type { SkipRule } from './home.ts';
import { noDirectory } from './leave-out.ts';

export const edgeLacks = {
  directory: noDirectory,
  server:
    'A process of its own, with arguments, signals, a listener and files: what concerns the server of Node is not asked here.',
  memory: 'Graphs beyond the 64 MiB that an object has by itself, and limits beyond 96 MiB.',
  body: 'Bodies beyond 16 MiB that a route reads whole; imports stream.',
  fuel: 'Work as long as a time limit: what a search or a plugin may spend ends before, with the same status and another text.',
  models: 'Models that run in the service: the `Onnx` provider answers 503. Providers over HTTP work.',
  telemetry:
    'A scrape of metrics, and metrics, traces and logs over OTLP. Lines of the log go to the console of the runtime.',
  pages: 'The explorer, the documentation and the page of the OpenAPI document: a deployment has no files of pages.',
  usedMemory: 'The memory of the process, which the runtime does not tell: `GET /status` says 0.',
  shutdown:
    'What happens when a service ends, a save or the end of a change feed: the runtime does not tell an object that it ends.',
  transactions: 'Transactions and built-in whole-graph algorithms inside of plugins, which need threads.',
  collection:
    'Plugins that allocate more than they may hold: the runtime does not tell what is held, so all that was allocated counts.',
  paths:
    'Paths with dots: the runtime takes them out before it hands a request on, so `/a/../b` is `/b` and not a 400.',
  http: 'Requests that are not HTTP, expect something or have no `Host`: the runtime answers them, without a problem document.',
  latin:
    'Header values in Latin-1: the runtime reads headers as UTF-8, which is what a key outside of ASCII has to be in.',
  head: 'Lengths in answers to `HEAD`, which the runtime leaves out.',
  metadata:
    'Refusing save games at the places of the catalogue and the registry: these are rows of their own, which no save game can replace.',
} as const;

type Lack = keyof typeof edgeLacks;

const of = (lack: Lack, file: string, ...tests: readonly string[]): SkipRule[] => {
  const reason = edgeLacks[lack];
  return tests.length === 0 ? [{ file, reason }] : tests.map((test) => ({ file, test, reason }));
};

export const edgeSkips: readonly SkipRule[] = [
  ...of('server', 'process'),
  ...of('server', 'installed'),
  ...of('server', 'guides'),
  ...of('memory', 'readme'),
  ...of('telemetry', 'otlp'),
  ...of('telemetry', 'metrics', 'the scrape > '),
  ...of('memory', 'analytics', 'are as many as the setting says', 'whose values no longer fit'),
  ...of('body', 'analytics', 'end by their budget'),
  ...of('memory', 'bodies', 'are refused before they take more memory than they are worth'),
  ...of(
    'server',
    'bodies',
    'is bounded, whoever stops before the end',
    'are bounded together; reading them, or going away',
  ),
  ...of('body', 'conventions', 'a body at the limit is read'),
  ...of('paths', 'conventions', '/vertex/0/./edges is 400', '/../x is 400'),
  ...of('http', 'conventions', 'what is not HTTP gets a problem document'),
  ...of('models', 'documents-meaning', 'are embedded chunk by chunk'),
  ...of('models', 'embedding-limits'),
  ...of('head', 'element-reads', 'HEAD answers like GET'),
  ...of('pages', 'explorer', 'its page is below a folder', 'the documentation is below a folder'),
  ...of('pages', 'conventions', 'which tells where the pages are'),
  ...of('pages', 'reference', 'the page names no other host'),
  ...of('paths', 'namespaces', 'the segment . is 400', 'the segment .. is 400'),
  ...of('fuel', 'plugins', 'refuses a constructor without end', 'with an endless loop ends'),
  ...of(
    'transactions',
    'plugins',
    'writes in one transaction, or not at all',
    'holds up no other write for long',
    'writes back in transactions of its own',
  ),
  ...of('collection', 'plugins-memory', 'comes to its end'),
  ...of('transactions', 'plugins-engine', 'built-in algorithms over', 'built-in algorithms of'),
  ...of('fuel', 'query-faults', 'answers 404 to a search whose namespace is dropped meanwhile'),
  ...of('http', 'regressions', 'a request without a Host header', 'an expectation that cannot be met'),
  ...of('latin', 'regressions', 'a key outside ASCII is known by its UTF-8'),
  ...of('usedMemory', 'status', 'status has every member'),
  ...of(
    'shutdown',
    'lifecycle',
    'after a clean end has one entry',
    'writes nothing at the end when SaveOnShutdown is false',
    'tells subscribers of the change feed, whose stream goes on until the end of the service',
  ),
  ...of('metadata', 'savegames', 'the location "metadata'),
  ...of(
    'directory',
    'lifecycle',
    'ends with 1 when the file of a registered entry is missing',
    'dropping a namespace leaves its checkpoints',
  ),
  // They look into the file of written settings.
  ...of(
    'directory',
    'config-write',
    'stores a value for the next start',
    'refuses a batch whole',
    'while writing is off',
    'a torn file is left alone',
    'a directory that takes no file',
  ),
  ...of(
    'directory',
    'lifecycle-restore',
    'touches nothing when the file of a member is missing',
    'touches nothing when a checkpoint is damaged',
    'goes on with the others when one member cannot be loaded',
    'activates a member that is not loaded',
    'of a namespace whose last save game was deleted with its files',
    'of one whose checkpoint is damaged',
  ),
];

// Every instrument there is (contract part 3, Metrics): its name, unit, kind and tags. Whoever records names a line of this table and
// never a text, so a name stands once and a tag cannot be forgotten. Values of tags come from fixed lists of ours, never from a graph:
// no label, index name, property key or fragment. Only the ids and names of namespaces are exceptions.

/** `engine`: once for each loaded namespace, tagged with its id. `app`: once for the service. */
export type Level = 'engine' | 'app';
export type Kind = 'counter' | 'histogram' | 'gauge';

/** `s` and `By` are told by the names a scrape shows; what is counted stands in braces and is not. */
export type Unit = 's' | 'By' | '1' | `{${string}}`;

export interface Instrument<K extends Kind = Kind, Tags extends readonly string[] = readonly string[]> {
  readonly kind: K;
  readonly level: Level;
  readonly name: string;
  readonly unit: Unit;
  readonly tags: Tags;
  readonly description: string;
  /** Upper bounds of a histogram's buckets, ascending, without the infinite one. */
  readonly bounds: readonly number[];
}

export type Counter<Tags extends readonly string[] = readonly string[]> = Instrument<'counter', Tags>;
export type Histogram<Tags extends readonly string[] = readonly string[]> = Instrument<'histogram', Tags>;
export type Gauge<Tags extends readonly string[] = readonly string[]> = Instrument<'gauge', Tags>;

const seconds = [
  ...[0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05],
  ...[0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
];
const bytes = [4, 5, 6, 7, 8, 9, 10, 11].map((power) => 8 ** power);
const sizes = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

const prefix = 'service.';
/** Tags of who a figure belongs to. */
export const identityTags = { namespaceId: 'service.scope.id', namespaceName: 'service.namespace.name' } as const;

type Options<Tags extends readonly string[]> = { readonly tags?: Tags; readonly level?: Level };

function make<K extends Kind, const Tags extends readonly string[] = readonly []>(
  kind: K,
  name: string,
  unit: Unit,
  description: string,
  { tags, level = 'engine' }: Options<Tags> = {},
): Instrument<K, Tags> {
  const bounds = kind !== 'histogram' ? [] : unit === 's' ? seconds : unit === 'By' ? bytes : sizes;
  return { kind, level, name, unit, description, bounds, tags: (tags ?? []) as unknown as Tags };
}

const app = 'app' as const;
const ofType = ['transaction.type'] as const;
const ofArtifact = ['artifact'] as const;

const transactions = {
  commits: make('counter', `${prefix}transaction.commits`, '{transaction}', 'Transactions that were committed.', {
    tags: ofType,
  }),
  rollbacks: make('counter', `${prefix}transaction.rollbacks`, '{transaction}', 'Transactions that were rolled back.', {
    tags: ['transaction.type', 'failure.reason'],
  }),
  commitDuration: make('histogram', `${prefix}transaction.commit.duration`, 's', 'From the queue to the durable end.'),
  executeDuration: make('histogram', `${prefix}transaction.execute.duration`, 's', 'A transaction on the writer.'),
  queueDepth: make(
    'gauge',
    `${prefix}transaction.queue.depth`,
    '{transaction}',
    'Transactions that wait for their end.',
  ),
  groupSize: make('histogram', `${prefix}transaction.group.size`, '{transaction}', 'Transactions of one group commit.'),
  nondurable: make(
    'counter',
    `${prefix}transaction.nondurable`,
    '{transaction}',
    'Transactions committed in memory whose frame is not on disk.',
  ),
};

const log = {
  flushDuration: make('histogram', `${prefix}wal.flush.duration`, 's', 'Making a group of the log durable.'),
  flushFailures: make('counter', `${prefix}wal.flush.failures`, '{flush}', 'Groups that could not be made durable.'),
  walDegraded: make('gauge', `${prefix}wal.degraded`, '1', '1 while writes are not made durable, otherwise 0.'),
  walSize: make('gauge', `${prefix}wal.size`, 'By', 'Length of the log file.'),
};

const checkpoints = {
  saveDuration: make('histogram', `${prefix}checkpoint.save.duration`, 's', 'Writing a checkpoint.'),
  loadDuration: make(
    'histogram',
    `${prefix}checkpoint.load.duration`,
    's',
    'Loading a checkpoint and replaying the log.',
  ),
  saveBytes: make('histogram', `${prefix}checkpoint.save.bytes`, 'By', 'Size of a checkpoint that was written.'),
  loadBytes: make('histogram', `${prefix}checkpoint.load.bytes`, 'By', 'Size of a checkpoint that was loaded.'),
  checkpointFailures: make('counter', `${prefix}checkpoint.failures`, '{operation}', 'Saves and loads that failed.', {
    tags: ['operation'],
  }),
};

const backups = {
  backupLag: make(
    'histogram',
    `${prefix}backup.lag`,
    's',
    'From the oldest commit of a log object to its place in the backup.',
  ),
  backupObjects: make('counter', `${prefix}backup.objects`, '{object}', 'Log objects that were stored.'),
  backupFailures: make('counter', `${prefix}backup.failures`, '{attempt}', 'Attempts to store something that failed.'),
};

const replicas = {
  replicaLag: make(
    'histogram',
    `${prefix}replica.lag`,
    's',
    'From a commit at the writer to its place in the replica.',
  ),
  replicaSnapshots: make('counter', `${prefix}replica.snapshots`, '{snapshot}', 'Times that it began with a snapshot.'),
  replicaComparisons: make(
    'counter',
    `${prefix}replica.comparisons`,
    '{comparison}',
    'Hashes compared with the writer.',
    {
      tags: ['result'],
    },
  ),
};

const graph = {
  vertices: make('gauge', `${prefix}graph.vertices`, '{vertex}', 'Vertices there are.'),
  edges: make('gauge', `${prefix}graph.edges`, '{edge}', 'Edges there are.'),
  indexCount: make('gauge', `${prefix}index.count`, '{index}', 'Indexes there are.'),
  indexEntries: make('gauge', `${prefix}index.entries`, '{key}', 'Keys of all indexes that can count theirs.'),
};

const fragments = {
  cacheHits: make(
    'counter',
    `${prefix}codegen.cache.hits`,
    '{lookup}',
    'Sets of fragments that were compiled before.',
    {
      ...{ tags: ofArtifact, level: app },
    },
  ),
  cacheMisses: make('counter', `${prefix}codegen.cache.misses`, '{lookup}', 'Sets of fragments that were not.', {
    ...{ tags: ofArtifact, level: app },
  }),
  compileDuration: make('histogram', `${prefix}codegen.compile.duration`, 's', 'Compiling a set of fragments.', {
    ...{ tags: ['artifact', 'success'], level: app },
  }),
  compileFailures: make('counter', `${prefix}codegen.compile.failures`, '{compilation}', 'Sets that do not compile.', {
    ...{ tags: [], level: app },
  }),
  delegateValidate: make('counter', `${prefix}delegate.validate`, '{request}', 'Fragments that were validated.', {
    ...{ tags: ['kind', 'result'], level: app },
  }),
};

const service = {
  namespaceInfo: make('gauge', `${prefix}namespace.info`, '1', 'Always 1: the id and the name of a namespace.', {
    ...{ tags: [identityTags.namespaceId, identityTags.namespaceName], level: app },
  }),
  requestDuration: make('histogram', 'http.server.request.duration', 's', 'Answering a request, up to its headers.', {
    ...{ tags: ['http.request.method', 'http.route', 'http.response.status_code'], level: app },
  }),
};

export const instruments = {
  ...transactions,
  ...log,
  ...checkpoints,
  ...backups,
  ...replicas,
  ...graph,
  ...fragments,
  ...service,
} as const;

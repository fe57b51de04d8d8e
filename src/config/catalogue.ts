// Every setting of the service by its key under the root `Service:` (contract: configuration tables of all three parts; reference,
// appendix A). A key that is not here is reported and ignored. docs/settings.md is made from this catalogue.

import { chat, documents, embedding } from './catalogue-capabilities.ts';
import { cluster } from './catalogue-cluster.ts';
import {
  choice,
  flag,
  flagOrNone,
  headerName,
  integer,
  list,
  maxSeconds,
  optionalText,
  positive,
  positiveOrNone,
  ratio,
  type Setting,
  secret,
  text,
} from './kinds.ts';
import { live, liveForNewWork, never } from './writing.ts';

/** The root that every key stands under. */
export const settingsRoot = 'Service';

const seconds = (initial: number, description: string): Setting<number> => positive(initial, description, maxSeconds);
const mebibyte = 1024 * 1024;

const listener = {
  'Http:Host': never('R1', text('127.0.0.1', 'Address the service listens on.')),
  'Http:Port': never('R1', integer(8080, 0, 65535, 'Port the service listens on; 0 takes any free one.')),
  'Http:MaxConnections': positive(4096, 'Connections that are served at once.'),
  'Http:MaxBatchItems': positive(500_000, 'Items of a list in the body of one request.'),
  'Http:MaxBodyValues': positive(3_000_000, 'Values in the body of one request: items and members, nested ones too.'),
  'Http:MaxItemValues': positive(500_000, 'Values in one item of such a list, or in a body that is no list.'),
  'Http:MaxObjectMembers': positive(16_384, 'Members of one object in the body of a request.'),
  'Http:MaxTextBytes': positive(16 * mebibyte, 'Bytes of one text in the body of a request, escapes as they are sent.'),
  'Http:MaxProperties': positive(100_000, 'Properties that one element is created with.', 100_000),
  'Http:MaxHeldBodyBytes': positive(
    256 * mebibyte,
    'Bytes of bodies that all requests together may hold; a request that needs more is refused, unless it is the only one.',
  ),
  'Http:MaxHeldAnswerBytes': positive(
    256 * mebibyte,
    'Bytes of answers that their clients have not taken yet; a read whose answer needs more is refused, unless it is the only one.',
  ),
  'Http:MaxBodyDepth': positive(256, 'Lists and objects in the body of one request that may lie in each other.'),
  'Api:Strict': live(
    flag(
      false,
      'Whether a request is refused for members and query parameters that are not read, and for placeholders; Prefer: handling=lenient excepts one.',
    ),
  ),
  'Errors:HideDetails': live(
    flag(
      false,
      'Whether a problem leaves out the name of the exception that a fragment threw; the log has it in any case.',
    ),
  ),
  'Http:StaticDirectory': never(
    'R2',
    optionalText(
      'Folder of a web page, such as a build of Studio: its files answer GET without the key, its index.html every other navigation.',
    ),
  ),
  Environment: never(
    'R1',
    text(
      'Production',
      'Development: the OpenAPI document and its reference page are served unless OpenApi:Enabled says otherwise.',
    ),
  ),
  'OpenApi:Enabled': never(
    'R5',
    flagOrNone('Whether the OpenAPI document and its reference page are served; without it Environment decides.'),
  ),
  'Logging:Requests': flag(false, 'Whether each request is a line of the log.'),
  'Log:Level': live(
    choice(['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'info', 'Least severe log line that is written.'),
  ),
  'Fragments:MaxFuel': liveForNewWork(
    integer(
      1_000_000_000_000,
      1,
      Number.MAX_SAFE_INTEGER,
      'What the fragments of one request may spend: about one for each loop round, call and item.',
    ),
  ),
  'Fragments:MaxSeconds': liveForNewWork(
    positive(600, 'Time that one request with fragments may take, also without a budget.', maxSeconds),
  ),
  'Fragments:MaxCompileSeconds': positive(
    5,
    'Time that compiling the fragments of one request, or validating one, may take.',
    maxSeconds,
  ),
  'Fragments:MaxWaiting': positive(256, 'Compilations that wait for a thread; more are refused.'),
  'Fragments:CacheMegabytes': positive(
    64,
    'Size of the compiled fragments of paths that are kept for the next request with the same texts; as much again for subgraphs.',
    4096,
  ),
  'Subgraphs:MaxCount': liveForNewWork(positive(1024, 'Subgraphs a namespace may have.', 1024)),
  'Subgraphs:MaxElements': liveForNewWork(positive(10_000_000, 'Elements a subgraph may have.', 10_000_000)),
  'Subgraphs:MaxTotalElements': liveForNewWork(
    positive(25_000_000, 'Elements that all subgraphs of a namespace may have together.', 25_000_000),
  ),
  'Subgraphs:MaxMatchSteps': liveForNewWork(
    integer(1_000_000_000, 1, Number.MAX_SAFE_INTEGER, 'Edges that matching one pattern may look at.'),
  ),
  'Subgraphs:MaxMatchBytes': liveForNewWork(
    positive(256 * mebibyte, 'Working memory that matching one pattern may take.'),
  ),
  'Jobs:Threads': integer(
    0,
    -1,
    60,
    'Threads that long reads run on; 0: one for each processor, -1: none, they take turns on the main thread.',
  ),
  'Jobs:Niceness': integer(
    10,
    0,
    19,
    'How far threads of long reads give way to the rest of the machine, on Linux; 0: not at all, and analytics do not rest beside requests.',
  ),
  'Jobs:MaxWaiting': positive(256, 'Long reads that wait for a thread; more are refused.'),
  'Memory:MaxBytesPerNamespace': integer(
    4096 * mebibyte - 65536,
    mebibyte,
    4096 * mebibyte - 65536,
    'Most bytes of memory one namespace may take; what adds beyond is refused. What gives memory back, and opening, may for a while take as much again.',
  ),
};

const storage = {
  'BulkIO:ImportBatchSize': positive(10_000, 'Elements of one import transaction.'),
  'BulkIO:MaxLineBytes': positive(mebibyte, 'Longest line an import accepts, in bytes.'),
  'BulkIO:MaxImportRequestBytes': positiveOrNone('Largest import body in bytes; without it there is no limit.'),
  'ChangeFeed:Enabled': flag(true, 'Whether the change feed answers.'),
  'ChangeFeed:BufferSize': integer(8192, 1, 1_000_000, 'Events kept for catching up.'),
  'ChangeFeed:SubscriberQueueSize': liveForNewWork(positive(1024, 'Events queued for one subscriber.')),
  'ChangeFeed:MaxSubscribers': liveForNewWork(positive(32, 'Subscribers of one namespace.')),
  'ChangeFeed:KeepAliveSeconds': liveForNewWork(seconds(15, 'Seconds between heartbeats of an idle feed.')),
  'ChangeFeed:DeliveryThread': flag(true, 'Whether a thread of its own writes to subscribers, started with the first.'),
  'Durability:StorageDirectory': never(
    'R2',
    optionalText('Directory of logs and checkpoints; default: arcwise-data where the service starts.'),
  ),
  'Durability:CheckpointBaseName': never('R2', text('Temp.f8s', 'Default file name of a checkpoint.')),
  'Durability:WalPath': never(
    'R2',
    optionalText("Path of the default namespace's log; default: inside StorageDirectory."),
  ),
  'Durability:Volatile': never('R2', flag(false, 'No log and no checkpoints: a restart loses everything.')),
  'Durability:LogIndexes': flag(
    true,
    'Whether changes of indexes are logged; otherwise a crash takes them back to the last checkpoint.',
  ),
  'Durability:SaveOnShutdown': flag(true, 'Whether a clean shutdown writes a checkpoint.'),
  'Metadata:Directory': never(
    'R2',
    optionalText('Directory of the namespace catalogue; default: metadata inside StorageDirectory.'),
  ),
  'Namespaces:MaxNamespaces': liveForNewWork(positive(10_000, 'Most namespaces, default included.')),
  'Namespaces:LoadOnStartup': flag(true, 'Whether a namespace without a policy of its own is loaded at start.'),
  'Namespaces:StartupLoadMode': choice(['Catalog', 'All', 'DefaultOnly'], 'Catalog', 'Which namespaces a start loads.'),
};

const security = {
  'Security:ApiKey': never('R1', secret('Key that every request must carry; without it none is asked for.')),
  'Security:ApiKeyHeader': never('R1', headerName('X-Api-Key', 'Header that carries the key.')),
  'Security:EnableConfigurationWrite': never('R1', flag(false, 'Whether PATCH /config may write.')),
  'Security:EnableDynamicPluginLoading': never('R1', flag(true, 'Whether plugins may be registered at run time.')),
  'Security:AllowedCorsOrigins': never('R1', list('Origins whose pages may call the service from a browser.')),
  'Security:SensitiveRateLimitPermitPerWindow': never(
    'R1',
    positive(30, 'Requests to sensitive endpoints in one window.'),
  ),
  'Security:RateLimitWindowSeconds': never('R1', seconds(10, 'Length of that window.')),
  'Security:BenchmarkMaxIterations': never('R1', positive(10_000, 'Ceiling of benchmark iterations.')),
  'Security:BenchmarkMaxSeconds': never('R1', positive(30, 'After so long no iteration begins.', maxSeconds)),
};

const observability = {
  'Observability:Prometheus:Enabled': never('R5', flag(false, 'Whether GET /metrics answers.')),
  'Observability:Prometheus:RequireApiKey': never('R5', flag(false, 'Whether GET /metrics asks for the key.')),
  'Observability:Otlp:Endpoint': never('R4', optionalText('OTLP endpoint for metrics, traces and logs.')),
  'Observability:TracingSamplingRatio': ratio(1, 'Share of traces that are sampled.'),
  'Observability:StatisticsElementBudget': positive(1_000_000, 'Elements that statistics look at before they sample.'),
  'Observability:StatisticsTopN': positive(20, 'Length of the top lists of statistics.'),
  'Identity:Tenant:Id': never('R6', optionalText('Tenant that telemetry names.')),
  'Identity:Tenant:Name': never('R6', optionalText('Name of that tenant.')),
  'Identity:Instance:Id': never('R6', optionalText('Instance that telemetry names.')),
  'Identity:Instance:Name': never('R6', optionalText('Name of that instance.')),
};

const queries = {
  'Analytics:DefaultTimeBudgetSeconds': seconds(30, 'Time of an analytics run that names none.'),
  'Analytics:MaxTimeBudgetSeconds': seconds(300, 'Longest time an analytics run may ask for.'),
  'Analytics:MaxConcurrentRuns': positive(1, 'Analytics runs at once.'),
  'Analytics:LogWriteBack': flag(
    false,
    'Whether written-back values go to the log; otherwise only checkpoints keep them.',
  ),
  'Analytics:ProjectionCacheMegabytes': integer(
    512,
    0,
    4096,
    'MiB of projected graphs that a namespace keeps for the next analytics run; writes that need the memory take it.',
  ),
  'Plugins:MaxCount': liveForNewWork(positive(64, 'Registered plugins of one namespace.')),
  'Plugins:MaxSeconds': liveForNewWork(positive(60, 'Time that one call of a plugin may take.', maxSeconds)),
  'Plugins:MaxMemoryBytes': liveForNewWork(
    integer(268_435_456, 1_048_576, 4_294_967_296, 'Bytes that what one call of a plugin holds may take.'),
  ),
  'StoredQueries:MaxCount': liveForNewWork(positive(256, 'Stored queries of one namespace.')),
};

export const catalogue = {
  ...listener,
  ...storage,
  ...security,
  ...observability,
  ...queries,
  ...embedding,
  ...chat,
  ...documents,
  ...cluster,
};

/** Keys that stand for another one: the contract's part 1 shortens this one. */
export const aliases: Readonly<Record<string, SettingKey>> = { AllowedCorsOrigins: 'Security:AllowedCorsOrigins' };

export type SettingKey = keyof typeof catalogue;

/** The value of every setting. */
export type Settings = {
  readonly [Key in SettingKey]: (typeof catalogue)[Key] extends Setting<infer Value> ? Value : never;
};

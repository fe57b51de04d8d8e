// Every setting of the service by its key under the root `Service:` (contract: configuration tables of all three parts). A key
// that is not here is reported and ignored. The value is read once, at start.

import {
  choice,
  flag,
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

/** The root that every key stands under. */
export const settingsRoot = 'Service';

const seconds = (initial: number, description: string): Setting<number> => positive(initial, description, maxSeconds);
const mebibyte = 1024 * 1024;
const embeddingBackends = ['Onnx', 'LLamaSharp', 'Ollama', 'Nahil', 'OpenAI'] as const;
const chatBackends = ['Ollama', 'Nahil', 'OpenAI', 'Anthropic'] as const;

const listener = {
  'Http:Host': text('127.0.0.1', 'Address the service listens on.'),
  'Http:Port': integer(8080, 0, 65535, 'Port the service listens on; 0 takes any free one.'),
  'Http:MaxBatchItems': positive(500_000, 'Items of a list in the body of one request.'),
  'Http:MaxBodyValues': positive(3_000_000, 'Values in the body of one request: items and members, nested ones too.'),
  'Http:MaxItemValues': positive(500_000, 'Values in one item of such a list, or in a body that is no list.'),
  'Http:MaxBodyDepth': positive(256, 'Lists and objects in the body of one request that may lie in each other.'),
  'Log:Level': choice(
    ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
    'info',
    'Least severe log line that is written.',
  ),
  'Fragments:MaxFuel': integer(
    1_000_000_000_000,
    1,
    Number.MAX_SAFE_INTEGER,
    'What the fragments of one request may spend: about one for each loop round, call and item.',
  ),
  'Fragments:MaxSeconds': positive(
    600,
    'Time that one request with fragments may take, also without a budget.',
    maxSeconds,
  ),
  'Subgraphs:MaxCount': positive(1024, 'Subgraphs a namespace may have.', 1024),
  'Subgraphs:MaxElements': positive(10_000_000, 'Elements a subgraph may have.', 10_000_000),
  'Subgraphs:MaxTotalElements': positive(
    25_000_000,
    'Elements that all subgraphs of a namespace may have together.',
    25_000_000,
  ),
  'Subgraphs:MaxMatchSteps': integer(
    1_000_000_000,
    1,
    Number.MAX_SAFE_INTEGER,
    'Edges that matching one pattern may look at.',
  ),
  'Subgraphs:MaxMatchBytes': positive(256 * mebibyte, 'Working memory that matching one pattern may take.'),
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
    'Most bytes of memory one namespace may take; a write beyond is refused.',
  ),
};

const storage = {
  'BulkIO:ImportBatchSize': positive(10_000, 'Elements of one import transaction.'),
  'BulkIO:MaxLineBytes': positive(mebibyte, 'Longest line an import accepts, in bytes.'),
  'BulkIO:MaxImportRequestBytes': positiveOrNone('Largest import body in bytes; without it there is no limit.'),
  'ChangeFeed:Enabled': flag(true, 'Whether the change feed answers.'),
  'ChangeFeed:BufferSize': integer(8192, 1, 1_000_000, 'Events kept for catching up.'),
  'ChangeFeed:SubscriberQueueSize': positive(1024, 'Events queued for one subscriber.'),
  'ChangeFeed:MaxSubscribers': positive(32, 'Subscribers of one namespace.'),
  'ChangeFeed:KeepAliveSeconds': seconds(15, 'Seconds between heartbeats of an idle feed.'),
  'ChangeFeed:DeliveryThread': flag(true, 'Whether a thread of its own writes to subscribers, started with the first.'),
  'Durability:StorageDirectory': optionalText(
    'Directory of logs and checkpoints; default: arcwise-data where the service starts.',
  ),
  'Durability:CheckpointBaseName': text('Temp.f8s', 'Default file name of a checkpoint.'),
  'Durability:WalPath': optionalText("Path of the default namespace's log; default: inside StorageDirectory."),
  'Durability:Volatile': flag(false, 'No log and no checkpoints: a restart loses everything.'),
  'Durability:LogIndexes': flag(
    true,
    'Whether changes of indexes are logged; otherwise a crash takes them back to the last checkpoint.',
  ),
  'Durability:SaveOnShutdown': flag(true, 'Whether a clean shutdown writes a checkpoint.'),
  'Metadata:Directory': optionalText(
    'Directory of the namespace catalogue; default: metadata inside StorageDirectory.',
  ),
  'Namespaces:MaxNamespaces': positive(10_000, 'Most namespaces, default included.'),
  'Namespaces:LoadOnStartup': flag(true, 'Whether a namespace without a policy of its own is loaded at start.'),
  'Namespaces:StartupLoadMode': choice(['Catalog', 'All', 'DefaultOnly'], 'Catalog', 'Which namespaces a start loads.'),
};

const security = {
  'Security:ApiKey': secret('Key that every request must carry; without it none is asked for.'),
  'Security:ApiKeyHeader': headerName('X-Api-Key', 'Header that carries the key.'),
  'Security:EnableConfigurationWrite': flag(false, 'Whether PATCH /config may write.'),
  'Security:EnableDynamicPluginLoading': flag(true, 'Whether plugins may be registered at run time.'),
  'Security:AllowedCorsOrigins': list('Origins whose pages may call the service from a browser.'),
  'Security:SensitiveRateLimitPermitPerWindow': positive(30, 'Requests to sensitive endpoints in one window.'),
  'Security:RateLimitWindowSeconds': seconds(10, 'Length of that window.'),
  'Security:BenchmarkMaxIterations': positive(10_000, 'Ceiling of benchmark iterations.'),
};

const observability = {
  'Observability:Prometheus:Enabled': flag(false, 'Whether GET /metrics answers.'),
  'Observability:Prometheus:RequireApiKey': flag(false, 'Whether GET /metrics asks for the key.'),
  'Observability:Otlp:Endpoint': optionalText('OTLP endpoint for metrics, traces and logs.'),
  'Observability:TracingSamplingRatio': ratio(1, 'Share of traces that are sampled.'),
  'Observability:StatisticsElementBudget': positive(1_000_000, 'Elements that statistics look at before they sample.'),
  'Observability:StatisticsTopN': positive(20, 'Length of the top lists of statistics.'),
  'Identity:Tenant:Id': optionalText('Tenant that telemetry names.'),
  'Identity:Tenant:Name': optionalText('Name of that tenant.'),
  'Identity:Instance:Id': optionalText('Instance that telemetry names.'),
  'Identity:Instance:Name': optionalText('Name of that instance.'),
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
  'Plugins:MaxCount': positive(64, 'Registered plugins of one namespace.'),
  'StoredQueries:MaxCount': positive(256, 'Stored queries of one namespace.'),
};

const embedding = {
  'Embedding:Enabled': flag(false, 'Whether the embedding provider is on.'),
  'Embedding:Backend': choice(embeddingBackends, 'Onnx', 'Backend of the embedding provider.'),
  'Embedding:ModelName': text('', 'Identity of the embedding model.'),
  'Embedding:ModelVersion': text('', 'Version of the embedding model.'),
  'Embedding:Dimension': integer(0, 0, 4096, 'Declared length of an embedding.'),
  'Embedding:IntendedMetric': choice(['Cosine', 'DotProduct', 'L2'], 'Cosine', 'Metric the embeddings are meant for.'),
  'Embedding:MaxBatchSize': positive(64, 'Texts of one embedding request.'),
  'Embedding:MaxTextLength': positive(8192, 'Characters of one text.'),
  'Embedding:MaxConcurrentBatches': positive(1, 'Batches in flight while a document is ingested.'),
  'Embedding:QueryPrefix': text('', 'Prefix of texts that are searched for.'),
  'Embedding:TimeoutSeconds': seconds(300, 'Deadline of one batch.'),
  'Embedding:Onnx:ModelPath': optionalText('Model file.'),
  'Embedding:Onnx:VocabPath': optionalText('Vocabulary file.'),
  'Embedding:Onnx:MaxTokens': positive(512, 'Tokens of one text.'),
  'Embedding:Onnx:Pooling': text('Cls', 'How token vectors become one.'),
  'Embedding:Onnx:Normalize': flag(true, 'Whether embeddings have length 1.'),
  'Embedding:LLamaSharp:ModelPath': optionalText('Model file.'),
  'Embedding:Ollama:Endpoint': text('http://localhost:11434', 'Address of the Ollama host.'),
  'Embedding:Ollama:Model': text('bge-m3:latest', 'Model of the Ollama host.'),
  'Embedding:Nahil:Endpoint': optionalText('Address of the Nahil host.'),
  'Embedding:Nahil:ApiKey': secret('Its key.'),
  'Embedding:Nahil:Model': optionalText('Its model.'),
  'Embedding:OpenAI:Endpoint': optionalText('Address of the OpenAI-type host.'),
  'Embedding:OpenAI:ApiKey': secret('Its key.'),
  'Embedding:OpenAI:Model': optionalText('Its model.'),
};

const chat = {
  'Chat:Enabled': flag(false, 'Whether the chat gateway is on.'),
  'Chat:Backend': choice(chatBackends, 'Ollama', 'Backend of the chat gateway.'),
  'Chat:TimeoutSeconds': seconds(120, 'Deadline of a completion.'),
  'Chat:Stream': flag(true, 'Whether the backend is asked to stream.'),
  'Chat:Ollama:Endpoint': text('http://localhost:11434', 'Address of the Ollama host.'),
  'Chat:Ollama:Models:Assist': optionalText('Model for the purpose assist.'),
  'Chat:Ollama:Models:Agent': optionalText('Model for the purpose agent.'),
  'Chat:Nahil:Endpoint': optionalText('Address of the Nahil host.'),
  'Chat:Nahil:ApiKey': secret('Its key.'),
  'Chat:Nahil:Model': optionalText('Its model.'),
  'Chat:OpenAI:Endpoint': optionalText('Address of the OpenAI-type host.'),
  'Chat:OpenAI:ApiKey': secret('Its key.'),
  'Chat:OpenAI:Model': optionalText('Its model.'),
  'Chat:Anthropic:Endpoint': optionalText('Address of the Anthropic-type host.'),
  'Chat:Anthropic:ApiKey': secret('Its key.'),
  'Chat:Anthropic:Model': optionalText('Its model.'),
  'Chat:Anthropic:MaxTokens': positive(4096, 'Tokens a completion may have.'),
};

const documents = {
  'Ingestion:Enabled': flag(false, 'Whether documents can be ingested.'),
  'Ingestion:MaxUploadBytes': integer(33_554_432, 1, 536_870_912, 'Largest document in bytes.'),
  'Ingestion:MaxPages': positive(500, 'Pages of one document.'),
  'Ingestion:MaxChunksPerDocument': positive(2000, 'Chunks of one document.'),
  'Ingestion:MaxChunksPerNamespace': positive(100_000, 'Chunks of one namespace.'),
  'Ingestion:MaxQueueLength': positive(256, 'Documents waiting.'),
  'Ingestion:ChunkMinChars': positive(800, 'Shortest chunk in characters.'),
  'Ingestion:ChunkMaxChars': positive(3600, 'Longest chunk in characters.'),
  'Ingestion:MaxIdentifiersPerChunk': positive(64, 'Identifiers taken from one chunk.'),
  'Ingestion:MaxLinksPerChunk': positive(16, 'Links of one chunk.'),
  'Ingestion:EmbeddingName': text('default', 'Embedding that chunks carry.'),
  'Ingestion:VectorIndexId': text('documents', 'Vector index of chunks.'),
  'Ingestion:FulltextIndexId': text('documents-text', 'Fulltext index of chunks.'),
  'Ingestion:EntityIndexId': text('documents-entities', 'Index of entities.'),
  'Ingestion:EnsureVectorIndex': flag(true, 'Whether binding creates the vector index.'),
  'Ingestion:EnsureFulltextIndex': flag(true, 'Whether binding creates the fulltext index.'),
  'Ingestion:EnsureEntityIndex': flag(true, 'Whether binding creates the entity index.'),
  'Ingestion:Docling:Endpoint': optionalText('Address of the document converter.'),
  'Ingestion:Docling:TimeoutSeconds': seconds(600, 'Deadline of one conversion.'),
  'Ingestion:Docling:PollIntervalSeconds': seconds(2, 'Seconds between looks at a conversion.'),
  'Ingestion:Docling:DoOcr': flag(false, 'Whether images are read.'),
  'Ingestion:Docling:TableMode': choice(['fast', 'accurate'], 'fast', 'How tables are read.'),
  'Ingestion:Docling:OcrEngine': text('', 'Engine that reads images.'),
  'Integrations:Enabled': flag(false, 'Whether integrations are on.'),
  'Integrations:Endpoint': optionalText('Address of the integration host.'),
  'Integrations:TimeoutSeconds': seconds(120, 'Deadline of one integration call.'),
  'Nlp:Enabled': flag(false, 'Whether the language service is on.'),
  'Nlp:Endpoint': optionalText('Address of the language service.'),
  'Nlp:TimeoutSeconds': seconds(60, 'Deadline of one call.'),
  'Nlp:MaxCharsPerChunk': positive(20_000, 'Characters of one call.'),
  'Nlp:MaxEntitiesPerChunk': positive(32, 'Entities taken from one chunk.'),
  'Nlp:MaxKeyTermsPerChunk': positive(32, 'Key terms taken from one chunk.'),
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
};

/** Keys that stand for another one: the contract's part 1 shortens this one. */
export const aliases: Readonly<Record<string, SettingKey>> = { AllowedCorsOrigins: 'Security:AllowedCorsOrigins' };

export type SettingKey = keyof typeof catalogue;

/** The value of every setting. */
export type Settings = {
  readonly [Key in SettingKey]: (typeof catalogue)[Key] extends Setting<infer Value> ? Value : never;
};

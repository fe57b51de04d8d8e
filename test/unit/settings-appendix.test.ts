// The catalogue of settings against the contract's list of them (reference, appendix A; the seeds where they differ), written down here a
// second time: key, default, when a change counts, rule, bounds.

import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/config/catalogue.ts';
import type { Setting } from '../../src/config/kinds.ts';

const live = 'liveForNewWork';
const restart = 'restart';
const int32 = 2_147_483_647;
const seconds = 2_147_483;

type Line = readonly [key: string, initial: unknown, mode: string, minimum?: number, maximum?: number];

const lines: readonly Line[] = [
  ['Analytics:DefaultTimeBudgetSeconds', 30, restart, 1, seconds],
  ['Analytics:MaxTimeBudgetSeconds', 300, restart, 1, seconds],
  ['Analytics:MaxConcurrentRuns', 1, restart, 1, int32],
  ['BulkIO:ImportBatchSize', 10_000, restart, 1, int32],
  ['BulkIO:MaxLineBytes', 1_048_576, restart, 1, int32],
  ['BulkIO:MaxImportRequestBytes', null, restart, 1, Number.MAX_SAFE_INTEGER],
  ['ChangeFeed:Enabled', true, restart],
  ['ChangeFeed:BufferSize', 8192, restart, 1, 1_000_000],
  ['ChangeFeed:SubscriberQueueSize', 1024, live, 1, int32],
  ['ChangeFeed:MaxSubscribers', 32, live, 1, int32],
  ['ChangeFeed:KeepAliveSeconds', 15, live, 1, seconds],
  ['Chat:Enabled', false, 'R5'],
  ['Chat:Backend', 'Ollama', restart],
  ['Chat:TimeoutSeconds', 120, restart, 1, seconds],
  ['Chat:Stream', true, restart],
  ['Chat:Ollama:Endpoint', 'http://localhost:11434', 'R4'],
  ['Chat:Ollama:Model', 'phi4-f8-mini:latest', restart],
  ['Chat:Ollama:Models:Assist', null, restart],
  ['Chat:Ollama:Models:Agent', null, restart],
  ['Chat:Nahil:Endpoint', null, 'R4'],
  ['Chat:Nahil:ApiKey', null, 'R8'],
  ['Chat:Nahil:Model', null, restart],
  ['Chat:OpenAI:Endpoint', null, 'R4'],
  ['Chat:OpenAI:ApiKey', null, 'R8'],
  ['Chat:OpenAI:Model', null, restart],
  ['Chat:Anthropic:Endpoint', null, 'R4'],
  ['Chat:Anthropic:ApiKey', null, 'R8'],
  ['Chat:Anthropic:Model', null, restart],
  ['Chat:Anthropic:MaxTokens', 4096, restart, 1, int32],
  ['Durability:StorageDirectory', null, 'R2'],
  ['Durability:CheckpointBaseName', 'Temp.f8s', 'R2'],
  ['Durability:WalPath', null, 'R2'],
  ['Durability:Volatile', false, 'R2'],
  ['Durability:SaveOnShutdown', true, restart],
  ['Embedding:Enabled', false, 'R5'],
  ['Embedding:Backend', 'Onnx', 'R3'],
  ['Embedding:ModelName', '', 'R3'],
  ['Embedding:ModelVersion', '', 'R3'],
  ['Embedding:Dimension', 0, 'R3', 0, 4096],
  ['Embedding:IntendedMetric', 'Cosine', 'R3'],
  ['Embedding:TimeoutSeconds', 300, restart, 1, seconds],
  ['Embedding:MaxBatchSize', 64, restart, 1, int32],
  ['Embedding:MaxTextLength', 8192, restart, 1, int32],
  ['Embedding:MaxConcurrentBatches', 1, restart, 1, int32],
  ['Embedding:QueryPrefix', '', restart],
  ['Embedding:Onnx:ModelPath', null, 'R3'],
  ['Embedding:Onnx:VocabPath', null, 'R3'],
  ['Embedding:Onnx:MaxTokens', 512, 'R3', 1, int32],
  ['Embedding:Onnx:Pooling', 'Cls', 'R3'],
  ['Embedding:Onnx:Normalize', true, 'R3'],
  ['Embedding:LLamaSharp:ModelPath', null, 'R3'],
  ['Embedding:Ollama:Endpoint', 'http://localhost:11434', 'R4'],
  ['Embedding:Ollama:Model', 'bge-m3:latest', 'R3'],
  ['Embedding:Nahil:Endpoint', null, 'R4'],
  ['Embedding:Nahil:ApiKey', null, 'R8'],
  ['Embedding:Nahil:Model', null, 'R3'],
  ['Embedding:OpenAI:Endpoint', null, 'R4'],
  ['Embedding:OpenAI:ApiKey', null, 'R8'],
  ['Embedding:OpenAI:Model', null, 'R3'],
  ['Identity:Tenant:Id', null, 'R6'],
  ['Identity:Tenant:Name', null, 'R6'],
  ['Identity:Instance:Id', null, 'R6'],
  ['Identity:Instance:Name', null, 'R6'],
  ['Ingestion:Enabled', false, 'R5'],
  ['Ingestion:MaxUploadBytes', 33_554_432, restart, 1, 536_870_912],
  ['Ingestion:MaxPages', 500, restart, 1, int32],
  ['Ingestion:MaxChunksPerDocument', 2000, restart, 1, int32],
  ['Ingestion:MaxChunksPerNamespace', 100_000, restart, 1, int32],
  ['Ingestion:MaxQueueLength', 256, restart, 1, int32],
  ['Ingestion:ChunkMinChars', 800, restart, 1, int32],
  ['Ingestion:ChunkMaxChars', 3600, restart, 1, int32],
  ['Ingestion:MaxIdentifiersPerChunk', 64, restart, 1, int32],
  ['Ingestion:MaxLinksPerChunk', 16, restart, 1, int32],
  ['Ingestion:EmbeddingName', 'default', 'R3'],
  ['Ingestion:VectorIndexId', 'documents', 'R3'],
  ['Ingestion:FulltextIndexId', 'documents-text', 'R3'],
  ['Ingestion:EntityIndexId', 'documents-entities', 'R3'],
  ['Ingestion:EnsureVectorIndex', true, restart],
  ['Ingestion:EnsureFulltextIndex', true, restart],
  ['Ingestion:EnsureEntityIndex', true, restart],
  ['Ingestion:Docling:Endpoint', null, 'R4'],
  ['Ingestion:Docling:TimeoutSeconds', 600, restart, 1, seconds],
  ['Ingestion:Docling:PollIntervalSeconds', 2, restart, 1, seconds],
  ['Ingestion:Docling:DoOcr', false, restart],
  ['Ingestion:Docling:TableMode', 'fast', restart],
  ['Ingestion:Docling:OcrEngine', '', restart],
  ['Integrations:Enabled', false, 'R5'],
  ['Integrations:Endpoint', null, 'R4'],
  ['Integrations:TimeoutSeconds', 120, restart, 1, seconds],
  ['Metadata:Directory', null, 'R2'],
  ['Namespaces:MaxNamespaces', 10_000, live, 1, int32],
  ['Namespaces:LoadOnStartup', true, restart],
  ['Namespaces:StartupLoadMode', 'Catalog', restart],
  ['Nlp:Enabled', false, restart],
  ['Nlp:Endpoint', null, 'R4'],
  ['Nlp:TimeoutSeconds', 60, restart, 1, seconds],
  ['Nlp:MaxCharsPerChunk', 20_000, restart, 1, int32],
  ['Nlp:MaxEntitiesPerChunk', 32, restart, 1, int32],
  ['Nlp:MaxKeyTermsPerChunk', 32, restart, 1, int32],
  ['Observability:Prometheus:Enabled', false, 'R5'],
  ['Observability:Prometheus:RequireApiKey', false, 'R5'],
  ['Observability:Otlp:Endpoint', null, 'R4'],
  ['Observability:TracingSamplingRatio', 1, restart, 0, 1],
  ['Observability:StatisticsElementBudget', 1_000_000, restart, 1, int32],
  ['Observability:StatisticsTopN', 20, restart, 1, int32],
  ['Plugins:MaxCount', 64, live, 1, int32],
  ['StoredQueries:MaxCount', 256, live, 1, int32],
  ['Security:ApiKey', null, 'R1'],
  ['Security:ApiKeyHeader', 'X-Api-Key', 'R1'],
  ['Security:EnableConfigurationWrite', false, 'R1'],
  ['Security:EnableDynamicPluginLoading', true, 'R1'],
  ['Security:AllowedCorsOrigins', [], 'R1'],
  ['Security:SensitiveRateLimitPermitPerWindow', 30, 'R1', 1, int32],
  ['Security:RateLimitWindowSeconds', 10, 'R1', 1, seconds],
  ['Security:BenchmarkMaxIterations', 10_000, 'R1', 1, int32],
];

const settings = catalogue as unknown as Readonly<Record<string, Setting<unknown>>>;

test.each(lines.map((line) => [line[0], line] as const))('%s', (_, [key, initial, mode, least, greatest]) => {
  const minimum = least ?? null;
  const maximum = greatest ?? null;
  const setting = settings[key];
  const isRule = /^R\d$/.test(mode);
  expect(setting).toMatchObject({ initial, minimum, maximum, applyMode: isRule ? 'never' : mode });
  expect(setting?.exclusion?.rule ?? null).toBe(isRule ? mode : null);
});

describe('every setting', () => {
  test.each(Object.entries(settings))('%s is described by data that agree', (_, setting) => {
    const { kind, initial, minimum, maximum, words, applyMode, exclusion, schema } = setting;
    expect(exclusion !== null).toBe(applyMode === 'never');
    expect(words !== null).toBe(kind === 'enum');
    expect([minimum, maximum].every((bound) => bound === null)).toBe(kind !== 'int' && kind !== 'double');
    const types = {
      bool: 'boolean',
      int: 'number',
      double: 'number',
      string: 'string',
      enum: 'string',
      array: 'object',
    };
    if (initial !== null) {
      expect(typeof initial).toBe(types[kind]);
      expect(schema.safeParse(String(initial))).toEqual({ success: true, data: initial });
    }
    for (const word of words ?? []) expect(schema.safeParse(word)).toEqual({ success: true, data: word });
    if (kind !== 'int' || minimum === null || maximum === null) return;
    const takes = (value: number): boolean => schema.safeParse(String(value)).success;
    expect([minimum - 1, minimum, maximum, maximum + 1].map(takes)).toEqual([false, true, true, false]);
  });
});

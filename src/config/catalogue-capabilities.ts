// The settings of what stands beside the graph: embedding of texts, chat, documents and the services they call. All of them are known
// whether or not this version has the capability; ./unbuilt.ts says which it has not.

import { choice, flag, integer, maxSeconds, optionalText, positive, type Setting, secret, text } from './kinds.ts';
import { never } from './writing.ts';

const seconds = (initial: number, description: string): Setting<number> => positive(initial, description, maxSeconds);
const embeddingBackends = ['Onnx', 'LLamaSharp', 'Ollama', 'Nahil', 'OpenAI'] as const;
const chatBackends = ['Ollama', 'Nahil', 'OpenAI', 'Anthropic'] as const;

export const embedding = {
  'Embedding:Enabled': never('R5', flag(false, 'Whether the embedding provider is on.')),
  'Embedding:Backend': never('R3', choice(embeddingBackends, 'Onnx', 'Backend of the embedding provider.')),
  'Embedding:ModelName': never('R3', text('', 'Identity of the embedding model.')),
  'Embedding:ModelVersion': never('R3', text('', 'Version of the embedding model.')),
  'Embedding:Dimension': never('R3', integer(0, 0, 4096, 'Declared length of an embedding.')),
  'Embedding:IntendedMetric': never(
    'R3',
    choice(['Cosine', 'DotProduct', 'L2'], 'Cosine', 'Metric the embeddings are meant for.'),
  ),
  'Embedding:MaxBatchSize': positive(64, 'Texts of one embedding request.'),
  'Embedding:MaxTextLength': positive(8192, 'Characters of one text.'),
  'Embedding:MaxConcurrentBatches': positive(1, 'Batches in flight while a document is ingested.'),
  'Embedding:QueryPrefix': text('', 'Prefix of texts that are searched for.'),
  'Embedding:TimeoutSeconds': seconds(300, 'Deadline of one batch.'),
  'Embedding:Onnx:ModelPath': never('R3', optionalText('Model file.')),
  'Embedding:Onnx:VocabPath': never('R3', optionalText('Vocabulary file.')),
  'Embedding:Onnx:MaxTokens': never('R3', positive(512, 'Tokens of one text.')),
  'Embedding:Onnx:Pooling': never('R3', text('Cls', 'How token vectors become one.')),
  'Embedding:Onnx:Normalize': never('R3', flag(true, 'Whether embeddings have length 1.')),
  'Embedding:LLamaSharp:ModelPath': never('R3', optionalText('Model file.')),
  'Embedding:Ollama:Endpoint': never('R4', text('http://localhost:11434', 'Address of the Ollama host.')),
  'Embedding:Ollama:Model': never('R3', text('bge-m3:latest', 'Model of the Ollama host.')),
  'Embedding:Nahil:Endpoint': never('R4', optionalText('Address of the Nahil host.')),
  'Embedding:Nahil:ApiKey': never('R8', secret('Its key.')),
  'Embedding:Nahil:Model': never('R3', optionalText('Its model.')),
  'Embedding:OpenAI:Endpoint': never('R4', optionalText('Address of the OpenAI-type host.')),
  'Embedding:OpenAI:ApiKey': never('R8', secret('Its key.')),
  'Embedding:OpenAI:Model': never('R3', optionalText('Its model.')),
};

export const chat = {
  'Chat:Enabled': never('R5', flag(false, 'Whether the chat gateway is on.')),
  'Chat:Backend': choice(chatBackends, 'Ollama', 'Backend of the chat gateway.'),
  'Chat:TimeoutSeconds': seconds(120, 'Deadline of a completion.'),
  'Chat:Stream': flag(true, 'Whether the backend is asked to stream.'),
  'Chat:Ollama:Endpoint': never('R4', text('http://localhost:11434', 'Address of the Ollama host.')),
  'Chat:Ollama:Model': text('phi4-f8-mini:latest', 'Model for the purpose assist where it has none of its own.'),
  'Chat:Ollama:Models:Assist': optionalText('Model for the purpose assist.'),
  'Chat:Ollama:Models:Agent': optionalText('Model for the purpose agent.'),
  'Chat:Nahil:Endpoint': never('R4', optionalText('Address of the Nahil host.')),
  'Chat:Nahil:ApiKey': never('R8', secret('Its key.')),
  'Chat:Nahil:Model': optionalText('Its model.'),
  'Chat:OpenAI:Endpoint': never('R4', optionalText('Address of the OpenAI-type host.')),
  'Chat:OpenAI:ApiKey': never('R8', secret('Its key.')),
  'Chat:OpenAI:Model': optionalText('Its model.'),
  'Chat:Anthropic:Endpoint': never('R4', optionalText('Address of the Anthropic-type host.')),
  'Chat:Anthropic:ApiKey': never('R8', secret('Its key.')),
  'Chat:Anthropic:Model': optionalText('Its model.'),
  'Chat:Anthropic:MaxTokens': positive(4096, 'Tokens a completion may have.'),
};

export const documents = {
  'Ingestion:Enabled': never('R5', flag(false, 'Whether documents can be ingested.')),
  'Ingestion:MaxUploadBytes': integer(33_554_432, 1, 536_870_912, 'Largest document in bytes.'),
  'Ingestion:MaxPages': positive(500, 'Pages of one document.'),
  'Ingestion:MaxChunksPerDocument': positive(2000, 'Chunks of one document.'),
  'Ingestion:MaxChunksPerNamespace': positive(100_000, 'Chunks of one namespace.'),
  'Ingestion:MaxQueueLength': positive(256, 'Documents waiting.'),
  'Ingestion:ChunkMinChars': positive(800, 'Shortest chunk in characters.'),
  'Ingestion:ChunkMaxChars': positive(3600, 'Longest chunk in characters.'),
  'Ingestion:MaxIdentifiersPerChunk': positive(64, 'Identifiers taken from one chunk.'),
  'Ingestion:MaxLinksPerChunk': positive(16, 'Links of one chunk.'),
  'Ingestion:EmbeddingName': never('R3', text('default', 'Embedding that chunks carry.')),
  'Ingestion:VectorIndexId': never('R3', text('documents', 'Vector index of chunks.')),
  'Ingestion:FulltextIndexId': never('R3', text('documents-text', 'Fulltext index of chunks.')),
  'Ingestion:EntityIndexId': never('R3', text('documents-entities', 'Index of entities.')),
  'Ingestion:EnsureVectorIndex': flag(true, 'Whether binding creates the vector index.'),
  'Ingestion:EnsureFulltextIndex': flag(true, 'Whether binding creates the fulltext index.'),
  'Ingestion:EnsureEntityIndex': flag(true, 'Whether binding creates the entity index.'),
  'Ingestion:Docling:Endpoint': never('R4', optionalText('Address of the document converter.')),
  'Ingestion:Docling:TimeoutSeconds': seconds(600, 'Deadline of one conversion.'),
  'Ingestion:Docling:PollIntervalSeconds': seconds(2, 'Seconds between looks at a conversion.'),
  'Ingestion:Docling:DoOcr': flag(false, 'Whether images are read.'),
  'Ingestion:Docling:TableMode': choice(['fast', 'accurate'], 'fast', 'How tables are read.'),
  'Ingestion:Docling:OcrEngine': text('', 'Engine that reads images.'),
  'Integrations:Enabled': never('R5', flag(false, 'Whether integrations are on.')),
  'Integrations:Endpoint': never('R4', optionalText('Address of the integration host.')),
  'Integrations:TimeoutSeconds': seconds(120, 'Deadline of one integration call.'),
  'Nlp:Enabled': flag(false, 'Whether the language service is on.'),
  'Nlp:Endpoint': never('R4', optionalText('Address of the language service.')),
  'Nlp:TimeoutSeconds': seconds(60, 'Deadline of one call.'),
  'Nlp:MaxCharsPerChunk': positive(20_000, 'Characters of one call.'),
  'Nlp:MaxEntitiesPerChunk': positive(32, 'Entities taken from one chunk.'),
  'Nlp:MaxKeyTermsPerChunk': positive(32, 'Key terms taken from one chunk.'),
};

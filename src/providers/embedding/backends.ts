// The backends of the embedding provider by name, and what each needs of the settings. A setting that does not do is a ProviderFailed that
// names its key.

import type { SettingKey, Settings } from '../../config/catalogue.ts';
import { endpointOf, requiredText } from '../endpoint.ts';
import { misconfigured } from '../failure.ts';
import { bearer, Remote, tooMany, unavailable } from '../remote.ts';
import { OllamaEmbedding } from './ollama.ts';
import { OpenAiEmbedding } from './openai.ts';
import type { EmbeddingBackend } from './types.ts';

/** What a home has for models that run in it. */
export interface LocalModels {
  /** Loads an ONNX model with its vocabulary; throws ProviderFailed. */
  onnx(options: OnnxOptions): Promise<EmbeddingBackend>;
  /** Loads a GGUF model, where its runtime is installed; throws ProviderFailed. */
  gguf(options: GgufOptions): Promise<EmbeddingBackend>;
}

export interface GgufOptions {
  readonly modelPath: string;
}

export interface OnnxOptions {
  readonly modelPath: string;
  readonly vocabPath: string;
  readonly maxTokens: number;
  readonly pooling: 'Cls' | 'Mean';
  readonly normalize: boolean;
}

export interface BackendParts {
  readonly settings: Settings;
  readonly fetch: typeof globalThis.fetch;
  /** Null: this home runs no models. */
  readonly models: LocalModels | null;
}

type Create = (parts: BackendParts) => EmbeddingBackend | Promise<EmbeddingBackend>;

const kinds: Readonly<Record<string, Create>> = {
  Onnx: createOnnx,
  LLamaSharp: ({ settings, models }) => {
    const modelPath = requiredText('Embedding:LLamaSharp:ModelPath', settings['Embedding:LLamaSharp:ModelPath']);
    if (models === null) throw misconfigured('Embedding:Backend', 'is LLamaSharp, and this home runs no models');
    return models.gguf({ modelPath });
  },
  Ollama: ({ settings, fetch }) => {
    const model = requiredText('Embedding:Ollama:Model', settings['Embedding:Ollama:Model']);
    return new OllamaEmbedding(
      remote(settings, fetch, 'Embedding:Ollama:Endpoint', null, [tooMany]),
      model,
      settings['Embedding:Dimension'],
    );
  },
  Nahil: ({ settings, fetch }) => {
    const key = requiredText('Embedding:Nahil:ApiKey', settings['Embedding:Nahil:ApiKey']);
    const model = requiredText('Embedding:Nahil:Model', settings['Embedding:Nahil:Model']);
    const busy = [tooMany, unavailable];
    return new OllamaEmbedding(
      remote(settings, fetch, 'Embedding:Nahil:Endpoint', key, busy),
      model,
      settings['Embedding:Dimension'],
    );
  },
  OpenAI: ({ settings, fetch }) => {
    const model = requiredText('Embedding:OpenAI:Model', settings['Embedding:OpenAI:Model']);
    const key = settings['Embedding:OpenAI:ApiKey'];
    return new OpenAiEmbedding(
      remote(settings, fetch, 'Embedding:OpenAI:Endpoint', key, [tooMany]),
      model,
      settings['Embedding:Dimension'],
    );
  },
};

/** Throws ProviderFailed. */
export async function createEmbeddingBackend(parts: BackendParts): Promise<EmbeddingBackend> {
  const name = parts.settings['Embedding:Backend'];
  if (Object.hasOwn(kinds, name)) return (kinds[name] as Create)(parts);
  throw misconfigured('Embedding:Backend', `takes one of ${Object.keys(kinds).join(', ')}, in these letters`);
}

/** Whether a backend can be made of the settings without loading anything; throws ProviderFailed. */
export async function checkEmbeddingSettings(parts: BackendParts): Promise<void> {
  const none = async (): Promise<EmbeddingBackend> => ({ embed: async () => [] });
  const nothing: LocalModels = { onnx: none, gguf: none };
  await createEmbeddingBackend({ ...parts, models: parts.models === null ? null : nothing });
}

function createOnnx({ settings, models }: BackendParts): Promise<EmbeddingBackend> {
  const modelPath = requiredText('Embedding:Onnx:ModelPath', settings['Embedding:Onnx:ModelPath']);
  const vocabPath = requiredText('Embedding:Onnx:VocabPath', settings['Embedding:Onnx:VocabPath']);
  const pooling = settings['Embedding:Onnx:Pooling'];
  if (pooling !== 'Cls' && pooling !== 'Mean') throw misconfigured('Embedding:Onnx:Pooling', 'takes Cls or Mean');
  if (models === null) throw misconfigured('Embedding:Backend', 'is Onnx, and this home runs no models');
  const maxTokens = settings['Embedding:Onnx:MaxTokens'];
  return models.onnx({ modelPath, vocabPath, maxTokens, pooling, normalize: settings['Embedding:Onnx:Normalize'] });
}

function remote(
  settings: Settings,
  fetch: typeof globalThis.fetch,
  key: SettingKey & `Embedding:${'Ollama' | 'Nahil' | 'OpenAI'}:Endpoint`,
  secret: string | null,
  busy: readonly number[],
): Remote {
  const headers = secret === null ? {} : bearer(key.replace('Endpoint', 'ApiKey'), secret);
  return new Remote(fetch, { origin: endpointOf(key, settings[key]), headers, secrets: [secret], busy });
}

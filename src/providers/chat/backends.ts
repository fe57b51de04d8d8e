// The backends of the chat gateway by name: what each needs of the settings, and which model serves a purpose. A setting that does not
// do is a ProviderFailed that names its key; it is found out before a backend is asked anything.

import type { SettingKey, Settings } from '../../config/catalogue.ts';
import { endpointOf, requiredText } from '../endpoint.ts';
import { misconfigured } from '../failure.ts';
import { bearer, inHeader, overloaded, Remote, tooMany, unavailable } from '../remote.ts';
import { AnthropicChat, anthropicVersion } from './anthropic.ts';
import { OllamaChat } from './ollama.ts';
import { OpenAiChat } from './openai.ts';
import type { ChatBackend, Purpose } from './types.ts';

interface BackendKind {
  readonly create: (settings: Settings, fetch: typeof globalThis.fetch) => ChatBackend;
  /** The keys that may name the model for a purpose, the strongest first. */
  readonly models: Readonly<Record<Purpose, readonly SettingKey[]>>;
}

const kinds: Readonly<Record<string, BackendKind>> = {
  Ollama: {
    create: (settings, fetch) => new OllamaChat(remote(settings, fetch, 'Chat:Ollama', {}, [tooMany], null)),
    models: { assist: ['Chat:Ollama:Models:Assist', 'Chat:Ollama:Model'], agent: ['Chat:Ollama:Models:Agent'] },
  },
  Nahil: {
    create: (settings, fetch) => {
      const key = requiredText('Chat:Nahil:ApiKey', settings['Chat:Nahil:ApiKey']);
      const busy = [tooMany, unavailable];
      return new OllamaChat(remote(settings, fetch, 'Chat:Nahil', bearer('Chat:Nahil:ApiKey', key), busy, key));
    },
    models: { assist: ['Chat:Nahil:Model'], agent: ['Chat:Nahil:Model'] },
  },
  OpenAI: {
    create: (settings, fetch) => {
      const key = settings['Chat:OpenAI:ApiKey'];
      const headers = key === null ? {} : bearer('Chat:OpenAI:ApiKey', key);
      return new OpenAiChat(remote(settings, fetch, 'Chat:OpenAI', headers, [tooMany], key));
    },
    models: { assist: ['Chat:OpenAI:Model'], agent: ['Chat:OpenAI:Model'] },
  },
  Anthropic: {
    create: (settings, fetch) => {
      const key = requiredText('Chat:Anthropic:ApiKey', settings['Chat:Anthropic:ApiKey']);
      const headers = { 'x-api-key': inHeader('Chat:Anthropic:ApiKey', key), 'anthropic-version': anthropicVersion };
      const busy = [tooMany, overloaded];
      return new AnthropicChat(
        remote(settings, fetch, 'Chat:Anthropic', headers, busy, key),
        settings['Chat:Anthropic:MaxTokens'],
      );
    },
    models: { assist: ['Chat:Anthropic:Model'], agent: ['Chat:Anthropic:Model'] },
  },
};

/** Throws ProviderFailed. */
export function createBackend(settings: Settings, fetch: typeof globalThis.fetch): ChatBackend {
  return kindOf(settings).create(settings, fetch);
}

/** The model of a purpose; throws ProviderFailed that names the key where there is none. */
export function modelFor(settings: Settings, purpose: Purpose): string {
  const keys = kindOf(settings).models[purpose];
  const model = keys.map((key) => settings[key]).find((text) => typeof text === 'string' && text.trim() !== '');
  if (typeof model === 'string') return model;
  throw misconfigured(keys[0] as SettingKey, `names no model, so there is none for the purpose ${purpose}`);
}

/** The same, null where there is none. */
export function modelOrNull(settings: Settings, purpose: Purpose): string | null {
  try {
    return modelFor(settings, purpose);
  } catch {
    return null; // the gateway says so to whoever asks for a completion
  }
}

function kindOf(settings: Settings): BackendKind {
  const name = settings['Chat:Backend'];
  if (Object.hasOwn(kinds, name)) return kinds[name] as BackendKind;
  throw misconfigured('Chat:Backend', `takes one of ${Object.keys(kinds).join(', ')}, in these letters`);
}

function remote(
  settings: Settings,
  fetch: typeof globalThis.fetch,
  section: 'Chat:Ollama' | 'Chat:Nahil' | 'Chat:OpenAI' | 'Chat:Anthropic',
  headers: Readonly<Record<string, string>>,
  busy: readonly number[],
  secret: string | null,
): Remote {
  const key = `${section}:Endpoint` as const;
  return new Remote(fetch, { origin: endpointOf(key, settings[key]), headers, secrets: [secret], busy });
}

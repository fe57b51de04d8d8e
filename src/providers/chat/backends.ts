// The backends of the chat gateway by name, and what each needs of the settings. A setting that does not do is a ProviderFailed that names its
// key; it is found out before a backend is asked anything.

import type { Settings } from '../../config/catalogue.ts';
import { endpointOf, requiredText } from '../endpoint.ts';
import { bearer, inHeader, overloaded, Remote, tooMany, unavailable } from '../remote.ts';
import { AnthropicChat, anthropicVersion } from './anthropic.ts';
import { type BackendName, backendNameOf } from './models.ts';
import { OllamaChat } from './ollama.ts';
import { OpenAiChat } from './openai.ts';
import type { ChatBackend } from './types.ts';

type Create = (settings: Settings, fetch: typeof globalThis.fetch) => ChatBackend;

const backends: Readonly<Record<BackendName, Create>> = {
  Ollama: (settings, fetch) => new OllamaChat(remote(settings, fetch, 'Chat:Ollama', {}, [tooMany], null)),
  Nahil: (settings, fetch) => {
    const key = requiredText('Chat:Nahil:ApiKey', settings['Chat:Nahil:ApiKey']);
    const busy = [tooMany, unavailable];
    return new OllamaChat(remote(settings, fetch, 'Chat:Nahil', bearer('Chat:Nahil:ApiKey', key), busy, key));
  },
  OpenAI: (settings, fetch) => {
    const key = settings['Chat:OpenAI:ApiKey'];
    const headers = key === null ? {} : bearer('Chat:OpenAI:ApiKey', key);
    return new OpenAiChat(remote(settings, fetch, 'Chat:OpenAI', headers, [tooMany], key));
  },
  Anthropic: (settings, fetch) => {
    const key = requiredText('Chat:Anthropic:ApiKey', settings['Chat:Anthropic:ApiKey']);
    const headers = { 'x-api-key': inHeader('Chat:Anthropic:ApiKey', key), 'anthropic-version': anthropicVersion };
    const busy = [tooMany, overloaded];
    return new AnthropicChat(
      remote(settings, fetch, 'Chat:Anthropic', headers, busy, key),
      settings['Chat:Anthropic:MaxTokens'],
    );
  },
};

/** Throws ProviderFailed. */
export function createBackend(settings: Settings, fetch: typeof globalThis.fetch): ChatBackend {
  return backends[backendNameOf(settings)](settings, fetch);
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

// Which model serves a purpose of the chat gateway, by the backend that the settings name. A setting that does not do is a ProviderFailed that
// names its key.

import type { SettingKey, Settings } from '../../config/catalogue.ts';
import { misconfigured } from '../failure.ts';
import type { Purpose } from './types.ts';

/** The keys that may name the model for a purpose, the strongest first. */
const modelKeys = {
  Ollama: { assist: ['Chat:Ollama:Models:Assist', 'Chat:Ollama:Model'], agent: ['Chat:Ollama:Models:Agent'] },
  Nahil: { assist: ['Chat:Nahil:Model'], agent: ['Chat:Nahil:Model'] },
  OpenAI: { assist: ['Chat:OpenAI:Model'], agent: ['Chat:OpenAI:Model'] },
  Anthropic: { assist: ['Chat:Anthropic:Model'], agent: ['Chat:Anthropic:Model'] },
} as const satisfies Record<string, Readonly<Record<Purpose, readonly SettingKey[]>>>;

export type BackendName = keyof typeof modelKeys;

/** Throws ProviderFailed for a backend that there is not. */
export function backendNameOf(settings: Settings): BackendName {
  const name = settings['Chat:Backend'];
  if (Object.hasOwn(modelKeys, name)) return name as BackendName;
  throw misconfigured('Chat:Backend', `takes one of ${Object.keys(modelKeys).join(', ')}, in these letters`);
}

/** The model of a purpose; throws ProviderFailed that names the key where there is none. */
export function modelFor(settings: Settings, purpose: Purpose): string {
  const keys: readonly SettingKey[] = modelKeys[backendNameOf(settings)][purpose];
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

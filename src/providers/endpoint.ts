// The address of a provider: a host and nothing behind it (contract part 3, Embedding provider configuration).

import { misconfigured } from './failure.ts';

/** The origin of `text`; throws ProviderFailed that names `key`. The text itself is not shown: it may have a password in it. */
export function endpointOf(key: string, text: string | null): string {
  if (text === null || text.trim() === '') throw misconfigured(key, 'is missing');
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    throw misconfigured(key, 'is no absolute address of a host, such as http://localhost:11434');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw misconfigured(key, 'takes an http or https address');
  if (url.username !== '' || url.password !== '') throw misconfigured(key, 'takes an address without credentials');
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw misconfigured(key, 'takes the root of a host, without path, query or fragment');
  }
  return url.origin;
}

/** `text`; throws ProviderFailed that names `key` where it is missing. */
export function requiredText(key: string, text: string | null): string {
  if (text === null || text.trim() === '') throw misconfigured(key, 'is missing');
  return text;
}

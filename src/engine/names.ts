// The grammar of namespace names and ids (contract reference 2.3), and how long other names may be.

/** The namespace that bare paths address. It is always there. */
export const defaultNamespace = 'default';

/** Of the files of named namespaces, below the storage directory. */
export const namespacesPrefix = 'namespaces/';

const longestName = 63;

/**
 * Characters of the name of a subgraph or an index, and of any name in an answer that lists many. A longer one, as escapes, would not fit into the
 * 16 KiB that the head of a request or an answer may have.
 */
export const mostNameCharacters = 1000;
// White space as .NET counts it at either end, separators and control characters anywhere, half a surrogate pair anywhere.
const blank = '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const edges = new RegExp(`^${blank}|${blank}$`);
const forbidden = /[/\\\u0000-\u001f\u007f-\u009f]/;
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Why `name` cannot name a namespace, as a sentence; null when it can. Length counts UTF-16 units. */
export function nameProblem(name: string): string | null {
  if (name.length === 0) return 'A namespace name must not be empty.';
  if (name.length > longestName) return `A namespace name has at most ${longestName} characters.`;
  if (edges.test(name)) return 'A namespace name must not begin or end with white space.';
  if (name === '.' || name === '..') return 'A namespace name must not be "." or "..".';
  if (forbidden.test(name)) return 'A namespace name must not contain "/", "\\" or control characters.';
  if (loneSurrogate.test(name)) return 'A namespace name must not contain half a surrogate pair.';
  return null;
}

/** `ns-yyyyMMdd-HHmmss-xxxx`, the last part four hexadecimal digits from `random` (0 .. 65535). UTC. */
export function namespaceId(nowMs: number, random: number): string {
  const digits = new Date(nowMs).toISOString().replace(/[-:]/g, '');
  return `ns-${digits.slice(0, 8)}-${digits.slice(9, 15)}-${(random & 0xffff).toString(16).padStart(4, '0')}`;
}

/** Ids become directory names, so nothing else may pass for one. */
export function isNamespaceId(id: string): boolean {
  return /^ns-\d{8}-\d{6}-[0-9a-f]{4}$/.test(id);
}

/** The log of a namespace below the storage directory. */
export function logNameOf(id: string): string {
  return id === defaultNamespace ? 'arcwise.wal' : `${namespacesPrefix}${id}/arcwise.wal`;
}

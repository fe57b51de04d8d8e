// Credentials in texts of others: a provider may repeat in an error what it was sent.

const hidden = '…';
/** A shorter credential could stand anywhere by chance; a text that might hold it is not shown at all. */
const shortest = 6;

/** What shows texts without these credentials, in any of the forms they take in headers, addresses and JSON. */
export function redactor(secrets: readonly (string | null)[]): (text: string) => string {
  const known = secrets.filter((secret): secret is string => secret !== null && secret !== '');
  if (known.some((secret) => secret.length < shortest)) return () => hidden;
  const forms = [...new Set(known.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  if (forms.length === 0) return (text) => text;
  const pattern = new RegExp(forms.map(escaped).join('|'), 'gi');
  return (text) => text.replace(pattern, hidden);
}

function formsOf(secret: string): string[] {
  const trimmed = secret.trim();
  const json = JSON.stringify(trimmed).slice(1, -1);
  return [trimmed, json, encodeURIComponent(trimmed), base64(trimmed)].filter((form) => form !== '');
}

/** Without its end, which depends on what follows. */
function base64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(String.fromCharCode(...bytes)).replace(/.?=*$/, '');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

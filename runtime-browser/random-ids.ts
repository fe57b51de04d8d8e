// `crypto.randomUUID` in the engine's worker where the browser offers none. It is for secure contexts only, and a page over plain HTTP is
// none; `getRandomValues` is for all. The worker's own globals, never those of the page.

if (crypto.randomUUID === undefined) Object.defineProperty(crypto, 'randomUUID', { value: randomId });

/** A random UUID (RFC 9562, version 4). */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

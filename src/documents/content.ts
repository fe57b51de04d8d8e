// The bytes of a document that waits to be ingested: in memory, or where the home has put them.

export interface Content {
  readonly byteLength: number;
  /** Of them, those that lie in memory. */
  readonly heldBytes: number;
  /** SHA-256 of all of it, in lower hex. */
  hash(): Promise<string>;
  /** All of it, the caller's to keep. */
  bytes(): Promise<Uint8Array>;
  /** Gives back what it lies in; nothing is read of it afterwards. Once is enough, more is no harm. */
  drop(): Promise<void>;
}

export function inMemory(bytes: Uint8Array): Content {
  return {
    ...{ byteLength: bytes.byteLength, heldBytes: bytes.byteLength, bytes: async () => bytes, drop: async () => {} },
    hash: async () => hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))),
  };
}

function hexOf(digest: Uint8Array): string {
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

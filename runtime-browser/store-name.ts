// The `store` that pages name.

export type Store = { readonly kind: 'memory' } | { readonly kind: 'opfs'; readonly name: string };

/** As part of a name that every file system takes. */
const storeName = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** Throws TypeError for what is no store. */
export function storeOf(text: string): Store {
  if (text === 'memory://') return { kind: 'memory' };
  const name = /^opfs:\/\/(.*)$/.exec(text)?.[1];
  if (name === undefined) throw new TypeError(`There is no store "${text}": "memory://" and "opfs://<name>" are.`);
  if (storeName.test(name)) return { kind: 'opfs', name };
  throw new TypeError(
    `"${name}" names no store: a to z, digits, "-" and "_", 64 characters at most, the first a letter or digit.`,
  );
}

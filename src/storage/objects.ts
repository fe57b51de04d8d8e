// Objects of a bucket: bytes under names, each put whole, with a tag that is another one after every put. Two puts are conditional, and on
// them rests who may write: they are the store's decision, never a clock's or ours. A store that takes a condition and does not keep it would
// fence nobody without a word, so `checkConditions` asks before anything relies on it.
//
// A rejection of a put says nothing about what is there: it may have happened, or happen later. `settledPut` finds out.

export interface StoredObject {
  readonly bytes: Uint8Array;
  readonly tag: string;
}

/** What a conditional put came to; `taken: false`: the condition does not hold, and nothing was changed. */
export type PutOutcome = { readonly taken: true; readonly tag: string } | { readonly taken: false };

export interface ObjectStore {
  /** Null when there is none. */
  get(name: string): Promise<StoredObject | null>;
  /** Puts whatever is there. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Puts where there is none. */
  putIfAbsent(name: string, bytes: Uint8Array): Promise<PutOutcome>;
  /** Puts in place of the object with this tag. */
  putIfMatch(name: string, bytes: Uint8Array, tag: string): Promise<PutOutcome>;
  /** Names that begin with `prefix`, in ordinal order. What was put just now may be missing, what was deleted still there. */
  list(prefix: string): Promise<string[]>;
  /** No error when there is none. */
  delete(name: string): Promise<void>;
  /** The same for names that are put where there is nothing, and never replaced; missing: there is no shorter way to those. */
  readonly once?: PutOnce;
}

export type PutOnce = Pick<ObjectStore, 'get' | 'putIfAbsent' | 'delete'>;

/** Objects of another store whose names begin with `prefix`, without it. */
export function objectsUnder(store: ObjectStore, prefix: string): ObjectStore {
  return {
    get: (name) => store.get(prefix + name),
    put: (name, bytes) => store.put(prefix + name, bytes),
    putIfAbsent: (name, bytes) => store.putIfAbsent(prefix + name, bytes),
    putIfMatch: (name, bytes, tag) => store.putIfMatch(prefix + name, bytes, tag),
    list: async (under) => (await store.list(prefix + under)).map((name) => name.slice(prefix.length)),
    delete: (name) => store.delete(prefix + name),
  };
}

/** How often a read is asked for, and the pause before the second time; each further one is twice as long. */
const readAttempts = 4;
const firstPauseMs = 40;

/** The same store, whose reads are asked for again where they fail. For as long as `patienceMs`: a store that hangs is not waited for four times. */
export function askedAgain(
  store: ObjectStore,
  time: { readonly nowMs: () => number; readonly pause: (ms: number) => Promise<void>; readonly patienceMs: number },
): ObjectStore {
  const asked = async <T>(read: () => Promise<T>): Promise<T> => {
    const endMs = time.nowMs() + time.patienceMs;
    for (let attempt = 1; ; attempt++) {
      try {
        return await read();
      } catch (error) {
        if (attempt === readAttempts || time.nowMs() >= endMs) throw error;
        await time.pause(firstPauseMs * 2 ** (attempt - 1));
      }
    }
  };
  const { once } = store;
  return {
    ...(once === undefined
      ? {}
      : {
          once: {
            get: (name) => asked(() => once.get(name)),
            putIfAbsent: (name, bytes) => once.putIfAbsent(name, bytes),
            delete: (name) => once.delete(name),
          },
        }),
    get: (name) => asked(() => store.get(name)),
    list: (prefix) => asked(() => store.list(prefix)),
    put: (name, bytes) => store.put(name, bytes),
    putIfAbsent: (name, bytes) => store.putIfAbsent(name, bytes),
    putIfMatch: (name, bytes, tag) => store.putIfMatch(name, bytes, tag),
    delete: (name) => store.delete(name),
  };
}

/** The store takes conditions and does not keep them, or something else that rules it out. */
export class StoreUnfit extends Error {
  override readonly name = 'StoreUnfit';
}

/** Throws StoreUnfit for a store that does not keep conditions; rejects as the store does. */
export async function checkConditions(store: ObjectStore, prefix: string): Promise<void> {
  const name = `${prefix}probe-${crypto.randomUUID()}`;
  const [one, two, three] = [1, 2, 3].map((byte) => new Uint8Array([byte])) as [Uint8Array, Uint8Array, Uint8Array];
  try {
    const made = await store.putIfAbsent(name, one);
    if (!made.taken) throw new StoreUnfit('The store refuses to put an object where there is none.');
    if ((await store.putIfAbsent(name, two)).taken) throw new StoreUnfit(`${ignores}: it put an object where one was.`);
    const changed = await store.putIfMatch(name, two, made.tag);
    if (!changed.taken) throw new StoreUnfit('The store refuses to replace an object that has not changed.');
    if ((await store.putIfMatch(name, three, made.tag)).taken)
      throw new StoreUnfit(`${ignores}: it replaced an object that had changed.`);
    const found = await store.get(name);
    if (found === null || found.bytes[0] !== 2 || found.tag !== changed.tag)
      throw new StoreUnfit('The store does not answer what was put last.');
  } finally {
    await store.delete(name).catch(() => {}); // one byte is left, at worst
  }
}

const ignores = 'The store takes conditions of puts and does not keep them';

/** Whether the object holds exactly these bytes. */
async function holds(store: ObjectStore, name: string, bytes: Uint8Array): Promise<StoredObject | 'other' | null> {
  const found = await store.get(name);
  if (found === null) return null;
  const same = found.bytes.length === bytes.length && found.bytes.every((byte, i) => byte === bytes[i]);
  return same ? found : 'other';
}

/**
 * A conditional put of bytes that nobody else puts, such as those with the writer's own random name in them, until its outcome is known: after a
 * rejection it is read back, and put again where it is not there. `again` waits before the next attempt, and ends all by rejecting.
 */
export async function settledPut(
  store: ObjectStore,
  name: string,
  bytes: Uint8Array,
  tag: string | null,
  again: (error: unknown) => Promise<void>,
): Promise<PutOutcome> {
  let tried = false;
  while (true) {
    try {
      const outcome = tag === null ? await store.putIfAbsent(name, bytes) : await store.putIfMatch(name, bytes, tag);
      if (outcome.taken || !tried) return outcome;
      // What stands in the way may be the attempt before.
      const found = await holds(store, name, bytes);
      return found === null || found === 'other' ? { taken: false } : { taken: true, tag: found.tag };
    } catch (error) {
      tried = true;
      await again(error);
    }
  }
}

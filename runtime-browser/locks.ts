// Locks that tell others of this origin whether somebody is still there: they go when their holder is closed, killed or stopped.

interface OwnLock {
  readonly name: string;
  /** Resolves once it is held. */
  readonly held: Promise<void>;
  release(): void;
}

/** A lock that nobody else asks for before they are told its name. */
export function ownLock(kind: string): OwnLock {
  const name = `arcwise:${kind}:${crypto.randomUUID()}`;
  let release = (): void => {};
  const over = new Promise<void>((resolve) => {
    release = resolve;
  });
  const held = new Promise<void>((resolve, reject) => {
    navigator.locks
      .request(name, () => {
        resolve();
        return over;
      })
      .catch(reject);
  });
  return { name, held, release };
}

/** Resolves when the holder of the lock is gone. */
export async function gone(name: string): Promise<void> {
  await navigator.locks.request(name, () => {});
}

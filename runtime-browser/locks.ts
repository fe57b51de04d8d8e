// Locks that tell others of this origin whether somebody is still there: they go when their holder is closed, killed or stopped.

interface OwnLock {
  readonly name: string;
  /** Resolves once it is held. */
  readonly held: Promise<void>;
  release(): void;
}

/** The name of a lock that nobody asks for before they are told it. */
export function newLockName(kind: string): string {
  return `arcwise:${kind}:${crypto.randomUUID()}`;
}

/** Resolves once the lock is held, which it is until its holder is gone. */
export function holdForever(name: string): Promise<void> {
  return ownedLock(name).held;
}

/** A lock that nobody else asks for before they are told its name. */
export function ownLock(kind: string): OwnLock {
  return ownedLock(newLockName(kind));
}

function ownedLock(name: string): OwnLock {
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

// What a thread's objects take, where a home can say it: interpreted plugins live in the platform's own heap, which nobody counts object by object.

/** Bytes in use; `collected`: without what waits to be collected, however long that takes. */
export type HeldBytes = (collected: boolean) => number;

let held: HeldBytes | null = null;

export function provideHeldBytes(measure: HeldBytes): void {
  held = measure;
}

/** Of a budget that begins now; nothing where nobody knows. */
export function heldSinceNow(): { readonly heldBytes?: () => number } {
  const measure = held;
  if (measure === null) return {};
  const before = measure(false);
  return { heldBytes: () => measure(true) - before };
}

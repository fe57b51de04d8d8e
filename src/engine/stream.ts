// A body that is made block by block, as its reader asks for it.

/** Yields `first`, then what `next` answers until that is null. `end` is called once nobody reads on, for whatever reason. */
export function streamOf(
  first: Uint8Array,
  next: () => Promise<Uint8Array | null>,
  end: () => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(first),
    pull: async (controller) => {
      const block = await next().catch((error: unknown) => {
        end();
        throw error;
      });
      if (block !== null) return controller.enqueue(block);
      end();
      controller.close();
    },
    cancel: end,
  });
}

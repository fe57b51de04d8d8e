// Work over many items, a few at a time: while one waits for its disk another one computes.

/** Runs `run` for each item, at most `atOnce` at the same time. Rejects with the first rejection; what has begun then still ends. */
export async function sideBySide<Item>(
  items: readonly Item[],
  atOnce: number,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items].reverse();
  let failed = false;
  const work = async (): Promise<void> => {
    for (let item = waiting.pop(); item !== undefined && !failed; item = waiting.pop()) {
      await run(item).catch((error: unknown) => {
        failed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

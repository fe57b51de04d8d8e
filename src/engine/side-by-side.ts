// Work over many items, a few at a time: while one waits for its disk another one computes.

/** Runs `run` for each item, at most `atOnce` at the same time. Rejects with the first rejection, once what had begun then has ended. */
export async function sideBySide<Item>(
  items: readonly Item[],
  atOnce: number,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items].reverse();
  const failures: unknown[] = [];
  const work = async (): Promise<void> => {
    for (let item = waiting.pop(); item !== undefined && failures.length === 0; item = waiting.pop()) {
      await run(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (failures.length > 0) throw failures[0];
}

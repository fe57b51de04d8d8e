// Ranks in a set of ids: how many members stand before one. Renumbering by rank keeps the order of ids, so pairs stay in order.
//
//   blocks of 72 bytes for 512 ids each   u32 members before them, u32 zero, 8 x u64 bits
//
// Filled in ascending order of ids: `ranksOpen` at the first id of a block, then `ranksAdd`. O(1) an id, 9 bytes for 64.

const BLOCK_BYTES: usize = 8 + 64;

/** Bytes of the ranks of ids below `count`. */
export function ranksBytes(count: u32): usize {
  return (<usize>(count >> 9) + 1) * BLOCK_BYTES;
}

// @ts-ignore: decorator
@inline
function blockOf(ranks: usize, id: u32): usize {
  return ranks + <usize>(id >> 9) * BLOCK_BYTES;
}

// @ts-ignore: decorator
@inline
function wordOf(block: usize, id: u32): usize {
  return block + 8 + ((<usize>((id >> 6) & 7)) << 3);
}

/** Before anything else of `id`, in ascending order: `before` members have lower ids. */
// @ts-ignore: decorator
@inline
export function ranksOpen(ranks: usize, id: u32, before: u32): void {
  if ((id & 511) == 0) store<u32>(blockOf(ranks, id), before);
}

// @ts-ignore: decorator
@inline
export function ranksAdd(ranks: usize, id: u32): void {
  const at = wordOf(blockOf(ranks, id), id);
  store<u64>(at, load<u64>(at) | (<u64>1 << (<u64>id & 63)));
}

// @ts-ignore: decorator
@inline
export function ranksHas(ranks: usize, id: u32): bool {
  return ((load<u64>(wordOf(blockOf(ranks, id), id)) >> (<u64>id & 63)) & 1) != 0;
}

/** How many members have lower ids. */
export function rankIn(ranks: usize, id: u32): u32 {
  const block = blockOf(ranks, id);
  const word = wordOf(block, id);
  let count = load<u32>(block);
  for (let at = block + 8; at < word; at += 8) count += <u32>popcnt<u64>(load<u64>(at));
  return count + <u32>popcnt<u64>(load<u64>(word) & ((<u64>1 << (<u64>id & 63)) - 1));
}

/** Those of the survivors of the trim under way, by which indexes are renumbered too. */
let trimRanks: usize = 0;

export function trimRanksSet(ranks: usize): void {
  trimRanks = ranks;
}

/** The new id of a survivor, while a state is trimmed. */
export function trimRank(id: u32): u32 {
  return rankIn(trimRanks, id);
}

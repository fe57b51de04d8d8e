// What the graph's own parts need to know of the transaction that runs: how far its ids reach, what must stay findable for undo, and the
// retire entries it may count on. Globals of the writer's instance; meaningless between transactions. Knows the retire list only.

import { retireKeep, retirePromise, retirePromised, retireReserve } from '../memory/retire';

/** One more than the highest id handed out so far, running transaction included. */
let nextId: u32 = 0;
/** True once the running transaction removed something: dead pairs and groups must then stay findable for undo. */
let removing: bool = false;
/** True while commit or undo runs: what was retired must not be freed yet, since they still read it. */
let holding: bool = false;

/** At the start of a transaction, and of other work of the writer that draws on retire entries. */
export function runningBegin(firstId: u32): void {
  nextId = firstId;
  retireKeep(0);
  removing = false;
  holding = false;
}

// @ts-ignore: decorator
@inline
export function runningNextId(): u32 {
  return nextId;
}

// @ts-ignore: decorator
@inline
export function runningSetNextId(id: u32): void {
  nextId = id;
}

// @ts-ignore: decorator
@inline
export function runningRemoving(): bool {
  return removing;
}

// @ts-ignore: decorator
@inline
export function runningSetRemoving(value: bool): void {
  removing = value;
}

// @ts-ignore: decorator
@inline
export function runningHolding(): bool {
  return holding;
}

/** From here commit or undo draws on the promised retire entries. */
export function runningHold(): void {
  holding = true;
  retireKeep(0);
}

/** Retire entries that the rest of undo needs: whoever reserves some now must not draw on them. */
export function runningKeep(count: u32): void {
  retireKeep(count);
}

/** Ends commit or undo. */
export function runningRelease(): void {
  holding = false;
  removing = false;
  retireKeep(0);
}

/** Retire entries that commit or undo will need for what was changed so far. */
// @ts-ignore: decorator
@inline
export function runningPending(): u32 {
  return retirePromised();
}

/** Room for `count` retires right now, beyond those kept for commit or undo. False: no memory. */
// @ts-ignore: decorator
@inline
export function reserveNow(count: u32): bool {
  return retireReserve(count);
}

/** Keeps room for `count` retires at commit or undo. False: no memory. */
// @ts-ignore: decorator
@inline
export function reserveLater(count: u32): bool {
  return retirePromise(count);
}

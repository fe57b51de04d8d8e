// What the running transaction needs to know in more than one place. Globals of the writer's instance; meaningless between
// transactions. Knows the retire list and nothing of graphs.

import { retireKeep, retirePromise, retirePromised, retireReserve } from '../memory/retire';

/** One more than the highest id handed out so far, running transaction included. */
let nextId: u32 = 0;
/** True once the running transaction removed something: dead pairs and groups must then stay findable for undo. */
let removing: bool = false;

/** True while commit or undo runs: what was retired must not be freed yet, since they still read it. */
let holding: bool = false;
let vertices: u32 = 0;
let edges: u32 = 0;
let failedRecord: u32 = 0xffffffff;
let failedElement: u32 = 0xffffffff;
/** The graph whose edges stand in no groups yet; 0 = none. */
let unlinkedGraph: usize = 0;
/** The running transaction is that graph's. */
let unlinked: bool = false;

export function writerBegin(firstId: u32, vertexCount: u32, edgeCount: u32): void {
  nextId = firstId;
  vertices = vertexCount;
  edges = edgeCount;
  retireKeep(0);
  removing = false;
  holding = false;
}

/**
 * Edges that are created in this graph come into no groups until further notice (0: there is no such graph). Nobody reads it meanwhile.
 */
export function writerSetUnlinked(graph: usize): void {
  unlinkedGraph = graph;
  unlinked = false;
}

/** A transaction of that graph begins. */
export function writerEnter(graph: usize): void {
  unlinked = graph == unlinkedGraph;
}

// @ts-ignore: decorator
@inline
export function writerUnlinked(): bool {
  return unlinked;
}

// @ts-ignore: decorator
@inline
export function writerVertices(): u32 {
  return vertices;
}

// @ts-ignore: decorator
@inline
export function writerEdges(): u32 {
  return edges;
}

/** Counts live elements; `by` is 1 or -1. */
// @ts-ignore: decorator
@inline
export function countVertices(by: i32): void {
  vertices += by;
}

// @ts-ignore: decorator
@inline
export function countEdges(by: i32): void {
  edges += by;
}

// @ts-ignore: decorator
@inline
export function writerHolding(): bool {
  return holding;
}

/** From here commit or undo draws on the promised retire entries. */
export function writerHold(): void {
  holding = true;
  retireKeep(0);
}

/** Retire entries that the rest of undo needs: whoever reserves some now must not draw on them. */
export function writerKeep(count: u32): void {
  retireKeep(count);
}

/** Ends commit or undo. */
export function writerRelease(): void {
  holding = false;
  removing = false;
  retireKeep(0);
}

/** Index of the operation that made the last transaction fail, NONE when none did. */
export function errorRecord(): u32 {
  return failedRecord;
}

/** Id the failed operation could not find, NONE when that was not why. */
export function errorElement(): u32 {
  return failedElement;
}

export function writerFail(record: u32, element: u32): void {
  failedRecord = record;
  failedElement = element;
}

// @ts-ignore: decorator
@inline
export function writerNextId(): u32 {
  return nextId;
}

// @ts-ignore: decorator
@inline
export function writerSetNextId(id: u32): void {
  nextId = id;
}

// @ts-ignore: decorator
@inline
export function writerRemoving(): bool {
  return removing;
}

// @ts-ignore: decorator
@inline
export function writerSetRemoving(value: bool): void {
  removing = value;
}

/** Retire entries that commit or undo will need for what was changed so far. */
// @ts-ignore: decorator
@inline
export function writerPending(): u32 {
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

// What the running transaction counts and says, beside what the graph's parts need of it (graph/running.ts). Globals of the writer's
// instance; meaningless between transactions.

import { runningBegin } from '../graph/running';

let vertices: u32 = 0;
let edges: u32 = 0;
let failedRecord: u32 = 0xffffffff;
let failedElement: u32 = 0xffffffff;
/** The graph whose edges stand in no groups yet; 0 = none. */
let unlinkedGraph: usize = 0;
/** The running transaction is that graph's. */
let unlinked: bool = false;

export function writerBegin(firstId: u32, vertexCount: u32, edgeCount: u32): void {
  runningBegin(firstId);
  vertices = vertexCount;
  edges = edgeCount;
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

// What a caller may ask the graph to change, as plain values: the input of one transaction. `Core` encodes a list of these into
// the request form of assembly/transaction/build.ts, which parses every value text and builds the transaction buffer.

import type { TypeId } from './values.ts';

/** One typed property; `text` is the invariant text form of the value (contract part 1, Property). */
export interface PropertyText {
  readonly key: string;
  readonly type: TypeId;
  readonly text: string;
}

export interface CreateVertex {
  readonly kind: 'createVertex';
  /** Unix seconds, 0 .. 2^32-1. */
  readonly creationDate: number;
  readonly label: string | null;
  readonly properties: readonly PropertyText[];
}

export interface CreateEdge {
  readonly kind: 'createEdge';
  readonly creationDate: number;
  readonly source: number;
  readonly target: number;
  readonly edgeType: string;
  readonly label: string | null;
  readonly properties: readonly PropertyText[];
}

export interface SetProperty {
  readonly kind: 'setProperty';
  readonly element: number;
  readonly key: string;
  readonly type: TypeId;
  /** As of `PropertyText`; raw bytes of 32-bit floats for `TypeId.singleArray`. */
  readonly text: string | Uint8Array;
}

export interface RemoveProperty {
  readonly kind: 'removeProperty';
  readonly element: number;
  readonly key: string;
}

export interface RemoveElement {
  readonly kind: 'removeElement';
  readonly element: number;
  /** An id that was removed earlier is skipped; one that was never assigned still fails the transaction. */
  readonly skipRemoved: boolean;
}

export interface EraseGraph {
  readonly kind: 'erase';
}

export interface TrimGraph {
  readonly kind: 'trim';
}

/** Index operations stand in transactions of their own: one of them, or any number of adds. */
export interface CreateIndex {
  readonly kind: 'createIndex';
  readonly index: string;
  /** A number of `IndexKind`. */
  readonly indexKind: number;
  /** What the kind wants to know of itself, in its own form; null for none. */
  readonly definition: string | null;
}

export interface DropIndex {
  readonly kind: 'dropIndex';
  readonly index: string;
}

/** Removes everything from an index, which stays. */
export interface ClearIndex {
  readonly kind: 'clearIndex';
  readonly index: string;
}

export interface AddToIndex {
  readonly kind: 'addToIndex';
  readonly index: string;
  readonly element: number;
  readonly type: TypeId;
  /** The key; raw bytes of 32-bit floats for `TypeId.singleArray`. */
  readonly text: string | Uint8Array;
}

export interface RemoveFromIndex {
  readonly kind: 'removeFromIndex';
  readonly index: string;
  readonly element: number;
}

export interface RemoveIndexKey {
  readonly kind: 'removeIndexKey';
  readonly index: string;
  readonly type: TypeId;
  readonly text: string;
}

export type IndexOperation = CreateIndex | DropIndex | ClearIndex | AddToIndex | RemoveFromIndex | RemoveIndexKey;

/**
 * A named text that is kept with the graph, by its kind (`sectionKinds`, src/engine/checkpoint/types.ts). Such operations stand in
 * transactions of their own.
 */
export interface PutDocument {
  readonly kind: 'putDocument';
  readonly documentKind: number;
  readonly name: string;
  readonly text: string;
}

export interface RemoveDocument {
  readonly kind: 'removeDocument';
  readonly documentKind: number;
  readonly name: string;
}

export type WriteOperation =
  | IndexOperation
  | PutDocument
  | RemoveDocument
  | CreateVertex
  | CreateEdge
  | SetProperty
  | RemoveProperty
  | RemoveElement
  | EraseGraph
  | TrimGraph;

/** Where and why the core refused a write; `record` counts operations, `property` the properties of that operation. */
export interface WriteRefusal {
  readonly ok: false;
  readonly status: Exclude<import('./status.ts').CoreStatus, 0>;
  readonly record: number;
  readonly property: number;
  /** The element id that is missing, -1 when none is concerned. */
  readonly element: number;
}

// Scans on any core, in slices of ids: the caller lets other work run between two slices. Every slice places its texts anew,
// because whatever ran in between has used the input buffer for itself.

import { writeCaseTable } from './case-table.ts';
import type { CoreInstance } from './instance.ts';
import { CoreMemoryExhausted } from './memory-exhausted.ts';
import { CoreStatus } from './status.ts';
import { textBound, writeText } from './text.ts';
import type { TypeId } from './values.ts';

const none = 0xffffffff;

/** Which elements a scan answers: a mask of vertices (1) and edges (2). */
export type ResultMask = 1 | 2 | 3;

export interface PropertyQuery {
  readonly key: string;
  readonly operator: number;
  readonly type: TypeId;
  readonly text: string;
  readonly label: string | null;
  readonly mask: ResultMask;
}

export interface TextQuery {
  readonly term: string;
  readonly label: string | null;
  readonly mask: ResultMask;
}

/** Texts laid behind each other in the input buffer. */
function place(instance: CoreInstance, texts: readonly (string | null)[]): { address: number; bytes: number }[] {
  let bound = 0;
  for (const text of texts) bound += 8 + (text === null ? 0 : textBound(text));
  let address = instance.input(bound);
  if (address === null) throw new CoreMemoryExhausted('No memory is left for a scan.');
  return texts.map((text) => {
    const at = address as number;
    if (text === null) return { address: at, bytes: none };
    const bytes = writeText(instance.bytes, at, text);
    address = at + ((bytes + 7) & ~7);
    return { address: at, bytes };
  });
}

/** The ids a slice found, ascending. */
function foundIds(instance: CoreInstance): Uint32Array {
  const from = (instance.exports.outBase() >>> 0) >>> 2;
  return instance.words.slice(from, from + (instance.exports.scanCount() >>> 0));
}

function checkScan(status: number): void {
  if (status !== CoreStatus.ok) throw new CoreMemoryExhausted(`A scan does not fit into memory (status ${status}).`);
}

/** Ids in [fromId, toId) whose property satisfies the query; null when the literal is not a value of its type. */
export function scanPropertySlice(
  instance: CoreInstance,
  graph: number,
  query: PropertyQuery,
  fromId: number,
  toId: number,
): Uint32Array | null {
  const [key, literal, label] = place(instance, [query.key, query.text, query.label]) as [Placed, Placed, Placed];
  const status = instance.exports.scanPropertyText(
    graph,
    key.address,
    key.bytes,
    query.operator,
    query.type,
    literal.address,
    literal.bytes,
    label.address,
    label.bytes,
    query.mask,
    fromId,
    toId,
    none,
  );
  if (status === CoreStatus.badValue) return null;
  checkScan(status);
  return foundIds(instance);
}

type Placed = ReturnType<typeof place>[number];

/** Ids in [fromId, toId) with a property value whose text contains the term, case ignored. */
export function scanTextSlice(
  instance: CoreInstance,
  graph: number,
  query: TextQuery,
  fromId: number,
  toId: number,
): Uint32Array {
  const { exports } = instance;
  prepareCaseTable(instance);
  const [term, label] = place(instance, [query.term, query.label]) as [Placed, Placed];
  const labelId = query.label === null ? none : exports.internFind(label.address, label.bytes) >>> 0;
  if (query.label !== null && labelId === none) return new Uint32Array(0);
  checkScan(exports.scanText(graph, term.address, term.bytes, labelId, query.mask, fromId, toId, none));
  return foundIds(instance);
}

/** A memory gets its case table with its first text scan, or before a reader attaches. Writer only. */
export function prepareCaseTable(instance: CoreInstance): void {
  if (instance.exports.caseTable() !== 0) return;
  const address = instance.lending(() => instance.exports.caseTableAddress() >>> 0);
  if (address === 0) throw new CoreMemoryExhausted('No memory is left for the case table of text scans.');
  writeCaseTable(instance.memory.buffer, address);
  instance.exports.caseTablePublish(address);
}

/** The ids as JSON numbers with commas between them, without brackets. */
export function idsAsJson(instance: CoreInstance, ids: Uint32Array): Uint8Array {
  if (ids.length === 0) return new Uint8Array(0);
  const address = instance.input(ids.byteLength);
  if (address === null) throw new CoreMemoryExhausted('No memory is left for the answer of a scan.');
  instance.words.set(ids, address >>> 2);
  checkScan(instance.exports.writeIdArray(address, ids.length));
  const json = instance.takeOutput();
  return json.subarray(1, json.length - 1);
}

// What the host needs to know of a transaction buffer without the core: its words are those of assembly/transaction/format.ts.

import { readText } from '../core/text.ts';

const stringsAt = 12;
const operationCountAt = 24;
const operationsAt = 28;
const operationWords = 4;
const none = 0xffffffff;

/** The words of an operation that has neither values nor endpoints. */
export type OperationWords = readonly [operation: number, first: number, second: number, third: number];

/** Number of the first operation, 0 for a transaction without any. */
export function firstOperation(bytes: Uint8Array): number {
  const view = viewOf(bytes);
  if (view.getUint32(operationCountAt, true) === 0) return 0;
  return view.getUint32(view.getUint32(operationsAt, true), true);
}

/** Every operation of a transaction that holds only such as have neither values nor endpoints. */
export function plainOperations(bytes: Uint8Array): OperationWords[] {
  const view = viewOf(bytes);
  const from = view.getUint32(operationsAt, true);
  return Array.from({ length: view.getUint32(operationCountAt, true) }, (_, i) => {
    const at = from + 4 * operationWords * i;
    const word = (index: number): number => view.getUint32(at + 4 * index, true);
    return [word(0), word(1), word(2), word(3)];
  });
}

/** A string of the transaction by its number; null for none. */
export function stringOf(bytes: Uint8Array, number: number): string | null {
  if (number === none) return null;
  const view = viewOf(bytes);
  const entry = view.getUint32(stringsAt, true) + 8 * number;
  return readText(bytes, view.getUint32(entry, true), view.getUint32(entry + 4, true));
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

// Write operations as the request stream of assembly/transaction/build.ts: words of 32 bits, little-endian; a string is its number of
// bytes (all ones for null) and the bytes, padded to four. Numbers only; what a value text means is the core's business.

import type { IndexOperation, PropertyText, WriteOperation } from './requests.ts';
import { textBound, writeText } from './text.ts';

const none = 0xffffffff;

const RequestKind = {
  createVertex: 1,
  createEdge: 2,
  setProperty: 3,
  removeProperty: 4,
  removeElement: 5,
  erase: 6,
  trim: 7,
  createIndex: 8,
  dropIndex: 9,
  addToIndex: 10,
  removeFromIndex: 11,
  removeIndexKey: 12,
  clearIndex: 13,
  putDocument: 14,
  removeDocument: 14,
} as const;

function textOrBytesBound(text: string | Uint8Array): number {
  return typeof text === 'string' ? stringBound(text) : 8 + text.length;
}

/** Longest a string can get: its length word, its bytes, its padding. */
function stringBound(text: string | null): number {
  return 8 + (text === null ? 0 : textBound(text));
}

function propertiesBound(properties: readonly PropertyText[]): number {
  let bytes = 4;
  for (const property of properties) bytes += 4 + stringBound(property.key) + stringBound(property.text);
  return bytes;
}

/** The most bytes the request stream of these operations can take. */
export function requestBound(operations: readonly WriteOperation[]): number {
  let bytes = 0;
  for (const operation of operations) {
    bytes += 24;
    switch (operation.kind) {
      case 'createVertex':
        bytes += stringBound(operation.label) + propertiesBound(operation.properties);
        break;
      case 'createEdge':
        bytes += stringBound(operation.edgeType) + stringBound(operation.label) + propertiesBound(operation.properties);
        break;
      case 'setProperty':
        bytes += stringBound(operation.key) + textOrBytesBound(operation.text);
        break;
      case 'removeProperty':
        bytes += stringBound(operation.key);
        break;
      case 'createIndex':
        bytes += stringBound(operation.index) + stringBound(operation.definition);
        break;
      case 'dropIndex':
      case 'clearIndex':
      case 'removeFromIndex':
        bytes += stringBound(operation.index);
        break;
      case 'putDocument':
        bytes += stringBound(operation.name) + stringBound(operation.text);
        break;
      case 'removeDocument':
        bytes += stringBound(operation.name);
        break;
      case 'addToIndex':
      case 'removeIndexKey':
        bytes += stringBound(operation.index) + textOrBytesBound(operation.text);
        break;
    }
  }
  return bytes;
}

/** Writes requests at a moving position; the caller has ensured `requestBound` bytes. */
class RequestWriter {
  private readonly bytes: Uint8Array;
  private readonly words: Uint32Array;
  position: number;

  constructor(bytes: Uint8Array, words: Uint32Array, position: number) {
    this.bytes = bytes;
    this.words = words;
    this.position = position;
  }

  word(value: number): void {
    this.words[this.position >>> 2] = value;
    this.position += 4;
  }

  string(text: string | null): void {
    if (text === null) {
      this.word(none);
      return;
    }
    const length = writeText(this.bytes, this.position + 4, text);
    this.word(length);
    this.position += (length + 3) & ~3;
  }

  textOrBytes(text: string | Uint8Array): void {
    if (typeof text === 'string') this.string(text);
    else this.raw(text);
  }

  private raw(bytes: Uint8Array): void {
    this.word(bytes.length);
    this.bytes.set(bytes, this.position);
    this.position += (bytes.length + 3) & ~3;
  }

  properties(properties: readonly PropertyText[]): void {
    this.word(properties.length);
    for (const property of properties) {
      this.string(property.key);
      this.word(property.type);
      this.string(property.text);
    }
  }
}

/**
 * Writes the request stream of `operations` into linear memory at `address` (a multiple of four) and answers its bytes.
 */
export function encodeRequests(
  bytes: Uint8Array,
  words: Uint32Array,
  address: number,
  operations: readonly WriteOperation[],
): number {
  const writer = new RequestWriter(bytes, words, address);
  for (const operation of operations) encodeOperation(writer, operation);
  return writer.position - address;
}

function encodeOperation(writer: RequestWriter, operation: WriteOperation): void {
  writer.word(RequestKind[operation.kind]);
  switch (operation.kind) {
    case 'createVertex':
      writer.word(operation.creationDate);
      writer.string(operation.label);
      writer.properties(operation.properties);
      break;
    case 'createEdge':
      writer.word(operation.creationDate);
      writer.word(operation.source);
      writer.word(operation.target);
      writer.string(operation.edgeType);
      writer.string(operation.label);
      writer.properties(operation.properties);
      break;
    case 'setProperty':
      writer.word(operation.element);
      writer.string(operation.key);
      writer.word(operation.type);
      writer.textOrBytes(operation.text);
      break;
    case 'removeProperty':
      writer.word(operation.element);
      writer.string(operation.key);
      break;
    case 'removeElement':
      writer.word(operation.element);
      writer.word(operation.skipRemoved ? 1 : 0);
      break;
    case 'erase':
    case 'trim':
      break;
    case 'putDocument':
    case 'removeDocument':
      writer.word(operation.documentKind);
      writer.string(operation.name);
      writer.string(operation.kind === 'putDocument' ? operation.text : null);
      break;
    default:
      encodeIndexOperation(writer, operation);
  }
}

function encodeIndexOperation(writer: RequestWriter, operation: IndexOperation): void {
  switch (operation.kind) {
    case 'createIndex':
      writer.word(operation.indexKind);
      writer.string(operation.index);
      writer.string(operation.definition);
      break;
    case 'addToIndex':
      writer.word(operation.element);
      writer.string(operation.index);
      writer.word(operation.type);
      writer.textOrBytes(operation.text);
      break;
    case 'removeFromIndex':
      writer.word(operation.element);
      writer.string(operation.index);
      break;
    case 'removeIndexKey':
      writer.string(operation.index);
      writer.word(operation.type);
      writer.string(operation.text);
      break;
    case 'dropIndex':
    case 'clearIndex':
      writer.string(operation.index);
      break;
  }
}

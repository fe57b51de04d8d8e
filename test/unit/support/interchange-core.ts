// The interchange test module as the tests call it: bytes in, transactions decoded to plain objects, and what went wrong.

import { readFileSync } from 'node:fs';

export const BUILDS = ['interchange', 'interchange.debug'] as const;
export type Build = (typeof BUILDS)[number];

export const NONE = 0xffffffff;
export const SCRATCH = 6;
/** Address of the word that makes the n-th allocation from now fail. */
export const FAIL_AFTER = 1076;

export const MORE = 0;
export const BATCH = 1;
export const FAILED = 2;
export const DONE = 3;

/** Codes of a failed line, by number (assembly/interchange/codes.ts). */
export const CODES = [
  'OK',
  'MALFORMED_JSON',
  'TRAILING_CONTENT',
  'INVALID_UTF8',
  'BYTE_ORDER_MARK',
  'LINE_TOO_LONG',
  'UNKNOWN_FIELD',
  'DUPLICATE_FIELD',
  'MISSING_FIELD',
  'BAD_FIELD',
  'UNKNOWN_LINE_TYPE',
  'UNKNOWN_TYPE',
  'BAD_VALUE',
  'DUPLICATE_PROPERTY',
  'DUPLICATE_ID',
  'UNRESOLVED_ENDPOINT',
  'META_NOT_FIRST',
  'BAD_FORMAT_NAME',
  'BAD_VERSION',
  'COUNT_MISMATCH',
  'NO_MEMORY',
];

/** Members of a line, by number. */
export const FIELDS = [
  '',
  'type',
  'id',
  'label',
  'creationDate',
  'properties',
  'edgePropertyId',
  'source',
  'target',
  'format',
  'version',
  'vertexCount',
  'edgeCount',
  'exportedAtUtc',
  'value',
];

const WIDE = new Set([13, 16, 18]);
const VARIABLE = new Set([1, 19]);

/** One operation of a transaction. Endpoints of edges are engine ids; values are text for Strings, else the bytes in hex. */
export interface Operation {
  operation: number;
  kind?: number;
  id?: number;
  label?: string | null;
  edgeType?: string | null;
  creation?: number;
  source?: number;
  target?: number;
  words?: number[];
  key?: string;
  type?: number;
  value?: string;
  properties?: [string, number, string][];
}

export interface ImportResult {
  status: number;
  code: string;
  field: string;
  text: string;
  line: number;
  column: number;
  vertices: number;
  edges: number;
  operations: Operation[];
}

type Exports = Record<string, (...values: number[]) => number>;

/** WTF-8 of any JavaScript string, halves of pairs included. */
export function wtf8(text: string): Uint8Array {
  if (!/[\ud800-\udfff]/u.test(text)) return utf8(text);
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (code >= 0xd800 && code <= 0xdfff) bytes.push(0xed, 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else bytes.push(...Buffer.from(character));
  }
  return Uint8Array.from(bytes);
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The string of WTF-8 bytes; throws when they are none. */
export function fromWtf8(bytes: Uint8Array): string {
  let text = '';
  let from = 0;
  for (let at = bytes.indexOf(0xed); at >= 0; at = bytes.indexOf(0xed, at + 1)) {
    if (bytes[at + 1]! < 0xa0) continue;
    text += strict.decode(bytes.subarray(from, at));
    text += String.fromCharCode(0xd000 | ((bytes[at + 1]! & 63) << 6) | (bytes[at + 2]! & 63));
    from = at + 3;
  }
  return text + strict.decode(bytes.subarray(from));
}

export class InterchangeCore {
  readonly memory: WebAssembly.Memory;
  readonly exports: Exports;
  readonly pages: number;

  constructor(build: Build = 'interchange', pages = 16384) {
    this.pages = pages;
    this.memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
    const path = new URL(`../../../dist/wasm/test/${build}.wasm`, import.meta.url);
    const abort = (code: number): never => {
      throw new Error(`check ${code}`);
    };
    const module = new WebAssembly.Module(readFileSync(path));
    this.exports = new WebAssembly.Instance(module, { env: { memory: this.memory, abort } })
      .exports as unknown as Exports;
    if (!this.exports.start!(pages)) throw new Error('the core did not start');
  }

  get bytes(): Uint8Array {
    return new Uint8Array(this.memory.buffer);
  }

  get view(): DataView {
    return new DataView(this.memory.buffer);
  }

  call(name: string, ...values: number[]): number {
    return this.exports[name]!(...values) >>> 0;
  }

  /** A copy of `bytes` bytes at `address`. */
  copy(address: number, bytes: number): Uint8Array {
    return this.bytes.slice(address, address + bytes);
  }

  /** Makes the n-th allocation from now fail; 0 stops it. */
  failAfter(n: number): void {
    this.view.setUint32(FAIL_AFTER, n, true);
  }

  /**
   * Imports `chunks`; `apply` stands for the engine: it gets each batch and answers its first id. Operations are those of the batches
   * handed out.
   */
  import(
    chunks: Iterable<Uint8Array>,
    options: {
      batchSize?: number;
      lineLimit?: number;
      apply?: (base: number, bytes: number, count: number) => number;
    } = {},
  ): ImportResult {
    const { batchSize = 10000, lineLimit = 1 << 20 } = options;
    let next = 0;
    const countUp = (_base: number, _bytes: number, count: number): number => {
      next += count;
      return next - count;
    };
    const apply = options.apply ?? countUp;
    const operations: Operation[] = [];
    const session = this.call('importBegin', batchSize, lineLimit);
    if (session === 0) return failedEarly();
    this.exports.importTime!(session, 77, 77000.5);
    const settle = (status: number): number => {
      while (status === BATCH) {
        const base = this.call('importTransaction', session);
        const size = this.call('importTransactionBytes', session);
        const firstId = apply(base, size, this.call('importBatchElements', session));
        this.view.setUint32(base + 36, firstId, true);
        operations.push(...this.decode(base, size, firstId));
        status = this.call('importResume', session);
      }
      return status;
    };
    let status = MORE;
    for (const chunk of chunks) {
      const at = this.call('importInput', session, chunk.length);
      if (at === 0) {
        this.exports.importDrop!(session);
        return failedEarly();
      }
      this.bytes.set(chunk, at);
      status = settle(this.call('importFeed', session, chunk.length));
      if (status !== MORE) break;
    }
    if (status === MORE) status = settle(this.call('importEnd', session));
    const result = {
      status,
      code: CODES[this.call('importError', session)]!,
      field: FIELDS[this.call('importErrorField', session)]!,
      text: Buffer.from(
        this.copy(this.call('importErrorText', session), this.call('importErrorTextBytes', session)),
      ).toString('latin1'),
      line: this.call('importLinesRead', session),
      column: this.call('importErrorColumn', session),
      vertices: this.call('importVertices', session),
      edges: this.call('importEdges', session),
      operations,
    };
    this.exports.importDrop!(session);
    return result;
  }

  /** Operations of a transaction buffer; checks its offsets, padding and counts on the way. */
  decode(base: number, bytes: number, firstId = 0): Operation[] {
    const buffer = this.copy(base, bytes);
    const view = new DataView(buffer.buffer);
    const word = (at: number): number => view.getUint32(at, true);
    if (word(0) !== 0x31585441 || word(4) !== bytes || bytes % 8 !== 0) throw new Error('bad header');
    const text = (index: number): string | null => {
      if (index === NONE) return null;
      if (index >= word(8)) throw new Error('string out of range');
      const at = word(word(12) + 8 * index);
      return fromWtf8(buffer.subarray(at, at + word(word(12) + 8 * index + 4)));
    };
    let at = word(28);
    const value = (type: number): string => {
      const size = VARIABLE.has(type) ? 8 + word(at) : WIDE.has(type) ? 16 : 8;
      const from = at;
      at += (size + 7) & ~7;
      for (let pad = from + size; pad < at; pad++) if (buffer[pad] !== 0) throw new Error('padding is not zero');
      if (type !== 1) return Buffer.from(buffer.subarray(from, from + size)).toString('hex');
      const string = fromWtf8(buffer.subarray(from + 8, from + size));
      const ascii = buffer.subarray(from + 8, from + size).every((byte) => byte < 128);
      if (word(from + 4) !== (string.length | (ascii ? 0x80000000 : 0)) >>> 0) throw new Error('bad string info');
      return string;
    };
    const operations: Operation[] = [];
    let creates = 0;
    for (let count = word(24); count > 0; count--) {
      const operation = word(at);
      if (operation !== 1) {
        const words = [word(at + 4), word(at + 8), word(at + 12)];
        at += 16;
        if (operation === 2) {
          operations.push({
            operation,
            words: [words[0]!],
            key: text(words[1]!)!,
            type: words[2]!,
            value: value(words[2]!),
          });
        } else if (operation === 9 || operation === 11) {
          operations.push({ operation, words, type: words[2]!, value: value(words[2]!) });
        } else if (operation === 3) operations.push({ operation, words: [words[0]!], key: text(words[1]!)! });
        else operations.push({ operation, words });
        continue;
      }
      if (word(at + 4) >= word(16)) throw new Error('template out of range');
      const template = word(word(20) + 4 * word(at + 4));
      const [kind, flags] = [word(template), word(at + 12)];
      const create: Operation = { operation, kind, id: firstId + creates, creation: word(at + 8) };
      create.label = text(word(template + 4));
      create.edgeType = text(word(template + 8));
      creates += 1;
      at += 16;
      if (kind === 2) {
        create.source = word(at) + (flags & 1 ? firstId : 0);
        create.target = word(at + 4) + (flags & 2 ? firstId : 0);
        at += 8;
      }
      create.properties = [];
      for (let i = 0; i < word(template + 12); i++) {
        const type = word(template + 16 + 8 * i + 4);
        create.properties.push([text(word(template + 16 + 8 * i))!, type, value(type)]);
      }
      operations.push(create);
    }
    if (word(40) !== creates) throw new Error('wrong number of creates');
    if (at !== word(12)) throw new Error('operations do not end where the strings begin');
    return operations;
  }
}

function failedEarly(): ImportResult {
  return {
    status: FAILED,
    code: 'NO_MEMORY',
    field: '',
    text: '',
    line: 0,
    column: 0,
    vertices: 0,
    edges: 0,
    operations: [],
  };
}

/** The bytes in chunks of `size`. */
export function* chunksOf(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export const utf8 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

/** Random numbers from a seed, below `n`. */
export function randomFrom(seed: number): (n: number) => number {
  let state = seed | 1;
  return (n) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % n;
  };
}

export interface ExportFilters {
  vertexLabel?: string;
  edgeLabel?: string;
  edgeType?: string;
}

/** A core with one graph, to import into and export from. */
export class GraphCore extends InterchangeCore {
  readonly graph: number;

  constructor(build: Build = 'interchange', pages = 16384) {
    super(build, pages);
    this.graph = this.call('graphCreate');
    if (this.graph === 0) throw new Error('no graph');
  }

  /** Puts bytes into INPUT; their address. */
  input(bytes: Uint8Array): number {
    const at = this.call('inputEnsure', bytes.length + 8);
    this.bytes.set(bytes, at);
    return at;
  }

  /** Imports a file into the graph; throws unless all of it is accepted. */
  load(file: Uint8Array, batchSize = 1000): ImportResult {
    const apply = (base: number, bytes: number): number => {
      const status = this.exports.applyTransaction!(this.graph, base, bytes, 0, 0);
      if (status !== 0) throw new Error(`apply answered ${status}`);
      return this.view.getUint32(base + 36, true);
    };
    const result = this.import(chunksOf(file, 65536), { batchSize, apply });
    if (result.status !== DONE) throw new Error(`line ${result.line}: ${result.code} ${result.text}`);
    return result;
  }

  /** Applies a request of the host's encoding, given as words. */
  request(...words: number[]): number {
    const bytes = new Uint8Array(Uint32Array.from(words).buffer);
    const status = this.call('buildRequest', this.input(bytes), bytes.length, 9, 9000);
    if (status !== 0) return status;
    return this.call('applyTransaction', this.graph, this.call('transactionBase'), this.call('transactionBytes'), 0, 0);
  }

  output(): Uint8Array {
    return this.copy(this.call('outBase'), this.call('outUsed'));
  }

  filters({ vertexLabel, edgeLabel, edgeType }: ExportFilters): [number, number, number] {
    const filter = (name: string | undefined): number => {
      if (name === undefined) return NONE;
      const bytes = wtf8(name);
      return this.call('exportFilter', this.input(bytes), bytes.length);
    };
    return [filter(vertexLabel), filter(edgeLabel), filter(edgeType)];
  }

  /** Exports the graph in blocks, meta line first; `onBlock` sees each block. */
  export(
    filters: ExportFilters = {},
    onBlock: (block: Uint8Array) => void = () => {},
    time = '2026-01-01T00:00:00Z',
  ): string {
    const token = this.call('exportBegin', this.graph);
    const limit = this.call('exportLimit');
    const names = this.filters(filters);
    let [vertices, edges] = [0, 0];
    for (let from = 0; from < limit; from += 1000) {
      const status = this.call('exportCheck', this.graph, token, ...names, from, Math.min(from + 1000, limit));
      if (status !== 0) this.call('exportEnd', token);
      if (status !== 0) throw new Error(`export ${status}: element ${this.call('exportElement')}`);
      vertices += this.call('exportVertices');
      edges += this.call('exportEdges');
    }
    const text = utf8(time);
    if (this.call('exportMeta', vertices, edges, this.input(text), text.length) !== 0) throw new Error('no meta line');
    let result = strict.decode(this.output());
    let [phase, id] = [0, 0];
    while (phase < 2) {
      const status = this.call('exportBlock', this.graph, token, ...names, phase, id, limit);
      if (status !== 0) throw new Error(`export ${status}`);
      const block = this.output();
      onBlock(block);
      result += strict.decode(block);
      [phase, id] = [this.call('exportPhase'), this.call('exportNext')];
    }
    this.call('exportEnd', token);
    return result;
  }
}

// WebAssembly's binary format as far as fragments need it: one memory import, function and global imports, globals, functions, exports.
// Knows bytes and sections; nothing of C#.

import { step } from '../steps.ts';
import { ByteWriter } from './byte-writer.ts';
import { Watch } from './local-watch.ts';

export type ValueType = 'i32' | 'i64' | 'f32' | 'f64' | 'v128';

const typeCodes: Record<ValueType, number> = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b };

/** A signature, as parameters and at most one result. */
export interface Signature {
  readonly parameters: readonly ValueType[];
  readonly result: ValueType | null;
}

/** A function's body under construction. */
export class CodeWriter {
  readonly out = new ByteWriter();
  /** Blocks open now: what `branch` counts from. */
  depth = 0;
  /** Blocks opened so far. */
  blockCount = 0;
  private readonly parameterCount: number;
  private readonly locals: ValueType[] = [];
  private ownCalls: { readonly offset: number; readonly index: number }[] = [];
  private watched: Watch | null = null;
  private readonly spare: Record<ValueType, number[]> = { i32: [], i64: [], f32: [], f64: [], v128: [] };

  constructor(parameterCount: number) {
    this.parameterCount = parameterCount;
  }

  op(...codes: readonly number[]): void {
    this.out.bytes(codes);
  }

  /** A new local variable of the function. */
  local(type: ValueType): number {
    this.locals.push(type);
    return this.parameterCount + this.locals.length - 1;
  }

  /** Parameters and locals so far. */
  get localCount(): number {
    return this.parameterCount + this.locals.length;
  }

  /** Type of a local that is no parameter. */
  typeOf(local: number): ValueType {
    return this.locals[local - this.parameterCount] as ValueType;
  }

  /** Watches which locals are read before they are written, from here on. */
  watch(): void {
    this.watched = new Watch();
  }

  /** Those that were, from the number given on. */
  unwatch(first: number): readonly number[] {
    const found = this.watched?.readFirst ?? [];
    this.watched = null;
    return [...found].filter((local) => local >= first).sort((a, b) => a - b);
  }

  /** Puts code without blocks of its own left open in at an earlier place. */
  insert(at: number, piece: CodeWriter): void {
    const { length } = piece.out;
    step((this.out.length >> 6) + this.ownCalls.length);
    this.ownCalls = this.ownCalls.map(({ offset, index }) => ({
      offset: offset < at ? offset : offset + length,
      index,
    }));
    this.out.insert(at, piece.out.take());
  }

  /** A local for a short while: give it back with `release`. */
  borrow(type: ValueType): number {
    return this.spare[type].pop() ?? this.local(type);
  }

  release(type: ValueType, index: number): void {
    this.spare[type].push(index);
  }

  get(local: number): void {
    this.watched?.reads(local);
    this.indexed(0x20, local);
  }

  set(local: number): void {
    this.watched?.writes(local);
    this.indexed(0x21, local);
  }

  tee(local: number): void {
    this.watched?.writes(local);
    this.indexed(0x22, local);
  }

  getGlobal(index: number): void {
    this.indexed(0x23, index);
  }

  setGlobal(index: number): void {
    this.indexed(0x24, index);
  }

  /** Calls an imported function. */
  call(target: number): void {
    this.indexed(0x10, target);
  }

  /** Calls a function of the module itself; its place is known once every import is. */
  callOwn(index: number): void {
    this.op(0x10);
    this.ownCalls.push({ offset: this.out.length, index });
    this.out.bytes([0x80, 0x80, 0x80, 0x80, 0]);
  }

  i32(value: number): void {
    this.op(0x41);
    this.out.signed(BigInt(value | 0));
  }

  i64(value: bigint): void {
    this.op(0x42);
    this.out.signed(BigInt.asIntN(64, value));
  }

  f32(value: number): void {
    this.op(0x43);
    this.out.float32(value);
  }

  f64(value: number): void {
    this.op(0x44);
    this.out.float64(value);
  }

  /** A constant of 128 bits, as two words of 64. */
  v128(low: bigint, high: bigint): void {
    const bytes = new Uint8Array(16);
    const view = new DataView(bytes.buffer);
    view.setBigUint64(0, BigInt.asUintN(64, low), true);
    view.setBigUint64(8, BigInt.asUintN(64, high), true);
    this.op(0xfd, 0x0c);
    this.out.bytes(bytes);
  }

  /** A vector instruction, with its lane if it takes one. */
  simd(code: number, ...lane: readonly number[]): void {
    this.op(0xfd);
    this.out.unsigned(code);
    this.out.bytes(lane);
  }

  /** Loads 128 bits at a constant offset. */
  load128(offset: number): void {
    this.op(0xfd, 0, 0);
    this.out.unsigned(offset);
  }

  /** A load (`code`) at a constant offset. */
  load(code: number, offset: number): void {
    this.op(code, 0);
    this.out.unsigned(offset);
  }

  block(result: ValueType | null = null): number {
    return this.open(0x02, result);
  }

  loop(): number {
    return this.open(0x03, null);
  }

  /** Code whose throws the `catch` after it gets. */
  try(result: ValueType | null = null): number {
    return this.open(0x06, result);
  }

  /** Begins what gets the value that was thrown. */
  catch(): void {
    this.watched?.close();
    this.watched?.open();
    this.op(0x07, 0);
  }

  /** Throws the i32 on the stack. */
  throw(): void {
    this.op(0x08, 0);
  }

  if(result: ValueType | null = null): number {
    return this.open(0x04, result);
  }

  else(): void {
    this.watched?.close();
    this.watched?.open();
    this.op(0x05);
  }

  end(): void {
    this.watched?.close();
    this.op(0x0b);
    this.depth--;
  }

  /** Leaves the block, or goes back to the loop, that was opened at that depth. */
  branch(depth: number): void {
    this.indexed(0x0c, this.depth - depth);
  }

  branchIf(depth: number): void {
    this.indexed(0x0d, this.depth - depth);
  }

  /** The finished body; `imports`: how many functions stand before the module's own. */
  finish(imports: number): Uint8Array {
    const code = this.out.take();
    for (const { offset, index } of this.ownCalls) {
      for (let i = 0; i < 5; i++) code[offset + i] = (((imports + index) >>> (7 * i)) & 0x7f) | (i < 4 ? 0x80 : 0);
    }
    const body = new ByteWriter();
    body.unsigned(this.locals.length);
    for (const type of this.locals) body.bytes([1, typeCodes[type]]);
    body.bytes(code);
    body.byte(0x0b);
    return body.take();
  }

  private open(code: number, result: ValueType | null): number {
    this.op(code, result === null ? 0x40 : typeCodes[result]);
    this.watched?.open();
    this.depth++;
    this.blockCount++;
    return this.depth;
  }

  private indexed(code: number, index: number): void {
    this.op(code);
    this.out.unsigned(index);
  }
}

const thrown: Signature = { parameters: ['i32'], result: null };

interface Import {
  readonly module: string;
  readonly name: string;
  readonly signature: Signature;
}

export class ModuleWriter {
  private readonly shared: boolean;
  /** Whether it has the one tag, of an i32, that its functions throw and catch. */
  throws = false;
  private readonly types: Signature[] = [];
  private readonly typeIndex = new Map<string, number>();
  private readonly imports: Import[] = [];
  private readonly importIndex = new Map<string, number>();
  private readonly globals: ValueType[] = [];
  private readonly functions: { readonly signature: Signature; code: CodeWriter | null }[] = [];
  private readonly exports: { name: string; kind: 0 | 3; index: number; own: boolean }[] = [];

  /** `shared`: whether the memory it will run over is. */
  constructor(shared: boolean) {
    this.shared = shared;
  }

  /** Index of an imported function. */
  import(module: string, name: string, signature: Signature): number {
    const key = `${module}.${name}`;
    const known = this.importIndex.get(key);
    if (known !== undefined) return known;
    const index = this.imports.length;
    this.imports.push({ module, name, signature });
    this.importIndex.set(key, index);
    return index;
  }

  /** A mutable global; index 0 is the imported fuel. */
  addGlobal(type: ValueType, exportName?: string): number {
    this.globals.push(type);
    const index = this.globals.length;
    if (exportName !== undefined) this.exports.push({ name: exportName, kind: 3, index, own: false });
    return index;
  }

  /** Declares a function; the index is for `define` and `callOwn`. */
  declare(signature: Signature, exportName?: string): number {
    this.functions.push({ signature, code: null });
    const index = this.functions.length - 1;
    if (exportName !== undefined) this.exports.push({ name: exportName, kind: 0, index, own: true });
    return index;
  }

  /** Exports a function of the module. */
  export(name: string, index: number): void {
    this.exports.push({ name, kind: 0, index, own: true });
  }

  define(index: number, code: CodeWriter): void {
    step(20 + (code.out.length >> 2));
    (this.functions[index] as { code: CodeWriter | null }).code = code;
  }

  write(): Uint8Array<ArrayBuffer> {
    if (this.throws) this.typeOf(thrown);
    for (const { signature } of [...this.imports, ...this.functions]) this.typeOf(signature);
    const out = new ByteWriter();
    out.bytes([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
    section(out, 1, (body) => this.writeTypes(body));
    section(out, 2, (body) => this.writeImports(body));
    section(out, 3, (body) => {
      body.unsigned(this.functions.length);
      for (const { signature } of this.functions) body.unsigned(this.typeOf(signature));
    });
    if (this.throws) section(out, 13, (body) => body.bytes([1, 0, this.typeOf(thrown)]));
    section(out, 6, (body) => this.writeGlobals(body));
    section(out, 7, (body) => {
      body.unsigned(this.exports.length);
      for (const { name, kind, index, own } of this.exports) {
        body.name(name);
        body.byte(kind);
        body.unsigned(own ? index + this.imports.length : index);
      }
    });
    section(out, 10, (body) => {
      body.unsigned(this.functions.length);
      for (const { code } of this.functions) {
        const bytes = (code as CodeWriter).finish(this.imports.length);
        body.unsigned(bytes.length);
        body.bytes(bytes);
      }
    });
    return out.take();
  }

  private writeTypes(body: ByteWriter): void {
    body.unsigned(this.types.length);
    for (const { parameters, result } of this.types) {
      body.byte(0x60);
      body.unsigned(parameters.length);
      for (const type of parameters) body.byte(typeCodes[type]);
      body.bytes(result === null ? [0] : [1, typeCodes[result]]);
    }
  }

  private writeImports(body: ByteWriter): void {
    body.unsigned(this.imports.length + 2);
    body.name('env');
    body.name('memory');
    body.bytes(this.shared ? [2, 3, 0, 0x80, 0x80, 0x04] : [2, 0, 0]);
    body.name('env');
    body.name('fuel');
    body.bytes([3, typeCodes.i32, 1]);
    for (const { module, name, signature } of this.imports) {
      body.name(module);
      body.name(name);
      body.byte(0);
      body.unsigned(this.typeOf(signature));
    }
  }

  private writeGlobals(body: ByteWriter): void {
    body.unsigned(this.globals.length);
    for (const type of this.globals) {
      body.bytes([typeCodes[type], 1]);
      if (type === 'i32') body.bytes([0x41, 0]);
      else if (type === 'i64') body.bytes([0x42, 0]);
      else if (type === 'f32') body.bytes([0x43, 0, 0, 0, 0]);
      else if (type === 'f64') body.bytes([0x44, 0, 0, 0, 0, 0, 0, 0, 0]);
      else body.bytes([0xfd, 0x0c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
      body.byte(0x0b);
    }
  }

  private typeOf(signature: Signature): number {
    const key = `${signature.parameters.join()}>${signature.result ?? ''}`;
    const known = this.typeIndex.get(key);
    if (known !== undefined) return known;
    this.typeIndex.set(key, this.types.length);
    this.types.push(signature);
    return this.types.length - 1;
  }
}

function section(out: ByteWriter, id: number, write: (body: ByteWriter) => void): void {
  const body = new ByteWriter();
  write(body);
  out.byte(id);
  out.unsigned(body.length);
  out.bytes(body.take());
}

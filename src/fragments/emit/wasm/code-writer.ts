// A function's body in WebAssembly's binary format: its instructions one after the other, its locals, its open blocks.
// Knows bytes and indices; nothing of C#, and not where the functions of the module will stand.

import { step } from '../../steps.ts';
import { ByteWriter } from './byte-writer.ts';
import { Watch } from './local-watch.ts';
import {
  control,
  f32,
  f64,
  i32,
  i64,
  type Opcode,
  typeCodes,
  type ValueType,
  type VectorOpcode,
  v128,
  variable,
  vectorPrefix,
  zeros,
} from './opcodes.ts';

/** The type of a block without a result. */
const emptyBlock = 0x40;
/** The hint of a load or store at any address, as an exponent of two. */
const bytesAligned = 0;
/** The tag of what is thrown. */
const onlyTag = 0;

/** A function's body under construction. */
export class CodeWriter {
  readonly out = new ByteWriter();
  /** Blocks open now: what `branch` counts from. */
  depth = 0;
  /** Blocks opened so far. */
  blockCount = 0;
  hasLoops = false;
  /** Functions of the module, and imported ones, that it calls. */
  readonly ownCallees = new Set<number>();
  readonly importCallees = new Set<number>();
  private readonly parameterCount: number;
  private readonly locals: ValueType[] = [];
  private ownCalls: { readonly offset: number; readonly index: number }[] = [];
  private watched: Watch | null = null;
  private readonly spare: Record<ValueType, number[]> = { i32: [], i64: [], f32: [], f64: [], v128: [] };

  constructor(parameterCount: number) {
    this.parameterCount = parameterCount;
  }

  op(...codes: readonly Opcode[]): void {
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
    for (const index of piece.importCallees) this.importCallees.add(index);
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
    this.indexed(variable.localGet, local);
  }

  set(local: number): void {
    this.watched?.writes(local);
    this.indexed(variable.localSet, local);
  }

  tee(local: number): void {
    this.watched?.writes(local);
    this.indexed(variable.localTee, local);
  }

  getGlobal(index: number): void {
    this.indexed(variable.globalGet, index);
  }

  setGlobal(index: number): void {
    this.indexed(variable.globalSet, index);
  }

  /** Calls an imported function. */
  call(target: number): void {
    this.importCallees.add(target);
    this.indexed(control.call, target);
  }

  /** Calls a function of the module itself; its place is known once every import is. */
  callOwn(index: number): void {
    this.ownCallees.add(index);
    this.op(control.call);
    this.ownCalls.push({ offset: this.out.length, index });
    this.out.bytes([0x80, 0x80, 0x80, 0x80, 0]);
  }

  i32(value: number): void {
    this.op(i32.const);
    this.out.signed(BigInt(value | 0));
  }

  i64(value: bigint): void {
    this.op(i64.const);
    this.out.signed(BigInt.asIntN(64, value));
  }

  f32(value: number): void {
    this.op(f32.const);
    this.out.float32(value);
  }

  f64(value: number): void {
    this.op(f64.const);
    this.out.float64(value);
  }

  /** The constant zero of a type. */
  zero(type: ValueType): void {
    this.out.bytes(zeros[type]);
  }

  /** A constant of 128 bits, as two words of 64. */
  v128(low: bigint, high: bigint): void {
    const bytes = new Uint8Array(16);
    const view = new DataView(bytes.buffer);
    view.setBigUint64(0, BigInt.asUintN(64, low), true);
    view.setBigUint64(8, BigInt.asUintN(64, high), true);
    this.simd(v128.const);
    this.out.bytes(bytes);
  }

  /** A vector instruction, with its lane if it takes one. */
  simd(code: VectorOpcode, ...lane: readonly number[]): void {
    this.op(vectorPrefix);
    this.out.unsigned(code);
    this.out.bytes(lane);
  }

  /** Loads 128 bits at a constant offset. */
  load128(offset: number): void {
    this.simd(v128.load, bytesAligned);
    this.out.unsigned(offset);
  }

  /** A load or store (`code`) at a constant offset. */
  load(code: Opcode, offset: number): void {
    this.op(code);
    this.out.byte(bytesAligned);
    this.out.unsigned(offset);
  }

  block(result: ValueType | null = null): number {
    return this.open(control.block, result);
  }

  loop(): number {
    this.hasLoops = true;
    return this.open(control.loop, null);
  }

  /** Code whose throws the `catch` after it gets. */
  try(result: ValueType | null = null): number {
    return this.open(control.try, result);
  }

  /** Begins what gets the value that was thrown. */
  catch(): void {
    this.watched?.close();
    this.watched?.open();
    this.indexed(control.catch, onlyTag);
  }

  /** Throws the i32 on the stack. */
  throw(): void {
    this.indexed(control.throw, onlyTag);
  }

  if(result: ValueType | null = null): number {
    return this.open(control.if, result);
  }

  else(): void {
    this.watched?.close();
    this.watched?.open();
    this.op(control.else);
  }

  end(): void {
    this.watched?.close();
    this.op(control.end);
    this.depth--;
  }

  /** Leaves the block, or goes back to the loop, that was opened at that depth. */
  branch(depth: number): void {
    this.indexed(control.br, this.depth - depth);
  }

  branchIf(depth: number): void {
    this.indexed(control.brIf, this.depth - depth);
  }

  /** Its instructions, but for the last `end`, and its locals; `imports`: how many functions stand before the module's own. */
  contents(imports: number): { readonly bytes: Uint8Array<ArrayBuffer>; readonly locals: readonly ValueType[] } {
    const bytes = this.out.take();
    for (const { offset, index } of this.ownCalls) {
      for (let i = 0; i < 5; i++) bytes[offset + i] = (((imports + index) >>> (7 * i)) & 0x7f) | (i < 4 ? 0x80 : 0);
    }
    return { bytes, locals: this.locals };
  }

  /** The finished body. */
  finish(imports: number): Uint8Array {
    const { bytes, locals } = this.contents(imports);
    return bodyOf(bytes, locals);
  }

  private open(code: Opcode, result: ValueType | null): number {
    this.op(code);
    this.out.byte(result === null ? emptyBlock : typeCodes[result]);
    this.watched?.open();
    this.depth++;
    this.blockCount++;
    return this.depth;
  }

  private indexed(code: Opcode, index: number): void {
    this.op(code);
    this.out.unsigned(index);
  }
}

/** A function's body of its instructions and its locals. */
export function bodyOf(bytes: Uint8Array, locals: readonly ValueType[]): Uint8Array {
  const body = new ByteWriter();
  body.unsigned(locals.length);
  for (const type of locals) body.bytes([1, typeCodes[type]]);
  body.bytes(bytes);
  body.byte(control.end);
  return body.take();
}

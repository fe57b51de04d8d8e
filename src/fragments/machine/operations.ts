// The code of the fragment machine: what `translate.ts` makes of an emitted module, and the module that scripts/build-machine.mjs builds runs.
// Words of 32 bits. An operation is its number and the place of its result (16 bits each), two operands (16 bits each), then words of its
// own. Operands are byte offsets of registers from the frame of the running function: parameters, locals, then the operand stack.
//
//   word 0   operation | result << 16
//   word 1   left | right << 16, or a word of the operation's own
//   word 2 … constants, offsets, and where to go on: byte offsets from the beginning of the program
//
// The numbers of plain instructions are WebAssembly's own. Families stand behind them, one behind the other, so that the switch is dense.

import { coreFunctions } from '../emit/wasm/core-functions.ts';
import { i32 } from '../emit/wasm/opcodes.ts';

/** Bytes of a register: the widest value. */
export const registerBytes = 16;

/** Entries of a program: where `init`, `call` and `select` begin; 0: there is none. The globals follow. */
export const headWords = 4;

/** Byte offset of a global; number 0 is the fuel, which is none of the program's. */
export function globalOffset(index: number): number {
  return headWords * 4 + (index - 1) * registerBytes;
}

/** Of a function, before its code: bytes of its frame; where its locals begin (16 bits) and how many bytes they take (16 bits). */
export const functionHeadBytes = 8;

export const operations = {
  unreachable: 1,
  jump: 2,
  jumpIf: 3,
  jumpUnless: 4,
  return: 5,
  copy: 6,
  copyWide: 7,
  constant: 8,
  constantLong: 9,
  constantWide: 10,
  getGlobal: 11,
  setGlobal: 12,
  getWideGlobal: 13,
  setWideGlobal: 14,
  getFuel: 15,
  setFuel: 16,
  charge: 17,
  select: 18,
  selectWide: 19,
  call: 20,
  fail: 21,
  failWith: 22,
  refuel: 23,
  /** To the caller. */
  throw: 24,
  caught: 25,
  /** To a handler of the same function. */
  throwHere: 26,
  loadWide: 0xd0,
  storeWide: 0xd1,
  andWide: 0xd2,
  orWide: 0xd3,
  xorWide: 0xd4,
  anyTrue: 0xd5,
  splatLong: 0xd6,
  splatDouble: 0xd7,
  wordLane: 0xd8,
  longLane: 0xd9,
  replaceLong: 0xda,
} as const;

/** First and last instruction that compares words, and those that compute one of two. */
export const comparisons = { first: i32.eq, last: i32.geU } as const;
const lastArithmetic = i32.rotr;

/** What is added to an instruction for its variant with a constant on the right, and to a comparison for the jump where it holds. */
export const withConstant = 0xe0 - comparisons.first;
export const jumpWhere = withConstant + lastArithmetic + 1 - comparisons.first;
export const jumpWhereConstant = jumpWhere + 10;
const coreCalls = jumpWhereConstant + comparisons.last + 1;

/** What is asked for the opposite. */
export const opposites: Readonly<Record<number, number>> = {
  [i32.eq]: i32.ne,
  [i32.ne]: i32.eq,
  [i32.ltS]: i32.geS,
  [i32.geS]: i32.ltS,
  [i32.ltU]: i32.geU,
  [i32.geU]: i32.ltU,
  [i32.gtS]: i32.leS,
  [i32.leS]: i32.gtS,
  [i32.gtU]: i32.leU,
  [i32.leU]: i32.gtU,
};

/** With operands in either order the same. */
export const commutes: ReadonlySet<number> = new Set([i32.eq, i32.ne, i32.add, i32.mul, i32.and, i32.or, i32.xor]);

/** Signatures of the functions of the core, as texts such as `i32,i64>i32`: one operation each, in this order. @testonly */
export const coreSignatures: readonly string[] = [
  ...new Set(Object.values(coreFunctions).map(({ parameters, result }) => `${parameters.join(',')}>${result ?? ''}`)),
].sort();

/** The operation that calls a function of the core; null: there is no such function. */
export function coreCall(signature: string): number | null {
  const index = coreSignatures.indexOf(signature);
  return index < 0 ? null : coreCalls + index;
}

/** Two operands are read where they are; more of them, and wide ones, lie one behind the other. */
export function takesRegisters(parameters: readonly string[]): boolean {
  return parameters.length <= 2 && !parameters.includes('v128');
}

// The instructions of a function's body, read back from its bytes: what passes over finished code work on. Reads what the emitter writes; of
// anything else it throws.

import { control, f32, f64, i32, i64, parametric, type ValueType, v128, variable, vectorPrefix } from './opcodes.ts';

export interface Instruction {
  /** Behind the prefix of vectors that of the vector instruction plus `vectorBase`. */
  readonly code: number;
  /** Its bytes in the body. */
  readonly from: number;
  readonly to: number;
  /** Number of a local, a global, a function, or of blocks to leave; the byte of a block's type. */
  readonly operand: number;
  /** Of what opens a block: where its `else` or `catch` and its `end` stand; of these where it was opened. -1 without one. */
  middle: number;
  end: number;
}

/** Vector instructions stand behind those of one byte. */
const vectorBase = 0x100;

const opening: ReadonlySet<number> = new Set([control.block, control.loop, control.if, control.try]);
const indexed: ReadonlySet<number> = new Set([
  ...[control.throw, control.br, control.brIf, control.call],
  ...Object.values(variable),
]);
const constantBytes: Readonly<Record<number, number>> = { [f32.const]: 4, [f64.const]: 8 };
const firstLane = 0x15;
const lastLane = 0x22;

/** Throws for what the emitter does not write. */
export function readInstructions(bytes: Uint8Array): Instruction[] {
  const read: Instruction[] = [];
  const open: number[] = [];
  let at = 0;
  const unsigned = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] as number;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  };
  while (at < bytes.length) {
    const from = at;
    let code = bytes[at++] as number;
    let operand = 0;
    if (opening.has(code)) {
      operand = bytes[at++] as number;
      open.push(read.length);
    } else if (code === control.else || code === control.catch) {
      if (code === control.catch) unsigned();
      operand = open.at(-1) as number;
      (read[operand] as Instruction).middle = read.length;
    } else if (code === control.end) {
      operand = open.pop() ?? -1;
      if (operand < 0) throw new Error('A block ends that was not opened.');
      (read[operand] as Instruction).end = read.length;
    } else if (indexed.has(code)) operand = unsigned();
    else if (code >= i32.load && code <= 0x3e) {
      at++;
      unsigned();
    } else if (code === i32.const || code === i64.const) unsigned();
    else if (code === vectorPrefix) {
      const vector = unsigned();
      code = vectorBase + vector;
      if (vector === v128.load || vector === v128.store) {
        at++;
        unsigned();
      } else if (vector === v128.const) at += 16;
      else if (vector >= firstLane && vector <= lastLane) at++;
    } else at += constantBytes[code] ?? 0;
    read.push({ code, from, to: at, operand, middle: -1, end: -1 });
  }
  return read;
}

// --- What they take and give ---------------------------------------------------------------------------------------------------

/** Operands and result of plain instructions, by the first of each group. */
const groups: readonly (readonly [first: number, operands: 1 | 2, operand: ValueType, result: ValueType])[] = [
  [i32.eqz, 1, 'i32', 'i32'],
  [i32.eq, 2, 'i32', 'i32'],
  [i64.eqz, 1, 'i64', 'i32'],
  [i64.eq, 2, 'i64', 'i32'],
  [f32.eq, 2, 'f32', 'i32'],
  [f64.eq, 2, 'f64', 'i32'],
  [i32.clz, 1, 'i32', 'i32'],
  [i32.add, 2, 'i32', 'i32'],
  [i64.clz, 1, 'i64', 'i64'],
  [i64.add, 2, 'i64', 'i64'],
  [f32.abs, 1, 'f32', 'f32'],
  [f32.add, 2, 'f32', 'f32'],
  [f64.abs, 1, 'f64', 'f64'],
  [f64.add, 2, 'f64', 'f64'],
  [i32.wrapI64, 1, 'i64', 'i32'],
  [i32.truncF32S, 1, 'f32', 'i32'],
  [i32.truncF64S, 1, 'f64', 'i32'],
  [i64.extendI32S, 1, 'i32', 'i64'],
  [i64.truncF32S, 1, 'f32', 'i64'],
  [i64.truncF64S, 1, 'f64', 'i64'],
  [f32.convertI32S, 1, 'i32', 'f32'],
  [f32.convertI64S, 1, 'i64', 'f32'],
  [f32.demoteF64, 1, 'f64', 'f32'],
  [f64.convertI32S, 1, 'i32', 'f64'],
  [f64.convertI64S, 1, 'i64', 'f64'],
  [f64.promoteF32, 1, 'f32', 'f64'],
  [i32.reinterpretF32, 1, 'f32', 'i32'],
  [i64.reinterpretF64, 1, 'f64', 'i64'],
  [f32.reinterpretI32, 1, 'i32', 'f32'],
  [f64.reinterpretI64, 1, 'i64', 'f64'],
  [i32.extend8S, 1, 'i32', 'i32'],
  [i64.extend8S, 1, 'i64', 'i64'],
];

interface Shape {
  readonly operands: 1 | 2;
  readonly operand: ValueType;
  readonly result: ValueType;
}

/** Of an instruction that computes; null: there is no such instruction. */
export function shapeOf(code: number): Shape | null {
  const found = groups.findLast(([first]) => first <= code);
  if (found === undefined || code > i64.extend32S) return null;
  const [, operands, operand, result] = found;
  return { operands, operand, result };
}

const loads: Readonly<Record<number, ValueType>> = {
  [i32.load]: 'i32', [i64.load]: 'i64', [f32.load]: 'f32', [f64.load]: 'f64', [i32.load8U]: 'i32',
}; // biome-ignore format: a table
const constants: Readonly<Record<number, ValueType>> = {
  [i32.const]: 'i32', [i64.const]: 'i64', [f32.const]: 'f32', [f64.const]: 'f64',
}; // biome-ignore format: a table
/** Vector instructions: operands, result. */
const vectors: Readonly<Record<number, readonly [number, ValueType | null]>> = {
  0: [1, 'v128'], 11: [2, null], 12: [0, 'v128'], 18: [1, 'v128'], 20: [1, 'v128'], 27: [1, 'i32'],
  29: [1, 'i64'], 30: [2, 'v128'], 33: [1, 'f64'], 78: [2, 'v128'], 80: [2, 'v128'], 81: [2, 'v128'], 83: [1, 'i32'],
}; // biome-ignore format: a table

/** What a value on the stack is. */
export interface Pushed {
  readonly type: ValueType;
  /** A number for certain, however it looks: no word of the heap. */
  readonly plain: boolean;
}

export interface Effect {
  readonly pops: number;
  readonly pushes: Pushed | null;
}

const plain = (type: ValueType): Pushed => ({ type, plain: true });
const any = (type: ValueType): Pushed => ({ type, plain: type === 'f32' || type === 'f64' });

const effects: Effect[] = [];

/** Of what neither opens, leaves nor ends a block, calls nothing, and names no variable. */
export function effectOf(code: number): Effect {
  effects[code] ??= findEffect(code);
  return effects[code];
}

function findEffect(code: number): Effect {
  if (code >= vectorBase) {
    const known = vectors[code - vectorBase];
    if (known === undefined) throw new Error(`A vector instruction that nobody writes: ${code - vectorBase}.`);
    return { pops: known[0], pushes: known[1] === null ? null : any(known[1]) };
  }
  if (code === parametric.drop) return { pops: 1, pushes: null };
  const loaded = loads[code];
  if (loaded !== undefined) return { pops: 1, pushes: code === i32.load8U ? plain('i32') : any(loaded) };
  if (code >= i32.store && code <= 0x3e) return { pops: 2, pushes: null };
  const constant = constants[code];
  if (constant !== undefined) return { pops: 0, pushes: plain(constant) };
  const shape = shapeOf(code);
  if (shape === null) throw new Error(`An instruction that nobody writes: ${code}.`);
  // Comparisons stand in front of what computes.
  return { pops: shape.operands, pushes: code < i32.clz ? plain('i32') : any(shape.result) };
}

// WebAssembly's instructions and value types by their names in the text format (`i32.div_s` is `i32.divS`), as far as fragments use them.
// A number is no opcode: whoever writes code names what he writes.

export type ValueType = 'i32' | 'i64' | 'f32' | 'f64' | 'v128';

export const typeCodes: Record<ValueType, number> = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b };

declare const isOpcode: unique symbol;
declare const isVectorOpcode: unique symbol;

/** An instruction of one byte. */
export type Opcode = number & { readonly [isOpcode]: true };
/** An instruction behind the prefix `vectorPrefix`. */
export type VectorOpcode = number & { readonly [isVectorOpcode]: true };

const named = <T>(codes: T): { readonly [K in keyof T]: Opcode } => codes as never;
const vector = <T>(codes: T): { readonly [K in keyof T]: VectorOpcode } => codes as never;

export const control = named({
  unreachable: 0x00, block: 0x02, loop: 0x03, if: 0x04, else: 0x05, try: 0x06, catch: 0x07, throw: 0x08, end: 0x0b,
  br: 0x0c, brIf: 0x0d, return: 0x0f, call: 0x10,
}); // biome-ignore format: a table

export const parametric = named({ drop: 0x1a, select: 0x1b });

export const variable = named({
  localGet: 0x20, localSet: 0x21, localTee: 0x22, globalGet: 0x23, globalSet: 0x24,
}); // biome-ignore format: a table

export const i32 = named({
  load: 0x28, load8U: 0x2d, store: 0x36, const: 0x41,
  eqz: 0x45, eq: 0x46, ne: 0x47, ltS: 0x48, ltU: 0x49, gtS: 0x4a, gtU: 0x4b, leS: 0x4c, leU: 0x4d, geS: 0x4e, geU: 0x4f,
  clz: 0x67, ctz: 0x68, popcnt: 0x69, add: 0x6a, sub: 0x6b, mul: 0x6c, divS: 0x6d, divU: 0x6e, remS: 0x6f, remU: 0x70,
  and: 0x71, or: 0x72, xor: 0x73, shl: 0x74, shrS: 0x75, shrU: 0x76, rotl: 0x77, rotr: 0x78,
  wrapI64: 0xa7, truncF32S: 0xa8, truncF32U: 0xa9, truncF64S: 0xaa, truncF64U: 0xab, reinterpretF32: 0xbc,
  extend8S: 0xc0, extend16S: 0xc1,
}); // biome-ignore format: a table

export const i64 = named({
  load: 0x29, store: 0x37, const: 0x42,
  eqz: 0x50, eq: 0x51, ne: 0x52, ltS: 0x53, ltU: 0x54, gtS: 0x55, gtU: 0x56, leS: 0x57, leU: 0x58, geS: 0x59, geU: 0x5a,
  clz: 0x79, ctz: 0x7a, popcnt: 0x7b, add: 0x7c, sub: 0x7d, mul: 0x7e, divS: 0x7f, divU: 0x80, remS: 0x81, remU: 0x82,
  and: 0x83, or: 0x84, xor: 0x85, shl: 0x86, shrS: 0x87, shrU: 0x88, rotl: 0x89, rotr: 0x8a,
  extendI32S: 0xac, extendI32U: 0xad, truncF32S: 0xae, truncF32U: 0xaf, truncF64S: 0xb0, truncF64U: 0xb1,
  reinterpretF64: 0xbd, extend8S: 0xc2, extend16S: 0xc3, extend32S: 0xc4,
}); // biome-ignore format: a table

export const f32 = named({
  load: 0x2a, store: 0x38, const: 0x43, eq: 0x5b, ne: 0x5c, lt: 0x5d, gt: 0x5e, le: 0x5f, ge: 0x60,
  abs: 0x8b, neg: 0x8c, ceil: 0x8d, floor: 0x8e, trunc: 0x8f, nearest: 0x90, sqrt: 0x91,
  add: 0x92, sub: 0x93, mul: 0x94, div: 0x95, min: 0x96, max: 0x97, copysign: 0x98,
  convertI32S: 0xb2, convertI32U: 0xb3, convertI64S: 0xb4, convertI64U: 0xb5, demoteF64: 0xb6, reinterpretI32: 0xbe,
}); // biome-ignore format: a table

export const f64 = named({
  load: 0x2b, store: 0x39, const: 0x44, eq: 0x61, ne: 0x62, lt: 0x63, gt: 0x64, le: 0x65, ge: 0x66,
  abs: 0x99, neg: 0x9a, ceil: 0x9b, floor: 0x9c, trunc: 0x9d, nearest: 0x9e, sqrt: 0x9f,
  add: 0xa0, sub: 0xa1, mul: 0xa2, div: 0xa3, min: 0xa4, max: 0xa5, copysign: 0xa6,
  convertI32S: 0xb7, convertI32U: 0xb8, convertI64S: 0xb9, convertI64U: 0xba, promoteF32: 0xbb, reinterpretI64: 0xbf,
}); // biome-ignore format: a table

/** The byte before every vector instruction. */
export const vectorPrefix = 0xfd as Opcode;

export const v128 = vector({
  load: 0x00, store: 0x0b, const: 0x0c, and: 0x4e, or: 0x50, xor: 0x51, anyTrue: 0x53,
}); // biome-ignore format: a table

export const i32x4 = vector({ extractLane: 0x1b });
export const i64x2 = vector({ splat: 0x12, extractLane: 0x1d, replaceLane: 0x1e });
export const f64x2 = vector({ splat: 0x14, extractLane: 0x21 });

/** The instruction that pushes zero, by type. */
export const zeros: Record<ValueType, readonly number[]> = {
  i32: [i32.const, 0],
  i64: [i64.const, 0],
  f32: [f32.const, ...new Array<number>(4).fill(0)],
  f64: [f64.const, ...new Array<number>(8).fill(0)],
  v128: [vectorPrefix, v128.const, ...new Array<number>(16).fill(0)],
};

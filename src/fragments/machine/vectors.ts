// Instructions on 128 bits: the values of Decimal, Guid and DateTimeOffset, and tables of their keys.

import { f64x2, i32x4, i64x2, type ValueType, v128 } from '../emit/wasm/opcodes.ts';
import { type ByteReader, NotTranslated } from './module-reader.ts';
import { operations } from './operations.ts';
import type { Registers } from './registers.ts';

type Row = readonly [operation: number, operands: 1 | 2, result: ValueType, hasLane?: boolean];

const rows: Readonly<Record<number, Row>> = {
  [v128.and]: [operations.andWide, 2, 'v128'],
  [v128.or]: [operations.orWide, 2, 'v128'],
  [v128.xor]: [operations.xorWide, 2, 'v128'],
  [v128.anyTrue]: [operations.anyTrue, 1, 'i32'],
  [i64x2.splat]: [operations.splatLong, 1, 'v128'],
  [f64x2.splat]: [operations.splatDouble, 1, 'v128'],
  [i32x4.extractLane]: [operations.wordLane, 1, 'i32', true],
  [i64x2.extractLane]: [operations.longLane, 1, 'i64', true],
  [f64x2.extractLane]: [operations.longLane, 1, 'f64', true],
  [i64x2.replaceLane]: [operations.replaceLong, 2, 'v128', true],
};

/** The instruction behind the prefix; null: it is only skipped. */
export function translateVector(reader: ByteReader, registers: Registers | null): void {
  const code = reader.unsigned();
  if (code === v128.load || code === v128.store) {
    reader.unsigned();
    const offset = reader.unsigned();
    if (registers !== null) transfer(registers, code === v128.store, offset);
    return;
  }
  if (code === v128.const) {
    const words = [reader.word(), reader.word(), reader.word(), reader.word()];
    registers?.make(operations.constantWide, 'v128', ...words);
    return;
  }
  const row = rows[code];
  if (row === undefined) throw new NotTranslated('an instruction on vectors');
  const [operation, count, result, hasLane = false] = row;
  const lane = hasLane ? [reader.byte()] : [];
  if (registers === null) return;
  const first = registers.stack.length - count;
  const operands = registers.read(first) | (count === 2 ? registers.read(first + 1) << 16 : 0);
  registers.stack.length = first;
  registers.make(operation, result, operands, ...lane);
}

function transfer(registers: Registers, isStore: boolean, offset: number): void {
  const address = registers.stack.length - (isStore ? 2 : 1);
  const operands = registers.read(address) | (isStore ? registers.read(address + 1) << 16 : 0);
  registers.stack.length = address;
  if (isStore) registers.emit(operations.storeWide, 0, operands, offset);
  else registers.make(operations.loadWide, 'v128', operands, offset);
}

// Instructions that only compute, move, load and store: from a function's operand stack to registers, without a place that anything jumps to.

import { shapeOf } from '../emit/wasm/instructions.ts';
import { control, f32, f64, i32, i64, parametric, type ValueType, variable } from '../emit/wasm/opcodes.ts';
import { type ByteReader, type ModuleParts, NotTranslated } from './module-reader.ts';
import { commutes, globalOffset, operations, withConstant } from './operations.ts';
import { Registers } from './registers.ts';

/** What the emitter spends fuel with, behind the global and the amount (FunctionEmitter.charge). */
const spending = [
  i32.sub,
  variable.globalSet,
  0,
  variable.globalGet,
  0,
  i32.const,
  0,
  i32.ltS,
  control.if,
  0x40,
  control.call,
];

/** Loads and stores. */
const transfers: ReadonlySet<number> = new Set([
  ...[i32.load, i64.load, f32.load, f64.load, i32.load8U],
  ...[i32.store, i64.store, f32.store, f64.store],
]);

export class StraightTranslator {
  protected readonly reader: ByteReader;
  protected readonly parts: ModuleParts;
  protected readonly locals: readonly ValueType[];
  protected readonly registers: Registers;

  /** `reader` stands where the function's locals are written. */
  constructor(reader: ByteReader, parts: ModuleParts, parameters: readonly ValueType[], words: number[]) {
    const locals = [...parameters];
    for (let groups = reader.unsigned(); groups > 0; groups--) {
      const count = reader.unsigned();
      const type = reader.type();
      for (let i = 0; i < count; i++) locals.push(type);
    }
    this.reader = reader;
    this.parts = parts;
    this.locals = locals;
    this.registers = new Registers(words, locals.length);
  }

  protected compute(code: number): void {
    const { registers } = this;
    const shape = shapeOf(code);
    if (shape === null) throw new NotTranslated('an instruction');
    const left = registers.stack.length - shape.operands;
    if (shape.operands === 2 && shape.operand === 'i32') {
      const right = registers.constantAt(left + 1);
      const first = registers.constantAt(left);
      const turned = right === undefined && first !== undefined && commutes.has(code);
      const constant = turned ? first : right;
      if (constant !== undefined) {
        const operand = registers.read(turned ? left + 1 : left);
        registers.stack.length = left;
        registers.make(code + withConstant, shape.result, operand, constant);
        return;
      }
    }
    const operands = registers.read(left) | (shape.operands === 2 ? registers.read(left + 1) << 16 : 0);
    registers.stack.length = left;
    registers.make(code, shape.result, operands);
  }

  protected memoryOrConstant(code: number): void {
    const { reader, registers } = this;
    if (code === i32.const) registers.push('i32', { constant: Number(reader.signed()) });
    else if (code === f32.const) registers.push('f32', { constant: reader.word() });
    else if (code === i64.const) {
      const value = BigInt.asUintN(64, reader.signed());
      registers.make(operations.constantLong, 'i64', Number(value & 0xffffffffn), Number(value >> 32n));
    } else if (code === f64.const) registers.make(operations.constantLong, 'f64', reader.word(), reader.word());
    else if (!transfers.has(code)) throw new NotTranslated('an instruction');
    else {
      reader.unsigned();
      const offset = reader.unsigned();
      const isStore = code >= i32.store && code <= f64.store;
      const address = registers.stack.length - (isStore ? 2 : 1);
      const operands = registers.read(address) | (isStore ? registers.read(address + 1) << 16 : 0);
      registers.stack.length = address;
      if (isStore) registers.emit(code, 0, operands, offset);
      else registers.make(code, loadedType(code), operands, offset);
    }
  }

  protected move(code: number): void {
    const { reader, registers } = this;
    const { stack } = registers;
    if (code === parametric.drop) {
      registers.pop();
      registers.label();
    } else if (code === parametric.select) {
      const first = stack.length - 3;
      const { type } = stack[first] as { type: ValueType };
      const operands = registers.read(first) | (registers.read(first + 1) << 16);
      const condition = registers.read(first + 2);
      stack.length = first;
      registers.make(type === 'v128' ? operations.selectWide : operations.select, type, operands, condition);
    } else {
      const index = reader.unsigned();
      if (code === variable.localGet) registers.push(this.locals[index] as ValueType, { local: index });
      else if (code === variable.globalGet) this.getGlobal(index);
      else if (code === variable.globalSet) this.setGlobal(index);
      else registers.setLocal(index, code === variable.localTee);
    }
  }

  private getGlobal(index: number): void {
    const { registers } = this;
    if (index > 0) {
      const type = this.parts.globals[index - 1] as ValueType;
      registers.make(type === 'v128' ? operations.getWideGlobal : operations.getGlobal, type, globalOffset(index));
      return;
    }
    const before = this.reader.at;
    const amount = this.spent();
    if (amount !== null) {
      registers.emit(operations.charge, 0, amount);
      return;
    }
    this.reader.at = before;
    registers.make(operations.getFuel, 'i32', 0);
  }

  /** How much a `charge` of the emitter spends, when one follows. */
  private spent(): number | null {
    const { reader, parts } = this;
    if (reader.byte() !== i32.const) return null;
    const amount = Number(reader.signed());
    for (const byte of spending) if (reader.byte() !== byte) return null;
    const called = parts.imports[reader.unsigned()];
    return called?.name === 'refuel' && reader.byte() === control.end ? amount : null;
  }

  private setGlobal(index: number): void {
    const { registers } = this;
    const from = registers.read(registers.top);
    const { type } = registers.pop();
    if (index === 0) registers.emit(operations.setFuel, from, 0);
    else registers.emit(type === 'v128' ? operations.setWideGlobal : operations.setGlobal, from, globalOffset(index));
  }
}

function loadedType(code: number): ValueType {
  if (code === i64.load) return 'i64';
  if (code === f32.load) return 'f32';
  return code === f64.load ? 'f64' : 'i32';
}

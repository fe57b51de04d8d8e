// What EqualityComparer<T>.Default and Comparer<T>.Default say of two values that lie in locals.

import type { Type } from '../../types.ts';
import { memberCall, primitive, variable } from '../control/callbacks.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { codeObject, codeOf } from '../objects/object-layout.ts';
import { isEnumType, isString, nameOf, representation } from '../representation.ts';
import { goOver, type Sequence } from '../sequences/sequence.ts';
import { NotCompiled } from '../unsupported.ts';
import { noOrder } from '../wasm/core-functions.ts';
import { f32, f64, i32, i64 } from '../wasm/opcodes.ts';

const ticks = 2n ** 62n - 1n;
const bool = primitive('bool');
const unsigned = new Set(['byte', 'ushort', 'char', 'uint', 'ulong', 'bool']);
/** Structs that compare by operators of their own. */
const structs = new Set(['DateTimeOffset', 'Guid']);

/** Pushes whether two values are equal. */
export function pushEqual(f: FunctionEmitter, type: Type, left: number, right: number): void {
  const { code } = f;
  const both = (): void => {
    code.get(left);
    code.get(right);
  };
  if (type.kind === 'nullable' && representation(type) !== 'i32') {
    equalNullables(f, type, left, right);
    return;
  }
  if (isString(type)) {
    both();
    f.core('textEquals');
    return;
  }
  const name = type.kind === 'primitive' ? type.name : nameOf(type);
  if (name === 'DateTime') {
    for (const side of [left, right]) {
      code.get(side);
      code.i64(ticks);
      code.op(i64.and);
    }
    code.op(i64.eq);
    return;
  }
  if (name === 'decimal' || structs.has(name)) {
    const owner = name === 'decimal' ? 'Decimal' : name;
    const values = [left, right].map((side) => variable(f, type, side));
    f.expression(memberCall(`${owner}.op_Equality(${name},${name})`, bool, null, values));
    return;
  }
  if (codeOf(type) === codeObject) {
    both();
    f.core('objectEquals');
    return;
  }
  const form = representation(type);
  both();
  if (form === 'i32') code.op(i32.eq);
  else if (form === 'i64') code.op(i64.eq);
  else {
    // NaN equals itself here.
    code.op(form === 'f32' ? f32.eq : f64.eq);
    for (const side of [left, right]) {
      code.get(side);
      code.get(side);
      code.op(form === 'f32' ? f32.ne : f64.ne);
    }
    code.op(i32.and, i32.or);
  }
}

function equalNullables(f: FunctionEmitter, type: Type & { kind: 'nullable' }, left: number, right: number): void {
  const { code } = f;
  const [one, other] = [left, right].map((side) => variable(f, type, side)) as [never, never];
  f.expression({ kind: 'hasValue', type: bool, operand: one });
  f.expression({ kind: 'hasValue', type: bool, operand: other });
  code.op(i32.eq);
  code.if('i32');
  const values = [one, other].map((operand) => f.toLocal({ kind: 'unwrap', type: type.element, operand }).local);
  // Two that are null have the same default in them.
  pushEqual(f, type.element, values[0] as number, values[1] as number);
  code.else();
  code.i32(0);
  code.end();
}

/** Pushes an i32: below 0, 0 or above 0; `failure` is what objects without an order throw. */
export function pushOrder(
  f: FunctionEmitter,
  type: Type,
  left: number,
  right: number,
  failure: 'ArgumentException' | 'InvalidOperationException' = 'ArgumentException',
): void {
  const { code } = f;
  if (isString(type)) {
    code.get(left);
    code.get(right);
    f.core('textCompare');
    return;
  }
  if (codeOf(type) === codeObject) {
    code.get(left);
    code.get(right);
    f.core('objectCompare');
    const order = code.borrow('i32');
    code.tee(order);
    code.i32(noOrder);
    code.op(i32.eq);
    f.failIf(failure);
    code.get(order);
    code.release('i32', order);
    return;
  }
  if (type.kind === 'nullable') {
    orderNullables(f, type, left, right);
    return;
  }
  // Above less below: NaN is below every number.
  pushBefore(f, type, right, left);
  pushBefore(f, type, left, right);
  code.op(i32.sub);
}

/** Pushes whether `left` comes before `right`: as CompareTo has it, so NaN comes before every number. */
export function pushBefore(f: FunctionEmitter, type: Type, left: number, right: number): void {
  const { code } = f;
  const name = type.kind === 'primitive' ? type.name : nameOf(type);
  if (isString(type) || type.kind === 'nullable' || codeOf(type) === codeObject) {
    pushOrder(f, type, left, right);
    code.i32(0);
    code.op(i32.ltS);
    return;
  }
  if (name === 'decimal' || name === 'DateTime' || name === 'TimeSpan' || structs.has(name)) {
    const owner = name === 'decimal' ? 'Decimal' : name;
    const values = [left, right].map((side) => variable(f, type, side));
    if (name === 'Guid') {
      f.expression(memberCall('Guid.CompareTo(Guid)', primitive('int'), values[0] as never, values.slice(1)));
      code.i32(0);
      code.op(i32.ltS);
    } else f.expression(memberCall(`${owner}.op_LessThan(${name},${name})`, bool, null, values));
    return;
  }
  if ((type.kind !== 'primitive' && !isEnumType(type)) || name === 'object')
    throw new NotCompiled('an order of these values');
  const form = representation(type);
  code.get(left);
  code.get(right);
  if (form === 'i32') code.op(unsigned.has(name) ? i32.ltU : i32.ltS);
  else if (form === 'i64') code.op(unsigned.has(name) ? i64.ltU : i64.ltS);
  else {
    code.op(form === 'f32' ? f32.lt : f64.lt);
    code.get(left);
    code.get(left);
    code.op(form === 'f32' ? f32.ne : f64.ne);
    code.get(right);
    code.get(right);
    code.op(form === 'f32' ? f32.eq : f64.eq, i32.and, i32.or);
  }
}

function orderNullables(f: FunctionEmitter, type: Type & { kind: 'nullable' }, left: number, right: number): void {
  const { code } = f;
  const sides = [left, right].map((side) => variable(f, type, side));
  const known = sides.map((operand) => f.toLocal({ kind: 'hasValue', type: bool, operand }).local);
  for (const side of known) code.get(side);
  code.op(i32.and);
  code.if('i32');
  const values = sides.map((operand) => f.toLocal({ kind: 'unwrap', type: type.element, operand }).local);
  pushOrder(f, type.element, values[0] as number, values[1] as number);
  code.else();
  for (const side of known) code.get(side);
  code.op(i32.sub);
  code.end();
}

/** Pushes whether a sequence has an item. */
export function emitContains(
  f: FunctionEmitter,
  items: Sequence,
  wanted: number,
  equal: (item: number) => void = (item) => pushEqual(f, items.item, item, wanted),
): void {
  const { code } = f;
  const result = code.local('i32');
  code.i32(0);
  code.set(result);
  const after = code.block();
  goOver(f, items, (item) => {
    equal(item);
    code.tee(result);
    code.branchIf(after);
  });
  code.end();
  code.get(result);
}

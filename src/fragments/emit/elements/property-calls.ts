// Reads of the properties of elements.

import { elementColumns } from '../../../core/layout.ts';
import type { Expression, Target } from '../../tree.ts';
import type { Type } from '../../types.ts';
import {
  argument,
  type Call,
  type CallEmitter,
  checkedReceiver,
  outTarget,
  storeDefault,
} from '../control/call-parts.ts';
import { codeCalling, codeOfDelegate, newLocal } from '../control/delegate-code.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { wrap } from '../objects/nullables.ts';
import { propertyObject } from '../objects/object-calls.ts';
import { propertyIds } from '../objects/object-layout.ts';
import { formOf, propertyOf, representation } from '../representation.ts';
import { i32, parametric } from '../wasm/opcodes.ts';

/** Pushes the intern id of a text: a global for a constant, a lookup otherwise. */
export function pushName(f: FunctionEmitter, node: Expression): void {
  if (node.kind === 'constant' && typeof node.value === 'string') {
    f.name(node.value);
    return;
  }
  f.expression(node);
  f.core('textName');
}

/**
 * Puts the address of a property's slot into a local, 0 without the property. The shape of the element asked last, and where its rows have
 * the property, are remembered: most elements in a row have the same.
 */
export function slotOfName(f: FunctionEmitter, element: number, name: string, type: number, slot: number): void {
  const { code } = f;
  const shape = f.module.writer.addGlobal('i32');
  const offset = f.module.writer.addGlobal('i32');
  f.module.shapes.push(shape);
  const row = code.borrow('i32');
  code.i32(0);
  code.set(slot);
  f.column(element, elementColumns.row);
  code.tee(row);
  code.if();
  code.get(row);
  code.load(i32.load, 0);
  code.getGlobal(shape);
  code.op(i32.ne);
  code.if();
  code.get(row);
  code.load(i32.load, 0);
  code.setGlobal(shape);
  code.getGlobal(shape);
  f.name(name);
  code.i32(type);
  f.core('fragmentSlotOffset');
  code.setGlobal(offset);
  code.end();
  code.getGlobal(offset);
  code.if();
  code.get(row);
  code.getGlobal(offset);
  code.op(i32.add);
  code.set(slot);
  code.end();
  code.end();
  code.release('i32', row);
}

function tryGetProperty(f: FunctionEmitter, call: Call): void {
  const { code } = f;
  const target = outTarget(call, 0);
  const wanted = call.typeArguments[0] as Type;
  if (formOf(wanted) === 'object' || wanted.kind === 'array') {
    tryGetObject(f, call, wanted);
    return;
  }
  const stored = wanted.kind === 'nullable' ? wanted.element : wanted;
  const property = propertyOf(stored);
  const element = checkedReceiver(f, call);
  const key = argument(call, 1);
  const slot = code.borrow('i32');
  if (key.kind === 'constant' && typeof key.value === 'string') {
    slotOfName(f, element, key.value, property.id, slot);
  } else {
    code.get(element);
    pushName(f, key);
    code.i32(property.id);
    f.core('fragmentSlot');
    code.set(slot);
  }
  code.get(slot);
  giveOut(f, target, () => {
    code.get(slot);
    code.load(property.load, 0);
    if (property.id === propertyIds.decimal) f.core('decimalLoad');
    else if (representation(stored) === 'v128') code.load128(0);
    if (wanted !== stored) wrap(f, stored);
  });
  code.release('i32', slot);
}

/** Whether it was found, which is on the stack: stores what `push` pushes then, the default else, and pushes the answer. */
export function giveOut(f: FunctionEmitter, target: Target, push: () => void): void {
  const { code } = f;
  code.if('i32');
  push();
  f.store(target);
  code.i32(1);
  code.else();
  storeDefault(f, target);
  code.i32(0);
  code.end();
}

/** Of a type that values of several stored types have, or that is an object itself. */
function tryGetObject(f: FunctionEmitter, call: Call, wanted: Type): void {
  const { code } = f;
  const target = outTarget(call, 0);
  const element = checkedReceiver(f, call);
  const found = propertyObject(f, element, () => pushName(f, argument(call, 1)));
  code.get(found);
  code.i32(-1);
  code.op(i32.ne);
  if (wanted.kind !== 'primitive') {
    code.if('i32');
    code.get(found);
    f.module.types.test(f, wanted);
    code.else();
    code.i32(0);
    code.end();
  }
  giveOut(f, target, () => {
    code.get(found);
  });
}

function anyPropertyValueMatches(f: FunctionEmitter, call: Call): void {
  const { code } = f;
  const row = code.local('i32');
  const index = code.local('i32');
  const count = code.local('i32');
  const text = code.local('i32');
  const result = code.local('i32');
  code.get(checkedReceiver(f, call));
  const given = argument(call, 0);
  // A delegate in a variable may be null, which matches nothing.
  const held = given.type.kind === 'null' || given.kind === 'lambda' ? null : newLocal(given.type);
  if (given.type.kind === 'null' || (given.kind === 'constant' && given.value === null)) {
    code.op(parametric.drop);
    code.i32(0);
    return;
  }
  if (held !== null) {
    f.expression(given);
    f.setLocal(held);
  }
  const predicate = held === null ? codeOfDelegate(f, given) : codeCalling(held);
  f.core('fragmentRow');
  code.tee(row);
  f.core('fragmentRowCount');
  if (held !== null) {
    code.i32(0);
    f.getLocal(held);
    code.op(parametric.select);
  }
  code.set(count);
  code.i32(0);
  code.set(index);
  code.i32(0);
  code.set(result);
  const after = code.block();
  const top = code.loop();
  code.get(index);
  code.get(count);
  code.op(i32.geU);
  code.branchIf(after);
  f.charge(4);
  code.get(row);
  code.get(index);
  f.core('fragmentRowText');
  code.set(text);
  code.get(index);
  code.i32(1);
  code.op(i32.add);
  code.set(index);
  code.get(text);
  code.op(i32.eqz);
  code.branchIf(top);
  f.inline(predicate, [text]);
  code.tee(result);
  code.op(i32.eqz);
  code.branchIf(top);
  code.end();
  code.end();
  code.get(result);
}

export const propertyCalls: readonly [string, CallEmitter][] = [
  ['AGraphElementModel.TryGetProperty<T>(out T,string)', tryGetProperty],
  ['AGraphElementModel.AnyPropertyValueMatches(Func<string,bool>)', anyPropertyValueMatches],
];

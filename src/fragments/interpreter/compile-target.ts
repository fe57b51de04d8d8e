// What can be assigned to or passed by reference: locals, array elements, items of tuples, and library members with a setter.

import type { Target } from '../tree.ts';
import type { ArrayObject } from './array-objects.ts';
import { compileMember } from './compile-call.ts';
import { compileExpression } from './compile-expression.ts';
import type { Scope } from './compiler.ts';
import { nullReference, raise } from './exceptions.ts';
import type { Frame, Run } from './frames.ts';
import { storeItem } from './members/arrays.ts';
import { StructValue, TupleValue } from './structs.ts';
import type { UserObject } from './user-objects.ts';
import type { Cell, Value } from './values.ts';

/** Evaluates the places of a target, then the value, then stores it; gives the value. */
export function compileAssignment(target: Target, value: Run, scope: Scope): Run {
  switch (target.kind) {
    case 'local': {
      const slot = scope.slotOf(target.local);
      if (scope.isCelled(target.local)) {
        return (frame) => {
          const result = value(frame);
          frame[slot].value = result;
          return result;
        };
      }
      return (frame) => {
        const result = value(frame);
        frame[slot] = result;
        return result;
      };
    }
    case 'discard':
      return value;
    case 'member':
      return assignMember(target, value, scope);
    case 'element':
      return assignElement(target, value, scope);
    case 'field': {
      const object = compileExpression(target.object, scope);
      const { index } = target;
      return (frame) => {
        const owner: UserObject | null = object(frame);
        const result = value(frame);
        if (owner === null) return nullReference();
        owner.fields[index] = result;
        return result;
      };
    }
    default: {
      const place = compileReference(target, scope);
      return (frame) => {
        const cell = place(frame);
        const result = value(frame);
        cell.value = result;
        return result;
      };
    }
  }
}

/** The array and the indices are looked at when the value is there. */
function assignElement(target: Target & { kind: 'element' }, value: Run, scope: Scope): Run {
  const array = compileExpression(target.array, scope);
  const indices = target.indices.map((index) => compileExpression(index, scope));
  return (frame) => {
    const object: ArrayObject | null = array(frame);
    const list = indices.map((index) => Number(index(frame)));
    const result = value(frame);
    if (object === null) return nullReference();
    storeItem(object, object.offset(list), result);
    return result;
  };
}

function assignMember(target: Target & { kind: 'member' }, value: Run, scope: Scope): Run {
  const values = target.arguments.map((argument) => compileExpression(argument, scope));
  const receiver = target.receiver ? compileExpression(target.receiver, scope) : null;
  const types = [...target.arguments.map((argument) => argument.type), target.type];
  const set = compileMember(target.setter, {
    receiver: target.receiver?.type ?? null,
    arguments: types,
    typeArguments: [],
    result: target.type,
  });
  const isSpan = target.setter.key === 'Span<T>.set_Item(int,T)';
  return (frame) => {
    const list: Value[] = [];
    if (receiver) list.push(receiver(frame));
    for (const argument of values) list.push(argument(frame));
    // The item of a span is a place that is found before its value.
    if (isSpan && !(list[1] >= 0 && list[1] < list[0].length)) return raise('IndexOutOfRangeException');
    const result = value(frame);
    if (receiver && list[0] === null) return nullReference();
    set(...list, result);
    return result;
  };
}

/** An element of an array as a cell. */
class ElementCell implements Cell {
  readonly #array: ArrayObject;
  readonly #at: number;

  constructor(array: ArrayObject, at: number) {
    this.#array = array;
    this.#at = at;
  }

  get value(): Value {
    return this.#array.at(this.#at);
  }

  set value(value: Value) {
    storeItem(this.#array, this.#at, value);
  }
}

/** An item of a tuple that lives in another cell: storing makes a new tuple. */
class TupleCell implements Cell {
  readonly #tuple: Cell;
  readonly #at: number;

  constructor(tuple: Cell, at: number) {
    this.#tuple = tuple;
    this.#at = at;
  }

  get value(): Value {
    return this.#tuple.value.items[this.#at];
  }

  set value(value: Value) {
    const { value: before } = this.#tuple;
    const items = before.items.with(this.#at, value);
    this.#tuple.value = before instanceof StructValue ? new StructValue(before.type, items) : new TupleValue(items);
  }
}

class FieldCell implements Cell {
  readonly #fields: Value[];
  readonly #at: number;

  constructor(fields: Value[], at: number) {
    this.#fields = fields;
    this.#at = at;
  }

  get value(): Value {
    return this.#fields[this.#at];
  }

  set value(value: Value) {
    this.#fields[this.#at] = value;
  }
}

/** A local that has no cell, while its frame is there. */
class SlotCell implements Cell {
  readonly #frame: Frame;
  readonly #slot: number;

  constructor(frame: Frame, slot: number) {
    this.#frame = frame;
    this.#slot = slot;
  }

  get value(): Value {
    return this.#frame[this.#slot];
  }

  set value(value: Value) {
    this.#frame[this.#slot] = value;
  }
}

/** The place of a target as a cell, its parts evaluated once. */
export function compileReference(target: Target, scope: Scope): (frame: Frame) => Cell {
  switch (target.kind) {
    case 'local': {
      const slot = scope.slotOf(target.local);
      return scope.isCelled(target.local) ? (frame) => frame[slot] : (frame) => new SlotCell(frame, slot);
    }
    case 'element': {
      const array = compileExpression(target.array, scope);
      const indices = target.indices.map((index) => compileExpression(index, scope));
      return (frame) => {
        const object: ArrayObject = array(frame);
        const list = indices.map((index) => index(frame));
        if (object === null) return nullReference();
        return new ElementCell(object, object.offset(list));
      };
    }
    case 'tupleElement': {
      const tuple = compileReference(target.tuple, scope);
      return (frame) => new TupleCell(tuple(frame), target.index);
    }
    case 'field': {
      const object = compileExpression(target.object, scope);
      return (frame) => {
        const owner: UserObject | null = object(frame);
        return owner === null ? nullReference() : new FieldCell(owner.fields, target.index);
      };
    }
    case 'discard':
      return () => ({ value: null });
    default:
      return () => raise('NotSupportedException');
  }
}

// What can be assigned to: a place is found once, its parts evaluated in order, and then read and written as often as need be.

import type { Expression, Local, Target } from '../../tree.ts';
import { checkedItem, itemParts, itemPlace, loadItemOf, requireOwnItems, storeItemOf } from '../arrays/arrays.ts';
import { checkIndex, pushAddress, putItem, viewOf } from '../arrays/spans.ts';
import { changedTuple, loadItem } from '../objects/tuples.ts';
import { loadUserField, storeUserField } from '../objects/user-objects.ts';
import { representation } from '../representation.ts';
import { NotCompiled } from '../unsupported.ts';
import { i32, parametric } from '../wasm/opcodes.ts';
import { checkedReference } from './call-parts.ts';
import type { FunctionEmitter } from './function-emitter.ts';

export interface Place {
  /** Pushes the value. */
  load(): void;
  /** Takes the value from the stack. */
  store(): void;
}

export function placeOf(f: FunctionEmitter, target: Target): Place {
  const { code } = f;
  switch (target.kind) {
    case 'local':
      return { load: () => f.getLocal(target.local), store: () => f.setLocal(target.local) };
    case 'discard':
      return { load: () => f.zero(target.type), store: () => code.op(parametric.drop) };
    case 'element': {
      const item = itemPlace(f, target.array, target.indices);
      return {
        load: () => loadItemOf(f, item),
        store: () => {
          requireOwnItems(f, item.array, target.array.type);
          held(f, target.type, (value) => storeItemOf(f, item, value));
        },
      };
    }
    case 'tupleElement': {
      const tuple = placeOf(f, target.tuple);
      return {
        load: () => {
          tuple.load();
          loadItem(f, target.index, target.type);
        },
        store: () =>
          held(f, target.type, (value) => {
            tuple.load();
            const whole = code.local('i32');
            code.set(whole);
            changedTuple(f, whole, target.index, target.type, value);
            tuple.store();
          }),
      };
    }
    case 'field': {
      const object = checkedReference(f, target.object, 'NullReferenceException');
      return {
        load: () => loadUserField(f, target, object),
        store: () => held(f, target.type, (value) => storeUserField(f, target, object, value)),
      };
    }
    case 'member':
      throw new NotCompiled(`${target.setter.key} by reference`);
  }
}

/** Puts the value on the stack into a local for a while. */
function held(f: FunctionEmitter, type: Target['type'], use: (value: number) => void): void {
  const kind = representation(type);
  const value = f.code.borrow(kind);
  f.code.set(value);
  use(value);
  f.code.release(kind, value);
}

let lastTemporary = 0;

/** A variable of the emitter's own, at a place in the function. */
function temporary(f: FunctionEmitter, type: Target['type']): Local {
  const local: Local = { id: -++lastTemporary, name: '', type, captured: false, byReference: false };
  f.bind(local, f.code.local(representation(type)));
  return local;
}

type MemberTarget = Target & { readonly kind: 'member' };

function isSpanItem(target: MemberTarget): boolean {
  return target.setter.key === 'Span<T>.set_Item(int,T)';
}

/** The item of a span is a place that is found before its value. */
function assignSpanItem(f: FunctionEmitter, target: MemberTarget, value: Expression, kept: Local): void {
  const { code } = f;
  const view = viewOf(f, target.receiver as Expression);
  const address = code.local('i32');
  const index = f.toLocal(target.arguments[0] as Expression);
  checkIndex(f, view, index.local);
  pushAddress(f, view, index.local);
  code.set(address);
  code.release(index.type, index.local);
  f.expression(value);
  f.setLocal(kept);
  f.getLocal(kept);
  held(f, target.type, (local) => putItem(f, target.type, address, local));
  f.getLocal(kept);
}

/** `target = value`; pushes the value. */
export function emitAssign(f: FunctionEmitter, node: Expression & { kind: 'assign' }): void {
  const { target, value } = node;
  if (target.kind === 'discard') {
    f.expression(value);
    return;
  }
  if (target.kind === 'local') {
    f.expression(value);
    f.setLocal(target.local);
    f.getLocal(target.local);
    return;
  }
  const kept = temporary(f, target.type);
  if (target.kind === 'element') {
    // The array and the indices are looked at when the value is there.
    const parts = itemParts(f, target.array, target.indices);
    f.expression(value);
    f.setLocal(kept);
    const place = checkedItem(f, parts);
    requireOwnItems(f, place.array, target.array.type);
    f.getLocal(kept);
    held(f, target.type, (local) => storeItemOf(f, place, local));
    f.getLocal(kept);
    return;
  }
  if (target.kind === 'field') {
    // The object is looked at when the value is there.
    f.expression(target.object);
    const object = f.code.local('i32');
    f.code.set(object);
    f.expression(value);
    f.setLocal(kept);
    f.code.get(object);
    f.code.op(i32.eqz);
    f.failIf('NullReferenceException');
    f.getLocal(kept);
    held(f, target.type, (local) => storeUserField(f, target, object, local));
    f.getLocal(kept);
    return;
  }
  if (target.kind === 'member' && isSpanItem(target)) {
    assignSpanItem(f, target, value, kept);
    return;
  }
  if (target.kind === 'member') {
    const assigned: Expression = { ...node, target: { kind: 'local', type: target.type, local: kept } };
    f.call({
      kind: 'call',
      type: { kind: 'primitive', name: 'void' },
      member: target.setter,
      receiver: target.receiver,
      arguments: [...target.arguments, assigned].map((given) => ({ mode: 'value', value: given })),
      typeArguments: [],
    });
  } else {
    const place = placeOf(f, target);
    f.expression(value);
    f.setLocal(kept);
    f.getLocal(kept);
    place.store();
  }
  f.getLocal(kept);
}

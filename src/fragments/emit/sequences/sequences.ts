// What expressions are sequences (sequence.ts). `sequenceOf` emits what C# does when a chain is put together: operands are evaluated, nulls and
// counts are checked; everything else happens when somebody goes over it, each time anew.

import type { Expression, Local } from '../../tree.ts';
import { assignedAtMost } from '../control/assignments.ts';
import { Escapes, edgeObjects } from '../control/escapes.ts';
import { emitThrow } from '../control/exceptions.ts';
import type { FragmentModule } from '../control/fragment-module.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { inOrder } from '../control/in-order.ts';
import { isEdgeList, isString, nameOf } from '../representation.ts';
import { NotCompiled } from '../unsupported.ts';
import { i32 } from '../wasm/opcodes.ts';
import { isDeferred, isNull, strip } from './deferred.ts';
import { objectSource } from './makers.ts';
import { either, itemOf, nothing, type Sequence, type WhenNull } from './sequence.ts';
import { arraySource, edgeSource, textSource } from './sources.ts';
import { sequenceMember } from './steps.ts';

/** Evaluates what the sequence is made of; throws NotCompiled for one that is not known here. */
export function sequenceOf(f: FunctionEmitter, node: Expression, whenNull: WhenNull): Sequence {
  const sequence = knownSequence(f, node, whenNull);
  if (sequence === null) throw new NotCompiled('a sequence of this kind');
  if (sequence.absent !== undefined) {
    sequence.absent(f);
    f.failIf(whenNull);
  }
  return sequence;
}

function knownSequence(f: FunctionEmitter, node: Expression, whenNull: WhenNull): Sequence | null {
  const inner = strip(f, node);
  if (isNull(inner)) {
    f.fail(whenNull);
    return nothing(itemOf(node.type));
  }
  switch (inner.kind) {
    case 'call': {
      const member = sequenceMember(inner.member.key);
      if (member !== undefined) return member(f, inOrder(f, inner));
      break;
    }
    case 'local': {
      const bound = f.sequences.get(inner.local);
      if (bound !== undefined) return bound;
      break;
    }
    case 'sequence':
      for (const effect of inner.effects) f.effect(effect);
      return knownSequence(f, inner.value, whenNull);
    case 'conditional':
      if (isDeferred(f, inner)) return chosen(f, inner);
      break;
    case 'throw':
      emitThrow(f, inner.operand);
      return nothing(itemOf(node.type));
  }
  if (isString(inner.type)) return textSource(f, inner, whenNull);
  if (inner.type.kind === 'array') return arraySource(f, inner, whenNull);
  return edgeSource(f, inner, whenNull) ?? objectSource(f, inner, whenNull);
}

/** `condition ? one : other`, either of which may be null. Both are gone over by code that stands once. */
function chosen(f: FunctionEmitter, node: Expression & { kind: 'conditional' }): Sequence {
  const { code } = f;
  const item = itemOf(node.type);
  const which = code.local('i32');
  const none = code.local('i32');
  f.expression(node.condition);
  code.set(which);
  const made = ([node.whenTrue, node.whenFalse] as const).map((side, index) => {
    code.get(which);
    if (index === 1) code.op(i32.eqz);
    code.if();
    const sequence = isNull(strip(f, side)) ? null : knownSequence(f, side, 'ArgumentNullException');
    if (sequence?.absent !== undefined) sequence.absent(f);
    else code.i32(sequence === null ? 1 : 0);
    code.set(none);
    code.end();
    return sequence ?? nothing(item);
  });
  const [one, other] = made as [Sequence, Sequence];
  return { ...either(item, which, one, other), absent: () => code.get(none) };
}

const interfaces = new Set(['IEnumerable', 'IOrderedEnumerable']);

/**
 * `query = list.Where(…)`: a variable of a sequence that is assigned nowhere else stands for the description. Whoever goes over it runs
 * the chain then, over what its operands were now, as C# does. False: the assignment is an ordinary one.
 */
export function bindSequence(f: FunctionEmitter, local: Local, value: Expression): boolean {
  if (!interfaces.has(nameOf(local.type)) || f.module.captured.has(local)) return false;
  if (f.module.captures.needsCell(local) || f.module.escaping.has(local)) return false;
  if (!isDeferred(f, value) || !assignedAtMost(f.module.bound, local, 1)) return false;
  const sequence = knownSequence(f, value, 'NullReferenceException');
  if (sequence === null) return false;
  f.sequences.set(local, sequence);
  return true;
}

/** Whether a variable may come to stand for a sequence: it needs no value before its only assignment. */
export function standsForSequence(module: FragmentModule, local: Local): boolean {
  if (module.escaping.has(local) || module.captures.needsCell(local)) return false;
  return interfaces.has(nameOf(local.type)) && !isEdgeList(local.type) && assignedAtMost(module.bound, local, 1);
}

/** Pushes the object that a variable stands for; false when it stands for no sequence. */
export function pushBoundSequence(f: FunctionEmitter, local: Local): boolean {
  const sequence = f.sequences.get(local);
  if (sequence === undefined) return false;
  if (sequence.place === undefined) throw new Escapes(local);
  if (isEdgeList(local.type) && !f.module.escaping.has(edgeObjects)) throw new Escapes(edgeObjects);
  f.code.get(sequence.place);
  return true;
}

/** Pushes whether a variable that stands for a sequence is null; false when it stands for none. */
export function pushAbsent(f: FunctionEmitter, node: Expression): boolean {
  const inner = strip(f, node);
  if (inner.kind !== 'local') return false;
  const sequence = f.sequences.get(inner.local);
  if (sequence === undefined) return false;
  if (sequence.absent !== undefined) sequence.absent(f);
  else f.code.i32(0);
  return true;
}

// Sequences while a fragment is compiled: what `foreach` and LINQ go over. A sequence is no value of the module but a description that
// can emit the loop over itself as often as it is gone over, so a chain such as list.Where(…).Select(…).Any(…) becomes one loop
// that hands each item on from one member to the next. `sequenceOf` emits what C# does when the chain is put together: operands
// are evaluated, nulls and counts are checked; everything else happens when somebody goes over it, each time anew.
//
// A sequence is gone over in one of two ways. `start` answers a cursor, whose code gives the next item or leaves: members that stop,
// pair or follow one another are made of it. `walk` emits a whole loop, as members that only pass on do best. Either way the code of
// a lambda stands once.

import type { Expression, Local, Statement } from '../tree.ts';
import type { Type } from '../types.ts';
import { emitForEachArray } from './arrays.ts';
import { assignedAtMost } from './assignments.ts';
import type { Call } from './calls.ts';
import { objectSource } from './collection-members.ts';
import { arraySource, edgeSource, textSource } from './collection-sources.ts';
import { sequenceMember } from './collection-steps.ts';
import { Escapes, edgeObjects } from './escapes.ts';
import { emitThrow } from './exceptions.ts';
import type { FragmentModule } from './fragment-module.ts';
import type { FunctionEmitter } from './function-emitter.ts';
import { i32, type ValueType } from './opcodes.ts';
import { isEdgeList, isString, nameOf, representation } from './representation.ts';
import { emitForEachSpan } from './spans.ts';
import { NotCompiled } from './unsupported.ts';

/** Gets an item in a local; emitted once. */
export type OnItem = (item: number, type: ValueType) => void;

/** Emits the code of a step: leaves to the block `end` after the last item, otherwise ends with the next one in the local it answers. */
export type Cursor = (end: number) => number;

export type WhenNull = 'NullReferenceException' | 'ArgumentNullException';

export interface Sequence {
  readonly item: Type;
  /** Emits what stands before the first step. Steps are not taken after the last item. */
  start(f: FunctionEmitter): Cursor;
  /** Emits a loop of its own instead of one around a cursor. */
  readonly walk?: ((f: FunctionEmitter, onItem: OnItem) => void) | undefined;
  /** Pushes how many items there are, where that is known without going over them. */
  readonly count?: ((f: FunctionEmitter) => void) | undefined;
  /** What it orders, and by what: ThenBy adds to it. */
  readonly ordered?: { readonly inner: Sequence; readonly orderings: readonly Ordering[] };
  /** The local with the object that it is, if it is one. */
  readonly place?: number;
  /** Whether that object is a HashSet. */
  readonly set?: boolean;
  /** Pushes 1 where the sequence is null after all: one that a `?.` or `??` chose. */
  readonly absent?: ((f: FunctionEmitter) => void) | undefined;
}

export interface Ordering {
  /** Type of the keys. */
  readonly type: Type;
  /** Pushes the key of an item in a local. */
  readonly key: (f: FunctionEmitter, item: number) => void;
  readonly descending: boolean;
  readonly folded: boolean;
}

export function emitForEach(f: FunctionEmitter, node: Statement & { kind: 'forEach' }): void {
  const { code } = f;
  if (node.over === 'array') {
    emitForEachArray(f, node);
    return;
  }
  if (node.over === 'span') {
    emitForEachSpan(f, node);
    return;
  }
  const sequence = sequenceOf(f, node.sequence, 'NullReferenceException');
  const after = code.block();
  f.label(node.after, after);
  goOver(f, sequence, (item, type) => {
    // A round of its own, so that what the body does to its variable stays in the round.
    const own = code.local(type);
    code.get(item);
    code.set(own);
    f.bind(node.item, own);
    f.label(node.next, code.block());
    f.statement(node.body);
    code.end();
  });
  code.end();
}

/** A loop over a sequence; what `onItem` emits runs once an item. */
export function goOver(f: FunctionEmitter, sequence: Sequence, onItem: OnItem): void {
  if (sequence.walk !== undefined) {
    sequence.walk(f, onItem);
    return;
  }
  const { code } = f;
  const next = sequence.start(f);
  const after = code.block();
  const top = code.loop();
  const item = next(after);
  onItem(item, representation(sequence.item));
  code.branch(top);
  code.end();
  code.end();
}

/** Conversions that leave a sequence what it is. */
function strip(f: FunctionEmitter, node: Expression): Expression {
  let inner = node;
  while (inner.kind === 'convert') {
    const { kind } = inner.conversion;
    if (kind !== 'identity' && kind !== 'reference' && kind !== 'as') break;
    if (kind !== 'identity' && !isNull(inner.operand) && !f.module.types.isUpcast(inner.operand.type, inner.type))
      break;
    inner = inner.operand;
  }
  return inner;
}

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
      if (member !== undefined) return member(f, inner);
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

/** What the items of a type are. */
export function itemOf(type: Type): Type {
  if (type.kind === 'array') return type.element;
  if (isString(type)) return { kind: 'primitive', name: 'char' };
  if (type.kind !== 'named') return { kind: 'primitive', name: 'object' };
  const name = nameOf(type);
  if (name === 'IGrouping') return type.arguments[1] as Type;
  if (name === 'ILookup') return { kind: 'named', name: 'IGrouping', arguments: type.arguments };
  if (type.arguments.length === 2) return { kind: 'named', name: 'KeyValuePair', arguments: type.arguments };
  return type.arguments[0] ?? { kind: 'primitive', name: 'object' };
}

/** Never gives anything. */
function nothing(item: Type): Sequence {
  return {
    item,
    start: (f) => (end) => {
      f.code.branch(end);
      return f.code.local(representation(item));
    },
  };
}

const isNull = (node: Expression): boolean =>
  node.type.kind === 'null' || node.kind === 'default' || (node.kind === 'constant' && node.value === null);

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

/** One of two sequences, as a local says. */
export function either(item: Type, which: number, one: Sequence, other: Sequence): Sequence {
  return {
    item,
    start: (f) => {
      const { code } = f;
      code.get(which);
      code.if();
      const first = one.start(f);
      code.else();
      const second = other.start(f);
      code.end();
      const result = code.local(representation(item));
      return (end) => {
        code.get(which);
        code.if();
        code.get(first(end));
        code.set(result);
        code.else();
        code.get(second(end));
        code.set(result);
        code.end();
        return result;
      };
    },
  };
}

const interfaces = new Set(['IEnumerable', 'IOrderedEnumerable']);

/** Whether an expression gives a sequence that is a description rather than an object. */
function isDeferred(f: FunctionEmitter, node: Expression): boolean {
  const inner = strip(f, node);
  switch (inner.kind) {
    case 'call':
      return sequenceMember(inner.member.key) !== undefined;
    case 'local':
      return f.sequences.has(inner.local);
    case 'sequence':
      return isDeferred(f, inner.value);
    case 'conditional':
      return [inner.whenTrue, inner.whenFalse].some((side) => isDeferred(f, side));
    default:
      return false;
  }
}

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

export type SequenceMember = (f: FunctionEmitter, call: Call) => Sequence;

// Sequences while a fragment is compiled: what `foreach` and LINQ go over. A sequence is no value of the module but a description that
// can emit the loop over itself as often as it is gone over, so a chain such as list.Where(…).Select(…).Any(…) becomes one loop
// that hands each item on from one member to the next.
// What is made of operands when the chain is put together is in sequences.ts.
//
// A sequence is gone over in one of two ways. `start` answers a cursor, whose code gives the next item or leaves: members that stop,
// pair or follow one another are made of it. `walk` emits a whole loop, as members that only pass on do best. Either way the code of
// a lambda stands once.

import type { Type } from '../../types.ts';
import type { Call } from '../control/call-parts.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { isString, nameOf, representation } from '../representation.ts';
import type { ValueType } from '../wasm/opcodes.ts';

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

export type SequenceMember = (f: FunctionEmitter, call: Call) => Sequence;

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
export function nothing(item: Type): Sequence {
  return {
    item,
    start: (f) => (end) => {
      f.code.branch(end);
      return f.code.local(representation(item));
    },
  };
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

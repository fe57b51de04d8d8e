// `foreach` and LINQ over what a fragment can walk: the edges of a group, the groups of a map, the units of a string. A chain such as
// list.Where(…).Select(…).Any(…) becomes one loop that hands each item on from one member to the next; nothing is collected. A member
// that has to see all items before it gives one (OrderBy, GroupBy, ToList…) is left to the interpreter.

import type { Expression, FunctionCode, Statement } from '../tree.ts';
import { emitForEachArray, itemType, walkArray } from './arrays.ts';
import { argument, type Call, checkedReference, receiver } from './calls.ts';
import type { FunctionEmitter } from './function-emitter.ts';
import type { ValueType } from './module-writer.ts';
import { isEdgeList, isEdgeMap, isString, nameOf, representation } from './representation.ts';
import { NotCompiled } from './unsupported.ts';

/** Gets an item in a local of the type given; emitted once. */
type OnItem = (item: number, type: ValueType) => void;

export function emitForEach(f: FunctionEmitter, node: Statement & { kind: 'forEach' }): void {
  const { code } = f;
  if (node.over === 'array') {
    emitForEachArray(f, node);
    return;
  }
  const after = code.block();
  f.label(node.after, after);
  walk(f, node.sequence, 'NullReferenceException', (item, type) => {
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
export function walk(
  f: FunctionEmitter,
  sequence: Expression,
  whenNull: 'NullReferenceException' | 'ArgumentNullException',
  onItem: OnItem,
): void {
  if (
    sequence.kind === 'convert' &&
    (sequence.conversion.kind === 'identity' || sequence.conversion.kind === 'reference')
  ) {
    walk(f, sequence.operand, whenNull, onItem);
    return;
  }
  if (sequence.kind === 'call' && walkCall(f, sequence, onItem)) return;
  if (isEdgeList(sequence.type)) walkList(f, sequence, whenNull, onItem);
  else if (isEdgeMap(sequence.type)) walkMap(f, sequence, whenNull, onItem);
  else if (isString(sequence.type)) walkText(f, sequence, whenNull, onItem);
  else if (sequence.type.kind === 'array') {
    const item = representation(itemType(sequence.type));
    walkArray(f, checkedReference(f, sequence, whenNull), sequence.type, (place) => onItem(place, item));
  } else throw new NotCompiled('a sequence of this kind');
}

/** Counts `index` from 0 to `count`, both locals; `body` runs with `index` already one further. */
function counted(f: FunctionEmitter, index: number, count: number, body: (top: number) => void): void {
  const { code } = f;
  code.i32(0);
  code.set(index);
  const after = code.block();
  const top = code.loop();
  code.get(index);
  code.get(count);
  code.op(0x4f);
  code.branchIf(after);
  f.charge(3);
  code.get(index);
  code.i32(1);
  code.op(0x6a);
  code.set(index);
  body(top);
  code.branch(top);
  code.end();
  code.end();
}

function walkList(
  f: FunctionEmitter,
  list: Expression,
  whenNull: 'NullReferenceException' | 'ArgumentNullException',
  onItem: OnItem,
): void {
  const isSpan = nameOf(list.type) === 'ReadOnlySpan';
  walkGroup(f, isSpan ? f.toLocal(list).local : checkedReference(f, list, whenNull), isSpan, onItem);
}

function walkGroup(f: FunctionEmitter, group: number, mayBeNull: boolean, onItem: OnItem): void {
  const { code } = f;
  const count = code.local('i32');
  const index = code.local('i32');
  const edge = code.local('i32');
  code.i32(0);
  code.set(count);
  if (mayBeNull) {
    code.get(group);
    code.if();
  }
  code.get(group);
  f.core('fragmentListPlaces');
  code.set(count);
  if (mayBeNull) code.end();
  counted(f, index, count, (top) => {
    code.get(group);
    code.get(index);
    code.i32(1);
    code.op(0x6b);
    f.core('fragmentListAt');
    code.tee(edge);
    code.i32(-1);
    code.op(0x46);
    code.branchIf(top);
    onItem(edge, 'i32');
  });
}

function walkMap(
  f: FunctionEmitter,
  map: Expression,
  whenNull: 'NullReferenceException' | 'ArgumentNullException',
  onItem: OnItem,
): void {
  walkGroups(f, checkedReference(f, map, whenNull), onItem);
}

/** Each group of a map that has live edges. */
function walkGroups(f: FunctionEmitter, map: number, onItem: OnItem): void {
  const { code } = f;
  const count = code.local('i32');
  const index = code.local('i32');
  const group = code.local('i32');
  code.get(map);
  f.core('fragmentGroups');
  code.set(count);
  counted(f, index, count, (top) => {
    code.get(map);
    code.get(index);
    code.i32(1);
    code.op(0x6b);
    f.core('fragmentGroupAt');
    code.tee(group);
    code.op(0x45);
    code.branchIf(top);
    onItem(group, 'i32');
  });
}

function walkText(
  f: FunctionEmitter,
  text: Expression,
  whenNull: 'NullReferenceException' | 'ArgumentNullException',
  onItem: OnItem,
): void {
  const { code } = f;
  const place = checkedReference(f, text, whenNull);
  const count = code.local('i32');
  const index = code.local('i32');
  const unit = code.local('i32');
  code.get(place);
  f.core('textLength');
  code.set(count);
  counted(f, index, count, () => {
    code.get(place);
    code.get(index);
    code.i32(1);
    code.op(0x6b);
    f.core('textUnit');
    code.set(unit);
    onItem(unit, 'i32');
  });
}

/** The members that pass items on. False: the call is no sequence of its own. */
function walkCall(f: FunctionEmitter, call: Call, onItem: OnItem): boolean {
  const { code } = f;
  switch (call.member.key) {
    case 'IReadOnlyDictionary<TKey,TValue>.get_Values()':
      requireMap(call);
      walkMap(f, receiver(call), 'NullReferenceException', onItem);
      return true;
    case 'IReadOnlyDictionary<TKey,TValue>.get_Keys()':
      requireMap(call);
      walkMap(f, receiver(call), 'NullReferenceException', (group) => {
        const name = code.local('i32');
        code.get(group);
        f.core('fragmentGroupName');
        code.set(name);
        onItem(name, 'i32');
      });
      return true;
    case `${where}Where<TSource>(IEnumerable<TSource>,Func<TSource,bool>)`:
      walk(f, argument(call, 0), 'ArgumentNullException', (item, type) => {
        f.inline(lambda(call, 1), [item]);
        code.if();
        onItem(item, type);
        code.end();
      });
      return true;
    case `${where}Select<TSource,TResult>(IEnumerable<TSource>,Func<TSource,TResult>)`:
      walk(f, argument(call, 0), 'ArgumentNullException', (item) => {
        const selector = lambda(call, 1);
        const type = representation(selector.returnType);
        f.inline(selector, [item]);
        const selected = code.local(type);
        code.set(selected);
        onItem(selected, type);
      });
      return true;
    case `${where}SelectMany<TSource,TResult>(IEnumerable<TSource>,Func<TSource,IEnumerable<TResult>>)`:
      walkMany(f, call, onItem);
      return true;
    case `${where}AsEnumerable<TSource>(IEnumerable<TSource>)`:
      walk(f, argument(call, 0), 'ArgumentNullException', onItem);
      return true;
    default:
      return false;
  }
}

/** What LINQ's members begin with. */
export const where = 'Enumerable.';

function walkMany(f: FunctionEmitter, call: Call, onItem: OnItem): void {
  const selector = lambda(call, 1);
  const [only] = selector.body.statements;
  if (selector.body.statements.length !== 1 || only?.kind !== 'return' || only.value === null) {
    throw new NotCompiled('SelectMany with statements');
  }
  const inner = only.value;
  walk(f, argument(call, 0), 'ArgumentNullException', (item) => {
    f.bind(selector.parameters[0] as never, item);
    walk(f, inner, 'NullReferenceException', onItem);
  });
}

function requireMap(call: Call): void {
  if (!isEdgeMap(receiver(call).type)) throw new NotCompiled('a dictionary of this kind');
}

export function lambda(call: Call, index: number): FunctionCode {
  const node = argument(call, index);
  if (node.kind !== 'lambda') throw new NotCompiled('a delegate that is not a lambda');
  return node.code;
}

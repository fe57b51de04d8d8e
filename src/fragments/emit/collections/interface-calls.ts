// The interfaces of collections: what the object behind one is shows at run time. Arrays and lists, sets, tables and queries answer the same
// members, each in its own way; dictionaries are all of one class.

import type { Expression } from '../../tree.ts';
import type { Type } from '../../types.ts';
import {
  argument,
  argumentLocal,
  type Call,
  type CallEmitter,
  checkedReceiver,
  receiver,
} from '../control/call-parts.ts';
import { memberCall, primitive, variable } from '../control/callbacks.ts';
import { isVoid } from '../control/delegate-code.ts';
import { edgeObjects } from '../control/escapes.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { load, places, tags } from '../objects/object-layout.ts';
import { isEdgeList, isEdgeMap, representation } from '../representation.ts';
import { goOver, itemOf, type Sequence } from '../sequences/sequence.ts';
import { NotCompiled } from '../unsupported.ts';
import { i32, parametric } from '../wasm/opcodes.ts';
import { emitContains, pushEqual } from './equality.ts';
import { collectionTags } from './list-objects.ts';

/** Pushes whether the word of a list of edges in a local is an object rather than a group of the graph. */
export function pushIsObject({ code }: FunctionEmitter, place: number): void {
  code.get(place);
  code.i32(2);
  code.op(i32.and);
}

/** Any object as a sequence; it lies in a local and is not null. */
export function anySequence(place: number, item: Type): Sequence {
  return {
    item,
    place,
    start: (f) => {
      const enumerator = f.module.queries.begin(f, place);
      const found = f.code.local(representation(item));
      return (end) => {
        f.module.queries.next(f, enumerator, item, found, end);
        return found;
      };
    },
  };
}

/** Pushes how many items the object in a local has. */
export function pushCountOf(f: FunctionEmitter, place: number, item: Type): void {
  const { code } = f;
  const result = code.local('i32');
  code.get(place);
  f.core('sequenceCount');
  code.tee(result);
  code.i32(-1);
  code.op(i32.eq);
  code.if();
  code.i32(0);
  code.set(result);
  goOver(f, anySequence(place, item), () => {
    code.get(result);
    code.i32(1);
    code.op(i32.add);
    code.set(result);
  });
  code.end();
  code.get(result);
}

export const interfaceCount: CallEmitter = (f, call) => {
  const node = receiver(call);
  pushCountOf(f, checkedReceiver(f, call), itemOf(node.type));
};

/** Whether the object in a local has a tag: an i32. */
function pushTagIs(f: FunctionEmitter, place: number, tag: number): void {
  const { code } = f;
  code.get(place);
  code.i32(2);
  code.op(i32.sub);
  code.load(i32.load8U, 0);
  code.i32(tag);
  code.op(i32.eq);
}

export const interfaceItem: CallEmitter = (f, call) => {
  const { code } = f;
  const own = checkedReceiver(f, call);
  const index = argumentLocal(f, call, 0);
  const address = code.local('i32');
  code.get(own);
  code.get(index);
  f.core('sequenceItem');
  code.tee(address);
  code.i32(256);
  code.op(i32.ltU);
  code.if();
  code.get(address);
  f.failNumber();
  code.end();
  code.get(address);
  load(code, representation(call.type), 0);
};

type Kind = 'List' | 'HashSet';

/** A member of the class behind the interface: a list's, a set's, or what an array does with it. */
function byClass(kinds: readonly Kind[], member: string, otherwise: 'NotSupportedException'): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const item = itemOf(receiver(call).type);
    const own = checkedReceiver(f, call);
    const values = call.arguments.map((_, index): Expression => {
      const node = argument(call, index);
      return variable(f, node.type, f.toLocal(node).local);
    });
    const result = isVoid(call.type) ? -1 : code.local(representation(call.type));
    const after = code.block();
    for (const kind of kinds) {
      pushTagIs(f, own, collectionTags[kind]);
      code.if();
      const type: Type = { kind: 'named', name: kind, arguments: [item] };
      const answers = member === 'Add(T)' && kind === 'HashSet';
      const made = memberCall(
        `${kind}<T>.${member}`,
        answers ? primitive('bool') : call.type,
        variable(f, type, own),
        values,
      );
      f.expression(made);
      if (answers) code.op(parametric.drop);
      else if (!isVoid(call.type)) code.set(result);
      code.branch(after);
      code.end();
    }
    f.fail(otherwise);
    code.end();
    if (!isVoid(call.type)) code.get(result);
  };
}

/** What a set tells by its table, and all others one by one. */
const contains: CallEmitter = (f, call) => {
  const { code } = f;
  const item = itemOf(receiver(call).type);
  const own = checkedReceiver(f, call);
  const wanted = argumentLocal(f, call, 0);
  pushTagIs(f, own, collectionTags.HashSet);
  code.if('i32');
  const set = variable(f, { kind: 'named', name: 'HashSet', arguments: [item] }, own);
  f.expression(memberCall('HashSet<T>.Contains(T)', primitive('bool'), set, [variable(f, item, wanted)]));
  code.else();
  emitContains(f, anySequence(own, item), wanted);
  code.end();
};

const indexOf: CallEmitter = (f, call) => {
  const { code } = f;
  const item = itemOf(receiver(call).type);
  const own = checkedReceiver(f, call);
  const wanted = argumentLocal(f, call, 0);
  const [result, index] = [code.local('i32'), code.local('i32')];
  code.i32(-1);
  code.set(result);
  code.i32(0);
  code.set(index);
  const after = code.block();
  goOver(f, anySequence(own, item), (found) => {
    pushEqual(f, item, found, wanted);
    code.if();
    code.get(index);
    code.set(result);
    code.branch(after);
    code.end();
    code.get(index);
    code.i32(1);
    code.op(i32.add);
    code.set(index);
  });
  code.end();
  code.get(result);
};

/** `list[index] = value` of a list or an array. */
const setItem: CallEmitter = (f, call) => {
  const { code } = f;
  const item = itemOf(receiver(call).type);
  const own = checkedReceiver(f, call);
  const at = argumentLocal(f, call, 0);
  const node = argument(call, 1);
  const index = variable(f, primitive('int'), at);
  const value = variable(f, node.type, f.toLocal(node).local);
  pushTagIs(f, own, collectionTags.List);
  code.if();
  const list = variable(f, { kind: 'named', name: 'List', arguments: [item] }, own);
  f.expression(memberCall('List<T>.set_Item(int,T)', primitive('void'), list, [index, value]));
  code.else();
  pushTagIs(f, own, tags.array);
  code.op(i32.eqz);
  f.failIf('NotSupportedException');
  code.get(at);
  code.get(own);
  code.load(i32.load, places.count);
  code.op(i32.geU);
  f.failIf('ArgumentOutOfRangeException');
  const array = variable(f, { kind: 'array', element: item, rank: 1 }, own);
  f.effect({
    kind: 'assign',
    type: item,
    target: { kind: 'element', type: item, array, indices: [index] },
    value,
  });
  code.end();
};

const isReadOnly: CallEmitter = (f, call) => {
  pushTagIs(f, checkedReceiver(f, call), tags.array);
};

/** Members that edges of the graph have of their own, and all others here; a list of edges may be either. */
export function orEdges(edges: CallEmitter, others: CallEmitter): CallEmitter {
  return (f, call) => {
    const { type } = receiver(call);
    if (!isEdgeList(type) || !f.module.escaping.has(edgeObjects)) {
      (isEdgeList(type) || isEdgeMap(type) ? edges : others)(f, call);
      return;
    }
    const own = checkedReceiver(f, call);
    const made: Call = { ...call, receiver: variable(f, type, own) };
    pushIsObject(f, own);
    f.code.if(representation(call.type));
    others(f, made);
    f.code.else();
    edges(f, made);
    f.code.end();
  };
}

/** A member of a dictionary behind an interface. */
export function ofDictionary(member: string): CallEmitter {
  return (f, call) => {
    const { type } = receiver(call);
    if (type.kind !== 'named' || isEdgeMap(type)) throw new NotCompiled('a dictionary of this kind');
    const own = variable(f, { ...type, name: 'Dictionary' }, checkedReceiver(f, call));
    f.expression({ ...call, member: { key: `Dictionary<TKey,TValue>.${member}`, static: false }, receiver: own });
  };
}

const dictionaryMembers = [
  'get_Item(TKey)', 'set_Item(TKey,TValue)', 'Add(TKey,TValue)', 'ContainsKey(TKey)', 'Remove(TKey)', 'TryGetValue(TKey,out TValue)',
]; // biome-ignore format: a list

export const interfaceCalls = (): readonly [string, CallEmitter][] => [
  ['ICollection<T>.get_Count()', interfaceCount],
  ['ICollection<T>.get_IsReadOnly()', isReadOnly],
  ['ICollection<T>.Contains(T)', contains],
  ['ICollection<T>.Add(T)', byClass(['List', 'HashSet'], 'Add(T)', 'NotSupportedException')],
  ['ICollection<T>.Clear()', byClass(['List', 'HashSet'], 'Clear()', 'NotSupportedException')],
  ['ICollection<T>.Remove(T)', byClass(['List', 'HashSet'], 'Remove(T)', 'NotSupportedException')],
  ['IList<T>.Insert(int,T)', byClass(['List'], 'Insert(int,T)', 'NotSupportedException')],
  ['IList<T>.RemoveAt(int)', byClass(['List'], 'RemoveAt(int)', 'NotSupportedException')],
  ['IList<T>.IndexOf(T)', indexOf],
  ['IList<T>.get_Item(int)', interfaceItem],
  ['IList<T>.set_Item(int,T)', setItem],
  ...dictionaryMembers.map((member): [string, CallEmitter] => [
    `IDictionary<TKey,TValue>.${member}`,
    ofDictionary(member),
  ]),
];

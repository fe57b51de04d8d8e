// Members of the element models and of their maps and lists of edges.

import { elementColumns } from '../../../core/layout.ts';
import type { Expression } from '../../tree.ts';
import { pack } from '../arrays/spans.ts';
import { interfaceCount, interfaceItem, ofDictionary, orEdges } from '../collections/interface-calls.ts';
import {
  argument,
  type Call,
  type CallEmitter,
  checkedReceiver,
  checkedReference,
  outTarget,
  receiver,
  storeDefault,
  storeLocal,
} from '../control/call-parts.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { loadItem } from '../objects/tuples.ts';
import { isEdgeList, isEdgeMap, isEdgePair, isSpan, isString, representation } from '../representation.ts';
import { NotCompiled } from '../unsupported.ts';
import type { CoreFunction } from '../wasm/core-functions.ts';
import { i32 } from '../wasm/opcodes.ts';
import { pushName } from './property-calls.ts';

/** A member that is one call of the core with the element's id, and perhaps one number more. */
function read(name: CoreFunction, ...more: readonly number[]): CallEmitter {
  return (f, call) => {
    f.code.get(checkedReceiver(f, call));
    for (const value of more) f.code.i32(value);
    f.core(name);
  };
}

/** A member that is a word of a column. */
function column(offset: number): CallEmitter {
  return (f, call) => f.column(checkedReceiver(f, call), offset);
}

function id(f: FunctionEmitter, call: Call): void {
  f.code.get(checkedReceiver(f, call));
}

/** A key of a map: null throws. */
function pushKey(f: FunctionEmitter, node: Expression): void {
  if (node.kind === 'constant' && typeof node.value === 'string') {
    f.name(node.value);
    return;
  }
  f.code.get(checkedReference(f, node, 'ArgumentNullException'));
  f.core('textName');
}

/** `TryGetOutEdge(out edges, key)` and its three relatives. */
function tryGetEdges(direction: number): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const target = outTarget(call, 0);
    const group = code.local('i32');
    code.get(checkedReceiver(f, call));
    code.i32(direction);
    f.core('fragmentEdges');
    pushName(f, argument(call, 1));
    f.core('fragmentGroup');
    code.tee(group);
    code.if('i32');
    if (isSpan(target.type)) {
      code.get(group);
      code.i32(-1);
      pack(f);
      f.store(target);
    } else storeLocal(f, target, group);
    code.i32(1);
    code.else();
    storeDefault(f, target);
    code.i32(0);
    code.end();
  };
}

function sameElement(negated: boolean): CallEmitter {
  return (f, call) => {
    f.expression(argument(call, 0));
    f.expression(argument(call, 1));
    f.code.op(negated ? i32.ne : i32.eq);
  };
}

// --- Maps and lists of edges ---------------------------------------------------------------------------------------------

function requireMap(call: Call): void {
  if (!isEdgeMap(receiver(call).type)) throw new NotCompiled('a dictionary of this kind');
}

function containsKey(f: FunctionEmitter, call: Call): void {
  requireMap(call);
  f.code.get(checkedReceiver(f, call));
  pushKey(f, argument(call, 0));
  f.core('fragmentGroup');
  f.code.i32(0);
  f.code.op(i32.ne);
}

function mapItem(f: FunctionEmitter, call: Call): void {
  requireMap(call);
  const { code } = f;
  code.get(checkedReceiver(f, call));
  pushKey(f, argument(call, 0));
  f.core('fragmentGroup');
  const group = code.local('i32');
  code.tee(group);
  code.op(i32.eqz);
  f.failIf('KeyNotFoundException');
  code.get(group);
}

function tryGetValue(f: FunctionEmitter, call: Call): void {
  requireMap(call);
  const { code } = f;
  const group = code.local('i32');
  code.get(checkedReceiver(f, call));
  pushKey(f, argument(call, 0));
  f.core('fragmentGroup');
  code.tee(group);
  code.if('i32');
  storeLocal(f, outTarget(call, 1), group);
  code.i32(1);
  code.else();
  storeDefault(f, outTarget(call, 1));
  code.i32(0);
  code.end();
}

function count(f: FunctionEmitter, call: Call): void {
  const { type } = receiver(call);
  f.code.get(checkedReceiver(f, call));
  if (isEdgeMap(type)) f.core('fragmentGroupCount');
  else if (isEdgeList(type)) f.core('fragmentListCount');
  else throw new NotCompiled('a count of this collection');
}

function listItem(f: FunctionEmitter, call: Call): void {
  const { code } = f;
  if (!isEdgeList(receiver(call).type)) throw new NotCompiled('a list of this kind');
  const group = checkedReceiver(f, call);
  const index = f.toLocal(argument(call, 0));
  code.get(index.local);
  code.get(group);
  f.core('fragmentListCount');
  code.op(i32.geU);
  f.failIf('ArgumentOutOfRangeException');
  code.get(group);
  code.get(index.local);
  f.core('fragmentListGet');
  const edge = code.local('i32');
  code.tee(edge);
  code.i32(-1);
  code.op(i32.eq);
  f.failIf('ArgumentOutOfRangeException');
  code.get(edge);
  code.release(index.type, index.local);
}

function pairMember(part: 'key' | 'value'): CallEmitter {
  return (f, call) => {
    f.expression(receiver(call));
    if (!isEdgePair(receiver(call).type)) {
      loadItem(f, part === 'key' ? 0 : 1, call.type);
      return;
    }
    if (part === 'key') f.core('fragmentGroupName');
  };
}

/** The stored field counts from the creation. */
function modificationSeconds(f: FunctionEmitter, call: Call): void {
  const { code } = f;
  const id = checkedReceiver(f, call);
  const [modified, created] = [code.local('i32'), code.local('i32')];
  code.get(id);
  f.core('fragmentModificationSeconds');
  code.tee(modified);
  code.get(id);
  f.core('fragmentCreationSeconds');
  code.tee(created);
  code.op(i32.gtU);
  code.if('i32');
  code.get(modified);
  code.get(created);
  code.op(i32.sub);
  code.else();
  code.i32(0);
  code.end();
}

const models = (names: readonly string[], member: string, emit: CallEmitter): [string, CallEmitter][] =>
  names.map((name) => [`${name}.${member}`, emit]);
const element = ['AGraphElementModel'];
const vertex = ['VertexModel'];
const edge = ['EdgeModel'];

export const elementCalls = (): readonly [string, CallEmitter][] => [
  ...models(element, 'Id', id),
  ...models(element, 'Label', read('fragmentLabel')),
  ...models(element, 'CreationDate', read('fragmentCreationSeconds')),
  ...models(element, 'ModificationDate', modificationSeconds),
  ...models(element, 'GetCreationDate()', read('fragmentCreated')),
  ...models(element, 'GetModificationDate()', read('fragmentModified')),
  ...models(element, 'GetPropertyCount()', read('fragmentPropertyCount')),
  ...models(vertex, 'GetOutDegree()', read('fragmentDegree', 0)),
  ...models(vertex, 'GetInDegree()', read('fragmentDegree', 1)),
  ...models(vertex, 'get_OutEdges()', read('fragmentEdges', 0)),
  ...models(vertex, 'get_InEdges()', read('fragmentEdges', 1)),
  ...models(vertex, 'TryGetOutEdge(out IReadOnlyList<EdgeModel>,string)', tryGetEdges(0)),
  ...models(vertex, 'TryGetInEdge(out IReadOnlyList<EdgeModel>,string)', tryGetEdges(1)),
  ...models(vertex, 'TryGetOutEdgesSpan(out ReadOnlySpan<EdgeModel>,string)', tryGetEdges(0)),
  ...models(vertex, 'TryGetInEdgesSpan(out ReadOnlySpan<EdgeModel>,string)', tryGetEdges(1)),
  ...models(vertex, 'op_Equality(VertexModel,VertexModel)', sameElement(false)),
  ...models(vertex, 'op_Inequality(VertexModel,VertexModel)', sameElement(true)),
  ...models(edge, 'SourceVertex', column(elementColumns.a)),
  ...models(edge, 'TargetVertex', column(elementColumns.b)),
  ...models(edge, 'EdgePropertyId', read('fragmentType')),
  ['IReadOnlyDictionary<TKey,TValue>.ContainsKey(TKey)', orEdges(containsKey, ofDictionary('ContainsKey(TKey)'))],
  ['IReadOnlyDictionary<TKey,TValue>.get_Item(TKey)', orEdges(mapItem, ofDictionary('get_Item(TKey)'))],
  [
    'IReadOnlyDictionary<TKey,TValue>.TryGetValue(TKey,out TValue)',
    orEdges(tryGetValue, ofDictionary('TryGetValue(TKey,out TValue)')),
  ],
  ['IReadOnlyCollection<T>.get_Count()', orEdges(count, interfaceCount)],
  ['IReadOnlyList<T>.get_Item(int)', orEdges(listItem, interfaceItem)],
  ['KeyValuePair<TKey,TValue>.get_Key()', pairMember('key')],
  ['KeyValuePair<TKey,TValue>.get_Value()', pairMember('value')],
];

/** The interned id that a string expression is read from, if it is one: comparing ids is comparing numbers. */
export function pushNameOfSource(f: FunctionEmitter, node: Expression): boolean {
  if (node.kind !== 'call' || !isString(node.type) || representation(node.type) !== 'i32') return false;
  if (node.member.key === 'AGraphElementModel.Label') {
    f.column(checkedReceiver(f, node), elementColumns.label);
    return true;
  }
  if (node.member.key === 'EdgeModel.EdgePropertyId') {
    f.column(checkedReceiver(f, node), elementColumns.c);
    return true;
  }
  return false;
}

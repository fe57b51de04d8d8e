// The types of the contracts: what a path request asks for, paths and their elements, and the results that the host reads when a call is over.

import type { Expression } from '../../tree.ts';
import type { Type } from '../../types.ts';
import {
  addItem,
  type List,
  loadListItem,
  newList,
  pushCount,
  pushItems,
  touchList,
} from '../collections/list-objects.ts';
import {
  argument,
  argumentLocal,
  type Call,
  type CallEmitter,
  checkedReceiver,
  checkedReference,
} from '../control/call-parts.ts';
import { variable } from '../control/callbacks.ts';
import { Escapes, edgeObjects } from '../control/escapes.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { isNull } from '../objects/objects.ts';
import { goOver } from '../sequences/sequence.ts';
import { sequenceMember } from '../sequences/steps.ts';
import { f64, i32 } from '../wasm/opcodes.ts';
import {
  type ClassName,
  classes,
  double,
  edgeModel,
  getField,
  named,
  newInstance,
  pathElement,
  setField,
  vertexModel,
} from './classes.ts';

const readable: readonly ClassName[] = [
  'ShortestPathDefinition',
  'PathElement',
  'GraphAnalyticsDefinition',
  'GraphAnalyticsResult',
  'Workspace',
];

const getters = readable.flatMap((name) =>
  Object.keys(classes[name])
    .filter((field) => field !== 'IsPartition')
    .map((field): readonly [string, CallEmitter] => [
      `${name}.get_${field}()`,
      (f, call) => getField(f, name, field, checkedReceiver(f, call)),
    ]),
);

// --- Results -------------------------------------------------------------------------------------------------------------

/** The items of a sequence, which may be null, in a new list; its place. */
function collected(f: FunctionEmitter, node: Expression, item: Type): number {
  const { code } = f;
  let inner = node;
  while (inner.kind === 'convert' && inner.conversion.kind === 'identity') inner = inner.operand;
  const list = newList(f, named('List', item), item);
  if (isNull(inner)) return list.place;
  const add = (each: Expression): void =>
    goOver(f, f.sequence(each, 'NullReferenceException'), (value) => addItem(f, list, value));
  const isDeferred =
    (inner.kind === 'call' && sequenceMember(inner.member.key) !== undefined) ||
    (inner.kind === 'local' && f.sequences.has(inner.local));
  if (isDeferred) {
    add(inner);
    return list.place;
  }
  const held = f.toLocal(inner).local;
  code.get(held);
  code.if();
  add(variable(f, inner.type, held));
  code.end();
  return list.place;
}

const newFunctionResult: CallEmitter = (f, call) => {
  const made = newInstance(f, named('GraphFunctionResult'));
  const vertices = collected(f, argument(call, 0), vertexModel);
  const edges = collected(f, argument(call, 1), edgeModel);
  setField(f, 'GraphFunctionResult', 'Vertices', made, () => f.code.get(vertices));
  setField(f, 'GraphFunctionResult', 'Edges', made, () => f.code.get(edges));
  f.code.get(made);
};

const resultFields = ['Statistics', 'Converged', 'IterationsRun', 'Elapsed', 'BudgetExhausted'];

function newAnalyticsResult(values: 'VertexScores' | 'VertexPartitions'): CallEmitter {
  return (f, call) => {
    const held = [values, ...resultFields].map((field, at) => [field, f.toLocal(argument(call, at)).local] as const);
    const made = newInstance(f, call.type);
    for (const [field, local] of held) setField(f, 'GraphAnalyticsResult', field, made, () => f.code.get(local));
    setField(f, 'GraphAnalyticsResult', 'IsPartition', made, () => f.code.i32(values === 'VertexPartitions' ? 1 : 0));
    f.code.get(made);
  };
}

// --- Paths ---------------------------------------------------------------------------------------------------------------

const newPathElement: CallEmitter = (f, call) => {
  const { code } = f;
  const held = call.arguments.map((_, at) => f.toLocal(argument(call, at)).local);
  code.get(held[0] as number);
  code.i32(-1);
  code.op(i32.eq);
  f.failIf('InvalidOperationException');
  const made = newInstance(f, pathElement);
  for (const [at, field] of ['Edge', 'EdgePropertyId', 'Direction', 'Weight'].entries()) {
    setField(f, 'PathElement', field, made, () => code.get(held[at] as number));
  }
  code.get(made);
};

/** Pushes an end of the edge of the element in a local, in the direction in which the path goes. */
function pushEnd(f: FunctionEmitter, element: number, which: 'source' | 'target'): void {
  getField(f, 'PathElement', 'Edge', element);
  getField(f, 'PathElement', 'Direction', element);
  f.code.op(i32.eqz);
  if (which === 'target') f.code.op(i32.eqz);
  f.core('fragmentEnd');
}

function end(which: 'source' | 'target'): CallEmitter {
  return (f, call) => pushEnd(f, checkedReceiver(f, call), which);
}

/** The list of a path's elements. */
function elementsOf(f: FunctionEmitter, path: number): List {
  const place = f.code.local('i32');
  getField(f, 'Path', 'Elements', path);
  f.code.set(place);
  return { place, item: pathElement };
}

function newPath(f: FunctionEmitter): { readonly path: number; readonly elements: List } {
  const path = newInstance(f, named('Path'));
  const elements = newList(f, named('List', pathElement), pathElement);
  setField(f, 'Path', 'Elements', path, () => f.code.get(elements.place));
  return { path, elements };
}

/** Adds the element in a local, and its weight. */
function addElement(f: FunctionEmitter, path: number, elements: List, element: number): void {
  addItem(f, elements, element);
  setField(f, 'Path', 'Weight', path, () => {
    getField(f, 'Path', 'Weight', path);
    getField(f, 'PathElement', 'Weight', element);
    f.code.op(f64.add);
  });
}

const checked = (f: FunctionEmitter, call: Call, at: number): number =>
  checkedReference(f, argument(call, at), 'NullReferenceException');

/** Of so many elements. */
function newPathOf(count: number): CallEmitter {
  return (f, call) => {
    const given = Array.from({ length: count }, (_, at) => checked(f, call, at));
    const { path, elements } = newPath(f);
    for (const element of given) addElement(f, path, elements, element);
    f.code.get(path);
  };
}

const newLongerPath: CallEmitter = (f, call) => {
  const [before, last] = [checked(f, call, 0), checked(f, call, 1)];
  const { path, elements } = newPath(f);
  const own = variable(f, named('List', pathElement), elementsOf(f, before).place);
  goOver(f, f.sequence(own, 'NullReferenceException'), (element) => addItem(f, elements, element));
  setField(f, 'Path', 'Weight', path, () => getField(f, 'Path', 'Weight', before));
  addElement(f, path, elements, last);
  f.code.get(path);
};

const newEmptyPath: CallEmitter = (f, call) => {
  f.effect(argument(call, 0));
  f.code.get(newPath(f).path);
};

const addPathElement: CallEmitter = (f, call) => {
  const path = checkedReceiver(f, call);
  addElement(f, path, elementsOf(f, path), checked(f, call, 0));
};

/** Puts the last element into a local; `whenNone` is emitted for a path without one. */
function lastOf(f: FunctionEmitter, call: Call, whenNone: () => void): number {
  const { code } = f;
  const elements = elementsOf(f, checkedReceiver(f, call));
  const [index, found] = [code.local('i32'), code.local('i32')];
  pushCount(f, elements.place);
  code.i32(1);
  code.op(i32.sub);
  code.tee(index);
  code.i32(0);
  code.op(i32.ltS);
  code.if();
  code.i32(0);
  code.set(found);
  whenNone();
  code.else();
  loadListItem(f, elements, index);
  code.set(found);
  code.end();
  return found;
}

/** Sets the weight of the element in a local by the costs in two others, either of which may be null. */
function weigh(f: FunctionEmitter, element: number, vertexCost: number, edgeCost: number): void {
  const { code } = f;
  const cost = (delegate: number, type: Type, model: Type, push: () => void): void => {
    code.get(delegate);
    code.if('f64');
    const given = code.local('i32');
    push();
    code.set(given);
    const value = variable(f, model, given);
    const callee = variable(f, type, delegate);
    f.expression({ kind: 'invoke', type: double, delegate: callee, arguments: [{ mode: 'value', value }] });
    code.else();
    code.f64(0);
    code.end();
  };
  setField(f, 'PathElement', 'Weight', element, () => {
    cost(vertexCost, named('VertexCost'), vertexModel, () => pushEnd(f, element, 'target'));
    cost(edgeCost, named('EdgeCost'), edgeModel, () => getField(f, 'PathElement', 'Edge', element));
    code.op(f64.add);
  });
}

const weighElement: CallEmitter = (f, call) => {
  const element = checkedReceiver(f, call);
  const [vertexCost, edgeCost] = [argumentLocal(f, call, 0), argumentLocal(f, call, 1)];
  weigh(f, element, vertexCost, edgeCost);
};

const weighPath: CallEmitter = (f, call) => {
  const path = checkedReceiver(f, call);
  const [vertexCost, edgeCost] = [argumentLocal(f, call, 0), argumentLocal(f, call, 1)];
  setField(f, 'Path', 'Weight', path, () => f.code.f64(0));
  const own = variable(f, named('List', pathElement), elementsOf(f, path).place);
  goOver(f, f.sequence(own, 'NullReferenceException'), (element) => {
    weigh(f, element, vertexCost, edgeCost);
    setField(f, 'Path', 'Weight', path, () => {
      getField(f, 'Path', 'Weight', path);
      getField(f, 'PathElement', 'Weight', element);
      f.code.op(f64.add);
    });
  });
};

const reverse: CallEmitter = (f, call) => {
  const { place } = elementsOf(f, checkedReceiver(f, call));
  pushItems(f, place);
  f.code.i32(0);
  pushCount(f, place);
  f.core('itemsReverse');
  touchList(f, place);
};

const analyticsArguments = 'IReadOnlyDictionary<string,object>,bool,int,TimeSpan,bool';

export const contractCalls: readonly (readonly [string, CallEmitter])[] = [
  ...getters,
  ['GraphFunctionResult.new(IReadOnlyList<VertexModel>,IReadOnlyList<EdgeModel>)', newFunctionResult],
  ['GraphFunctionResult.FromElements(IEnumerable<VertexModel>,IEnumerable<EdgeModel>)', newFunctionResult],
  [
    'GraphFunctionResult.get_Vertices()',
    (f, call) => getField(f, 'GraphFunctionResult', 'Vertices', checkedReceiver(f, call)),
  ],
  [
    'GraphFunctionResult.get_Edges()',
    (f, call) => {
      if (!f.module.escaping.has(edgeObjects)) throw new Escapes(edgeObjects);
      getField(f, 'GraphFunctionResult', 'Edges', checkedReceiver(f, call));
    },
  ],
  [
    `GraphAnalyticsResult.new(IReadOnlyDictionary<int,double>,${analyticsArguments})`,
    newAnalyticsResult('VertexScores'),
  ],
  [
    `GraphAnalyticsResult.new(IReadOnlyDictionary<int,int>,${analyticsArguments})`,
    newAnalyticsResult('VertexPartitions'),
  ],
  ['PathElement.new(EdgeModel,string,Direction,double)', newPathElement],
  ['PathElement.get_SourceVertex()', end('source')],
  ['PathElement.get_TargetVertex()', end('target')],
  ['PathElement.CalculateWeight(VertexCost,EdgeCost)', weighElement],
  ['Path.new(int)', newEmptyPath],
  ['Path.new(PathElement)', newPathOf(1)],
  ['Path.new(PathElement,PathElement)', newPathOf(2)],
  ['Path.new(Path,PathElement)', newLongerPath],
  ['Path.get_Weight()', (f, call) => getField(f, 'Path', 'Weight', checkedReceiver(f, call))],
  [
    'Path.set_Weight(double)',
    (f, call) => {
      const path = checkedReceiver(f, call);
      const weight = argumentLocal(f, call, 0);
      setField(f, 'Path', 'Weight', path, () => f.code.get(weight));
    },
  ],
  ['Path.get_LastPathElement()', (f, call) => f.code.get(lastOf(f, call, () => {}))],
  ['Path.AddPathElement(PathElement)', addPathElement],
  ['Path.CalculateWeight(VertexCost,EdgeCost)', weighPath],
  ['Path.GetLength()', (f, call) => pushCount(f, elementsOf(f, checkedReceiver(f, call)).place)],
  [
    'Path.GetLastVertex()',
    (f, call) =>
      pushEnd(
        f,
        lastOf(f, call, () => f.fail('NullReferenceException')),
        'target',
      ),
  ],
  ['Path.GetPathElements()', (f, call) => f.code.get(elementsOf(f, checkedReceiver(f, call)).place)],
  ['Path.ReversePath()', reverse],
];

// The engine as a plugin sees it: elements by their ids, all of them, scans; and what a call brings along.

import type { Type } from '../../types.ts';
import { addEntry, findEntry, newTable, putEntryValue } from '../collections/hash-tables.ts';
import { collect, collectionTags } from '../collections/list-objects.ts';
import { argument, argumentLocal, type Call, type CallEmitter, outTarget, receiver } from '../control/call-parts.ts';
import { variable } from '../control/callbacks.ts';
import { functionOf, newLocal, readOf } from '../control/delegate-code.ts';
import { Escapes, edgeObjects } from '../control/escapes.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { codeOf, headOf, load, places, tags } from '../objects/object-layout.ts';
import { orFull } from '../objects/objects.ts';
import { goOver } from '../sequences/sequence.ts';
import { f64, i32, i64, parametric } from '../wasm/opcodes.ts';
import { bag, double, edgeModel, getField, int, named, newInstance, setField, string, vertexModel } from './classes.ts';
import { ask, askReal, pushNumber, pushReal, slots, texts } from './host-calls.ts';

const anyElement = named('AGraphElementModel');
const arrayOf = (element: Type): Type => ({ kind: 'array', element, rank: 1 });
const ticksPerMs = 10_000;

/** The receiver has no state; a null one throws. */
function requireReceiver(f: FunctionEmitter, call: Call): void {
  f.expression(receiver(call));
  f.code.op(i32.eqz);
  f.failIf('NullReferenceException');
}

function arrayHead(f: FunctionEmitter, element: Type): number {
  return headOf(tags.array, f.module.types.numberOf(arrayOf(element)), codeOf(element));
}

/** Takes fuel for the items of the array on the stack, which may be 0: no room. */
function paidArray(f: FunctionEmitter): void {
  orFull(f);
  const array = f.code.local('i32');
  f.code.tee(array);
  f.code.load(i32.load, places.count);
  f.code.i32(1);
  f.code.op(i32.shrU);
  f.chargeAmount();
  f.code.get(array);
}

/** `kind`: 1 of a vertex, 2 of an edge, 0 of either. */
function tryGet(kind: number): CallEmitter {
  return (f, call) => {
    const { code } = f;
    requireReceiver(f, call);
    const id = argumentLocal(f, call, 1);
    const found = code.local('i32');
    code.get(id);
    f.core('fragmentKind');
    if (kind > 0) {
      code.i32(kind);
      code.op(i32.eq);
    } else {
      code.i32(0);
      code.op(i32.ne);
    }
    code.set(found);
    code.get(id);
    code.i32(-1);
    code.get(found);
    code.op(parametric.select);
    f.store(outTarget(call, 0));
    code.get(found);
  };
}

function all(kind: number, element: Type): CallEmitter {
  return (f, call) => {
    if (element === edgeModel && !f.module.escaping.has(edgeObjects)) throw new Escapes(edgeObjects);
    requireReceiver(f, call);
    const label = argumentLocal(f, call, 0);
    ask(
      f,
      'all',
      () => f.code.i32(kind),
      () => f.code.get(label),
      () => f.code.i32(arrayHead(f, element)),
    );
    paidArray(f);
  };
}

const scan: CallEmitter = (f, call) => {
  const { code } = f;
  requireReceiver(f, call);
  const [key, literal, operator, label] = [1, 2, 3, 4].map((at) => argumentLocal(f, call, at)) as [
    number,
    number,
    number,
    number,
  ];
  const words = [key, operator, literal, label].map((local) => () => code.get(local));
  ask(f, 'scan', ...words, () => code.i32(arrayHead(f, anyElement)));
  paidArray(f);
  const found = code.local('i32');
  code.set(found);
  const items = f.sequence(variable(f, arrayOf(anyElement), found), 'NullReferenceException');
  const list = collect(f, items, named('List', anyElement));
  code.get(list.place);
  f.store(outTarget(call, 0));
  code.get(found);
  code.load(i32.load, places.count);
  code.i32(0);
  code.op(i32.ne);
};

const graphId: CallEmitter = (f, call) => {
  requireReceiver(f, call);
  ask(f, 'graphId');
  orFull(f);
  load(f.code, 'v128', places.payload);
};

function count(question: 'vertexCount' | 'edgeCount'): CallEmitter {
  return (f, call) => {
    requireReceiver(f, call);
    ask(f, question);
  };
}

// --- What a call brings along --------------------------------------------------------------------------------------------

const bagHead = (f: FunctionEmitter): number => headOf(collectionTags.Dictionary, f.module.types.numberOf(bag));

function pushText(f: FunctionEmitter, name: (typeof texts)[number]): void {
  ask(f, 'text', () => f.code.i32(texts.indexOf(name)));
}

/** Pushes the time that there is, in ticks. */
function pushBudget(f: FunctionEmitter): void {
  pushReal(f, 'budgetMs');
  f.code.f64(ticksPerMs);
  f.code.op(f64.mul, i64.truncF64S);
}

/** Pushes a delegate that asks the host for one of the request's filters or costs, or null. */
function pushSlot(f: FunctionEmitter, name: (typeof slots)[number], type: Type, parameter: Type): void {
  const { code } = f;
  const result = name.endsWith('Cost') ? double : ({ kind: 'primitive', name: 'bool' } as const);
  const own = newLocal(parameter);
  const lambda = functionOf([own], result, {
    kind: 'call',
    type: result,
    member: { key: `PluginCall.${name}`, static: true },
    receiver: null,
    arguments: [{ mode: 'value', value: readOf(own) }],
    typeArguments: [],
  });
  ask(f, 'has', () => code.i32(slots.indexOf(name)));
  code.if('i32');
  f.module.closures.lambda(f, lambda, type);
  code.else();
  code.i32(0);
  code.end();
}

const slotTypes = {
  EdgePropertyFilter: ['typeFilter', string],
  VertexFilter: ['vertexFilter', vertexModel],
  EdgeFilter: ['edgeFilter', edgeModel],
  EdgeCost: ['edgeCost', edgeModel],
  VertexCost: ['vertexCost', vertexModel],
} as const;

const pathDefinition: CallEmitter = (f, call) => {
  const made = newInstance(f, call.type);
  const set = (field: string, push: () => void): void => setField(f, 'ShortestPathDefinition', field, made, push);
  set('SourceVertexId', () => pushNumber(f, 'from'));
  set('DestinationVertexId', () => pushNumber(f, 'to'));
  set('MaxDepth', () => pushNumber(f, 'maxDepth'));
  set('MaxResults', () => pushNumber(f, 'maxResults'));
  set('MaxPathWeight', () => pushReal(f, 'maxWeight'));
  for (const [field, [slot, parameter]] of Object.entries(slotTypes)) {
    set(field, () => pushSlot(f, slot, named(field), parameter));
  }
  set('TimeBudget', () => pushBudget(f));
  set('CancellationToken', () => f.code.i32(1));
  f.code.get(made);
};

const analyticsDefinition: CallEmitter = (f, call) => {
  const { code } = f;
  const made = newInstance(f, call.type);
  const set = (field: string, push: () => void): void => setField(f, 'GraphAnalyticsDefinition', field, made, push);
  set('VertexLabel', () => pushText(f, 'vertexLabel'));
  set('EdgePropertyId', () => pushText(f, 'edgeType'));
  set('Direction', () => {
    const direction = code.local('i32');
    pushNumber(f, 'direction');
    code.tee(direction);
    code.i32(0);
    code.op(i32.ltS);
    code.if('i64');
    code.i64(0n);
    code.else();
    code.get(direction);
    code.op(i64.extendI32U);
    code.i64(2n ** 32n);
    code.op(i64.or);
    code.end();
  });
  set('MaxIterations', () => pushNumber(f, 'maxIterations'));
  set('Epsilon', () => pushReal(f, 'epsilon'));
  set('TimeBudget', () => pushBudget(f));
  set('CancellationToken', () => code.i32(1));
  set('Parameters', () => ask(f, 'analyticsParameters', () => code.i32(bagHead(f))));
  code.get(made);
};

/** The vertices in scope, and where each stands among them. */
const workspace: CallEmitter = (f, call) => {
  const { code } = f;
  const made = newInstance(f, call.type);
  const label = code.local('i32');
  pushText(f, 'vertexLabel');
  code.set(label);
  setField(f, 'Workspace', 'Vertices', made, () => {
    ask(
      f,
      'all',
      () => code.i32(1),
      () => code.get(label),
      () => code.i32(arrayHead(f, vertexModel)),
    );
    paidArray(f);
  });
  const table = newTable(f, named('Dictionary', int, int), int, int, false);
  const vertices = code.local('i32');
  getField(f, 'Workspace', 'Vertices', made);
  code.set(vertices);
  const place = code.local('i32');
  code.i32(0);
  code.set(place);
  goOver(f, f.sequence(variable(f, arrayOf(vertexModel), vertices), 'NullReferenceException'), (vertex) => {
    const entry = findEntry(f, table, vertex);
    addEntry(f, table, entry);
    putEntryValue(f, table, entry, place);
    code.get(place);
    code.i32(1);
    code.op(i32.add);
    code.set(place);
  });
  setField(f, 'Workspace', 'DenseIndexById', made, () => code.get(table.place));
  code.get(made);
};

const workspaceCount: CallEmitter = (f, call) => {
  const { code } = f;
  const own = f.toLocal(receiver(call)).local;
  const vertices = code.local('i32');
  getField(f, 'Workspace', 'Vertices', own);
  code.set(vertices);
  code.get(vertices);
  code.load(i32.load, places.count);
};

const instance: CallEmitter = (f, call) => f.code.get(newInstance(f, call.type));

const isExhausted: CallEmitter = (f, call) => {
  requireReceiver(f, call);
  ask(f, 'isExhausted');
};

/** GraphAnalyticsDefinition.BudgetCheckInterval. */
const budgetCheckInterval = 4096;

/** Looks every so many steps of a counter. */
const isExhaustedAt: CallEmitter = (f, call) => {
  const { code } = f;
  requireReceiver(f, call);
  f.expression(argument(call, 0));
  code.i32(budgetCheckInterval - 1);
  code.op(i32.and, i32.eqz);
  code.if('i32');
  ask(f, 'isExhausted');
  code.else();
  code.i32(0);
  code.end();
};

/** Pushes whether the token that `push` pushes, the call's own or none, was cancelled. */
function pushCancelled(f: FunctionEmitter, push: () => void): void {
  const { code } = f;
  push();
  code.if('i32');
  ask(f, 'isCancelled');
  code.else();
  code.i32(0);
  code.end();
}

export const graphCalls: readonly (readonly [string, CallEmitter])[] = [
  ['IFallen8Read.get_Id()', graphId],
  ['IFallen8Read.get_VertexCount()', count('vertexCount')],
  ['IFallen8Read.get_EdgeCount()', count('edgeCount')],
  ['IFallen8Read.TryGetGraphElement(out AGraphElementModel,int)', tryGet(0)],
  ['IFallen8Read.TryGetVertex(out VertexModel,int)', tryGet(1)],
  ['IFallen8Read.TryGetEdge(out EdgeModel,int)', tryGet(2)],
  ['IFallen8Read.GetAllVertices(string)', all(1, vertexModel)],
  ['IFallen8Read.GetAllEdges(string)', all(2, edgeModel)],
  ['IFallen8Read.GetAllGraphElements(string)', all(3, anyElement)],
  ['IFallen8Read.GraphScan(out List<AGraphElementModel>,string,IComparable,BinaryOperator,string)', scan],
  ['PluginCall.get_AsksName()', (f) => ask(f, 'asksName')],
  ['PluginCall.get_Engine()', instance],
  ['PluginCall.get_Parameters()', (f) => ask(f, 'parameters', () => f.code.i32(bagHead(f)))],
  ['PluginCall.get_PathDefinition()', pathDefinition],
  ['PluginCall.get_AnalyticsDefinition()', analyticsDefinition],
  ['PluginCall.get_Workspace()', workspace],
  ['PluginCall.get_Budget()', instance],
  ['BudgetGuard.get_IsExhausted()', isExhausted],
  ['BudgetGuard.IsExhaustedAt(int)', isExhaustedAt],
  ['Workspace.get_Count()', workspaceCount],
  ['ShortestPathDefinition.get_BudgetExhausted()', isExhausted],
  ['CancellationToken.get_None()', ({ code }) => code.i32(0)],
  [
    'CancellationToken.get_IsCancellationRequested()',
    (f, call) => pushCancelled(f, () => f.expression(receiver(call))),
  ],
  ['CancellationToken.get_CanBeCanceled()', (f, call) => f.expression(receiver(call))],
  [
    'CancellationToken.ThrowIfCancellationRequested()',
    (f, call) => {
      pushCancelled(f, () => f.expression(receiver(call)));
      f.failIf('OperationCanceledException');
    },
  ],
];

/** Filters and costs of the request: what their delegates call, and no source can name. */
export const slotCalls: readonly (readonly [string, CallEmitter])[] = slots.map((slot, at) => [
  `PluginCall.${slot}`,
  (f, call) => {
    const given = f.toLocal(argument(call, 0)).local;
    const push = (): void => f.code.get(given);
    if (slot.endsWith('Cost')) askReal(f, 'cost', at, push);
    else ask(f, 'passes', () => f.code.i32(at), push);
  },
]);

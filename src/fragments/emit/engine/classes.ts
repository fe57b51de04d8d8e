// The classes that plugins have beside those of fragments, as objects of fields: 16 bytes a field behind the head, zeros when the object is
// made. The count of the head is the class's number, by which the host tells the results of a plugin apart.

import type { Type } from '../../types.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { headOf, load, places, tags } from '../objects/object-layout.ts';
import { create, put } from '../objects/objects.ts';
import { nameOf, representation } from '../representation.ts';
import { NotCompiled } from '../unsupported.ts';

export const named = (name: string, ...list: readonly Type[]): Type => ({ kind: 'named', name, arguments: list });
export const int: Type = { kind: 'primitive', name: 'int' };
export const double: Type = { kind: 'primitive', name: 'double' };
export const string: Type = { kind: 'primitive', name: 'string' };
const bool: Type = { kind: 'primitive', name: 'bool' };
const object: Type = { kind: 'primitive', name: 'object' };
export const vertexModel = named('VertexModel');
export const edgeModel = named('EdgeModel');
const timeSpan = named('TimeSpan');
const direction = named('Direction');
export const pathElement = named('PathElement');
/** Names and values of any kind: parameters, statistics. */
export const bag = named('Dictionary', string, object);

/** Bytes between two fields. */
const fieldBytes = 16;

/** Fields by class, in their order. */
export const classes = {
  ShortestPathDefinition: {
    SourceVertexId: int,
    DestinationVertexId: int,
    MaxDepth: int,
    MaxPathWeight: double,
    MaxResults: int,
    EdgePropertyFilter: named('EdgePropertyFilter'),
    VertexFilter: named('VertexFilter'),
    EdgeFilter: named('EdgeFilter'),
    EdgeCost: named('EdgeCost'),
    VertexCost: named('VertexCost'),
    TimeBudget: timeSpan,
    StepBudget: int,
    CancellationToken: named('CancellationToken'),
  },
  PathElement: { Edge: edgeModel, EdgePropertyId: string, Direction: direction, Weight: double },
  Path: { Elements: named('List', pathElement), Weight: double },
  GraphFunctionResult: { Vertices: named('List', vertexModel), Edges: named('List', edgeModel) },
  GraphAnalyticsDefinition: {
    VertexLabel: string,
    EdgePropertyId: string,
    Direction: { kind: 'nullable', element: direction },
    MaxIterations: int,
    Epsilon: double,
    TimeBudget: timeSpan,
    CancellationToken: named('CancellationToken'),
    Parameters: bag,
  },
  /** Scores by vertex, or else partitions. */
  GraphAnalyticsResult: {
    VertexScores: named('Dictionary', int, double),
    VertexPartitions: named('Dictionary', int, int),
    IsPartition: bool,
    Statistics: bag,
    Converged: bool,
    IterationsRun: int,
    Elapsed: timeSpan,
    BudgetExhausted: bool,
  },
  Workspace: {
    Vertices: { kind: 'array', element: vertexModel, rank: 1 },
    DenseIndexById: named('Dictionary', int, int),
  },
  /** Milliseconds: of the host's clock when it began, and those before. */
  Stopwatch: { Began: double, Passed: double, IsRunning: bool },
  /** A heap in two lists; their types are the queue's own. */
  PriorityQueue: { Elements: object, Priorities: object },
  IFallen8: {},
  PluginCall: {},
  BudgetGuard: {},
  ILoggerFactory: {},
  ILogger: {},
} as const satisfies Readonly<Record<string, Readonly<Record<string, Type>>>>;

export type ClassName = keyof typeof classes;

const names = Object.keys(classes);

/** What the host finds in the head of an object of a class. */
export function classNumber(name: ClassName): number {
  return names.indexOf(name) + 1;
}

/** Offset of a field from its object's address. */
export function fieldOffset<Name extends ClassName>(name: Name, field: keyof (typeof classes)[Name] & string): number {
  return 8 + fieldBytes * Object.keys(classes[name]).indexOf(field);
}

function fieldsOf(name: string): Readonly<Record<string, Type>> {
  const known = (classes as Readonly<Record<string, Readonly<Record<string, Type>>>>)[name];
  if (known === undefined) throw new NotCompiled(`the class ${name}`);
  return known;
}

function placeOf(name: string, field: string): { readonly place: number; readonly type: Type } {
  const fields = fieldsOf(name);
  const at = Object.keys(fields).indexOf(field);
  const type = fields[field];
  if (type === undefined) throw new NotCompiled(`${name}.${field}`);
  return { place: places.payload + fieldBytes * at, type };
}

/** A new object of a class in a local of its own, its fields all zero. */
export function newInstance(f: FunctionEmitter, type: Type): number {
  const name = nameOf(type);
  const { code } = f;
  f.charge(4);
  const head = headOf(tags.object, f.module.types.numberOf(type));
  create(f, head, classNumber(name as ClassName), fieldBytes * Object.keys(fieldsOf(name)).length);
  const made = code.local('i32');
  code.set(made);
  return made;
}

/** Pushes a field of the object in a local. */
export function getField(f: FunctionEmitter, name: ClassName, field: string, object: number): void {
  const { place, type } = placeOf(name, field);
  f.code.get(object);
  load(f.code, representation(type), place);
}

/** Puts what `push` pushes into a field of the object in a local. */
export function setField(f: FunctionEmitter, name: ClassName, field: string, object: number, push: () => void): void {
  const { place, type } = placeOf(name, field);
  const kind = representation(type);
  push();
  const value = f.code.borrow(kind);
  f.code.set(value);
  put(f, type, object, place, value, false);
  f.code.release(kind, value);
}

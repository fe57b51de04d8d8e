// What a plugin of subgraphs is handed and what it answers: the definition with its pattern, and the graph that it has made.

import type { PatternInput, PluginResult, SubGraphInput } from '../engine-reader.ts';
import type { Type } from '../types.ts';
import { BuiltGraph } from './built-graph.ts';
import { DictionaryObject } from './collections.ts';
import type { ElementObject } from './elements.ts';
import { invalidOperation } from './exceptions.ts';
import { type RuntimeType, runtimeType } from './runtime-types.ts';
import { GuidValue } from './structs.ts';
import { type Delegate, type ListObject, newList, type Value } from './values.ts';

const named = (name: string, ...list: readonly Type[]): Type => ({ kind: 'named', name, arguments: list });
const STRING: Type = { kind: 'primitive', name: 'string' };
const typeNamed = (name: string, ...list: readonly Type[]): RuntimeType => runtimeType(named(name, ...list));
const TEXTS = typeNamed('Dictionary', STRING, STRING);

/** A filter or cost of the request as a delegate over elements. */
export function overElements(call: ((id: number) => Value) | null): Delegate | null {
  if (call === null) return null;
  return (element: ElementObject | null) =>
    element === null ? invalidOperation('There is no element.') : call(element.id);
}

const patternTypes = { vertex: 'VertexPattern', edge: 'EdgePattern', variable: 'VariableLengthEdgePattern' } as const;

export class PatternObject {
  readonly type: RuntimeType;
  readonly input: PatternInput;

  constructor(input: PatternInput) {
    this.type = typeNamed(patternTypes[input.kind]);
    this.input = input;
  }

  /** A number of the enum PatternType. */
  get kind(): number {
    return Object.keys(patternTypes).indexOf(this.input.kind);
  }
}

export class SubGraphDefinitionObject {
  readonly type = typeNamed('SubGraphDefinition');
  readonly input: SubGraphInput;
  /** The same object whenever it is asked for. */
  readonly pattern: ListObject;
  readonly vertexFilter: Delegate | null;
  readonly edgeFilter: Delegate | null;

  constructor(input: SubGraphInput) {
    this.input = input;
    this.pattern = newList(
      named('APattern'),
      input.pattern.map((one) => new PatternObject(one)),
    );
    this.vertexFilter = overElements(input.vertexFilter);
    this.edgeFilter = overElements(input.edgeFilter);
  }

  get additionalInformation(): DictionaryObject | null {
    const { additionalInformation } = this.input;
    if (additionalInformation === null) return null;
    const texts = new DictionaryObject(TEXTS, null);
    for (const [key, text] of Object.entries(additionalInformation)) texts.set(key, text);
    return texts;
  }
}

export const resultMembers = {
  SourceFallen8Id: 'Guid',
  SourceFallen8: 'IFallen8',
  AlgorithmPluginName: 'string',
  AlgorithmParameters: 'IDictionary<string,object>',
  Definitions: 'SubGraphDefinition',
  SubGraph: 'IFallen8',
} as const;

export class SubGraphResultObject {
  readonly type = typeNamed('SubGraphResult');
  readonly members: Record<keyof typeof resultMembers, Value> = {
    SourceFallen8Id: new GuidValue('00000000-0000-0000-0000-000000000000'),
    SourceFallen8: null,
    AlgorithmPluginName: null,
    AlgorithmParameters: null,
    Definitions: null,
    SubGraph: null,
  };
}

/** What is in the graph of the result; the engine's own stands for all that is in that. */
export function graphOf({ members }: SubGraphResultObject): PluginResult {
  if (members.SubGraph === null) return { kind: 'nothing' };
  const { reader } = members.SubGraph;
  return reader instanceof BuiltGraph ? { kind: 'graph', contents: reader.contents() } : { kind: 'source' };
}

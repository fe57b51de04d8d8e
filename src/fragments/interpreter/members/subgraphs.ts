// Plugins of subgraphs: the definition that they are handed, its pattern, the result and the graphs that they make.

import { BuiltGraph } from '../built-graph.ts';
import { EngineObject } from '../engine.ts';
import {
  overElements,
  type PatternObject,
  resultMembers,
  type SubGraphDefinitionObject,
  SubGraphResultObject,
} from '../subgraph-objects.ts';
import type { Value } from '../values.ts';
import type { MemberTable } from './native.ts';

const newGraph = () => new EngineObject(new BuiltGraph());
const edgePart =
  <Part extends 'direction' | 'typeFilter' | 'edgeFilter' | 'minLength' | 'maxLength'>(part: Part) =>
  ({ input }: PatternObject): Value =>
    input.kind === 'vertex' ? null : input[part];

const members = Object.entries(resultMembers) as [keyof typeof resultMembers, string][];

export const SUBGRAPH_MEMBERS: MemberTable = {
  'Fallen8.new()': newGraph,
  'Fallen8.new(ILoggerFactory)': newGraph,
  'SubGraphDefinition.get_Name()': ({ input }: SubGraphDefinitionObject) => input.name,
  'SubGraphDefinition.get_AdditionalInformation()': (definition: SubGraphDefinitionObject) =>
    definition.additionalInformation,
  'SubGraphDefinition.get_VertexFilter()': (definition: SubGraphDefinitionObject) => definition.vertexFilter,
  'SubGraphDefinition.get_EdgeFilter()': (definition: SubGraphDefinitionObject) => definition.edgeFilter,
  'SubGraphDefinition.get_Pattern()': (definition: SubGraphDefinitionObject) => definition.pattern,
  'APattern.get_Type()': (pattern: PatternObject) => pattern.kind,
  'APattern.get_PatternName()': ({ input }: PatternObject) => input.name,
  'VertexPattern.get_Vertex()': ({ input }: PatternObject) =>
    input.kind === 'vertex' ? overElements(input.vertexFilter) : null,
  'EdgePattern.get_EdgeProperty()': edgePart('typeFilter'),
  'EdgePattern.get_Direction()': edgePart('direction'),
  'EdgePattern.get_Edge()': (pattern: PatternObject) => overElements(edgePart('edgeFilter')(pattern)),
  'VariableLengthEdgePattern.get_MinLength()': edgePart('minLength'),
  'VariableLengthEdgePattern.get_MaxLength()': edgePart('maxLength'),
  'SubGraphResult.new()': () => new SubGraphResultObject(),
  ...Object.fromEntries(
    members.flatMap(([member, type]) => [
      [`SubGraphResult.get_${member}()`, (result: SubGraphResultObject) => result.members[member]],
      [
        `SubGraphResult.set_${member}(${type})`,
        (result: SubGraphResultObject, value: Value) => {
          result.members[member] = value;
        },
      ],
    ]),
  ),
};

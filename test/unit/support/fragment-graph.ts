// A small graph of plain objects for fragments to read, and a way to run the text of a fragment on it.

import { bindFragment } from '../../../src/fragments/compile.ts';
import type {
  EdgeDirection,
  EdgeGroup,
  ElementReader,
  PropertyValue,
  SearchContext,
} from '../../../src/fragments/element-reader.ts';
import { createInterpreter } from '../../../src/fragments/interpreter/index.ts';
import type { Budget } from '../../../src/fragments/interpreter/machine.ts';
import { scoreVectors } from '../../../src/fragments/interpreter/members/models.ts';
import type { DelegateKind } from '../../../src/fragments/tree.ts';
import { coreReals } from './core-reals.ts';

interface PlainElement {
  readonly label: string | null;
  readonly properties: Readonly<Record<string, PropertyValue>>;
  readonly embedding?: Float32Array;
}
interface PlainEdge extends PlainElement {
  readonly source: number;
  readonly target: number;
  readonly edgeType: string;
}

const vertices = new Map<number, PlainElement>([
  [
    1,
    {
      label: 'person',
      properties: {
        name: { type: 'String', value: 'Alice' },
        age: { type: 'Int32', value: 42 },
        score: { type: 'Double', value: 1.5 },
        price: { type: 'Decimal', value: '1.10' },
        big: { type: 'Int64', value: 9_000_000_000n },
        born: { type: 'DateTime', value: { ticks: 630_000_000_000_000_000n, kind: 1 } },
        key: { type: 'Guid', value: '0f8fad5b-d9cb-469f-a165-70867728950e' },
      },
      embedding: Float32Array.of(1, 0),
    },
  ],
  [2, { label: null, properties: {} }],
  [3, { label: 'city', properties: { name: { type: 'String', value: 'Berlin' } } }],
]);
const edges = new Map<number, PlainEdge>([
  [
    10,
    { source: 1, target: 2, edgeType: 'knows', label: 'close', properties: { weight: { type: 'Double', value: 2.5 } } },
  ],
  [11, { source: 1, target: 3, edgeType: 'lives', label: null, properties: {} }],
  [12, { source: 2, target: 1, edgeType: 'knows', label: null, properties: {} }],
]);

const element = (id: number): PlainElement => (vertices.get(id) ?? edges.get(id))!;
const ends = (edge: PlainEdge, direction: EdgeDirection): number => (direction === 'out' ? edge.source : edge.target);

function groupsOf(vertex: number, direction: EdgeDirection): EdgeGroup[] | null {
  const groups = new Map<string, number[]>();
  for (const [id, edge] of edges) {
    if (ends(edge, direction) !== vertex) continue;
    groups.set(edge.edgeType, [...(groups.get(edge.edgeType) ?? []), id]);
  }
  return groups.size === 0 ? null : [...groups].map(([edgeType, list]) => ({ edgeType, edges: list }));
}

const own = (id: number, key: string): PropertyValue | null =>
  Object.hasOwn(element(id).properties, key) ? element(id).properties[key]! : null;

export const plainReader: ElementReader = {
  isVertex: (id) => vertices.has(id),
  label: (id) => element(id).label,
  property: own,
  propertyCount: (id) => Object.keys(element(id).properties).length,
  stringProperties: (id) =>
    Object.values(element(id).properties).flatMap((property) => (property.type === 'String' ? [property.value] : [])),
  created: () => 1_600_000_000,
  modified: () => 1_600_000_100,
  embedding: (id, name) => (name === 'default' ? (element(id).embedding ?? null) : null),
  embeddingStamp: () => null,
  degree: (vertex, direction) =>
    (groupsOf(vertex, direction) ?? []).reduce((sum, group) => sum + group.edges.length, 0),
  edgeGroups: groupsOf,
  edge: (id) => edges.get(id)!,
};

export const plainContext: SearchContext = {
  queryVector: Float32Array.of(1, 1),
  embeddingName: 'default',
  metric: 0,
  score: scoreVectors,
  reals: coreReals,
};

export function newBudget(): Budget {
  return { fuel: 1_000_000, memoryBytes: 1_000_000, depth: 200, cancelled: null };
}

/** 2022-09-23 in ticks. */
export const NOW = 637_995_000_000_000_000n;

/** The value; `!Type: message` of an exception; `#limit`; or the ids of the diagnostics. */
export function run(
  text: string,
  kind: DelegateKind = 'VertexFilter',
  argument: number | string = 1,
  budget = newBudget(),
) {
  const ids: string[] = [];
  const bound = bindFragment(text, kind, { report: (diagnostic) => ids.push(diagnostic.id) });
  if (!bound) return ids.join(' ');
  const binding = createInterpreter(bound).bind(plainReader, plainContext, budget, NOW);
  const outcome = binding.kind === 'ready' ? binding.call(argument) : binding;
  switch (outcome.kind) {
    case 'value':
      return outcome.value;
    case 'exception':
      return `!${outcome.type}: ${outcome.message}`;
    default:
      return `#${outcome.limit}`;
  }
}

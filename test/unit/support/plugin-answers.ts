// What the real compiler and runtime make of the plugins of test/fixtures/plugins (scripts/plugin-oracle): what they are asked, and what they answer.

import { readFileSync } from 'node:fs';
import { at } from '../../../scripts/lib/freshness.mjs';
import type { CreateEdge, CreateVertex } from '../../../src/core/requests.ts';
import type { PluginResult } from '../../../src/fragments/engine-reader.ts';
import { type CorpusInput, corpusGraph } from './plugin-corpus.ts';

export interface OracleAnswer {
  readonly asked: readonly string[];
  /** An error of the compiler at hand, which knows C# 7, begins with its word. */
  readonly answer: string;
}

export const oracleAnswers: Readonly<Record<string, OracleAnswer>> = JSON.parse(
  readFileSync(at('test/fixtures/plugins/answers.json'), 'utf8'),
);

/** The lines that the other side reads, as an input here. */
export function askedInput(asked: readonly string[]): CorpusInput {
  const parameters: Record<string, string> = {};
  const numbers: Record<string, number> = {};
  const information: Record<string, string> = {};
  let path: CorpusInput['path'];
  let subGraph: CorpusInput['subGraph'] = {};
  let maxIterations = 20;
  for (const line of asked) {
    const [word, first = '', second = ''] = line.split('\t');
    if (word === 'parameter') parameters[first] = second;
    else if (word === 'number') numbers[first] = Number(second);
    else if (word === 'iterations') maxIterations = Number(first);
    else if (word === 'information') information[first] = second;
    else if (word === 'vertices' && path === undefined)
      subGraph = { ...subGraph, vertexFilter: outside(first, second) };
    else if (word === 'edges' && path === undefined) subGraph = { ...subGraph, edgeFilter: outside(first, second) };
    else if (word === 'path') path = { from: Number(first), to: Number(second) };
    else if (path === undefined) throw new Error(line);
    else if (word === 'depth') path = { ...path, maxDepth: Number(first) };
    else if (word === 'cost') path = { ...path, edgeCost: weightOf };
    else if (word === 'vertices') path = { ...path, vertexFilter: outside(first, second) };
    else if (word === 'edges') path = { ...path, edgeFilter: outside(first, second) };
    else if (word === 'type') path = { ...path, typeFilter: (type) => type === first };
    else throw new Error(line);
  }
  const hasNumbers = Object.keys(numbers).length > 0;
  return {
    parameters,
    ...(path === undefined ? {} : { path }),
    analytics: { maxIterations, parameters: hasNumbers ? numbers : null },
    subGraph: { ...subGraph, additionalInformation: Object.keys(information).length > 0 ? information : null },
  };
}

const outside =
  (divisor: string, rest: string) =>
  (id: number): boolean =>
    id % Number(divisor) !== Number(rest);

const weightOf = (id: number): number => {
  const edge = corpusGraph.edges.find((each) => each.id === id);
  if (edge === undefined) throw new Error(`There is no edge ${id}.`);
  return edge.weight;
};

/** A result as the other side prints it. */
export function printed(result: PluginResult): string {
  switch (result.kind) {
    case 'declined':
      return 'declined';
    case 'elements':
      return `vertices ${result.vertices.join(' ')} edges ${result.edges.join(' ')}`;
    case 'paths':
      return result.paths
        .map(({ weight, steps }) => `${weight}: ${steps.map(({ edge }) => edge).join(' ')}`)
        .join(' | ');
    case 'values': {
      const order = result.ids.map((id, index) => [id, result.values[index]] as const).sort(([a], [b]) => a - b);
      const word = result.isPartition ? 'parts' : 'scores';
      return `${word} ${order.map(([id, value]) => `${id}=${value}`).join(' ')}`;
    }
    case 'graph':
      return `graph ${result.contents.map(printedPart).join(' ')}`;
    case 'source':
    case 'nothing':
      return result.kind;
    default:
      throw new Error(result.kind);
  }
}

function printedPart(made: CreateVertex | CreateEdge): string {
  const ends = made.kind === 'createEdge' ? `${made.source}-${made.edgeType}>${made.target}` : '';
  const properties = [...(made.properties ?? [])].sort((a, b) => (a.key < b.key ? -1 : 1));
  return `${ends}(${made.label ?? ''})[${properties.map(({ key, text }) => `${key}=${text}`).join(',')}]`;
}

/** Numbers to twelve digits: the functions of the C library differ in the last bit. */
export const rounded = (text: string): string =>
  text.replace(/-?\d+(?:\.\d+)?(?:[eE][-+]\d+)?/g, (number) => String(Number(Number(number).toPrecision(12))));

/** The graph in the lines that the other side reads. */
export function graphLines(): string {
  const vertices = corpusGraph.vertices.map(({ label, age }) => ['vertex', label, age ?? ''].join('\t'));
  const edges = corpusGraph.edges.map((edge) => ['edge', edge.source, edge.target, edge.type, edge.weight].join('\t'));
  return `${[...vertices, ...edges].join('\n')}\n`;
}

// The graph of test/fixtures/fragments/graph.json in a core, and both back ends over it: what a fragment answers for each element, as the
// texts that the corpus of results holds. The C# program that answered it (scripts/fragment-oracle) builds the same graph.

import { readFileSync } from 'node:fs';
import { at } from '../../../scripts/lib/freshness.mjs';
import { Core } from '../../../src/core/core.ts';
import { BoundFragmentModule, FragmentFailure, findName, scorePair } from '../../../src/core/fragments.ts';
import { BoundProgram } from '../../../src/core/machine.ts';
import { MemoryPool } from '../../../src/core/memory-pool.ts';
import type { PropertyText, WriteOperation } from '../../../src/core/requests.ts';
import { prepareCaseTable } from '../../../src/core/scans.ts';
import { writeText } from '../../../src/core/text.ts';
import { TypeId, typeIdOf } from '../../../src/core/values.ts';
import { bindFragment } from '../../../src/fragments/compile.ts';
import { emitFragment } from '../../../src/fragments/emit/emit.ts';
import { failures } from '../../../src/fragments/emit/wasm/failures.ts';
import { createInterpreter, type Outcome } from '../../../src/fragments/interpreter/index.ts';
import { translateFragment } from '../../../src/fragments/machine/translate.ts';
import type { BoundFragment, DelegateKind } from '../../../src/fragments/tree.ts';
import { CoreElements, realFunctions } from '../../../src/queries/fragments/elements.ts';

interface GraphElement {
  readonly label: string | null;
  readonly created: number;
  readonly properties: readonly (readonly [key: string, type: string, text: string])[];
}
export interface GraphFile {
  readonly modified: number;
  readonly queryVector: readonly number[];
  readonly vertices: readonly GraphElement[];
  readonly edges: readonly (GraphElement & {
    readonly source: number;
    readonly target: number;
    readonly type: string;
  })[];
}

const corpusFile: GraphFile = JSON.parse(readFileSync(at('test/fixtures/fragments/graph.json'), 'utf8'));

/** 2022-09-23 in ticks: the present moment of fragments. */
const now = 637_995_000_000_000_000n;

export interface CorpusGraph {
  readonly file: GraphFile;
  readonly core: Core;
  readonly graph: number;
  /** Whether the memory is. */
  readonly shared: boolean;
}

export const corpusCores = [
  'dist/wasm/core.shared.wasm',
  'dist/wasm/debug/core.shared.wasm',
  'dist/wasm/core.plain.wasm',
] as const;

/**
 * The graph of the corpus, or another. `wasm`: the path of a core, or a plain core itself; `collects`: at every place where a collection is possible
 * there is one.
 */
export function corpusGraph(
  wasm: string | WebAssembly.Module,
  file: GraphFile = corpusFile,
  collects = false,
): CorpusGraph {
  const module = typeof wasm === 'string' ? new WebAssembly.Module(readFileSync(at(wasm))) : wasm;
  const shared = typeof wasm === 'string' && !wasm.includes('plain');
  const core = new Core({ module, shared }, new MemoryPool({ shared }), 2 ** 28);
  const graph = core.createGraph();
  prepareCaseTable(core.instance);
  core.instance.exports.runStress(Number(collects));
  const write = (operations: readonly WriteOperation[]): void => {
    const done = core.write(graph, operations, file.modified * 1000);
    if (!done.ok) throw new Error(`refused ${done.status}`);
  };
  write(
    file.vertices.map((vertex) => ({
      kind: 'createVertex',
      creationDate: vertex.created,
      label: vertex.label,
      properties: plainProperties(vertex),
    })),
  );
  write(
    file.edges.map((edge) => ({
      kind: 'createEdge',
      creationDate: edge.created,
      label: edge.label,
      source: edge.source,
      target: edge.target,
      edgeType: edge.type,
      properties: plainProperties(edge),
    })),
  );
  write(file.vertices.flatMap((vertex, element) => vectors(vertex, element)));
  return { file, core, graph, shared };
}

function plainProperties({ properties }: GraphElement): PropertyText[] {
  return properties.flatMap(([key, type, text]) =>
    type === 'Single[]' ? [] : [{ key, type: typeIdOf(type) as TypeId, text }],
  );
}

function vectors({ properties }: GraphElement, element: number): WriteOperation[] {
  return properties.flatMap(([key, type, text]) => {
    if (type !== 'Single[]') return [];
    const floats = Float32Array.from(text.split(' ').map(Number));
    return [
      { kind: 'setProperty', element, key, type: TypeId.singleArray, text: new Uint8Array(floats.buffer) } as const,
    ];
  });
}

/** What a fragment of this kind is asked for, in the order of its results. */
function argumentsOf({ file }: CorpusGraph, kind: DelegateKind): readonly (number | string)[] {
  const vertexIds = [...file.vertices.keys()];
  const edgeIds = [...file.edges.keys()].map((index) => index + vertexIds.length);
  const edgeTypes = [...new Set(file.edges.map(({ type }) => type))];
  if (kind === 'EdgePropertyFilter') return edgeTypes;
  if (kind === 'GraphElementFilter') return [...vertexIds, ...edgeIds];
  return kind.startsWith('Edge') ? edgeIds : vertexIds;
}

/** Binds a fragment that has no errors. */
export function bound(text: string, kind: DelegateKind): BoundFragment {
  const errors: string[] = [];
  const fragment = bindFragment(text, kind, {
    report: ({ id, message, severity }) => {
      if (severity === 'error') errors.push(`${id} ${message}`);
    },
  });
  if (fragment === null) throw new Error(errors.join('; '));
  return fragment;
}

/** The answers of the interpreter. */
export function interpretedResults(over: CorpusGraph, fragment: BoundFragment, fuel = 10_000_000): string[] {
  const { core, file } = over;
  begin(over);
  const budget = { fuel, memoryBytes: 2 ** 26, depth: 300, cancelled: null };
  const context = {
    queryVector: Float32Array.from(file.queryVector),
    embeddingName: 'default',
    metric: 0,
    score: (left: Float32Array, right: Float32Array, metric: number) => scorePair(core.instance, metric, left, right),
    reals: realFunctions(core.instance),
  } as const;
  const binding = createInterpreter(fragment).bind(new CoreElements(core.instance), context, budget, now);
  if (binding.kind !== 'ready') return [`~${outcomeText(binding)}`];
  return argumentsOf(over, fragment.kind).map((argument) => outcomeText(binding.call(argument)));
}

function outcomeText(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'value':
      return valueText(outcome.value);
    case 'exception':
      return `!${outcome.type}${outcome.type === 'Exception' ? `: ${outcome.message}` : ''}`;
    case 'limit':
      return `#${outcome.limit}`;
  }
}

function valueText(value: boolean | number): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  return Object.is(value, -0) ? '-0' : String(value);
}

function begin({ core: { instance }, graph, file }: CorpusGraph): void {
  instance.exports.fragmentBegin(graph);
  instance.exports.fragmentMoment(Number((now - 621_355_968_000_000_000n) / 10_000n));
  const name = instance.input(64) as number;
  instance.exports.contextNameSet(name, writeText(instance.bytes, name, 'default'));
  const key = findName(instance, '$embedding:default') ?? -2;
  const vector = instance.input(4 * file.queryVector.length) as number;
  new Float32Array(instance.memory.buffer, vector, file.queryVector.length).set(file.queryVector);
  instance.exports.contextSet(vector, file.queryVector.length, 0, key, 0, 0);
}

/** What the emitted module of a fragment answers, or the program made of it; or that it is left to the interpreter. */
export function compiledResults(
  over: CorpusGraph,
  fragment: BoundFragment,
  fuelUnits = 10_000_000,
  how: 'module' | 'program' = 'module',
): string[] | { left: string } {
  const { core } = over;
  const emitted = emitFragment(fragment, over.shared);
  if (!emitted.ok) return { left: emitted.reason };
  const { bytes, names, texts, result } = emitted.fragment;
  const fuel = new WebAssembly.Global({ value: 'i32', mutable: true }, fuelUnits);
  const refuel = (): never => {
    throw new Error('#fuel');
  };
  const mark = core.instance.exports.fragmentMark();
  try {
    begin(over);
    const program = how === 'program' ? translateFragment(emitted.fragment) : undefined;
    if (program === null) return { left: 'no program' };
    const joined =
      program === undefined
        ? new BoundFragmentModule(
            core.instance,
            { module: new WebAssembly.Module(bytes), names, texts },
            { fuel, refuel },
          )
        : new BoundProgram(core.instance, program, { names, texts }, { fuel, refuel, stack: 0 });
    const prepared = attempt(() => Number(joined.prepare()));
    if (prepared !== '1') return [`~${prepared}`];
    const call = joined.call as unknown as (id: number) => number;
    const idOf = (argument: number | string): number =>
      typeof argument === 'number' ? argument : (findName(core.instance, argument) as number);
    return argumentsOf(over, fragment.kind).map((argument) => {
      const id = idOf(argument);
      const text = attempt(() => call(id));
      return result === 'i32' && /^[2-9]/.test(text) ? `not a truth value: ${text}` : text;
    });
  } finally {
    core.instance.exports.fragmentRelease(mark);
  }
}

function attempt(call: () => number): string {
  try {
    return valueText(call());
  } catch (error) {
    if (error instanceof RangeError) return '!InsufficientExecutionStackException';
    if (error instanceof FragmentFailure) {
      const name = failures[error.failure];
      // As the interpreter's: the message of plain exceptions alone.
      return name === 'Exception'
        ? `!Exception: ${error.text ?? "Exception of type 'System.Exception' was thrown."}`
        : `!${name}`;
    }
    return error instanceof Error ? error.message : String(error);
  }
}

/** Numbers are compared as numbers, the writing of C# being another. */
export function readable(text: string): string {
  if (!/^-?[\d.]+(E[+-]\d+)?$/.test(text)) return text;
  return Object.is(Number(text), -0) ? '-0' : String(Number(text));
}

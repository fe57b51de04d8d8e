// Whole plugins (test/fixtures/plugins) over one graph in a core of their own, compiled and interpreted.

import { readdirSync, readFileSync } from 'node:fs';
import { at } from '../../../scripts/lib/freshness.mjs';
import { Core } from '../../../src/core/core.ts';
import { MemoryPool } from '../../../src/core/memory-pool.ts';
import type { WriteOperation } from '../../../src/core/requests.ts';
import { TypeId } from '../../../src/core/values.ts';
import { emitFragment } from '../../../src/fragments/emit/emit.ts';
import type {
  AnalyticsInput,
  PathInput,
  PluginInput,
  PluginResult,
  SubGraphInput,
} from '../../../src/fragments/engine-reader.ts';
import { createPlugin } from '../../../src/fragments/interpreter/index.ts';
import type { PluginContract } from '../../../src/fragments/plugin-contract.ts';
import { bindPlugin } from '../../../src/fragments/plugins/compile.ts';
import type { BoundFragment } from '../../../src/fragments/tree.ts';
import { realFunctions } from '../../../src/queries/fragments/elements.ts';
import { type EmittedOutcome, EmittedPlugin, type PluginRun } from '../../../src/queries/plugins/emitted.ts';
import { EngineElements } from '../../../src/queries/plugins/engine-elements.ts';
import { compileExpression } from '../../../src/queries/plugins/expressions.ts';
import { WriterChannel, type WriterMessage } from '../../../src/queries/plugins/writer-channel.ts';

export interface CorpusVertex {
  readonly id: number;
  readonly label: string;
  readonly age: number | null;
}

export interface CorpusEdge {
  readonly id: number;
  readonly source: number;
  readonly target: number;
  readonly type: string;
  readonly weight: number;
}

/** The graph once more, as plain objects. */
export interface CorpusGraph {
  readonly vertices: readonly CorpusVertex[];
  readonly edges: readonly CorpusEdge[];
}

const vertexCount = 60;
const edgeCount = 180;

/** Always the same graph, with loops and parallel edges. */
function makeGraph(): CorpusGraph {
  let state = 20_250_911;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const vertices = Array.from({ length: vertexCount }, (_, id) => ({
    ...{ id, label: below(3) === 0 ? 'q' : 'p' },
    age: below(4) === 0 ? null : below(90),
  }));
  // The last five vertices stay alone.
  const edges = Array.from({ length: edgeCount }, (_, at) => ({
    ...{ id: vertexCount + at, source: below(vertexCount - 5), target: below(vertexCount - 5) },
    ...{ type: below(2) === 0 ? 'a' : 'b', weight: 1 + below(40) / 4 },
  }));
  return { vertices, edges };
}

function operationsOf({ vertices, edges }: CorpusGraph): WriteOperation[] {
  return [
    ...vertices.map(({ label, age }): WriteOperation => {
      const properties = age === null ? [] : [{ key: 'age', type: TypeId.int32, text: String(age) }];
      return { kind: 'createVertex', creationDate: 1, label, properties };
    }),
    ...edges.map(({ source, target, type, weight }): WriteOperation => {
      const properties = [{ key: 'weight', type: TypeId.double, text: String(weight) }];
      return { kind: 'createEdge', creationDate: 1, source, target, edgeType: type, label: null, properties };
    }),
  ];
}

export const corpusGraph = makeGraph();

export interface CorpusInput {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly path?: Partial<PathInput> & Pick<PathInput, 'from' | 'to'>;
  readonly analytics?: Partial<AnalyticsInput>;
  readonly subGraph?: Partial<SubGraphInput>;
}

const noPath: PathInput = {
  ...{ from: 0, to: 0, maxDepth: 20, maxResults: 1, maxWeight: Number.MAX_VALUE },
  ...{ vertexFilter: null, edgeFilter: null, typeFilter: null, vertexCost: null, edgeCost: null },
};
const noAnalytics: AnalyticsInput = {
  ...{ vertexLabel: null, edgeType: null, direction: null, maxIterations: 20, epsilon: 1e-9, parameters: null },
};

const wholeGraph: SubGraphInput = {
  ...{ name: 'part', additionalInformation: null, vertexFilter: null, edgeFilter: null, pattern: [] },
};

function inputOf({ parameters, path, analytics, subGraph }: CorpusInput): PluginInput {
  return {
    asksName: false,
    parameters: parameters ?? {},
    path: path === undefined ? null : { ...noPath, ...path },
    analytics: { ...noAnalytics, ...analytics },
    subGraph: { ...wholeGraph, ...subGraph },
    budgetMs: Number.POSITIVE_INFINITY,
    nowMs: () => performance.now(),
    isCancelled: () => false,
  };
}

export interface CorpusPlugin {
  readonly name: string;
  readonly contract: PluginContract;
  readonly source: string;
}

const folders = { function: 'GraphFunction', path: 'Path', analytics: 'Analytics', subgraph: 'SubGraph' } as const;

export function corpusPlugins(): CorpusPlugin[] {
  return Object.entries(folders).flatMap(([folder, contract]) => {
    const path = at(`test/fixtures/plugins/${folder}`);
    return readdirSync(path)
      .sort()
      .map((file) => ({
        ...{ name: file.replace(/\.cs$/, ''), contract },
        source: readFileSync(`${path}/${file}`, 'utf8'),
      }));
  });
}

/** Throws what is wrong with the source. */
export function boundPlugin(source: string, contract: PluginContract): BoundFragment {
  const binding = bindPlugin(source, contract);
  if (!binding.ok) throw new Error(binding.errors.join('\n'));
  return binding.bound;
}

export class PluginHome {
  /** What plugins said to the service. */
  readonly said: WriterMessage[] = [];
  private readonly core: Core;
  private readonly graph: number;

  /** `collects`: at every place where a collection is possible there is one. */
  constructor(wasm: string, graph: CorpusGraph = corpusGraph, collects = false) {
    const module = new WebAssembly.Module(readFileSync(at(wasm)));
    this.core = new Core({ module, shared: true }, new MemoryPool({ shared: true }), 2 ** 32);
    this.graph = this.core.createGraph();
    this.core.instance.exports.runStress(Number(collects));
    if (!this.core.write(this.graph, operationsOf(graph), 1000).ok) throw new Error('The graph was refused.');
  }

  private begin(input: CorpusInput, fuel: number): PluginRun {
    const { instance } = this.core;
    instance.exports.fragmentBegin(this.graph);
    const channel = new WriterChannel(
      null,
      (message) => this.said.push(message),
      () => {},
    );
    const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
    const elements = new EngineElements(instance, this.graph, id, channel);
    return { elements, input: inputOf(input), budget: { fuel, memoryBytes: 2 ** 28, depth: 500, cancelled: null } };
  }

  /** Why it is left to the interpreter as a text. */
  compiled(bound: BoundFragment, input: CorpusInput = {}, fuel = 1e9): EmittedOutcome | string {
    const emitted = emitFragment(bound, true);
    if (!emitted.ok) return emitted.reason;
    const { fragment } = emitted;
    const plugin = new EmittedPlugin(this.core.instance, {
      ...{ names: fragment.names, texts: fragment.texts, module: new WebAssembly.Module(fragment.bytes) },
    });
    return plugin.run(this.begin(input, fuel));
  }

  interpreted(bound: BoundFragment, input: CorpusInput = {}, fuel = 1e9): EmittedOutcome {
    const run = this.begin(input, fuel);
    const context = {
      ...{ queryVector: null, embeddingName: '', metric: 0 as const, score: () => 0 },
      reals: realFunctions(this.core.instance),
      expressions: compileExpression,
    };
    return createPlugin(bound)(run.elements, context, run.input, run.budget);
  }
}

/** What a plugin answered; throws for every other end. */
export function resultOf(outcome: EmittedOutcome | string): PluginResult {
  if (typeof outcome === 'string' || outcome.kind !== 'result') throw new Error(JSON.stringify(outcome));
  return outcome.result;
}

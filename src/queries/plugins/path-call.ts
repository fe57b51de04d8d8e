// A path request, or one of a subgraph, as a plugin is called with it: its filters and costs, whatever the request made them of, as functions
// of ids.

import { bindFragment } from '../../fragments/compile.ts';
import type { ElementReader, SearchContext } from '../../fragments/element-reader.ts';
import type { PathInput, SubGraphInput } from '../../fragments/engine-reader.ts';
import { ExceptionObject, Thrown } from '../../fragments/interpreter/exceptions.ts';
import { createInterpreter } from '../../fragments/interpreter/index.ts';
import { type Budget, LimitError } from '../../fragments/interpreter/machine.ts';
import type { DelegateKind } from '../../fragments/tree.ts';
import { metricNames, type Semantic } from '../paths/request.ts';

/** A fragment's text, a constant 1, the semantic block's (with a bound of its own, or the block's), or none. */
export type Slot =
  | { readonly kind: DelegateKind; readonly text: string }
  | { readonly minScore: number }
  | 'one'
  | 'semantic'
  | null;

export interface PathCall extends Pick<PathInput, 'from' | 'to' | 'maxDepth' | 'maxResults' | 'maxWeight'> {
  readonly vertexFilter: Slot;
  readonly edgeFilter: Slot;
  readonly typeFilter: Slot;
  readonly vertexCost: Slot;
  readonly edgeCost: Slot;
  readonly semantic: Semantic | null;
}

export interface SubGraphCall extends Pick<SubGraphInput, 'name' | 'additionalInformation'> {
  readonly vertexFilter: Slot;
  readonly edgeFilter: Slot;
  readonly pattern: readonly PatternCall[];
  readonly semantic: Semantic | null;
}

export type PatternCall =
  | { readonly kind: 'vertex'; readonly name: string | null; readonly vertexFilter: Slot }
  | ({ readonly kind: 'edge' | 'variable'; readonly name: string | null; readonly direction: number } & {
      readonly typeFilter: Slot;
      readonly edgeFilter: Slot;
      readonly minLength: number;
      readonly maxLength: number;
    });

interface Surroundings {
  readonly elements: ElementReader;
  readonly context: SearchContext;
  /** What the plugin spends from: its filters spend from the same. */
  readonly budget: Budget;
}

export function pathInput(path: PathCall, around: Surroundings): PathInput {
  const { from, to, maxDepth, maxResults, maxWeight } = path;
  // The kinds of the fragments, which have been checked, say what they take and answer.
  const made = <Call>(slot: Slot) => functionOf(slot, path.semantic, around) as Call | null;
  return {
    ...{ from, to, maxDepth, maxResults, maxWeight },
    vertexFilter: made(path.vertexFilter),
    edgeFilter: made(path.edgeFilter),
    typeFilter: made(path.typeFilter),
    vertexCost: made(path.vertexCost),
    edgeCost: made(path.edgeCost),
  };
}

export function subGraphInput(call: SubGraphCall, around: Surroundings): SubGraphInput {
  const { name, additionalInformation, semantic } = call;
  const made = <Call>(slot: Slot) => functionOf(slot, semantic, around) as Call | null;
  return {
    ...{ name, additionalInformation },
    vertexFilter: made(call.vertexFilter),
    edgeFilter: made(call.edgeFilter),
    pattern: call.pattern.map((one) =>
      one.kind === 'vertex'
        ? { ...one, vertexFilter: made(one.vertexFilter) }
        : { ...one, typeFilter: made(one.typeFilter), edgeFilter: made(one.edgeFilter) },
    ),
  };
}

function functionOf(slot: Slot, semantic: Semantic | null, around: Surroundings) {
  if (slot === null) return null;
  if (slot === 'one') return () => 1;
  if (slot === 'semantic' || 'minScore' in slot) {
    if (semantic === null) return null;
    const block = slot === 'semantic' ? semantic : { ...semantic, minScore: slot.minScore };
    return (id: number) => passes(id, block, around);
  }
  const bound = bindFragment(slot.text, slot.kind, { report: () => {} });
  if (bound === null) throw new Error('A fragment without errors was not bound.');
  const binding = createInterpreter(bound).bind(around.elements, around.context, around.budget);
  return (argument: number | string) => {
    const outcome = binding.kind === 'ready' ? binding.call(argument) : binding;
    if (outcome.kind === 'value') return outcome.value;
    if (outcome.kind === 'limit') throw new LimitError(outcome.limit);
    throw new Thrown(new ExceptionObject(outcome.type, outcome.message));
  };
}

/** A vertex passes the semantic block's filter when its score is good enough; one that cannot be scored never does. */
function passes(id: number, { embeddingName, queryVector, metric, minScore }: Semantic, around: Surroundings): boolean {
  const vector = around.elements.embedding(id, embeddingName);
  if (vector === null || vector.length !== queryVector.length) return false;
  const number = metricNames.indexOf(metric) as 0 | 1 | 2;
  const score = around.context.score(queryVector, vector, number);
  if (!Number.isFinite(score)) return false;
  return minScore === null || (metric === 'L2' ? score <= minScore : score >= minScore);
}

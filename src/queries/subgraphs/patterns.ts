// The template of a subgraph as a request or a stored query brings it: top-level filters and pattern steps, and the rules about them that
// hold before anything is compiled (contract part 2, Subgraph specification; reference section 11). Members that do not apply to a
// step's type are left alone.

import type { FragmentTexts } from '../fragments/compiler.ts';
import { isFragment, isGiven } from '../paths/request.ts';

type OptionalText = string | null | undefined;

/** A step as it came. */
export interface PatternBody {
  readonly type?: OptionalText;
  readonly patternName?: OptionalText;
  readonly vertexFilter?: OptionalText;
  readonly semanticMinScore?: number | null | undefined;
  readonly direction?: OptionalText;
  readonly edgePropertyFilter?: OptionalText;
  readonly edgeFilter?: OptionalText;
  readonly minLength?: number | null | undefined;
  readonly maxLength?: number | null | undefined;
}

/** What a subgraph is matched by, as it came. */
export interface TemplateBody {
  readonly vertexFilter?: OptionalText;
  readonly edgeFilter?: OptionalText;
  readonly patterns?: readonly PatternBody[] | null | undefined;
}

/** A step with its rules checked. `filter` and the like are slots of the compiled set, null where everything passes. */
export type PatternStep =
  | {
      readonly kind: 'vertex';
      readonly name: string | null;
      readonly vertexFilter: string | null;
      readonly minScore: number | null;
    }
  | {
      readonly kind: 'edge';
      readonly name: string | null;
      readonly direction: 'out' | 'in' | 'either';
      readonly edgePropertyFilter: string | null;
      readonly edgeFilter: string | null;
      /** Hops, inclusive; 1 and 1 for a step of fixed length. */
      readonly minLength: number;
      readonly maxLength: number;
    };

/** A template with its rules checked, and the fragments that it needs by their slots. */
export interface Template {
  /** Slots of the top-level filters; null: everything passes. */
  readonly vertexFilter: string | null;
  readonly edgeFilter: string | null;
  readonly steps: readonly PatternStep[];
  readonly texts: FragmentTexts;
}

/** `stored`: the template of a stored query, which no query vector is known of. */
export type TemplateOrigin = 'withSemantic' | 'withoutSemantic' | 'stored';

const longestHops = 100;

const types: Readonly<Record<string, 'vertex' | 'edge' | 'variable' | undefined>> = {
  vertex: 'vertex',
  edge: 'edge',
  variablelengthedge: 'variable',
};

const directions: Readonly<Record<string, 'out' | 'in' | 'either' | undefined>> = {
  outgoingedge: 'out',
  outgoing: 'out',
  out: 'out',
  incomingedge: 'in',
  incoming: 'in',
  in: 'in',
  undirectededge: 'either',
  undirected: 'either',
};

type MutableTexts = Record<string, FragmentTexts[string]>;

/** Ends the reading of a template. */
class Flaw extends Error {
  override readonly name = 'Flaw';
}

/** The template, or what is wrong with it. */
export function readTemplate(body: TemplateBody, origin: TemplateOrigin): Template | { readonly flaw: string } {
  const texts: MutableTexts = {};
  const slot = slotsIn(texts);
  try {
    const vertexFilter = slot('vertexFilter', 'VertexFilter', body.vertexFilter);
    const edgeFilter = slot('edgeFilter', 'EdgeFilter', body.edgeFilter);
    const steps = (body.patterns ?? []).map((step, i) => readStep(step, `patterns[${i}]`, origin, slot));
    checkOrder(steps);
    return { vertexFilter, edgeFilter, steps, texts };
  } catch (error) {
    if (error instanceof Flaw) return { flaw: error.message };
    throw error;
  }
}

type Slot = (name: string, kind: FragmentTexts[string]['kind'], text: OptionalText) => string | null;

/** Enters a fragment and answers its slot; null for a blank one. */
function slotsIn(texts: MutableTexts): Slot {
  return (name, kind, text) => {
    if (!isFragment(text)) return null;
    texts[name] = { kind, text };
    return name;
  };
}

function readStep(step: PatternBody, place: string, origin: TemplateOrigin, slot: Slot): PatternStep {
  const type = isGiven(step.type) ? types[step.type.trim().toLowerCase()] : 'vertex';
  if (type === undefined) {
    throw new Flaw(`${place}: unknown type '${step.type}'. There are Vertex, Edge and VariableLengthEdge.`);
  }
  checkScore(step, type === 'vertex', place, origin);
  const name = isGiven(step.patternName) ? step.patternName : null;
  if (type === 'vertex') {
    const vertexFilter = slot(`${place}.vertexFilter`, 'VertexFilter', step.vertexFilter);
    return { kind: 'vertex', name, vertexFilter, minScore: step.semanticMinScore ?? null };
  }
  const direction = isGiven(step.direction) ? directions[step.direction.trim().toLowerCase()] : 'out';
  if (direction === undefined) {
    const known = 'There are OutgoingEdge, IncomingEdge and UndirectedEdge.';
    throw new Flaw(`${place}: unknown direction '${step.direction}'. ${known}`);
  }
  const edgePropertyFilter = slot(`${place}.edgePropertyFilter`, 'EdgePropertyFilter', step.edgePropertyFilter);
  const edgeFilter = slot(`${place}.edgeFilter`, 'EdgeFilter', step.edgeFilter);
  const hops = type === 'edge' ? { minLength: 1, maxLength: 1 } : hopsOf(step, place);
  if (type === 'variable' && place === 'patterns[0]') {
    throw new Flaw(`${place}: a pattern cannot begin with an edge of variable length.`);
  }
  return { kind: 'edge', name, direction, edgePropertyFilter, edgeFilter, ...hops };
}

function hopsOf(step: PatternBody, place: string): { minLength: number; maxLength: number } {
  const minLength = step.minLength ?? 1;
  const maxLength = step.maxLength ?? 1;
  if (minLength < 0) throw new Flaw(`${place}: minLength must not be negative.`);
  if (maxLength > longestHops) throw new Flaw(`${place}: maxLength must not be above ${longestHops}.`);
  if (minLength > maxLength) throw new Flaw(`${place}: minLength ${minLength} is above maxLength ${maxLength}.`);
  return { minLength, maxLength };
}

function checkScore(step: PatternBody, isVertex: boolean, place: string, origin: TemplateOrigin): void {
  const { semanticMinScore } = step;
  if (semanticMinScore === null || semanticMinScore === undefined) return;
  if (origin === 'stored') throw new Flaw(`${place}: a stored query takes no semanticMinScore.`);
  if (!isVertex) throw new Flaw(`${place}: semanticMinScore is for steps of type Vertex.`);
  if (isGiven(step.vertexFilter)) throw new Flaw(`${place}: semanticMinScore cannot stand beside vertexFilter.`);
  if (origin === 'withoutSemantic') throw new Flaw(`${place}: semanticMinScore needs a semantic block.`);
  if (!Number.isFinite(semanticMinScore)) throw new Flaw(`${place}: semanticMinScore must be a finite number.`);
}

function checkOrder(steps: readonly PatternStep[]): void {
  const last = steps.at(-1);
  if (last !== undefined && last.kind !== 'vertex') throw new Flaw('patterns: the last step must be of type Vertex.');
  for (let i = 1; i < steps.length; i++) {
    if (steps[i]?.kind !== steps[i - 1]?.kind) continue;
    throw new Flaw(`patterns[${i}]: vertex and edge steps must alternate.`);
  }
}

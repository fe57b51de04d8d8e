// What can be asked, as values: a question is kept in the history, under a name, and in a view, and asked again from there.

export interface PropertyQuestion {
  readonly kind: 'property';
  readonly key: string;
  /** A place in `operators`. */
  readonly operator: number;
  readonly value: string;
  readonly type: string;
  readonly label: string;
  /** Empty: every element is looked at. */
  readonly index: string;
}

export interface FulltextQuestion {
  readonly kind: 'fulltext';
  readonly index: string;
  readonly text: string;
}

export interface PathQuestion {
  readonly kind: 'path';
  readonly from: number | null;
  readonly to: number | null;
  readonly isCheapest: boolean;
  readonly maxDepth: number;
  readonly maxResults: number;
  readonly vertexFilter: string;
  readonly edgeFilter: string;
  readonly edgePropertyFilter: string;
  readonly edgeCost: string;
  /** Name of a stored query whose fragments are used instead; empty: none. */
  readonly storedQuery: string;
}

export interface PatternStep {
  /** Of a vertex; empty: any. */
  readonly label: string;
  readonly vertexFilter: string;
  /** Of the edge that leads to the next vertex; empty: any. */
  readonly edgeType: string;
  readonly direction: 'OutgoingEdge' | 'IncomingEdge' | 'UndirectedEdge';
  readonly minLength: number;
  readonly maxLength: number;
}

export interface PatternQuestion {
  readonly kind: 'pattern';
  readonly steps: readonly PatternStep[];
  /** Name of a stored query that is matched instead; empty: none. */
  readonly storedQuery: string;
}

export interface SimilarQuestion {
  readonly kind: 'similar';
  readonly vertex: number | null;
  readonly index: string;
  readonly count: number;
}

export interface AnalyticsQuestion {
  readonly kind: 'analytics';
  readonly algorithm: string;
  readonly label: string;
  readonly edgeType: string;
  readonly budgetSeconds: number;
}

export type Question =
  | PropertyQuestion
  | FulltextQuestion
  | PathQuestion
  | PatternQuestion
  | SimilarQuestion
  | AnalyticsQuestion;

export type QuestionKind = Question['kind'];

export const operators = ['=', '>', '≥', '<', '≤', '≠'] as const;

export const kindTitles: Readonly<Record<QuestionKind, string>> = {
  analytics: 'Analytics: what matters most',
  path: 'Paths between two vertices',
  property: 'Vertices by a property',
  fulltext: 'Full text',
  pattern: 'A pattern',
  similar: 'Similar vertices',
};

export const emptyStep: PatternStep = {
  label: '',
  vertexFilter: '',
  edgeType: '',
  direction: 'OutgoingEdge',
  minLength: 1,
  maxLength: 1,
};

export const emptyQuestions: { readonly [Kind in QuestionKind]: Extract<Question, { kind: Kind }> } = {
  analytics: { kind: 'analytics', algorithm: 'PAGERANK', label: '', edgeType: '', budgetSeconds: 30 },
  path: {
    ...{ kind: 'path', from: null, to: null, isCheapest: false, maxDepth: 7, maxResults: 10 },
    ...{ vertexFilter: '', edgeFilter: '', edgePropertyFilter: '', edgeCost: '', storedQuery: '' },
  },
  property: { kind: 'property', key: '', operator: 0, value: '', type: 'System.String', label: '', index: '' },
  fulltext: { kind: 'fulltext', index: '', text: '' },
  pattern: { kind: 'pattern', steps: [emptyStep, emptyStep], storedQuery: '' },
  similar: { kind: 'similar', vertex: null, index: '', count: 10 },
};

/** One line for the history. */
export function titleOf(question: Question): string {
  switch (question.kind) {
    case 'property':
      return `${question.key} ${operators[question.operator] ?? '?'} ${question.value}`;
    case 'fulltext':
      return `text ${question.text}`;
    case 'path':
      return `${question.isCheapest ? 'cheapest' : 'shortest'} path #${question.from} to #${question.to}${question.storedQuery === '' ? '' : ` by ${question.storedQuery}`}`;
    case 'pattern':
      if (question.storedQuery !== '') return `pattern ${question.storedQuery}`;
      return `pattern ${question.steps.map(({ label }) => label || 'any').join(' – ')}`;
    case 'similar':
      return `similar to #${question.vertex}`;
    case 'analytics':
      return `${question.algorithm}${question.label === '' ? '' : ` of ${question.label}`}`;
  }
}

/** The filter of a step as a fragment: its label and what was written by hand; null: all pass. */
function vertexFragment({ label, vertexFilter }: PatternStep): string | null {
  if (vertexFilter.trim() !== '') return vertexFilter;
  return label === '' ? null : `return v => v.Label == ${quoted(label)};`;
}

function typeFragment(type: string): string | null {
  return type === '' ? null : `return t => t == ${quoted(type)};`;
}

/** As the body of PUT /subgraph takes them: vertex, edge, vertex. */
export function patternsOf(steps: readonly PatternStep[]): Record<string, unknown>[] {
  return steps.flatMap((step, place) => {
    const vertex = { type: 'Vertex', vertexFilter: vertexFragment(step) };
    if (place === steps.length - 1) return [vertex];
    const { direction, minLength, maxLength, edgeType } = step;
    const isOne = minLength === 1 && maxLength === 1;
    const edge = { direction, edgePropertyFilter: typeFragment(edgeType) };
    return [vertex, isOne ? { type: 'Edge', ...edge } : { type: 'VariableLengthEdge', ...edge, minLength, maxLength }];
  });
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

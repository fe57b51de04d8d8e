// Blocks that the bodies of several query routes share: fragments, patterns and the semantic block (contract part 2).

import { z } from 'zod';
import { atMost, integer, longList, number, optionalText, record } from './schemas.ts';

/** Longest query vector that is read at all; what fits is judged by the graph's vectors. */
const maxComponents = 100_000;

/** Text, null and missing are different things to a cost. */
const fragment = z.string().nullable().optional().meta({ description: 'A C# fragment.' });

export const filter = record({ vertexFilter: fragment, edgeFilter: fragment, edgePropertyFilter: fragment }).meta({
  id: 'PathFilter',
  description: 'A missing fragment lets everything pass.',
});

export const cost = record({ vertexCost: fragment, edgeCost: fragment }).meta({
  id: 'PathCost',
  description: 'A missing fragment costs 1 a step.',
});

export const semantic = record({
  queryVector: longList(number, maxComponents).nullable().default(null),
  queryText: optionalText,
  embeddingName: optionalText,
  metric: optionalText.meta({ description: 'Cosine, DotProduct or L2.' }),
  minScore: number.nullable().default(null),
  costBySimilarity: z.boolean().default(false),
}).meta({ id: 'SemanticSpecification', description: 'Exactly one of queryVector and queryText.' });

const wholeNumber = integer(-(2 ** 31), 2 ** 31 - 1)
  .nullable()
  .optional();

/** The types of steps, directions and ranges are judged by the rules of templates (src/queries/subgraphs/patterns.ts). */
const patternStep = record({
  type: z.string().nullable().optional().meta({ description: 'Vertex, Edge or VariableLengthEdge.' }),
  patternName: z.string().nullable().optional(),
  vertexFilter: fragment,
  semanticMinScore: number.nullable().optional(),
  direction: z.string().nullable().optional().meta({ description: 'OutgoingEdge, IncomingEdge or UndirectedEdge.' }),
  edgePropertyFilter: fragment,
  edgeFilter: fragment,
  minLength: wholeNumber,
  maxLength: wholeNumber,
}).meta({ id: 'PatternStep' });

/** What a subgraph is matched by: members of a request, or a block of a stored query. */
export const templateMembers = {
  vertexFilter: fragment,
  edgeFilter: fragment,
  patterns: atMost(z.array(patternStep).nullable()).optional(),
};

export const template = record(templateMembers).meta({ id: 'SubGraphTemplate' });

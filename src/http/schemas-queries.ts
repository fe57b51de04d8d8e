// The bodies of part 2's query routes as schemas, by the same rules as those of part 1 (schemas.ts).

import { z } from 'zod';
import { atMost, integer, longList, notBlank, number, optionalText, record } from './schemas.ts';

/** Longest query vector that is read at all; what fits is judged by the graph's vectors. */
const maxComponents = 100_000;

/** Text, null and missing are different things to a cost. */
const fragment = z.string().nullable().optional();

const filter = record({ vertexFilter: fragment, edgeFilter: fragment, edgePropertyFilter: fragment });
const cost = record({ vertexCost: fragment, edgeCost: fragment });

const semantic = record({
  queryVector: longList(number, maxComponents).nullable().default(null),
  queryText: optionalText,
  embeddingName: optionalText,
  metric: optionalText,
  minScore: number.nullable().default(null),
  costBySimilarity: z.boolean().default(false),
});

const uint16 = integer(0, 65_535);

const path = record({
  pathAlgorithmName: notBlank.default('BLS'),
  maxDepth: uint16.default(7),
  maxResults: uint16.default(65_535),
  maxPathWeight: number.nullable().default(null),
  filter: filter.nullable().default(null),
  cost: cost.nullable().default(null),
  storedQuery: optionalText,
  semantic: semantic.nullable().default(null),
  timeBudgetSeconds: number.nullable().default(null),
});

/** A body of `null` is one of defaults. */
export const pathSpecification = z.preprocess((body) => (body === null ? {} : body), path);
export type PathBody = z.infer<typeof path>;

const wholeNumber = integer(-(2 ** 31), 2 ** 31 - 1)
  .nullable()
  .optional();

/** The types of steps, directions and ranges are judged by the rules of templates (src/queries/subgraphs/patterns.ts). */
const patternStep = record({
  type: fragment,
  patternName: fragment,
  vertexFilter: fragment,
  semanticMinScore: number.nullable().optional(),
  direction: fragment,
  edgePropertyFilter: fragment,
  edgeFilter: fragment,
  minLength: wholeNumber,
  maxLength: wholeNumber,
});

/** What a subgraph is matched by: members of a request, or a block of a stored query. */
const templateMembers = {
  vertexFilter: fragment,
  edgeFilter: fragment,
  patterns: atMost(z.array(patternStep).nullable()).optional(),
};

/** Which block stands with which kind is judged by the rules of stored queries. */
export const storedQuery = record({
  name: notBlank,
  kind: notBlank,
  description: optionalText,
  path: record({ filter: filter.nullable().optional(), cost: cost.nullable().optional() }).nullable().default(null),
  subGraph: record(templateMembers).nullable().default(null),
});

/** Texts by any name; a schema of records would lose `__proto__`. */
const textsByName = z.custom<Readonly<Record<string, string>>>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((text) => typeof text === 'string'),
  'Expected an object of texts.',
);

/** What a word means, and what may stand beside what, is not decided here. */
export const subgraphSpecification = record({
  name: notBlank,
  algorithm: optionalText,
  ...templateMembers,
  storedQuery: optionalText,
  semantic: semantic.nullable().default(null),
  additionalInformation: textsByName.nullable().default(null),
});

/** The kind is judged by the route, which lists those there are. */
export const validation = record({ delegateKind: z.string(), fragment: z.string().nullable().default(null) });

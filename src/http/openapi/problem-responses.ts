// The errors of a route as responses: those that it names, and those that every route of its kind has. All problems of one status are
// one response, whose schema lists their titles and members.

import { type ProblemKind, problemMembers, problemTable } from '../problems.ts';
import type { Route } from '../route.ts';
import type { Schemas } from './schemas.ts';

type Json = Readonly<Record<string, unknown>>;

const bodyProblems: readonly ProblemKind[] = ['unsupportedMediaType', 'bodyTooLarge', 'requestTimeout', 'overloaded'];
const namespaceProblems: readonly ProblemKind[] = [
  'namespaceNotFound',
  'memoryLimit',
  'requestTimeout',
  'overloaded',
  'internal',
];

/** `only`: of these statuses. */
export function problemResponses(route: Route, schemas: Schemas, only?: readonly number[]): Json {
  const byStatus = new Map<number, ProblemKind[]>();
  for (const kind of new Set(kindsOf(route))) {
    const [status] = problemTable[kind];
    if (only === undefined || only.includes(status)) byStatus.set(status, [...(byStatus.get(status) ?? []), kind]);
  }
  const responses = [...byStatus].map(([status, kinds]) => [status, responseOf(kinds, schemas)]);
  return Object.fromEntries(responses);
}

function kindsOf(route: Route): ProblemKind[] {
  return [
    ...(route.problems ?? []),
    'badRequest',
    // Of a body, or of a query parameter that a strict request may not have.
    'validation',
    'unsupportedVersion',
    ...(route.anonymous === true ? [] : (['unauthorized'] as const)),
    ...(route.rateLimited === true ? (['tooManyRequests'] as const) : []),
    ...(route.body === undefined ? [] : bodyProblems),
    ...(route.scope === 'namespace' ? namespaceProblems : (['internal'] as const)),
    ...(route.scope === 'namespace' && route.servesNotLoaded !== true ? (['namespaceNotLoaded'] as const) : []),
  ];
}

function responseOf(kinds: readonly ProblemKind[], schemas: Schemas): Json {
  const variants = kinds.map((kind) => schemas.add(nameOf(kind), problemSchema(kind, schemas)));
  const titles = [...new Set(kinds.map((kind) => problemTable[kind][1]))];
  return {
    description: `${titles.join('; ')}.`,
    content: {
      'application/problem+json': { schema: variants.length === 1 ? variants[0] : { anyOf: variants } },
    },
  };
}

function nameOf(kind: ProblemKind): string {
  return `Problem${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
}

function problemSchema(kind: ProblemKind, schemas: Schemas): Json {
  const [status, title] = problemTable[kind];
  const members = problemMembers[kind];
  const own = members === undefined ? {} : (schemas.output(members).properties as Json);
  const required = members === undefined ? [] : ((schemas.output(members).required as string[] | undefined) ?? []);
  return {
    type: 'object',
    properties: {
      title: { type: 'string', const: title },
      status: { type: 'integer', const: status },
      detail: { type: 'string', description: 'What was wrong, for people.' },
      ...own,
    },
    required: ['title', 'status', 'detail', ...required],
    additionalProperties: false,
  };
}

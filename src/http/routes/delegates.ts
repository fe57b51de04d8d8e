// What the compiler says about one fragment, for editors: `POST /delegates/validate`.

import { z } from 'zod';
import type { DelegateKind } from '../../fragments/tree.ts';
import { codeBodyBytes, json } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { Problem } from '../problems.ts';
import { type Route, route, shows } from '../route.ts';
import { record } from '../schemas.ts';

const kinds: readonly DelegateKind[] = [
  'VertexFilter',
  'EdgeFilter',
  'EdgePropertyFilter',
  'VertexCost',
  'EdgeCost',
  'GraphElementFilter',
];

/** The kind is judged below, where those there are can be listed. */
const validation = record({
  delegateKind: z.string().meta({ description: `One of ${kinds.join(', ')}, in any case.` }),
  fragment: z.string().nullable().default(null),
}).meta({ id: 'DelegateValidationSpecification' });

const position = z.int().positive();
const result = z
  .object({
    valid: z.boolean().meta({ description: 'True without errors; warnings may be there.' }),
    diagnostics: z.array(
      z
        .object({
          line: position,
          column: position,
          endLine: position,
          endColumn: position,
          id: z.string(),
          message: z.string(),
          severity: z.enum(['error', 'warning', 'info']),
        })
        .meta({ id: 'Diagnostic', description: 'Positions count from 1.' }),
    ),
  })
  .meta({ id: 'DelegateValidationResult' });

export const delegateRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/delegates/validate',
    scope: 'service',
    tag: 'Delegates',
    rateLimited: true,
    summary: 'What the compiler says about a fragment.',
    body: json(validation, { maxBytes: codeBodyBytes }),
    answers: { 200: shows('The diagnostics.', result) },
    serve: validate,
  }),
];

async function validate(
  exchange: Exchange,
  { body: { delegateKind, fragment } }: { body: z.infer<typeof validation> },
): Promise<Response> {
  const wanted = delegateKind.trim().toLowerCase();
  const kind = kinds.find((name) => name.toLowerCase() === wanted);
  if (kind === undefined) {
    throw new Problem('badRequest', `Unknown delegateKind '${delegateKind}'. There are ${kinds.join(', ')}.`);
  }
  const { pathCompiler } = exchange.service.queries;
  const diagnostics = await pathCompiler.validate(fragment ?? '', kind, exchange.caller);
  return exchange.value({ valid: !diagnostics.some(({ severity }) => severity === 'error'), diagnostics });
}

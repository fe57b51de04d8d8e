// What the compiler says about one fragment, for editors: `POST /delegates/validate`.

import type { DelegateKind } from '../../fragments/tree.ts';
import { codeBodyBytes, readJson } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { Problem } from '../problems.ts';
import type { Route } from '../route.ts';
import { validation } from '../schemas-queries.ts';

const kinds: readonly DelegateKind[] = [
  'VertexFilter',
  'EdgeFilter',
  'EdgePropertyFilter',
  'VertexCost',
  'EdgeCost',
  'GraphElementFilter',
];

export const delegateRoutes: readonly Route[] = [
  { method: 'POST', path: '/delegates/validate', scope: 'service', rateLimited: true, serve: validate },
];

async function validate(exchange: Exchange): Promise<Response> {
  const { delegateKind, fragment } = await readJson(exchange, validation, { maxBytes: codeBodyBytes });
  const wanted = delegateKind.trim().toLowerCase();
  const kind = kinds.find((name) => name.toLowerCase() === wanted);
  if (kind === undefined) {
    throw new Problem('badRequest', `Unknown delegateKind '${delegateKind}'. There are ${kinds.join(', ')}.`);
  }
  const { pathCompiler } = exchange.service.queries;
  const diagnostics = await pathCompiler.validate(fragment ?? '', kind, exchange.caller);
  return exchange.value({ valid: !diagnostics.some(({ severity }) => severity === 'error'), diagnostics });
}

// Property scans: the typed comparison on one key, and the text search over all of them.

import { TypeId, typeIdOf } from '../../core/values.ts';
import { readJson } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { textParameter } from '../parameters.ts';
import { Problem } from '../problems.ts';
import type { Route } from '../route.ts';
import { propertyScan, textScan } from '../schemas.ts';

export const scanRoutes: readonly Route[] = [
  { method: 'POST', path: '/scan/graph/property/:propertyId', scope: 'namespace', serve: scanProperty },
  { method: 'POST', path: '/scan/graph/properties', scope: 'namespace', serve: scanText },
];

async function scanProperty(exchange: Exchange): Promise<Response> {
  const key = textParameter(exchange, 'propertyId');
  const { operator, literal, label, resultType } = await readJson(exchange, propertyScan);
  const typeName = literal.fullQualifiedTypeName ?? '';
  const type = typeName === '' ? TypeId.string : typeIdOf(typeName);
  if (type === TypeId.none) throw new Problem('badRequest', `Unknown type '${typeName}'.`);
  const scan = { key, operator, type, text: literal.value, label, resultType };
  const ids = await exchange.graph.scans.property(scan, exchange.request.signal);
  if (ids === null) throw new Problem('badRequest', `The literal is not a value of the type ${typeName}.`);
  return exchange.jsonBlocks(ids);
}

async function scanText(exchange: Exchange): Promise<Response> {
  const { searchTerm, label, resultType } = await readJson(exchange, textScan);
  return exchange.jsonBlocks(await exchange.graph.scans.text(searchTerm, label, resultType, exchange.request.signal));
}

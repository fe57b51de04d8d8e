// Indexes: creating, filling and deleting them, and the scans over them (contract part 1, Indexes). Writes answer a bare Boolean, where
// false means that there was nothing to write to; what a miss of a scan answers differs from route to route and is said here.

import { TypeId, typeIdOf } from '../../core/values.ts';
import { ExpressionRefused } from '../../engine/indexes/expressions/nodes.ts';
import type { IndexOptions } from '../../engine/indexes/plugins.ts';
import { readJson } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { idParameter, textParameter } from '../parameters.ts';
import { Problem } from '../problems.ts';
import type { Method, Route } from '../route.ts';
import * as schemas from '../schemas.ts';
import { booleanOf, writtenValue } from '../writes.ts';

const route = (method: Method, path: string, serve: Route['serve']): Route => ({
  method,
  path,
  scope: 'namespace',
  serve,
});

export const indexRoutes: readonly Route[] = [
  route('POST', '/index', createIndex),
  route('POST', '/index/backfill/:indexId', backfillIndex),
  route('PUT', '/index/:indexId', addToIndex),
  route('DELETE', '/index/:indexId/propertyValue', removeKey),
  route('DELETE', '/index/:indexId/:id', removeElement),
  route('DELETE', '/index/:indexId', deleteIndex),
  route('POST', '/scan/index/all', scanAll),
  route('POST', '/scan/index/range', scanRange),
  route('POST', '/scan/index/fulltext', scanFulltext),
  route('POST', '/scan/index/spatial', scanSpatial),
];

function typeOf(name: string): TypeId {
  const type = typeIdOf(name);
  if (type === TypeId.none) throw new Problem('badRequest', `Unknown type '${name}'.`);
  return type;
}

async function createIndex(exchange: Exchange): Promise<Response> {
  const { uniqueId, pluginType, pluginOptions } = await readJson(exchange, schemas.pluginSpecification);
  const options: IndexOptions = new Map(
    Object.entries(pluginOptions ?? {}).map(([name, { propertyValue, fullQualifiedTypeName }]) => {
      return [name, { type: typeOf(fullQualifiedTypeName), text: propertyValue }];
    }),
  );
  return booleanOf(exchange, exchange.graph.indexes.create(uniqueId, pluginType, options, true));
}

/** The contents of a bound vector index follow from the graph's: nothing is added to it or taken out of it by hand. */
function refuseBound(exchange: Exchange, indexId: string): void {
  const definition = exchange.graph.vectors.find(indexId);
  if (definition === null || definition === 'otherKind' || definition.embeddingName === null) return;
  const detail = `The index '${indexId}' follows the embedding '${definition.embeddingName}': write that of the element.`;
  throw new Problem('badRequest', detail);
}

async function addToIndex(exchange: Exchange): Promise<Response> {
  const indexId = textParameter(exchange, 'indexId');
  const { graphElementId, key } = await readJson(exchange, schemas.indexAdd);
  refuseBound(exchange, indexId);
  const type = typeOf(key.fullQualifiedTypeName);
  return booleanOf(exchange, exchange.graph.indexes.add(indexId, graphElementId, type, key.propertyValue));
}

function removeElement(exchange: Exchange): Promise<Response> {
  const element = idParameter(exchange);
  const indexId = textParameter(exchange, 'indexId');
  refuseBound(exchange, indexId);
  return booleanOf(exchange, exchange.graph.indexes.removeElement(indexId, element));
}

async function removeKey(exchange: Exchange): Promise<Response> {
  const indexId = textParameter(exchange, 'indexId');
  const { propertyValue, fullQualifiedTypeName } = await readJson(exchange, schemas.indexKey);
  refuseBound(exchange, indexId);
  const outcome = exchange.graph.indexes.removeKey(indexId, typeOf(fullQualifiedTypeName), propertyValue);
  if (outcome === null) throw new Problem('badRequest', `The key is not a value of the type ${fullQualifiedTypeName}.`);
  return booleanOf(exchange, outcome);
}

function deleteIndex(exchange: Exchange): Promise<Response> {
  return booleanOf(exchange, exchange.graph.indexes.drop(textParameter(exchange, 'indexId')));
}

async function backfillIndex(exchange: Exchange): Promise<Response> {
  const index = textParameter(exchange, 'indexId');
  const { propertyId, replace, prefix, label } = await readJson(exchange, schemas.indexBackfill);
  refuseBound(exchange, index);
  const request = { index, property: propertyId, replace, prefix, label };
  const result = await exchange.graph.indexes.backfill(request, exchange.request.signal);
  if (!result.ok) {
    if (result.reason === 'noIndex') throw new Problem('badRequest', `There is no index '${index}'.`);
    if (result.reason === 'noEquality') {
      throw new Problem(
        'badRequest',
        `The index '${index}' lacks the capability equality, so properties cannot fill it.`,
      );
    }
    throw new Problem('memoryLimit', 'The namespace has no memory left; the index holds what was added before.');
  }
  const { scannedElements, indexedElements, skippedUnindexableValues } = result;
  const answer = {
    indexId: index,
    propertyId,
    replaced: replace,
    scannedElements,
    indexedElements,
    skippedUnindexableValues,
  };
  return writtenValue(exchange, answer, result.durable);
}

/** Unknown indexes and those without keys answer as if nothing matched. */
async function scanAll(exchange: Exchange): Promise<Response> {
  const { indexId, operator, literal, label, resultType } = await readJson(exchange, schemas.indexScan);
  const typeName = literal.fullQualifiedTypeName ?? '';
  const type = typeName === '' ? TypeId.string : typeOf(typeName);
  const scan = { index: indexId, operator, type, text: literal.value, label, resultType };
  const ids = await exchange.graph.indexes.scan(scan, exchange.request.signal);
  if (ids === null) throw new Problem('badRequest', `The literal is not a value of the type ${typeName}.`);
  return exchange.jsonBlocks(ids);
}

async function scanRange(exchange: Exchange): Promise<Response> {
  const { indexId, leftLimit, rightLimit, fullQualifiedTypeName, ...rest } = await readJson(
    exchange,
    schemas.indexRange,
  );
  const type = typeOf(fullQualifiedTypeName);
  const scan = { index: indexId, type, left: leftLimit, right: rightLimit, ...rest };
  const ids = await exchange.graph.indexes.scanRange(scan, exchange.request.signal);
  if (ids === null) throw new Problem('badRequest', `A limit is not a value of the type ${fullQualifiedTypeName}.`);
  return exchange.jsonBlocks(ids);
}

/** 204 when the index or the element in it is missing, for an index of another kind, and when nothing is in reach. */
async function scanSpatial(exchange: Exchange): Promise<Response> {
  const { indexId, graphElementId, distance } = await readJson(exchange, schemas.indexSpatial);
  const { indexes } = exchange.graph;
  const ids = await indexes.scanSpatial(indexId, graphElementId, distance, exchange.request.signal);
  return ids === null || ids.length === 0 ? exchange.empty(204) : exchange.value(ids);
}

/** Longest a fulltext scan may take. */
const fulltextTimeoutMs = 10_000;

/** 204 for an unknown index, one of another kind, and for no match at all. */
async function scanFulltext(exchange: Exchange): Promise<Response> {
  const { indexId, requestString } = await readJson(exchange, schemas.indexFulltext);
  const { indexes } = exchange.graph;
  const blocks = await indexes
    .fulltext(indexId, requestString, fulltextTimeoutMs, exchange.request.signal)
    .catch((error) => {
      throw error instanceof ExpressionRefused ? new Problem('badRequest', error.message) : error;
    });
  return blocks === null ? exchange.empty(204) : exchange.jsonBlocks(blocks);
}

// Indexes: creating, filling and deleting them (contract part 1, Indexes). They answer a bare Boolean, where false means that there was
// nothing to write to.

import { z } from 'zod';
import { creationFlaw, type IndexOptions, ignoredOptions } from '../../engine/indexes/plugins.ts';
import { json } from '../bodies.ts';
import { noticeCommas } from '../decimal-commas.ts';
import type { Exchange } from '../exchange.ts';
import { idInPath, textInPath } from '../parameters.ts';
import { Problem } from '../problems.ts';
import { type Route, route, shows } from '../route.ts';
import { atMost, id, notBlank, optionalText, placeholder, record } from '../schemas.ts';
import { count } from '../shapes.ts';
import { typeNamed } from '../type-names.ts';
import { noticeLabel, suggestion } from '../unknown-names.ts';
import { booleanOf, booleanProblems, writtenValue } from '../writes.ts';
import { keyValue } from './element-bodies.ts';

export const pluginSpecification = record({
  uniqueId: placeholder(notBlank, 'indexService1'),
  pluginType: placeholder(notBlank, 'DictionaryIndex'),
  pluginOptions: atMost(z.record(z.string(), keyValue).nullable())
    .default(null)
    .meta({ description: 'Creation options by name; names are case-sensitive.' }),
}).meta({ id: 'PluginSpecification' });

const addition = record({ graphElementId: placeholder(id, 0), key: keyValue }).meta({ id: 'IndexAddToSpecification' });

const backfill = record({
  propertyId: notBlank,
  replace: z.boolean().default(false),
  prefix: z.boolean().default(false),
  label: optionalText,
}).meta({ id: 'IndexBackfillSpecification' });

const backfilled = z
  .object({
    indexId: z.string(),
    propertyId: z.string(),
    replaced: z.boolean(),
    scannedElements: count,
    indexedElements: count,
    skippedUnindexableValues: count,
  })
  .meta({ id: 'IndexBackfillResult' });

const index = { indexId: textInPath('Id of the index.') };
const change = {
  scope: 'namespace',
  tag: 'Graph',
  answers: { 200: shows('True when it happened.', z.boolean()) },
  problems: booleanProblems,
} as const;

export const indexRoutes: readonly Route[] = [
  route({
    ...change,
    method: 'POST',
    path: '/index',
    summary: 'Creates an index.',
    body: json(pluginSpecification),
    serve: (exchange, { body: { uniqueId, pluginType, pluginOptions } }) => {
      const options: IndexOptions = new Map(
        Object.entries(pluginOptions ?? {}).map(([name, { propertyValue, fullQualifiedTypeName }]) => {
          return [name, { type: typeNamed(fullQualifiedTypeName), text: propertyValue }];
        }),
      );
      noticeOptions(exchange, pluginType, options);
      exchange.refuseIfStrict();
      const { indexes } = exchange.graph;
      const taken = indexes.find(uniqueId) !== null;
      const created = indexes.create(uniqueId, pluginType, options, true);
      if (created === false)
        noticeRefused(
          exchange,
          taken ? `There is an index '${uniqueId}'.` : creationFlaw(uniqueId, pluginType, options),
        );
      return booleanOf(exchange, created);
    },
  }),
  route({
    ...change,
    method: 'POST',
    path: '/index/backfill/:indexId',
    summary: 'Fills an index from the properties that elements have.',
    params: index,
    body: json(backfill),
    answers: { 200: shows('What was looked at and entered.', backfilled) },
    serve: (exchange, { indexId, body }) => backfillIndex(exchange, indexId, body),
  }),
  route({
    ...change,
    method: 'PUT',
    path: '/index/:indexId',
    summary: 'Adds an element to an index under a key.',
    params: index,
    body: json(addition),
    serve: (exchange, { indexId, body: { graphElementId, key } }) => {
      noticeMissing(exchange, indexId);
      refuseBound(exchange, indexId);
      const type = typeNamed(key.fullQualifiedTypeName);
      noticeCommas(exchange.warnings, type, key.propertyValue, () => 'key.propertyValue');
      return booleanOf(exchange, exchange.graph.indexes.add(indexId, graphElementId, type, key.propertyValue));
    },
  }),
  route({
    ...change,
    method: 'DELETE',
    path: '/index/:indexId/propertyValue',
    summary: 'Takes a key out of an index.',
    params: index,
    body: json(keyValue),
    serve: (exchange, { indexId, body: { propertyValue, fullQualifiedTypeName } }) => {
      noticeMissing(exchange, indexId);
      refuseBound(exchange, indexId);
      const type = typeNamed(fullQualifiedTypeName);
      noticeCommas(exchange.warnings, type, propertyValue, () => 'propertyValue');
      const outcome = exchange.graph.indexes.removeKey(indexId, type, propertyValue);
      if (outcome !== null) return booleanOf(exchange, outcome);
      throw new Problem('badRequest', `The key is not a value of the type ${fullQualifiedTypeName}.`);
    },
  }),
  route({
    ...change,
    method: 'DELETE',
    path: '/index/:indexId/:id',
    summary: 'Takes an element out of an index.',
    params: { ...index, id: idInPath('Id of the element.') },
    serve: (exchange, { indexId, id }) => {
      noticeMissing(exchange, indexId);
      refuseBound(exchange, indexId);
      return booleanOf(exchange, exchange.graph.indexes.removeElement(indexId, id));
    },
  }),
  route({
    ...change,
    method: 'DELETE',
    path: '/index/:indexId',
    summary: 'Deletes an index.',
    params: index,
    serve: (exchange, { indexId }) => {
      noticeMissing(exchange, indexId);
      return booleanOf(exchange, exchange.graph.indexes.drop(indexId));
    },
  }),
];

/** Says why an index was not created: the answer is only false. */
function noticeRefused({ warnings }: Exchange, reason: string): void {
  warnings.add('indexNotCreated', '$', reason);
}

/** Says which options were not looked at: their names are case-sensitive. */
function noticeOptions({ warnings }: Exchange, pluginType: string, options: IndexOptions): void {
  for (const name of ignoredOptions(pluginType, options))
    warnings.add('ignoredMember', `pluginOptions.${name}`, `A ${pluginType} has no option of this name; case counts.`);
}

/** Says that there is no such index: the answer is only false. */
function noticeMissing({ graph, warnings }: Exchange, indexId: string): void {
  if (graph.indexes.find(indexId) === null) warnings.add('noSuchIndex', 'indexId', `There is no index '${indexId}'.`);
}

/** The contents of a bound vector index follow from the graph's: nothing is added to it or taken out of it by hand. */
function refuseBound(exchange: Exchange, indexId: string): void {
  const definition = exchange.graph.vectors.find(indexId);
  if (definition === null || definition === 'otherKind' || definition.embeddingName === null) return;
  const detail = `The index '${indexId}' follows the embedding '${definition.embeddingName}': write that of the element.`;
  throw new Problem('badRequest', detail);
}

/** Says that a backfill found no value, so that the index is what it was. */
function noticeNoValue(exchange: Exchange, key: string, prefix: boolean, label: string | null): void {
  if (noticeLabel(exchange, label)) return;
  const labelled = label === null ? '' : ` labelled '${label}'`;
  const named = prefix ? `a property whose key begins with '${key}'` : `a property '${key}'`;
  const like = prefix ? '' : suggestion(exchange, key);
  exchange.warnings.add('noSuchProperty', 'propertyId', `No element${labelled} has ${named}.${like}`);
}

async function backfillIndex(
  exchange: Exchange,
  index: string,
  { propertyId, replace, prefix, label }: z.infer<typeof backfill>,
): Promise<Response> {
  refuseBound(exchange, index);
  const request = { index, property: propertyId, replace, prefix, label };
  const result = await exchange.graph.indexes.backfill(request, exchange.request.signal);
  if (!result.ok) {
    if (result.reason === 'noIndex') throw new Problem('badRequest', `There is no index '${index}'.`);
    if (result.reason === 'noEquality') {
      const detail = `The index '${index}' lacks the capability equality, so properties cannot fill it.`;
      throw new Problem('badRequest', detail);
    }
    throw new Problem('memoryLimit', 'The namespace has no memory left; the index holds what was added before.');
  }
  const { scannedElements, indexedElements, skippedUnindexableValues } = result;
  if (indexedElements === 0 && skippedUnindexableValues === 0) noticeNoValue(exchange, propertyId, prefix, label);
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

// Scans over indexes (contract part 1, Indexes). What a miss answers differs from route to route and is said here.

import { z } from 'zod';
import { TypeId } from '../../core/values.ts';
import { ExpressionRefused } from '../../engine/indexes/expressions/nodes.ts';
import type { Capability } from '../../engine/indexes/plugins.ts';
import type { IndexRangeScan } from '../../engine/indexes/types.ts';
import { json } from '../bodies.ts';
import { noticeCommas } from '../decimal-commas.ts';
import type { Exchange } from '../exchange.ts';
import { Problem } from '../problems.ts';
import { nothing, type Route, route, shows } from '../route.ts';
import { id, literal, notBlank, number, operator, optionalText, placeholder, record, resultType } from '../schemas.ts';
import { elementId, elementIds } from '../shapes.ts';
import { typeNamed } from '../type-names.ts';
import { noticeOperator, noticeType } from './scans.ts';

const anyScan = record({
  indexId: notBlank,
  operator: operator.default(0),
  literal,
  label: optionalText,
  resultType: resultType.default('Vertices'),
}).meta({ id: 'IndexScanSpecification' });

const rangeScan = record({
  indexId: notBlank,
  leftLimit: notBlank,
  rightLimit: notBlank,
  fullQualifiedTypeName: notBlank,
  includeLeft: z.boolean().default(false),
  includeRight: z.boolean().default(false),
  resultType: resultType.default('Vertices'),
}).meta({ id: 'RangeIndexScanSpecification' });

const fulltextScan = record({
  indexId: notBlank,
  requestString: notBlank.meta({ description: 'A regular expression.' }),
}).meta({ id: 'FulltextIndexScanSpecification' });

const spatialScan = record({
  indexId: notBlank,
  graphElementId: placeholder(id, 0),
  distance: placeholder(number, 0),
}).meta({ id: 'SpatialIndexScanSpecification' });

const fulltextResult = z
  .object({
    maximumScore: z.number(),
    elements: z.array(z.object({ graphElementId: elementId, highlights: z.array(z.string()), score: z.number() })),
  })
  .meta({ id: 'FulltextSearchResult' });

/** Longest a fulltext scan may take. */
const fulltextTimeoutMs = 10_000;

const scan = { method: 'POST', scope: 'namespace', tag: 'Graph' } as const;
const found = shows('Ids of the elements found; none for an unknown index or one of another kind.', elementIds);

export const indexScanRoutes: readonly Route[] = [
  route({
    ...scan,
    path: '/scan/index/all',
    summary: 'Elements of an index whose key compares to a literal as asked.',
    body: json(anyScan),
    answers: { 200: found },
    serve: async (exchange, { body: { indexId, operator, literal, label, resultType } }) => {
      const typeName = literal.fullQualifiedTypeName ?? '';
      const type = typeName === '' ? TypeId.string : typeNamed(typeName);
      noticeOperator(exchange, operator);
      noticeCommas(exchange.warnings, type, literal.value, () => 'literal.value');
      noticeIndex(exchange, indexId, 'equality');
      const wanted = { index: indexId, operator, type, text: literal.value, label, resultType };
      const ids = await exchange.graph.indexes.scan(wanted, exchange.request.signal);
      if (isEmptyList(ids)) noticeKeyType(exchange, indexId, type);
      if (ids === null) throw new Problem('badRequest', `The literal is not a value of the type ${typeName}.`);
      return exchange.jsonBlocks(ids);
    },
  }),
  route({
    ...scan,
    path: '/scan/index/range',
    summary: 'Elements of a range index between two keys.',
    body: json(rangeScan),
    answers: { 200: found },
    serve: async (exchange, { body: { indexId, leftLimit, rightLimit, fullQualifiedTypeName, ...rest } }) => {
      const type = typeNamed(fullQualifiedTypeName);
      noticeCommas(exchange.warnings, type, leftLimit, () => 'leftLimit');
      noticeCommas(exchange.warnings, type, rightLimit, () => 'rightLimit');
      noticeIndex(exchange, indexId, 'range');
      const wanted = { index: indexId, type, left: leftLimit, right: rightLimit, ...rest };
      const ids = await exchange.graph.indexes.scanRange(wanted, exchange.request.signal);
      if (isEmptyList(ids)) {
        noticeKeyType(exchange, indexId, type);
        await noticeReversed(exchange, wanted);
      }
      if (ids === null) throw new Problem('badRequest', `A limit is not a value of the type ${fullQualifiedTypeName}.`);
      return exchange.jsonBlocks(ids);
    },
  }),
  route({
    ...scan,
    path: '/scan/index/fulltext',
    summary: 'Elements of a fulltext index whose key matches a regular expression.',
    body: json(fulltextScan),
    answers: {
      200: shows('Elements with score and highlights.', fulltextResult),
      204: nothing('No match, no such index, or one of another kind.'),
    },
    problems: ['requestTimeout'],
    serve: async (exchange, { body: { indexId, requestString } }) => {
      const { indexes } = exchange.graph;
      noticeIndex(exchange, indexId, 'fulltext');
      const blocks = await indexes
        .fulltext(indexId, requestString, fulltextTimeoutMs, exchange.request.signal)
        .catch((error) => {
          throw error instanceof ExpressionRefused ? new Problem('badRequest', error.message) : error;
        });
      return blocks === null ? exchange.empty(204) : exchange.jsonBlocks(blocks);
    },
  }),
  route({
    ...scan,
    path: '/scan/index/spatial',
    summary: 'Elements of a spatial index within a distance of one of them.',
    body: json(spatialScan),
    answers: {
      200: shows('Ids of the elements.', elementIds),
      204: nothing('Nothing in reach, no such index or element, or an index of another kind.'),
    },
    serve: async (exchange, { body: { indexId, graphElementId, distance } }) => {
      const { indexes } = exchange.graph;
      noticeIndex(exchange, indexId, 'spatial');
      const ids = await indexes.scanSpatial(indexId, graphElementId, distance, exchange.request.signal);
      return ids === null || ids.length === 0 ? exchange.empty(204) : exchange.value(ids);
    },
  }),
];

/** Warns where there is no such index, or one that cannot be asked this: the answer is the same as for nothing found. */
function noticeIndex({ graph, warnings }: Exchange, indexId: string, wanted: Capability): void {
  const index = graph.indexes.find(indexId);
  if (index === null) {
    warnings.add('noSuchIndex', 'indexId', `There is no index '${indexId}'.`);
  } else if (!index.capabilities.includes(wanted)) {
    warnings.add(
      'otherIndexKind',
      'indexId',
      `The index '${indexId}' is a ${index.pluginType}, which lacks ${wanted}.`,
    );
  }
}

/** Whether a list of ids in blocks is `[]`. */
function isEmptyList(blocks: readonly Uint8Array[] | null): boolean {
  return blocks !== null && blocks.reduce((bytes, { byteLength }) => bytes + byteLength, 0) === '[]'.length;
}

/** Warns of limits that are the wrong way round: the other way there is something between them. */
async function noticeReversed({ graph, warnings, request }: Exchange, wanted: IndexRangeScan): Promise<void> {
  const turned = { ...wanted, left: wanted.right, right: wanted.left };
  const ids = await graph.indexes.scanRange(turned, request.signal);
  if (ids === null || isEmptyList(ids)) return;
  warnings.add('reversedLimits', 'leftLimit', 'The left limit is the greater one, so nothing lies between them.');
}

/** Warns of an index without keys, and of a literal of a type that no key of the index has. */
function noticeKeyType({ graph, warnings }: Exchange, indexId: string, type: TypeId): void {
  if (!graph.indexes.find(indexId)?.capabilities.includes('equality')) return;
  const types = graph.indexes.keyTypes(indexId);
  if (types === 0) {
    warnings.add('emptyIndex', 'indexId', `The index '${indexId}' is empty; POST /index/backfill/${indexId} fills it.`);
  } else noticeType(warnings, `The index '${indexId}' has`, types, type);
}

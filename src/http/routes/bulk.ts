// Bulk interchange: the graph as lines, out and in. Both bodies are streams; neither is ever held as a whole.

import { z } from 'zod';
import { CoreStatus } from '../../core/status.ts';
import type { ImportResult } from '../../engine/types.ts';
import type { Body } from '../bodies.ts';
import { warnOfCommas } from '../decimal-commas.ts';
import type { Exchange } from '../exchange.ts';
import { textInQuery } from '../parameters.ts';
import { Problem, type ProblemExtensions, type ProblemKind } from '../problems.ts';
import { type Route, route, shows } from '../route.ts';
import { count } from '../shapes.ts';

const lines = z.string().meta({ description: 'Lines of the format service-jsonl, version 2.' });
const linesMediaType = 'application/x-ndjson';
/** A stream, which is never held as a whole; its limit is a setting. */
const linesBody: Body<undefined> = { mediaType: linesMediaType, schema: lines, maxBytes: null, required: true };

const imported = z
  .object({ verticesCreated: count, edgesCreated: count, linesRead: count, durable: z.boolean() })
  .meta({ id: 'ImportResult', description: 'linesRead counts every line, blank ones and the first too.' });

const bulk = { scope: 'namespace', tag: 'Bulk' } as const;

export const bulkRoutes: readonly Route[] = [
  route({
    ...bulk,
    method: 'GET',
    path: '/bulk/export',
    summary: 'The graph as lines, as a stream.',
    query: {
      vertexLabel: textInQuery('Only vertices of this label, and the edges between them.'),
      edgeLabel: textInQuery('Only edges of this label.'),
      edgePropertyId: textInQuery('Only edges of this type.'),
    },
    answers: {
      200: { description: 'A first line about all, vertices, edges.', schema: lines, mediaTypes: [linesMediaType] },
    },
    problems: ['notExportable'],
    serve: exportGraph,
  }),
  route({
    ...bulk,
    method: 'POST',
    path: '/bulk/import',
    summary: 'Fills an empty graph from lines, as a stream.',
    body: linesBody,
    answers: { 200: shows('What was imported.', imported) },
    problems: [
      'importNeedsEmptyGraph',
      'importBodyTooLarge',
      'importLineInvalid',
      'importLineTooLong',
      'importBatchInvalid',
      'importBatchFailed',
      'importAborted',
    ],
    serve: importGraph,
  }),
];

const linesType = /^\s*application\/x-ndjson\s*(?:;|$)/i;

async function exportGraph(
  exchange: Exchange,
  {
    vertexLabel,
    edgeLabel,
    edgePropertyId,
  }: { vertexLabel: string | null; edgeLabel: string | null; edgePropertyId: string | null },
): Promise<Response> {
  const filter = { vertexLabel, edgeLabel, edgeType: edgePropertyId };
  const start = await exchange.graph.startExport(filter, new Date(), exchange.request.signal);
  if (start.ok) return exchange.lines(start.body);
  const { element, key, cause } = start;
  const detail = `Property '${key}' of element ${element} cannot be exported: ${cause}`;
  throw new Problem('notExportable', detail, { elementId: element, propertyKey: key });
}

async function importGraph(exchange: Exchange): Promise<Response> {
  const contentType = exchange.header('content-type');
  if (contentType === null || !linesType.test(contentType)) {
    throw new Problem('unsupportedMediaType', 'The body must be application/x-ndjson.');
  }
  const { settings, platform } = exchange.service;
  const maxBodyBytes = settings['BulkIO:MaxImportRequestBytes'];
  const declaredBytes = Number(exchange.header('content-length') ?? 0);
  if (maxBodyBytes !== null && declaredBytes > maxBodyBytes) {
    throw new Problem('importBodyTooLarge', tooLarge(maxBodyBytes), {
      verticesCommitted: 0,
      edgesCommitted: 0,
      durable: !exchange.graph.durability.degraded,
    });
  }
  const limits = {
    batchSize: settings['BulkIO:ImportBatchSize'],
    maxLineBytes: settings['BulkIO:MaxLineBytes'],
    maxBodyBytes,
  };
  const result = await exchange.graph.importLines(
    platform.bodyBlocks(exchange.request),
    limits,
    exchange.request.signal,
  );
  if (result.commas !== null) warnOfCommas(exchange.warnings, result.commas);
  if (!result.ok) throw importProblem(result, maxBodyBytes);
  const { verticesCreated, edgesCreated, linesRead, durable } = result;
  if (verticesCreated === 0)
    exchange.warnings.add('nothingImported', '$', `No vertex came: the body has ${linesRead} lines.`);
  return exchange.value({ verticesCreated, edgesCreated, linesRead, durable });
}

function importProblem(result: ImportResult & { ok: false }, maxBodyBytes: number | null): Problem {
  const committed: ProblemExtensions = {
    ...(result.lineNumber === null ? {} : { lineNumber: result.lineNumber }),
    verticesCommitted: result.verticesCreated,
    edgesCommitted: result.edgesCreated,
    durable: result.durable,
  };
  switch (result.reason) {
    case 'notEmpty':
      return new Problem('importNeedsEmptyGraph', 'The graph has elements. Erase it with HEAD /tabularasa first.');
    case 'bodyTooLarge':
      return new Problem('importBodyTooLarge', tooLarge(maxBodyBytes ?? 0), committed);
    case 'invalidLine':
      return new Problem('importLineInvalid', result.detail, committed);
    case 'lineTooLong':
      return new Problem('importLineTooLong', result.detail, committed);
    case 'rolledBack':
      return new Problem(batchProblem(result.status), result.detail, committed);
    case 'aborted':
      return new Problem('importAborted', result.detail, committed);
  }
}

/** A batch rolled back by what it says is the caller's; anything else, such as memory, is ours. */
function batchProblem(status: CoreStatus): ProblemKind {
  const callers: readonly CoreStatus[] = [
    CoreStatus.notFound,
    CoreStatus.wrongKind,
    CoreStatus.badValue,
    CoreStatus.duplicateKey,
  ];
  return callers.includes(status) ? 'importBatchInvalid' : 'importBatchFailed';
}

function tooLarge(maxBodyBytes: number): string {
  return `The body is larger than the ${maxBodyBytes} bytes of BulkIO:MaxImportRequestBytes.`;
}

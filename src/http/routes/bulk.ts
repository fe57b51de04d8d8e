// Bulk interchange: the graph as lines, out and in. Both bodies are streams; neither is ever held as a whole.

import { CoreStatus } from '../../core/status.ts';
import type { ImportResult } from '../../engine/types.ts';
import type { Exchange } from '../exchange.ts';
import { textQuery } from '../parameters.ts';
import { Problem, type ProblemExtensions, type ProblemKind } from '../problems.ts';
import type { Route } from '../route.ts';

export const bulkRoutes: readonly Route[] = [
  { method: 'GET', path: '/bulk/export', scope: 'namespace', serve: exportGraph },
  { method: 'POST', path: '/bulk/import', scope: 'namespace', serve: importGraph },
];

const linesType = /^\s*application\/x-ndjson\s*(?:;|$)/i;

async function exportGraph(exchange: Exchange): Promise<Response> {
  const filter = {
    vertexLabel: textQuery(exchange, 'vertexLabel'),
    edgeLabel: textQuery(exchange, 'edgeLabel'),
    edgeType: textQuery(exchange, 'edgePropertyId'),
  };
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
  if (!result.ok) throw importProblem(result, maxBodyBytes);
  const { verticesCreated, edgesCreated, linesRead, durable } = result;
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

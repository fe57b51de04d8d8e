// Documents: upload, reading, deletion, search and the indexes they are bound to (contract part 3; reference 20). Every route is behind
// the gate of ingestion, which is looked at before anything else of the request.

import type { z } from 'zod';
import type { Documents } from '../../documents/documents.ts';
import { DocumentRefused } from '../../documents/refusal.ts';
import { type Body, codeBodyBytes, json } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { idInPath, optionalIntegerInQuery, textInQuery, waitForCompletion } from '../parameters.ts';
import { Problem, type ProblemKind } from '../problems.ts';
import { type Answer, nothing, type Route, route, shows } from '../route.ts';
import { write, writeProblems } from '../writes.ts';
import * as shapes from './document-shapes.ts';

/** Most bytes of a body, by the contract's transport. */
const transportBytes = 536_870_912;
/** Bytes that one byte of a text takes in JSON at most, and those of the members around it. */
const escapeFactor = 6;
const aroundText = 2 ** 20;

const requests = () => import('./document-requests.ts');

const scoped = { scope: 'namespace', tag: 'Document' } as const;
const sensitive = { ...scoped, method: 'POST', rateLimited: true } as const;

const acceptProblems: readonly ProblemKind[] = [
  ...(['embeddingOff', 'conversionUnavailable', 'reservedKey', 'replaceTargetMissing', 'replaceTargetOther'] as const),
  ...(['duplicateContent', 'chunkCeiling', 'embeddingConflict', 'linkCapInvalid', 'linkIndexUnknown'] as const),
  ...(['linkIndexOther', 'layerNotBound', 'queueFull', 'memoryLimit'] as const),
];
const searchProblems: readonly ProblemKind[] = [
  ...(['invalidK', 'invalidWindow', 'invalidMode', 'noQuery', 'noLexicalQuery', 'denseUnavailable'] as const),
  ...([
    'lexicalUnavailable',
    'noSide',
    'dimensionMismatch',
    'knnInvalid',
    'dimensionConflict',
    'modelConflict',
  ] as const),
  'requestTimeout',
  'embeddingUnavailable',
  'embeddingOutputInvalid',
];

const accepted: Readonly<Record<number, Answer>> = { 202: shows('Waits to be ingested.', shapes.summaryShape) };
const upload: Body<undefined> = {
  mediaType: 'multipart/form-data',
  schema: shapes.uploadBody,
  maxBytes: transportBytes,
  required: true,
};
const textBodies = new Map<number, Body<z.infer<typeof shapes.textBody>>>();

/** The body of a text, of as many bytes as the longest text could take. */
const longText: Body<z.infer<typeof shapes.textBody>> = {
  ...json(shapes.textBody, { maxBytes: transportBytes }),
  read: async (exchange) => {
    const largest = exchange.service.settings['Ingestion:MaxUploadBytes'];
    const maxBytes = Math.min(transportBytes, largest * escapeFactor + aroundText);
    const body = textBodies.get(maxBytes) ?? json(shapes.textBody, { maxBytes });
    textBodies.set(maxBytes, body);
    try {
      return await (body.read as NonNullable<typeof body.read>)(exchange);
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== 'bodyTooLarge') throw error;
      throw (await requests()).textTooLarge(largest);
    }
  },
};

const ofDocument = { id: idInPath('Id of the document.') };

export const documentRoutes: readonly Route[] = [
  route({
    ...{ ...sensitive, path: '/document', summary: 'Ingests a file.', body: upload, answers: accepted },
    problems: ['forbidden', 'uploadTooLarge', ...acceptProblems],
    serve: async (exchange) => (await requests()).acceptUpload(exchange, documentsOf(exchange)),
  }),
  route({
    ...{ ...sensitive, path: '/document/text', summary: 'Ingests a text.', body: longText, answers: accepted },
    problems: ['forbidden', 'textTooLarge', ...acceptProblems],
    serve: async (exchange, { body }) => (await requests()).acceptText(exchange, documentsOf(exchange), body),
  }),
  route({
    ...{ ...sensitive, path: '/document/search', summary: 'Searches the chunks of documents.' },
    body: json(shapes.searchBody, { maxBytes: codeBodyBytes }),
    answers: { 200: shows('The best chunks, or their documents.', shapes.searchShape) },
    problems: ['forbidden', ...searchProblems],
    serve: async (exchange, { body }) => (await requests()).search(exchange, documentsOf(exchange), body),
  }),
  route({
    ...{ ...scoped, method: 'GET', path: '/document', summary: 'All documents, by id.' },
    answers: { 200: shows('The documents.', shapes.listShape) },
    problems: ['forbidden'],
    serve: async (exchange) => {
      return exchange.value(await documentsOf(exchange).list(exchange.graph, exchange.request.signal));
    },
  }),
  route({
    ...{ ...scoped, method: 'GET', path: '/document/binding', summary: 'Whether the indexes of documents are there.' },
    answers: { 200: shows('The indexes by their role.', shapes.bindingShape) },
    problems: ['forbidden'],
    serve: (exchange) => exchange.value(documentsOf(exchange).bound(exchange.graph)),
  }),
  route({
    ...{ ...scoped, method: 'POST', path: '/document/binding/ensure', summary: 'Creates the indexes of documents.' },
    answers: { 200: shows('The indexes by their role.', shapes.bindingShape) },
    problems: ['forbidden', 'indexShape', 'memoryLimit'],
    serve: async (exchange) => {
      const { ensureBinding } = await import('../../documents/binding.ts');
      return exchange.value(await ensureBinding(documentsOf(exchange).contextOf(exchange.graph)));
    },
  }),
  route({
    ...{ ...scoped, method: 'GET', path: '/document/entities', summary: 'What documents mention, the most first.' },
    query: {
      type: textInQuery('Type of the entities, in any case.'),
      contains: textInQuery('Part of their text, in any case.'),
      limit: optionalIntegerInQuery(200, 'Most entities; 0 or less means 200, at most 10,000.'),
    },
    answers: { 200: shows('The entities, and how many there are.', shapes.entitiesShape) },
    problems: ['forbidden'],
    serve: async (exchange, { type, contains, limit }) => {
      const { graph, request, service } = exchange;
      const pause = (): Promise<void> => service.platform.pause();
      const { listEntities } = await import('../../documents/entities.ts');
      return exchange.value(await listEntities(graph, { type, contains, limit }, pause, request.signal));
    },
  }),
  route({
    ...{
      ...scoped,
      method: 'GET',
      path: '/document/:id',
      summary: 'One document with its chunks.',
      params: ofDocument,
    },
    answers: { 200: shows('The document, and its chunks in order.', shapes.documentShape) },
    problems: ['forbidden', 'notFound'],
    serve: async (exchange, { id }) => {
      const { summary, chunks } = await documentsOf(exchange).read(exchange.graph, id);
      const { previewOf } = await import('../../documents/model.ts');
      return exchange.value({ summary, chunks: chunks.map(previewOf) });
    },
  }),
  route({
    ...{ ...scoped, method: 'DELETE', path: '/document/:id', summary: 'Removes a document and its chunks.' },
    ...{ params: ofDocument, query: { waitForCompletion }, answers: { 202: nothing('Removed.') } },
    problems: ['forbidden', ...writeProblems],
    serve: (exchange, { id, waitForCompletion: waited }) => {
      return write(exchange, documentsOf(exchange).removal(exchange.graph, id), waited);
    },
  }),
].map(gated);

/** A route that is refused while ingestion is off, whatever it is sent, and whose refusals become problems. */
function gated(served: Route): Route {
  return {
    ...served,
    serve: async (exchange) => {
      documentsOf(exchange);
      try {
        return await served.serve(exchange);
      } catch (error) {
        throw error instanceof DocumentRefused ? new Problem(error.kind, error.message, error.extensions) : error;
      }
    },
  };
}

function documentsOf({ service: { documents, settings } }: Exchange): Documents {
  if (documents !== undefined && settings['Ingestion:Enabled']) return documents;
  throw new Problem('forbidden', 'Document ingestion is disabled.');
}

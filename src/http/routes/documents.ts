// Documents: upload, reading, deletion, search and the indexes they are bound to (contract part 3; reference 20). Every route is behind
// the gate of ingestion, which is looked at before anything else of the request.

import type { z } from 'zod';
import type { Documents } from '../../documents/documents.ts';
import { binaryFormats, type SourceFormat, textFormats } from '../../documents/formats.ts';
import { DocumentRefused } from '../../documents/refusal.ts';
import type { SearchAnswer, SearchMode } from '../../documents/search.ts';
import type { LinkRequest, Submission } from '../../documents/submission.ts';
import { type Body, codeBodyBytes, json, textProblem } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { readForm } from '../multipart.ts';
import { idInPath, optionalIntegerInQuery, textInQuery, waitForCompletion } from '../parameters.ts';
import { Problem, type ProblemKind } from '../problems.ts';
import { type Answer, nothing, type Route, route, shows } from '../route.ts';
import { embedded } from '../semantic.ts';
import { shortSingle } from '../vector-bodies.ts';
import { write, writeProblems } from '../writes.ts';
import * as shapes from './document-shapes.ts';

/** Most bytes of a body, by the contract's transport. */
const transportBytes = 536_870_912;
/** Bytes that one byte of a text takes in JSON at most, and those of the members around it. */
const escapeFactor = 6;
const aroundText = 2 ** 20;
const mostHits = 100;
const widestWindow = 5;

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
      throw error instanceof Problem && error.kind === 'bodyTooLarge' ? textTooLarge(largest) : error;
    }
  },
};

const ofDocument = { id: idInPath('Id of the document.') };

export const documentRoutes: readonly Route[] = [
  route({
    ...{ ...sensitive, path: '/document', summary: 'Ingests a file.', body: upload, answers: accepted },
    problems: ['forbidden', 'uploadTooLarge', ...acceptProblems],
    serve: acceptUpload,
  }),
  route({
    ...{ ...sensitive, path: '/document/text', summary: 'Ingests a text.', body: longText, answers: accepted },
    problems: ['forbidden', 'textTooLarge', ...acceptProblems],
    serve: (exchange, { body }) => acceptText(exchange, body),
  }),
  route({
    ...{ ...sensitive, path: '/document/search', summary: 'Searches the chunks of documents.' },
    body: json(shapes.searchBody, { maxBytes: codeBodyBytes }),
    answers: { 200: shows('The best chunks, or their documents.', shapes.searchShape) },
    problems: ['forbidden', ...searchProblems],
    serve: (exchange, { body }) => search(exchange, body),
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

async function acceptUpload(exchange: Exchange): Promise<Response> {
  const largest = exchange.service.settings['Ingestion:MaxUploadBytes'];
  const tooLarge = (): Problem => new Problem('uploadTooLarge', `A document has at most ${largest} bytes.`);
  const { file, fields } = await readForm(exchange, 'file', largest, tooLarge);
  if (file === null || file.bytes.byteLength === 0)
    throw new Problem('badRequest', 'The part file is missing or empty.');
  const given = fields.get('name')?.trim() ?? '';
  return accept(exchange, {
    name: given === '' ? file.name : given,
    sourceFormat: formatOf(file.name),
    bytes: file.bytes,
    embed: flagOf(fields, 'embed', true),
    sourceUri: textOrNull(fields.get('sourceuri')),
    properties: jsonOf(exchange, fields, 'propertiesJson', shapes.tags) ?? {},
    replaceDocumentId: idOf(fields, 'replaceDocumentId'),
    link: jsonOf(exchange, fields, 'linkJson', shapes.linkBody) as LinkRequest | null,
  });
}

async function acceptText(
  exchange: Exchange,
  { name, text, format, embed, properties, sourceUri, replaceDocumentId, link }: z.infer<typeof shapes.textBody>,
): Promise<Response> {
  const largest = exchange.service.settings['Ingestion:MaxUploadBytes'];
  const bytes = new TextEncoder().encode(text ?? '');
  if (bytes.byteLength > largest) throw textTooLarge(largest);
  if (name === null || name.trim() === '') throw new Problem('badRequest', 'The name is missing or blank.');
  if (text === null || text.trim() === '') throw new Problem('badRequest', 'The text is missing or blank.');
  const kind = (format ?? 'markdown').toLowerCase();
  if (kind !== 'markdown' && kind !== 'plain') {
    throw new Problem('badRequest', `'${format}' is no format: it is markdown or plain.`);
  }
  const sourceFormat = kind === 'markdown' ? 'md' : 'txt';
  const rest = { bytes, embed, replaceDocumentId, link, properties: properties ?? {} };
  return accept(exchange, { ...rest, name: name.trim(), sourceFormat, sourceUri: textOrNull(sourceUri ?? undefined) });
}

async function accept(exchange: Exchange, submission: Submission): Promise<Response> {
  const { graph, request } = exchange;
  return exchange.value(await documentsOf(exchange).accept(graph, submission, request.signal), 202);
}

async function search(
  exchange: Exchange,
  { mode, k, window: width, ...rest }: z.infer<typeof shapes.searchBody>,
): Promise<Response> {
  if (k < 1 || k > mostHits) throw new Problem('invalidK', `k is ${k}; it takes 1 to ${mostHits}.`);
  if (width < 0 || width > widestWindow) {
    throw new Problem('invalidWindow', `window is ${width}; it takes 0 to ${widestWindow}.`);
  }
  const wanted = (mode ?? 'fused').toLowerCase();
  if (!isMode(wanted)) throw new Problem('invalidMode', `'${mode}' is no mode: it is fused, dense or lexical.`);
  const documents = documentsOf(exchange);
  const request = { ...rest, mode: wanted, k, window: width };
  const { graph, request: asked } = exchange;
  const shown = documents.summary.bind(documents);
  const { searchDocuments } = await import('../../documents/search.ts');
  return exchange.value(
    inSingles(await embedded(() => searchDocuments(documents.contextOf(graph), request, shown, asked.signal))),
  );
}

/** An answer whose scores are 32-bit numbers, as those of every search are. */
function inSingles({ modeUsed, hits, documents }: SearchAnswer): SearchAnswer {
  const single = (score: number): number => shortSingle(Math.fround(score));
  const scored = <One extends { readonly score: number }>(one: One): One => ({ ...one, score: single(one.score) });
  const groups = documents?.map((group) => {
    return { ...group, bestScore: single(group.bestScore), chunks: group.chunks.map(scored) };
  });
  return { modeUsed, hits: hits?.map(scored) ?? null, documents: groups ?? null };
}

function isMode(text: string): text is SearchMode {
  return text === 'fused' || text === 'dense' || text === 'lexical';
}

function textTooLarge(largest: number): Problem {
  return new Problem('textTooLarge', `A text has at most ${largest} bytes in UTF-8.`);
}

const formats: readonly SourceFormat[] = [...textFormats, ...binaryFormats];

function formatOf(fileName: string): SourceFormat {
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  const format = fileName.includes('.') ? formats.find((one) => one === extension) : undefined;
  if (format !== undefined) return format;
  throw new Problem('badRequest', `'${fileName}' is of no format that is taken: ${formats.join(', ')}.`);
}

function textOrNull(text: string | undefined): string | null {
  return text === undefined || text.trim() === '' ? null : text.trim();
}

type Fields = ReadonlyMap<string, string>;

function flagOf(fields: Fields, name: string, initial: boolean): boolean {
  const text = fields.get(name.toLowerCase())?.trim().toLowerCase() ?? '';
  if (text === '') return initial;
  if (text === 'true' || text === 'false') return text === 'true';
  throw new Problem('badRequest', `The part ${name} takes true or false.`);
}

function idOf(fields: Fields, name: string): number | null {
  const text = fields.get(name.toLowerCase())?.trim() ?? '';
  if (text === '') return null;
  const id = Number(text);
  if (/^[+-]?\d{1,10}$/.test(text) && (id | 0) === id) return id;
  throw new Problem('badRequest', `The part ${name} takes a 32-bit integer.`);
}

function jsonOf<Value>({ service }: Exchange, fields: Fields, name: string, schema: z.ZodType<Value>): Value | null {
  const text = fields.get(name.toLowerCase())?.trim() ?? '';
  if (text === '') return null;
  const problem = textProblem(text, service.bodyLimits);
  if (problem !== null) throw new Problem('badRequest', `The part ${name} is not taken: ${problem.message}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem('badRequest', `The part ${name} is not valid JSON.`);
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Problem('badRequest', `The part ${name} is not as expected: ${issue?.message ?? ''}`);
}

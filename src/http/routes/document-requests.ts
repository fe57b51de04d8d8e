// What the routes of documents do with requests that bring one, or search them: loaded with the first, since most services have none.

import type { z } from 'zod';
import { inMemory } from '../../documents/content.ts';
import type { Documents } from '../../documents/documents.ts';
import { binaryFormats, type SourceFormat, textFormats } from '../../documents/formats.ts';
import { type SearchAnswer, type SearchMode, searchDocuments } from '../../documents/search.ts';
import type { LinkRequest, Submission } from '../../documents/submission.ts';
import { textProblem } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { readForm } from '../multipart.ts';
import type { UploadedForm } from '../platform.ts';
import { Problem } from '../problems.ts';
import { embedded } from '../semantic.ts';
import { shortSingle } from '../vector-bodies.ts';
import * as shapes from './document-shapes.ts';

const mostHits = 100;
const widestWindow = 5;

export async function acceptUpload(exchange: Exchange, documents: Documents): Promise<Response> {
  const largest = exchange.service.settings['Ingestion:MaxUploadBytes'];
  const tooLarge = (): Problem => new Problem('uploadTooLarge', `A document has at most ${largest} bytes.`);
  const form = await readForm(exchange, 'file', largest, tooLarge);
  let submission: Submission;
  try {
    submission = submissionOf(exchange, form);
  } catch (error) {
    await form.file?.content.drop();
    throw error;
  }
  return accept(exchange, documents, submission);
}

function submissionOf(exchange: Exchange, { file, fields }: UploadedForm): Submission {
  if (file === null || file.content.byteLength === 0) {
    throw new Problem('badRequest', 'The part file is missing or empty.');
  }
  const given = fields.get('name')?.trim() ?? '';
  return {
    name: given === '' ? file.name : given,
    sourceFormat: formatOf(file.name),
    content: file.content,
    embed: flagOf(fields, 'embed', true),
    sourceUri: textOrNull(fields.get('sourceuri')),
    properties: jsonOf(exchange, fields, 'propertiesJson', shapes.tags) ?? {},
    replaceDocumentId: idOf(fields, 'replaceDocumentId'),
    link: jsonOf(exchange, fields, 'linkJson', shapes.linkBody) as LinkRequest | null,
  };
}

export async function acceptText(
  exchange: Exchange,
  documents: Documents,
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
  const rest = { content: inMemory(bytes), embed, replaceDocumentId, link, properties: properties ?? {} };
  return accept(exchange, documents, {
    ...rest,
    name: name.trim(),
    sourceFormat,
    sourceUri: textOrNull(sourceUri ?? undefined),
  });
}

async function accept(exchange: Exchange, documents: Documents, submission: Submission): Promise<Response> {
  const { graph, request } = exchange;
  return exchange.value(await documents.accept(graph, submission, request.signal), 202);
}

export async function search(
  exchange: Exchange,
  documents: Documents,
  { mode, k, window: width, ...rest }: z.infer<typeof shapes.searchBody>,
): Promise<Response> {
  if (k < 1 || k > mostHits) throw new Problem('invalidK', `k is ${k}; it takes 1 to ${mostHits}.`);
  if (width < 0 || width > widestWindow) {
    throw new Problem('invalidWindow', `window is ${width}; it takes 0 to ${widestWindow}.`);
  }
  const wanted = (mode ?? 'fused').toLowerCase();
  if (!isMode(wanted)) throw new Problem('invalidMode', `'${mode}' is no mode: it is fused, dense or lexical.`);
  const request = { ...rest, mode: wanted, k, window: width };
  const { graph, request: asked } = exchange;
  const shown = documents.summary.bind(documents);
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

export function textTooLarge(largest: number): Problem {
  return new Problem('textTooLarge', `A text has at most ${largest} bytes in UTF-8.`);
}

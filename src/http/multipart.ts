// Bodies of `multipart/form-data`, parsed as they arrive with counted bytes: what is too large is refused at its first byte too many, and
// never more than one file and a few short fields are held.

import type { MultipartParser } from '@remix-run/multipart-parser';
import { noBodyRoom } from './bodies.ts';
import type { Exchange } from './exchange.ts';
import { Problem } from './problems.ts';

export interface UploadedFile {
  /** As the client named it; without any folders. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface Form {
  /** The part of the name that was asked for; null when there is none with a file. */
  readonly file: UploadedFile | null;
  /** First value of each field, by name in lower case. */
  readonly fields: ReadonlyMap<string, string>;
}

/** Parts of one form, bytes of one part's headers, and bytes of all parts beside the file. */
const maxParts = 64;
const maxHeaderBytes = 8192;
const maxFieldBytes = 2 ** 20;

const formType = /^multipart\/form-data\s*(?:;|$)/i;
const boundaryOf = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;

/** The form of a request, with its file under `fileField`; throws a Problem, `tooLarge()` for a file of more than `maxFileBytes`. */
export async function readForm(
  exchange: Exchange,
  fileField: string,
  maxFileBytes: number,
  tooLarge: () => Problem,
): Promise<Form> {
  const contentType = exchange.header('content-type') ?? '';
  if (!formType.test(contentType)) {
    throw new Problem('unsupportedMediaType', 'The body must be multipart/form-data.');
  }
  const [, quoted, plain] = boundaryOf.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw new Problem('badRequest', 'The content type names no boundary.');
  const maxTotalSize = maxFileBytes + maxFieldBytes;
  if (Number(exchange.header('content-length') ?? 0) > maxTotalSize + maxParts * maxHeaderBytes) throw tooLarge();
  const library = await import('@remix-run/multipart-parser');
  const limits = { maxParts, maxTotalSize, maxHeaderSize: maxHeaderBytes, maxFileSize: maxFileBytes };
  const parser = new library.MultipartParser(boundary, limits);
  try {
    return await formOf(exchange, parser, fileField);
  } catch (error) {
    if (error instanceof library.MaxFileSizeExceededError) throw tooLarge();
    if (error instanceof library.MultipartParseError)
      throw new Problem('badRequest', `The form is not valid: ${error.message}.`);
    throw error;
  }
}

async function formOf(exchange: Exchange, parser: MultipartParser, fileField: string): Promise<Form> {
  const fields = new Map<string, string>();
  let file: UploadedFile | null = null;
  let fieldBytes = 0;
  const blocks = exchange.service.platform.bodyBlocks(exchange.request);
  for await (const block of blocks) {
    if (block.byteLength === 0 || isFinished(parser)) continue;
    if (!exchange.holdBody(block.byteLength)) throw noBodyRoom();
    for (const part of parser.write(block)) {
      const name = part.name?.toLowerCase();
      if (name === undefined) continue;
      if (name === fileField && part.filename !== undefined) {
        file ??= { name: baseName(part.filename), bytes: part.bytes };
        continue;
      }
      fieldBytes += part.size;
      if (fieldBytes > maxFieldBytes)
        throw new Problem('badRequest', `The fields have more than ${maxFieldBytes} bytes.`);
      if (!fields.has(name)) fields.set(name, part.text);
    }
  }
  parser.finish();
  return { file, fields };
}

/** What follows the last boundary belongs to no part. */
function isFinished(parser: MultipartParser): boolean {
  try {
    parser.finish();
    return true;
  } catch {
    return false;
  }
}

/** Without folders of either kind of system. */
function baseName(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1).trim();
}

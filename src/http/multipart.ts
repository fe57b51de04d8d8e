// Bodies of `multipart/form-data`, parsed as they arrive with counted bytes: what is too large is refused at its first byte too many. The file
// goes where the home keeps files; in a home without files it is held, and beside it a few short fields.

import type { MultipartParser } from '@remix-run/multipart-parser';
import { inMemory } from '../documents/content.ts';
import { noBodyRoom } from './bodies.ts';
import type { Exchange } from './exchange.ts';
import { FormFlaw, type FormLimits, type UploadedForm } from './platform.ts';
import { Problem } from './problems.ts';

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
): Promise<UploadedForm> {
  const contentType = exchange.header('content-type') ?? '';
  if (!formType.test(contentType)) {
    throw new Problem('unsupportedMediaType', 'The body must be multipart/form-data.');
  }
  const [, quoted, plain] = boundaryOf.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw new Problem('badRequest', 'The content type names no boundary.');
  if (Number(exchange.header('content-length') ?? 0) > maxFileBytes + maxFieldBytes + maxParts * maxHeaderBytes) {
    throw tooLarge();
  }
  const limits = { maxFileBytes, maxFieldBytes, maxParts, maxHeaderBytes };
  const { platform } = exchange.service;
  const blocks = platform.bodyBlocks(exchange.request);
  try {
    if (platform.uploads === undefined) return await heldForm(counted(exchange, blocks), boundary, fileField, limits);
    const { file, fields } = await platform.uploads.read(blocks, boundary, fileField, limits, exchange);
    return { file: file === null ? null : { ...file, name: baseName(file.name) }, fields };
  } catch (error) {
    if (!(error instanceof FormFlaw)) throw error;
    if (error.kind === 'tooLarge') throw tooLarge();
    if (error.kind === 'noRoom') throw noBodyRoom();
    if (error.kind === 'noSpace') throw new Problem('memoryLimit', 'There is no room left for the upload.');
    throw new Problem('badRequest', `The form is not valid: ${error.message}.`);
  }
}

/** Blocks of a body that stays in memory. */
async function* counted(exchange: Exchange, blocks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  for await (const block of blocks) {
    if (!exchange.holdBody(block.byteLength)) throw noBodyRoom();
    yield block;
  }
}

/** As `Uploads.read`, in memory. @testonly */
export async function heldForm(
  blocks: AsyncIterable<Uint8Array>,
  boundary: string,
  fileField: string,
  limits: FormLimits,
): Promise<UploadedForm> {
  const library = await import('@remix-run/multipart-parser');
  const { maxFileBytes, maxFieldBytes, maxParts, maxHeaderBytes } = limits;
  const parser = new library.MultipartParser(boundary, {
    ...{ maxParts, maxTotalSize: maxFileBytes + maxFieldBytes },
    ...{ maxHeaderSize: maxHeaderBytes, maxFileSize: maxFileBytes },
  });
  try {
    return await formOf(blocks, parser, fileField, maxFieldBytes);
  } catch (error) {
    if (error instanceof library.MaxFileSizeExceededError || error instanceof library.MaxTotalSizeExceededError) {
      throw new FormFlaw('tooLarge', error.message);
    }
    if (error instanceof library.MultipartParseError) throw new FormFlaw('invalid', error.message);
    throw error;
  }
}

async function formOf(
  blocks: AsyncIterable<Uint8Array>,
  parser: MultipartParser,
  fileField: string,
  mostFieldBytes: number,
): Promise<UploadedForm> {
  const fields = new Map<string, string>();
  let file: UploadedForm['file'] = null;
  let fieldBytes = 0;
  for await (const block of blocks) {
    if (block.byteLength === 0 || isFinished(parser)) continue;
    for (const part of parser.write(block)) {
      const name = part.name?.toLowerCase();
      if (name === undefined) continue;
      if (name === fileField && part.filename !== undefined) {
        file ??= { name: baseName(part.filename), content: inMemory(part.bytes) };
        continue;
      }
      fieldBytes += part.size;
      if (fieldBytes > mostFieldBytes) {
        throw new FormFlaw('invalid', `its fields have more than ${mostFieldBytes} bytes`);
      }
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

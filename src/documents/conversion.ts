// From a file to blocks. A converter is chosen by format: texts are read in process, everything else by a service over HTTP.

import type { Block, Pipeline } from './blocks.ts';
import type { SourceFormat } from './formats.ts';
import type { Submission } from './submission.ts';
import { decodedBytes, markdownBlocks, plainBlocks } from './texts.ts';

export interface Converted {
  readonly pipeline: Pipeline;
  readonly blocks: Iterable<Block>;
  /** Null where the format has no pages. */
  readonly pageCount: number | null;
}

export interface Converter {
  /** As a document's property `converter` says it. */
  readonly name: 'none' | 'docling-serve';
  /** Throws IngestFailed with what to tell of it. */
  convert(submission: Submission, signal: AbortSignal): Promise<Converted>;
}

/** Ends the ingestion of one document; its message becomes the document's `error`. */
export class IngestFailed extends Error {
  override readonly name = 'IngestFailed';
}

/** Reads txt and md. */
export const inProcess: Converter = {
  name: 'none',
  convert: async ({ content, sourceFormat }) => {
    const text = decodedBytes(await content.bytes());
    if (sourceFormat === 'md') return { pipeline: 'markdown/v1', blocks: markdownBlocks(text), pageCount: null };
    return { pipeline: 'plain/v1', blocks: plainBlocks(text), pageCount: null };
  },
};

export function isText(format: SourceFormat): boolean {
  return format === 'txt' || format === 'md';
}

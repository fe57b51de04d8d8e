// What a document consists of before it is cut into chunks: headings, paragraphs and tables in reading order. Every converter makes these,
// so chunking knows no format.

/** First and last page, from 1; null where a format has no pages. */
export interface PageSpan {
  readonly from: number;
  readonly to: number;
}

export type Block =
  /** `level`: 0 is the title of the document. */
  | { readonly kind: 'heading'; readonly level: number; readonly text: string; readonly pages: PageSpan | null }
  | { readonly kind: 'paragraph'; readonly text: string; readonly pages: PageSpan | null }
  /** Cells by row; the first row is the header. */
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[]; readonly pages: PageSpan | null };

/** How blocks were found; stands in the chunker's configuration. */
export type Pipeline = 'structured/v1' | 'markdown/v1' | 'plain/v1';

/** The pages of both. */
export function unionOf(a: PageSpan | null, b: PageSpan | null): PageSpan | null {
  if (a === null || b === null) return a ?? b;
  return { from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) };
}

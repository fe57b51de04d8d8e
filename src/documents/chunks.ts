// From blocks to chunks (reference 20.3, Chunking): sections below their headings, short ones merged, long ones split, tables alone.
// Generators pass one chunk at a time from step to step, so whoever takes them decides when to give way and when it is enough.

import { type Block, type PageSpan, unionOf } from './blocks.ts';
import { identifiersOf } from './identifiers.ts';
import { tableWindows } from './tables.ts';

export interface ChunkLimits {
  /** A shorter text chunk absorbs the next one. */
  readonly minChars: number;
  /** A longer one is split. */
  readonly maxChars: number;
  readonly maxIdentifiers: number;
}

export interface Chunk {
  readonly kind: 'text' | 'table';
  /** Position in the document, from 0. */
  readonly order: number;
  readonly text: string;
  /** Titles of the sections it stands in; empty before the first heading. */
  readonly headingPath: string;
  readonly pages: PageSpan | null;
  readonly identifiers: readonly string[];
}

type Piece = Omit<Chunk, 'order' | 'identifiers'>;

const blankLine = '\n\n';
const pathSeparator = ' > ';

/** Characters are UTF-16 code units. */
export function* chunksOf(blocks: Iterable<Block>, limits: ChunkLimits): Generator<Chunk> {
  let order = 0;
  for (const piece of split(merged(sections(blocks, limits.maxChars), limits.minChars), limits.maxChars)) {
    yield { ...piece, order: order++, identifiers: identifiersOf(piece.text, limits.maxIdentifiers) };
  }
}

/** One text piece a section, and the windows of each table. */
function* sections(blocks: Iterable<Block>, maxChars: number): Generator<Piece> {
  const path: { readonly level: number; readonly title: string }[] = [];
  let headingPath = '';
  let parts: string[] = [];
  let pages: PageSpan | null = null;
  const closed = function* (): Generator<Piece> {
    const text = parts.filter((part) => part !== '').join(blankLine);
    if (text !== '') yield { kind: 'text', text, headingPath, pages };
    parts = [];
    pages = null;
  };
  for (const block of blocks) {
    switch (block.kind) {
      case 'heading':
        yield* closed();
        while ((path.at(-1)?.level ?? -1) >= block.level) path.pop();
        path.push({ level: block.level, title: block.text });
        headingPath = path.map(({ title }) => title).join(pathSeparator);
        parts.push(block.text);
        pages = block.pages;
        break;
      case 'paragraph':
        parts.push(block.text);
        pages = unionOf(pages, block.pages);
        break;
      case 'table':
        yield* closed();
        for (const text of tableWindows(block.rows, maxChars)) {
          yield { kind: 'table', text, headingPath, pages: block.pages };
        }
    }
  }
  yield* closed();
}

function* merged(pieces: Iterable<Piece>, minChars: number): Generator<Piece> {
  let held = null as Piece | null;
  for (const piece of pieces) {
    if (held === null) held = piece;
    else if (held.kind === 'text' && piece.kind === 'text' && held.text.length < minChars) {
      held = { ...held, text: held.text + blankLine + piece.text, pages: unionOf(held.pages, piece.pages) };
    } else {
      yield held;
      held = piece;
    }
  }
  if (held !== null) yield held;
}

function* split(pieces: Iterable<Piece>, maxChars: number): Generator<Piece> {
  for (const piece of pieces) {
    if (piece.kind === 'table' || piece.text.length <= maxChars) {
      yield piece;
      continue;
    }
    let packed = '';
    for (const part of parts(piece.text, maxChars)) {
      if (packed === '') packed = part;
      else if (packed.length + blankLine.length + part.length <= maxChars) packed += blankLine + part;
      else {
        yield { ...piece, text: packed };
        packed = part;
      }
    }
    if (packed !== '') yield { ...piece, text: packed };
  }
}

const blankLines = /\n[^\S\n]*\n\s*/g;

/** Paragraphs, and the parts of those that are too long. */
function* parts(text: string, maxChars: number): Generator<string> {
  let from = 0;
  for (const { 0: gap, index } of text.matchAll(blankLines)) {
    yield* cut(text, from, index, maxChars);
    from = index + gap.length;
  }
  yield* cut(text, from, text.length, maxChars);
}

const space = /\s/;

/** The paragraph from `start` to `end` in parts: up to the last white space before the limit, or hard at the limit. */
function* cut(text: string, start: number, limit: number, maxChars: number): Generator<string> {
  let from = start;
  let end = limit;
  while (end > from && space.test(text.charAt(end - 1))) end--;
  for (;;) {
    while (from < end && space.test(text.charAt(from))) from++;
    if (end - from <= maxChars) break;
    let to = from + maxChars - 1;
    while (to > from && !space.test(text.charAt(to))) to--;
    if (to === from) to = hardCut(text, from, from + maxChars);
    yield text.slice(from, to).trimEnd();
    from = to;
  }
  if (from < end) yield text.slice(from, end);
}

/** Never between the two halves of one character, unless that would leave nothing. */
function hardCut(text: string, from: number, limit: number): number {
  const isHigh = (text.charCodeAt(limit - 1) & 0xfc00) === 0xd800;
  const isPair = isHigh && (text.charCodeAt(limit) & 0xfc00) === 0xdc00;
  if (!isPair) return limit;
  return limit - 1 > from ? limit - 1 : limit + 1;
}

// Plain and markdown texts: from bytes to characters, and from characters to blocks. Both are linear in the text and give way after each
// block, so a line of many megabytes costs what its length costs and no more.

import type { Block } from './blocks.ts';

/** A text without a mark is UTF-8; what is not valid becomes U+FFFD. A mark of UTF-8 or UTF-16 is followed and dropped. */
export function decodedBytes(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return 'utf-8';
}

const lineBreaks = /\r\n?/g;

/** With `\n` for every line break. */
function normalized(text: string): string {
  return text.includes('\r') ? text.replace(lineBreaks, '\n') : text;
}

/** All of it as one paragraph. */
export function* plainBlocks(text: string): Generator<Block> {
  const trimmed = normalized(text).trim();
  if (trimmed !== '') yield { kind: 'paragraph', text: trimmed, pages: null };
}

const heading = /(?:^|\n)(#{1,6}) ([^\n]*)/g;

/** Lines of one to six `#` and a space are headings, what stands between two of them is one paragraph. */
export function* markdownBlocks(source: string): Generator<Block> {
  const text = normalized(source);
  let from = 0;
  for (const match of text.matchAll(heading)) {
    yield* plainBlocks(text.slice(from, match.index));
    const [line, marks = '', title = ''] = match;
    yield { kind: 'heading', level: marks.length, text: title.trim(), pages: null };
    from = match.index + line.length;
  }
  yield* plainBlocks(text.slice(from));
}

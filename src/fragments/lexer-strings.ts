// Characters and strings without holes: char literals, regular and verbatim strings, raw strings with their indentation,
// and the escapes that they and interpolated strings share.

import { readHex } from './lexer-numbers.ts';
import { isNewline } from './positions.ts';
import { step } from './steps.ts';

/** Reports something at a place: id, message, start, end (exclusive). */
export type Report = (id: string, message: string, start: number, end: number) => void;

export interface TextResult {
  readonly end: number;
  readonly value: string;
}

const SIMPLE_ESCAPES: Record<string, string> = {
  "'": "'",
  '"': '"',
  '\\': '\\',
  '0': '\0',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** Reads the escape whose backslash stands at `start`. A wrong one is reported (CS1009) and stands for itself. */
export function readEscape(text: string, start: number, report: Report): TextResult {
  const letter = text[start + 1] ?? '';
  const simple = Object.hasOwn(SIMPLE_ESCAPES, letter) ? SIMPLE_ESCAPES[letter] : undefined;
  if (simple !== undefined) return { end: start + 2, value: simple };
  const most = letter === 'x' || letter === 'u' ? 4 : letter === 'U' ? 8 : 0;
  if (most > 0) {
    const { value, digits } = readHex(text, start + 2, most);
    const end = start + 2 + digits;
    if (digits > 0 && (digits === most || letter === 'x') && value <= 0x10ffff) {
      return { end, value: value > 0xffff ? String.fromCodePoint(value) : String.fromCharCode(value) };
    }
    report('CS1009', 'This escape is not complete.', start, end);
    return { end, value: '' };
  }
  const end = Math.min(start + 2, text.length);
  report('CS1009', 'There is no such escape.', start, end);
  return { end, value: letter };
}

/** Reads a char literal; `start` is the quote. */
export function readChar(text: string, start: number, report: Report): TextResult {
  let at = start + 1;
  let value = '';
  while (at < text.length && text[at] !== "'") {
    if (isNewline(text.charCodeAt(at))) break;
    if (text[at] === '\\') {
      const escaped = readEscape(text, at, report);
      value += escaped.value;
      at = escaped.end;
    } else {
      value += text[at];
      at++;
    }
  }
  const closed = text[at] === "'";
  if (!closed) report('CS1010', 'The character literal is not closed on its line.', start, start);
  if (at === start + 1) report('CS1011', 'The character literal is empty.', start, start);
  if (value.length > 1) report('CS1012', 'The character literal has more than one character.', start, start);
  return { end: closed ? at + 1 : at, value: value.length === 1 ? value : (value[0] ?? '\0') };
}

/** Reads a regular string; `start` is the quote. */
export function readRegularString(text: string, start: number, report: Report): TextResult {
  let at = start + 1;
  const parts: string[] = [];
  let from = at;
  while (at < text.length && text[at] !== '"' && !isNewline(text.charCodeAt(at))) {
    if (text[at] !== '\\') {
      at++;
      continue;
    }
    const escaped = readEscape(text, at, report);
    parts.push(text.slice(from, at), escaped.value);
    from = at = escaped.end;
  }
  parts.push(text.slice(from, at));
  const closed = text[at] === '"';
  if (!closed) report('CS1010', 'The string is not closed on its line.', start, start);
  return { end: closed ? at + 1 : at, value: parts.join('') };
}

/** Reads a verbatim string whose opening quote stands at `quote`; `start` is the `@`. */
export function readVerbatimString(text: string, start: number, quote: number, report: Report): TextResult {
  let from = quote + 1;
  const parts: string[] = [];
  for (;;) {
    const next = text.indexOf('"', from);
    if (next < 0) {
      report('CS1039', 'The string is not closed.', start, start);
      parts.push(text.slice(from));
      return { end: text.length, value: parts.join('') };
    }
    parts.push(text.slice(from, next));
    if (text[next + 1] !== '"') return { end: next + 1, value: parts.join('') };
    parts.push('"');
    from = next + 2;
  }
}

/** How often a character is repeated from an offset on. */
export function runLength(text: string, start: number, character: string): number {
  let end = start;
  while (text[end] === character) end++;
  // One run may be asked for at each of its characters.
  step((end - start) >> 3);
  return end - start;
}

/** The offset after the newline that starts at `at`. */
export function afterNewline(text: string, at: number): number {
  return text[at] === '\r' && text[at + 1] === '\n' ? at + 2 : at + 1;
}

/** Where the content of a raw string starts: after the first newline when only blanks stand before it, else null. */
export function multiLineStart(text: string, quotesEnd: number): number | null {
  let at = quotesEnd;
  while (at < text.length && isBlank(text.charCodeAt(at))) at++;
  return at < text.length && isNewline(text.charCodeAt(at)) ? afterNewline(text, at) : null;
}

/** Reads a raw string; `start` is the first of its three or more quotes. */
export function readRawString(text: string, start: number, report: Report): TextResult {
  const quotes = runLength(text, start, '"');
  const contentStart = multiLineStart(text, start + quotes);
  const from = contentStart ?? start + quotes;
  for (let at = from; at < text.length; at++) {
    if (contentStart === null && isNewline(text.charCodeAt(at))) {
      report('CS8997', 'The raw string is not closed on its line.', at, at);
      return { end: at, value: text.slice(from, at) };
    }
    if (text[at] !== '"') continue;
    const run = runLength(text, at, '"');
    if (run < quotes) {
      at += run - 1;
      continue;
    }
    if (run > quotes) {
      const message = 'The raw string has more quotes in a row than it starts with.';
      report('CS8998', message, at + quotes, at + run);
    }
    const end = at + run;
    if (contentStart === null) return { end, value: text.slice(from, at) };
    return { end, value: rawLines(text, from, at, report) };
  }
  report('CS8997', 'The raw string is not closed.', start, start + quotes);
  return { end: text.length, value: text.slice(from) };
}

/** The lines of a raw string between two offsets without the indentation of the closing line. */
function rawLines(text: string, from: number, closing: number, report: Report): string {
  const lines = splitLines(text, from, closing);
  const last = lines.pop()!;
  const indentation = text.slice(last.start, last.end);
  if (![...indentation].every((one) => isBlank(one.charCodeAt(0)))) {
    report('CS9000', 'The closing quotes of a raw string stand on a line of their own.', closing, closing);
    return text.slice(from, closing);
  }
  if (lines.length === 0) {
    report('CS9002', 'A raw string of several lines has at least one line of content.', closing, closing);
    return '';
  }
  let value = '';
  lines.forEach((line, index) => {
    value += unindent(text.slice(line.start, line.end), indentation, line.start, report);
    if (index < lines.length - 1) value += text.slice(line.end, lines[index + 1]!.start);
  });
  return value;
}

/** One line of a raw string without its indentation; a line of blanks only may be shorter. */
export function unindent(line: string, indentation: string, start: number, report: Report): string {
  if (line.startsWith(indentation)) return line.slice(indentation.length);
  const blanks = line.length - line.trimStart().length;
  if (blanks === line.length && indentation.startsWith(line)) return '';
  report('CS8999', 'The line does not start with the blanks of the closing line.', start, start + blanks);
  return line.slice(blanks);
}

interface Line {
  readonly start: number;
  readonly end: number;
}

function splitLines(text: string, from: number, to: number): Line[] {
  const lines: Line[] = [];
  let start = from;
  for (let at = from; at < to; at++) {
    if (!isNewline(text.charCodeAt(at))) continue;
    lines.push({ start, end: at });
    start = Math.min(afterNewline(text, at), to);
    at = start - 1;
  }
  lines.push({ start, end: to });
  return lines;
}

/** Blanks inside a line: everything that C# calls whitespace except newlines. */
export function isBlank(unit: number): boolean {
  if (unit === 32 || unit === 9 || unit === 11 || unit === 12 || unit === 0x1a) return true;
  if (unit < 0xa0) return false;
  return unit === 0xfeff || /\p{Zs}/u.test(String.fromCharCode(unit));
}

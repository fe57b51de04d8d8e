// Interpolated strings: where they start, the text between holes, the format of a hole, and for raw ones the indentation
// that is taken away once the closing quotes are known. Regular ($"), verbatim ($@" or @$") and raw ($"""…, $$"""…).

import {
  afterNewline,
  isBlank,
  multiLineStart,
  type Report,
  readEscape,
  runLength,
  unindent,
} from './lexer-strings.ts';
import { isNewline } from './positions.ts';
import type { Token } from './tokens.ts';

type Form = 'regular' | 'verbatim' | 'raw';

/** An interpolated string that is being read. */
export interface InterpolatedString {
  readonly form: Form;
  /** How many braces open and close a hole. */
  readonly braces: number;
  readonly quotes: number;
  readonly contentStart: number;
  /** A raw string of several lines. */
  readonly lines: boolean;
  readonly firstToken: number;
  /** The text tokens so far with their places. */
  readonly pieces: { readonly token: number; readonly start: number; readonly end: number }[];
  /** Parentheses and brackets, and braces, open inside the current hole; whether its format has been read. */
  brackets: number;
  openBraces: number;
  formatted: boolean;
  /** Takes the indentation out of the text tokens, once the string has ended. */
  finish(tokens: Token[], text: string, report: Report): void;
}

/** Whether an interpolated string starts at an offset. */
export function startsInterpolation(text: string, at: number): boolean {
  if (text[at] === '$') {
    const dollars = runLength(text, at, '$');
    if (text.startsWith('"', at + dollars)) return dollars === 1 || text.startsWith('"""', at + dollars);
    return dollars === 1 && text.startsWith('@"', at + 1);
  }
  return text.startsWith('@$"', at);
}

/** The string that starts at an offset where `startsInterpolation` holds. */
export function openInterpolation(text: string, at: number, firstToken: number): InterpolatedString {
  const verbatim = text[at] === '@' || text[at + 1] === '@';
  const dollars = verbatim ? 1 : runLength(text, at, '$');
  const quote = verbatim ? at + 2 : at + dollars;
  const run = runLength(text, quote, '"');
  const raw = !verbatim && run >= 3;
  const quotes = raw ? run : 1;
  const lineStart = raw ? multiLineStart(text, quote + quotes) : null;
  return {
    form: raw ? 'raw' : verbatim ? 'verbatim' : 'regular',
    braces: raw ? dollars : 1,
    quotes,
    contentStart: lineStart ?? quote + quotes,
    lines: lineStart !== null,
    firstToken,
    pieces: [],
    brackets: 0,
    openBraces: 0,
    formatted: false,
    finish: finishIndentation,
  };
}

export interface TextPart {
  readonly value: string;
  /** Where the text ends; a hole or the closing quotes follow. */
  readonly end: number;
  readonly next: 'hole' | 'close';
  readonly closeEnd: number;
}

/** Reads the text of an interpolated string from an offset to its next hole or to its end. */
export function readInterpolationText(
  text: string,
  start: number,
  string: InterpolatedString,
  report: Report,
): TextPart {
  return string.form === 'raw'
    ? readRawText(text, start, string, report)
    : readPlainText(text, start, string.form === 'verbatim', report, false);
}

function readPlainText(text: string, start: number, verbatim: boolean, report: Report, format: boolean): TextPart {
  const parts: string[] = [];
  let [at, from] = [start, start];
  const take = (value: string, length: number) => {
    parts.push(text.slice(from, at), value);
    from = at = at + length;
  };
  const done = (next: 'hole' | 'close', closeEnd: number): TextPart => {
    parts.push(text.slice(from, at));
    return { value: parts.join(''), end: at, next, closeEnd };
  };
  while (at < text.length) {
    const character = text[at]!;
    if (character === '"') {
      if (!verbatim || text[at + 1] !== '"') return done('close', at + 1);
      take('"', 2);
    } else if (character === '{') {
      if (text[at + 1] !== '{') return done('hole', at);
      take('{', 2);
    } else if (character === '}') {
      if (format && text[at + 1] !== '}') return done('close', at);
      if (text[at + 1] === '}') {
        take('}', 2);
        continue;
      }
      report('CS8086', "A '}' in the text of an interpolated string is written twice.", at, at + 1);
      at++;
    } else if (character === '\\' && !verbatim) {
      const escaped = readEscape(text, at, report);
      take(escaped.value, escaped.end - at);
    } else if (isNewline(text.charCodeAt(at)) && !verbatim) {
      if (!format) report('CS1010', 'The interpolated string is not closed on its line.', at - 1, at);
      return done('close', at);
    } else {
      at++;
    }
  }
  const id = verbatim ? 'CS1039' : 'CS1010';
  if (!format) report(id, 'The interpolated string is not closed.', at - 1, at);
  return done('close', at);
}

function readRawText(text: string, start: number, string: InterpolatedString, report: Report): TextPart {
  for (let at = start; at < text.length; at++) {
    const character = text[at]!;
    if (!string.lines && isNewline(text.charCodeAt(at))) {
      report('CS8997', 'The raw string is not closed on its line.', at, at);
      return { value: text.slice(start, at), end: at, next: 'close', closeEnd: at };
    }
    if (character !== '"' && character !== '{' && character !== '}') continue;
    const run = runLength(text, at, character);
    if (character === '"' && run >= string.quotes) {
      if (run > string.quotes) {
        report('CS8998', 'The raw string has more quotes in a row than it starts with.', at + string.quotes, at + run);
      }
      return { value: text.slice(start, at), end: at, next: 'close', closeEnd: at + run };
    }
    if (character === '{' && run >= string.braces) {
      if (run >= 2 * string.braces) {
        report('CS9006', 'The raw string has more braces in a row than its dollars allow.', at, at + run);
      }
      const end = at + run - string.braces;
      return { value: text.slice(start, end), end, next: 'hole', closeEnd: end };
    }
    if (character === '}' && run >= string.braces) {
      report('CS9007', 'The raw string has more closing braces in a row than its dollars allow.', at, at + run);
    }
    at += run - 1;
  }
  report('CS8997', 'The raw string is not closed.', text.length, text.length);
  return { value: text.slice(start), end: text.length, next: 'close', closeEnd: text.length };
}

/** Reads the format of a hole, from behind its colon to the closing brace. */
export function readInterpolationFormat(text: string, start: number, string: InterpolatedString, report: Report) {
  if (string.form !== 'raw') {
    const part = readPlainText(text, start, string.form === 'verbatim', report, true);
    return { value: part.value, end: part.end };
  }
  let end = start;
  while (end < text.length && text[end] !== '}' && text[end] !== '{' && text[end] !== '"') {
    if (isNewline(text.charCodeAt(end))) break;
    end++;
  }
  return { value: text.slice(start, end), end };
}

/** Whether the brace at an offset closes the current hole; a raw string wants as many as it has dollars. */
export function closesHole(text: string, at: number, string: InterpolatedString, report: Report): boolean {
  if (string.braces === 1) return true;
  if (runLength(text, at, '}') >= string.braces) return true;
  report('CS9007', `The hole is closed with ${string.braces} braces.`, at, at + 1);
  return false;
}

function finishIndentation(this: InterpolatedString, tokens: Token[], text: string, report: Report): void {
  if (!this.lines || this.pieces.length === 0) return;
  const last = this.pieces.at(-1)!;
  if (last.end >= text.length) return; // not closed, said already
  let lineStart = last.end;
  while (lineStart > last.start && isBlank(text.charCodeAt(lineStart - 1))) lineStart--;
  const first = this.pieces.length === 1;
  const ownLine = lineStart > last.start ? isNewline(text.charCodeAt(lineStart - 1)) : first;
  if (!ownLine) {
    report('CS9000', 'The closing quotes of a raw string stand on a line of their own.', last.end, last.end);
    return;
  }
  if (first && lineStart === last.start) {
    report('CS9002', 'A raw string of several lines has at least one line of content.', last.end, last.end);
    return;
  }
  const indentation = text.slice(lineStart, last.end);
  this.pieces.forEach((piece, index) => {
    const end = piece === last ? beforeNewline(text, lineStart) : piece.end;
    const value = withoutIndentation(text, piece.start, end, index === 0, piece !== last, indentation, report);
    tokens[piece.token] = { ...tokens[piece.token]!, text: value };
  });
}

function beforeNewline(text: string, lineStart: number): number {
  return text[lineStart - 1] === '\n' && text[lineStart - 2] === '\r' ? lineStart - 2 : lineStart - 1;
}

/** The text between two offsets with the indentation taken from every line that starts inside. */
function withoutIndentation(
  text: string,
  start: number,
  end: number,
  atLineStart: boolean,
  holeFollows: boolean,
  indentation: string,
  report: Report,
): string {
  let value = '';
  let fresh = atLineStart;
  let at = start;
  while (at < end || fresh) {
    let lineEnd = at;
    while (lineEnd < end && !isNewline(text.charCodeAt(lineEnd))) lineEnd++;
    let line = text.slice(at, lineEnd);
    if (fresh) {
      // A hole at the end of the line is content, so that the line is not blank.
      const content = holeFollows && lineEnd === end;
      line = content
        ? unindent(`${line}x`, indentation, at, report).slice(0, -1)
        : unindent(line, indentation, at, report);
    }
    value += line;
    fresh = lineEnd < end;
    at = lineEnd < end ? afterNewline(text, lineEnd) : end;
    if (fresh) value += text.slice(lineEnd, at);
  }
  return value;
}

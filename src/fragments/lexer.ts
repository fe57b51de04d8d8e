// Text to tokens, in one pass and without recursion: interpolated strings keep a stack of their own, so that a hole's
// tokens lie in the same flat list. Every problem of a token is reported here; the lexer never fails.

import {
  closesHole,
  type InterpolatedString,
  openInterpolation,
  readInterpolationFormat,
  readInterpolationText,
  startsInterpolation,
} from './lexer-interpolation.ts';
import { isDigit, readHex, readNumber } from './lexer-numbers.ts';
import {
  afterNewline,
  isBlank,
  type Report,
  readChar,
  readRawString,
  readRegularString,
  readVerbatimString,
  runLength,
} from './lexer-strings.ts';
import { isNewline } from './positions.ts';
import { step } from './steps.ts';
import type { LiteralValue } from './syntax.ts';
import { BAD, END, IDENTIFIER, isKeyword, LITERAL, punctuatorAt, type Token } from './tokens.ts';

/** After so many characters that make no token the rest of the text is one bad token. */
const MAX_BAD_TOKENS = 200;

/** The tokens of a text; the last one has the kind `end`. */
export function tokenize(text: string, report: Report): Token[] {
  return new Lexer(text, report).run();
}

class Lexer {
  private readonly tokens: Token[] = [];
  private readonly strings: InterpolatedString[] = [];
  private at = 0;
  private newline = false;
  /** Only blanks stand before the offset on its line. */
  private lineStart = true;
  private badTokens = 0;
  private reports = 0;

  private readonly text: string;
  private readonly say: Report;

  constructor(text: string, report: Report) {
    this.text = text;
    this.say = (id, message, start, end) => {
      this.reports++;
      report(id, message, start, end);
    };
  }

  run(): Token[] {
    step(this.text.length >> 3);
    while (true) {
      this.skipTrivia();
      if (this.at >= this.text.length) break;
      this.readToken();
    }
    while (this.strings.length > 0) this.endUnclosedString();
    this.push(END, this.text.length, this.text.length);
    return this.tokens;
  }

  private push(
    kind: string,
    start: number,
    end: number,
    text = '',
    literal: LiteralValue | null = null,
    faulty = false,
  ) {
    step(2);
    this.tokens.push({ kind, start, end, text, literal, newlineBefore: this.newline, faulty });
    this.newline = false;
    this.lineStart = false;
    this.at = end;
  }

  private skipTrivia(): void {
    const { text } = this;
    while (this.at < text.length) {
      const unit = text.charCodeAt(this.at);
      if (isNewline(unit)) {
        this.at = afterNewline(text, this.at);
        this.newline = this.lineStart = true;
      } else if (isBlank(unit)) {
        this.at++;
      } else if (unit === 47 && text[this.at + 1] === '/') {
        this.skipLine();
      } else if (unit === 47 && text[this.at + 1] === '*') {
        this.skipComment();
      } else if (unit === 35) {
        this.refuseDirective();
      } else {
        return;
      }
    }
  }

  private skipLine(): void {
    while (this.at < this.text.length && !isNewline(this.text.charCodeAt(this.at))) this.at++;
  }

  private skipComment(): void {
    const start = this.at;
    const close = this.text.indexOf('*/', start + 2);
    this.at = close < 0 ? this.text.length : close + 2;
    if (close < 0) this.say('CS1035', 'The comment is not closed.', start, start);
  }

  private refuseDirective(): void {
    const start = this.at;
    if (this.lineStart) {
      const from = start + 1;
      const to = from + (/^\w+/.exec(this.text.slice(from, from + 20))?.[0].length ?? 0);
      this.say('CS1024', 'Preprocessor directives are not part of the fragment language.', Math.min(from, to - 1), to);
    } else {
      this.say(
        'CS1040',
        'A preprocessor directive stands first on its line (and fragments have none).',
        start,
        start + 1,
      );
    }
    this.skipLine();
  }

  private readToken(): void {
    const { text, at } = this;
    const unit = text.charCodeAt(at);
    if (isIdentifierStart(unit) || unit === 92 || (unit === 64 && this.startsName(at + 1))) {
      if (this.readIdentifier()) return;
    } else if (isDigit(unit) || (unit === 46 && isDigit(text.charCodeAt(at + 1)))) {
      this.readNumberToken();
      return;
    } else if (unit === 34 || unit === 39 || (unit === 64 && text[at + 1] === '"')) {
      this.readText(unit);
      return;
    } else if (startsInterpolation(text, at)) {
      this.startString();
      return;
    } else {
      const punctuator = punctuatorAt(text, at);
      if (punctuator !== null) {
        this.readPunctuator(punctuator);
        return;
      }
    }
    this.readBad();
  }

  private startsName(at: number): boolean {
    return isIdentifierStart(this.text.charCodeAt(at)) || this.text[at] === '\\';
  }

  /** Reads an identifier or keyword; false when a backslash starts no escape of an identifier character. */
  private readIdentifier(): boolean {
    const { text } = this;
    const verbatim = text[this.at] === '@';
    const start = this.at;
    let at = verbatim ? start + 1 : start;
    let name = '';
    let escaped = false;
    let from = at;
    for (;;) {
      const unit = text.charCodeAt(at);
      if (isIdentifierStart(unit) || (at > from && isIdentifierPart(unit)) || (name !== '' && isIdentifierPart(unit))) {
        at++;
        continue;
      }
      const resolved = unit === 92 ? identifierEscape(text, at, name === '' && at === from) : null;
      if (resolved === null) break;
      name += text.slice(from, at) + resolved.character;
      from = at = resolved.end;
      escaped = true;
    }
    name += text.slice(from, at);
    if (name === '') return false;
    const keyword = !verbatim && !escaped && isKeyword(name);
    if (keyword && (name === 'true' || name === 'false')) {
      this.push(LITERAL, start, at, '', { type: 'bool', value: name === 'true' });
    } else if (keyword && name === 'null') {
      this.push(LITERAL, start, at, '', { type: 'null' });
    } else if (keyword) {
      this.push(name, start, at);
    } else {
      this.push(IDENTIFIER, start, at, composed(name));
    }
    return true;
  }

  private readNumberToken(): void {
    const start = this.at;
    const { end, literal, problem } = readNumber(this.text, start);
    const faulty = problem !== null && problem.warning !== true;
    if (problem !== null) this.say(problem.id, problem.message, problem.from ?? start, problem.to ?? start);
    this.push(LITERAL, start, end, '', literal, faulty);
  }

  private readText(unit: number): void {
    const start = this.at;
    const before = this.reports;
    if (unit === 39) {
      const { end, value } = readChar(this.text, start, this.say);
      this.push(LITERAL, start, end, '', { type: 'char', value }, this.reports > before);
      return;
    }
    const raw = unit === 34 && runLength(this.text, start, '"') >= 3;
    const { end, value } = raw
      ? readRawString(this.text, start, this.say)
      : unit === 64
        ? readVerbatimString(this.text, start, start + 1, this.say)
        : readRegularString(this.text, start, this.say);
    const suffix = this.text.slice(end, end + 2);
    const utf8 = (suffix === 'u8' || suffix === 'U8') && !isIdentifierPart(this.text.charCodeAt(end + 2));
    if (utf8) this.say('CS8652', 'UTF-8 string literals are not part of the fragment language.', start, end + 2);
    this.push(LITERAL, start, utf8 ? end + 2 : end, '', { type: 'string', value }, this.reports > before);
  }

  private readPunctuator(punctuator: string): void {
    const { at } = this;
    const string = this.strings.at(-1);
    if (string !== undefined && string.openBraces === 0) {
      const colon = punctuator === ':' || punctuator === '::';
      if (colon && string.brackets === 0 && !string.formatted) {
        const format = readInterpolationFormat(this.text, at + 1, string, this.say);
        string.formatted = true;
        this.push('interpolationFormat', at, format.end, format.value);
        return;
      }
      if (punctuator === '}' && closesHole(this.text, at, string, this.say)) {
        this.push('holeEnd', at, at + string.braces);
        this.continueString(string);
        return;
      }
    }
    if (string !== undefined) {
      if (punctuator === '{') string.openBraces++;
      else if (punctuator === '}') string.openBraces = Math.max(0, string.openBraces - 1);
      else if (punctuator === '(' || punctuator === '[') string.brackets++;
      else if (punctuator === ')' || punctuator === ']') string.brackets = Math.max(0, string.brackets - 1);
    }
    this.push(punctuator, at, at + punctuator.length);
  }

  private startString(): void {
    const string = openInterpolation(this.text, this.at, this.tokens.length);
    this.push('interpolationStart', this.at, string.contentStart);
    this.strings.push(string);
    this.continueString(string);
  }

  /** Reads text of an interpolated string up to its next hole or its end. */
  private continueString(string: InterpolatedString): void {
    const part = readInterpolationText(this.text, this.at, string, this.say);
    string.pieces.push({ token: this.tokens.length, start: this.at, end: part.end });
    this.push('interpolationText', this.at, part.end, part.value);
    if (part.next === 'hole') {
      string.brackets = string.openBraces = 0;
      string.formatted = false;
      this.push('holeStart', this.at, this.at + string.braces);
      return;
    }
    this.strings.pop();
    string.finish(this.tokens, this.text, this.say);
    this.push('interpolationEnd', this.at, part.closeEnd);
  }

  /** The text ended inside a hole. */
  private endUnclosedString(): void {
    const string = this.strings.pop()!;
    const start = string.pieces.at(-1)!.end;
    const message = "The hole of the interpolated string is not closed with '}'.";
    if (this.strings.length === 0) this.say('CS8076', message, start, start + string.braces);
    this.push('holeEnd', this.at, this.at);
    this.push('interpolationText', this.at, this.at);
    this.push('interpolationEnd', this.at, this.at);
  }

  private readBad(): void {
    const start = this.at;
    const { text } = this;
    if (this.badTokens++ >= MAX_BAD_TOKENS) {
      this.say('CS1056', 'Too many characters that cannot stand in a fragment.', start, text.length);
      this.push(BAD, start, text.length, '', null, true);
      return;
    }
    const end = start + 1;
    if (text[start] === '@') {
      this.say('CS1646', "A keyword, an identifier or a string follows '@'.", start, start);
    } else {
      this.say('CS1056', 'This character cannot stand in a fragment.', start, start);
    }
    this.push(BAD, start, end, '', null, true);
  }
}

/** Whether an identifier may start with a UTF-16 unit (C# knows none beyond the first plane). */
function isIdentifierStart(unit: number): boolean {
  if (unit < 128) return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || unit === 95;
  return /[\p{L}\p{Nl}]/u.test(String.fromCharCode(unit));
}

/** Whether an identifier may go on with a UTF-16 unit. */
function isIdentifierPart(unit: number): boolean {
  if (unit < 128) return isIdentifierStart(unit) || isDigit(unit);
  return /[\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}\p{Cf}]/u.test(String.fromCharCode(unit));
}

/** A name in Unicode's normal form C. */
function composed(name: string): string {
  // Marks in a row are put in order by comparing each with those before it; one step pays for twenty comparisons.
  for (const [marks] of name.matchAll(/\p{M}{2,}/gu)) step(marks.length ** 2 / 20);
  return name.normalize('NFC');
}

/** The character that an escape in an identifier stands for, when it may stand there. */
function identifierEscape(text: string, at: number, first: boolean): { character: string; end: number } | null {
  const most = text[at + 1] === 'u' ? 4 : text[at + 1] === 'U' ? 8 : 0;
  if (most === 0) return null;
  const { value, digits } = readHex(text, at + 2, most);
  if (digits !== most || value > 0xffff) return null;
  if (!(first ? isIdentifierStart(value) : isIdentifierPart(value))) return null;
  return { character: String.fromCharCode(value), end: at + 2 + digits };
}

// The tokens of C#. A token's kind is its spelling for keywords and punctuators, else one of the words below. `>` is always
// a token of its own (with `>=`): the parser joins `>>`, `>>>` and their assignments, since `>` also closes type arguments.
// An interpolated string is a flat run: interpolationStart, then interpolationText and holes (holeStart, tokens of the
// expression, holeFormat at most once, holeEnd), then interpolationEnd.

import type { LiteralValue } from './syntax.ts';

export interface Token {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  /** The name of an identifier (no `@`, escapes resolved), the text of an interpolation part or format, else empty. */
  readonly text: string;
  readonly literal: LiteralValue | null;
  /** A line ends between the token before and this one. */
  readonly newlineBefore: boolean;
  /** Something was reported about this very token. */
  readonly faulty: boolean;
}

export const IDENTIFIER = 'identifier';
export const LITERAL = 'literal';
export const BAD = 'bad';
export const END = 'end';

const KEYWORDS = new Set(
  (
    'abstract as base bool break byte case catch char checked class const continue decimal default delegate do double ' +
    'else enum event explicit extern false finally fixed float for foreach goto if implicit in int interface internal ' +
    'is lock long namespace new null object operator out override params private protected public readonly ref return ' +
    'sbyte sealed short sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked ' +
    'unsafe ushort using virtual void volatile while'
  ).split(' '),
);

/** Whether a word or token kind is a reserved keyword (contextual keywords are identifiers). */
export function isKeyword(word: string): boolean {
  return KEYWORDS.has(word);
}

const PREDEFINED_TYPES = new Set(
  'bool byte sbyte short ushort int uint long ulong char float double decimal string object void'.split(' '),
);

/** Whether a token kind names a predefined type (`void` among them). */
export function isPredefinedType(kind: string): boolean {
  return PREDEFINED_TYPES.has(kind);
}

/** The punctuators by their first character, longest first. */
const PUNCTUATORS = new Map<string, string[]>();
for (const one of (
  '{ } [ ] ( ) . .. , : :: ; + ++ += - -- -= -> * *= / /= % %= & && &= | || |= ^ ^= ! != ~ = == => < <= << <<= > >= ' +
  '? ?? ??='
).split(' ')) {
  const list = PUNCTUATORS.get(one[0]!) ?? [];
  list.push(one);
  list.sort((left, right) => right.length - left.length);
  PUNCTUATORS.set(one[0]!, list);
}

/** The punctuator that starts at an offset, or null. */
export function punctuatorAt(text: string, offset: number): string | null {
  const candidates = PUNCTUATORS.get(text[offset]!);
  if (candidates === undefined) return null;
  for (const candidate of candidates) if (text.startsWith(candidate, offset)) return candidate;
  return null;
}

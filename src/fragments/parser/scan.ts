// Looking ahead without reading: where brackets close, and whether a type stands at a place. Answers are kept, so that
// asking at every token of a text costs linear time in all.

import { step } from '../steps.ts';
import { IDENTIFIER, isPredefinedType, LITERAL, type Token } from '../tokens.ts';

const CLOSING: Record<string, string> = { '(': ')', '[': ']', '{': '}', holeStart: 'holeEnd' };
const CLOSERS = new Set([')', ']', '}', 'holeEnd']);

/** For each opening bracket the index of the one that closes it, else -1; one that does not fit closes nothing. */
export function matchBrackets(tokens: readonly Token[]): Int32Array {
  const matches = new Int32Array(tokens.length).fill(-1);
  const open: number[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const { kind } = tokens[index]!;
    if (CLOSING[kind] !== undefined) {
      open.push(index);
    } else if (CLOSERS.has(kind)) {
      // A closing brace gives up on parentheses that were never closed, a parenthesis does not give up on braces.
      const closesAll = kind === '}' || kind === 'holeEnd';
      while (closesAll && open.length > 0 && isWeaker(tokens[open.at(-1)!]!.kind, kind)) open.pop();
      if (open.length > 0 && CLOSING[tokens[open.at(-1)!]!.kind] === kind) matches[open.pop()!] = index;
    }
  }
  return matches;
}

function isWeaker(opening: string, closer: string): boolean {
  if (opening === '(' || opening === '[') return true;
  return closer === 'holeEnd' && opening === '{';
}

/** How sure it is that what was scanned is a type. */
export const NO_TYPE = 0;
/** A name or generic name: it may be an expression as well. */
export const MAYBE_TYPE = 1;
/** A name with `<…>` that also reads as comparisons. */
export const GENERIC = 2;
/** A type with `?` at its end. */
export const NULLABLE = 3;
/** A tuple type. */
export const TUPLE = 4;
/** Nothing but a type: a keyword, an array, a pointer. */
export const SURE_TYPE = 5;
/** A name followed by `*`: a pointer type or a product. */
export const POINTER = 6;

/** Deeper than this nothing is a type; the parser gives up on such nesting anyway. */
const MAX_SCAN_DEPTH = 200;

export class TypeScanner {
  private readonly tokens: readonly Token[];
  private readonly ends: Int32Array;
  private readonly classes: Uint8Array;
  private readonly argumentEnds: Int32Array;
  private depth = 0;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
    this.ends = new Int32Array(tokens.length);
    this.classes = new Uint8Array(tokens.length);
    this.argumentEnds = new Int32Array(tokens.length);
  }

  /** The index after the type that starts at an index, or -1. `?` and `*` at its end belong to it. */
  typeEnd(index: number): number {
    const known = this.ends[index]!;
    if (known !== 0) return known;
    if (this.depth >= MAX_SCAN_DEPTH) return -1;
    this.depth++;
    const end = this.scan(index);
    this.depth--;
    this.ends[index] = end;
    return end;
  }

  /** One of the constants above, for the type that starts at an index. */
  typeClass(index: number): number {
    return this.typeEnd(index) < 0 ? NO_TYPE : this.classes[index]!;
  }

  private kind(index: number): string {
    return this.tokens[Math.min(index, this.tokens.length - 1)]!.kind;
  }

  private scan(index: number): number {
    step();
    const kind = this.kind(index);
    let found = SURE_TYPE;
    let at: number;
    if (isPredefinedType(kind)) {
      at = index + 1;
    } else if (kind === IDENTIFIER) {
      at = index + 1;
      found = MAYBE_TYPE;
      for (;;) {
        if (this.kind(at) === '<') {
          at = this.argumentsEnd(at);
          if (at < 0) return -1;
          found = GENERIC;
        }
        if (this.kind(at) !== '.' && this.kind(at) !== '::') break;
        if (this.kind(at + 1) !== IDENTIFIER) return -1;
        at += 2;
      }
    } else if (kind === '(') {
      at = this.tupleEnd(index);
      if (at < 0) return -1;
      found = TUPLE;
    } else {
      return -1;
    }
    return this.scanSuffixes(index, at, found);
  }

  private scanSuffixes(index: number, start: number, base: number): number {
    let [at, found] = [start, base];
    for (;;) {
      const kind = this.kind(at);
      if (kind === '?') {
        found = NULLABLE;
        at++;
      } else if (kind === '*') {
        found = found === SURE_TYPE ? SURE_TYPE : POINTER;
        at++;
      } else if (kind === '[') {
        let close = at + 1;
        while (this.kind(close) === ',') close++;
        if (this.kind(close) !== ']') break;
        found = SURE_TYPE;
        at = close + 1;
      } else {
        break;
      }
    }
    this.classes[index] = found;
    return at;
  }

  /** The index after `<…>` when it holds types (or is empty but for commas), else -1. */
  argumentsEnd(index: number): number {
    const known = this.argumentEnds[index]!;
    if (known !== 0) return known;
    let at = index + 1;
    let end = -1;
    if (this.kind(at) === '>' || this.kind(at) === ',') {
      while (this.kind(at) === ',') at++;
      end = this.kind(at) === '>' ? at + 1 : -1;
    } else {
      for (;;) {
        at = this.typeEnd(this.kind(at) === 'ref' ? at + 1 : at);
        if (at < 0) break;
        if (this.kind(at) === '>') {
          end = at + 1;
          break;
        }
        if (this.kind(at) !== ',') break;
        at++;
      }
    }
    this.argumentEnds[index] = end;
    return end;
  }

  private tupleEnd(index: number): number {
    let at = index + 1;
    for (let count = 1; ; count++) {
      at = this.typeEnd(at);
      if (at < 0) return -1;
      if (this.kind(at) === IDENTIFIER) at++;
      if (this.kind(at) === ')') return count > 1 ? at + 1 : -1;
      if (this.kind(at) !== ',') return -1;
      at++;
    }
  }

  /** Whether `<` at an index opens type arguments in an expression, by C#'s rule on what follows the closing `>`. */
  opensTypeArguments(index: number): boolean {
    const end = this.argumentsEnd(index);
    if (end < 0 || this.kind(index + 1) === ',') return false;
    if (FOLLOWS_TYPE_ARGUMENTS.has(this.kind(end))) return true;
    // Not an expression whatever follows: a keyword type, an array, a tuple among the arguments.
    const first = this.typeClass(index + 1);
    return (first === SURE_TYPE || first === TUPLE) && this.kind(end) !== IDENTIFIER && this.kind(end) !== LITERAL;
  }
}

const FOLLOWS_TYPE_ARGUMENTS = new Set(
  '( ) ] } : ; , . ? == != | ^ && || & [ holeEnd interpolationFormat end => ?. '.trim().split(' '),
);

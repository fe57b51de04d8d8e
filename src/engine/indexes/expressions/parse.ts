// Reads the syntax of .NET's regular expressions: all of it is understood, and what cannot be matched in linear time is refused by its name.
// Matching ignores case from the start; inline options (imnsx) change that and the rest from where they stand.

import { block, bothCases, type CodePoints, category, complement, shorthand, union, without } from './code-points.ts';
import { ExpressionRefused, type Node } from './nodes.ts';

export interface Options {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly singleLine: boolean;
  readonly spaced: boolean;
  /** Groups without a name capture nothing. */
  readonly named: boolean;
}

const deepest = 250;
const most = 1000;
/** Sets are merged while somebody waits, and a category has hundreds of ranges. */
const mostRanges = 200_000;

export function parseExpression(text: string): Node {
  const options = { ignoreCase: true, multiline: false, singleLine: false, spaced: false, named: false };
  return new Parser(text, null).whole(options);
}

/** With its groups: their names in the order in which they open, null for those without one. */
export function parseCaptures(
  text: string,
  options: Options,
): { readonly node: Node; readonly groups: readonly (string | null)[] } {
  const groups: (string | null)[] = [];
  return { node: new Parser(text, groups).whole(options), groups };
}

class Parser {
  private readonly text: string;
  /** Names of groups that capture; null: none does. */
  private readonly groups: (string | null)[] | null;
  private at = 0;
  private depth = 0;
  /** Ranges of all categories within sets so far. */
  private ranges = 0;

  constructor(text: string, groups: (string | null)[] | null) {
    this.text = text;
    this.groups = groups;
  }

  whole(options: Options): Node {
    const node = this.choice(options);
    if (this.at < this.text.length) this.fail("')' has no '('");
    return node;
  }

  private fail(problem: string): never {
    throw new ExpressionRefused(`The expression is not valid at ${this.at}: ${problem}.`);
  }

  private refuse(construct: string): never {
    throw new ExpressionRefused(`${construct} cannot be matched in linear time and are not supported.`);
  }

  private looking(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }

  private take(text: string): boolean {
    if (!this.looking(text)) return false;
    this.at += text.length;
    return true;
  }

  private next(): number {
    const code = this.text.codePointAt(this.at);
    if (code === undefined) return this.fail('it ends too early');
    this.at += code > 0xffff ? 2 : 1;
    return code;
  }

  /** Alternatives up to the end of the group. Options set inside last to there, across alternatives. */
  private choice(given: Options): Node {
    if (++this.depth > deepest) throw new ExpressionRefused(`Groups nested deeper than ${deepest} are not supported.`);
    let options = given;
    const parts: Node[] = [];
    let sequence: Node[] = [];
    for (;;) {
      if (options.spaced) this.skipSpace();
      if (this.at >= this.text.length || this.looking(')')) break;
      if (this.take('|')) {
        parts.push({ kind: 'sequence', parts: sequence });
        sequence = [];
        continue;
      }
      const changed = this.inlineOptions(options);
      if (changed !== null) {
        options = changed;
        continue;
      }
      const node = this.atom(options);
      if (node !== null) sequence.push(this.quantified(node, options));
    }
    this.depth--;
    const last: Node = { kind: 'sequence', parts: sequence };
    return parts.length === 0 ? last : { kind: 'choice', parts: [...parts, last] };
  }

  /** What stands here, if it looks so; `expression` is sticky. */
  private found(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.at;
    return expression.exec(this.text);
  }

  private skipSpace(): void {
    this.at += this.found(/(?:\s+|#[^\n]*)*/y)?.[0].length ?? 0;
  }

  /** Comments stand anywhere; space and comments to the end of the line where the option x is on. */
  private skipBlank(options: Options): void {
    for (;;) {
      if (options.spaced) this.skipSpace();
      if (!this.take('(?#')) return;
      this.comment();
    }
  }

  /** Behind `(?#`. */
  private comment(): void {
    const end = this.text.indexOf(')', this.at);
    if (end < 0) this.fail('a comment does not end');
    this.at = end + 1;
  }

  /** `(?imnsx-imnsx)`; null when something else stands here. */
  private inlineOptions(options: Options): Options | null {
    const found = /^\(\?([imnsx]*(?:-[imnsx]*)?)\)/i.exec(this.text.slice(this.at, this.at + 40));
    if (found === null || found[1] === '') return null;
    this.at += found[0].length;
    return changed(options, found[1] as string);
  }

  /** One thing that may be repeated; null for a comment. */
  private atom(options: Options): Node | null {
    const character = String.fromCodePoint(this.next());
    switch (character) {
      case '(':
        return this.group(options);
      case '[':
        return { kind: 'set', ...this.set(options), ignoreCase: false };
      case '.':
        return { kind: 'any', newline: options.singleLine };
      case '^':
        return { kind: 'anchor', at: options.multiline ? 'lineStart' : 'start' };
      case '$':
        return { kind: 'anchor', at: options.multiline ? 'lineEnd' : 'end' };
      case '\\':
        return this.escape(options);
      case '*':
      case '+':
      case '?':
        return this.fail(`'${character}' has nothing to repeat`);
      default:
        return { kind: 'character', code: character.codePointAt(0) as number, ignoreCase: options.ignoreCase };
    }
  }

  private group(options: Options): Node | null {
    if (!this.take('?')) return options.named ? this.closed(this.choice(options)) : this.captured(options, null);
    if (this.take('#')) {
      this.comment();
      return null;
    }
    if (this.take(':')) return this.closed(this.choice(options));
    if (this.looking('=') || this.looking('!')) this.refuse('Lookaheads');
    if (this.looking('<=') || this.looking('<!')) this.refuse('Lookbehinds');
    if (this.looking('>')) this.refuse('Atomic groups');
    if (this.looking('(')) this.refuse('Conditionals');
    const named = /^(?:<([^>]*)>|'([^']*)')/.exec(this.text.slice(this.at));
    if (named !== null) {
      const name = named[1] ?? named[2] ?? '';
      if (name.includes('-')) this.refuse('Balancing groups');
      if (!/^(?:[1-9]\d*|[\p{L}\p{Mn}\p{Pc}][\p{L}\p{Mn}\p{Nd}\p{Pc}]*)$/u.test(name))
        this.fail('the name of a group is not valid');
      this.at += named[0].length;
      return this.captured(options, name);
    }
    const inline = /^([imnsx]*(?:-[imnsx]*)?):/i.exec(this.text.slice(this.at, this.at + 40));
    if (inline === null) this.fail("'(?' begins no group");
    this.at += inline[0].length;
    return this.closed(this.choice(changed(options, inline[1] as string)));
  }

  private captured(options: Options, name: string | null): Node {
    if (this.groups === null) return this.closed(this.choice(options));
    this.groups.push(name);
    return { kind: 'choice', parts: [this.closed(this.choice(options))], captures: true };
  }

  private closed(node: Node): Node {
    if (!this.take(')')) this.fail("'(' has no ')'");
    return node;
  }

  private quantified(part: Node, options: Options): Node {
    this.skipBlank(options);
    const found = this.found(/(?:[*+?]|\{(\d+)(?:(,)(\d+)?)?\})/y);
    if (found === null) return part;
    this.at += found[0].length;
    let [least, greatest] = [0, Number.POSITIVE_INFINITY];
    if (found[0] === '+') least = 1;
    else if (found[0] === '?') greatest = 1;
    else if (found[1] !== undefined) {
      least = Number(found[1]);
      if (found[2] === undefined) greatest = least;
      else if (found[3] !== undefined) greatest = Number(found[3]);
    }
    if (greatest < least) this.fail('a repetition has its limits in the wrong order');
    if (least > most || (greatest !== Number.POSITIVE_INFINITY && greatest > most)) {
      throw new ExpressionRefused(`Repetitions of more than ${most} are not supported.`);
    }
    this.skipBlank(options);
    const lazy = this.take('?');
    this.skipBlank(options);
    if (this.found(/(?:[*+?]|\{\d+(?:,\d*)?\})/y) !== null) this.fail('a repetition is repeated');
    if (part.kind === 'anchor') return least === 0 ? { kind: 'sequence', parts: [] } : part;
    return { kind: 'repeat', part, least, most: greatest, lazy };
  }

  // --- Escapes -----------------------------------------------------------------------------------------------------------

  private escape(options: Options): Node {
    const { ignoreCase } = options;
    const letter = this.text[this.at];
    const anchors = { A: 'start', Z: 'end', z: 'veryEnd', b: 'word', B: 'notWord' } as const;
    if (letter !== undefined && letter in anchors) {
      this.at++;
      return { kind: 'anchor', at: anchors[letter as keyof typeof anchors] };
    }
    if (letter === 'G') this.refuse('Contiguous matches (\\G)');
    if (letter === 'k' || (letter !== undefined && letter >= '1' && letter <= '9')) this.refuse('Backreferences');
    const points = this.namedSet();
    if (points !== null) return { kind: 'set', points, negated: false, ignoreCase: false };
    return { kind: 'character', code: this.escapedCharacter(), ignoreCase };
  }

  /** `\d \D \w \W \s \S \p{..} \P{..}`; null when the escape is one of a character. */
  private namedSet(): CodePoints | null {
    const letter = this.text[this.at] ?? '';
    if (/[dwsDWS]/.test(letter)) {
      this.at++;
      return shorthand(letter);
    }
    if (letter !== 'p' && letter !== 'P') return null;
    const name = /^.\{([\w-]+)\}/.exec(this.text.slice(this.at, this.at + 60));
    if (name === null) return this.fail('a category has no name in braces');
    this.at += name[0].length;
    const [, word = ''] = name;
    const set = word.startsWith('Is') ? block(word.slice(2)) : category(word);
    if (set === null) throw new ExpressionRefused(`The category or block '${word}' is not supported.`);
    return letter === 'p' ? set : complement(set);
  }

  /** A character behind its backslash. */
  private escapedCharacter(): number {
    const controls: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, e: 27 };
    const code = this.next();
    const character = String.fromCodePoint(code);
    if (character in controls) return controls[character] as number;
    if (character === 'x') return this.hexadecimal(2);
    if (character === 'u') return this.utf16();
    if (character === 'c') {
      const letter = this.next();
      if (letter < 0x40 || letter > 0x7f) this.fail('a control character has no letter');
      return letter & 31;
    }
    if (character >= '0' && character <= '7') {
      const octal = /^[0-7]{0,2}/.exec(this.text.slice(this.at, this.at + 2))?.[0] ?? '';
      this.at += octal.length;
      return Number.parseInt(character + octal, 8) & 0xff;
    }
    if (/[\p{L}\p{Nd}_]/u.test(character)) this.fail(`'\\${character}' is no escape`);
    return code;
  }

  private hexadecimal(digits: number): number {
    const found = this.text.slice(this.at, this.at + digits);
    if (found.length !== digits || !/^[0-9a-fA-F]+$/.test(found)) this.fail(`${digits} hexadecimal digits are missing`);
    this.at += digits;
    return Number.parseInt(found, 16);
  }

  /** Two escaped halves of a pair are one character. */
  private utf16(): number {
    const high = this.hexadecimal(4);
    if (
      high < 0xd800 ||
      high > 0xdbff ||
      !/^\\u[dD][c-fC-F][0-9a-fA-F]{2}/.test(this.text.slice(this.at, this.at + 6))
    ) {
      return high;
    }
    this.at += 2;
    return 0x10000 + ((high - 0xd800) << 10) + (this.hexadecimal(4) - 0xdc00);
  }

  // --- Sets --------------------------------------------------------------------------------------------------------------------

  /** Behind `[`, up to and with its `]`: the characters in all cases that count. */
  private set(options: Options): { points: CodePoints; negated: boolean } {
    if (++this.depth > deepest) throw new ExpressionRefused(`Sets nested deeper than ${deepest} are not supported.`);
    const negated = this.take('^');
    const ranges: (readonly [number, number])[] = [];
    const sets: CodePoints[] = [];
    for (let first = true; first || !this.looking(']'); first = false) {
      if (this.at >= this.text.length) this.fail("'[' has no ']'");
      if (!first && this.take('-[')) return this.subtracted(folded(ranges, sets, options), negated, options);
      const item = this.item();
      if (typeof item !== 'number') {
        this.ranges += item.length;
        if (this.ranges > mostRanges) throw new ExpressionRefused('The expression is too large with all its sets.');
        sets.push(item);
        continue;
      }
      const isRange = this.looking('-') && !this.looking('-]') && !this.looking('-[') && this.at + 1 < this.text.length;
      if (!isRange) {
        ranges.push([item, item]);
        continue;
      }
      this.at++;
      const last = this.item();
      if (typeof last !== 'number') this.fail('a range ends in a set');
      if (last < item) this.fail('a range is in the wrong order');
      ranges.push([item, last]);
    }
    this.at++;
    this.depth--;
    return { points: folded(ranges, sets, options), negated };
  }

  private item(): number | CodePoints {
    if (!this.take('\\')) return this.next();
    return this.namedSet() ?? this.escapedCharacter();
  }

  /** `[a-z-[aeiou]]`: what is taken away stands last. */
  private subtracted(points: CodePoints, negated: boolean, options: Options) {
    const other = this.set(options);
    if (!this.take(']')) this.fail('a subtraction is not the last of its set');
    this.depth--;
    const left = negated ? complement(points) : points;
    const right = other.negated ? complement(other.points) : other.points;
    return { points: without(left, right), negated: false };
  }
}

/** Characters and ranges of a set in all cases, where case is ignored; what a category holds it holds by its name. */
function folded(ranges: CodePoints, sets: readonly CodePoints[], { ignoreCase }: Options): CodePoints {
  // The set of one category stays what it is: whoever comes next knows it again.
  if (ranges.length === 0 && sets.length === 1) return sets[0] as CodePoints;
  const named = union(ranges);
  return union(ignoreCase ? bothCases(named) : named, ...sets);
}

function changed(options: Options, words: string): Options {
  const [on = '', off = ''] = words.toLowerCase().split('-');
  const flag = (letter: string, now: boolean): boolean => (on.includes(letter) || now) && !off.includes(letter);
  return {
    ignoreCase: flag('i', options.ignoreCase),
    multiline: flag('m', options.multiline),
    singleLine: flag('s', options.singleLine),
    spaced: flag('x', options.spaced),
    named: flag('n', options.named),
  };
}

// Regular expressions as objects: an expression with its options, and matches with their groups.

import type { CompiledExpression, MatchedGroup } from '../regular-expressions.ts';
import { refusedFlags } from '../regular-expressions.ts';
import type { Type } from '../types.ts';
import { argumentNull, badArgument, raise } from './exceptions.ts';
import { allocate, charge, expressionCompiler } from './machine.ts';
import { type RuntimeType, runtimeType } from './runtime-types.ts';
import { Sequence, type Value } from './values.ts';

const named = (name: string, ...list: readonly Type[]): Type => ({ kind: 'named', name, arguments: list });
const typeNamed = (name: string): RuntimeType => runtimeType(named(name));

export class RegexObject {
  readonly type = typeNamed('Regex');
  readonly pattern: string;
  readonly options: number;
  readonly compiled: CompiledExpression;

  constructor(pattern: string | null, options: number) {
    this.pattern = pattern ?? argumentNull('pattern');
    this.options = options;
    charge(1000 + 20 * this.pattern.length);
    if ((options & refusedFlags) !== 0) raise('NotSupportedException', 'RightToLeft and ECMAScript are not there.');
    const compiler = expressionCompiler();
    const compiled = compiler === null ? 'There is no matcher here.' : compiler(this.pattern, options);
    this.compiled =
      typeof compiled === 'string'
        ? badArgument(`Invalid pattern '${this.pattern}'. ${compiled}`, 'pattern')
        : compiled;
  }

  /** The first match from a place on. */
  match(text: string, from: number): MatchObject {
    charge(16 + text.length - from);
    const groups = from > text.length ? null : this.compiled.match(text, from);
    return new MatchObject(this, text, groups);
  }

  /** All of them: an empty one is followed by a look one place on. */
  *matches(text: string, from = 0): Generator<MatchObject> {
    for (let match = this.match(text, from); match.isFound; match = match.next()) yield match;
  }

  toText(): string {
    return this.pattern;
  }
}

export class GroupObject {
  readonly type: RuntimeType = typeNamed('Group');
  readonly name: string;
  readonly text: string;
  readonly place: MatchedGroup | null;

  constructor(name: string, text: string, place: MatchedGroup | null) {
    allocate(64);
    this.name = name;
    this.text = text;
    this.place = place;
  }

  get isFound(): boolean {
    return this.place !== null;
  }

  get value(): string {
    return this.place === null ? '' : this.text.slice(this.place.start, this.place.end);
  }

  toText(): string {
    return this.value;
  }
}

export class MatchObject extends GroupObject {
  override readonly type = typeNamed('Match');
  private readonly regex: RegexObject;
  /** By number; null: it does not match. */
  readonly places: readonly (MatchedGroup | null)[] | null;

  constructor(regex: RegexObject, text: string, places: readonly (MatchedGroup | null)[] | null) {
    super('0', text, places?.[0] ?? null);
    this.regex = regex;
    this.places = places;
  }

  next(): MatchObject {
    const { place } = this;
    if (place === null) return this;
    return this.regex.match(this.text, place.end + (place.start === place.end ? 1 : 0));
  }

  group(number: number): GroupObject {
    if (number === 0) return this;
    const { groupNames } = this.regex.compiled;
    return new GroupObject(groupNames[number] ?? String(number), this.text, this.places?.[number] ?? null);
  }

  groupNamed(name: string): GroupObject {
    const number = this.regex.compiled.groupNames.indexOf(name);
    return number < 0 ? new GroupObject(name, this.text, null) : this.group(number);
  }

  get groups(): GroupsObject {
    const { length } = this.regex.compiled.groupNames;
    return new GroupsObject(this, this.isFound ? length : 1);
  }

  /** What a replacement stands for: `$1`, `${name}`, `$&`, `$$` and the rest. */
  expanded(replacement: string): string {
    charge(replacement.length);
    const { text, place } = this;
    const { start, end } = place as MatchedGroup;
    const { groupNames } = this.regex.compiled;
    return replacement.replace(
      /\$(?:(\d+)|\{(\w+)\}|([$&`'+_]))/g,
      (found, number?: string, name?: string, sign?: string) => {
        const asked = number ?? name;
        if (asked !== undefined) {
          const at = /^\d+$/.test(asked) ? Number(asked) : groupNames.indexOf(asked);
          return at >= 0 && at < groupNames.length ? this.group(at).value : found;
        }
        switch (sign) {
          case '$':
            return '$';
          case '&':
            return this.value;
          case '`':
            return text.slice(0, start);
          case "'":
            return text.slice(end);
          case '+':
            return this.group(groupNames.length - 1).value;
          default:
            return text;
        }
      },
    );
  }
}

/** GroupCollection. */
export class GroupsObject extends Sequence {
  readonly type = typeNamed('GroupCollection');
  readonly match: MatchObject;
  private readonly length: number;

  constructor(match: MatchObject, length: number) {
    super();
    this.match = match;
    this.length = length;
  }

  override get count(): number {
    return this.length;
  }

  override at(index: number): Value {
    return this.match.group(index);
  }

  *cursor(): Generator<Value> {
    for (let at = 0; at < this.length; at++) {
      charge(1);
      yield this.match.group(at);
    }
  }
}

// Random fragments that are well typed: expression and statement trees over variables of many types, read from the properties of a
// vertex. The same seed gives the same fragments.

import { type SpanLender, spanNumbers, spanStatements } from './fragment-generator-spans.ts';
import { richStatement } from './fragment-generator-statements.ts';
import {
  boolOfValues,
  doubleOfValues,
  intOfValues,
  type Lender,
  longOfValues,
  type ValueKind,
  valueExpression,
  valueKinds,
  valueLiterals,
  valueVariables,
} from './fragment-generator-values.ts';

export type Random = () => number;

/** Numbers in [0, 1) from a 32-bit seed. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Wide = 'int' | 'uint' | 'long' | 'ulong' | 'float' | 'double';
type Small = 'byte' | 'sbyte' | 'short' | 'ushort' | 'char';
type Kind = Wide | Small | 'bool' | 'string' | 'int?' | 'bool?' | ValueKind;

const wideTypes: readonly Wide[] = ['int', 'uint', 'long', 'ulong', 'float', 'double'];
const integers: readonly Wide[] = ['int', 'uint', 'long', 'ulong'];
const smallTypes: readonly Small[] = ['byte', 'sbyte', 'short', 'ushort', 'char'];

/** The variables by type: name, and the statement that declares it. */
const variables: Readonly<Record<Kind, readonly (readonly [name: string, declaration: string])[]>> = {
  int: [['i', 'v.TryGetProperty(out int i, "age");'], ['j', 'int j = v.Id * 715827883 - 5;'], ['k', 'int k = v.Id;']],
  uint: [['u', 'v.TryGetProperty(out uint u, "ui");'], ['u2', 'var u2 = v.GetOutDegree() - 2u;']],
  long: [['l', 'v.TryGetProperty(out long l, "l");'], ['l2', 'long l2 = v.Id * 3074457345618258603L - 9;']],
  ulong: [['ul', 'v.TryGetProperty(out ulong ul, "ul");']],
  float: [['f', 'v.TryGetProperty(out float f, "f");'], ['f2', 'float f2 = v.Id / 4f - 1;']],
  double: [['d', 'v.TryGetProperty(out double d, "score");'], ['d2', 'double d2 = (v.Id - 2) * 1e9;']],
  byte: [['by', 'v.TryGetProperty(out byte by, "b");']],
  sbyte: [['sb', 'v.TryGetProperty(out sbyte sb, "sb");']],
  short: [['sh', 'v.TryGetProperty(out short sh, "s");']],
  ushort: [['us', 'v.TryGetProperty(out ushort us, "us");']],
  char: [['c', 'v.TryGetProperty(out char c, "c");'], ['c2', 'char c2 = (char)(v.Id + 95);']],
  bool: [['b', 'v.TryGetProperty(out bool b, "active");'], ['b2', 'bool b2 = v.Id % 2 == 0;']],
  string: [['s', 'v.TryGetProperty(out string s, "name");'], ['s2', 'var s2 = v.Label;']],
  'int?': [['n', 'int? n = v.Id % 3 == 0 ? (int?)null : v.Id - 3;']],
  'bool?': [['o', 'bool? o = v.Id % 3 == 0 ? (bool?)null : v.Id % 2 == 0;']],
  ...valueVariables,
}; // biome-ignore format: a table

const literals: Readonly<Record<Kind, readonly string[]>> = {
  int: ['0', '1', '-1', '2', '7', '31', '33', '100', 'int.MaxValue', 'int.MinValue', '0x55aa', '-1000000'],
  uint: ['0u', '1u', '3u', '2147483648u', 'uint.MaxValue', '17u'],
  long: ['0L', '1L', '-1L', '63L', '4294967296L', 'long.MaxValue', 'long.MinValue', '-77777777777L'],
  ulong: ['0UL', '1UL', '9223372036854775808UL', 'ulong.MaxValue', '12345678901234UL'],
  float: ['0f', '1f', '-0.5f', '0.1f', '1e30f', '16777217f', 'float.NaN', 'float.PositiveInfinity', '-1e-40f'],
  double: ['0.0', '-0.0', '1.0', '0.1', '-2.5', '1e300', 'double.NaN', '-1 / 0.0', '4e-320', '9007199254740993.0', '2147483647.5'],
  byte: ['(byte)200'], sbyte: ['(sbyte)-100'], short: ['(short)-32768'], ushort: ['(ushort)65535'],
  char: ["'a'", "'Z'", "'\\u00df'", "'0'", "'\\uffff'"],
  bool: ['true', 'false'],
  string: ['"a"', '""', '"person"', '"\\u00c5ngstr\\u00f6m"', '"Trent"', '" x "', '"n"', '"e"', '"\\U0001F600"', 'null'],
  'int?': ['null', '5'],
  'bool?': ['null', 'true'],
  ...valueLiterals,
}; // biome-ignore format: a table

/** What the compiler to WebAssembly takes (`core`), or more of the language (`whole`): what only the interpreter runs. */
export type Profile = 'core' | 'whole';

export class FragmentGenerator {
  private readonly random: Random;
  private readonly profile: Profile;
  private readonly casing: boolean;
  private readonly used = new Map<string, string>();
  private fresh = 0;

  /** `casing`: whether cases of letters are changed or ignored, which runtimes do in different ways beyond ASCII. */
  constructor(random: Random, profile: Profile, casing = true) {
    this.random = random;
    this.profile = profile;
    this.casing = casing;
  }

  /** A VertexCost. */
  next(): string {
    this.used.clear();
    this.fresh = 0;
    const lines: string[] = [];
    for (let count = this.below(4); count > 0; count--) lines.push(this.statement(2));
    const result = this.result();
    const declared = [...this.used.values()].join(' ');
    const helper = 'int g(int x, int y) => y == 0 ? x - 1 : (x ^ y) % y;';
    return `${helper} return v => { ${declared} ${lines.join(' ')} return ${result}; };`;
  }

  private below(bound: number): number {
    return Math.floor(this.random() * bound);
  }

  private pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  private chance(share: number): boolean {
    return this.random() < share;
  }

  private result(): string {
    const type = this.pick<Kind>([...wideTypes, ...wideTypes, 'bool', 'bool', 'string']);
    const value = this.expression(type, 4);
    if (type === 'bool') return `${value} ? 1 : 0`;
    if (type === 'string') return `((${value}) ?? "").Length`;
    if (type === 'long') return `(int)((${value}) >> 32) * 3.0 + (int)(${value})`;
    return value;
  }

  /** A variable that may be assigned, declared on first use. */
  private variable(type: Kind): string {
    const [name, declaration] = this.pick(variables[type]);
    this.used.set(name, declaration);
    return name;
  }

  expression(type: Kind, depth: number): string {
    if (depth <= 0 || this.chance(0.12)) return this.leaf(type);
    const inner = depth - 1;
    if (this.chance(0.08)) return this.choice(type, inner);
    const values = this.values(type, inner);
    if (values !== null) return values;
    switch (type) {
      case 'int':
        return this.chance(0.45) ? this.special(inner) : this.arithmetic(type, inner);
      case 'uint':
      case 'long':
      case 'ulong':
        return this.arithmetic(type, inner);
      case 'float':
      case 'double':
        return this.chance(0.25) ? this.mathematics(type, inner) : this.arithmetic(type, inner);
      case 'bool':
        return this.condition(inner);
      case 'string':
        return this.text(inner);
      case 'int?':
        return this.pick([
          () => `(${this.expression('int?', inner)} ${this.pick(['+', '-', '*', '&'])} ${this.expression(this.pick(['int', 'int?']), inner)})`,
          () => `(int?)${this.expression('int', inner)}`,
          () => `${this.variable('string')}?.Length`,
        ])(); // biome-ignore format: a table
      case 'bool?':
        return `(${this.expression('bool?', inner)} ${this.pick(['&', '|', '^'])} ${this.expression(this.pick(['bool', 'bool?']), inner)})`;
      default:
        return this.cast(type as Small, inner);
    }
  }

  /** Of the types that are no plain numbers, and at times from them to those. */
  private values(type: Kind, inner: number): string | null {
    const lender: Lender = {
      make: (name) => (name === 'decimal variable' ? this.variable('decimal') : this.expression(name as Kind, inner)),
      pick: (list) => this.pick(list),
      strict: !this.casing,
    };
    if ((valueKinds as readonly Kind[]).includes(type)) return valueExpression(lender, type as ValueKind);
    const ways = { int: intOfValues, long: longOfValues, double: doubleOfValues, bool: boolOfValues }[type as 'int'];
    return ways !== undefined && this.chance(0.2) ? this.pick(ways(lender))() : null;
  }

  private leaf(type: Kind): string {
    if (this.chance(0.7)) return this.variable(type);
    const known = this.casing ? literals[type] : literals[type].filter((text) => !text.endsWith('UtcNow'));
    const literal = this.pick(known);
    return literal === 'null' ? `(${type})null` : `(${literal})`;
  }

  private choice(type: Kind, inner: number): string {
    const value = () => this.expression(type, inner);
    if (this.chance(0.4) && !type.endsWith('?') && type !== 'string') {
      const arms = this.pick([
        '0 => A, 1 => B, _ => C',
        '-1 => A, _ => B',
        '7 when ? => A, 3 => B, _ => C',
        '_ when ? => A, _ => B',
      ]);
      const filled = arms.replace(/[ABC?]/g, (place) => (place === '?' ? this.expression('bool', inner - 1) : value()));
      return `(${this.expression('int', inner)} switch { ${filled} })`;
    }
    return `(${this.expression('bool', inner)} ? ${value()} : ${value()})`;
  }

  private arithmetic(type: Wide, inner: number): string {
    const isInteger = (integers as readonly string[]).includes(type);
    const isSigned = type !== 'uint' && type !== 'ulong';
    const same = () => this.expression(type, inner);
    const made = this.pick([
      () => `(${same()} ${this.pick(isInteger ? ['+', '-', '*', '/', '%', '&', '|', '^'] : ['+', '-', '*', '/', '%'])} ${same()})`,
      () => `(${same()} ${this.pick(['+', '-', '*'])} ${same()})`,
      () => (isInteger ? `(${same()} ${this.pick(['<<', '>>'])} ${this.expression('int', inner)})` : `(-${same()})`),
      () => (isInteger ? `(~${same()})` : `(+${same()})`),
      () => (isSigned ? `(-${same()})` : type === 'uint' ? `(uint)(-${this.expression('uint', inner)})` : same()),
      () => this.cast(type, inner),
      () => this.assignment(type, inner),
    ])(); // biome-ignore format: a table
    return this.chance(0.1) ? `${this.pick(['checked', 'unchecked'])}(${made})` : made;
  }

  private cast(type: Wide | Small, inner: number): string {
    const from = this.pick<Kind>([...wideTypes, ...smallTypes]);
    const cast = `(${type})${this.expression(from, inner)}`;
    return this.chance(0.15) ? `checked(${cast})` : `(${cast})`;
  }

  private assignment(type: Wide, inner: number): string {
    const name = this.variable(type);
    if (this.chance(0.4)) return this.pick([`${name}++`, `(${name}--)`, `(++${name})`, `(--${name})`]);
    return `(${name} ${this.pick(['=', '+=', '-=', '*='])} ${this.expression(type, inner)})`;
  }

  /** Numbers that only int has a way to. */
  private special(inner: number): string {
    const int = () => this.expression('int', inner);
    const text = () => this.expression('string', inner);
    return this.pick([
      () => `(${this.expression(this.pick(smallTypes), inner)} ${this.pick(['+', '-', '*', '%', '^'])} ${this.expression(this.pick(smallTypes), inner)})`,
      () => `g(${int()}, ${int()})`,
      () => `(${this.expression('int?', inner)} ?? ${int()})`,
      () => `(${this.expression('int?', inner)}).GetValueOrDefault(${this.chance(0.5) ? int() : ''})`,
      () => `(${this.expression('int?', inner)}).Value`,
      () => `(${text()} ?? "none").Length`,
      () => `(${text()} ?? "ab").Length`,
      () => `${this.variable('string')}.Length`,
      () => `(${text()} + "abc").IndexOf(${this.chance(0.5) ? text() : this.expression('char', inner)})`,
      () => `(string.CompareOrdinal(${text()}, ${text()}) < 0 ? 1 : 2)`,
      () => `(${text()} + "x")[${int()} & 1]`,
      () => `(${text()} ?? "")[${int()}]`,
      () => `Math.${this.pick(['Max', 'Min'])}(${int()}, ${int()})`,
      () => `Math.Abs(${int()})`,
      () => `(v.OutEdges?.Count ?? ${int()})`,
      () => `(v.OutEdges?.Values.Sum(x => x.Count) ?? ${int()})`,
      () => this.sequence(inner),
      () => this.pick(spanNumbers(this.spans(inner)))(),
      () => `(${this.written(inner)}).Aggregate(7, (a, x) => a * 31 + x)`,
      ...(this.profile === 'whole' ? this.wider(inner) : []),
    ])(); // biome-ignore format: a table
  }

  /** A number out of a chain of LINQ over numbers, in which lambdas read and change variables and may throw. */
  private sequence(inner: number): string {
    const int = () => this.expression('int', Math.min(inner, 1));
    const list = 'System.Collections.Generic.List<int>';
    const source = () =>
      this.pick([
        () => `new[] { ${int()}, ${int()}, ${int()}, 3, 1 }`,
        () => `new ${list} { ${int()}, 2, ${int()}, 2 }`,
        () => `Enumerable.Range(${int()} & 3, ${int()} & 7)`,
        () => `(${this.expression('string', 1)} + "ab").Select(c => (int)c)`,
        () => `Enumerable.Repeat(${int()}, ${int()} & 3)`,
      ])();
    let chain = source();
    for (let steps = Math.floor(this.random() * 4); steps > 0; steps--) {
      const [x, y] = [this.name(), this.name()];
      chain += this.pick([
        () => `.Where(${x} => ${x} % 3 != (${int()} & 1))`,
        () => `.Select(${x} => ${x} ^ ${int()})`,
        () => `.Select((${x}, ${y}) => ${x} + ${y})`,
        () => `.Where((${x}, ${y}) => ${y} % 2 == 0)`,
        () => `.${this.pick(['Take', 'Skip', 'TakeLast', 'SkipLast'])}(${int()} & 3)`,
        () => `.${this.pick(['TakeWhile', 'SkipWhile'])}(${x} => ${x} > ${int()})`,
        () => `.OrderBy${this.pick(['', 'Descending'])}(${x} => ${x} % 5)${this.chance(0.5) ? `.ThenBy(${y} => ${y} ^ ${int()})` : ''}`,
        () => this.pick(['.Distinct()', '.Reverse()', '.DefaultIfEmpty()', '.ToList()', '.ToArray()', '.ToHashSet()']),
        () => `.${this.pick(['Concat', 'Union', 'Except', 'Intersect'])}(${source()})`,
        () => `.${this.pick(['Append', 'Prepend', 'DefaultIfEmpty'])}(${int()})`,
        () => `.SelectMany(${x} => new[] { ${x}, ${int()} })`,
        () => `.Zip(${source()}, (${x}, ${y}) => ${x} ^ ${y})`,
        () => `.GroupBy(${x} => ${x} % 3).Select(${y} => ${y}.Key ^ ${y}.Count())`,
        () => `.ToLookup(${x} => ${x} & 3).SelectMany(${y} => ${y})`,
        () => `.Join(${source()}, ${x} => ${x} & 3, ${x} => ${x} & 3, (${x}, ${y}) => ${x} - ${y})`,
      ])(); // biome-ignore format: a table
      if (chain.endsWith('.Reverse()') && chain.includes('.ToList().Reverse()'))
        chain = chain.replaceAll('.ToList()', '');
    }
    const z = this.name();
    return `(${chain}).AsEnumerable()${this.pick([
      () => '.Sum()',
      () => '.Count()',
      () =>
        `.${this.pick(['First', 'Last', 'Single', 'Max', 'Min', 'FirstOrDefault', 'LastOrDefault', 'SingleOrDefault'])}()`,
      () =>
        `.${this.pick(['First', 'Last', 'Single', 'FirstOrDefault', 'Count', 'Sum', 'Max', 'Min'])}(${z} => ${z} ${this.chance(0.5) ? '> 2 ? ' : '< 0 ? '}TT)`,
      () => `.ElementAtOrDefault(${int()} & 3)`,
      () => `.Aggregate(7, (${z}, ${z}a) => ${z} * 31 + ${z}a)`,
      () => `.Aggregate((${z}, ${z}a) => ${z} * 31 + ${z}a + ${int()})`,
    ])()}`
      .replace(/\.(First|Last|Single|FirstOrDefault|Count)\((\w+) => (.*) \? TT\)$/, '.$1($2 => $3)')
      .replace('TT', `${z} : ${int()}`);
  }

  /** A value of any type as a text, in some way. */
  private written(inner: number): string {
    const kinds: readonly Kind[] = [...wideTypes, ...smallTypes, 'bool', 'string', 'int?'];
    const value = () => this.expression(this.pick(kinds), inner);
    const real = () => this.expression(this.pick<Kind>(['double', 'float']), inner);
    const realFormat = this.pick(['F2', 'E3', 'N1', 'G5', 'P0', '0.0##', '#,##0.00;(0.0)', '0.##E+0', 'R']);
    return this.pick([
      () => `${value()} + ""`,
      () => `$"{${value()}}|{${value()},5}|{${value()},-7}"`,
      () => `(${real()}).ToString("${realFormat}")`,
      () => `string.Join(${this.expression('string', inner)}, ${value()}, ${value()}, ${value()})`,
    ])();
  }

  /** What only the interpreter runs. */
  private wider(inner: number): readonly (() => string)[] {
    const int = () => this.expression('int', inner);
    const any = () => this.expression(this.pick<Kind>([...wideTypes, ...smallTypes, 'bool', 'string', 'int?']), inner);
    return [
      () => `Math.Sign(${this.expression(this.pick<Kind>(['int', 'long', 'double']), inner)})`,
      () => `$"{${any()}}|{${int()},5}|{${this.expression('double', inner)}:F2}".Length`,
      () => `(${any()} + "").Aggregate(7, (a, x) => a * 31 + x)`,
      () => `new[] { ${int()}, ${int()}, ${int()} }.OrderBy(x => x % 7).ThenBy(x => x).First()`,
      () => `Enumerable.Range(0, 4).Select(x => x * ${int()}).Where(x => x % 2 == 0).Count()`,
      () => `new[] { ${int()}, ${int()} }[${int()} & 1]`,
      () => `(int)((decimal)${int()} / 7 * 3 % 1000)`,
      () => `(${int()}, ${any()}).Item1`,
      () => `((Func<int, int>)(x => x ^ ${int()}))(${int()})`,
      () => `new[] { ${any()} }.GroupBy(x => x).Count()`,
    ];
  }

  private mathematics(type: 'float' | 'double', inner: number): string {
    const value = () => this.expression(type, inner);
    const one = `Math.${this.pick(['Abs', 'Sqrt', 'Floor', 'Ceiling', 'Truncate', 'Round'])}(${value()})`;
    const two = `Math.${this.pick(['Max', 'Min'])}(${value()}, ${value()})`;
    return type === 'float' ? `((float)${this.chance(0.6) ? one : two})` : this.chance(0.6) ? one : two;
  }

  private condition(inner: number): string {
    const bool = () => this.expression('bool', inner);
    const text = () => this.expression('string', inner);
    const type = this.pick<Kind>([...wideTypes, ...smallTypes]);
    const ignoring = this.pick([
      '',
      ', StringComparison.Ordinal',
      this.casing ? ', StringComparison.OrdinalIgnoreCase' : '',
    ]);
    return this.pick([
      () => `(${this.expression(type, inner)} ${this.pick(['<', '<=', '>', '>=', '==', '!='])} ${this.expression(type, inner)})`,
      () => `(${this.expression('int', inner)} ${this.pick(['<', '>='])} ${this.expression(this.pick<Kind>(['long', 'double', 'byte', 'uint', 'float', 'char']), inner)})`,
      () => `(${bool()} ${this.pick(['&&', '||', '&', '|', '^', '==', '!='])} ${bool()})`,
      () => `(!${bool()})`,
      () => `(${text()} ${this.pick(['==', '!='])} ${text()})`,
      () => `(${text()} + "").${this.pick(['Contains', 'StartsWith', 'EndsWith'])}(${text()}${ignoring})`,
      () => `string.${this.pick(['IsNullOrEmpty', 'IsNullOrWhiteSpace'])}(${text()})`,
      () => `string.Equals(${text()}, ${text()}${ignoring})`,
      () => `(${this.expression('int?', inner)} ${this.pick(['<', '>=', '==', '!='])} ${this.expression(this.pick(['int', 'int?']), inner)})`,
      () => `(${this.expression('bool?', inner)} ${this.pick(['==', '!='])} ${this.expression(this.pick(['bool', 'bool?']), inner)})`,
      () => `(${this.expression('int?', inner)}).HasValue`,
      () => `(${text()} is string ${this.name()} && ${bool()})`,
      () => `(${this.expression('int?', inner)} is int ${this.name()})`,
      () => `(v.OutEdges != null && v.OutEdges.Values.Any(x => x.Any(e => e.TargetVertex.Id > ${this.pick(['v.Id', '1', '3'])})))`,
      () => `(v.TryGetOutEdge(out var ${this.name()}, "knows") || ${bool()})`,
    ])(); // biome-ignore format: a table
  }

  private spans(inner: number): SpanLender {
    return {
      make: (kind) => this.expression(kind as Kind, inner),
      pick: (list) => this.pick(list),
      name: () => this.name(),
      target: () => this.variable('int'),
    };
  }

  private name(): string {
    return `z${this.fresh++}`;
  }

  private text(inner: number): string {
    const text = () => this.expression('string', inner);
    return this.pick([
      () => `(${text()} + ${text()})`,
      () => `(${text()} ?? ${text()})`,
      () => `(${text()} + "ab").Substring(${this.expression('int', inner)} & 1)`,
      () => `(${text()} ?? "ab").Substring(${this.expression('int', inner)}, 1)`,
      () => `${this.variable('string')}?.Trim()`,
      () => `(${text()} + "").${this.pick(['TrimEnd', 'TrimStart', ...(this.casing ? ['ToUpper', 'ToLower'] : [])])}()`,
      () => 'v.Label',
    ])();
  }

  private rich(inner: number): string {
    return richStatement({
      make: (type) => this.expression(type as Kind, 1),
      pick: (list) => this.pick(list),
      chance: (share) => this.chance(share),
      name: () => this.name(),
      variable: (type) => this.variable(type as Kind),
      statement: () => this.statement(inner),
      strict: !this.casing,
    });
  }

  statement(depth: number): string {
    const inner = depth - 1;
    const body = () =>
      depth <= 0 ? ';' : `{ ${this.statement(inner)} ${this.chance(0.4) ? this.statement(inner) : ''} }`;
    const assign = () => {
      const type = this.pick<Wide>(wideTypes);
      return `${this.variable(type)} ${this.pick(['=', '+=', '-=', '*='])} ${this.expression(type, 2)};`;
    };
    if (depth <= 0) return assign();
    if (this.chance(0.45)) return this.rich(inner);
    const loop = this.name();
    return this.pick([
      assign,
      () => `if (${this.expression('bool', 2)}) ${body()} else ${body()}`,
      () => `if (${this.expression('bool', 2)}) return ${this.expression(this.pick(wideTypes), 2)};`,
      () => `for (var ${loop} = 0; ${loop} < 3; ${loop}++) { ${this.chance(0.3) ? `if (${this.expression('bool', 1)}) ${this.pick(['break', 'continue'])};` : ''} ${this.statement(inner)} }`,
      () => `{ var ${loop} = 3; while (${loop}-- > 0) ${body()} }`,
      () => `{ var ${loop} = 0; do ${body()} while (++${loop} < 2 && ${this.expression('bool', 1)}); }`,
      () => `switch (${this.expression('int', 2)}) { case 0: ${assign()} break; case 1: case -1: ${assign()} break; default: ${assign()} break; }`,
      () => `switch (${this.expression('string', 1)}) { case "person": ${assign()} break; case null: ${assign()} break; case string ${loop} when ${loop}.Length > 4: i += ${loop}.Length; break; }`.replace('i +=', () => `${this.variable('int')} +=`),
      () => `foreach (var ${loop} in ${this.expression('string', 1)} ?? "ab") { ${this.variable('int')} += ${loop}; }`,
      () => this.pick(spanStatements(this.spans(1)))(),
      () => `checked { ${this.variable('int')} ${this.pick(['+=', '-=', '*='])} ${this.variable('int')}; }`,
      ...(this.profile === 'whole' ? [() => `try { ${this.statement(inner)} } catch (${this.pick(['DivideByZeroException', 'OverflowException', 'Exception', 'NullReferenceException'])}) { ${assign()} } finally { ${assign()} }`] : []),
    ])(); // biome-ignore format: a table
  }
}

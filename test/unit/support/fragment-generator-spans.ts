// Spans, grids and jagged arrays in random fragments: numbers out of them, and statements that change them.

/** What a generator lends: expressions of a type, choices, new names, and a variable of int to assign to. */
export interface SpanLender {
  readonly make: (kind: string) => string;
  readonly pick: <T>(list: readonly T[]) => T;
  readonly name: () => string;
  readonly target: () => string;
}

/** Types whose values are looked for. */
const kinds = ['int', 'int', 'uint', 'long', 'ulong', 'float', 'double', 'byte', 'short', 'char', 'bool', 'string', 'decimal', 'DateTime', 'Guid']; // biome-ignore format: a list
const numbers = ['int', 'uint', 'long', 'ulong', 'float', 'double', 'byte', 'sbyte', 'short', 'ushort'];

function arrayOf({ make, pick }: SpanLender, kind: string): string {
  const items = Array.from({ length: pick([0, 1, 3, 4]) }, () => make(kind));
  return items.length === 0 ? `new ${kind}[0]` : `new ${kind}[] { ${items.join(', ')} }`;
}

function spanOf(lender: SpanLender, kind: string): string {
  const { make, pick } = lender;
  const small = () => `${make('int')} & 3`;
  return `${arrayOf(lender, kind)}${pick([
    () => '.AsSpan()',
    () => `.AsSpan(${small()})`,
    () => `.AsSpan(1, ${small()})`,
    () => '.AsSpan()[..^1]',
    () => `.AsSpan()[(${small()})..]`,
    () => `.AsSpan().Slice(${small()}, ${small()})`,
  ])()}`;
}

/** Expressions of int. */
export function spanNumbers(lender: SpanLender): readonly (() => string)[] {
  const { make, pick } = lender;
  const kind = pick(kinds);
  const span = () => spanOf(lender, kind);
  const text = () => `(${make('string')} ?? "xyx")`;
  const small = () => `${make('int')} & 3`;
  const grid = () => `(new[,] { { ${make('int')}, ${make('int')} }, { ${make('int')}, 7 } })`;
  return [
    () => `${span()}.Length`,
    () => `${span()}.${pick(['IndexOf', 'LastIndexOf'])}(${make(kind)})`,
    () => `${span()}.IndexOf(${arrayOf(lender, kind)})`,
    () =>
      `(${span()}.${pick(['SequenceEqual', 'StartsWith', 'EndsWith'])}(${arrayOf(lender, kind)}) ? ${make('int')} : 2)`,
    () => `(${span()}.Contains(${make(kind)}) ? ${make('int')} : 2)`,
    () => `${span()}.ToArray().Length`,
    () => `${spanOf(lender, 'int')}[${pick([small, () => '^1', () => '0'])()}]`,
    () => `${grid()}[${small()}, ${make('int')} & 1]`,
    () => `${grid()}.${pick(['GetLength', 'GetUpperBound'])}(${small()})`,
    () => `new[] { ${arrayOf(lender, 'int')}, null, new int[] { ${make('int')} } }[${small()}]?.Length ?? -1`,
    () => `${text()}.AsSpan(${small()}).${pick(['IndexOf', 'LastIndexOf'])}(${make('char')})`,
    () => `${text()}.AsSpan().${pick(['Trim', 'TrimStart', 'TrimEnd'])}().Length`,
    () => `(${text()}.AsSpan().SequenceEqual(${make('string')}) ? 3 : ${make('int')})`,
    () => `${text()}.AsSpan(${small()}).ToString().Length`,
    () => `(int.TryParse(${text()}.AsSpan(), out var ${lender.name()}) ? 1 : 0)`,
  ].map((make) => () => `(${make()})`);
}

/** Statements that change the items of a span or a grid, and fold them into a variable of int. */
export function spanStatements(lender: SpanLender): readonly (() => string)[] {
  const { make, pick, name, target } = lender;
  const kind = pick(numbers);
  const small = () => `(${make('int')} & 3)`;
  const fold = (over: string): string => {
    const [item, into] = [name(), target()];
    return `foreach (var ${item} in ${over}) ${into} = ${into} * 31 + ${item}.GetHashCode();`;
  };
  const changes = (span: string): string =>
    pick([
      () => `${span}[${small()}] ${pick(['=', '+=', '-=', '*='])} ${make(kind)};`,
      () => `${span}[${small()}]++;`,
      () => `${span}[^1]--;`,
      () => `${span}[1..${small()}].Fill(${make(kind)});`,
      () => `${span}.Slice(${small()}).Reverse();`,
      () => `${span}[..2].CopyTo(${span}[${small()}..]);`,
      () => `${target()} += ${span}[1..].TryCopyTo(${span}[${small()}..]) ? 1 : 0;`,
      () => `${span}.Slice(1, ${small()}).Clear();`,
      () => `${span} = ${span}[${small()}..];`,
      () => `${span} = ${make('bool')} ? ${span} : ${arrayOf(lender, kind)};`,
    ])();
  const items = () => Array.from({ length: 4 }, () => make(kind)).join(', ');
  return [
    () => {
      const span = name();
      const made = pick([`new ${kind}[] { ${items()} }`, `stackalloc ${kind}[4]`, `new ${kind}[${small()}]`]);
      return `{ Span<${kind}> ${span} = ${made}; ${changes(span)} ${changes(span)} ${fold(span)} }`;
    },
    () => {
      const grid = name();
      const [a, b] = [() => `${make('int')} & 1`, () => `${make('int')} & 3`];
      const assign = () => `${grid}[${a()}, ${b()}] = ${make(kind)};`;
      return `{ var ${grid} = new ${kind}[${a()}, 3]; ${assign()} ${assign()} ${grid}[0, 0]++; ${fold(grid)} }`;
    },
    () => {
      const [rows, row] = [name(), name()];
      const made = `new[] { new ${kind}[] { ${items()} }, new ${kind}[${small()}], null }`;
      return `{ var ${rows} = ${made}; ${rows}[${small()}][1]++; foreach (var ${row} in ${rows}) { if (${row} == null) break; ${fold(row)} } }`;
    },
  ];
}

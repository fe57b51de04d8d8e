// What the tests of texts run over: a graph whose vertices hold random values of every type, and expressions that write them.

import type { GraphFile } from './fragment-corpus.ts';
import type { Random } from './fragment-generator.ts';

/** A hash of a text. */
export const hashFunction =
  'int h(string t) { if (t == null) return -1; var a = 7; foreach (var x in t) a = a * 31 + x; return a; }';

const bits = new DataView(new ArrayBuffer(8));

function randomBits(random: Random): bigint {
  bits.setUint32(0, random() * 2 ** 32);
  bits.setUint32(4, random() * 2 ** 32);
  return bits.getBigUint64(0);
}

/** A double of random bits, or one near what people write. */
function double(random: Random): number {
  const pick = random();
  if (pick < 0.1) return [0, -0, 0.1, 0.5, -1.5, 2.5, 1e15, 1e16, 1e17, 1e-5, 123456.789, 1e23, 2 ** 53 + 2][Math.floor(random() * 13)] as number; // biome-ignore format: a list
  if (pick < 0.5) return Math.round((random() - 0.5) * 10 ** (random() * 12)) / 10 ** Math.floor(random() * 6);
  bits.setBigUint64(0, randomBits(random));
  const value = bits.getFloat64(0);
  return Number.isFinite(value) ? value : 0.25;
}

function single(random: Random): number {
  if (random() < 0.5) return Math.fround(double(random)) === Number.POSITIVE_INFINITY ? 1 : clampSingle(double(random));
  bits.setUint32(0, random() * 2 ** 32);
  const value = bits.getFloat32(0);
  return Number.isFinite(value) ? value : 0.25;
}

function clampSingle(value: number): number {
  const rounded = Math.fround(value);
  return Number.isFinite(rounded) ? rounded : 3;
}

function whole(random: Random, width: number, signed: boolean): string {
  const word = randomBits(random) >> BigInt(Math.floor(random() * 63));
  return String(signed ? BigInt.asIntN(width, random() < 0.5 ? word : -word) : BigInt.asUintN(width, word));
}

/** A DateTime's text over the whole range, with or without a kind. */
/** Up to a moment before the end of the year 9999. */
function date(random: Random): string {
  const ticks = BigInt(Math.floor(random() * 2 ** 31)) * 1_469_337_000n + BigInt(Math.floor(random() * 2 ** 30));
  const pieces = random() < 0.3 ? ticks - (ticks % 10_000_000n) : ticks;
  const seconds = pieces / 10_000_000n;
  const moment = new Date(Number(seconds) * 1000 - 62_135_596_800_000);
  const clock = moment.toISOString().slice(0, 19);
  const fraction = String(pieces % 10_000_000n).padStart(7, '0');
  return `${clock}.${fraction}${random() < 0.3 ? 'Z' : ''}`;
}

function span(random: Random): string {
  const ticks = BigInt.asIntN(64, randomBits(random)) >> BigInt(Math.floor(random() * 40));
  const size = ticks < 0n ? -ticks : ticks;
  const two = (value: bigint) => String(value).padStart(2, '0');
  const clock = `${two((size / 36_000_000_000n) % 24n)}:${two((size / 600_000_000n) % 60n)}:${two((size / 10_000_000n) % 60n)}`;
  const days = size / 864_000_000_000n;
  const tail = random() < 0.3 ? '' : `.${String(size % 10_000_000n).padStart(7, '0')}`;
  return `${ticks < 0n ? '-' : ''}${days}.${clock}${tail}`;
}

function decimal(random: Random): string {
  const digits = whole(random, 96, true).replace('-', '');
  const scale = Math.floor(random() * 12);
  const padded = digits.padStart(scale + 1, '0');
  const text = scale === 0 ? padded : `${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
  return random() < 0.5 ? `-${text}` : text;
}

function guid(random: Random): string {
  const digits = `${randomBits(random).toString(16).padStart(16, '0')}${randomBits(random).toString(16).padStart(16, '0')}`;
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const texts = [
  'Trent', 'Ångström', '', ' x ', '😀 smile', 'aaa', 'Straße', 'PERSON', 'hello world', 'a,b,,c', '12', ' -7 ', '1e5', '0.5', 'true',
  'FF', '\t tab\n', 'abcabcabc', 'ÅNGSTRÖM', 'x'.repeat(70), '½x²', '٣٤', '2020-02-29', '1,234.5', '99999999999', 'é😀é😀', '{0}', '#',
]; // biome-ignore format: a list

export function randomText(random: Random): string {
  if (random() < 0.6) return texts[Math.floor(random() * texts.length)] as string;
  const letters = ['a', 'b', 'c', ' ', 'é', '😀', 'A', ',', '1', 'ß', '.', '-'];
  const length = Math.floor(random() * 12);
  return Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join('');
}

/** Vertices with a value of every type that a fragment reads. */
export function valueGraph(random: Random, count: number): GraphFile {
  const unit = () =>
    String.fromCharCode([97, 90, 48, 0xdf, 0x20, 0x3a3, 0x2028, 0xffff][Math.floor(random() * 8)] ?? 97);
  const types: readonly [key: string, type: string, value: () => string][] = [
    ['i', 'Int32', () => whole(random, 32, true)],
    ['j', 'Int32', () => String(Math.floor(random() * 12) - 3)],
    ['ui', 'UInt32', () => whole(random, 32, false)],
    ['l', 'Int64', () => whole(random, 64, true)],
    ['ul', 'UInt64', () => whole(random, 64, false)],
    ['by', 'Byte', () => whole(random, 8, false)],
    ['sb', 'SByte', () => whole(random, 8, true)],
    ['sh', 'Int16', () => whole(random, 16, true)],
    ['us', 'UInt16', () => whole(random, 16, false)],
    ['f', 'Single', () => String(single(random))],
    [
      'd',
      'Double',
      () =>
        random() < 0.1
          ? (['NaN', 'Infinity', '-Infinity'][Math.floor(random() * 3)] as string)
          : String(double(random)),
    ],
    ['b', 'Boolean', () => String(random() < 0.5)],
    ['c', 'Char', unit],
    ['dt', 'DateTime', () => date(random)],
    ['ts', 'TimeSpan', () => span(random)],
    ['m', 'Decimal', () => decimal(random)],
    ['g', 'Guid', () => guid(random)],
    [
      'z',
      'DateTimeOffset',
      () => {
        const [day, zone] = [date(random).replace('Z', ''), ['+00:00', '+05:30', '-11:00'][Math.floor(random() * 3)]];
        // Where the calendar ends there is no such moment in another zone.
        return `${day}${/^(0001-01-01|9999-12-31)/.test(day) ? '+00:00' : zone}`;
      },
    ],
    ['s', 'String', () => randomText(random)],
    ['t', 'String', () => randomText(random)],
  ];
  return {
    modified: 1_700_000_000,
    queryVector: [1],
    edges: [],
    vertices: Array.from({ length: count }, () => ({
      label: null,
      created: 1_600_000_000,
      properties: types.map(([key, type, value]) => [key, type, value()] as const),
    })),
  };
}

export interface TextCase {
  /** Arguments of TryGetProperty. */
  readonly reads: readonly string[];
  /** An expression of type string. */
  readonly text: string;
}

const reads: Readonly<Record<string, string>> = {
  i: 'int i, "i"', j: 'int j, "j"', ui: 'uint ui, "ui"', l: 'long l, "l"', ul: 'ulong ul, "ul"', by: 'byte by, "by"', sb: 'sbyte sb, "sb"', sh: 'short sh, "sh"',
  us: 'ushort us, "us"', f: 'float f, "f"', d: 'double d, "d"', b: 'bool b, "b"', c: 'char c, "c"', dt: 'DateTime dt, "dt"',
  ts: 'TimeSpan ts, "ts"', m: 'decimal m, "m"', g: 'Guid g, "g"', z: 'DateTimeOffset z, "z"', s: 'string s, "s"', t: 'string t, "t"',
}; // biome-ignore format: a table

/** A case over the variables named by whole words of the expression, and by those in its literals. */
export function textCase(text: string): TextCase {
  const used = new Set(text.match(/\b[a-z]+\b/g) ?? []);
  return {
    reads: Object.keys(reads)
      .filter((name) => used.has(name))
      .map((name) => reads[name] as string),
    text,
  };
}

const numberFormats = [
  'C', 'E', 'F', 'G', 'N', 'P', 'R', 'c3', 'e10', 'E0', 'F0', 'F1', 'F3', 'f20', 'G1', 'G3', 'g5', 'G15', 'G17', 'G20', 'N0', 'n4', 'P0', 'P3', 'F60', 'E25',
  '0', '#', '0.00', '#.##', '#,##0', '#,##0.00', '0.0###', '00000', '0%', '0.0‰', '0,', '#,,', '0.00;(0.00)', '0;neg;zero', '#;-#;', '0.###E+0', '0.0e-00',
  '##0.0#E0', "'x'0\\#0", '"q"#', '000-00-0000', '#,#,,0', '0.#;;#', 'a0b', '.00', '0..0', '#E+00', '€0', '0;', ';0',
]; // biome-ignore format: a list
const integerFormats = ['D', 'd5', 'D25', 'X', 'x', 'X4', 'x20'];
const dateFormats = [
  'd', 'D', 'f', 'F', 'g', 'G', 'm', 'M', 'o', 'O', 'r', 'R', 's', 't', 'T', 'u', 'U', 'y', 'Y', 'yyyy-MM-dd', 'yy/M/d H:m:s', 'ddd dddd MMM MMMM',
  'hh:mm tt', 'h t', 'fff', 's.fffffff', 's.FFFFFFF', 'ss.FFF', 'HH.FF', '%d', '%M', 'yyyyy', 'y', 'zzz', '%z', 'zz', '%K', 'yyyyK', "'lit'dd", '"q"dd', 'dd\\d', 'gg yyyy', 'é dd',
  'dddddd', 'HHH',
]; // biome-ignore format: a list
const spanFormats = [
  'c',
  't',
  'T',
  'g',
  'G',
  'hh\\:mm',
  'd\\.hh',
  "d' days'",
  'dddddddd',
  '%h',
  'ss\\.fff',
  'ss\\.FFF',
  'FFFFFFF',
  '%F',
  '%s',
];
const wrongFormats = ['Q', 'z4', 'W'];

/** Every type under every format, and more. */
export function textCases(random: Random): TextCase[] {
  const literal = (format: string) => JSON.stringify(format);
  const integers = ['i', 'ui', 'l', 'ul', 'by', 'sb', 'sh', 'us'];
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const lines: string[] = [
    ...['i', 'j', 'ui', 'l', 'ul', 'by', 'sb', 'sh', 'us', 'f', 'd', 'b', 'c', 'dt', 'ts', 'm', 'g', 'z'].flatMap((name) => [
      `${name}.ToString()`,
      `$"{${name}}|{${name},12}|{${name},-12}|"`,
      `"a" + ${name} + "b"`,
    ]),
    ...['d', 'f', 'm'].flatMap((name) => [...numberFormats, ...wrongFormats, 'D3', 'X'].map((format) => `${name}.ToString(${literal(format)})`)),
    ...[...numberFormats, ...integerFormats, ...wrongFormats].flatMap((format) =>
      [pick(integers), pick(integers), 'i'].map((name) => `${name}.ToString(${literal(format)})`),
    ),
    ...dateFormats.map((format) => `dt.ToString(${literal(format)})`),
    ...dateFormats.map((format) => `z.ToString(${literal(format)})`),
    ...['D', 'n', 'B', 'p', 'X', 'Q', 'DD'].map((format) => `g.ToString(${literal(format)})`),
    ...spanFormats.map((format) => `ts.ToString(${literal(format)})`),
    ...wrongFormats.flatMap((format) => [`dt.ToString(${literal(format)})`, `ts.ToString(${literal(format)})`]),
    'dt.ToShortDateString() + dt.ToLongDateString() + dt.ToShortTimeString() + dt.ToLongTimeString()',
    '$"{s}{t}|{s,8}|{t,-8}|{c}{c,3}"',
    '$"{(s.Length > 3 ? (int?)i : null)}|{(s.Length > 3 ? (int?)i : null),6}|{(l > 0 ? (long?)l : null),-30:N1}"',
    's + t + s', 's + c + t', '(s + null) + t', '"\\ud83d" + c + "\\ude00" + s', '$"{"\\ud83d"}{"\\ude00"}{c}"',
    'string.Join(",", s, t, "x", null)', 'string.Join(c, i, d, s, null)', "string.Join('|', s, t)", 'string.Join(s, t)', 'string.Concat(i, d, b, c)', 'string.Concat(s, t, s, t, s)',
    'string.Join("-", s.Select(x => x))', 'string.Join(", ", s.Where(x => x > 98).Select(x => (int)x))', 'string.Concat(s.Select(x => x + "."))',
    'string.Format("{0:F2}|{1,10}|{2,-5}|{{x}}", d, i, s)', 'string.Format("{1}{0}{1:X}", s, i)', 'string.Format("{0}", (object)null)', 'string.Format("{2}", i, j)',
    '$"{d:F2}{f:E3}{i:D8}{l:N0}{ul:X}{dt:yyyy-MM-dd}{ts:g}{b}{c}"', 'i.ToString("N" + (j & 3))', 'd.ToString(s)', 'i.ToString(t)',
    '((DayOfWeek)j).ToString()', '$"{(DateTimeKind)j}|{(DayOfWeek)j,10}|{(DayOfWeek)j:D}|{(DayOfWeek)j:X}"', 'v.ToString() + v', 'Convert.ToString(d) + Convert.ToString(i) + Convert.ToString(b)',
  ]; // biome-ignore format: a list
  return [...lines, ...memberLines()].map(textCase);
}

const netNames: Readonly<Record<string, string>> = {
  int: 'Int32', uint: 'UInt32', long: 'Int64', ulong: 'UInt64', byte: 'Byte', sbyte: 'SByte', short: 'Int16', ushort: 'UInt16', float: 'Single', double: 'Double', decimal: 'Decimal',
  bool: 'Boolean',
}; // biome-ignore format: a table

/** String's and Char's members, and what reads texts. */
function memberLines(): string[] {
  const numbers = [
    's.IndexOf(c)', 's.IndexOf(c, j)', 's.IndexOf(c, j, 2)', 's.IndexOf(t)', 's.IndexOf(t, j)', 's.IndexOf("a", j)', 's.IndexOf("é", j, 3)', 's.IndexOf("", j)', 's.IndexOf("A", StringComparison.OrdinalIgnoreCase)',
    's.IndexOf("B", j, StringComparison.OrdinalIgnoreCase)', 's.IndexOf("É", j, 2, StringComparison.InvariantCultureIgnoreCase)', 's.IndexOf(\'A\', StringComparison.OrdinalIgnoreCase)', 's.LastIndexOf(c)',
    's.LastIndexOf(\'a\', j)', 's.LastIndexOf(\'a\', j, 2)', 's.LastIndexOf(t)', 's.LastIndexOf("a")', 's.LastIndexOf("a", j)', 's.LastIndexOf("a", j, 2)', 's.LastIndexOf("")', 's.LastIndexOf("", j)', 's.LastIndexOf("é", StringComparison.OrdinalIgnoreCase)',
    's.IndexOfAny(new[] { \'b\', c })', 's.IndexOfAny(new[] { \'b\', \'é\' }, j)', 's.IndexOfAny(new[] { \'b\' }, j, 3)', 's.LastIndexOfAny(new[] { \'b\', c })', 's.LastIndexOfAny(new[] { \'b\', \' \' }, j)', 's.IndexOfAny(null)',
    'string.Compare(s, t)', 'string.Compare(s, t, true)', 'string.Compare(s, t, StringComparison.OrdinalIgnoreCase)', 'string.CompareOrdinal(s, t)', 's.CompareTo(t)', 's.CompareTo(null)', 'string.Compare(s, j, t, 1, 3)',
    'string.CompareOrdinal(s, 1, t, j, 2)', 'string.Compare(s, 0, t, 0, j, StringComparison.OrdinalIgnoreCase)', 'StringComparer.Ordinal.Compare(s, t)', 'StringComparer.OrdinalIgnoreCase.Compare(s, t)', 'string.Compare(s, t, (StringComparison)j)',
    'char.GetNumericValue(c)', 'char.GetNumericValue(s, j)', 'char.ConvertToUtf32(s, j)', 'char.ConvertToUtf32(c, s[0])', 'c.CompareTo(s[0])',
  ]; // biome-ignore format: a list
  const truths = [
    's.Contains(c, StringComparison.OrdinalIgnoreCase)', 'StringComparer.OrdinalIgnoreCase.Equals(s, t)', 'StringComparer.Ordinal.Equals(s, t)', 'char.IsSurrogatePair(s, j)', 'c.Equals(s[0])', 'char.IsSurrogatePair(c, s[0])', 's.Equals(t, (StringComparison)(j & 7))',
    ...['Control', 'Digit', 'Letter', 'LetterOrDigit', 'Lower', 'Number', 'Punctuation', 'Separator', 'Surrogate', 'Symbol', 'Upper', 'WhiteSpace', 'HighSurrogate', 'LowSurrogate'].flatMap((name) => [`char.Is${name}(c)`, `char.Is${name}(s, j)`, `char.Is${name}((char)us)`, `char.Is${name}((char)by)`]),
    ...['Ascii', 'AsciiDigit', 'AsciiLetter', 'AsciiLetterLower', 'AsciiLetterUpper', 'AsciiLetterOrDigit', 'AsciiHexDigit'].map((name) => `char.Is${name}((char)by)`),
  ].filter((line) => !line.startsWith('char.IsSurrogatePair(s') && !line.startsWith('s.Equals(t, (')); // biome-ignore format: a list
  const texts = [
    's.Remove(j)', 's.Remove(j, 2)', 's.Insert(j, t)', 's.Insert(j, null)', 's.PadLeft(j + 9)', 's.PadLeft(j, c)', 's.PadLeft(14, c)', 's.PadRight(12) + "|"', 's.PadRight(14, c)', 's.Replace(\'a\', c)', 's.Replace("a", t)', 's.Replace("abc", "")', 's.Replace(t, "-")', 's.Replace("a", null)', 's.Replace("", "x")',
    's.Replace("A", t, StringComparison.OrdinalIgnoreCase)', 's.Replace("é", "e")', 'new string(c, j)', 'new string(s.ToCharArray())', 'new string(s.ToCharArray(), j, 2)', 'new string(s.ToCharArray(j, 2))', 'new string((char[])null)', 's.Trim(\'a\')', 's.Trim(\'a\', \' \', \'é\')', 's.TrimStart(c)', 's.TrimEnd(\'x\', \'c\')',
    's.Trim(null)', 's.Trim(new char[0])', 's.TrimStart()', 's.TrimEnd()', 's.Trim()', 's.ToUpper() + t.ToLower()', 's.ToUpperInvariant()', 't.ToLowerInvariant()', 'string.Join("|", s.Split(\',\'))', 'string.Join("|", s.Split(\'a\', \' \'))', 'string.Join("|", s.Split())', 'string.Join("|", s.Split((char[])null))', 'string.Join("|", s.Split("ab"))',
    'string.Join("|", s.Split(\' \', StringSplitOptions.RemoveEmptyEntries))', 'string.Join("|", s.Split(\'a\', j))', 'string.Join("|", s.Split(\',\', j, StringSplitOptions.RemoveEmptyEntries))', 'string.Join("|", s.Split(new[] { "ab", "a", "é" }, StringSplitOptions.None))',
    'string.Join("|", s.Split(new[] { "c", null, "" }, 3, StringSplitOptions.RemoveEmptyEntries))', 'string.Join("|", s.Split(new[] { \'b\', \'c\' }, 2))', 'string.Join("|", s.Split("bc", 2, StringSplitOptions.TrimEntries))', 'string.Join("|", s.Split(\'c\', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))',
    'char.ConvertFromUtf32(i & 0x1fffff)', 'char.ToUpper(c) + "" + char.ToLower(c) + char.ToUpper((char)us) + char.ToLower((char)us) + char.ToUpperInvariant(c) + char.ToLowerInvariant(c)', 's[j].ToString()', 'char.Parse(s).ToString()', 'char.TryParse(s, out var one) ? one + "!" : "none"',
  ]; // biome-ignore format: a list
  const parsing = ['int', 'uint', 'long', 'ulong', 'byte', 'sbyte', 'short', 'ushort', 'float', 'double', 'decimal', 'bool', 'TimeSpan'].flatMap((type) => [
    `${type}.Parse(s)`,
    `(${type}.TryParse(t, out var read) ? read + "!" : read + "?")`,
    `${type}.Parse(" " + ${type === 'bool' ? 'b' : type === 'TimeSpan' ? 'ts' : 'i'} + "\\n")`,
    ...(type === 'TimeSpan' ? [] : [`Convert.To${netNames[type]}(t)`, `Convert.To${netNames[type]}((string)null)`]),
  ]); // biome-ignore format: a list
  const more = [
    'double.Parse(d.ToString())', 'float.Parse(f.ToString())', 'float.Parse(d.ToString("G7"))', 'decimal.Parse(m.ToString())', 'double.Parse(m.ToString())', 'long.Parse(l.ToString())', 'ulong.Parse(ul.ToString())', 'double.Parse(d.ToString("N3"))', 'DateTime.Parse(dt.ToString())', 'DateTime.Parse(dt.ToString("o"))',
    'DateTime.Parse(dt.ToString("yyyy-MM-dd"))', 'DateTime.Parse(z.ToString("o")).ToString("o")', '(DateTime.TryParse(dt.ToString("s") + "Z", out var read) ? read.ToString("o") : "?")', '(DateTime.TryParse(s, out var read) ? read.ToString("o") : "?")', 'TimeSpan.Parse(ts.ToString())', 'int.Parse(i.ToString("X"), System.Globalization.NumberStyles.HexNumber)',
    'byte.Parse(s, System.Globalization.NumberStyles.HexNumber)', 'int.Parse(s, System.Globalization.NumberStyles.AllowHexSpecifier)', 'Convert.ToString(i, 2)', 'Convert.ToString(l, 16)', 'Convert.ToString(by, 8)', 'Convert.ToString(sh, 10)', 'Convert.ToString(sh, 16)', 'Convert.ToString(i, j)', 'Convert.ToInt32(s, 16)', 'Convert.ToByte(s, 16)', 'Convert.ToInt64(l.ToString("x"), 16)',
    'Convert.ToInt16(Convert.ToString(sh, 2), 2)', 'Convert.ToUInt32(s, 8)', 'Convert.ToSByte(s, 10)', 'Convert.ToInt32(s, j)', 'Convert.ToInt32(null, 16)',
  ]; // biome-ignore format: a list
  return [...[...numbers, ...truths, ...parsing, ...more].map((line) => `(${line}) + ""`), ...texts];
}

// What compiled fragments read of dates, show of objects and write with a StringBuilder, beside the interpreter: random formats, texts near to
// what they fit, values of every type, and random runs of changes to texts with characters of every length. What C# itself says to some of them is in the corpus
// (fragments-results.test.ts). The seed is printed; FRAGMENT_SEED repeats a run.

import { describe, expect, it } from 'vitest';
import { bound, compiledResults, corpusCores, corpusGraph, interpretedResults } from './support/fragment-corpus.ts';
import { randomOf } from './support/fragment-generator.ts';

const seed = Number(process.env.FRAGMENT_SEED ?? Math.floor(Math.random() * 2 ** 32));
const rounds = Number(process.env.FRAGMENT_WRITINGS ?? 15);
const random = randomOf(seed);
const below = (limit: number): number => Math.floor(random() * limit);
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
const many = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
const quoted = (text: string): string => JSON.stringify(text).replaceAll('\u2028', '\\u2028');

// --- Dates ---------------------------------------------------------------------------------------------------------------

const fields = [
  'd', 'dd', 'ddd', 'dddd', 'M', 'MM', 'MMM', 'MMMM', 'yy', 'yyy', 'yyyy', 'H', 'HH', 'h', 'hh', 'm', 'mm', 's', 'ss', 'f', 'fff', 'FFF', 't', 'tt', 'z',
  'zz', 'zzz', 'K', 'g', 'Z', 'fffffff',
]; // biome-ignore format: a list
const separators = ['-', '/', ' ', ':', '.', 'T', ', ', "'at'", '"x"', '\\d', '%', 'GMT', ''];
const standard = [...'dDfFgGmMoOrRstTuyYUq'];
const pieces = [
  '2020', '20', '3', '04', '5', '12', '13', '31', '99', '0', 'March', 'Mar', 'mar', 'Sept', 'September', 'Monday', 'Wed', 'Wednesday', 'AM', 'PM', 'p',
  'A', 'Z', 'GMT', '+02:00', '-5', '+0530', '-15:00', '.5', '.1234567', '05:06', '05:06:07', '1:2:3', 'x', 'é', 'A.D.', '2020-03-04', '3/4/2020', 'T',
]; // biome-ignore format: a list
const joints = ['-', '/', ' ', ':', '.', ', ', 'T', '', '  ', '\u00a0'];
const styles = ['None', 'AllowWhiteSpaces', 'AllowInnerWhite', 'AssumeUniversal', 'AdjustToUniversal', 'RoundtripKind', 'AllowTrailingWhite', 'NoCurrentDateDefault'].map((name) => `System.Globalization.DateTimeStyles.${name}`); // biome-ignore format: a list

function anyFormat(): string {
  if (below(6) === 0) return pick(standard);
  return many(1 + below(6), () => pick(fields) + pick(separators)).join('');
}

const anyText = (): string =>
  many(1 + below(5), () => pick(pieces) + pick(joints))
    .join('')
    .slice(0, 60);

/** A call that reads a date, with what it gives as a text. */
function reading(): string {
  const type = pick(['DateTime', 'DateTimeOffset']);
  const [format, style] = [quoted(anyFormat()), pick(styles)];
  const moment = `new ${type}(${type === 'DateTime' ? '' : 'new DateTime('}${1 + below(9999)}, ${1 + below(12)}, ${1 + below(28)}, ${below(24)}, ${below(60)}, ${below(60)}${type === 'DateTime' ? '' : ')'})`; // biome-ignore format: a line
  const text = below(2) === 0 ? quoted(anyText()) : `${moment}.ToString(f)`;
  const call = pick([
    `${type}.TryParseExact(${text}, f, null, ${style}, out var r)`,
    `${type}.TryParseExact(${text}, new[] { ${quoted(anyFormat())}, f }, null, ${style}, out var r)`,
    `${type}.TryParse(${text}, null, ${style}, out var r)`,
    `${type}.TryParse(${text}, out var r)`,
  ]);
  return `try { var f = ${format}; all += ${call} + r.ToString("o"); } catch (Exception e) { all += e.GetType().Name; }`;
}

// --- StringBuilder -------------------------------------------------------------------------------------------------------

const words = ['', 'a', 'abc', 'é', 'aé', '😀', 'x😀y', '\ud83d', '\ude00', 'aba', '0'];
const word = (): string => quoted(pick(words));
const unit = (): string => `'\\u${pick(['0061', '00e9', 'd83d', 'de00', '0062', '0000']).padStart(4, '0')}'`;
const place = (): string => pick(['0', '1', '2', 's.Length', 's.Length - 1', 's.Length / 2', '-1', '7']);
const value = (): string =>
  pick(['1', '-7L', '2.5', 'true', '1.50m', '(object)null', '(object)"o"', '(object)(1, "x")', 'DayOfWeek.Friday', '1.5f', '(byte)3', word(), unit()]); // biome-ignore format: a list

const changes: readonly (() => string)[] = [
  () => `s.Append(${value()})`,
  () => `s.Append(${unit()}, ${pick(['0', '3', '-1', '20'])})`,
  () => `s.Append(${word()}, ${place()}, ${pick(['0', '1', '2'])})`,
  () => `s.AppendLine(${word()})`,
  () => `s.AppendFormat("{0}-{1,4}", ${value()}, ${value()})`,
  () => `s.AppendJoin(${word()}, ${value()}, ${value()})`,
  () => `s.Append(s)`,
  () => `s.Insert(${place()}, ${value()})`,
  () => `s.Remove(${place()}, ${pick(['0', '1', '2', 's.Length'])})`,
  () => `s.Replace(${unit()}, ${unit()})`,
  () => `s.Replace(${word()}, ${word()})`,
  () => `s.Length = ${pick(['0', '3', 's.Length - 1', 's.Length + 2'])}`,
  () => `s[${place()}] = ${unit()}`,
  () => `all += (int)s[${place()}]`,
  () => `all += s.ToString(${place()}, ${pick(['0', '1', '2'])})`,
  () => `all += s.Equals(new System.Text.StringBuilder(all))`,
  () => 'if (s.Length > 200) s.Clear()',
];

const writing = (): string =>
  `s = new System.Text.StringBuilder(${word()}); ${many(8, () => `try { ${pick(changes)()}; } catch (Exception e) { all += e.GetType().Name; }`).join(' ')} all += s.Length; all += s;`; // biome-ignore format: a line

// --- Objects ------------------------------------------------------------------------------------------------------------

const plain = [
  '1', '-7L', '2.5', '1e300', 'true', '1.50m', "'c'", '(byte)200', '(sbyte)-3', '(short)-300', '(ushort)65000', '4000000000u', 'ulong.MaxValue', '1.5f',
  'double.NaN', '-0.0', 'DayOfWeek.Friday', '(DayOfWeek)9', 'System.Globalization.NumberStyles.Number', 'new DateTime(2020, 1, 2, 3, 4, 5)',
  'TimeSpan.FromMinutes(90.5)', 'new Guid("0f8fad5b-d9cb-469f-a165-70867728950e")', 'new DateTimeOffset(2020, 1, 2, 3, 4, 5, TimeSpan.FromHours(2))', '^2',
]; // biome-ignore format: a list
const composed = [
  '(1, "a")', '(2.5, (\'c\', true))', 'new { A = 1, B = (string)null }', 'Tuple.Create(1, DayOfWeek.Monday)', '1..^2', 'typeof(int?)', 'new int[1]', '"x"',
  'new System.Text.StringBuilder("sb")', 'new Exception("m")', 'new System.Collections.Generic.KeyValuePair<string, int?>("k", null)', 'v',
]; // biome-ignore format: a list
const valueFormats = [
  '',
  'F2',
  'N0',
  'X',
  'D',
  'D4',
  'E2',
  'G',
  'G3',
  'yyyy',
  'o',
  'c',
  'P1',
  'B',
  'R',
  '00.#',
  'q',
  'zz',
];
const hole = (index: number): string =>
  `{${index}${pick(['', ',8', ',-5', ' , 3 '])}${pick(['', `:${pick(valueFormats)}`])}}`;

/** Values seen as objects: their texts under formats that are only known when it runs, hash codes, equality, conversions. */
function showing(): string {
  const [left, right] = [pick([...plain, ...composed]), pick(plain)];
  const conversion = pick(['Int32', 'Double', 'Boolean', 'Byte', 'Decimal', 'Char', 'Int64', 'String', 'DateTime']);
  const format = quoted(`${pick(['', 'a', '{{', 'é'])}${hole(0)}${pick(['-', '}}', ''])}${hole(pick([0, 1, 1, 2]))}`);
  const shown = pick([
    `string.Format(f, a, b)`,
    `$"{a${pick(['', ',9', ',-4'])}:${pick(valueFormats.slice(1))}}|{b}"`,
    `b.GetHashCode() + "" + a.Equals(b) + b.Equals(${right}) + a.GetType()`,
    `Convert.To${conversion}(b)`,
    `string.Join(${word()}, a, b, null, a) + string.Concat(b, a)`,
    `new System.Text.StringBuilder().Append(a).AppendFormat(f, b, a)`,
    `((IComparable)b).CompareTo(${pick([right, 'null', '5'])}) + ""`,
  ]);
  return `try { object a = ${left}, b = ${right}; var f = v.Id < 0 ? "" : ${format}; all += ${shown}; } catch (Exception e) { all += e.GetType().Name; }`;
}

// --- Both ----------------------------------------------------------------------------------------------------------------

function differences(wasm: string, start: string, make: () => string): string[] {
  const over = corpusGraph(wasm);
  const wrong: string[] = [];
  for (let round = 0; round < rounds && wrong.length < 3; round++) {
    const text = `return v => { var all = ""; ${start} ${many(4, () => `{ ${make()} }`).join('\n')} throw new Exception(string.Join(" ", all.Select(c => (int)c))); };`;
    const fragment = bound(text, 'VertexFilter');
    const [given, expected] = [compiledResults(over, fragment), interpretedResults(over, fragment)];
    const answer = Array.isArray(given) ? given[0] : given.left;
    if (answer !== expected[0]) wrong.push(`${text}\n  wasm        ${answer}\n  interpreter ${expected[0]}`);
  }
  return wrong;
}

describe.each(corpusCores)(`over %s: FRAGMENT_SEED=${seed}`, (wasm) => {
  it('reads the dates that the interpreter reads', { timeout: 0 }, () => {
    expect(differences(wasm, '', reading).join('\n')).toBe('');
  });

  it('shows the objects that the interpreter shows', { timeout: 0 }, () => {
    expect(differences(wasm, '', showing).join('\n')).toBe('');
  });

  it('writes what the interpreter writes', { timeout: 0, tags: ['long'] }, () => {
    expect(differences(wasm, 'var s = new System.Text.StringBuilder();', writing).join('\n')).toBe('');
  });
});

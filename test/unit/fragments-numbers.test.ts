// Members of numbers, dates and times that random fragments meet seldom or never: each compiled, and the same in both back ends.

import { expect, it } from 'vitest';
import { failures } from '../../src/fragments/emit/wasm/failures.ts';
import { bound, compiledResults, corpusCores, corpusGraph, interpretedResults } from './support/fragment-corpus.ts';

const graph = corpusGraph(corpusCores[0]);

it.each([
  '(long)DayOfWeek.Friday + (long)v.GetCreationDate().DayOfWeek',
  '(int)(DayOfWeek)(3L + v.Id)',
  'v.GetCreationDate().CompareTo((object)new DateTime(2020, 1, 1))',
  '1.5m.CompareTo((object)(decimal)v.Id)',
  '5.CompareTo((object)5L)',
  '5L.CompareTo((object)(long)v.Id) + 2.5.CompareTo((object)null)',
  'true.CompareTo((object)(v.Id > 2))',
  'Guid.Empty.CompareTo((object)Guid.Empty)',
  'Guid.Empty == Guid.Parse("00000000-0000-0000-0000-000000000001") ? 1 : 2',
  'Guid.TryParse(v.Label, out var g) ? 1 : g == Guid.Empty ? 2 : 3',
  'new Guid("{0F8FAD5B-D9CB-469F-A165-70867728950E}").CompareTo(new Guid("0f8fad5bd9cb469fa16570867728950f"))',
  'Guid.Parse(null) == Guid.Empty ? 1 : 0',
  'bool.TrueString.Length + bool.FalseString.Length',
  '(double)Math.FusedMultiplyAdd(0.1 * v.Id, 10, -1) + MathF.FusedMultiplyAdd(0.1f, v.Id, 1)',
  'Convert.ToInt32((object)(v.Id + 0.5)) + Convert.ToInt64((object)1.5m) + Convert.ToInt32((object)null)',
  'Convert.ToInt32((object)DayOfWeek.Friday)',
  'Convert.ToChar((object)1.5)',
  'Convert.ToDouble((object)v.GetCreationDate())',
  'Convert.ToBoolean((object)0.1m) ? 1 : 0',
  'Convert.ToChar(v.Id + 65534)',
  'Convert.ToUInt64(-0.5 + v.Id)',
  '(double)Convert.ToDecimal(1.1f)',
  'Convert.ToSByte(127.5)',
  'int.IsPow2(v.Id) ? 1 : int.IsEvenInteger(v.Id) ? 2 : 3',
  'float.IsSubnormal(1e-40f) && float.IsNormal(1f) && double.IsInteger(v.Id) ? 1 : 0',
  'Math.Clamp(v.Id * 1.5m, 1m, 3m) > 2 ? 1 : 0',
  'Math.Clamp(double.NaN, 1, 2)',
  'Math.Log(8, v.Id) + Math.Log(v.Id, 2) + Math.Log(1, 1) + Math.Pow(1, double.NaN)',
  'Math.ILogB(v.Id) + Math.ILogB(5e-324) + Math.ILogB(double.NaN)',
  'BitConverter.Int64BitsToDouble(4607182418800017408L + v.Id) + BitConverter.Int32BitsToSingle(0x3f800001)',
  'BitConverter.DoubleToInt64Bits(0.0 / v.Id) % 1000',
  'new DateTimeOffset(2024, 1, 1, 0, 0, 0, TimeSpan.FromMinutes(v.Id + 0.5)).Hour',
  'new DateTimeOffset(v.GetCreationDate(), TimeSpan.FromHours(v.Id * 5)).UtcTicks',
  'DateTime.SpecifyKind(v.GetCreationDate(), (DateTimeKind)3).Ticks',
  '(DateTime.Today - DateTime.UtcNow.Date).Ticks + (int)DateTime.Now.Kind',
  'DateTimeOffset.UtcNow.EqualsExact(DateTimeOffset.Now) ? 1 : 0',
  'new TimeSpan(int.MaxValue, 0, 0, 0).Ticks',
  '(TimeSpan.FromDays(1) * double.NaN).Ticks',
  'TimeSpan.MinValue.Duration().Ticks',
  'new decimal(1, 2, 3, true, (byte)(25 + v.Id)) < 0 ? 1 : 0',
  '(double)(decimal.MaxValue / (v.Id * 0m + 0.3m))',
  'new Index(v.Id - 2, true).GetOffset(5) + Index.FromStart(v.Id).Value + Index.End.Value',
  '(^v.Id).ToString().Length * 100 + (v.Id..^20).ToString().Length',
  '(v.Id..^1).GetOffsetAndLength(3).Length + (^2..).GetOffsetAndLength(v.Id).Offset',
  'new[] { 0..1, ^1.., .. }.Sum(r => "hello"[r].Length) + new[] { ^1, 0, ^2 }.Sum(i => "hello"[i])',
  '((^1, 1..2).Equals((^1, 1..2)) ? 1 : 0) + ((^1, 1..2).Equals((1, 1..2)) ? 2 : 0) + (Range.All.Equals(..) ? 4 : 0)',
  'default(Range).End.Value + (Range.StartAt(^2).End.IsFromEnd ? 10 : 0) + (Range.EndAt(v.Id).Start.IsFromEnd ? 20 : 0)',
])('%s', (expression) => {
  const fragment = bound(`return v => ${expression};`, 'VertexCost');
  expect(compiledResults(graph, fragment)).toEqual(interpretedResults(graph, fragment));
});

it.each(['long', 'double', 'decimal', 'DateTime', 'TimeSpan', 'DateTimeOffset', 'ulong', 'float', 'bool'])(
  'has %s? with and without a value',
  (type) => {
    const text = `${type}? none = null; return v => { ${type}? some = default(${type}); var either = v.Id % 2 == 0 ? some : none; var copy = either;
      return (some.HasValue ? 1 : 0) + (none.HasValue ? 2 : 0) + (either == some ? 4 : 0) + (copy == none ? 8 : 0) + (either ?? default(${type})).GetHashCode()
        + (v.Id == 3 ? none.Value.GetHashCode() : none.GetValueOrDefault().GetHashCode()); };`;
    const fragment = bound(text, 'VertexCost');
    expect(compiledResults(graph, fragment)).toEqual(interpretedResults(graph, fragment));
  },
);

it('knows the exceptions of the core by their places', () => {
  const places = { 2: 'DivideByZero', 3: 'Overflow', 5: 'ArgumentOutOfRange', 8: 'ArgumentNull', 10: 'OutOfMemory', 13: 'Argument', 14: 'Arithmetic', 16: 'Format' }; // biome-ignore format: a table
  for (const [place, name] of Object.entries(places)) expect(failures[Number(place)]).toBe(`${name}Exception`);
});

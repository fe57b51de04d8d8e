// The functions of mathematics of the core against test/fixtures/fragments/mathematics.tsv: function, bits of the arguments, bits of the
// nearest double to the result (worked out with a thousand bits), what .NET Core 3.1 on Linux answered where that is another, and
// its answer for the arguments as floats. Not all of .NET's are the nearest: those of its C library are off by up to 3 units.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { Core } from '../../src/core/core.ts';
import { BoundFragmentModule } from '../../src/core/fragments.ts';
import { MemoryPool } from '../../src/core/memory-pool.ts';
import { coreFunctions } from '../../src/fragments/emit/wasm/core-functions.ts';
import { foreignImports } from '../../src/fragments/emit/wasm/imports.ts';
import { ModuleWriter } from '../../src/fragments/emit/wasm/module-writer.ts';
import { bound, compiledResults, corpusGraph, interpretedResults } from './support/fragment-corpus.ts';

type Functions = Readonly<Record<string, (...values: number[]) => number>>;

interface Row {
  readonly name: string;
  readonly values: readonly number[];
  readonly nearest: number;
  readonly single: number;
}

const view = new DataView(new ArrayBuffer(8));

/** The double, or with `single` the float, of bits in hexadecimal; `nan`. */
function realOf(text: string, single = false): number {
  if (text === 'nan') return Number.NaN;
  view.setBigUint64(0, BigInt(`0x${text}`) << (single ? 32n : 0n));
  return single ? view.getFloat32(0) : view.getFloat64(0);
}

const rows: readonly Row[] = readFileSync(at('test/fixtures/fragments/mathematics.tsv'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [name = '', values = '', nearest = '', , single = ''] = line.split('\t');
    return {
      name,
      values: values.split(',').map((text) => realOf(text)),
      nearest: realOf(nearest),
      single: realOf(single, true),
    };
  });

/** Place among the floats, so that neighbours differ by 1. */
function placeOf(value: number): number {
  view.setFloat32(0, value);
  const bits = view.getInt32(0);
  return bits < 0 ? -(bits & 0x7fffffff) : bits;
}

function exportsOf(wasm: string): Functions {
  const module = new WebAssembly.Module(readFileSync(at(wasm)));
  return new Core({ module, shared: true }, new MemoryPool({ shared: true }), 2 ** 24).instance
    .exports as unknown as Functions;
}

describe.each(['dist/wasm/core.shared.wasm', 'dist/wasm/debug/core.shared.wasm'])('%s', (wasm) => {
  const functions = exportsOf(wasm);
  const call = ({ name, values }: Row, single: boolean): number =>
    functions[`real${name}`]?.(...values.map((value) => (single ? Math.fround(value) : value)), +single) as number;

  it('answers the nearest double', () => {
    expect(rows.length).toBeGreaterThan(1000);
    const wrong = rows.filter((row) => !Object.is(call(row, false), row.nearest));
    expect(wrong.map((row) => ({ ...row, given: call(row, false) }))).toEqual([]);
  });

  it('answers the float of .NET, or one of its neighbours', () => {
    let same = 0;
    const wrong = rows.filter((row) => {
      const given = Math.fround(call(row, true));
      if (Object.is(given, row.single)) same++;
      else return !(Number.isFinite(given) && Math.abs(placeOf(given) - placeOf(row.single)) <= 2);
      return false;
    });
    expect(wrong.map((row) => ({ ...row, given: call(row, true) }))).toEqual([]);
    expect(same / rows.length).toBeGreaterThan(0.9);
  });
});

describe('in fragments', () => {
  const graph = corpusGraph('dist/wasm/core.shared.wasm');
  const names = [...new Set(rows.map(({ name }) => name))];

  it.each(names.flatMap((name) => ['Math', 'MathF'].map((type) => [type, name] as const)))(
    '%s.%s is the same in both back ends',
    (type, name) => {
      const suffix = type === 'Math' ? '' : 'f';
      const of = rows.find((row) => row.name === name && row.nearest % 1 !== 0 && !Number.isNaN(row.nearest));
      const parameters = of?.values.map((value) => `(v.Id + 1) * (${value.toPrecision(9)}${suffix})`);
      const method = name === 'LogBase' ? 'Log' : name;
      const fragment = bound(`return v => ${type}.${method}(${parameters});`, 'VertexCost');
      const results = compiledResults(graph, fragment);
      expect(results).toEqual(interpretedResults(graph, fragment));
      const narrow = type === 'Math' ? (value: number) => value : Math.fround;
      const first = (graph.core.instance.exports as unknown as Functions)[`real${name}`]?.(
        ...(of?.values ?? []).map((value) => narrow(Number(value.toPrecision(9)))),
        +(type === 'MathF'),
      );
      expect((results as string[])[0]).toBe(String(narrow(first as number)));
    },
  );

  // Of .NET Core 3.1. It tells NaNs apart by their sign, which the negation and Abs of one change; here every NaN is double.NaN.
  it.each([
    ['Math.CopySign(-2.5, double.NaN)', '-2.5'],
    ['Math.CopySign(2.5, 0.0 / v.Id * 0)', '-2.5', '2.5'],
    ['MathF.CopySign(2.5f, float.NaN)', '-2.5'],
    ['double.IsNegative(Math.Ceiling(double.NaN)) ? 1 : 0', '1'],
    [
      'double.IsNegative(double.NaN) && float.IsNegative(float.NaN) && float.IsNegative((float)double.NaN) ? 1 : 0',
      '1',
    ],
    ['double.IsNegative(Math.Sqrt(v.Id - 9)) && double.IsNegative(Math.Pow(v.Id - 9, 0.5)) ? 1 : 0', '1'],
    ['double.IsNegative(Math.Max(double.NaN, v.Id)) && double.IsNegative(double.Parse("NaN")) ? 1 : 0', '1'],
    ['BitConverter.DoubleToInt64Bits(double.NaN) == -0x8000000000000 ? 1 : 0', '1'],
    ['BitConverter.SingleToInt32Bits(float.NaN) == -0x400000 ? 1 : 0', '1'],
  ])('%s', (expression, first, others = first) => {
    const fragment = bound(`return v => ${expression};`, 'VertexCost');
    const results = compiledResults(graph, fragment) as string[];
    expect(results).toEqual(results.map((_, id) => (id === 0 ? first : others)));
    expect(interpretedResults(graph, fragment)).toEqual(results);
  });

  it('import nothing of the host’s Math', () => {
    const signature = { parameters: ['f64'], result: 'f64' } as const;
    const of = (module: string, name: string, what: { parameters: readonly 'f64'[]; result: 'f64' }) => {
      const writer = new ModuleWriter(true);
      writer.import(module, name, what);
      return new WebAssembly.Module(writer.write());
    };
    const foreign = of('math', 'sin', signature);
    expect(foreignImports(foreign)).toEqual(['math.sin']);
    expect(foreignImports(of('core', 'applyTransaction', signature))).toEqual(['core.applyTransaction']);
    expect(foreignImports(of('env', 'sin', signature))).toEqual(['env.sin']);
    expect(foreignImports(of('core', 'realSin', signature))).toEqual([]);
    expect(coreFunctions.realSin).toEqual(signature);
    const fuel = new WebAssembly.Global({ value: 'i32', mutable: true }, 1);
    expect(() => new BoundFragmentModule(graph.core.instance, { module: foreign, names: [], texts: [] }, { fuel, refuel: () => {} })).toThrow(TypeError); // biome-ignore format: one expression
  });
});

// Members that the number types share: order, equality, tests, Min, Max, Clamp, Abs and Sign (Math has those too).

import { dotNetNames } from '../../dotnet-names.ts';
import type { PrimitiveName } from '../../types.ts';
import { indexCalls } from '../arrays/index-calls.ts';
import type { CallEmitter } from '../control/call-parts.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { compareToObject, instructions, operandLocals, releaseAll, routine } from '../control/routines.ts';
import { f32, f64, i32, i64, type Opcode, parametric } from '../wasm/opcodes.ts';

/** How a number type computes. */
interface NumberForm {
  readonly keyword: PrimitiveName;
  /** What .NET calls it. */
  readonly name: string;
  readonly form: 'i32' | 'i64' | 'f32' | 'f64' | 'v128';
  readonly unsigned: boolean;
  /** Of signed integers. */
  readonly least?: bigint;
}

const numberForms = (
  [
    { keyword: 'byte', form: 'i32', unsigned: true },
    { keyword: 'sbyte', form: 'i32', unsigned: false, least: -128n },
    { keyword: 'short', form: 'i32', unsigned: false, least: -32768n },
    { keyword: 'ushort', form: 'i32', unsigned: true },
    { keyword: 'int', form: 'i32', unsigned: false, least: -(2n ** 31n) },
    { keyword: 'uint', form: 'i32', unsigned: true },
    { keyword: 'long', form: 'i64', unsigned: false, least: -(2n ** 63n) },
    { keyword: 'ulong', form: 'i64', unsigned: true },
    { keyword: 'float', form: 'f32', unsigned: false },
    { keyword: 'double', form: 'f64', unsigned: false },
    { keyword: 'decimal', form: 'v128', unsigned: false },
  ] satisfies readonly Omit<NumberForm, 'name'>[]
).map((number): NumberForm => ({ ...number, name: dotNetNames[number.keyword] }));

type ScalarForm = Exclude<NumberForm['form'], 'v128'>;

/** Whether the first of two of a form is less; unsigned integers have their own order. */
function less(form: ScalarForm, unsigned: boolean): Opcode {
  if (form === 'i32') return unsigned ? i32.ltU : i32.ltS;
  if (form === 'i64') return unsigned ? i64.ltU : i64.ltS;
  return form === 'f32' ? f32.lt : f64.lt;
}

function greater(form: ScalarForm, unsigned: boolean): Opcode {
  if (form === 'i32') return unsigned ? i32.gtU : i32.gtS;
  if (form === 'i64') return unsigned ? i64.gtU : i64.gtS;
  return form === 'f32' ? f32.gt : f64.gt;
}

const same = { i32: i32.eq, i64: i64.eq, f32: f32.eq, f64: f64.eq };
const other = { i32: i32.ne, i64: i64.ne, f32: f32.ne, f64: f64.ne };

/** Whether a local is less (or greater) than another, by the operators. */
function before(f: FunctionEmitter, { form, unsigned }: NumberForm, a: number, b: number, isGreater = false): void {
  f.code.get(a);
  f.code.get(b);
  if (form === 'v128') {
    f.core('decimalCompare');
    f.code.i32(0);
    f.code.op(isGreater ? i32.gtS : i32.ltS);
    return;
  }
  f.code.op((isGreater ? greater : less)(form, unsigned));
}

/** Pushes what differs two locals in CompareTo: NaN is before all numbers. */
function pushOrder(f: FunctionEmitter, number: NumberForm, a: number, b: number): void {
  const { code } = f;
  before(f, number, a, b, true);
  before(f, number, a, b);
  code.op(i32.sub);
  if (number.form !== 'f32' && number.form !== 'f64') return;
  for (const [place, instruction] of [
    [b, i32.add],
    [a, i32.sub],
  ] as const) {
    code.get(place);
    code.get(place);
    code.op(other[number.form], instruction);
  }
}

/** They answer the difference when they are compared. */
const small = new Set<string>(['byte', 'sbyte', 'short', 'ushort']);

function compareTo(number: NumberForm): CallEmitter {
  if (number.form === 'v128') return routine('decimalCompare');
  if (small.has(number.keyword)) return instructions(i32.sub);
  return (f, call) => {
    const locals = operandLocals(f, call);
    const [a, b] = locals as [(typeof locals)[0], (typeof locals)[0]];
    pushOrder(f, number, a.local, b.local);
    releaseAll(f, locals);
  };
}

function equals({ form }: NumberForm): CallEmitter {
  if (form === 'i32' || form === 'i64') return instructions(same[form]);
  return (f, call) => {
    const { code } = f;
    const locals = operandLocals(f, call);
    const [a, b] = locals.map(({ local }) => local) as [number, number];
    const kind = form as 'f32' | 'f64';
    code.get(a);
    code.get(b);
    code.op(same[kind]);
    // NaN equals itself here.
    for (const place of [a, b]) {
      code.get(place);
      code.get(place);
      code.op(other[kind]);
    }
    code.op(i32.and, i32.or);
    releaseAll(f, locals);
  };
}

/** The smaller or larger of two. NaN wins, and -0 is below 0. */
function extreme(number: NumberForm, largest: boolean): CallEmitter {
  if (number.form === 'f64') return instructions(largest ? f64.max : f64.min);
  if (number.form === 'f32') return instructions(largest ? f32.max : f32.min);
  return (f, call) => {
    const locals = operandLocals(f, call);
    const [a, b] = locals.map(({ local }) => local) as [number, number];
    // Of equal ones the first: decimals may differ in their zeros.
    f.code.get(b);
    f.code.get(a);
    before(f, number, b, a, largest);
    f.code.op(parametric.select);
    releaseAll(f, locals);
  };
}

function clamp(number: NumberForm): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const locals = operandLocals(f, call);
    const [value, least, most] = locals.map(({ local }) => local) as [number, number, number];
    before(f, number, least, most, true);
    f.failIf('ArgumentException');
    code.get(least);
    code.get(most);
    code.get(value);
    before(f, number, value, most, true);
    code.op(parametric.select);
    before(f, number, value, least);
    code.op(parametric.select);
    releaseAll(f, locals);
  };
}

function absolute({ form, least = 0n }: NumberForm): CallEmitter {
  if (form === 'f64') return instructions(f64.abs);
  if (form === 'f32') return instructions(f32.abs);
  return (f, call) => {
    const { code } = f;
    const wide = form === 'i64';
    const zero = () => (wide ? code.i64(0n) : code.i32(0));
    const locals = operandLocals(f, call);
    const { local } = locals[0] as { local: number };
    code.get(local);
    if (wide) code.i64(least);
    else code.i32(Number(least));
    code.op(wide ? i64.eq : i32.eq);
    f.failIf('OverflowException');
    code.get(local);
    zero();
    code.get(local);
    code.op(wide ? i64.sub : i32.sub);
    code.get(local);
    zero();
    code.op(wide ? i64.geS : i32.geS, parametric.select);
    releaseAll(f, locals);
  };
}

function sign(number: NumberForm): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const { form } = number as { form: 'i32' | 'i64' | 'f32' | 'f64' };
    const locals = operandLocals(f, call);
    const { local } = locals[0] as { local: number };
    if (form === 'f32' || form === 'f64') {
      code.get(local);
      code.get(local);
      code.op(other[form]);
      f.failIf('ArithmeticException');
    }
    const zero = code.borrow(form);
    code.zero(form);
    code.set(zero);
    before(f, number, local, zero, true);
    before(f, number, local, zero);
    code.op(i32.sub);
    code.release(form, zero);
    releaseAll(f, locals);
  };
}

// --- Tests ---------------------------------------------------------------------------------------------------------------

/** A test of the value in a local, as wide as an int. */
function test(emit: (f: FunctionEmitter, value: number) => void): CallEmitter {
  return (f, call) => {
    const locals = operandLocals(f, call);
    emit(f, (locals[0] as { local: number }).local);
    releaseAll(f, locals);
  };
}

function integerTests({ name, keyword, form, unsigned }: NumberForm): [string, CallEmitter][] {
  const wide = form === 'i64';
  const constant = (f: FunctionEmitter, value: number) => (wide ? f.code.i64(BigInt(value)) : f.code.i32(value));
  const even = (isEven: boolean) =>
    test((f, value) => {
      f.code.get(value);
      constant(f, 1);
      f.code.op(wide ? i64.and : i32.and);
      constant(f, 0);
      f.code.op((isEven ? same : other)[form as 'i32']);
    });
  const against = (instruction: Opcode) =>
    test((f, value) => {
      f.code.get(value);
      constant(f, 0);
      f.code.op(instruction);
    });
  const power = test((f, value) => {
    // One bit set, and above 0.
    f.code.get(value);
    f.code.op(wide ? i64.popcnt : i32.popcnt);
    constant(f, 1);
    f.code.op(same[form as 'i32']);
    f.code.get(value);
    constant(f, 0);
    f.code.op(greater(form as 'i32' | 'i64', unsigned), i32.and);
  });
  const calls: [string, CallEmitter][] = [
    [`${name}.IsEvenInteger(${keyword})`, even(true)],
    [`${name}.IsOddInteger(${keyword})`, even(false)],
    [`${name}.IsPow2(${keyword})`, power],
  ];
  if (unsigned) return calls;
  return [
    ...calls,
    [`${name}.IsNegative(${keyword})`, against(wide ? i64.ltS : i32.ltS)],
    [`${name}.IsPositive(${keyword})`, against(wide ? i64.geS : i32.geS)],
  ];
}

function realTests({ name, keyword, form }: NumberForm): [string, CallEmitter][] {
  const double = form === 'f64';
  // As doubles, which floats are exactly.
  const widened = (emit: (f: FunctionEmitter, value: number) => void): CallEmitter =>
    test((f, value) => {
      if (double) {
        emit(f, value);
        return;
      }
      const wide = f.code.borrow('f64');
      f.code.get(value);
      f.code.op(f64.promoteF32);
      f.code.set(wide);
      emit(f, wide);
      f.code.release('f64', wide);
    });
  const compared = (absolute: boolean, instruction: Opcode, to: number) =>
    widened((f, value) => {
      f.code.get(value);
      if (absolute) f.code.op(f64.abs);
      f.code.f64(to);
      f.code.op(instruction);
    });
  const smallest = double ? 2 ** -1022 : 2 ** -126;
  const infinity = Number.POSITIVE_INFINITY;
  const between = (least: number, leastCode: Opcode, most: number) =>
    widened((f, value) => {
      f.code.get(value);
      f.code.op(f64.abs);
      f.code.f64(least);
      f.code.op(leastCode);
      f.code.get(value);
      f.code.op(f64.abs);
      f.code.f64(most);
      f.code.op(f64.lt, i32.and);
    });
  const whole = widened((f, value) => {
    f.code.get(value);
    f.code.get(value);
    f.code.op(f64.trunc, f64.eq);
    f.code.get(value);
    f.code.op(f64.abs);
    f.code.f64(infinity);
    f.code.op(f64.lt, i32.and);
  });
  const minus = widened((f, value) => {
    f.code.get(value);
    f.core('realIsMinus');
  });
  const tests: readonly [string, CallEmitter][] = [
    ['Negative', minus],
    ['NegativeInfinity', compared(false, f64.eq, -infinity)],
    ['PositiveInfinity', compared(false, f64.eq, infinity)],
    ['Normal', between(smallest, f64.ge, infinity)],
    ['Subnormal', between(0, f64.gt, smallest)],
    ['Integer', whole],
  ];
  return tests.map(([suffix, emit]) => [`${name}.Is${suffix}(${keyword})`, emit]);
}

function members(number: NumberForm): [string, CallEmitter][] {
  const { keyword, name, form } = number;
  const calls: [string, CallEmitter][] = [];
  for (const type of keyword === 'float' ? ['Single', 'Math', 'MathF'] : [name, 'Math']) {
    calls.push([`${type}.Max(${keyword},${keyword})`, extreme(number, true)]);
    calls.push([`${type}.Min(${keyword},${keyword})`, extreme(number, false)]);
    if (type !== 'MathF') calls.push([`${type}.Clamp(${keyword},${keyword},${keyword})`, clamp(number)]);
    if (form === 'v128' || number.unsigned) continue;
    calls.push([`${type}.Abs(${keyword})`, absolute(number)]);
    calls.push([`${type}.Sign(${keyword})`, sign(number)]);
  }
  if (form === 'v128') return calls;
  return [
    ...calls,
    [`${name}.CompareTo(${keyword})`, compareTo(number)],
    [`${name}.Equals(${keyword})`, equals(number)],
    ...(form === 'f32' || form === 'f64' ? realTests(number) : integerTests(number)),
  ];
}

/** Bits of a real; NaN has one form, that of double.NaN in .NET. */
function bitsOf(double: boolean): CallEmitter {
  return test((f, value) => {
    const { code } = f;
    if (double) code.i64(-0x8000000000000n);
    else code.i32(-0x400000);
    code.get(value);
    code.op(double ? i64.reinterpretF64 : i32.reinterpretF32);
    code.get(value);
    code.get(value);
    code.op(double ? f64.ne : f32.ne, parametric.select);
  });
}

export const numberCalls: readonly [string, CallEmitter][] = [
  ...indexCalls,
  // The small types answer the difference, which objects do not know.
  ...numberForms.flatMap(({ name, keyword }): [string, CallEmitter][] =>
    small.has(keyword) ? [] : [[`${name}.CompareTo(object)`, compareToObject]],
  ),
  ['Boolean.CompareTo(object)', compareToObject],
  ['Boolean.TrueString', (f) => f.text('True')],
  ['Boolean.FalseString', (f) => f.text('False')],
  ...numberForms.flatMap(members),
  ['Boolean.CompareTo(bool)', instructions(i32.sub)],
  ['Boolean.Equals(bool)', instructions(i32.eq)],
  ['BitConverter.DoubleToInt64Bits(double)', bitsOf(true)],
  ['BitConverter.SingleToInt32Bits(float)', bitsOf(false)],
  ['BitConverter.Int64BitsToDouble(long)', instructions(f64.reinterpretI64)],
  ['BitConverter.Int32BitsToSingle(int)', instructions(f32.reinterpretI32)],
];

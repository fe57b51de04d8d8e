// Members that the number types share: order, equality, hash codes, tests, Min, Max, Clamp, Abs and Sign (Math has those too).

import type { PrimitiveName } from '../types.ts';
import type { CallEmitter } from './calls.ts';
import type { FunctionEmitter } from './function-emitter.ts';
import { indexCalls } from './index-calls.ts';
import { compareToObject, instructions, operandLocals, pushOperands, releaseAll, routine } from './routines.ts';

/** How a number type computes: the place of its instructions in `compares`. */
interface NumberForm {
  readonly keyword: PrimitiveName;
  readonly name: string;
  readonly form: 'i32' | 'i64' | 'f32' | 'f64' | 'v128';
  readonly unsigned: boolean;
  /** Of signed integers. */
  readonly least?: bigint;
}

const numberForms: readonly NumberForm[] = [
  { keyword: 'byte', name: 'Byte', form: 'i32', unsigned: true },
  { keyword: 'sbyte', name: 'SByte', form: 'i32', unsigned: false, least: -128n },
  { keyword: 'short', name: 'Int16', form: 'i32', unsigned: false, least: -32768n },
  { keyword: 'ushort', name: 'UInt16', form: 'i32', unsigned: true },
  { keyword: 'int', name: 'Int32', form: 'i32', unsigned: false, least: -(2n ** 31n) },
  { keyword: 'uint', name: 'UInt32', form: 'i32', unsigned: true },
  { keyword: 'long', name: 'Int64', form: 'i64', unsigned: false, least: -(2n ** 63n) },
  { keyword: 'ulong', name: 'UInt64', form: 'i64', unsigned: true },
  { keyword: 'float', name: 'Single', form: 'f32', unsigned: false },
  { keyword: 'double', name: 'Double', form: 'f64', unsigned: false },
  { keyword: 'decimal', name: 'Decimal', form: 'v128', unsigned: false },
];

/** Less than, greater than, equal, by form; unsigned integers have their own. */
const less = { i32: 0x48, i64: 0x53, f32: 0x5d, f64: 0x63 };
const greater = { i32: 0x4a, i64: 0x55, f32: 0x5e, f64: 0x64 };
const same = { i32: 0x46, i64: 0x51, f32: 0x5b, f64: 0x61 };
const other = { i32: 0x47, i64: 0x52, f32: 0x5c, f64: 0x62 };

/** Whether a local is less (or greater) than another, by the operators. */
function before(f: FunctionEmitter, { form, unsigned }: NumberForm, a: number, b: number, isGreater = false): void {
  f.code.get(a);
  f.code.get(b);
  if (form === 'v128') {
    f.core('decimalCompare');
    f.code.i32(0);
    f.code.op(isGreater ? 0x4a : 0x48);
    return;
  }
  const isUnsigned = unsigned && (form === 'i32' || form === 'i64');
  f.code.op((isGreater ? greater : less)[form] + (isUnsigned ? 1 : 0));
}

/** Pushes what differs two locals in CompareTo: NaN is before all numbers. */
function pushOrder(f: FunctionEmitter, number: NumberForm, a: number, b: number): void {
  const { code } = f;
  before(f, number, a, b, true);
  before(f, number, a, b);
  code.op(0x6b);
  if (number.form !== 'f32' && number.form !== 'f64') return;
  for (const [place, instruction] of [
    [b, 0x6a],
    [a, 0x6b],
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
  if (small.has(number.keyword)) return instructions(0x6b);
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
    code.op(0x71, 0x72);
    releaseAll(f, locals);
  };
}

const hashOfLong: CallEmitter = (f, call) => {
  const { code } = f;
  const value = f.toLocal(call.receiver as never);
  code.get(value.local);
  code.get(value.local);
  code.i64(32n);
  code.op(0x88, 0x85, 0xa7);
  code.release(value.type, value.local);
};

function hash({ form }: NumberForm): CallEmitter {
  if (form === 'i64') return hashOfLong;
  if (form === 'f64') return routine('realHash');
  return form === 'f32' ? routine('singleHash') : pushOperands;
}

/** The smaller or larger of two. NaN wins, and -0 is below 0. */
function extreme(number: NumberForm, largest: boolean): CallEmitter {
  if (number.form === 'f64') return instructions(largest ? 0xa5 : 0xa4);
  if (number.form === 'f32') return instructions(largest ? 0x97 : 0x96);
  return (f, call) => {
    const locals = operandLocals(f, call);
    const [a, b] = locals.map(({ local }) => local) as [number, number];
    // Of equal ones the first: decimals may differ in their zeros.
    f.code.get(b);
    f.code.get(a);
    before(f, number, b, a, largest);
    f.code.op(0x1b);
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
    code.op(0x1b);
    before(f, number, value, least);
    code.op(0x1b);
    releaseAll(f, locals);
  };
}

function absolute({ form, least = 0n }: NumberForm): CallEmitter {
  if (form === 'f64') return instructions(0x99);
  if (form === 'f32') return instructions(0x8b);
  return (f, call) => {
    const { code } = f;
    const wide = form === 'i64';
    const zero = () => (wide ? code.i64(0n) : code.i32(0));
    const locals = operandLocals(f, call);
    const { local } = locals[0] as { local: number };
    code.get(local);
    if (wide) code.i64(least);
    else code.i32(Number(least));
    code.op(wide ? 0x51 : 0x46);
    f.failIf('OverflowException');
    code.get(local);
    zero();
    code.get(local);
    code.op(wide ? 0x7d : 0x6b);
    code.get(local);
    zero();
    code.op(wide ? 0x59 : 0x4e, 0x1b);
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
    if (form === 'i32') code.i32(0);
    else if (form === 'i64') code.i64(0n);
    else if (form === 'f32') code.f32(0);
    else code.f64(0);
    code.set(zero);
    before(f, number, local, zero, true);
    before(f, number, local, zero);
    code.op(0x6b);
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
      f.code.op(wide ? 0x83 : 0x71);
      constant(f, 0);
      f.code.op((isEven ? same : other)[form as 'i32']);
    });
  const against = (instruction: number) =>
    test((f, value) => {
      f.code.get(value);
      constant(f, 0);
      f.code.op(instruction);
    });
  const power = test((f, value) => {
    // One bit set, and above 0.
    f.code.get(value);
    f.code.op(wide ? 0x7b : 0x69);
    constant(f, 1);
    f.code.op(same[form as 'i32']);
    f.code.get(value);
    constant(f, 0);
    f.code.op(greater[form as 'i32'] + (unsigned ? 1 : 0), 0x71);
  });
  const calls: [string, CallEmitter][] = [
    [`${name}.IsEvenInteger(${keyword})`, even(true)],
    [`${name}.IsOddInteger(${keyword})`, even(false)],
    [`${name}.IsPow2(${keyword})`, power],
  ];
  if (unsigned) return calls;
  return [
    ...calls,
    [`${name}.IsNegative(${keyword})`, against(wide ? 0x53 : 0x48)],
    [`${name}.IsPositive(${keyword})`, against(wide ? 0x59 : 0x4e)],
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
      f.code.op(0xbb);
      f.code.set(wide);
      emit(f, wide);
      f.code.release('f64', wide);
    });
  const compared = (absolute: boolean, instruction: number, to: number) =>
    widened((f, value) => {
      f.code.get(value);
      if (absolute) f.code.op(0x99);
      f.code.f64(to);
      f.code.op(instruction);
    });
  const smallest = double ? 2 ** -1022 : 2 ** -126;
  const infinity = Number.POSITIVE_INFINITY;
  const between = (least: number, leastCode: number, most: number) =>
    widened((f, value) => {
      f.code.get(value);
      f.code.op(0x99);
      f.code.f64(least);
      f.code.op(leastCode);
      f.code.get(value);
      f.code.op(0x99);
      f.code.f64(most);
      f.code.op(0x63, 0x71);
    });
  const whole = widened((f, value) => {
    f.code.get(value);
    f.code.get(value);
    f.code.op(0x9d, 0x61);
    f.code.get(value);
    f.code.op(0x99);
    f.code.f64(infinity);
    f.code.op(0x63, 0x71);
  });
  const minus = widened((f, value) => {
    f.code.get(value);
    f.core('realIsMinus');
  });
  const tests: readonly [string, CallEmitter][] = [
    ['Negative', minus],
    ['NegativeInfinity', compared(false, 0x61, -infinity)],
    ['PositiveInfinity', compared(false, 0x61, infinity)],
    ['Normal', between(smallest, 0x66, infinity)],
    ['Subnormal', between(0, 0x64, smallest)],
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
    calls.push([`${type}.Clamp(${keyword},${keyword},${keyword})`, clamp(number)]);
    if (form === 'v128' || number.unsigned) continue;
    calls.push([`${type}.Abs(${keyword})`, absolute(number)]);
    calls.push([`${type}.Sign(${keyword})`, sign(number)]);
  }
  if (form === 'v128') return calls;
  return [
    ...calls,
    [`${name}.CompareTo(${keyword})`, compareTo(number)],
    [`${name}.Equals(${keyword})`, equals(number)],
    [`${name}.GetHashCode()`, hash(number)],
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
    code.op(double ? 0xbd : 0xbc);
    code.get(value);
    code.get(value);
    code.op(double ? 0x62 : 0x5c, 0x1b);
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
  ['Boolean.CompareTo(bool)', instructions(0x6b)],
  ['Boolean.Equals(bool)', instructions(0x46)],
  ['Boolean.GetHashCode()', pushOperands],
  ['BitConverter.DoubleToInt64Bits(double)', bitsOf(true)],
  ['BitConverter.SingleToInt32Bits(float)', bitsOf(false)],
  ['BitConverter.Int64BitsToDouble(long)', instructions(0xbf)],
  ['BitConverter.Int32BitsToSingle(int)', instructions(0xbe)],
];

// Numbers in and out: the tables were checked against .NET Core 3.1 itself; the random parts use JavaScript's own numbers and BigInt
// as the second opinion.

import { describe, expect, it } from 'vitest';
import { shortest } from '../model/naive-values.ts';
import { BUILDS, IN, openValues, randomSource, SLOTS, TYPES, type TypeName } from './values-module.ts';

const INTEGERS: [TypeName, bigint, bigint][] = [
  ['Byte', 0n, 255n],
  ['SByte', -128n, 127n],
  ['Int16', -32768n, 32767n],
  ['UInt16', 0n, 65535n],
  ['Int32', -(2n ** 31n), 2n ** 31n - 1n],
  ['UInt32', 0n, 2n ** 32n - 1n],
  ['Int64', -(2n ** 63n), 2n ** 63n - 1n],
  ['UInt64', 0n, 2n ** 64n - 1n],
];

/** .NET's general layout of shortest digits as JavaScript prints them. */
function layOut(value: number, digitsOf: string, limit: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value < 0 ? '-Infinity' : 'Infinity';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [, sign, first, rest = '', exponentText] = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(digitsOf)!;
  const exponent = Number(exponentText);
  const digits = first + rest;
  if (exponent >= limit || exponent < -4) {
    const magnitude = String(Math.abs(exponent)).padStart(2, '0');
    return `${sign}${first}${rest && '.'}${rest}E${exponent < 0 ? '-' : '+'}${magnitude}`;
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return sign + digits.padEnd(exponent + 1, '0');
  return `${sign}${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}

const doubleText = (value: number) => layOut(value, shortest(value, false), 17);

function singleText(value: number): string {
  return layOut(value, !Number.isFinite(value) || value === 0 ? '' : shortest(value, true), 9);
}

describe.each(BUILDS)('values, numbers (%s)', (build) => {
  const values = openValues(build);
  const { convert, core, view } = values;

  it.each(INTEGERS)('%s takes its range and refuses the next number', (type, low, high) => {
    for (const value of [low, low + 1n, -1n, 0n, 1n, 9n, 10n, 99n, 100n, high - 1n, high]) {
      const expected = value >= low && value <= high ? String(value) : null;
      expect(convert(type, String(value)), `${type} ${value}`).toBe(expected);
    }
    for (const value of [low - 1n, high + 1n, low * 10n - 1n, high * 10n, 10n ** 30n, -(10n ** 30n)]) {
      expect(convert(type, String(value)), `${type} ${value}`).toBe(null);
    }
    expect(convert(type, '-0')).toBe('0');
    expect(convert(type, `${'0'.repeat(40)}7`)).toBe('7');
  });

  it('Byte, SByte, Int16 and UInt16 are right for every number', () => {
    for (const [type, low, high] of INTEGERS.slice(0, 4)) {
      const texts: string[] = [];
      for (let value = Number(low); value <= Number(high); value++) texts.push(String(value));
      expect(values.parseAll(type, texts)).toBe(texts.length);
      expect(values.formatAll(type, texts.length)).toEqual(texts);
    }
  });

  it('integers in slots are extended to 64 bits', () => {
    for (const [type, low] of INTEGERS) {
      convert(type, String(low));
      expect(view.getBigInt64(SLOTS, true)).toBe(BigInt.asIntN(64, low));
    }
  });

  it('random integers of every length come back', () => {
    const random = randomSource();
    for (const [type, low, high] of INTEGERS.slice(4)) {
      const texts = Array.from({ length: 5000 }, () => {
        const bits = (BigInt(random.next()) << 32n) | BigInt(random.next());
        const value = (low < 0n ? BigInt.asIntN(64, bits) : bits) >> BigInt(random.below(64));
        return String(value < low ? low : value > high ? high : value);
      });
      expect(values.parseAll(type, texts), `seed ${random.seed}`).toBe(texts.length);
      expect(values.formatAll(type, texts.length), `seed ${random.seed}`).toEqual(texts);
    }
  });

  it.each([
    [' 5 ', '5'],
    ['\t\n\v\f\r5\t\n\v\f\r', '5'],
    ['+5', '5'],
    ['5\0', '5'],
    ['5 \0\0', '5'],
    ['5\0 ', null],
    ['\u00a05', null],
    ['- 5', null],
    ['5-', null],
    ['1,000', null],
    ['1e3', null],
    ['1.0', null],
    ['0x5', null],
    ['', null],
    [' ', null],
    ['-', null],
    ['+', null],
    ['--5', null],
    ['5\0a', null],
    ['\u0665', null],
  ])('Int32 of %j is %j', (text, expected) => {
    expect(convert('Int32', text)).toBe(expected);
  });

  it.each([
    ['1e14', '100000000000000'],
    ['1e15', '1000000000000000'],
    ['1e16', '10000000000000000'],
    ['1e17', '1E+17'],
    ['1e20', '1E+20'],
    ['1e100', '1E+100'],
    ['9007199254740992', '9007199254740992'],
    ['1234567890123456', '1234567890123456'],
    ['12345678901234568', '12345678901234568'],
    ['123456789012345680', '1.2345678901234568E+17'],
    ['0.0001', '0.0001'],
    ['0.00001', '1E-05'],
    ['0.00012345', '0.00012345'],
    ['0.000012345', '1.2345E-05'],
    ['-0', '-0'],
    ['-0.0e5', '-0'],
    ['5e-324', '5E-324'],
    ['1.7976931348623157e308', '1.7976931348623157E+308'],
    ['1.7976931348623159e308', 'Infinity'],
    ['1e400', 'Infinity'],
    ['-1e400', '-Infinity'],
    ['1e-400', '0'],
    ['0e99999999999', '0'],
    ['1e-99999999999', '0'],
    ['1e99999999999', 'Infinity'],
    ['infinity', 'Infinity'],
    ['+INFINITY', 'Infinity'],
    ['-Infinity', '-Infinity'],
    [' \u00a0NaN\u2003', 'NaN'],
    ['-nan', 'NaN'],
    ['∞', null],
    ['1,2,3', '123'],
    ['1,,2', '12'],
    ['1,234.5', '1234.5'],
    [',1', null],
    ['1,2.3,4', null],
    ['1.', '1'],
    ['.5', '0.5'],
    ['.', null],
    ['', null],
    ['1.2.3', null],
    ['- 5', null],
    ['-5-', null],
    ['(5)', null],
    ['1e', null],
    ['1e+', null],
    ['1 e5', null],
    ['1e5 ', '100000'],
    ['1E+5', '100000'],
    ['1\0\0', '1'],
    ['1\0 ', null],
    ['\u00a05', null],
    ['0x5', null],
    ['in', null],
    ['nanx', null],
  ])('Double of %j is %j', (text, expected) => {
    expect(convert('Double', text)).toBe(expected);
  });

  it.each([
    ['1e7', '10000000'],
    ['1e8', '100000000'],
    ['1e9', '1E+09'],
    ['16777216', '16777216'],
    ['16777217', '16777216'],
    ['16777219', '16777220'],
    ['123456789', '123456790'],
    ['1234567890', '1.2345679E+09'],
    ['3.4028235e38', '3.4028235E+38'],
    ['3.4028236e38', 'Infinity'],
    ['1e-45', '1E-45'],
    ['7e-46', '0'],
    ['7.1e-46', '1E-45'],
    ['-0', '-0'],
    ['0.1', '0.1'],
    ['nan', 'NaN'],
    ['-infinity', '-Infinity'],
  ])('Single of %j is %j', (text, expected) => {
    expect(convert('Single', text)).toBe(expected);
  });

  it('random doubles have the fewest digits and come back bit by bit', () => {
    const random = randomSource();
    for (let batch = 0; batch < 5; batch++) {
      const count = 40000;
      const numbers: number[] = [];
      for (let i = 0; i < count; i++) {
        view.setUint32(SLOTS + 16 * i, random.next(), true);
        view.setUint32(SLOTS + 16 * i + 4, random.next(), true);
        numbers.push(view.getFloat64(SLOTS + 16 * i, true));
      }
      checkDoubles(numbers, random.seed);
    }
  });

  it('doubles near powers of two and ten have the fewest digits', () => {
    const numbers: number[] = [];
    for (let exponent = -1074; exponent < 1024; exponent++) numbers.push(...around(2 ** exponent));
    for (let exponent = -323; exponent < 309; exponent++) numbers.push(...around(Number(`1e${exponent}`)));
    for (let exponent = 0; exponent < 400; exponent++)
      numbers.push(exponent, exponent / 8, exponent / 10, exponent / 1000);
    for (let shift = 0; shift < 53; shift++) numbers.push(2 ** 53 - 2 ** shift, 2 ** 53 + 2 ** shift + 1);
    checkDoubles(numbers, 0);
  });

  function around(value: number): number[] {
    const scratch = new DataView(new ArrayBuffer(8));
    scratch.setFloat64(0, value);
    const bits = scratch.getBigUint64(0);
    return [bits - 1n, bits, bits + 1n].map((near) => {
      scratch.setBigUint64(0, near);
      return scratch.getFloat64(0);
    });
  }

  function checkDoubles(numbers: number[], seed: number): void {
    for (let i = 0; i < numbers.length; i++) view.setFloat64(SLOTS + 16 * i, numbers[i]!, true);
    const texts = values.formatAll('Double', numbers.length);
    for (let i = 0; i < numbers.length; i++) {
      const expected = doubleText(numbers[i]!);
      if (texts[i] !== expected) throw new Error(`seed ${seed}: ${numbers[i]} became ${texts[i]}, not ${expected}`);
    }
    expect(values.parseAll('Double', texts)).toBe(texts.length);
    for (let i = 0; i < numbers.length; i++) {
      const back = view.getFloat64(SLOTS + 16 * i, true);
      if (!Object.is(back, numbers[i])) throw new Error(`seed ${seed}: ${texts[i]} was read as ${back}`);
    }
  }

  it('random singles have the fewest digits and come back bit by bit', () => {
    const random = randomSource();
    const count = 30000;
    const numbers: number[] = [];
    for (let i = 0; i < count; i++) {
      view.setUint32(
        SLOTS + 16 * i,
        i < 600 ? ((i % 200) * 0x1000000 + Math.floor(i / 200) - 1) >>> 0 : random.next(),
        true,
      );
      numbers.push(view.getFloat32(SLOTS + 16 * i, true));
    }
    const texts = values.formatAll('Single', count);
    for (let i = 0; i < count; i++) {
      const expected = singleText(numbers[i]!);
      if (texts[i] !== expected)
        throw new Error(`seed ${random.seed}: ${numbers[i]} became ${texts[i]}, not ${expected}`);
    }
    expect(values.parseAll('Single', texts)).toBe(count);
    for (let i = 0; i < count; i++) {
      const back = view.getFloat32(SLOTS + 16 * i, true);
      if (!Object.is(back, numbers[i])) throw new Error(`seed ${random.seed}: ${texts[i]} was read as ${back}`);
    }
  });

  it('decimal texts of every length are read as JavaScript reads them', () => {
    const random = randomSource();
    const texts = Array.from({ length: 30000 }, () => {
      const body = random.pick(
        () => `${random.digits(1 + random.below(25))}.${random.digits(random.below(30))}`,
        () => `${random.below(10)}.${random.digits(16)}`,
        () => `0.${'0'.repeat(random.below(40))}${random.digits(1 + random.below(22))}`,
        () => random.digits(1 + random.below(22)),
      )();
      return body + random.pick('', `e${random.below(660) - 340}`, `E-${random.below(330)}`, 'e+7');
    });
    expect(values.parseAll('Double', texts)).toBe(texts.length);
    for (let i = 0; i < texts.length; i++) {
      const back = view.getFloat64(SLOTS + 16 * i, true);
      if (!Object.is(back, Number(texts[i]))) throw new Error(`seed ${random.seed}: ${texts[i]} was read as ${back}`);
    }
  });

  it('points halfway between two doubles, and a hair beside them, are rounded right', () => {
    const random = randomSource();
    const heads: [bigint, number][] = [
      [1n, -1075],
      [3n, -1075],
      [2n ** 53n - 1n, -1075],
      [2n ** 53n + 1n, -1075],
      [2n ** 54n - 1n, 970],
      [2n ** 53n + 1n, 0],
      [2n ** 53n + 3n, 0],
    ];
    for (let i = 0; i < 150; i++) {
      const head = 2n ** 53n + BigInt(random.next()) * 0x100000n + BigInt(random.below(0x80000)) * 2n + 1n;
      heads.push([head, random.below(2040) - 1074]);
    }
    for (const [head, exponent] of heads) {
      const exact = exactText(head, exponent);
      for (const text of [
        exact,
        `${exact}0000`,
        `${exact}${'0'.repeat(800)}1`,
        stepDown(exact),
        stepDown(exact).slice(0, 40),
      ]) {
        convert('Double', text);
        const back = view.getFloat64(SLOTS, true);
        if (!Object.is(back, Number(text))) throw new Error(`seed ${random.seed}: ${text} was read as ${back}`);
      }
    }
  });

  /** head * 2^exponent in full, always with a point. */
  function exactText(head: bigint, exponent: number): string {
    if (exponent >= 0) return `${head << BigInt(exponent)}.0`;
    const scaled = String(head * 5n ** BigInt(-exponent)).padStart(-exponent + 1, '0');
    return `${scaled.slice(0, exponent)}.${scaled.slice(exponent)}`;
  }

  /** The largest number with the same digits that is below. */
  function stepDown(text: string): string {
    const point = text.length - text.indexOf('.') - 1;
    const lower = String(BigInt(text.replace('.', '')) - 1n).padStart(point + 1, '0');
    return `${lower.slice(0, -point)}.${lower.slice(-point)}9`;
  }

  it('points halfway between two singles are rounded once, not by way of a double', () => {
    const random = randomSource();
    for (let i = 0; i < 300; i++) {
      const lower = 2 ** 23 + random.below(2 ** 23 - 1);
      const exponent = random.below(250) - 149;
      const exact = exactText(BigInt(2 * lower + 1), exponent - 1);
      const even = lower + (lower % 2);
      const cases: [string, number][] = [
        [exact, even],
        [`${exact}${'0'.repeat(60)}1`, lower + 1],
        [stepDown(exact), lower],
      ];
      for (const [text, head] of cases) {
        convert('Single', text);
        const back = view.getFloat32(SLOTS, true);
        if (back !== head * 2 ** exponent) throw new Error(`seed ${random.seed}: ${text} was read as ${back}`);
      }
    }
  });

  it('every working slot is given back and can be taken again', () => {
    const slots = Array.from({ length: 32 }, () => core.borrowSlot!());
    expect(new Set(slots).size).toBe(32);
    for (const slot of slots) core.returnSlot!(slot);
    expect(core.borrowSlot!()).toBe(slots[0]);
    core.returnSlot!(slots[0]!);
  });

  it('the table holds the leading 128 bits of every power of ten', () => {
    for (let power = -342; power <= 324; power++) {
      const entry = core.powerOfTen!(power);
      const found = view.getBigUint64(entry, true) | (view.getBigUint64(entry + 8, true) << 64n);
      let exact = power >= 0 ? (10n ** BigInt(power)) << 128n : (1n << 2600n) / 10n ** BigInt(-power);
      exact >>= BigInt(exact.toString(2).length - 128);
      if (found !== exact) throw new Error(`10^${power}`);
      // The reader relies on it: no power is so close below a power of two that a product could come near the next one.
      expect(found >> 112n, `10^${power}`).toBeLessThan(0xffffn);
    }
  });

  it.each([
    ['1.10', '1.10'],
    ['0.00', '0.00'],
    ['-0', '0'],
    ['-0.00', '0.00'],
    ['-1.5', '-1.5'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['0000.100', '0.100'],
    [`0.${'0'.repeat(28)}`, `0.${'0'.repeat(28)}`],
    [`0.${'0'.repeat(30)}`, `0.${'0'.repeat(28)}`],
    [`0.${'0'.repeat(28)}5`, `0.${'0'.repeat(28)}`],
    [`0.${'0'.repeat(28)}51`, `0.${'0'.repeat(27)}1`],
    [`0.${'0'.repeat(28)}6`, `0.${'0'.repeat(27)}1`],
    [`0.${'0'.repeat(29)}9`, `0.${'0'.repeat(28)}`],
    ['79228162514264337593543950335', '79228162514264337593543950335'],
    ['-79228162514264337593543950335', '-79228162514264337593543950335'],
    ['79228162514264337593543950335.4', '79228162514264337593543950335'],
    ['79228162514264337593543950335.5', null],
    ['79228162514264337593543950336', null],
    ['7.92281625142643375935439503355', '7.922816251426433759354395034'],
    ['1.00000000000000000000000000005', `1.${'0'.repeat(28)}`],
    ['1.000000000000000000000000000050000000000000000001', `1.${'0'.repeat(27)}1`],
    ['3.00000000000000000000000000015', `3.${'0'.repeat(27)}2`],
    [`${'0'.repeat(45)}1.5`, '1.5'],
    ['1,000.5', '1000.5'],
    ['5-', '-5'],
    ['5 -', '-5'],
    ['5+ ', '5'],
    ['+5-', null],
    ['-5-', null],
    ['(5)', null],
    ['1e3', null],
    ['1\0', '1'],
    ['', null],
    ['.', null],
    ['12345678901234567890123456789012345', null],
  ])('Decimal of %j is %j', (text, expected) => {
    expect(convert('Decimal', text)).toBe(expected);
  });

  it('decimals at every scale are read exactly and cut half to even', () => {
    const random = randomSource();
    for (let i = 0; i < 20000; i++) {
      const whole = random.below(31);
      const places = random.below(40) + (whole === 0 ? 1 : 0);
      let text = `${random.digits(whole)}.${random.digits(places)}`;
      if (random.below(3) === 0) text = text.replace(/\d{4}$/, random.pick('5000', '4999', '5001', '0000'));
      if (random.below(2) === 0) text = `-${text}`;
      expect(convert('Decimal', text), `seed ${random.seed}: ${text}`).toBe(roundedDecimal(text));
    }
  });

  /** The text as .NET keeps it: at most 28 places and 96 bits, rounded once, or null. */
  function roundedDecimal(text: string): string | null {
    const negative = text.startsWith('-');
    const [whole = '', fraction = ''] = text.replace('-', '').split('.');
    for (let scale = Math.min(28, fraction.length); scale >= 0; scale--) {
      const kept = BigInt(whole + fraction.slice(0, scale) || '0');
      const rest = fraction.slice(scale);
      const half = `5${'0'.repeat(Math.max(0, rest.length - 1))}`;
      const up = rest > half || (rest === half && rest !== '' && kept % 2n === 1n);
      const value = kept + (up ? 1n : 0n);
      // Rounding that carries past 96 bits is done again one place shorter, as dropping the digit does.
      if (value >= 2n ** 96n) continue;
      const digits = String(value).padStart(scale + 1, '0');
      const sign = negative && value !== 0n ? '-' : '';
      return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
    }
    return null;
  }

  it('decimals compare by value whatever their scale', () => {
    const random = randomSource();
    const fraction = (text: string) =>
      BigInt(text.replace('.', '')) * 10n ** BigInt(28 - (text.split('.')[1]?.length ?? 0));
    for (let i = 0; i < 5000; i++) {
      const digits = random.digits(1 + random.below(20));
      const make = () => {
        const body = random.below(2) ? digits : random.digits(1 + random.below(25));
        const zeros = random.below(5);
        const point = random.below(body.length) + 1;
        const text = `${body.slice(0, point)}.${body.slice(point)}${'0'.repeat(zeros)}`.replace(/\.$/, '');
        return random.pick('', '', '-') + text;
      };
      const [a, b] = [make(), make()];
      const order = compare('Decimal', a, b);
      const expected = fraction(a) < fraction(b) ? -1 : fraction(a) > fraction(b) ? 1 : 0;
      if (order !== expected) throw new Error(`seed ${random.seed}: ${a} against ${b} gave ${order}`);
    }
    expect(compare('Decimal', '79228162514264337593543950335', '0.0000000000000000000000000001')).toBe(1);
    expect(compare('Decimal', '1.0', '1.00')).toBe(0);
    expect(compare('Decimal', '-0.0', '0')).toBe(0);
  });

  /** Order of two values; checks equality, hash and the reverse order on the way. */
  function compare(type: TypeName, a: string, b: string): number {
    const second = SLOTS + 16;
    expect(core.parseValue!(TYPES[type], IN, values.write(IN, a), SLOTS)).toBe(1);
    expect(core.parseValue!(TYPES[type], IN, values.write(IN, b), second)).toBe(1);
    const order = core.compareValues!(TYPES[type], SLOTS, second);
    expect(core.compareValues!(TYPES[type], second, SLOTS)).toBe(0 - order);
    expect(core.equalValues!(TYPES[type], SLOTS, second)).toBe(order === 0 ? 1 : 0);
    if (order === 0) expect(core.hashValue!(TYPES[type], SLOTS)).toBe(core.hashValue!(TYPES[type], second));
    return order;
  }

  it('numbers compare as .NET compares them', () => {
    for (const type of ['Single', 'Double'] as const) {
      const ascending = ['NaN', '-Infinity', '-1e30', '-1', '-1e-40', '0', '1e-40', '0.5', '1', 'Infinity'];
      ascending.forEach((a, i) => {
        ascending.forEach((b, j) => {
          expect(compare(type, a, b), `${type} ${a} ${b}`).toBe(Math.sign(i - j));
        });
      });
      expect(compare(type, '0', '-0')).toBe(0);
    }
    for (const [type, low, high] of INTEGERS) {
      const ascending = [low, low / 2n, 0n, 1n, high / 2n, high].filter((value, i, all) => all.indexOf(value) === i);
      ascending.sort((a, b) => (a < b ? -1 : 1));
      ascending.forEach((a, i) => {
        ascending.forEach((b, j) => {
          expect(compare(type, String(a), String(b)), `${type} ${a} ${b}`).toBe(Math.sign(i - j));
        });
      });
    }
  });
});

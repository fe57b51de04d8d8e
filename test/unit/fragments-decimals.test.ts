// The core's decimals beside the interpreter's, which are arithmetic on bigint: random values, many of them at the edges of 96 bits, of 28
// places and of halves. The seed is printed; FRAGMENT_SEED repeats a run, DECIMAL_ROUNDS makes it longer.

import { describe, expect, it } from 'vitest';
import * as decimal from '../../src/fragments/interpreter/decimal.ts';
import { Thrown } from '../../src/fragments/interpreter/exceptions.ts';
import { hashOfDecimal } from '../../src/fragments/interpreter/hash-codes.ts';
import { roundDecimal } from '../../src/fragments/interpreter/members/numbers.ts';
import { CoreRoutines, textOfDecimal, textOfWords, wordsOfDecimal } from './support/core-routines.ts';
import { randomOf } from './support/fragment-generator.ts';

const seed = Number(process.env.FRAGMENT_SEED ?? Math.floor(Math.random() * 2 ** 32));
const rounds = Number(process.env.DECIMAL_ROUNDS ?? 12_000);
const random = randomOf(seed);
const below = (bound: number): number => Math.floor(random() * bound);
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
const { DecimalValue } = decimal;
type Value = decimal.DecimalValue;

const most = (1n << 96n) - 1n;

/** An integer of up to 96 bits: of any length, near a power of two or of ten, of round digits. */
function digits(): bigint {
  const any = (bits: number): bigint => {
    let value = 0n;
    for (let left = bits; left > 0; left -= 30) value = (value << 30n) | BigInt(below(2 ** Math.min(30, left)));
    return value;
  };
  const near = (value: bigint): bigint => value + BigInt(below(5) - 2);
  const made = pick([
    () => any(below(97)),
    () => any(96),
    () => near(1n << BigInt(below(97))),
    () => near(10n ** BigInt(below(29))),
    () => BigInt(below(100)) * 10n ** BigInt(below(27)),
    () => 5n * 10n ** BigInt(below(28)) + BigInt(below(3) - 1),
    () => most - BigInt(below(12)),
    () => most / 10n + BigInt(below(12) - 6),
    () => BigInt(below(1000)),
    () => 0n,
  ])();
  return made < 0n ? 0n : made > most ? most : made;
}

function value(): Value {
  const size = digits();
  return new DecimalValue(random() < 0.4 ? -size : size, pick([0, 28, below(29), below(29), below(4)]));
}

function attempt(make: () => Value | bigint | number): string {
  try {
    const made = make();
    return made instanceof DecimalValue ? textOfDecimal(made) : Object.is(made, -0) ? '-0' : String(made);
  } catch (error) {
    if (error instanceof Thrown) return `!${error.exception.type.name}`;
    throw error;
  }
}

const wasm = ['core.shared', 'core.plain', 'debug/core.shared'];
const binary = [
  ['decimalAdd', decimal.add],
  ['decimalSubtract', decimal.subtract],
  ['decimalMultiply', decimal.multiply],
  ['decimalDivide', decimal.divide],
  ['decimalRemainder', decimal.remainder],
  ['decimalCompare', decimal.compare],
] as const;

describe.each(wasm)('decimals of %s', (file) => {
  const routines = new CoreRoutines(`dist/wasm/${file}.wasm`, !file.includes('plain'));
  const wrong: string[] = [];
  const compare = (name: string, given: string, expected: string, ...values: readonly unknown[]): void => {
    if (given === expected || wrong.length >= 5) return;
    const shown = values.map((each) => (each instanceof DecimalValue ? textOfDecimal(each) : String(each))).join(', ');
    wrong.push(`${name}(${shown}): core ${given}, interpreter ${expected}`);
  };
  const shown = (result: ReturnType<CoreRoutines['call']>): string => {
    if (Array.isArray(result)) return textOfWords(result);
    const fault = routines.fault();
    return fault === '' ? (Object.is(result, -0) ? '-0' : String(result)) : `!${fault}`;
  };

  it(`computes as the interpreter does: FRAGMENT_SEED=${seed}`, { timeout: 0 }, () => {
    for (let round = 0; round < rounds && wrong.length < 5; round++) {
      const [a, b] = [value(), value()];
      const other = random() < 0.1 ? new DecimalValue(-a.digits, a.scale) : b;
      for (const [name, apply] of binary) {
        const given = shown(routines.call(name, wordsOfDecimal(a), wordsOfDecimal(other)));
        compare(
          name,
          given,
          attempt(() => apply(a, other)),
          a,
          other,
        );
      }
      const [places, rule] = [pick([0, below(29), below(29), a.scale - 1, 29, -1]), pick([0, 1, 2, 3, 4, 4, 5])];
      const rounded = shown(routines.call('decimalRound', wordsOfDecimal(a), places, rule));
      compare(
        'decimalRound',
        rounded,
        attempt(() => roundDecimal(a, places, rule)),
        a,
        places,
        rule,
      );
    }
    expect(wrong.join('\n')).toBe('');
  });

  it(`converts as the interpreter does: FRAGMENT_SEED=${seed}`, { timeout: 0 }, () => {
    const [least, greatest] = [-(2n ** 63n), 2n ** 63n - 1n];
    const mark = routines.instance.exports.fragmentMark();
    for (let round = 0; round < rounds && wrong.length < 5; round++) {
      const a = value();
      const words = wordsOfDecimal(a);
      const long = shown(routines.call('decimalToLong', words));
      compare(
        'decimalToLong',
        long,
        attempt(() => decimal.integerFromDecimal(a, least, greatest, '')),
        a,
      );
      const unsigned = shown(routines.call('decimalToUlong', words)).replace(/^-.*/, (text) => String(BigInt.asUintN(64, BigInt(text)))); // biome-ignore format: one expression
      compare(
        'decimalToUlong',
        unsigned,
        attempt(() => decimal.integerFromDecimal(a, 0n, 2n ** 64n - 1n, '')),
        a,
      );
      compare('decimalToDouble', shown(routines.call('decimalToDouble', words)), attempt(() => decimal.realFromDecimal(a)), a); // biome-ignore format: one expression
      compare('decimalHash', shown(routines.call('decimalHash', words)), String(hashOfDecimal(a)), a);
      compare('textDecimal', routines.text(routines.call('textDecimal', words) as number), a.toString(), a);
      routines.instance.exports.fragmentRelease(mark);
      const real = reals();
      for (const significant of [15, 7]) {
        const single = significant === 7 ? Math.fround(real) : real;
        const made = shown(routines.call('decimalFromReal', single, significant));
        compare(
          'decimalFromReal',
          made,
          attempt(() => decimal.decimalFromReal(single, significant)),
          single,
          significant,
        );
      }
    }
    expect(wrong.join('\n')).toBe('');
  });
});

/** Doubles of all sizes that decimals have, many of them in the middle of two of 15 digits. */
function reals(): number {
  const sign = random() < 0.5 ? -1 : 1;
  return (
    sign *
    pick([
      () => random() * 10 ** (below(62) - 31),
      () => (below(2 ** 30) * 2 ** 23 + below(2 ** 23)) * 2 ** (below(150) - 105),
      () => below(1e9) + 0.5,
      () => (below(1e15) * 10 + 5) * 10 ** -below(3),
      () => 10 ** (below(62) - 31),
      () => Number(`${below(1e9)}e${below(40) - 30}`),
      () => 2 ** (below(200) - 100),
      () => pick([0, Number.NaN, Number.POSITIVE_INFINITY, 7.9228162514264338e28, 5e-324, 5e-29]),
    ])()
  );
}

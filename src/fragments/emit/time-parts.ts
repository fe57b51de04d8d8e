// What the members of dates, times and spans have in common: units, order, equality and hash codes.

import { argument, type CallEmitter } from './calls.ts';
import type { FunctionEmitter } from './function-emitter.ts';
import { compareToObject, pushOperands } from './routines.ts';

const ticksMask = 2n ** 62n - 1n;
export const mostTicks = 3_155_378_975_999_999_999n;
export const unixTicks = 621_355_968_000_000_000n;
export const ticks = {
  Milliseconds: 10_000n,
  Seconds: 10_000_000n,
  Minutes: 600_000_000n,
  Hours: 36_000_000_000n,
  Days: 864_000_000_000n,
};
export const cycles = { Milliseconds: 1000n, Seconds: 60n, Minutes: 60n, Hours: 24n, Days: null };
export const kinds = { unspecified: 0n, utc: 1n << 62n, local: 2n << 62n };

export type Timed = 'DateTime' | 'DateTimeOffset' | 'TimeSpan';

/** Turns the value on the stack into the number that orders values of its type. */
function orderOf(f: FunctionEmitter, type: Timed): void {
  if (type === 'DateTimeOffset') f.code.simd(0x1d, 0);
  else if (type === 'DateTime') masked(f);
}

export function masked({ code }: FunctionEmitter): void {
  code.i64(ticksMask);
  code.op(0x83);
}

export function constant(value: bigint): CallEmitter {
  return ({ code }) => code.i64(value);
}

/** The operands as the numbers that order them, then instructions. */
export function ordered(type: Timed, ...codes: readonly number[]): CallEmitter {
  return (f, call) => {
    const nodes = [
      ...(call.receiver === null ? [] : [call.receiver]),
      ...call.arguments.map((_, at) => argument(call, at)),
    ];
    for (const node of nodes) {
      f.expression(node);
      orderOf(f, type);
    }
    f.code.op(...codes);
  };
}

/** CompareTo. */
function order(type: Timed): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const nodes = [
      ...(call.receiver === null ? [] : [call.receiver]),
      ...call.arguments.map((_, at) => argument(call, at)),
    ];
    const [a, b] = nodes.map((node) => {
      f.expression(node);
      orderOf(f, type);
      const local = code.borrow('i64');
      code.set(local);
      return local;
    }) as [number, number];
    for (const instruction of [0x55, 0x53]) {
      code.get(a);
      code.get(b);
      code.op(instruction);
    }
    code.op(0x6b);
    code.release('i64', a);
    code.release('i64', b);
  };
}

export function comparisons(type: Timed): [string, CallEmitter][] {
  const two = `${type},${type}`;
  const tests = { Equality: 0x51, Inequality: 0x52, LessThan: 0x53, GreaterThan: 0x55, LessThanOrEqual: 0x57, GreaterThanOrEqual: 0x59 }; // biome-ignore format: a table
  const operators = Object.entries(tests).map(([name, instruction]): [string, CallEmitter] => [
    `${type}.op_${name}(${two})`,
    ordered(type, instruction),
  ]);
  return [
    ...operators,
    [`${type}.Compare(${two})`, order(type)],
    [`${type}.CompareTo(${type})`, order(type)],
    [`${type}.CompareTo(object)`, compareToObject],
    [`${type}.Equals(${type})`, ordered(type, 0x51)],
    [`${type}.Equals(${two})`, ordered(type, 0x51)],
    [
      `${type}.GetHashCode()`,
      (f, call) => {
        const { code } = f;
        ordered(type)(f, call);
        const local = code.borrow('i64');
        code.tee(local);
        code.get(local);
        code.i64(32n);
        code.op(0x88, 0x85, 0xa7);
        code.release('i64', local);
      },
    ],
  ];
}

/** Whether two values of 128 bits are the same. */
export const wideEquality: CallEmitter = (f, call) => {
  pushOperands(f, call);
  f.code.simd(0x51);
  f.code.simd(0x53);
  f.code.op(0x45);
};

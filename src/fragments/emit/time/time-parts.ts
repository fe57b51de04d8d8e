// What the members of dates, times and spans have in common: units, order, equality and hash codes.

import { argument, type CallEmitter } from '../control/call-parts.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { compareToObject, pushOperands } from '../control/routines.ts';
import { i32, i64, i64x2, type Opcode, v128 } from '../wasm/opcodes.ts';

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
  if (type === 'DateTimeOffset') f.code.simd(i64x2.extractLane, 0);
  else if (type === 'DateTime') masked(f);
}

export function masked({ code }: FunctionEmitter): void {
  code.i64(ticksMask);
  code.op(i64.and);
}

export function constant(value: bigint): CallEmitter {
  return ({ code }) => code.i64(value);
}

/** The operands as the numbers that order them, then instructions. */
export function ordered(type: Timed, ...codes: readonly Opcode[]): CallEmitter {
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
    for (const instruction of [i64.gtS, i64.ltS]) {
      code.get(a);
      code.get(b);
      code.op(instruction);
    }
    code.op(i32.sub);
    code.release('i64', a);
    code.release('i64', b);
  };
}

export function comparisons(type: Timed): [string, CallEmitter][] {
  const two = `${type},${type}`;
  const tests = { Equality: i64.eq, Inequality: i64.ne, LessThan: i64.ltS, GreaterThan: i64.gtS, LessThanOrEqual: i64.leS, GreaterThanOrEqual: i64.geS }; // biome-ignore format: a table
  const operators = Object.entries(tests).map(([name, instruction]): [string, CallEmitter] => [
    `${type}.op_${name}(${two})`,
    ordered(type, instruction),
  ]);
  return [
    ...operators,
    [`${type}.Compare(${two})`, order(type)],
    [`${type}.CompareTo(${type})`, order(type)],
    [`${type}.CompareTo(object)`, compareToObject],
    [`${type}.Equals(${type})`, ordered(type, i64.eq)],
    [`${type}.Equals(${two})`, ordered(type, i64.eq)],
    [
      `${type}.GetHashCode()`,
      (f, call) => {
        const { code } = f;
        ordered(type)(f, call);
        const local = code.borrow('i64');
        code.tee(local);
        code.get(local);
        code.i64(32n);
        code.op(i64.shrU, i64.xor, i32.wrapI64);
        code.release('i64', local);
      },
    ],
  ];
}

/** Whether two values of 128 bits are the same. */
export const wideEquality: CallEmitter = (f, call) => {
  pushOperands(f, call);
  f.code.simd(v128.xor);
  f.code.simd(v128.anyTrue);
  f.code.op(i32.eqz);
};

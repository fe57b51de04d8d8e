// Sum, Average, Min, Max, MinBy and MaxBy as one loop. Null does not count; NaN comes before every number.

import type { Expression } from '../../tree.ts';
import type { PrimitiveName, Type } from '../../types.ts';
import { pushBefore } from '../collections/equality.ts';
import { argument, type Call, type CallEmitter } from '../control/call-parts.ts';
import { type Applied, delegate, memberCall, primitive, variable } from '../control/callbacks.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { formOf, nullOf, representation } from '../representation.ts';
import { NotCompiled } from '../unsupported.ts';
import { i32 } from '../wasm/opcodes.ts';
import { goOver } from './sequence.ts';
import { source } from './stepping.ts';

const S = 'IEnumerable<TSource>';
const bool = primitive('bool');

type OnNumber = (value: number, type: Type, item: number) => void;

/** Goes over the numbers of a call's items, each in a local; `onNull` gets the items without one. */
function overNumbers(
  f: FunctionEmitter,
  call: Call,
  onNumber: OnNumber,
  onNull: (item: number) => void = () => {},
): void {
  const { code } = f;
  const items = source(f, call);
  const selector: Applied | null = call.arguments.length > 1 ? delegate(f, argument(call, 1), [items.item]) : null;
  const type = selector?.result ?? items.item;
  goOver(f, items, (item) => {
    let value = item;
    if (selector !== null) {
      value = code.local(representation(type));
      selector.apply([item]);
      code.set(value);
    }
    if (type.kind !== 'nullable' && formOf(type) === null) {
      onNumber(value, type, item);
      return;
    }
    const read = variable(f, type, value);
    if (type.kind === 'nullable') f.expression({ kind: 'hasValue', type: bool, operand: read });
    else {
      code.get(value);
      code.i32(nullOf(type));
      code.op(i32.ne);
    }
    code.if();
    if (type.kind !== 'nullable') onNumber(value, type, item);
    else onNumber(f.toLocal({ kind: 'unwrap', type: type.element, operand: read }).local, type.element, item);
    code.else();
    onNull(item);
    code.end();
  });
}

/** Adds a value to the local `total`. */
function add(f: FunctionEmitter, name: PrimitiveName, checked: boolean, total: number, value: Expression): void {
  const { code } = f;
  const type = primitive(name);
  const left = variable(f, type, total);
  if (name === 'decimal') {
    f.expression(memberCall('Decimal.op_Addition(decimal,decimal)', type, null, [left, value]));
  } else {
    f.expression({ kind: 'binary', type, operator: '+', operand: name, checked, left, right: value });
  }
  code.set(total);
}

function numeric(from: PrimitiveName, to: PrimitiveName, operand: Expression): Expression {
  if (from === to) return operand;
  return { kind: 'convert', type: primitive(to), conversion: { kind: 'numeric', from, to, checked: false }, operand };
}

/** What a number type is summed as: float as double, and averages of int as long. */
const sums: Partial<Record<PrimitiveName, PrimitiveName>> = {
  int: 'int',
  long: 'long',
  float: 'double',
  double: 'double',
  decimal: 'decimal',
};

function nameOfNumber(type: Type): PrimitiveName {
  if (type.kind !== 'primitive') throw new NotCompiled('a sum of these values');
  return type.name;
}

/** Pushes a value of the element of `type`, wrapped when `type` is nullable. */
function pushAs(f: FunctionEmitter, type: Type, value: Expression): void {
  f.expression(
    type.kind === 'nullable' ? { kind: 'convert', type, conversion: { kind: 'wrap' }, operand: value } : value,
  );
}

const plain = (type: Type): Type => (type.kind === 'nullable' ? type.element : type);

const sum: CallEmitter = (f, call) => {
  const name = nameOfNumber(plain(call.type));
  const wide = sums[name] as PrimitiveName;
  const total = f.code.local(representation(primitive(wide)));
  f.zero(primitive(wide));
  f.code.set(total);
  overNumbers(f, call, (value) => {
    // Integers are summed checked, as .NET does.
    add(f, wide, true, total, numeric(name, wide, variable(f, primitive(name), value)));
  });
  pushAs(f, call.type, numeric(wide, name, variable(f, primitive(wide), total)));
};

const average: CallEmitter = (f, call) => {
  const { code } = f;
  const result = nameOfNumber(plain(call.type));
  const count = code.local('i32');
  code.i32(0);
  code.set(count);
  const wide = averaged(call);
  const total = code.local(representation(primitive(wide)));
  f.zero(primitive(wide));
  code.set(total);
  overNumbers(f, call, (value, own) => {
    const name = nameOfNumber(own);
    // As many int as there can be do not overflow a long.
    add(f, wide, name !== 'int', total, numeric(name, wide, variable(f, own, value)));
    code.get(count);
    code.i32(1);
    code.op(i32.add);
    code.set(count);
  });
  const left = variable(f, primitive(wide), total);
  const right = variable(f, primitive('int'), count);
  const quotient = (): Expression => {
    if (result === 'decimal') {
      const divisor = memberCall('Decimal.op_Implicit(int)->decimal', primitive('decimal'), null, [right]);
      return memberCall('Decimal.op_Division(decimal,decimal)', primitive('decimal'), null, [left, divisor]);
    }
    const type = primitive('double');
    const sides = { left: numeric(wide, 'double', left), right: numeric('int', 'double', right) };
    return numeric('double', result, {
      kind: 'binary',
      type,
      operator: '/',
      operand: 'double',
      checked: false,
      ...sides,
    });
  };
  code.get(count);
  code.op(i32.eqz);
  if (call.type.kind !== 'nullable') {
    f.failIf('InvalidOperationException');
    pushAs(f, call.type, quotient());
    return;
  }
  code.if(representation(call.type));
  f.zero(call.type);
  code.else();
  pushAs(f, call.type, quotient());
  code.end();
};

/** What the numbers of an Average are summed as; the key says what they are. */
function averaged({ member: { key } }: Call): PrimitiveName {
  const name = /([a-z]+)\??>\)$/.exec(key)?.[1] as PrimitiveName;
  return name === 'int' ? 'long' : (sums[name] as PrimitiveName);
}

/** The largest or smallest; `by`: the item whose key is, the first one without a key where none has one. */
function extreme(largest: boolean, by: boolean): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const result = code.local(representation(call.type));
    // 0: nothing was seen; 1: nulls; 2: values.
    const seen = code.local('i32');
    const see = (what: number): void => {
      code.i32(what);
      code.set(seen);
    };
    see(0);
    f.zero(call.type);
    code.set(result);
    const onNumber: OnNumber = (value, type, item) => {
      const best = code.local(representation(type));
      code.get(seen);
      code.i32(2);
      code.op(i32.eq);
      code.if('i32');
      if (largest) pushBefore(f, type, best, value);
      else pushBefore(f, type, value, best);
      code.else();
      code.i32(1);
      code.end();
      code.if();
      code.get(value);
      code.set(best);
      if (by) code.get(item);
      else pushAs(f, call.type, variable(f, type, value));
      code.set(result);
      see(2);
      code.end();
    };
    overNumbers(f, call, onNumber, (item) => {
      code.get(seen);
      code.op(i32.eqz);
      code.if();
      if (by) {
        code.get(item);
        code.set(result);
      }
      see(1);
      code.end();
    });
    if (call.type.kind !== 'nullable' && formOf(call.type) === null) {
      code.get(seen);
      code.op(i32.eqz);
      f.failIf('InvalidOperationException');
    }
    code.get(result);
  };
}

const names = ['int', 'long', 'float', 'double', 'decimal'].flatMap((name) => [name, `${name}?`]);

export const numberEnds: readonly [string, CallEmitter][] = [
  ...names.flatMap((type): [string, CallEmitter][] =>
    (
      [
        ['Sum', sum],
        ['Average', average],
        ['Max', extreme(true, false)],
        ['Min', extreme(false, false)],
      ] as const
    ).flatMap(([name, emit]): [string, CallEmitter][] => [
      [`Enumerable.${name}(IEnumerable<${type}>)`, emit],
      [`Enumerable.${name}<TSource>(${S},Func<TSource,${type}>)`, emit],
    ]),
  ),
  ...([true, false] as const).flatMap((largest): [string, CallEmitter][] => {
    const name = largest ? 'Max' : 'Min';
    return [
      [`Enumerable.${name}<TSource>(${S})`, extreme(largest, false)],
      [`Enumerable.${name}<TSource,TResult>(${S},Func<TSource,TResult>)`, extreme(largest, false)],
      [`Enumerable.${name}By<TSource,TKey>(${S},Func<TSource,TKey>)`, extreme(largest, true)],
    ];
  }),
];

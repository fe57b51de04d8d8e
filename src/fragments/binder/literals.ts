// Literals: the type of a number by its size and suffix.

import { step } from '../steps.ts';
import type * as Syntax from '../syntax.ts';
import type { PrimitiveName, Type } from '../types.ts';
import type { Binder } from './binder.ts';
import type { Bound } from './bound.ts';
import { constantValue, errorBound } from './build.ts';
import { fits, integerConstant } from './constants.ts';
import { decimalLiteral } from './decimal-constants.ts';
import { BOOL, CHAR, DECIMAL, DOUBLE, FLOAT, NULL, primitiveType, STRING } from './typing.ts';

type LiteralSyntax = Syntax.Expression & { readonly kind: 'literal' };

export function bindLiteral(b: Binder, syntax: LiteralSyntax): Bound {
  const { literal } = syntax;
  switch (literal.type) {
    case 'integer': {
      const name = integerType(literal.value, literal.suffix);
      if (name) return constantValue(syntax, primitiveType(name), integerConstant(literal.value, name));
      return errorBound(syntax); // too large: the lexer has said so
    }
    case 'real':
      return realLiteral(b, syntax, literal.text, literal.suffix);
    case 'char':
      return constantValue(syntax, CHAR, literal.value.charCodeAt(0));
    case 'string':
      return constantValue(syntax, STRING, literal.value);
    case 'bool':
      return constantValue(syntax, BOOL, literal.value);
    case 'null':
      return constantValue(syntax, NULL, null);
    case 'default':
      return { kind: 'default', syntax };
  }
}

function integerType(value: bigint, suffix: string): PrimitiveName | null {
  const order: Record<string, readonly PrimitiveName[]> = {
    '': ['int', 'uint', 'long', 'ulong'],
    u: ['uint', 'ulong'],
    l: ['long', 'ulong'],
    ul: ['ulong'],
  };
  return order[suffix]!.find((name) => fits(value, name)) ?? null;
}

function realLiteral(b: Binder, syntax: Syntax.Node, text: string, suffix: string): Bound {
  if (suffix === 'm') {
    const decimal = decimalLiteral(decimalText(text));
    // One that is out of range has been reported by the lexer.
    return decimal === null ? errorBound(syntax) : constantValue(syntax, DECIMAL, decimal);
  }
  const type: Type = suffix === 'f' ? FLOAT : DOUBLE;
  const number = suffix === 'f' ? Math.fround(Number(text)) : Number(text);
  if (!Number.isFinite(number)) {
    step(b.diagnostics.length >> 4);
    if (!b.diagnostics.some((diagnostic) => diagnostic.start === syntax.start))
      b.report('CS0594', syntax, suffix === 'f' ? 'float' : 'double');
    return errorBound(syntax);
  }
  return constantValue(syntax, type, number);
}

/** Decimal text without an exponent. */
function decimalText(text: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = /^(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  let digits = whole + fraction;
  let point = whole.length + Math.max(-60, Math.min(60, Number(exponent)));
  if (point < 0) {
    digits = '0'.repeat(-point) + digits;
    point = 0;
  }
  digits = digits.padEnd(point, '0');
  const left = digits.slice(0, point).replace(/^0+(?=\d)/, '') || '0';
  const right = digits.slice(point);
  return right ? `${left}.${right}` : left;
}

/** `-2147483648` and `-9223372036854775808`, whose digits alone would be unsigned. */
export function bindNegatedLiteral(_b: Binder, at: Syntax.Node, operand: Syntax.Expression): Bound | null {
  if (operand.kind !== 'literal' || operand.literal.type !== 'integer' || operand.literal.base !== 10) return null;
  const { value, suffix } = operand.literal;
  if (value === 2n ** 31n && suffix === '') return constantValue(at, primitiveType('int'), -(2 ** 31));
  if (value === 2n ** 63n && (suffix === '' || suffix === 'l'))
    return constantValue(at, primitiveType('long'), -(2n ** 63n));
  return null;
}

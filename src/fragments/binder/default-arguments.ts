// The values that optional parameters have when they are left out, from the texts that declare them.

import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import type { Binder } from './binder.ts';
import { constant, convertTree } from './build.ts';
import { integerConstant } from './constants.ts';
import { defaultTree, enumNumber, isEnum } from './conversions.ts';
import type { ParameterSymbol } from './symbols.ts';

export function defaultArgument(b: Binder, parameter: ParameterSymbol): Tree.Expression {
  const content = declaredConstant(b, parameter.default ?? 'default', parameter.type);
  if (content === undefined) return defaultTree(b, parameter.type);
  if (parameter.type.kind === 'nullable') {
    return convertTree(parameter.type, constant(parameter.type.element, content), 'wrap');
  }
  return constant(parameter.type, content);
}

/** The value that a declaration writes for a constant or a default; undefined for `default` and null of value types. */
export function declaredConstant(b: Binder, text: string, declared: Type): Tree.ConstantValue | undefined {
  const type = declared.kind === 'nullable' ? declared.element : declared;
  if (text === 'default' || text === 'null') return undefined;
  if (text === 'true' || text === 'false') return text === 'true';
  if (text.startsWith('"')) return JSON.parse(text) as string;
  if (text.startsWith("'")) return (JSON.parse(`"${text.slice(1, -1).replace('"', '\\"')}"`) as string).charCodeAt(0);
  if (isEnum(b, type)) {
    const name = text.slice(text.lastIndexOf('.') + 1);
    const member = b.library.symbolOf(type)!.membersNamed(name)[0];
    const number = member?.kind === 'field' ? member.constant : text;
    return integerConstant(BigInt(number!), enumNumber(b, type));
  }
  return type.kind === 'primitive' ? numberConstant(text, type.name) : undefined;
}

function numberConstant(text: string, type: string): Tree.ConstantValue | undefined {
  const special = {
    NaN: Number.NaN,
    PositiveInfinity: Number.POSITIVE_INFINITY,
    NegativeInfinity: Number.NEGATIVE_INFINITY,
  }[text.replace(/^.*\./, '')];
  if (special !== undefined) return special;
  const division = /^(-?[\d.]+)[dDfF]?\/(-?[\d.]+)[dDfF]?$/.exec(text);
  if (division) return Number(division[1]) / Number(division[2]);
  const number = /^0[xX]/.test(text) ? text : text.replace(/_/g, '').replace(/[fFdDmMuUlL]+$/, '');
  switch (type) {
    case 'decimal':
      return { decimal: number };
    case 'double':
      return Number(number);
    case 'float':
      return Math.fround(Number(number));
    case 'long':
    case 'ulong':
      return BigInt(number);
    case 'string':
      return undefined;
    default:
      return Number(number);
  }
}

// Conversions between types, without looking at the expression: identity, numeric, nullable, reference, boxing, tuples, and
// those that library types define. What depends on the expression (constants, null, lambdas …) is in `converting.ts`.

import type * as Tree from '../tree.ts';
import type { PrimitiveName, Type } from '../types.ts';
import type { Binder } from './binder.ts';
import { callMember, conditional, constant, convertTree, once, sequence } from './build.ts';
import type { FoundMember } from './library.ts';
import type { MethodSymbol } from './symbols.ts';
import {
  isIntegral,
  isNamed,
  isNumericOrDecimal,
  isPrimitive,
  sameType,
  substitute,
  withoutNullable,
} from './typing.ts';

export interface TypeConversion {
  readonly kind: 'identity' | 'numeric' | 'nullable' | 'reference' | 'boxing' | 'tuple' | 'enum' | 'user';
  readonly implicit: boolean;
  /** `checked`: whether a number that does not fit throws. */
  apply(b: Binder, tree: Tree.Expression, checked: boolean): Tree.Expression;
}

const WIDER: Partial<Record<PrimitiveName, readonly PrimitiveName[]>> = {
  sbyte: ['short', 'int', 'long', 'float', 'double', 'decimal'],
  byte: ['short', 'ushort', 'int', 'uint', 'long', 'ulong', 'float', 'double', 'decimal'],
  short: ['int', 'long', 'float', 'double', 'decimal'],
  ushort: ['int', 'uint', 'long', 'ulong', 'float', 'double', 'decimal'],
  int: ['long', 'float', 'double', 'decimal'],
  uint: ['long', 'ulong', 'float', 'double', 'decimal'],
  long: ['float', 'double', 'decimal'],
  ulong: ['float', 'double', 'decimal'],
  char: ['ushort', 'int', 'uint', 'long', 'ulong', 'float', 'double', 'decimal'],
  float: ['double'],
};

export function isImplicitNumeric(from: PrimitiveName, to: PrimitiveName): boolean {
  return WIDER[from]?.includes(to) ?? false;
}

const keep = (_b: Binder, tree: Tree.Expression): Tree.Expression => tree;
const IDENTITY: TypeConversion = { kind: 'identity', implicit: true, apply: keep };

/** `struct`s of the library, simple value types, nullable values and tuples. */
export function isValueType(b: Binder, type: Type): boolean {
  switch (type.kind) {
    case 'primitive':
      return type.name !== 'string' && type.name !== 'object' && type.name !== 'void';
    case 'nullable':
    case 'tuple':
      return true;
    case 'named': {
      const shape = b.library.symbolOf(type)?.shape;
      return shape === 'struct' || shape === 'enum';
    }
    default:
      return false;
  }
}

/** Types that null is a value of, nullable values left out. */
export function isReferenceType(b: Binder, type: Type): boolean {
  return type.kind !== 'error' && type.kind !== 'parameter' && !isPrimitive(type, 'void') && !isValueType(b, type);
}

export function isEnum(b: Binder, type: Type): boolean {
  return type.kind === 'named' && b.library.symbolOf(type)?.shape === 'enum';
}

/** The number type under an enum. */
export function enumNumber(b: Binder, type: Type): PrimitiveName {
  const underlying = b.library.symbolOf(type)!.underlying;
  return underlying.kind === 'primitive' ? underlying.name : 'int';
}

/** Spans and other types that may not leave the stack. */
export function isRefLike(type: Type): boolean {
  return isNamed(type, 'Span') || isNamed(type, 'ReadOnlySpan');
}

/** The conversion from one type to another, implicit or explicit; null when there is none. */
export function conversionBetween(b: Binder, from: Type, to: Type): TypeConversion | null {
  return standardConversion(b, from, to) ?? userConversion(b, from, to);
}

export function hasImplicit(b: Binder, from: Type, to: Type): boolean {
  return conversionBetween(b, from, to)?.implicit ?? false;
}

function standardConversion(b: Binder, from: Type, to: Type): TypeConversion | null {
  if (sameType(from, to)) return IDENTITY;
  if (from.kind === 'error' || to.kind === 'error') return IDENTITY;
  if (isPrimitive(to, 'void') || isPrimitive(from, 'void')) return null;
  if (from.kind === 'primitive' && to.kind === 'primitive') {
    if (isNumericOrDecimal(from) && isNumericOrDecimal(to)) return numericConversion(from.name, to.name, to);
  }
  if (from.kind === 'nullable' || to.kind === 'nullable') {
    const nullable = nullableConversion(b, from, to);
    if (nullable) return nullable;
  }
  if (from.kind === 'tuple' && to.kind === 'tuple') return tupleConversion(b, from, to);
  const enumeration = enumConversion(b, from, to);
  if (enumeration) return enumeration;
  if (isValueType(b, from)) return boxes(b, from, to) ? boxing(to) : null;
  if (isValueType(b, to)) return !isRefLike(to) && boxes(b, to, from) ? unboxing(to) : null;
  if (isImplicitReference(b, from, to))
    return { kind: 'reference', implicit: true, apply: (_b, tree) => upcast(tree, to) };
  return isExplicitReference(b, from, to)
    ? { kind: 'reference', implicit: false, apply: (_b, tree) => convertTree(to, tree, 'reference') }
    : null;
}

function upcast(tree: Tree.Expression, to: Type): Tree.Expression {
  return sameType(tree.type, to) ? tree : convertTree(to, tree, 'identity');
}

function boxing(to: Type): TypeConversion {
  return { kind: 'boxing', implicit: true, apply: (_b, tree) => convertTree(to, tree, 'box') };
}

function unboxing(to: Type): TypeConversion {
  return { kind: 'boxing', implicit: false, apply: (_b, tree) => convertTree(to, tree, 'unbox') };
}

function numericConversion(from: PrimitiveName, to: PrimitiveName, type: Type): TypeConversion {
  const implicit = isImplicitNumeric(from, to);
  return {
    kind: 'numeric',
    implicit,
    apply(_b, tree, checked) {
      if (from === 'decimal' || to === 'decimal') {
        const name = implicit ? 'op_Implicit' : 'op_Explicit';
        return callMember(`Decimal.${name}(${from})->${to}`, type, null, [tree]);
      }
      return {
        kind: 'convert',
        type,
        conversion: { kind: 'numeric', from, to, checked: checked && !implicit },
        operand: tree,
      };
    },
  };
}

function enumConversion(b: Binder, from: Type, to: Type): TypeConversion | null {
  const fromEnum = isEnum(b, from);
  const toEnum = isEnum(b, to);
  if (!(fromEnum && (toEnum || isNumericOrDecimal(to))) && !(toEnum && isNumericOrDecimal(from))) return null;
  const apply: TypeConversion['apply'] = (_b, tree, checked) => {
    const source: Type = fromEnum ? { kind: 'primitive', name: enumNumber(b, from) } : from;
    const target: Type = toEnum ? { kind: 'primitive', name: enumNumber(b, to) } : to;
    let number = fromEnum ? convertTree(source, tree, 'enum') : tree;
    if (!sameType(source, target)) number = standardConversion(b, source, target)!.apply(b, number, checked);
    return toEnum ? convertTree(to, number, 'enum') : number;
  };
  return { kind: 'enum', implicit: false, apply };
}

function nullableConversion(b: Binder, from: Type, to: Type): TypeConversion | null {
  if (from.kind === 'nullable' && to.kind === 'nullable') {
    const inner = conversionBetween(b, from.element, to.element);
    if (!inner) return null;
    const apply: TypeConversion['apply'] = (_b, tree, checked) => {
      const { effects, read } = once(b, tree);
      const number = inner.apply(b, { kind: 'unwrap', type: from.element, operand: read }, checked);
      const full = convertTree(to, number, 'wrap');
      const test: Tree.Expression = { kind: 'hasValue', type: { kind: 'primitive', name: 'bool' }, operand: read };
      return sequence(effects, conditional(to, test, full, { kind: 'default', type: to }));
    };
    return { kind: 'nullable', implicit: inner.implicit, apply };
  }
  if (to.kind === 'nullable') {
    const inner = isValueType(b, from) ? conversionBetween(b, from, to.element) : null;
    if (inner) {
      const apply: TypeConversion['apply'] = (_b, tree, checked) =>
        convertTree(to, inner.apply(b, tree, checked), 'wrap');
      return { kind: 'nullable', implicit: inner.implicit, apply };
    }
    return !isValueType(b, from) && boxes(b, to.element, from) ? unboxing(to) : null;
  }
  if (from.kind !== 'nullable') return null;
  if (!isValueType(b, to)) return boxes(b, from.element, to) ? boxing(to) : null;
  const inner = conversionBetween(b, from.element, to);
  if (!inner) return null;
  return {
    kind: 'nullable',
    implicit: false,
    apply: (_b, tree, checked) => inner.apply(b, convertTree(from.element, tree, 'unwrapChecked'), checked),
  };
}

type TupleType = Type & { readonly kind: 'tuple' };

function tupleConversion(b: Binder, from: TupleType, to: TupleType): TypeConversion | null {
  if (from.elements.length !== to.elements.length) return null;
  const inner: TypeConversion[] = [];
  for (const [at, element] of from.elements.entries()) {
    const one = conversionBetween(b, element.type, to.elements[at]!.type);
    if (!one) return null;
    inner.push(one);
  }
  return {
    kind: 'tuple',
    implicit: inner.every((one) => one.implicit),
    apply(_b, tree, checked) {
      const { effects, read } = once(b, tree);
      const elements = inner.map((one, index) =>
        one.apply(b, { kind: 'tupleElement', type: from.elements[index]!.type, tuple: read, index }, checked),
      );
      return sequence(effects, { kind: 'tuple', type: to, elements });
    },
  };
}

/** Whether a value type converts to a reference type by boxing. */
function boxes(b: Binder, from: Type, to: Type): boolean {
  if (isRefLike(from) || to.kind === 'null') return false;
  if (isPrimitive(to, 'object') || isNamed(to, 'ValueType')) return true;
  if (to.kind !== 'named') return false;
  const inner = withoutNullable(from);
  return b.library.selfAndBases(inner).some((base) => matchesBase(b, base, to));
}

/** The same named type, arguments up to variance. */
function matchesBase(b: Binder, base: Type, to: Type): boolean {
  if (sameType(base, to)) return true;
  if (base.kind !== 'named' || to.kind !== 'named') return false;
  if (base.name !== to.name || base.arguments.length !== to.arguments.length) return false;
  const symbol = b.library.symbolOf(to);
  if (!symbol) return false;
  return symbol.typeParameters.every((parameter, at) => {
    const [left, right] = [base.arguments[at]!, to.arguments[at]!];
    if (sameType(left, right)) return true;
    if (parameter.variance === 'out') return isImplicitReference(b, left, right);
    return parameter.variance === 'in' && isImplicitReference(b, right, left);
  });
}

export function isImplicitReference(b: Binder, from: Type, to: Type): boolean {
  if (from.kind === 'null') return isReferenceType(b, to);
  if (!isReferenceType(b, from) || !isReferenceType(b, to)) return false;
  if (isPrimitive(to, 'object') || sameType(from, to)) return true;
  if (from.kind === 'array' && to.kind === 'array') {
    return (
      from.rank === to.rank && (sameType(from.element, to.element) || isImplicitReference(b, from.element, to.element))
    );
  }
  if (to.kind !== 'named') return false;
  if (b.library.symbolOf(from)?.shape === 'delegate' && isNamed(to, 'Delegate')) return true;
  return b.library.selfAndBases(from).some((base) => matchesBase(b, base, to) || arrayAs(b, from, base, to));
}

/** An array of a reference type is a list of what its elements convert to, also where the interface is invariant. */
function arrayAs(b: Binder, from: Type, base: Type, to: Type): boolean {
  if (from.kind !== 'array' || base.kind !== 'named' || to.kind !== 'named' || base.name !== to.name) return false;
  return to.arguments.length === 1 && isImplicitReference(b, from.element, to.arguments[0]!);
}

function isExplicitReference(b: Binder, from: Type, to: Type): boolean {
  if (!isReferenceType(b, from) || !isReferenceType(b, to)) return false;
  if (isPrimitive(from, 'object') || isImplicitReference(b, to, from)) return true;
  const fromShape = b.library.symbolOf(from)?.shape;
  const toShape = b.library.symbolOf(to)?.shape;
  const sealed = (type: Type) => type.kind === 'array' || isPrimitive(type, 'string');
  if (fromShape === 'interface' && toShape === 'interface') return true;
  if (fromShape === 'interface' && toShape === 'class') return !sealed(to) && !isSealed(b, to);
  if (toShape === 'interface' && fromShape === 'class') return !sealed(from) && !isSealed(b, from);
  if (from.kind === 'array' && to.kind === 'array' && from.rank === to.rank) {
    return isExplicitReference(b, from.element, to.element);
  }
  if (from.kind === 'named' && to.kind === 'named' && from.name === to.name && fromShape === 'delegate') {
    return from.arguments.every((argument, at) => {
      const other = to.arguments[at]!;
      return sameType(argument, other) || (isReferenceType(b, argument) && isReferenceType(b, other));
    });
  }
  return false;
}

function isSealed(b: Binder, type: Type): boolean {
  return b.library.symbolOf(type)?.sealed ?? false;
}

// --- conversions that types define ---

interface UserCandidate {
  readonly method: MethodSymbol;
  readonly parameter: Type;
  readonly result: Type;
}

/** The conversion operator between two types, with the standard conversions before and after it. */
function userConversion(b: Binder, from: Type, to: Type): TypeConversion | null {
  if (from.kind === 'null' || isPrimitive(from, 'object') || isPrimitive(to, 'object')) return null;
  const source = withoutNullable(from);
  const target = withoutNullable(to);
  if (isInterface(b, source) || isInterface(b, target)) return null;
  const implicit = collect(b, source, target, ['op_Implicit']).filter(
    (one) =>
      standardConversion(b, source, one.parameter)?.implicit && standardConversion(b, one.result, target)?.implicit,
  );
  const found = mostSpecific(source, target, implicit);
  if (found && from.kind !== 'nullable') return userApply(b, found, source, target, to, true);
  const explicit = collect(b, source, target, ['op_Implicit', 'op_Explicit']).filter(
    (one) => standardConversion(b, source, one.parameter) && standardConversion(b, one.result, target),
  );
  const other = mostSpecific(source, target, explicit);
  return other && from.kind !== 'nullable' ? userApply(b, other, source, target, to, false) : null;
}

function isInterface(b: Binder, type: Type): boolean {
  return b.library.symbolOf(type)?.shape === 'interface';
}

function collect(b: Binder, source: Type, target: Type, names: readonly string[]): UserCandidate[] {
  const found: FoundMember<MethodSymbol>[] = [];
  for (const name of names) {
    if (declaresConversions(source)) found.push(...b.library.operators(source, name));
    if (declaresConversions(target) && !sameType(source, target)) found.push(...b.library.operators(target, name));
  }
  const list: UserCandidate[] = [];
  for (const { symbol, map } of found) {
    const parameter = symbol.parameters[0];
    if (parameter) {
      list.push({
        method: symbol,
        parameter: substitute(parameter.type, map),
        result: substitute(symbol.returnType, map),
      });
    }
  }
  return list;
}

/** decimal's conversions are numeric ones and chosen there; no other simple type has any of its own but string. */
function declaresConversions(type: Type): boolean {
  return type.kind === 'named' || isPrimitive(type, 'string');
}

function mostSpecific(source: Type, target: Type, list: readonly UserCandidate[]): UserCandidate | null {
  return (
    list.find((one) => sameType(one.parameter, source) && sameType(one.result, target)) ??
    list.find((one) => sameType(one.parameter, source)) ??
    list.find((one) => sameType(one.result, target)) ??
    list[0] ??
    null
  );
}

function userApply(
  b: Binder,
  found: UserCandidate,
  source: Type,
  target: Type,
  to: Type,
  implicit: boolean,
): TypeConversion {
  const before = standardConversion(b, source, found.parameter)!;
  const after = standardConversion(b, found.result, target)!;
  return {
    kind: 'user',
    implicit,
    apply(_b, tree, checked) {
      const result = callMember(found.method.key, found.result, null, [before.apply(b, tree, checked)]);
      const converted = after.apply(b, result, checked);
      return to.kind === 'nullable' ? convertTree(to, converted, 'wrap') : converted;
    },
  };
}

/** The signature of a delegate type with its type arguments put in, or null for what is no delegate. */
export function delegateSignature(
  b: Binder,
  type: Type,
): { parameters: { type: Type; mode: 'value' | 'ref' | 'out' | 'in' }[]; returnType: Type } | null {
  if (type.kind !== 'named') return null;
  const symbol = b.library.symbolOf(type);
  if (symbol?.shape !== 'delegate' || !symbol.signature) return null;
  const map = b.library.mapOf(type, symbol);
  return {
    parameters: symbol.signature.parameters.map(({ type: own, mode }) => ({ type: substitute(own, map), mode })),
    returnType: substitute(symbol.signature.returnType, map),
  };
}

/** The constant of an enum or number in the tree form of the target, for folding casts between them. */
export function defaultTree(b: Binder, type: Type): Tree.Expression {
  if (type.kind === 'primitive') {
    if (type.name === 'bool') return constant(type, false);
    if (type.name === 'long' || type.name === 'ulong') return constant(type, 0n);
    if (type.name === 'decimal') return constant(type, { decimal: '0' });
    if (type.name !== 'void' && (isIntegral(type) || type.name === 'float' || type.name === 'double'))
      return constant(type, 0);
  }
  if (isReferenceType(b, type)) return constant(type, null);
  return { kind: 'default', type };
}

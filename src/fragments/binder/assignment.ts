// Assignments: plain, compound, ??=, ++ and --; what may stand on the left and what is said about the rest.

import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import { bindAssignable } from './arguments.ts';
import type { Binder } from './binder.ts';
import { type Bound, isErroneous, type Value } from './bound.ts';
import {
  assignLocal,
  conditional,
  constantValue,
  convertTree,
  errorBound,
  localTree,
  nullTest,
  once,
  sequence,
  value,
} from './build.ts';
import { isAccessible } from './class-access.ts';
import { checkField, isReadable } from './class-places.ts';
import { conversionBetween, enumNumber, isEnum, isReferenceType } from './conversions.ts';
import { classify, convert, reportNoConversion } from './converting.ts';
import { bindDeconstruction } from './deconstruction.ts';
import { bindValue } from './expressions.ts';
import { checkAssigned } from './local-names.ts';
import { liftUnary } from './nullables.ts';
import { bindBinaryOperator } from './operators.ts';
import { placed } from './places.ts';
import { bindRefAssignment } from './references.ts';
import type { LocalSymbol } from './scopes.ts';
import { INT, isNumericOrDecimal, primitiveType, sameType, typeText, withoutNullable } from './typing.ts';
import { typed } from './untyped.ts';

type AssignmentSyntax = Syntax.Expression & { readonly kind: 'assignment' };

export function bindAssignment(b: Binder, syntax: AssignmentSyntax): Bound {
  const { operator, target } = syntax;
  if (operator === '=') {
    if (target.kind === 'tuple' || target.kind === 'declaration') return bindDeconstruction(b, syntax);
    if (syntax.value.kind === 'ref') return bindRefAssignment(b, syntax, syntax.value);
    return simpleAssignment(b, syntax);
  }
  const bound = bindAssignable(b, target);
  if (bound.kind === 'value' && bound.place?.kind === 'local') {
    // A compound assignment reads its target; that alone does not make a local used, as for C#.
    checkAssigned(b, bound.place.symbol, target);
    bound.place.symbol.assigned = true;
    bound.place.symbol.used = true;
  }
  if (!isReadable(b, bound)) return errorBound(syntax);
  if (operator === '??=') return coalesceAssignment(b, syntax, bound);
  const right = bindValue(b, syntax.value);
  if (isErroneous(bound) || isErroneous(right)) return errorBound(syntax);
  if (bound.kind !== 'value' || !checkAssignable(b, bound, target)) {
    if (bound.kind !== 'value') b.report(bound.kind === 'methods' ? 'CS1656' : 'CS0131', target, '', 'method group');
    return errorBound(syntax);
  }
  const { effects, read, store } = placed(b, bound);
  const plain = operator.slice(0, -1) as Tree.BinaryOperator;
  const result = bindBinaryOperator(b, plain, { ...bound, tree: read, constant: undefined }, right, syntax);
  if (isErroneous(result) || result.kind !== 'value') return errorBound(syntax);
  const final = compoundResult(b, bound.type, result, right, plain, syntax);
  return final ? value(syntax, bound.type, sequence(effects, store(final))) : errorBound(syntax);
}

/** The result of the operation in the type of the target: narrowed where the right side fits by itself. */
function compoundResult(
  b: Binder,
  type: Type,
  result: Value,
  right: Bound,
  operator: string,
  at: Syntax.Node,
): Tree.Expression | null {
  if (classify(b, result, type)?.implicit) return convert(b, result, type);
  const conversion = conversionBetween(b, result.type, type);
  const isShift = operator === '<<' || operator === '>>' || operator === '>>>';
  if (conversion && (isShift || classify(b, right, type)?.implicit || isEnum(b, withoutNullable(type)))) {
    return conversion.apply(b, result.tree, b.checked);
  }
  if (conversion && right.kind === 'value') reportNoConversion(b, right, type, at, true);
  else b.report('CS0029', at, typeText(result.type), typeText(type));
  return null;
}

function simpleAssignment(b: Binder, syntax: AssignmentSyntax): Bound {
  const { target } = syntax;
  if (target.kind === 'identifier' && target.name.text === '_' && !target.typeArguments && !b.find('_')) {
    return discardAssignment(b, syntax);
  }
  const bound = bindAssignable(b, target);
  const right = bindValue(b, syntax.value);
  if (isErroneous(bound)) {
    if (bound.kind === 'value' && bound.place?.kind === 'local') b.assign(bound.place.symbol);
    return errorBound(syntax);
  }
  if (bound.kind !== 'value') {
    if (bound.kind === 'methods') b.report('CS1656', target, bound.name, 'method group');
    else if (bound.kind === 'type') b.report('CS0118', target, typeText(bound.type), 'type', 'variable');
    else if (bound.kind === 'namespace') b.report('CS0118', target, bound.name, 'namespace', 'variable');
    else b.report('CS0131', target);
    return errorBound(syntax);
  }
  const ok = checkAssignable(b, bound, target);
  selfAssignment(b, syntax, right, bound);
  const tree = isErroneous(right)
    ? ({ kind: 'default', type: bound.type } as const)
    : convert(b, right, bound.type, syntax.value);
  if (bound.place?.kind === 'local') {
    const { symbol } = bound.place;
    b.assign(symbol);
    if (right.kind !== 'value' || right.constant === undefined) symbol.assigned = true;
  }
  if (!ok || isErroneous(right)) return errorBound(syntax);
  return value(syntax, bound.type, placed(b, bound, false).store(tree));
}

/** CS1717. */
function selfAssignment(b: Binder, syntax: Syntax.Node, right: Bound, left: Value): void {
  if (right.kind === 'value' && namedLocal(right) !== null && namedLocal(right) === namedLocal(left))
    b.warn('CS1717', syntax);
}

/** The local that a value names: a ref local, or one that is a place of its own. */
export function namedLocal({ alias, place }: Value): LocalSymbol | null {
  return alias ?? (place?.kind === 'local' ? place.symbol : null);
}

function discardAssignment(b: Binder, syntax: AssignmentSyntax): Bound {
  const right = typed(b, bindValue(b, syntax.value));
  if (!right) return errorBound(syntax);
  if (right.type.kind === 'null' || (right.type.kind === 'primitive' && right.type.name === 'void')) {
    b.report('CS8183', syntax.target);
    return errorBound(syntax);
  }
  const target: Tree.Target = { kind: 'discard', type: right.type };
  return value(syntax, right.type, { kind: 'assign', type: right.type, target, value: right.tree });
}

/** Whether a value may be assigned; says why not. */
export function checkAssignable(b: Binder, bound: Value, at: Syntax.Node): boolean {
  const { place } = bound;
  switch (place?.kind) {
    case 'local': {
      const { fixed, name, field } = place.symbol;
      if (field !== undefined && !checkField(b, field, place, at)) return false;
      if (name === 'this' && !place.symbol.local.byReference) {
        b.report('CS1604', at);
        return false;
      }
      if (fixed === 'const') b.report('CS0131', at);
      else if (fixed === 'foreach') b.report('CS1656', at, name, 'foreach iteration variable');
      else if (fixed === 'in') b.report('CS8331', at, name);
      return fixed === null;
    }
    case 'temporary':
    case 'element':
      return true;
    case 'tupleElement':
      if (place.field !== undefined && !checkField(b, place.field, place, at)) return false;
      return checkTupleElement(b, place.tuple, at);
    case 'field':
      return checkField(b, place.field, place, at);
    case 'choice':
      return checkAssignable(b, place.whenTrue, at) && checkAssignable(b, place.whenFalse, at);
    case 'readOnly':
      b.report('CS0200', at, b.text.slice(at.start, at.end));
      return false;
    case 'member': {
      const { symbol } = place;
      if (symbol.kind === 'field') {
        if (!symbol.readonly) return true;
        b.report(symbol.static ? 'CS0198' : 'CS0191', at, symbol.name);
        return false;
      }
      if (symbol.user?.set && !isAccessible(b, symbol.user.owner, symbol.user.setAccess)) {
        b.report('CS0272', at, symbol.name);
        return false;
      }
      if (symbol.setKey !== null && (!symbol.initOnly || b.classes?.isConstructing)) return true;
      b.report(symbol.initOnly ? 'CS8852' : 'CS0200', at, symbol.name);
      return false;
    }
    default:
      b.report('CS0131', at);
      return false;
  }
}

function checkTupleElement(b: Binder, tuple: Value, at: Syntax.Node): boolean {
  const { place } = tuple;
  if (place?.kind === 'local' && place.symbol.fixed === 'foreach') {
    b.report('CS1654', at, place.symbol.name, 'foreach iteration variable');
    return false;
  }
  if (
    place?.kind === 'local' ||
    place?.kind === 'element' ||
    place?.kind === 'tupleElement' ||
    place?.kind === 'temporary'
  )
    return checkAssignable(b, tuple, at);
  if (place?.kind === 'field' && place.property === undefined) return checkField(b, place.field, place, at);
  b.report('CS1612', tuple.syntax, b.text.slice(tuple.syntax.start, tuple.syntax.end));
  return false;
}

function coalesceAssignment(b: Binder, syntax: AssignmentSyntax, bound: Bound): Bound {
  const { state } = b;
  const right = bindValue(b, syntax.value);
  b.setState(state);
  if (isErroneous(bound) || isErroneous(right)) return errorBound(syntax);
  if (bound.kind !== 'value' || !checkAssignable(b, bound, syntax.target)) return errorBound(syntax);
  const { type } = bound;
  if (type.kind !== 'nullable' && !isReferenceType(b, type)) {
    b.report('CS0019', syntax, '??=', typeText(type), typeText(type));
    return errorBound(syntax);
  }
  const { effects, read, store } = placed(b, bound);
  const saved = once(b, read);
  if (type.kind === 'nullable' && classify(b, right, type.element)?.implicit) {
    // T? ??= T gives a T
    const inner = type.element;
    const local = b.temporary(inner);
    const assigned = store(convertTree(type, localTree(local), 'wrap'));
    const whenNull = sequence([assignLocal(local, convert(b, right, inner)), assigned], localTree(local));
    const tree = conditional(inner, nullTest(saved.read), whenNull, {
      kind: 'unwrap',
      type: inner,
      operand: saved.read,
    });
    return value(syntax, inner, sequence([...effects, ...saved.effects], tree));
  }
  const tree = conditional(type, nullTest(saved.read), store(convert(b, right, type)), saved.read);
  return value(syntax, type, sequence([...effects, ...saved.effects], tree));
}

/** `x++`, `--x` and the like. */
export function bindIncrement(
  b: Binder,
  syntax: Syntax.Node,
  operator: '++' | '--',
  operand: Syntax.Expression,
  prefix: boolean,
): Bound {
  const bound = bindAssignable(b, operand);
  if (!isReadable(b, bound)) return errorBound(syntax);
  if (bound.kind === 'value' && bound.place?.kind === 'local') {
    checkAssigned(b, bound.place.symbol, operand);
    bound.place.symbol.assigned = true;
    bound.place.symbol.used = true;
  }
  b.unsplit();
  if (isErroneous(bound)) return errorBound(syntax);
  if (bound.kind !== 'value' || !bound.place) {
    b.report('CS1059', operand);
    return errorBound(syntax);
  }
  const { type } = bound;
  const element = withoutNullable(type);
  if (!checkAssignable(b, bound, operand)) return errorBound(syntax);
  if (!isNumericOrDecimal(element) && !isEnum(b, element)) {
    b.report('CS0023', syntax, operator, typeText(type));
    return errorBound(syntax);
  }
  const { effects, read, store } = placed(b, bound);
  const step = (tree: Tree.Expression) => stepped(b, tree, element, operator, syntax);
  const stepWhole = (tree: Tree.Expression) =>
    type.kind === 'nullable' ? liftUnary(b, tree, element, element, step) : step(tree);
  if (prefix) return value(syntax, type, sequence(effects, store(stepWhole(read))));
  const before = b.temporary(type);
  const tree = sequence(
    [...effects, assignLocal(before, read), store(stepWhole(localTree(before)))],
    localTree(before),
  );
  return value(syntax, type, tree);
}

function stepped(
  b: Binder,
  tree: Tree.Expression,
  type: Type,
  operator: '++' | '--',
  at: Syntax.Node,
): Tree.Expression {
  const number = isEnum(b, type) ? primitiveType(enumNumber(b, type)) : type;
  const plain = sameType(number, type) ? tree : convertTree(number, tree, 'enum');
  const result = bindBinaryOperator(
    b,
    operator === '++' ? '+' : '-',
    value(at, number, plain),
    constantValue(at, INT, 1),
    at,
  );
  if (result.kind !== 'value') return tree;
  const narrowed = sameType(result.type, number)
    ? result.tree
    : conversionBetween(b, result.type, number)!.apply(b, result.tree, b.checked);
  return sameType(number, type) ? narrowed : convertPlainEnum(b, narrowed, type);
}

function convertPlainEnum(_b: Binder, tree: Tree.Expression, type: Type): Tree.Expression {
  return convertTree(type, tree, 'enum');
}

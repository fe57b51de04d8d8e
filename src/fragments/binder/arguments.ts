// `out` and `ref` arguments: declarations, discards, variables that must be assignable.

import type * as Syntax from '../syntax.ts';
import type { Type } from '../types.ts';
import type { Binder } from './binder.ts';
import type { Bound } from './bound.ts';
import { errorBound, localTarget, localTree, value } from './build.ts';
import { bindExpression } from './expressions.ts';
import { bindIdentifierTarget } from './names.ts';
import type { LocalSymbol } from './scopes.ts';
import { bindType, isVar } from './type-names.ts';

export function bindOutArgument(b: Binder, argument: Syntax.Argument): Bound {
  const syntax = argument.value;
  if (syntax.kind === 'declaration') {
    if (argument.mode === 'out') return bindOutDeclaration(b, syntax);
    b.report('CS8185', syntax);
    return errorBound(syntax);
  }
  if (syntax.kind === 'identifier' && syntax.name.text === '_' && argument.mode === 'out' && !b.find('_')) {
    return { kind: 'discard', syntax };
  }
  const bound = argument.mode === 'out' ? bindAssignable(b, syntax) : bindExpression(b, syntax);
  if (bound.kind !== 'value') {
    if (bound.kind !== 'error') b.report('CS1510', syntax);
    return errorBound(syntax);
  }
  return checkReference(b, bound, argument.mode) ? bound : errorBound(syntax);
}

/** A variable about to be written: reading it is not checked. */
export function bindAssignable(b: Binder, syntax: Syntax.Expression): Bound {
  if (syntax.kind === 'parenthesized') return bindAssignable(b, syntax.operand);
  if (syntax.kind === 'identifier') return bindIdentifierTarget(b, syntax);
  b.written = syntax;
  return bindExpression(b, syntax);
}

/** Whether a reference can be taken of a value; says why not. */
export function checkReference(b: Binder, bound: Bound & { kind: 'value' }, mode: string): boolean {
  const { place, syntax } = bound;
  switch (place?.kind) {
    case 'local': {
      const { fixed, name, field } = place.symbol;
      if (field?.readonly && !(b.classes?.isConstructing && b.classes.current === field.owner)) {
        b.report(field.isStatic ? 'CS0199' : 'CS0192', syntax, name);
        return false;
      }
      if (fixed === 'const') b.report('CS1510', syntax);
      else if (fixed === 'foreach') b.report('CS1657', syntax, name, 'foreach iteration variable');
      else if (fixed === 'in') b.report('CS8329', syntax, name);
      else {
        if (mode === 'ref') place.symbol.assigned = true;
        return true;
      }
      return false;
    }
    case 'element':
    case 'temporary':
      return true;
    case 'field':
      if (place.property === undefined && (!place.field.readonly || b.classes?.isConstructing)) return true;
      b.report(place.property === undefined ? 'CS0192' : 'CS0206', syntax, place.field.name.text);
      return false;
    case 'tupleElement':
      return checkReference(b, place.tuple, mode);
    case 'member':
      if (place.symbol.owner.name === 'Span' && place.symbol.name === 'Item')
        b.report('CS8652', syntax, 'elements of spans as arguments by reference');
      else if (place.symbol.kind === 'property') b.report('CS0206', syntax);
      else b.report(place.symbol.static ? 'CS0199' : 'CS0192', syntax, place.symbol.name);
      return false;
    case 'choice':
      if (mode === 'ref' || mode === 'in') return true;
      b.report('CS8652', syntax, 'out arguments that are one of two variables');
      return false;
    case 'readOnly':
      b.report('CS0206', syntax);
      return false;
    default:
      b.report('CS1510', syntax);
      return false;
  }
}

function bindOutDeclaration(b: Binder, syntax: Syntax.Expression & { kind: 'declaration' }): Bound {
  const { designation } = syntax;
  const inferred = isVar(b, syntax.type);
  const type = inferred ? null : bindType(b, syntax.type);
  if (designation.kind === 'discard') {
    // A typed discard takes part in overload resolution by its type, as a variable nobody reads.
    if (!type) return { kind: 'discard', syntax };
    const local = b.temporary(type);
    return value(syntax, type, localTree(local), { place: { kind: 'temporary', local } });
  }
  if (designation.kind === 'parenthesized') {
    b.report('CS8199', syntax);
    return errorBound(syntax);
  }
  if (type) {
    const symbol = declareAssigned(b, designation.name, type);
    return value(syntax, type, localTree(symbol.local), { place: { kind: 'local', symbol } });
  }
  return {
    kind: 'outVariable',
    syntax,
    declare(actual: Type) {
      const symbol = declareAssigned(b, designation.name, actual);
      b.assign(symbol);
      return localTarget(symbol.local);
    },
  };
}

function declareAssigned(b: Binder, name: Syntax.Name, type: Type): LocalSymbol {
  const symbol = b.declare(name, type);
  symbol.assigned = true;
  return symbol;
}

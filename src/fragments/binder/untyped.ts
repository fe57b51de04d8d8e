// Expressions without a type of their own where one is needed: what `var` and operands give them, or what is said.

import type * as Syntax from '../syntax.ts';
import type { Type } from '../types.ts';
import type { Binder } from './binder.ts';
import { type Bound, isErroneous, naturalType, type Value } from './bound.ts';
import { value } from './build.ts';
import { convert } from './converting.ts';
import { naturalDelegate } from './lambdas.ts';
import { naturalGroupType } from './method-groups.ts';
import { boundText } from './operators.ts';
import { sized } from './typing.ts';

/** Says why an expression has no type of its own where one is needed. */
export function reportUntyped(b: Binder, bound: Bound): void {
  switch (bound.kind) {
    case 'conditional':
      if (!isErroneous(bound.whenTrue) && !isErroneous(bound.whenFalse)) {
        b.report('CS0173', bound.syntax, boundText(bound.whenTrue), boundText(bound.whenFalse));
      }
      break;
    case 'switch':
      if (!bound.arms.some(isErroneous)) b.report('CS8506', switchKeyword(b, bound.syntax));
      break;
    case 'default':
      b.report('CS8716', bound.syntax);
      break;
    case 'new':
      b.report('CS8754', bound.syntax, 'new()');
      break;
    case 'collection':
      b.report('CS9176', bound.syntax);
      break;
    case 'throw':
      b.report('CS8115', { start: bound.syntax.start, end: bound.syntax.start + 'throw'.length });
      break;
    case 'type':
      b.report('CS0119', bound.syntax, boundText(bound), bound.kind);
      break;
    case 'namespace':
      b.report('CS0118', bound.syntax, bound.name, 'namespace', 'variable');
      break;
    case 'lambda':
      b.report('CS8917', bound.syntax);
      break;
    case 'methods':
      b.report('CS8917', bound.syntax);
      break;
    case 'discard':
      b.report('CS0103', bound.syntax, '_');
      break;
  }
}

function switchKeyword(b: Binder, syntax: Syntax.Node): Syntax.Node {
  const found = (syntax as Syntax.Expression & { kind: 'switch' }).operand;
  const at = b.text.indexOf('switch', found?.end ?? syntax.start);
  return at < 0 ? syntax : { start: at, end: at + 'switch'.length };
}

export function typed(b: Binder, bound: Bound): Value | null {
  if (isErroneous(bound)) return null;
  if (bound.kind === 'value') return bound;
  const type = inferredType(b, bound);
  if (type) return value(bound.syntax, type, convert(b, bound, type));
  reportUntyped(b, bound);
  return null;
}

/** The type that `var` gives to an expression; null when it has none. */
export function inferredType(b: Binder, bound: Bound): Type | null {
  switch (bound.kind) {
    case 'lambda':
      return naturalDelegate(b, bound);
    case 'methods':
      return naturalGroupType(b, bound);
    case 'tuple': {
      const types = bound.elements.map((element) => inferredType(b, element));
      if (types.some((type) => type === null)) return null;
      return sized({
        kind: 'tuple',
        elements: types.map((type, at) => ({ type: type!, name: bound.names[at] ?? null })),
      });
    }
    default:
      return naturalType(bound);
  }
}

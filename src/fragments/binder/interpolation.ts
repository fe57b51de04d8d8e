// Interpolated strings: the parts stay as they are, constants among them are folded when all are strings.

import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Binder } from './binder.ts';
import { type Bound, isErroneous } from './bound.ts';
import { constantValue, value } from './build.ts';
import { classify } from './converting.ts';
import { bindValue } from './expressions.ts';
import { INT, isPrimitive, STRING } from './typing.ts';
import { typed } from './untyped.ts';

export function bindInterpolation(b: Binder, syntax: Syntax.Expression & { kind: 'interpolation' }): Bound {
  const parts: Tree.InterpolationPart[] = [];
  let text: string | null = '';
  let wrong = false;
  for (const part of syntax.parts) {
    if (part.kind === 'text') {
      parts.push({ kind: 'text', value: part.value });
      if (text !== null) text += part.value;
      continue;
    }
    const hole = typed(b, bindValue(b, part.value));
    const alignment = part.alignment ? bindAlignment(b, part.alignment) : 0;
    if (!hole || alignment === null || isErroneous(hole)) {
      wrong = true;
      continue;
    }
    if (isPrimitive(hole.type, 'void')) {
      b.report('CS0029', part.value, 'void', 'object');
      wrong = true;
      continue;
    }
    parts.push({ kind: 'hole', value: hole.tree, alignment, format: part.format });
    const isConstant = typeof hole.constant === 'string' && alignment === 0 && !part.format;
    text = text !== null && isConstant ? text + hole.constant : null;
  }
  if (wrong) return value(syntax, STRING, { kind: 'default', type: STRING });
  if (text !== null) return constantValue(syntax, STRING, text);
  return value(syntax, STRING, { kind: 'interpolation', type: STRING, parts });
}

function bindAlignment(b: Binder, syntax: Syntax.Expression): number | null {
  const bound = bindValue(b, syntax);
  if (isErroneous(bound)) return null;
  if (bound.kind !== 'value' || bound.constant === undefined || !classify(b, bound, INT)?.implicit) {
    b.report('CS0150', syntax);
    return null;
  }
  return Number(bound.constant);
}

// Parameters of a source's functions, with the defaults that it writes: worked out, and kept as a declaration of the library would write them.

import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import type { Binder } from './binder.ts';
import { isErroneous } from './bound.ts';
import { classify, convert } from './converting.ts';
import { bindExpression } from './expressions.ts';
import { boundText } from './operators.ts';
import type { ParameterSymbol } from './symbols.ts';
import { typeText } from './typing.ts';

/**
 * A parameter of a source's function. Its default is worked out when a call or the function's own body first needs it: it may name constants
 * that stand behind it.
 */
export function writtenParameter(b: Binder, parameter: Syntax.Parameter, type: Type): ParameterSymbol {
  const { name, mode, default: given } = parameter;
  const current = b.classes?.current ?? null;
  let written: string | null = null;
  return {
    name: name.text,
    type,
    mode: mode === 'params' || mode === 'this' ? 'value' : mode,
    params: mode === 'params',
    get default() {
      if (given === null || written !== null) return written;
      written = 'default';
      const bind = (): string => writtenDefault(b, name, given, type);
      written = current === null || b.classes === null ? bind() : b.classes.inside(b, current, bind);
      return written;
    },
  };
}

/** The default that a source writes, as a declaration would; says what is wrong with it. */
export function writtenDefault(b: Binder, name: Syntax.Name, syntax: Syntax.Expression, type: Type): string {
  const bound = bindExpression(b, syntax);
  b.unsplit();
  if (isErroneous(bound) || type.kind === 'error') return 'default';
  if (!classify(b, bound, type)?.implicit) {
    b.report('CS1750', name, boundText(bound), typeText(type));
    return 'default';
  }
  let tree = convert(b, bound, type);
  while (tree.kind === 'convert' && (tree.conversion.kind === 'wrap' || tree.conversion.kind === 'identity')) {
    tree = tree.operand;
  }
  if (tree.kind === 'default') return 'default';
  if (tree.kind === 'constant') return constantText(tree.value);
  b.report('CS1736', syntax, name.text);
  return 'default';
}

function constantText(content: Tree.ConstantValue): string {
  if (content === null) return 'null';
  if (typeof content === 'string') return JSON.stringify(content);
  if (typeof content === 'object') return content.decimal;
  if (Object.is(content, -0)) return '-0';
  return String(content)
    .replace(/^Infinity$/, 'PositiveInfinity')
    .replace(/^-Infinity$/, 'NegativeInfinity');
}

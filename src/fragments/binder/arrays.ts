// `new int[3]`, `new[] { … }` and `{ … }`: arrays and what fills them.

import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import { bestCommonType } from './best-type.ts';
import type { Binder } from './binder.ts';
import { type Bound, isErroneous } from './bound.ts';
import { errorBound, intConstant, once, sequence, value } from './build.ts';
import { asBigint } from './constants.ts';
import { classify, convert } from './converting.ts';
import { bindValue } from './expressions.ts';
import { bindType } from './type-names.ts';
import { arrayOf, INT, isPrimitive, LONG, sized, UINT, ULONG } from './typing.ts';

export function bindNewArray(b: Binder, syntax: Syntax.Expression & { kind: 'newArray' }): Bound {
  if (!syntax.element) return implicitArray(b, syntax);
  const element = bindType(b, syntax.element);
  const sizes = syntax.sizes.map((size) => arraySize(b, size));
  if (element.kind === 'error' || isPrimitive(element, 'void')) {
    if (syntax.initializer) bindInitializerValues(b, syntax.initializer);
    return errorBound(syntax);
  }
  const type: Type = sized({ kind: 'array', element, rank: syntax.rank });
  if (!syntax.initializer) {
    if (sizes.some((size) => size === null)) return errorBound(syntax);
    return value(syntax, type, { kind: 'newArray', type, sizes: sizes.map((size) => size!), values: null });
  }
  const given = sizes.map((size, at) => constantSize(b, syntax.sizes[at]!, size));
  return arrayFromInitializer(b, syntax, type, syntax.initializer, given);
}

function constantSize(b: Binder, syntax: Syntax.Expression, size: Tree.Expression | null): number | null {
  if (size?.kind === 'constant') return Number(size.value);
  if (size) b.report('CS0150', syntax);
  return null;
}

export function arraySize(b: Binder, syntax: Syntax.Expression): Tree.Expression | null {
  const bound = bindValue(b, syntax);
  if (isErroneous(bound)) return null;
  for (const type of [INT, UINT, LONG, ULONG]) {
    if (!classify(b, bound, type)?.implicit) continue;
    if (bound.kind === 'value' && bound.constant !== undefined && (asBigint(bound.constant) ?? 0n) < 0n) {
      b.report('CS0248', syntax);
      return null;
    }
    const tree = convert(b, bound, type);
    if (type === INT) return tree;
    return {
      kind: 'convert',
      type: INT,
      conversion: { kind: 'numeric', from: (type as { name: 'long' }).name, to: 'int', checked: true },
      operand: tree,
    };
  }
  convert(b, bound, INT);
  return null;
}

/** `{ 1, 2 }` for an array whose type is known. */
export function arrayFromInitializer(
  b: Binder,
  syntax: Syntax.Node,
  type: Type & { kind: 'array' },
  initializer: Syntax.Initializer,
  sizes: readonly (number | null)[],
): Bound {
  if (type.rank > 1) return gridFromInitializer(b, syntax, type, initializer, sizes);
  const [size = null] = sizes;
  if (size !== null && size !== initializer.entries.length) b.report('CS0847', initializer, String(size));
  const values = initializer.entries.map((entry): Tree.Expression => {
    if ('entries' in entry) {
      b.report('CS0623', entry);
      return { kind: 'default', type: type.element };
    }
    const bound = bindValue(b, entry);
    return isErroneous(bound) ? { kind: 'default', type: type.element } : convert(b, bound, type.element);
  });
  return value(syntax, type, { kind: 'newArray', type, sizes: [], values });
}

/** `{ { 1, 2 }, { 3, 4 } }`: the array is made, then filled in order; `known`: entries that are bound already. */
function gridFromInitializer(
  b: Binder,
  syntax: Syntax.Node,
  type: Type & { kind: 'array' },
  initializer: Syntax.Initializer,
  given: readonly (number | null)[],
  known?: ReadonlyMap<Syntax.Expression, Bound>,
): Bound {
  const lengths: (number | undefined)[] = given.map((length) => length ?? undefined);
  const fill: { readonly at: readonly number[]; readonly entry: Syntax.Expression }[] = [];
  const walk = (part: Syntax.Initializer, at: readonly number[]): boolean => {
    const depth = at.length;
    lengths[depth] ??= part.entries.length;
    if (lengths[depth] !== part.entries.length) {
      b.report('CS0847', part, String(lengths[depth]));
      return false;
    }
    let good = true;
    for (const [index, entry] of part.entries.entries()) {
      const nested = 'entries' in entry;
      if (nested !== depth < type.rank - 1) {
        b.report(nested ? 'CS0623' : 'CS0846', entry);
        good = false;
      } else if (nested) good = walk(entry, [...at, index]) && good;
      else fill.push({ at: [...at, index], entry });
    }
    return good;
  };
  if (!walk(initializer, [])) return errorBound(syntax);
  const made = Array.from({ length: type.rank }, (_, depth) => intConstant(lengths[depth] ?? 0));
  const { effects, read } = once(b, { kind: 'newArray', type, sizes: made, values: null });
  for (const { at, entry } of fill) {
    const bound = known?.get(entry) ?? bindValue(b, entry);
    if (isErroneous(bound)) continue;
    const target: Tree.Target = { kind: 'element', type: type.element, array: read, indices: at.map(intConstant) };
    effects.push({ kind: 'assign', type: type.element, target, value: convert(b, bound, type.element) });
  }
  return value(syntax, type, sequence(effects, read));
}

export function bindInitializerValues(b: Binder, initializer: Syntax.Initializer): Bound[] {
  return initializer.entries.flatMap((entry) => {
    if (!('entries' in entry)) return [bindValue(b, entry)];
    b.report('CS0623', entry);
    return [];
  });
}

/** `new[,] { { 1, 2 }, { 3, 4 } }`. */
function implicitGrid(b: Binder, syntax: Syntax.Expression & { kind: 'newArray' }): Bound {
  const known = new Map<Syntax.Expression, Bound>();
  const visit = (initializer: Syntax.Initializer): void => {
    for (const entry of initializer.entries) {
      if ('entries' in entry) visit(entry);
      else known.set(entry, bindValue(b, entry));
    }
  };
  if (!syntax.initializer) return errorBound(syntax);
  visit(syntax.initializer);
  const values = [...known.values()];
  if (values.some(isErroneous)) return errorBound(syntax);
  const element = bestCommonType(b, values);
  if (!element) b.report('CS0826', syntax);
  if (!element || element.kind === 'error') return errorBound(syntax);
  const type = sized({ kind: 'array', element, rank: syntax.rank } as const);
  return gridFromInitializer(b, syntax, type, syntax.initializer, [], known);
}

function implicitArray(b: Binder, syntax: Syntax.Expression & { kind: 'newArray' }): Bound {
  if (syntax.rank > 1) return implicitGrid(b, syntax);
  const values = syntax.initializer ? bindInitializerValues(b, syntax.initializer) : [];
  if (values.some(isErroneous)) return errorBound(syntax);
  const element = bestCommonType(b, values);
  if (!element) {
    b.report('CS0826', syntax);
    return errorBound(syntax);
  }
  if (element.kind === 'error') return errorBound(syntax);
  const type = arrayOf(element);
  return value(syntax, type, {
    kind: 'newArray',
    type,
    sizes: [],
    values: values.map((own) => convert(b, own, element)),
  });
}

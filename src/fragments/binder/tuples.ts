// Tuple literals and the comparison of tuples.

import { step } from '../steps.ts';
import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { TupleElement, Type } from '../types.ts';
import type { Binder } from './binder.ts';
import { type Bound, isErroneous, naturalType } from './bound.ts';
import { both, either, errorBound, once, sequence, value } from './build.ts';
import { bindValue } from './expressions.ts';
import { bindBinaryOperator, boundText } from './operators.ts';
import { BOOL, isPrimitive } from './typing.ts';

export function bindTupleLiteral(b: Binder, syntax: Syntax.Expression & { kind: 'tuple' }): Bound {
  const names = elementNames(b, syntax);
  const elements = syntax.elements.map((element) => bindValue(b, element.value));
  if (elements.some(isErroneous)) return errorBound(syntax);
  for (const element of elements) {
    if (element.kind === 'type' || element.kind === 'namespace') {
      b.report('CS0119', element.syntax, boundText(element), element.kind);
      return errorBound(syntax);
    }
    if (element.kind === 'value' && isPrimitive(element.type, 'void')) {
      b.report('CS8210', element.syntax);
      return errorBound(syntax);
    }
  }
  const types = elements.map(naturalType);
  if (types.some((type) => type === null)) return { kind: 'tuple', syntax, elements, names };
  const type: Type = {
    kind: 'tuple',
    elements: types.map((own, at): TupleElement => ({ type: own!, name: names[at] ?? null })),
  };
  const tree: Tree.Expression = {
    kind: 'tuple',
    type,
    elements: elements.map((element) => (element.kind === 'value' ? element.tree : { kind: 'default', type: BOOL })),
  };
  return value(syntax, type, tree, { elements });
}

/** Written names, or those of the variables and members that stand for the elements. */
function elementNames(b: Binder, syntax: Syntax.Expression & { kind: 'tuple' }): (string | null)[] {
  const seen = new Set<string>();
  for (const element of syntax.elements) {
    if (!element.name) continue;
    if (seen.has(element.name.text)) b.report('CS8127', element.name);
    seen.add(element.name.text);
  }
  const inferred = syntax.elements.map(({ name, value: own }) => {
    if (name) return name.text;
    const text = own.kind === 'identifier' || own.kind === 'member' ? own.name.text : null;
    return text && !/^Item\d+$/.test(text) && !seen.has(text) ? text : null;
  });
  const counts = new Map<string | null, number>();
  for (const text of inferred) counts.set(text, (counts.get(text) ?? 0) + 1);
  return inferred.map((text, at) => (text && !syntax.elements[at]!.name && counts.get(text)! > 1 ? null : text));
}

/** `==` and `!=` on tuples: element by element. */
export function tupleEquality(b: Binder, operator: '==' | '!=', left: Bound, right: Bound, at: Syntax.Node): Bound {
  const effects: Tree.Expression[] = [];
  const first = parts(b, left, effects);
  const second = parts(b, right, effects);
  if (!first || !second) {
    b.report('CS0019', at, operator, boundText(left), boundText(right));
    return value(at, BOOL, { kind: 'default', type: BOOL });
  }
  if (first.length !== second.length) {
    b.report('CS8384', at, String(first.length), String(second.length));
    return value(at, BOOL, { kind: 'default', type: BOOL });
  }
  let tree: Tree.Expression | null = null;
  for (const [index, element] of first.entries()) {
    step(10);
    const { result: compared, diagnostics } = b.capture(() =>
      bindBinaryOperator(b, operator, element, second[index]!, at),
    );
    // What a comparison of elements always comes out as is not said of tuples.
    b.diagnostics.push(...diagnostics.filter(({ severity }) => severity === 'error'));
    if (compared.kind !== 'value' || !isPrimitive(compared.type, 'bool'))
      return value(at, BOOL, { kind: 'default', type: BOOL });
    if (tree === null) tree = compared.tree;
    else tree = operator === '==' ? both(tree, compared.tree) : either(tree, compared.tree);
  }
  return value(at, BOOL, sequence(effects, tree!));
}

function parts(b: Binder, bound: Bound, effects: Tree.Expression[]): readonly Bound[] | null {
  if (bound.kind === 'tuple') return bound.elements.map((element) => saved(b, element, effects));
  if (bound.kind !== 'value') return null;
  if (bound.elements) return bound.elements.map((element) => saved(b, element, effects));
  if (bound.type.kind !== 'tuple') return null;
  const kept = once(b, bound.tree);
  effects.push(...kept.effects);
  return bound.type.elements.map((element, index) =>
    value(bound.syntax, element.type, { kind: 'tupleElement', type: element.type, tuple: kept.read, index }),
  );
}

function saved(b: Binder, bound: Bound, effects: Tree.Expression[]): Bound {
  if (bound.kind !== 'value' || bound.type.kind === 'null' || bound.constant !== undefined || bound.elements)
    return bound;
  const kept = once(b, bound.tree);
  effects.push(...kept.effects);
  return { ...bound, tree: kept.read };
}

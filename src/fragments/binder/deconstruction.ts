// Deconstruction of tuples: `var (a, b) = …`, `(x, y) = (y, x)`, in declarations, assignments and foreach; also of key-value
// pairs, which the library lets be taken apart.

import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import { bindAssignable } from './arguments.ts';
import { checkAssignable } from './assignment.ts';
import type { Binder } from './binder.ts';
import { type Bound, isErroneous, type Value } from './bound.ts';
import { assignLocal, errorBound, localTree, sequence, value } from './build.ts';
import { convert } from './converting.ts';
import { bindValue } from './expressions.ts';
import { placed } from './places.ts';
import type { LocalSymbol } from './scopes.ts';
import { bindType, isVar } from './type-names.ts';
import { isNamed, isPrimitive, typeText } from './typing.ts';
import { inferredType, reportUntyped } from './untyped.ts';

/** One variable, discard or nested list on the left. `type` null: to be inferred. */
type Part =
  | { readonly kind: 'list'; readonly syntax: Syntax.Node; readonly parts: readonly Part[] }
  | { readonly kind: 'discard'; readonly type: Type | null }
  | { readonly kind: 'variable'; readonly name: Syntax.Name; readonly type: Type | null }
  | { readonly kind: 'place'; readonly bound: Value; readonly syntax: Syntax.Node }
  | { readonly kind: 'wrong' };

export function bindDeconstruction(b: Binder, syntax: Syntax.Expression & { kind: 'assignment' }): Bound {
  const left = leftParts(b, syntax.target);
  const right = bindValue(b, syntax.value);
  if (isErroneous(right) && syntax.value.kind === 'tuple') {
    declareBeside(b, left, syntax.value, syntax);
    return errorBound(syntax);
  }
  return deconstruct(b, left, right, syntax) ?? errorBound(syntax);
}

/** Declares what stands on the left of a tuple with something wrong in it: a variable beside an element has been given one. */
function declareBeside(b: Binder, part: Part, right: Syntax.Expression, at: Syntax.Node): void {
  if (part.kind !== 'list' || right.kind !== 'tuple') {
    declareAll(b, part, part.kind === 'list');
    return;
  }
  if (part.parts.length !== right.elements.length)
    b.report('CS8132', at, String(right.elements.length), String(part.parts.length));
  for (const [index, inner] of part.parts.entries()) {
    const element = right.elements[index];
    if (element) declareBeside(b, inner, element.value, inner.kind === 'list' ? inner.syntax : at);
    else declareAll(b, inner, true);
  }
}

function leftParts(b: Binder, syntax: Syntax.Expression): Part {
  if (syntax.kind === 'tuple') {
    return { kind: 'list', syntax, parts: syntax.elements.map((element) => leftParts(b, element.value)) };
  }
  if (syntax.kind === 'declaration') {
    return designated(syntax.designation, isVar(b, syntax.type) ? null : bindType(b, syntax.type));
  }
  if (syntax.kind === 'identifier' && syntax.name.text === '_' && !b.find('_')) return { kind: 'discard', type: null };
  const bound = bindAssignable(b, syntax);
  if (bound.kind !== 'value') {
    if (bound.kind !== 'error') b.report('CS0131', syntax);
    return { kind: 'wrong' };
  }
  if (isErroneous(bound)) return { kind: 'wrong' };
  return checkAssignable(b, bound, syntax) ? { kind: 'place', bound, syntax } : { kind: 'wrong' };
}

function designated(designation: Syntax.Designation, type: Type | null): Part {
  switch (designation.kind) {
    case 'discard':
      return { kind: 'discard', type };
    case 'single':
      return { kind: 'variable', name: designation.name, type };
    case 'parenthesized':
      return { kind: 'list', syntax: designation, parts: designation.parts.map((part) => designated(part, type)) };
  }
}

/** For foreach: takes the parts of a value that is already there. Gives the assignments. */
export function deconstructInto(
  b: Binder,
  designation: Syntax.Designation,
  source: Value,
  at: Syntax.Node,
): Tree.Expression | null {
  const result = deconstruct(b, designated(designation, null), source, at);
  return result?.kind === 'value' ? result.tree : null;
}

/** The same for `(int a, var b)`. */
export function deconstructTo(b: Binder, target: Syntax.Expression, source: Value): Tree.Expression | null {
  const result = deconstruct(b, leftParts(b, target), source, target);
  return result?.kind === 'value' ? result.tree : null;
}

function deconstruct(b: Binder, left: Part, right: Bound, at: Syntax.Node): Bound | null {
  if (left.kind !== 'list') return null;
  const effects: Tree.Expression[] = [];
  const stores: (() => Tree.Expression)[] = [];
  if (isErroneous(right)) {
    declareAll(b, left, true);
    return null;
  }
  if (right.kind !== 'value' && right.kind !== 'tuple') {
    reportUntyped(b, right);
    declareAll(b, left);
    return null;
  }
  const types = take(b, left, right, at, effects, stores);
  if (!types) return null;
  for (const store of stores) effects.push(store());
  const result = localTuple(types);
  return value(at, result.type, sequence(effects, result.tree));
}

function declareAll(b: Binder, part: Part, untyped = false): void {
  if (part.kind === 'list') for (const inner of part.parts) declareAll(b, inner, untyped);
  if (part.kind !== 'variable') return;
  if (untyped && part.type === null) b.report('CS8130', part.name, part.name.text);
  const symbol = b.declare(part.name, part.type ?? { kind: 'error' });
  symbol.used = true;
  b.assign(symbol);
}

interface Taken {
  readonly type: Type;
  readonly tree: Tree.Expression;
}

function localTuple(elements: readonly Taken[]): Taken {
  const type: Type = { kind: 'tuple', elements: elements.map((element) => ({ type: element.type, name: null })) };
  return { type, tree: { kind: 'tuple', type, elements: elements.map((element) => element.tree) } };
}

/** Evaluates the right side into temporaries, then remembers how each goes to its part. */
function take(
  b: Binder,
  left: Part & { kind: 'list' },
  right: Bound,
  at: Syntax.Node,
  effects: Tree.Expression[],
  stores: (() => Tree.Expression)[],
): Taken[] | null {
  const elements = elementsOf(b, right, left.parts.length, effects);
  if (!elements) {
    if (right.kind === 'value') b.report('CS1061', right.syntax, typeText(right.type), 'Deconstruct');
    if (right.kind === 'value') b.report('CS8129', right.syntax, typeText(right.type), String(left.parts.length));
    declareAll(b, left, true);
    return null;
  }
  if (elements.length !== left.parts.length) {
    b.report('CS8132', at, String(elements.length), String(left.parts.length));
    declareAll(b, left);
    return null;
  }
  const taken: Taken[] = [];
  for (const [index, part] of left.parts.entries()) {
    const one = takeOne(b, part, elements[index]!, effects, stores);
    if (!one) return null;
    taken.push(one);
  }
  return taken;
}

function takeOne(
  b: Binder,
  part: Part,
  element: Bound,
  effects: Tree.Expression[],
  stores: (() => Tree.Expression)[],
): Taken | null {
  if (part.kind === 'list') {
    const inner = take(b, part, element, part.syntax, effects, stores);
    return inner ? localTuple(inner) : null;
  }
  const wanted = part.kind === 'place' ? part.bound.type : part.kind === 'wrong' ? null : part.type;
  const type = wanted ?? inferredType(b, element);
  if (!type || isPrimitive(type, 'void') || (type.kind === 'error' && part.kind === 'wrong')) {
    if (part.kind === 'variable') {
      if (!isErroneous(element)) b.report('CS8130', part.name, part.name.text);
      b.assign(b.declare(part.name, { kind: 'error' }));
    }
    return null;
  }
  const tree = convert(b, element, type);
  const local = b.temporary(type);
  effects.push(assignLocal(local, tree));
  const read = localTree(local);
  if (part.kind === 'variable') {
    const symbol: LocalSymbol = b.declare(part.name, type);
    symbol.assigned = true;
    b.assign(symbol);
    stores.push(() => assignLocal(symbol.local, read));
  } else if (part.kind === 'place') {
    const { place } = part.bound;
    if (place?.kind === 'local') {
      b.assign(place.symbol);
      place.symbol.assigned = true;
    }
    const { effects: before, store } = placed(b, part.bound);
    effects.unshift(...before);
    stores.push(() => store(read));
  }
  return { type, tree: read };
}

/** The parts of the right side: a literal's elements as they are, a tuple's from a temporary. */
function elementsOf(b: Binder, right: Bound, count: number, effects: Tree.Expression[]): readonly Bound[] | null {
  if (right.kind === 'tuple') return right.elements;
  if (right.kind !== 'value') return null;
  if (right.elements) return right.elements;
  const { type } = right;
  if (type.kind !== 'tuple' && !(isNamed(type, 'KeyValuePair') && count === 2)) return null;
  const local = b.temporary(type);
  effects.push(assignLocal(local, right.tree));
  const tuple = localTree(local);
  if (type.kind === 'tuple') {
    return type.elements.map((element, index) =>
      value(right.syntax, element.type, { kind: 'tupleElement', type: element.type, tuple, index }),
    );
  }
  const [key, content] = type.kind === 'named' ? type.arguments : [];
  const get = (name: string, own: Type): Bound =>
    value(right.syntax, own, {
      kind: 'call',
      type: own,
      member: { key: `KeyValuePair<TKey,TValue>.get_${name}()`, static: false },
      receiver: tuple,
      arguments: [],
      typeArguments: [],
    });
  return [get('Key', key!), get('Value', content!)];
}

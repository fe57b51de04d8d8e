// Element access: arrays, indexers, and indices and ranges (`^1`, `1..^1`) on strings, spans, arrays and lists.

import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import type { Binder } from './binder.ts';
import { type Bound, type BoundArgument, isErroneous, type Value } from './bound.ts';
import { binaryTree, callMember, errorBound, intConstant, once, sequence, TRUE, value } from './build.ts';
import { bindArguments, giveUp } from './calls.ts';
import { asBigint } from './constants.ts';
import { classify, convert } from './converting.ts';
import { bindReceiver, bindValue } from './expressions.ts';
import { bindIndexer } from './indexers.ts';
import { boundText } from './operators.ts';
import { arrayOf, INT, isNamed, isPrimitive, LONG, named, STRING, typeText, UINT, ULONG } from './typing.ts';
import { reportUntyped } from './untyped.ts';

const INDEX = named('Index');
const RANGE = named('Range');

export function bindIndex(b: Binder, syntax: Syntax.Expression & { kind: 'index' }): Bound {
  const receiver = bindReceiver(b, syntax.receiver);
  const [only] = syntax.arguments;
  const special = syntax.arguments.length === 1 && only && !only.name ? only.value : null;
  const isSpecial = special && (special.kind === 'range' || (special.kind === 'unary' && special.operator === '^'));
  if (isSpecial && receiver.kind === 'value' && !isErroneous(receiver))
    return indexOrRange(b, syntax, receiver, special);
  const given = bindArguments(b, syntax.arguments);
  if (isErroneous(receiver)) return giveUp(b, syntax, given);
  if (receiver.kind !== 'value') {
    if (receiver.kind === 'type' || receiver.kind === 'namespace') reportUntyped(b, receiver);
    else b.report('CS0021', syntax, boundText(receiver));
    return giveUp(b, syntax, given);
  }
  const byValue = byIndexValue(b, syntax, receiver, given);
  if (byValue) return byValue;
  if (receiver.type.kind === 'array') return arrayElement(b, syntax, receiver, receiver.type, given);
  const bound = bindIndexer(b, syntax, receiver, given);
  if (bound) return bound;
  b.report('CS0021', syntax, typeText(receiver.type));
  return giveUp(b, syntax, given);
}

function arrayElement(
  b: Binder,
  syntax: Syntax.Node,
  receiver: Value,
  type: Type & { kind: 'array' },
  given: readonly BoundArgument[],
): Bound {
  if (given.some((argument) => isErroneous(argument.value))) return giveUp(b, syntax, given);
  if (given.length !== type.rank) {
    b.report('CS0022', syntax, String(type.rank));
    return giveUp(b, syntax, given);
  }
  const indices = given.map((argument) => arrayIndex(b, argument, syntax));
  if (indices.some((index) => index === null)) return errorBound(syntax);
  return element(syntax, receiver, type.element, indices as Tree.Expression[]);
}

function element(syntax: Syntax.Node, receiver: Value, type: Type, indices: readonly Tree.Expression[]): Bound {
  const tree: Tree.Expression = { kind: 'element', type, array: receiver.tree, indices };
  return value(syntax, type, tree, { place: { kind: 'element', array: receiver.tree, indices } });
}

function arrayIndex(b: Binder, argument: BoundArgument, at: Syntax.Node): Tree.Expression | null {
  const bound = argument.value;
  if (argument.name) b.report('CS1742', argument.syntax);
  for (const type of [INT, UINT, LONG, ULONG]) {
    if (!classify(b, bound, type)?.implicit) continue;
    const tree = convert(b, bound, type);
    if (bound.kind === 'value' && bound.constant !== undefined && (asBigint(bound.constant) ?? 0n) < 0n)
      b.warn('CS0251', bound.syntax);
    return type === INT ? tree : narrowed(tree, (type as Type & { kind: 'primitive' }).name);
  }
  convert(b, bound, INT, at);
  return null;
}

function narrowed(tree: Tree.Expression, from: 'uint' | string): Tree.Expression {
  return {
    kind: 'convert',
    type: INT,
    conversion: { kind: 'numeric', from: from as 'uint', to: 'int', checked: true },
    operand: tree,
  };
}

// --- ^1 and 1..3 ---

/** What knows its length and can be sliced. */
function lengthKey(b: Binder, type: Type): string | null {
  if (type.kind === 'array') return 'Array.get_Length()';
  if (isPrimitive(type, 'string')) return 'String.get_Length()';
  for (const name of ['Length', 'Count']) {
    const found = b.library.members(type, name)[0]?.symbol;
    if (found?.kind === 'property' && found.getKey) return found.getKey;
  }
  return null;
}

/** The number of elements of a value, for list patterns and indices from the end; null when it has none. */
export function lengthTree(b: Binder, source: Value): Tree.Expression | null {
  const key = lengthKey(b, source.type);
  return key ? callMember(key, INT, source.tree, []) : null;
}

function indexOrRange(
  b: Binder,
  syntax: Syntax.Expression & { kind: 'index' },
  receiver: Value,
  special: Syntax.Expression,
): Bound {
  const { effects, read } = once(b, receiver.tree);
  const source = { ...receiver, tree: read };
  const length = lengthTree(b, source);
  if (!length) {
    bindRangeParts(b, special);
    b.report(
      receiver.type.kind === 'named' && b.library.members(receiver.type, 'this').length ? 'CS1503' : 'CS0021',
      syntax,
      '1',
      'Index',
      'int',
    );
    return errorBound(syntax);
  }
  if (special.kind !== 'range') {
    const count = indexOperand(b, (special as Syntax.Expression & { kind: 'unary' }).operand);
    if (!count) return errorBound(syntax);
    const index = binaryTree('-', 'int', INT, length, count);
    const bound = elementAt(b, syntax, source, index);
    return bound
      ? { ...bound, tree: sequence(effects, bound.tree), place: effects.length ? hoisted(bound, effects) : bound.place }
      : errorBound(syntax);
  }
  const from = rangeEnd(b, special.from, length) ?? { tree: intConstant(0) };
  const to = special.to ? rangeEnd(b, special.to, length) : { tree: length };
  if (!('tree' in from) || !to?.tree || !from.tree) return errorBound(syntax);
  const start = once(b, from.tree);
  const count = binaryTree('-', 'int', INT, to.tree, start.read);
  const sliced = slice(b, syntax, source, start.read, count);
  return sliced ? { ...sliced, tree: sequence([...effects, ...start.effects], sliced.tree) } : errorBound(syntax);
}

/** Assigning through `a[^1]`: the array's temporary is filled when the index is computed. */
function hoisted(bound: Value, effects: readonly Tree.Expression[]): Value['place'] {
  const { place } = bound;
  if (place?.kind === 'element') return { ...place, array: sequence(effects, place.array) };
  if (place?.kind === 'member' && place.receiver) return { ...place, receiver: sequence(effects, place.receiver) };
  return place;
}

function bindRangeParts(b: Binder, special: Syntax.Expression): void {
  if (special.kind === 'range') {
    if (special.from) bindRangePart(b, special.from);
    if (special.to) bindRangePart(b, special.to);
  } else bindRangePart(b, special);
}

function bindRangePart(b: Binder, syntax: Syntax.Expression): void {
  bindValue(b, syntax.kind === 'unary' && syntax.operator === '^' ? syntax.operand : syntax);
}

function indexOperand(b: Binder, syntax: Syntax.Expression): Tree.Expression | null {
  const bound = bindValue(b, syntax);
  return isErroneous(bound) ? null : convert(b, bound, INT);
}

function rangeEnd(
  b: Binder,
  syntax: Syntax.Expression | null,
  length: Tree.Expression,
): { tree: Tree.Expression | null } | null {
  if (!syntax) return null;
  if (syntax.kind === 'unary' && syntax.operator === '^') {
    const count = indexOperand(b, syntax.operand);
    return { tree: count ? binaryTree('-', 'int', INT, length, count) : null };
  }
  const bound = bindValue(b, syntax);
  if (isErroneous(bound)) return { tree: null };
  if (bound.kind === 'value' && isNamed(bound.type, 'Index'))
    return { tree: callMember('Index.GetOffset(int)', INT, bound.tree, [length]) };
  return { tree: convert(b, bound, INT) };
}

/** The element at an int index, for arrays, strings, spans and lists. */
export function elementAt(b: Binder, syntax: Syntax.Node, source: Value, index: Tree.Expression): Value | null {
  if (source.type.kind === 'array') {
    const bound = element(syntax, source, source.type.element, [index]);
    return bound.kind === 'value' ? bound : null;
  }
  const argument: BoundArgument = { syntax, name: null, mode: 'value', value: value(syntax, INT, index) };
  const bound = bindIndexer(b, syntax, source, [argument]);
  if (bound?.kind === 'value') return bound;
  if (!bound) b.report('CS0021', syntax, typeText(source.type));
  return null;
}

function isSliceable(type: Type): boolean {
  if (type.kind === 'array') return type.rank === 1;
  return isPrimitive(type, 'string') || isNamed(type, 'Span') || isNamed(type, 'ReadOnlySpan');
}

/** A part of a string, span or array. */
export function slice(
  b: Binder,
  syntax: Syntax.Node,
  source: Value,
  start: Tree.Expression,
  count: Tree.Expression,
): Value | null {
  const { type, tree } = source;
  if (isPrimitive(type, 'string'))
    return value(syntax, STRING, callMember('String.Substring(int,int)', STRING, tree, [start, count]));
  if (isNamed(type, 'Span') || isNamed(type, 'ReadOnlySpan')) {
    const name = (type as Type & { kind: 'named' }).name;
    return value(syntax, type, callMember(`${name}<T>.Slice(int,int)`, type, tree, [start, count]));
  }
  if (type.kind === 'array' && type.rank === 1) {
    const result = arrayOf(type.element);
    return value(
      syntax,
      result,
      callMember('Array.slice<T>(T[],int,int)', result, null, [tree, start, count], [type.element]),
    );
  }
  b.report('CS1503', syntax, '1', 'Range', 'int');
  return null;
}

/** `^1` and `1..2` by themselves: values of Index and Range. */
export function bindRangeValue(b: Binder, syntax: Syntax.Expression): Bound {
  if (syntax.kind !== 'range') {
    const index = indexValue(b, syntax);
    return index ? value(syntax, INDEX, index) : errorBound(syntax);
  }
  const start = syntax.from ? indexValue(b, syntax.from) : callMember('Index.get_Start()', INDEX, null, []);
  const end = syntax.to ? indexValue(b, syntax.to) : callMember('Index.get_End()', INDEX, null, []);
  if (!start || !end) return errorBound(syntax);
  return value(syntax, RANGE, callMember('Range.new(Index,Index)', RANGE, null, [start, end]));
}

/** One end of a range, or `^1`, as an Index. */
function indexValue(b: Binder, syntax: Syntax.Expression): Tree.Expression | null {
  if (syntax.kind === 'unary' && syntax.operator === '^') {
    const bound = bindValue(b, syntax.operand);
    const count = isErroneous(bound) ? null : convert(b, bound, INT, syntax);
    return count && callMember('Index.new(int,bool)', INDEX, null, [count, TRUE]);
  }
  const bound = bindValue(b, syntax);
  return isErroneous(bound) ? null : convert(b, bound, INDEX);
}

/** `a[i]` and `a[r]` where the argument is an Index or a Range and what is indexed has a length; null: it is something else. */
function byIndexValue(
  b: Binder,
  syntax: Syntax.Expression & { kind: 'index' },
  receiver: Value,
  given: readonly BoundArgument[],
): Bound | null {
  const argument = given.length === 1 ? given[0]?.value : undefined;
  if (argument?.kind !== 'value' || !(isNamed(argument.type, 'Index') || isNamed(argument.type, 'Range'))) return null;
  const { effects, read } = once(b, receiver.tree);
  const source = { ...receiver, tree: read };
  const length = lengthTree(b, source);
  if (!length) return null;
  const held = once(b, argument.tree);
  const all = [...effects, ...held.effects];
  const offset = (index: Tree.Expression) => callMember('Index.GetOffset(int)', INT, index, [length]);
  if (isNamed(argument.type, 'Index')) {
    const bound = elementAt(b, syntax, source, offset(held.read));
    return bound ? { ...bound, tree: sequence(all, bound.tree), place: hoisted(bound, all) } : errorBound(syntax);
  }
  if (!isSliceable(source.type)) {
    b.report('CS1503', argument.syntax, '1', 'Range', 'int');
    return errorBound(syntax);
  }
  const start = once(b, offset(callMember('Range.get_Start()', INDEX, held.read, [])));
  const end = offset(callMember('Range.get_End()', INDEX, held.read, []));
  const sliced = slice(b, syntax, source, start.read, binaryTree('-', 'int', INT, end, start.read));
  return sliced ? { ...sliced, tree: sequence([...all, ...start.effects], sliced.tree) } : errorBound(syntax);
}

// Patterns with parts: properties, positions, lists.

import type * as Syntax from '../syntax.ts';
import type { Binder } from './binder.ts';
import type { Bound, Value } from './bound.ts';
import {
  assignLocal,
  binaryTree,
  both,
  callMember,
  intConstant,
  localTree,
  not,
  nullTest,
  once,
  sequence,
  TRUE,
  value,
} from './build.ts';
import { isValueType } from './conversions.ts';
import { elementAt, lengthTree, slice } from './elements.ts';
import * as Logic from './match-logic.ts';
import { bindMember } from './members.ts';
import {
  type BoundPattern,
  bindPattern,
  designate,
  type Input,
  made,
  typePattern,
  unwrapTo,
  WRONG,
} from './patterns.ts';
import { bindType } from './type-names.ts';
import { BOOL, INT, isNamed, isPrimitive, typeText, withoutNullable } from './typing.ts';

export function recursivePattern(
  b: Binder,
  syntax: Syntax.Pattern & { kind: 'recursivePattern' },
  input: Input,
  negated: boolean,
): BoundPattern {
  let pattern: BoundPattern;
  let content = input;
  if (syntax.type) {
    const type = bindType(b, syntax.type);
    pattern = typePattern(b, syntax.type, type, input, syntax);
    if (!pattern.wrong) content = unwrapTo(b, input, withoutNullable(type));
    else content = { ...input, type: { kind: 'error' } };
  } else {
    const inner = withoutNullable(input.type);
    const isThere = isValueType(b, input.type) && input.type.kind !== 'nullable';
    const present = isThere ? TRUE : not(nullTest(input.tree));
    pattern =
      input.type.kind === 'error'
        ? WRONG
        : made(present, isThere ? Logic.ALL : Logic.not(Logic.isNull(input.path)), { narrowed: inner });
    content = unwrapTo(b, input, inner);
  }
  if (content.tree.kind !== 'local' && content.tree.kind !== 'constant' && !pattern.wrong) {
    const local = b.temporary(content.type);
    pattern = { ...pattern, test: both(pattern.test, sequence([assignLocal(local, content.tree)], TRUE)) };
    content = { ...content, tree: localTree(local) };
  }
  if (syntax.positional) pattern = combine(b, pattern, positional(b, syntax, syntax.positional, content, negated));
  for (const { path, pattern: inner } of syntax.properties ?? []) {
    pattern = combine(b, pattern, propertyPattern(b, path, inner, content, negated));
  }
  return designate(b, syntax.designation, content, pattern, negated);
}

function combine(b: Binder, outer: BoundPattern, inner: BoundPattern): BoundPattern {
  return {
    test: both(outer.test, inner.test),
    match: Logic.and(outer.match, inner.match),
    whenTrue: [...outer.whenTrue, ...inner.whenTrue],
    whenFalse: [],
    wrong: outer.wrong || inner.wrong,
    narrowed: b.tooComplex ? null : outer.narrowed,
  };
}

/** A part of the input, in a temporary, tested by a pattern. */
function partPattern(b: Binder, part: Value, path: string, syntax: Syntax.Pattern, negated: boolean): BoundPattern {
  const { effects, read } = once(b, part.tree);
  const inner = bindPattern(b, syntax, { ...part, tree: read, path }, negated);
  return effects.length === 0 ? inner : { ...inner, test: sequence(effects, inner.test) };
}

function propertyPattern(
  b: Binder,
  path: readonly Syntax.Name[],
  syntax: Syntax.Pattern,
  input: Input,
  negated: boolean,
): BoundPattern {
  const [name, ...rest] = path;
  if (!name) {
    if (path.length === 0) b.report('CS8503', syntax);
    bindPattern(b, syntax, { ...input, type: { kind: 'error' } }, negated);
    return WRONG;
  }
  const member: Syntax.Expression & { kind: 'member' } = {
    kind: 'member',
    start: name.start,
    end: name.end,
    receiver: { kind: 'error', start: name.start, end: name.start },
    name,
    typeArguments: null,
  };
  const bound: Bound = input.type.kind === 'error' ? { kind: 'error', syntax: name } : memberOf(b, member, input);
  if (bound.kind !== 'value') {
    if (bound.kind !== 'error') b.report('CS0154', name, name.text);
    bindPattern(b, syntax, { ...input, type: { kind: 'error' } }, negated);
    return WRONG;
  }
  const inside = `${input.path}.${name.text}`;
  if (rest.length === 0) return partPattern(b, bound, inside, syntax, negated);
  const { effects, read } = once(b, bound.tree);
  const type = withoutNullable(bound.type);
  const isThere = isValueType(b, bound.type) && bound.type.kind !== 'nullable';
  const inner = propertyPattern(b, rest, syntax, unwrapTo(b, { ...bound, tree: read, path: inside }, type), negated);
  return {
    ...inner,
    test: sequence(effects, both(isThere ? TRUE : not(nullTest(read)), inner.test)),
    match: isThere ? inner.match : Logic.and(Logic.not(Logic.isNull(inside)), inner.match),
  };
}

function memberOf(b: Binder, member: Syntax.Expression & { kind: 'member' }, input: Input): Bound {
  const { result, diagnostics } = b.capture(() => bindMember(b, member, input, 'read'));
  for (const diagnostic of diagnostics)
    b.diagnostics.push(diagnostic.id === 'CS1061' ? { ...diagnostic, id: 'CS0117' } : diagnostic);
  return result;
}

export function positional(
  b: Binder,
  syntax: Syntax.Node,
  parts: readonly { readonly name: Syntax.Name | null; readonly pattern: Syntax.Pattern }[],
  input: Input,
  negated: boolean,
): BoundPattern {
  const { type } = input;
  const wrong = (): BoundPattern => {
    for (const part of parts) bindPattern(b, part.pattern, { ...input, type: { kind: 'error' } }, negated);
    return WRONG;
  };
  if (type.kind === 'error') return wrong();
  let elements: Value[];
  const paths = parts.map((_, at) =>
    type.kind === 'tuple' ? `${input.path}#${at}` : `${input.path}.${['Key', 'Value'][at]}`,
  );
  if (type.kind === 'tuple') {
    elements = type.elements.map((element, index) =>
      value(syntax, element.type, { kind: 'tupleElement', type: element.type, tuple: input.tree, index }),
    );
  } else if (isNamed(type, 'KeyValuePair') && type.kind === 'named') {
    elements = ['Key', 'Value'].map((name, at) => {
      const own = type.arguments[at]!;
      return value(syntax, own, callMember(`KeyValuePair<TKey,TValue>.get_${name}()`, own, input.tree, []));
    });
  } else if (isPrimitive(type, 'object')) {
    b.report('CS8652', syntax, 'positional patterns on objects (name the type of the tuple: ValueTuple<int, int>)');
    return wrong();
  } else {
    b.report('CS1061', syntax, typeText(type), 'Deconstruct');
    b.report('CS8129', syntax, typeText(type), String(parts.length));
    return wrong();
  }
  if (elements.length !== parts.length) {
    b.report('CS8502', syntax, String(parts.length), String(elements.length));
    return wrong();
  }
  let result = made(TRUE, Logic.ALL);
  for (const [at, part] of parts.entries()) {
    if (
      part.name &&
      type.kind === 'tuple' &&
      type.elements[at]!.name !== part.name.text &&
      part.name.text !== `Item${at + 1}`
    ) {
      b.report('CS8516', part.name, part.name.text);
    }
    result = combine(b, result, partPattern(b, elements[at]!, paths[at]!, part.pattern, negated));
  }
  return result;
}

export function listPattern(
  b: Binder,
  syntax: Syntax.Pattern & { kind: 'listPattern' },
  input: Input,
  negated: boolean,
): BoundPattern {
  const content = unwrapTo(b, input, withoutNullable(input.type));
  const length = content.type.kind === 'error' ? null : lengthTree(b, content);
  if (!length) {
    if (content.type.kind !== 'error') b.report('CS8985', syntax, typeText(content.type));
    for (const element of syntax.elements) {
      if (element.kind !== 'slicePattern') bindPattern(b, element, { ...input, type: { kind: 'error' } }, negated);
    }
    return WRONG;
  }
  const there = isValueType(b, input.type) && input.type.kind !== 'nullable' ? TRUE : not(nullTest(input.tree));
  const sliceAt = syntax.elements.findIndex((element) => element.kind === 'slicePattern');
  const fixed = syntax.elements.length - (sliceAt >= 0 ? 1 : 0);
  const size = b.temporary(INT);
  const compare = binaryTree(sliceAt >= 0 ? '>=' : '==', 'int', BOOL, localTree(size), intConstant(fixed));
  let result = made(both(there, sequence([assignLocal(size, length)], compare)), Logic.unknown());
  for (const [at, element] of syntax.elements.entries()) {
    if (element.kind === 'slicePattern') {
      if (at !== sliceAt) b.report('CS8980', element);
      else if (element.pattern) {
        const count = binaryTree('-', 'int', INT, localTree(size), intConstant(fixed));
        const part = slice(b, element, content, intConstant(at), count);
        if (part) result = combine(b, result, partPattern(b, part, `${input.path}[${at}..]`, element.pattern, negated));
      }
      continue;
    }
    const fromEnd = sliceAt >= 0 && at > sliceAt;
    const index = fromEnd
      ? binaryTree('-', 'int', INT, localTree(size), intConstant(syntax.elements.length - at))
      : intConstant(at);
    const part = elementAt(b, element, content, index);
    result = part
      ? combine(b, result, partPattern(b, { ...part, place: undefined }, `${input.path}[${at}]`, element, negated))
      : { ...result, wrong: true };
  }
  return designate(b, syntax.designation, content, result, negated);
}

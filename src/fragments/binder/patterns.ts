// Patterns: bound and lowered to tests of a value that has been read into a temporary. A pattern knows which locals it leaves
// assigned when it matches and when it does not, and which values it matches.

import { stepAt } from '../steps.ts';
import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import type { Binder } from './binder.ts';
import { isErroneous, type Value } from './bound.ts';
import { assignLocal, binaryTree, both, either, FALSE, not, nullTest, sequence, TRUE, value } from './build.ts';
import { levelled } from './chains.ts';
import { conversionBetween, isReferenceType, isValueType } from './conversions.ts';
import { classify, convert } from './converting.ts';
import { bindExpression, bindValue } from './expressions.ts';
import type { Match } from './match-logic.ts';
import * as Logic from './match-logic.ts';
import { boundText, comparison } from './operators.ts';
import { listPattern, positional, recursivePattern } from './pattern-parts.ts';
import type { LocalSymbol } from './scopes.ts';
import { bindType, isVar } from './type-names.ts';
import { BOOL, isNumericOrDecimal, isPrimitive, sameType, typeText, withoutNullable } from './typing.ts';
import { reportUntyped } from './untyped.ts';
import * as Sets from './value-sets.ts';

/** What a pattern is tested against: a value in a temporary, or a part of one, and where that part is. */
export interface Input extends Value {
  readonly path: string;
}

export interface BoundPattern {
  readonly test: Tree.Expression;
  readonly match: Match;
  readonly whenTrue: readonly LocalSymbol[];
  readonly whenFalse: readonly LocalSymbol[];
  readonly wrong: boolean;
  /** What the input is known to be when it matches: narrows what stands to the right of `and`. */
  readonly narrowed: Type | null;
}

export function made(test: Tree.Expression, match: Match, more: Partial<BoundPattern> = {}): BoundPattern {
  return { test, match, whenTrue: [], whenFalse: [], wrong: false, narrowed: null, ...more };
}

export const WRONG: BoundPattern = made(FALSE, Logic.NONE, { wrong: true });

/** `input` is read as often as needed: its tree is a temporary. `negated`: under `not` or `or`, where no variable may be declared. */
export function bindPattern(b: Binder, syntax: Syntax.Pattern, input: Input, negated: boolean): BoundPattern {
  if (!b.enter(syntax)) return WRONG;
  try {
    return byKind(b, syntax, input, negated);
  } finally {
    b.depth--;
  }
}

function byKind(b: Binder, syntax: Syntax.Pattern, input: Input, negated: boolean): BoundPattern {
  switch (syntax.kind) {
    case 'constantPattern':
      return constantPattern(b, syntax, input);
    case 'typePattern':
      return typePattern(b, syntax.type, bindType(b, syntax.type), input, null);
    case 'declarationPattern':
      return declarationPattern(b, syntax, input, negated);
    case 'relationalPattern':
      return relationalPattern(b, syntax, input);
    case 'notPattern': {
      const inner = bindPattern(b, syntax.operand, input, negated);
      return {
        ...inner,
        test: not(inner.test),
        match: Logic.not(inner.match),
        whenTrue: inner.whenFalse,
        whenFalse: inner.whenTrue,
        narrowed: null,
      };
    }
    case 'andPattern':
    case 'orPattern':
      return chainedPattern(b, syntax, input, negated);
    case 'recursivePattern':
      return recursivePattern(b, syntax, input, negated);
    case 'listPattern':
      return listPattern(b, syntax, input, negated);
    case 'slicePattern':
      b.report('CS8980', syntax);
      return WRONG;
    case 'parenthesizedPattern':
      return bindPattern(b, syntax.operand, input, negated);
    case 'discardPattern':
      return made(TRUE, Logic.ALL);
    case 'errorPattern':
      return WRONG;
  }
}

type ChainSyntax = Syntax.Pattern & { kind: 'andPattern' | 'orPattern' };

/** `a or b or c`, `a and b and c`: chains lean left, a loop goes along them. */
function chainedPattern(b: Binder, syntax: ChainSyntax, input: Input, negated: boolean): BoundPattern {
  const { kind } = syntax;
  const isOr = kind === 'orPattern';
  const rights: Syntax.Pattern[] = [];
  let first: Syntax.Pattern = syntax;
  for (; first.kind === kind; first = first.left) rights.push(first.right);
  let result = bindPattern(b, first, input, negated || isOr);
  for (const right of rights.reverse()) {
    stepAt(right, 4 + ((result.whenTrue.length + result.whenFalse.length) >> 4));
    result = isOr
      ? eitherOf(result, bindPattern(b, right, input, true))
      : bothOf(b, result, bindPattern(b, right, narrowedInput(b, input, result), negated));
  }
  return { ...result, test: levelled(result.test) };
}

function bothOf(b: Binder, left: BoundPattern, right: BoundPattern): BoundPattern {
  return {
    test: both(left.test, right.test),
    match: Logic.bothOf(b, left.match, right.match),
    whenTrue: [...left.whenTrue, ...right.whenTrue],
    whenFalse: [],
    wrong: left.wrong || right.wrong,
    narrowed: right.narrowed ?? left.narrowed,
  };
}

function eitherOf(left: BoundPattern, right: BoundPattern): BoundPattern {
  return {
    test: either(left.test, right.test),
    match: Logic.or(left.match, right.match),
    whenTrue: [],
    whenFalse: [...left.whenFalse, ...right.whenFalse],
    wrong: left.wrong || right.wrong,
    narrowed: null,
  };
}

/** What stands to the right of `and` sees the input as the type the left side found. */
function narrowedInput(b: Binder, input: Input, left: BoundPattern): Input {
  if (left.narrowed === null || sameType(left.narrowed, input.type)) return input;
  return unwrapTo(b, input, left.narrowed);
}

export function unwrapTo(b: Binder, input: Input, type: Type): Input {
  if (sameType(input.type, type)) return input;
  if (input.type.kind === 'nullable' && sameType(input.type.element, type)) {
    return { ...input, type, tree: { kind: 'unwrap', type, operand: input.tree } };
  }
  const conversion = conversionBetween(b, input.type, type);
  const tree = conversion ? conversion.apply(b, input.tree, false) : input.tree;
  return { ...input, type, tree, path: `${input.path}:${typeText(type)}` };
}

// --- constants ---

function constantPattern(b: Binder, syntax: Syntax.Pattern & { kind: 'constantPattern' }, input: Input): BoundPattern {
  const bound = bindExpression(b, syntax.value);
  b.unsplit();
  if (isErroneous(bound) || input.type.kind === 'error') return WRONG;
  if (bound.kind === 'type') return typePattern(b, syntax, bound.type, input, null);
  if (bound.kind === 'default') {
    b.report('CS8505', syntax.value);
    return WRONG;
  }
  if (bound.kind !== 'value') {
    if (bound.kind === 'namespace') reportUntyped(b, bound);
    else b.report('CS0150', syntax.value);
    return WRONG;
  }
  if (bound.type.kind === 'null') {
    if (isValueType(b, input.type) && input.type.kind !== 'nullable') {
      b.report('CS0037', syntax.value, typeText(input.type));
      return WRONG;
    }
    return made(nullTest(input.tree), Logic.isNull(input.path));
  }
  return comparedPattern(b, bound, input, '==', syntax.value, true);
}

function comparedPattern(
  b: Binder,
  bound: Value,
  input: Input,
  operator: '==' | '<' | '>' | '<=' | '>=',
  at: Syntax.Node,
  equality: boolean,
): BoundPattern {
  const target = withoutNullable(input.type);
  const boxed = isReferenceType(b, input.type) && !isPrimitive(input.type, 'string');
  if (boxed && !conversionBetween(b, bound.type, input.type)?.implicit) {
    b.report('CS0029', at, typeText(bound.type), typeText(input.type));
    return WRONG;
  }
  const wanted = boxed ? bound.type : target;
  if (bound.constant === undefined) {
    if (!classify(b, bound, wanted)?.implicit && !boxed) convert(b, bound, wanted, at);
    else b.report('CS0150', at);
    return WRONG;
  }
  if (!boxed && !classify(b, bound, wanted)?.implicit) {
    if (!classify(b, bound, wanted) && conversionBetween(b, input.type, bound.type) === null)
      b.report('CS0029', at, typeText(bound.type), typeText(wanted));
    else convert(b, bound, wanted, at);
    return WRONG;
  }
  const tree = convert(b, bound, wanted);
  const constant = tree.kind === 'constant' ? tree.value : bound.constant;
  const exact = value(at, wanted, tree, { constant });
  const test = patternTest(b, operator, unwrapTo(b, input, wanted), exact, at);
  if (!test) return WRONG;
  const there = boxed
    ? typeTest(input.tree, wanted)
    : input.type.kind === 'nullable'
      ? not(nullTest(input.tree))
      : TRUE;
  const set = equality ? Sets.only(b, wanted, constant) : Sets.compared(b, wanted, operator, constant);
  const match = boxed ? Logic.isTypeAndIn(b, input.path, wanted, set) : Logic.isIn(b, input.path, input.type, set);
  return made(both(there, test), match, { narrowed: wanted });
}

/** The comparison; NaN equals NaN in a pattern, as object equality has it. */
function patternTest(
  b: Binder,
  operator: '==' | '<' | '>' | '<=' | '>=',
  input: Input,
  exact: Value,
  at: Syntax.Node,
): Tree.Expression | null {
  if (operator === '==' && typeof exact.constant === 'number' && Number.isNaN(exact.constant)) {
    return binaryTree('!=', (input.type as { name: 'double' }).name, BOOL, input.tree, input.tree);
  }
  return comparison(b, operator, { ...input, constant: undefined }, exact, at);
}

function typeTest(operand: Tree.Expression, test: Type): Tree.Expression {
  return { kind: 'typeTest', type: BOOL, operand, test };
}

function relationalPattern(
  b: Binder,
  syntax: Syntax.Pattern & { kind: 'relationalPattern' },
  input: Input,
): BoundPattern {
  const bound = bindValue(b, syntax.value);
  if (isErroneous(bound) || input.type.kind === 'error') return WRONG;
  if (bound.kind !== 'value') {
    b.report('CS0150', syntax.value, boundText(bound));
    return WRONG;
  }
  if (!isNumericOrDecimal(bound.type) && bound.type.kind !== 'named') {
    const fits = classify(b, bound, withoutNullable(input.type))?.implicit;
    if (fits) b.report('CS8781', syntax, boundText(bound));
    else convert(b, bound, withoutNullable(input.type), syntax.value);
    return WRONG;
  }
  if (typeof bound.constant === 'number' && Number.isNaN(bound.constant)) {
    b.report('CS8782', syntax.value);
    return WRONG;
  }
  return comparedPattern(b, bound, input, syntax.operator, syntax.value, false);
}

// --- types and declarations ---

export function typePattern(
  b: Binder,
  at: Syntax.Node,
  type: Type,
  input: Input,
  designated: Syntax.Node | null,
): BoundPattern {
  if (type.kind === 'error' || input.type.kind === 'error') return WRONG;
  if (type.kind === 'nullable' && designated) {
    b.report('CS8116', at, typeText(type), typeText(type.element));
    return WRONG;
  }
  const target = withoutNullable(type);
  const notNull = Logic.not(Logic.isNull(input.path));
  if (input.type.kind === 'null') return made(FALSE, Logic.NONE);
  if (sameType(input.type, target)) {
    if (isValueType(b, target)) return made(TRUE, Logic.ALL, { narrowed: target });
    return made(not(nullTest(input.tree)), notNull, { narrowed: target });
  }
  if (input.type.kind === 'nullable' && sameType(input.type.element, target)) {
    return made(not(nullTest(input.tree)), notNull, { narrowed: target });
  }
  const conversion = conversionBetween(b, input.type, target);
  const byReference = conversion && ['reference', 'boxing', 'identity'].includes(conversion.kind);
  if (!byReference) {
    b.report('CS8121', at, typeText(input.type), typeText(type));
    return WRONG;
  }
  if (conversion.implicit) {
    const isThere = isValueType(b, input.type) && input.type.kind !== 'nullable';
    return made(isThere ? TRUE : not(nullTest(input.tree)), isThere ? Logic.ALL : notNull, { narrowed: target });
  }
  return made(typeTest(input.tree, target), Logic.isType(input.path, target), { narrowed: target });
}

function declarationPattern(
  b: Binder,
  syntax: Syntax.Pattern & { kind: 'declarationPattern' },
  input: Input,
  negated: boolean,
): BoundPattern {
  const { designation } = syntax;
  if (isVar(b, syntax.type)) {
    if (designation.kind === 'parenthesized') return varTuple(b, designation, input, negated);
    return designate(b, designation, input, made(TRUE, Logic.ALL), negated);
  }
  const type = bindType(b, syntax.type);
  const pattern = typePattern(b, syntax.type, type, input, syntax);
  return designate(
    b,
    designation,
    type.kind === 'error' ? { ...input, type } : unwrapTo(b, input, withoutNullable(type)),
    pattern,
    negated,
  );
}

function varTuple(
  b: Binder,
  designation: Syntax.Designation & { kind: 'parenthesized' },
  input: Input,
  negated: boolean,
): BoundPattern {
  const parts = designation.parts.map((part): Syntax.Pattern => {
    const type: Syntax.TypeSyntax = {
      kind: 'nameType',
      start: part.start,
      end: part.end,
      name: { start: part.start, end: part.end, text: 'var' },
      arguments: [],
    };
    return { kind: 'declarationPattern', start: part.start, end: part.end, type, designation: part };
  });
  return positional(
    b,
    designation,
    parts.map((pattern) => ({ name: null, pattern })),
    input,
    negated,
  );
}

/** Adds the variable that a pattern names. `content`: the input as the variable's type. */
export function designate(
  b: Binder,
  designation: Syntax.Designation | null,
  content: Value,
  pattern: BoundPattern,
  negated: boolean,
): BoundPattern {
  if (designation?.kind !== 'single') return pattern;
  if (negated) b.report('CS8780', designation.name, designation.name.text);
  const symbol = b.declare(designation.name, pattern.wrong ? { kind: 'error' } : content.type);
  symbol.assigned = true;
  if (pattern.wrong) return { ...pattern, whenTrue: [...pattern.whenTrue, symbol] };
  const store = sequence([assignLocal(symbol.local, content.tree)], TRUE);
  return { ...pattern, test: both(pattern.test, store), whenTrue: [...pattern.whenTrue, symbol] };
}

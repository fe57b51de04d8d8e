// Expressions by kind. Each leaves the flow state after its evaluation; conditions leave it split.

import { stepAt } from '../steps.ts';
import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import { bindNewArray } from './arrays.ts';
import { bindAssignment, bindIncrement } from './assignment.ts';
import { type Binder, UNREACHABLE } from './binder.ts';
import { type Bound, isErroneous } from './bound.ts';
import { constant, constantValue, errorBound, value } from './build.ts';
import { bindCall } from './calls.ts';
import { bindBeginnings, Pieces } from './chains.ts';
import { isReadable } from './class-places.ts';
import { bindConditionalAccess } from './conditional-access.ts';
import { bindConditional } from './conditions.ts';
import { defaultTree, enumNumber, isEnum, isReferenceType } from './conversions.ts';
import { asConversion, cast, classify, convert } from './converting.ts';
import { bindAnonymous, bindNew, bindStackalloc } from './creation.ts';
import { bindIndex, bindRangeValue } from './elements.ts';
import { bindInterpolation } from './interpolation.ts';
import { bindIsPattern } from './is-patterns.ts';
import { bindLambda } from './lambdas.ts';
import { bindLiteral } from './literals.ts';
import { bindCoalesce, bindLogical } from './logical.ts';
import { bindMember } from './members.ts';
import { bindIdentifier, bindNameof } from './names.ts';
import { bindBinaryOperator, boundText } from './operators.ts';
import { bindStrayRef } from './references.ts';
import { bindSwitchExpression } from './switch-expressions.ts';
import { bindTupleLiteral } from './tuples.ts';
import { bindType } from './type-names.ts';
import { INT, named, typeText } from './typing.ts';
import { bindUnary } from './unary.ts';
import { reportUntyped, typed } from './untyped.ts';

/** Binds an expression; the state may be split afterwards when it is a condition. */
export function bindExpression(b: Binder, syntax: Syntax.Expression): Bound {
  const { ready, written } = b;
  b.written = null;
  if (ready?.syntax === syntax) {
    b.ready = null;
    return ready.bound;
  }
  if (!b.enter(syntax)) return errorBound(syntax);
  try {
    bindBeginnings(b, syntax, bindLink);
    const bound = bindByKind(b, syntax);
    return written === syntax || isReadable(b, bound) ? bound : errorBound(syntax);
  } finally {
    b.ready = null;
    b.depth--;
  }
}

function bindLink(b: Binder, syntax: Syntax.Expression): Bound {
  stepAt(syntax, 6);
  const bound = bindByKind(b, syntax);
  return isReadable(b, bound) ? bound : errorBound(syntax);
}

/** The same with the state joined. */
export function bindValue(b: Binder, syntax: Syntax.Expression): Bound {
  const bound = bindExpression(b, syntax);
  b.unsplit();
  return bound;
}

function bindByKind(b: Binder, syntax: Syntax.Expression): Bound {
  switch (syntax.kind) {
    case 'literal':
      return bindLiteral(b, syntax);
    case 'interpolation':
      return bindInterpolation(b, syntax);
    case 'identifier':
      return bindIdentifier(b, syntax);
    case 'typeExpression': {
      const type = bindType(b, syntax.type);
      return type.kind === 'error' ? errorBound(syntax) : { kind: 'type', syntax, type };
    }
    case 'member':
      return bindMember(b, syntax, bindReceiver(b, syntax.receiver), 'read');
    case 'conditionalAccess':
      return bindConditionalAccess(b, syntax);
    case 'binding':
      return b.conditionalReceiver ?? errorBound(syntax);
    case 'call':
      return bindCall(b, syntax);
    case 'index':
      return bindIndex(b, syntax);
    case 'unary':
      return bindUnary(b, syntax);
    case 'postfix':
      if (syntax.operator === '!') return suppressed(b, syntax);
      return bindIncrement(b, syntax, syntax.operator, syntax.operand, false);
    case 'binary':
      return bindBinary(b, syntax);
    case 'assignment':
      return bindAssignment(b, syntax);
    case 'conditional':
      return bindConditional(b, syntax);
    case 'cast': {
      const type = bindType(b, syntax.type);
      return cast(b, bindValue(b, syntax.operand), type, syntax);
    }
    case 'is':
      return bindIsPattern(b, syntax);
    case 'as':
      return bindAs(b, syntax);
    case 'lambda':
      return bindLambda(b, syntax);
    case 'tuple':
      return bindTupleLiteral(b, syntax);
    case 'declaration':
      b.report('CS8185', syntax);
      return errorBound(syntax);
    case 'new':
      return bindNew(b, syntax);
    case 'newArray':
      return bindNewArray(b, syntax);
    case 'newAnonymous':
      return bindAnonymous(b, syntax);
    case 'stackalloc':
      return bindStackalloc(b, syntax);
    case 'collection':
      return {
        kind: 'collection',
        syntax,
        elements: syntax.elements.map((element) => ({ spread: element.spread, value: bindValue(b, element.value) })),
      };
    case 'parenthesized':
      return bindParenthesized(b, syntax);
    case 'switch':
      return bindSwitchExpression(b, syntax);
    case 'throw':
      return bindThrow(b, syntax);
    default:
      return bindRare(b, syntax);
  }
}

function bindRare(b: Binder, syntax: Syntax.Expression): Bound {
  switch (syntax.kind) {
    case 'typeof': {
      const type = bindType(b, syntax.type);
      const result = named('Type');
      if (type.kind === 'error') return errorBound(syntax);
      const tree: Tree.Expression = {
        kind: 'call',
        type: result,
        member: { key: 'Type.typeof<T>()', static: true },
        receiver: null,
        arguments: [],
        typeArguments: [type],
      };
      return value(syntax, result, tree);
    }
    case 'nameof':
      return bindNameof(b, syntax, syntax.operand);
    case 'sizeof': {
      const type = bindType(b, syntax.type);
      const under = isEnum(b, type) ? enumNumber(b, type) : type.kind === 'primitive' ? type.name : 'void';
      const size = SIZES[under];
      if (size !== undefined) return constantValue(syntax, INT, size);
      if (type.kind !== 'error' && isReferenceType(b, type)) b.report('CS0208', syntax, typeText(type));
      b.report('CS0233', syntax, typeText(type));
      return errorBound(syntax);
    }
    case 'defaultOf': {
      const type = bindType(b, syntax.type);
      if (type.kind === 'error') return errorBound(syntax);
      const tree = defaultTree(b, type);
      return value(syntax, type, tree, tree.kind === 'constant' ? { constant: tree.value } : {});
    }
    case 'checked': {
      const { checked, unchecked } = b;
      b.checked = syntax.checked;
      b.unchecked = !syntax.checked;
      const bound = bindValue(b, syntax.operand);
      // Conversions of the operand belong inside; what has a type is final here.
      b.checked = checked;
      b.unchecked = unchecked;
      return bound.kind === 'value' ? { ...bound, place: undefined } : bound;
    }
    case 'range':
      return bindRangeValue(b, syntax);
    case 'ref':
      return bindStrayRef(b, syntax);
    default:
      return errorBound(syntax);
  }
}

const SIZES: Record<string, number> = {
  bool: 1,
  byte: 1,
  sbyte: 1,
  short: 2,
  ushort: 2,
  char: 2,
  int: 4,
  uint: 4,
  float: 4,
  long: 8,
  ulong: 8,
  double: 8,
  decimal: 16,
};

/** Parentheses keep everything but a span of their own. */
function bindParenthesized(b: Binder, syntax: Syntax.Expression & { kind: 'parenthesized' }): Bound {
  const bound = bindExpression(b, syntax.operand);
  return bound.kind === 'value' ? { ...bound, syntax } : bound;
}

function suppressed(b: Binder, syntax: Syntax.Expression & { kind: 'postfix' }): Bound {
  const bound = bindExpression(b, syntax.operand);
  if (bound.kind === 'type' || bound.kind === 'namespace') {
    b.report('CS0119', bound.syntax, boundText(bound), bound.kind);
    return errorBound(syntax);
  }
  return bound.kind === 'value' ? { ...bound, syntax } : bound;
}

/** What stands before a dot: types and namespaces are fine there. */
export function bindReceiver(b: Binder, syntax: Syntax.Expression): Bound {
  const bound = bindValue(b, syntax);
  if (bound.kind === 'conditional' || bound.kind === 'switch') {
    reportUntyped(b, bound);
    return errorBound(syntax);
  }
  return bound;
}

/** The callee of a call; the same as a receiver, but method groups are what is wanted. */
export function bindCallee(b: Binder, syntax: Syntax.Expression): Bound {
  // What is called must be callable: a property of the name does not hide a method, as in `list.Count()`.
  if (syntax.kind === 'member') return bindMember(b, syntax, bindReceiver(b, syntax.receiver), 'called');
  return bindValue(b, syntax);
}

function bindBinary(b: Binder, syntax: Syntax.Expression & { kind: 'binary' }): Bound {
  const { operator } = syntax;
  if (operator === '&&' || operator === '||') return bindLogical(b, syntax, operator);
  if (operator === '??') return bindCoalesce(b, syntax);
  // A long chain such as "a" + b + c … is a deep left spine: walked in a loop.
  const spine: (Syntax.Expression & { kind: 'binary' })[] = [];
  let first: Syntax.Expression = syntax;
  while (first.kind === 'binary' && first.operator !== '&&' && first.operator !== '||' && first.operator !== '??') {
    spine.push(first);
    first = first.left;
  }
  let result = bindValue(b, first);
  const there = b.stateWhenNotNull(first);
  const pieces = new Pieces(b);
  for (const node of spine.reverse()) {
    const right = bindValue(b, node.right);
    stepAt(node, 4);
    const bound = bindBinaryOperator(b, node.operator as Tree.BinaryOperator, result, right, node, {
      operator: node.operatorSpan,
    });
    result = pieces.cut(bound, node === syntax);
  }
  if (there !== null && b.reachable) splitByNull(b, syntax, there);
  return result;
}

/** `a?.M(out x) == true`: where it holds, `a` was not null and x is assigned. */
function splitByNull(b: Binder, syntax: Syntax.Expression & { kind: 'binary' }, there: bigint): void {
  if (syntax.operator !== '==' && syntax.operator !== '!=') return;
  if (syntax.left.kind === 'binary' || syntax.right.kind !== 'literal') return;
  const isNull = syntax.right.literal.type === 'null';
  const { state } = b;
  if ((syntax.operator === '==') !== isNull) b.setSplit(state | there, state);
  else b.setSplit(state, state | there);
}

function bindAs(b: Binder, syntax: Syntax.Expression & { kind: 'as' }): Bound {
  const operand = bindValue(b, syntax.operand);
  const type = bindType(b, syntax.type);
  if (isErroneous(operand) || type.kind === 'error') return errorBound(syntax);
  if (operand.kind === 'lambda' || operand.kind === 'methods') {
    b.report('CS0837', syntax);
    return errorBound(syntax);
  }
  const from = typed(b, operand);
  if (!from) return errorBound(syntax);
  const tree = asConversion(b, from, type, syntax);
  return tree ? value(syntax, type, tree) : errorBound(syntax);
}

function bindThrow(b: Binder, syntax: Syntax.Expression & { kind: 'throw' }): Bound {
  const operand = bindValue(b, syntax.operand);
  const tree = exceptionTree(b, operand);
  b.setState(UNREACHABLE);
  return { kind: 'throw', syntax, operand: tree };
}

/** The operand of a throw: an exception or null. */
export function exceptionTree(b: Binder, operand: Bound): Tree.Expression {
  const type = named('Exception');
  if (operand.kind === 'value' && operand.type.kind !== 'error' && !classify(b, operand, type)?.implicit) {
    b.report('CS0029', operand.syntax, typeText(operand.type), 'Exception');
    return constant(type, null);
  }
  if (operand.kind === 'value' && !isErroneous(operand) && operand.type.kind !== 'null') return operand.tree;
  return convert(b, operand, type);
}

// `is`: a pattern tested against the value of an expression, with what is said about tests that come out one way only.

import type * as Syntax from '../syntax.ts';
import type { Binder } from './binder.ts';
import { type Bound, isErroneous, type Value } from './bound.ts';
import { assignLocal, errorBound, FALSE, localTree, sequence, TRUE, value } from './build.ts';
import { bindValue } from './expressions.ts';
import * as Logic from './match-logic.ts';
import { type BoundPattern, bindPattern } from './patterns.ts';
import { BOOL, isPrimitive, typeText } from './typing.ts';
import { typed } from './untyped.ts';

export function bindIsPattern(b: Binder, syntax: Syntax.Expression & { kind: 'is' }): Bound {
  const operand = bindValue(b, syntax.operand);
  if (operand.kind === 'lambda' || operand.kind === 'methods') {
    b.report('CS0837', syntax);
    return value(syntax, BOOL, FALSE);
  }
  const there = b.stateWhenNotNull(syntax.operand);
  const source = isErroneous(operand) ? null : typed(b, operand);
  const type = source?.type ?? { kind: 'error' };
  if (source && (source.type.kind === 'null' || isPrimitive(source.type, 'void')) && !isTypeTest(syntax.pattern)) {
    b.report('CS8117', syntax.operand, typeText(source.type));
  }
  const local = b.temporary(type);
  const written = typeIfUnknown(b, syntax.pattern);
  const { result: pattern, diagnostics } = b.capture(() =>
    bindPattern(b, written, { ...value(syntax.operand, type, localTree(local)), path: '' }, false),
  );
  // `x is T` that never holds is a warning, and the whole of it is marked.
  const never = isTypeTest(syntax.pattern) && diagnostics.some((diagnostic) => diagnostic.id === 'CS8121');
  if (never) b.warn('CS0184', syntax, typeText(type));
  else b.diagnostics.push(...diagnostics);
  b.unsplit();
  let whenTrue = b.state;
  let whenFalse = b.state;
  if (b.reachable) {
    for (const symbol of pattern.whenTrue) whenTrue |= symbol.bit;
    for (const symbol of pattern.whenFalse) whenFalse |= symbol.bit;
    // What always matches leaves its variables assigned either way.
    if (source && !pattern.wrong && Logic.isAll(b, pattern.match)) whenFalse |= whenTrue;
  }
  const neverNull = () => !Logic.isPossible(b, Logic.and(Logic.isNull(''), pattern.match));
  if (there !== null && b.reachable && neverNull()) whenTrue |= there;
  b.setSplit(whenTrue, whenFalse);
  if (source && never) return value(syntax, BOOL, sequence([assignLocal(local, source.tree)], FALSE));
  if (!source) return errorBound(syntax);
  if (pattern.wrong) return value(syntax, BOOL, { kind: 'default', type: BOOL });
  warnAlways(b, syntax, source, pattern);
  return value(syntax, BOOL, sequence([assignLocal(local, source.tree)], pattern.test));
}

/** `is Foo` where nothing is named so asks for a type: what is said is about that. */
function typeIfUnknown(b: Binder, pattern: Syntax.Pattern): Syntax.Pattern {
  const type = pattern.kind === 'constantPattern' ? typeSyntaxOf(pattern.value) : null;
  if (type === null || pattern.kind !== 'constantPattern') return pattern;
  const { state } = b;
  const { result, diagnostics } = b.capture(() => bindValue(b, pattern.value));
  b.setState(state);
  const unknown = result.kind === 'error' && diagnostics.every(({ id }) => UNKNOWN.has(id));
  return unknown ? { kind: 'typePattern', type, start: pattern.start, end: pattern.end } : pattern;
}

const UNKNOWN = new Set(['CS0103', 'CS0117', 'CS0234']);

/** A name, possibly qualified, as a type. */
function typeSyntaxOf(syntax: Syntax.Expression): Syntax.TypeSyntax | null {
  const members: (Syntax.Expression & { kind: 'member' })[] = [];
  let first = syntax;
  for (; first.kind === 'member'; first = first.receiver) members.push(first);
  if (first.kind !== 'identifier') return null;
  const { name, typeArguments, start, end } = first;
  return members.reduceRight<Syntax.TypeSyntax>(
    (left, member) => ({
      ...{ kind: 'qualifiedType', left, name: member.name, arguments: member.typeArguments ?? [] },
      ...{ start: member.start, end: member.end },
    }),
    { kind: 'nameType', name, arguments: typeArguments ?? [], start, end },
  );
}

function isTypeTest(pattern: Syntax.Pattern): boolean {
  return pattern.kind === 'typePattern' || (pattern.kind === 'constantPattern' && pattern.value.kind !== 'literal');
}

/** CS0183: `is` of a value type that is always of that type. */
const COMBINED: ReadonlySet<string> = new Set(['notPattern', 'andPattern', 'orPattern', 'relationalPattern']);

function warnAlways(b: Binder, syntax: Syntax.Expression & { kind: 'is' }, source: Value, pattern: BoundPattern): void {
  const known = source.constant === undefined ? null : Logic.isConstant(b, '', source.type, source.constant);
  const always = known !== null && Logic.isCovered(b, known, pattern.match);
  if (isTypeTest(syntax.pattern)) {
    if (pattern.test === TRUE || always) b.warn('CS0183', syntax, typeText(source.type));
  } else if (known !== null && source.constant !== null && syntax.pattern.kind === 'constantPattern') {
    if (always) b.warn('CS8520', syntax);
    else if (!Logic.isPossible(b, Logic.and(known, pattern.match))) b.warn('CS8519', syntax);
  } else if (!Logic.isPossible(b, pattern.match)) b.report('CS8518', syntax);
  else if (COMBINED.has(syntax.pattern.kind) && Logic.isAll(b, pattern.match)) b.warn('CS8794', syntax);
}

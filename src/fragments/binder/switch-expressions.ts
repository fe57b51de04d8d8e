// Switch expressions: arms become a chain of conditionals over the operand's temporary.

import { MAX_SWITCH_ARMS } from '../limits.ts';
import { CompilationLimit } from '../steps.ts';
import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import { bestCommonType } from './best-type.ts';
import { type Binder, UNREACHABLE } from './binder.ts';
import { type Bound, isErroneous } from './bound.ts';
import {
  assignLocal,
  both,
  callMember,
  conditional,
  errorBound,
  localTree,
  sequence,
  TRUE,
  throwTree,
  value,
} from './build.ts';
import { bindCondition } from './conditions.ts';
import { convert } from './converting.ts';
import { bindValue } from './expressions.ts';
import * as Logic from './match-logic.ts';
import { bindPattern } from './patterns.ts';
import { isPrimitive, named } from './typing.ts';
import { typed } from './untyped.ts';

export function bindSwitchExpression(b: Binder, syntax: Syntax.Expression & { kind: 'switch' }): Bound {
  const operand = bindValue(b, syntax.operand);
  const source = isErroneous(operand) ? null : typed(b, operand);
  const type: Type = source?.type ?? { kind: 'error' };
  const local = b.temporary(type);
  const tests: Tree.Expression[] = [];
  const arms: Bound[] = [];
  let covered = Logic.NONE;
  let end = UNREACHABLE;
  let wrong = source === null;
  checkArms(syntax.arms.length);
  for (const arm of syntax.arms) {
    b.inScope([arm], () => {
      const pattern = bindPattern(
        b,
        arm.pattern,
        { ...value(syntax.operand, type, localTree(local)), path: '' },
        false,
      );
      wrong ||= pattern.wrong;
      const before = b.state;
      if (!wrong && Logic.isCovered(b, pattern.match, covered)) b.report('CS8510', arm.pattern);
      for (const symbol of pattern.whenTrue) b.assign(symbol);
      let { test } = pattern;
      if (arm.when) {
        const guard = bindCondition(b, arm.when);
        test = both(test, guard.tree);
        b.setState(b.whenTrue);
        if (guard.constant === true) covered = Logic.or(covered, pattern.match);
      } else covered = Logic.or(covered, pattern.match);
      tests.push(test);
      arms.push(bindValue(b, arm.value));
      end &= b.state;
      b.setState(before);
    });
  }
  b.setState(end);
  if (wrong) return errorBound(syntax);
  const exhaustive = Logic.isAll(b, covered);
  // That null alone is left out is no matter for C# without annotations.
  if (!exhaustive && !Logic.isAllButNull(b, covered)) b.warn('CS8509', keyword(b, syntax));
  if (arms.some(isErroneous)) return errorBound(syntax);
  const build = (trees: readonly Tree.Expression[], result: Type): Tree.Expression => {
    let tree: Tree.Expression = unmatched(result);
    for (let at = trees.length - 1; at >= 0; at--) {
      const last = exhaustive && at === trees.length - 1;
      tree = conditional(result, last ? alwaysTrue(tests[at]!) : tests[at]!, trees[at]!, tree);
    }
    return sequence([assignLocal(local, source!.tree)], tree);
  };
  const natural = bestCommonType(b, arms);
  if (!natural || isPrimitive(natural, 'void')) return { kind: 'switch', syntax, arms, build };
  return value(
    syntax,
    natural,
    build(
      arms.map((arm) => convert(b, arm, natural)),
      natural,
    ),
  );
}

/** A switch is a chain of tests, which is no way to look something up in a table of thousands. */
export function checkArms(count: number): void {
  if (count > MAX_SWITCH_ARMS)
    throw new CompilationLimit(`A switch of the fragment has more than ${MAX_SWITCH_ARMS} arms.`);
}

/** The last arm of an exhaustive switch needs no test, but its variables must be set. */
function alwaysTrue(test: Tree.Expression): Tree.Expression {
  return test.kind === 'sequence' || test.kind === 'and' ? test : TRUE;
}

function unmatched(result: Type): Tree.Expression {
  return throwTree(result, callMember('SwitchExpressionException.new()', named('SwitchExpressionException'), null, []));
}

function keyword(b: Binder, syntax: Syntax.Expression & { kind: 'switch' }): Syntax.Node {
  const at = b.text.indexOf('switch', syntax.operand.end);
  return at < 0 ? syntax : { start: at, end: at + 'switch'.length };
}

// Statements, with reachability and definite assignment on the way.

import { stepAt } from '../steps.ts';
import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import { type Binder, type JumpTarget, UNREACHABLE } from './binder.ts';
import { type Bound, isErroneous } from './bound.ts';
import { errorBound, not } from './build.ts';
import { bindCondition } from './conditions.ts';
import { bindExpression, exceptionTree } from './expressions.ts';
import { bindForEach } from './for-each.ts';
import { bindGoto, bindLabelled, hasLabels } from './labels.ts';
import { bindLocalDeclaration } from './local-declarations.ts';
import { bindLocalFunction, bindYield, checkOutParameters, declareLocalFunctions } from './local-functions.ts';
import type { Scope } from './scopes.ts';
import { bindGotoCase, bindSwitch } from './switch-statements.ts';
import { bindTry } from './try-statements.ts';
import { reportUntyped } from './untyped.ts';

/** A block with a scope of its own. */
export function bindBlockStatements(b: Binder, block: Syntax.BlockStatement): Tree.Block {
  return b.inScope([block.statements], (scope) => {
    const statements = bindStatements(b, block.statements);
    return { kind: 'block', declares: scope.declares, statements };
  });
}

/** Statements one after the other in the current scope. */
export function bindStatements(b: Binder, list: readonly Syntax.Statement[]): Tree.Statement[] {
  declareLocalFunctions(b, list);
  if (hasLabels(list)) return bindLabelled(b, list, (statement) => bindStatement(b, statement));
  return list.map((statement) => bindStatement(b, statement));
}

/** A statement that is the body of another one has a scope of its own. */
export function bindEmbedded(b: Binder, statement: Syntax.Statement): Tree.Statement {
  if (statement.kind === 'block') return bindStatement(b, statement);
  if (statement.kind === 'localDeclaration' || statement.kind === 'localFunction') b.report('CS1023', statement);
  return b.inScope([statement], (scope): Tree.Statement => {
    declareLocalFunctions(b, [statement]);
    const bound = bindStatement(b, statement);
    return scope.declares.length ? { kind: 'block', declares: scope.declares, statements: [bound] } : bound;
  });
}

const NOTHING: Tree.Statement = { kind: 'block', declares: [], statements: [] };

export function bindStatement(b: Binder, statement: Syntax.Statement): Tree.Statement {
  if (!b.enter(statement)) return NOTHING;
  try {
    noteReachable(b, statement);
    return byKind(b, statement);
  } finally {
    b.depth--;
  }
}

function noteReachable(b: Binder, statement: Syntax.Statement): void {
  if (b.reachable) b.unreachableReported = false;
  else warnUnreachable(b, statement);
}

const SILENT = new Set(['block', 'empty', 'localFunction', 'label', 'error', 'refused']);

/** CS0162, once for each stretch of code that is never reached; the first word of it is marked. */
function warnUnreachable(b: Binder, statement: Syntax.Statement): void {
  if (b.unreachableReported || SILENT.has(statement.kind)) return;
  if (statement.kind === 'localDeclaration' && statement.declarators.every((one) => one.initializer === null)) return;
  b.unreachableReported = true;
  b.warn('CS0162', firstToken(b, statement));
}

function firstToken(b: Binder, at: Syntax.Node): Syntax.Node {
  const word = /^(?:@?[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}\p{Cf}]*|\+\+|--|.)/u.exec(
    b.text.slice(at.start, at.end),
  );
  return { start: at.start, end: at.start + (word?.[0].length ?? 0) };
}

function byKind(b: Binder, syntax: Syntax.Statement): Tree.Statement {
  switch (syntax.kind) {
    case 'block':
      return bindBlockStatements(b, syntax);
    case 'localDeclaration':
      return bindLocalDeclaration(b, syntax);
    case 'localFunction':
      return bindLocalFunction(b, syntax);
    case 'expression':
      return { kind: 'evaluate', value: bindStatementExpression(b, syntax.value) };
    case 'if':
      return bindIf(b, syntax);
    case 'while':
      return bindWhile(b, syntax);
    case 'do':
      return bindDo(b, syntax);
    case 'for':
      return bindFor(b, syntax);
    case 'foreach':
      return bindForEach(b, syntax);
    case 'switch':
      return bindSwitch(b, syntax);
    case 'break':
    case 'continue':
      return bindJump(b, syntax);
    case 'label':
      return NOTHING; // its list has seen to it
    case 'goto':
      return bindGoto(b, syntax);
    case 'gotoCase':
      return bindGotoCase(b, syntax);
    case 'return':
      return bindReturn(b, syntax);
    case 'throw':
      return bindThrowStatement(b, syntax);
    case 'try':
      return bindTry(b, syntax);
    case 'checked': {
      const { checked, unchecked } = b;
      b.checked = syntax.checked;
      b.unchecked = !syntax.checked;
      const body = bindBlockStatements(b, syntax.body);
      b.checked = checked;
      b.unchecked = unchecked;
      return body;
    }
    case 'yield':
      return bindYield(b, syntax);
    case 'classes':
      return b.classes?.bindMembers(b) ?? NOTHING;
    case 'refused':
      // What it would have done is not known: nothing more is said about what comes after.
      b.unreachableReported = true;
      b.setState(UNREACHABLE);
      return NOTHING;
    default:
      return NOTHING;
  }
}

const STATEMENT_KINDS = new Set(['assignment', 'call', 'new', 'error', 'refused']);

function mayStandAlone(syntax: Syntax.Expression): boolean {
  if (STATEMENT_KINDS.has(syntax.kind)) return syntax.kind !== 'call' || !isNameof(syntax);
  if (syntax.kind === 'unary' || (syntax.kind === 'postfix' && syntax.operator !== '!')) {
    return syntax.operator === '++' || syntax.operator === '--';
  }
  return syntax.kind === 'conditionalAccess' && mayStandAlone(syntax.access);
}

function isNameof(syntax: Syntax.Expression & { kind: 'call' }): boolean {
  return syntax.callee.kind === 'identifier' && syntax.callee.name.text === 'nameof';
}

/** An expression for its effect. */
function bindStatementExpression(b: Binder, syntax: Syntax.Expression): Tree.Expression {
  const before = b.diagnostics.length;
  const bound = bindExpression(b, syntax);
  b.unsplit();
  if (!mayStandAlone(syntax)) {
    // What is wrong inside is said first; an expression that is fine in itself still is no statement.
    b.report('CS0201', syntax);
  } else if (bound.kind !== 'value' && bound.kind !== 'error' && b.diagnostics.length === before)
    reportUntyped(b, bound);
  if (bound.kind === 'value' && !isErroneous(bound)) return bound.tree;
  return { kind: 'default', type: { kind: 'error' } };
}

/** `if … else if … else …`: the branches in their order, then the statement from the last one on. */
function bindIf(b: Binder, syntax: Syntax.Statement & { kind: 'if' }): Tree.Statement {
  const branches: IfBranch[] = [];
  let last: Syntax.Statement | null = syntax;
  while (last?.kind === 'if') {
    // What stands behind an `else` is a statement of its own, in a scope of its own.
    const scope = branches.length > 0 ? b.openScope([last]) : null;
    stepAt(last, 6);
    if (branches.length > 0) noteReachable(b, last);
    const condition = bindCondition(b, last.condition);
    // Where it declares nothing nobody need look for names in it, of which a long chain would have many.
    if (scope?.names.size === 0) b.scope = scope.parent!;
    const { whenTrue: thenState, whenFalse: elseState } = b;
    b.setState(thenState);
    if (last.whenTrue.kind === 'empty') b.warn('CS0642', last.whenTrue);
    if (last.whenFalse?.kind === 'empty') b.warn('CS0642', last.whenFalse);
    const whenTrue = bindEmbedded(b, last.whenTrue);
    branches.push({ condition: condition.tree, whenTrue, afterTrue: b.state, scope });
    b.setState(elseState);
    last = last.whenFalse;
  }
  let whenFalse = last ? bindEmbedded(b, last) : null;
  for (const { condition, whenTrue, afterTrue, scope } of branches.reverse()) {
    b.setState(b.state & afterTrue);
    whenFalse = { kind: 'if', condition, whenTrue, whenFalse };
    if (scope === null) continue;
    b.closeScope(scope);
    if (scope.declares.length > 0) whenFalse = { kind: 'block', declares: scope.declares, statements: [whenFalse] };
  }
  return whenFalse!;
}

interface IfBranch {
  readonly condition: Tree.Expression;
  readonly whenTrue: Tree.Statement;
  readonly afterTrue: bigint;
  readonly scope: Scope | null;
}

// --- loops ---

export function newTarget(b: Binder, kind: JumpTarget['kind']): JumpTarget {
  return {
    kind,
    after: b.newLabel(),
    next: b.newLabel(),
    afterState: UNREACHABLE,
    nextState: UNREACHABLE,
    finallyDepth: b.finallyDepth,
  };
}

export function inTarget<T>(b: Binder, target: JumpTarget, run: () => T): T {
  b.jumps.push(target);
  try {
    return run();
  } finally {
    b.jumps.pop();
  }
}

function bindWhile(b: Binder, syntax: Syntax.Statement & { kind: 'while' }): Tree.Statement {
  const target = newTarget(b, 'loop');
  return b.inScope([syntax.condition], (scope) => {
    const condition = bindCondition(b, syntax.condition);
    const exit = b.whenFalse;
    b.setState(b.whenTrue);
    const body = inTarget(b, target, () => bindEmbedded(b, syntax.body));
    b.setState(exit & target.afterState);
    return loopTree(target, condition.tree, [], body, scope.declares);
  });
}

/** A loop that tests first. Variables of its condition come into being each round, so the test moves into the body. */
function loopTree(
  target: JumpTarget,
  condition: Tree.Expression | null,
  increments: readonly Tree.Expression[],
  body: Tree.Statement,
  declares: readonly Tree.Local[],
): Tree.Statement {
  const shared = { kind: 'loop', testFirst: true, increments, after: target.after, next: target.next } as const;
  if (declares.length === 0 || !condition) return { ...shared, condition, body };
  const leave: Tree.Statement = { kind: 'leave', label: target.after };
  const test: Tree.Statement = { kind: 'if', condition: not(condition), whenTrue: leave, whenFalse: null };
  return { ...shared, condition: null, body: { kind: 'block', declares, statements: [test, body] } };
}

function bindDo(b: Binder, syntax: Syntax.Statement & { kind: 'do' }): Tree.Statement {
  const target = newTarget(b, 'loop');
  const body = inTarget(b, target, () => bindEmbedded(b, syntax.body));
  b.setState(b.state & target.nextState);
  const block = b.inScope([syntax.condition], (scope) => {
    const condition = bindCondition(b, syntax.condition);
    b.setState(b.whenFalse & target.afterState);
    // Its variables are not visible in the body: they may live as long as the function's.
    return { condition: condition.tree, declares: scope.declares };
  });
  const loop: Tree.Statement = {
    kind: 'loop',
    condition: block.condition,
    testFirst: false,
    increments: [],
    body,
    after: target.after,
    next: target.next,
  };
  return block.declares.length ? { kind: 'block', declares: block.declares, statements: [loop] } : loop;
}

function bindFor(b: Binder, syntax: Syntax.Statement & { kind: 'for' }): Tree.Statement {
  const target = newTarget(b, 'loop');
  return b.inScope([syntax.declaration, syntax.initializers], (scope) => {
    const statements: Tree.Statement[] = [];
    if (syntax.declaration) statements.push(bindLocalDeclaration(b, syntax.declaration));
    for (const initializer of syntax.initializers) {
      statements.push({ kind: 'evaluate', value: bindStatementExpression(b, initializer) });
    }
    const loop = b.inScope([syntax.condition], (inner) => {
      const condition = syntax.condition ? bindCondition(b, syntax.condition) : null;
      const exit = condition ? b.whenFalse : UNREACHABLE;
      if (condition) b.setState(b.whenTrue);
      const body = inTarget(b, target, () => bindEmbedded(b, syntax.body));
      b.setState(b.state & target.nextState);
      const increments = b.inScope([syntax.increments], () =>
        syntax.increments.map((one) => bindStatementExpression(b, one)),
      );
      b.setState(exit & target.afterState);
      return loopTree(target, condition?.tree ?? null, increments, body, inner.declares);
    });
    return { kind: 'block', declares: scope.declares, statements: [...statements, loop] };
  });
}

function bindJump(b: Binder, syntax: Syntax.Statement & { kind: 'break' | 'continue' }): Tree.Statement {
  const isBreak = syntax.kind === 'break';
  const target = b.jumps.findLast((jump) => isBreak || jump.kind === 'loop');
  if (!target) {
    b.report('CS0139', syntax);
    return NOTHING;
  }
  if (target.finallyDepth < b.finallyDepth) {
    b.report('CS0157', firstToken(b, syntax));
    return NOTHING;
  }
  if (isBreak) target.afterState &= b.state;
  else target.nextState &= b.state;
  b.setState(UNREACHABLE);
  return { kind: 'leave', label: isBreak ? target.after : target.next };
}

function bindReturn(b: Binder, syntax: Syntax.Statement & { kind: 'return' }): Tree.Statement {
  let bound: Bound | null = null;
  if (syntax.value) {
    const isRef = syntax.value.kind === 'ref';
    if (isRef && !returnsReference(b)) b.report('CS8149', firstToken(b, syntax));
    bound = bindExpression(b, syntax.value.kind === 'ref' ? syntax.value.operand : syntax.value);
    if (isRef) bound = errorBound(syntax);
    b.unsplit();
  }
  if (b.finallyDepth > 0) b.report('CS0157', firstToken(b, syntax));
  if (b.reachable) checkOutParameters(b, syntax);
  const node: { kind: 'return'; value: Tree.Expression | null } = { kind: 'return', value: null };
  b.owner.exitState &= b.state;
  b.owner.returns.push({ value: bound, syntax, node });
  b.setState(UNREACHABLE);
  return node;
}

/** Whether the function around is refused for returning references: no more is said then. */
export function returnsReference(b: Binder): boolean {
  return b.owner.symbol?.syntax.returnType.kind === 'refType';
}

function bindThrowStatement(b: Binder, syntax: Syntax.Statement & { kind: 'throw' }): Tree.Statement {
  let tree: Tree.Expression | null = null;
  if (syntax.value) {
    const bound = bindExpression(b, syntax.value);
    b.unsplit();
    tree = exceptionTree(b, bound);
  } else if (b.catchDepth === 0) b.report('CS0156', firstToken(b, syntax));
  b.setState(UNREACHABLE);
  return { kind: 'throw', value: tree };
}

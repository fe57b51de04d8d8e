// Labels and `goto`. A list of statements with labels becomes a loop whose parts, from one label to the next, are skipped up to where the last
// `goto` leads: `goto` sets the number of the part and goes on with the next round, from however deep inside.
//
// What is assigned at a label is what is on every way there. A `goto` that stands behind its label has been seen only after what follows the
// label, so a way back with less than was assumed is refused. A label that only such a `goto` can reach counts as reached, with what was
// assigned before the list.

import { step } from '../steps.ts';
import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import { type Binder, type LabelEntry, type LabelScope, UNREACHABLE } from './binder.ts';
import { assignLocal, compareInt, intConstant, localTree } from './build.ts';
import { INT } from './typing.ts';

type GotoSyntax = Syntax.Statement & { kind: 'goto' };

const NOTHING: Tree.Statement = { kind: 'block', declares: [], statements: [] };

export function hasLabels(list: readonly Syntax.Statement[]): boolean {
  return list.some((statement) => statement.kind === 'label');
}

/** The statements of a list with labels; `bind` binds one that is no label. */
export function bindLabelled(
  b: Binder,
  list: readonly Syntax.Statement[],
  bind: (statement: Syntax.Statement) => Tree.Statement,
): Tree.Statement[] {
  const before = b.state;
  const scope = openLabels(b, b.newLabel(), b.temporary(INT));
  declareLabels(b, list, scope, 0);
  const parts = bindParts(b, scope, list, before, () => [], bind);
  closeLabels(b, scope);
  return assemble(b, scope, parts);
}

/** Labels that can be gone to from here on: by setting `at` to the number of their part and leaving to `next`. */
export function openLabels(b: Binder, next: Tree.Label, at: Tree.Local): LabelScope {
  const { owner, finallyDepth } = b;
  const scope: LabelScope = { labels: new Map(), next, at, owner, finallyDepth };
  b.labels.push(scope);
  return scope;
}

export function closeLabels(b: Binder, scope: LabelScope): void {
  b.labels.pop();
  for (const { syntax, used } of scope.labels.values()) if (!used) b.warn('CS0164', syntax.name);
}

/** The statements of a list from one label to the next; `later` is what follows the list and may lead back into it. */
export function bindParts(
  b: Binder,
  scope: LabelScope,
  list: readonly Syntax.Statement[],
  before: bigint,
  later: () => readonly Syntax.Statement[],
  bind: (statement: Syntax.Statement) => Tree.Statement,
): Tree.Statement[][] {
  const parts: Tree.Statement[][] = [[]];
  for (const [index, statement] of list.entries()) {
    if (statement.kind !== 'label') {
      parts.at(-1)!.push(bind(statement));
      continue;
    }
    const entry = scope.labels.get(statement.name.text);
    if (entry?.syntax !== statement) continue;
    enterLabel(b, entry, before, () => [...list.slice(index + 1), ...later()]);
    parts.push([]);
  }
  return parts;
}

/** Finds the labels of a list, whose first part has the number `first`; answers the number of its last. */
export function declareLabels(b: Binder, list: readonly Syntax.Statement[], scope: LabelScope, first: number): number {
  let part = first;
  for (const syntax of list) {
    if (syntax.kind !== 'label') continue;
    const { text } = syntax.name;
    if (scope.labels.has(text)) {
      b.report('CS0140', syntax.name, text);
      continue;
    }
    if (b.labels.some((around) => around !== scope && around.labels.has(text))) b.report('CS0158', syntax.name, text);
    scope.labels.set(text, { syntax, part: ++part, assumed: null, arrived: UNREACHABLE, used: false });
  }
  return part;
}

function enterLabel(b: Binder, entry: LabelEntry, before: bigint, rest: () => readonly Syntax.Statement[]): void {
  const comes = b.state & entry.arrived;
  const mayComeBack = comes === UNREACHABLE && before !== UNREACHABLE && gotoIn(rest(), entry.syntax.name.text);
  entry.assumed = mayComeBack ? before : comes;
  b.setState(entry.assumed);
  if (entry.assumed !== UNREACHABLE) b.unreachableReported = false;
  else if (!b.unreachableReported) {
    b.unreachableReported = true;
    b.warn('CS0162', entry.syntax.name);
  }
}

/** Whether there is a `goto` to the label in these statements; functions inside have labels of their own. */
function gotoIn(statements: readonly Syntax.Statement[], name: string): boolean {
  const pending: unknown[] = [...statements];
  step(pending.length);
  while (pending.length) {
    const next = pending.pop();
    step();
    if (Array.isArray(next)) for (const one of next) pending.push(one);
    else if (next !== null && typeof next === 'object') {
      const { kind } = next as { kind?: string };
      if (kind === 'goto' && (next as GotoSyntax).name.text === name) return true;
      if (kind !== 'lambda' && kind !== 'localFunction' && kind !== 'literal') pending.push(...Object.values(next));
    }
  }
  return false;
}

export function bindGoto(b: Binder, syntax: GotoSyntax): Tree.Statement {
  const { text } = syntax.name;
  const keyword = { start: syntax.start, end: syntax.start + 'goto'.length };
  const scope = b.labels.findLast(({ labels }) => labels.has(text));
  const entry = scope?.labels.get(text);
  if (!scope || !entry || scope.owner !== b.owner) {
    b.report('CS0159', scope ? keyword : syntax.name, text);
    if (scope) b.setState(UNREACHABLE);
    return NOTHING;
  }
  entry.used = true;
  if (scope.finallyDepth < b.finallyDepth) {
    b.report('CS0157', keyword);
    b.setState(UNREACHABLE);
    return NOTHING;
  }
  if (entry.assumed === null) entry.arrived &= b.state;
  else if ((b.state & entry.assumed) !== entry.assumed)
    b.report('CS8652', syntax, 'going back to a label before which less was assigned');
  b.setState(UNREACHABLE);
  const set: Tree.Statement = { kind: 'evaluate', value: assignLocal(scope.at, intConstant(entry.part)) };
  return { kind: 'block', declares: [], statements: [set, { kind: 'leave', label: scope.next }] };
}

function assemble(b: Binder, { at, next }: LabelScope, parts: readonly Tree.Statement[][]): Tree.Statement[] {
  const after = b.newLabel();
  const steps = stepsOf(at, 0, parts);
  const loop: Tree.Statement = {
    kind: 'loop',
    condition: null,
    testFirst: true,
    increments: [],
    body: { kind: 'block', declares: [], statements: [...steps, { kind: 'leave', label: after }] },
    after,
    next,
  };
  return [...functionsOf(parts), { kind: 'evaluate', value: assignLocal(at, intConstant(0)) }, loop];
}

/** The parts that are not skipped: from the one whose number is in `at` on. */
export function stepsOf(at: Tree.Local, first: number, parts: readonly Tree.Statement[][]): Tree.Statement[] {
  return parts.map((part, index) => ({
    kind: 'if',
    condition: compareInt('<=', localTree(at), intConstant(first + index)),
    whenTrue: { kind: 'block', declares: [], statements: part.filter((statement) => !isFunction(statement)) },
    whenFalse: null,
  }));
}

export function functionsOf(parts: readonly Tree.Statement[][]): Tree.Statement[] {
  return parts.flat().filter(isFunction);
}

function isFunction(statement: Tree.Statement): boolean {
  return statement.kind === 'localFunction';
}

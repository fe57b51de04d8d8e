// Switch statements: labels become tests of the operand's temporary, one after the other; each section leaves by itself. With
// `goto case` inside, a local says which section comes next and a loop goes there.

import { step } from '../steps.ts';
import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import { type Binder, type JumpTarget, type LabelScope, UNREACHABLE } from './binder.ts';
import { isErroneous } from './bound.ts';
import {
  assignLocal,
  both,
  compareInt,
  conditional,
  either,
  FALSE,
  intConstant,
  localTree,
  TRUE,
  value,
} from './build.ts';
import { levelled } from './chains.ts';
import { bindCondition } from './conditions.ts';
import { constantText, convert } from './converting.ts';
import { bindValue } from './expressions.ts';
import { bindParts, closeLabels, declareLabels, functionsOf, hasLabels, openLabels, stepsOf } from './labels.ts';
import { declareLocalFunctions } from './local-functions.ts';
import type { Match } from './match-logic.ts';
import * as Logic from './match-logic.ts';
import { bindPattern } from './patterns.ts';
import type { Scope } from './scopes.ts';
import { bindStatement, inTarget, newTarget } from './statements.ts';
import { checkArms } from './switch-expressions.ts';
import { INT } from './typing.ts';
import { typed } from './untyped.ts';

type SwitchSyntax = Syntax.Statement & { readonly kind: 'switch' };

interface Section {
  readonly test: Tree.Expression;
  readonly isDefault: boolean;
  readonly start: bigint;
}

export function bindSwitch(b: Binder, syntax: SwitchSyntax): Tree.Statement {
  const operand = bindValue(b, syntax.operand);
  const source = isErroneous(operand) ? null : typed(b, operand);
  const type: Type = source?.type ?? { kind: 'error' };
  checkArms(syntax.sections.reduce((count, { labels }) => count + labels.length, 0));
  const local = b.temporary(type);
  const target = newTarget(b, 'switch');
  const statements: Tree.Statement[] = source ? [{ kind: 'evaluate', value: assignLocal(local, source.tree) }] : [];
  if (syntax.sections.length === 0) {
    const open = b.text.indexOf('{', syntax.operand.end);
    // Without a brace the parser has said so.
    if (open >= 0 && open < syntax.end) b.warn('CS1522', { start: open, end: open + 1 });
  }
  return b.inScope([syntax.sections.map((section) => section.statements)], (scope) => {
    declareLocalFunctions(
      b,
      syntax.sections.flatMap((section) => section.statements),
    );
    const state: SwitchState = {
      syntax,
      local,
      type,
      covered: Logic.NONE,
      constants: Logic.NONE,
      after: b.state,
      wrong: source === null,
      known: source?.constant,
      cases: new Map(),
      tests: [],
      first: syntax.sections.map((_, at) => at),
    };
    const jump = target;
    const bodies = bindSections(b, state, jump);
    if (!state.hasDefault && !(!state.wrong && Logic.isAll(b, state.covered))) jump.afterState &= state.after;
    b.setState(jump.afterState);
    b.unreachableReported = false;
    statements.push(...assemble(b, state, bodies, jump));
    const block: Tree.Statement = { kind: 'block', declares: scope.declares, statements };
    return { kind: 'labeled', body: block, after: jump.after };
  });
}

interface SwitchState {
  readonly syntax: SwitchSyntax;
  readonly local: Tree.Local;
  readonly type: Type;
  covered: Match;
  /** What labels that are constants cover. */
  constants: Match;
  /** The state once no label so far has matched. */
  after: bigint;
  wrong: boolean;
  readonly known: Tree.ConstantValue | undefined;
  /** Numbers of sections by the text of their constant, and `default`. */
  readonly cases: Map<string, number>;
  readonly tests: Section[];
  /** The number of each section's first part; its labels number the parts after it. */
  readonly first: number[];
  hasDefault?: boolean;
  selector?: Tree.Local;
}

function bindSections(b: Binder, state: SwitchState, jump: JumpTarget): Tree.Statement[] {
  const { sections } = state.syntax;
  const usesGoto = containsGoto(sections);
  const labelled = sections.some((section) => hasLabels(section.statements));
  if (usesGoto || labelled) state.selector = b.temporary(INT);
  const labels = labelled ? openSectionLabels(b, state, jump) : null;
  if (usesGoto) {
    b.switches.push({ selector: state.selector!, cases: state.cases, jump, type: state.type });
    noteConstants(b, state);
  }
  const bodies: Tree.Statement[] = [];
  const total = b.state;
  for (const [at, section] of sections.entries()) {
    const outer = b.scope;
    const body = b.inScope([], (scope): Tree.Statement => {
      scope.section = true;
      b.unreachableReported = false;
      const bound = bindLabels(b, state, section.labels, at);
      state.tests.push(bound);
      b.setState(usesGoto && section.labels.some(canGoTo) ? total : bound.start);
      const bind = (statement: Syntax.Statement): Tree.Statement => bindInSwitch(b, outer, statement);
      const later = () => sections.slice(at + 1).flatMap(({ statements }) => statements);
      const inner = inTarget(b, jump, () =>
        labels
          ? sectionSteps(state, at, bindParts(b, labels, section.statements, total, later, bind))
          : section.statements.map(bind),
      );
      if (b.reachable && section.labels.length > 0) {
        const label = section.labels.at(-1)!;
        b.report(at === sections.length - 1 ? 'CS8070' : 'CS0163', label, b.text.slice(label.start, label.end));
      }
      // The labels set their variables before the section begins: they come into being with the switch block.
      outer.declares.push(...scope.declares);
      return { kind: 'block', declares: [], statements: inner };
    });
    bodies.push(body);
  }
  if (usesGoto) b.switches.pop();
  if (labels) closeLabels(b, labels);
  return bodies;
}

/** Labels of all sections: each can be gone to from every other. */
function openSectionLabels(b: Binder, state: SwitchState, jump: JumpTarget): LabelScope {
  const labels = openLabels(b, jump.next, state.selector!);
  let number = 0;
  for (const [at, { statements }] of state.syntax.sections.entries()) {
    state.first[at] = number;
    number = declareLabels(b, statements, labels, number) + 1;
  }
  return labels;
}

function sectionSteps(state: SwitchState, at: number, parts: readonly Tree.Statement[][]): Tree.Statement[] {
  if (parts.length === 1) return parts[0]!;
  return [...functionsOf(parts), ...stepsOf(state.selector!, state.first[at]!, parts)];
}

/** Locals declared in a section belong to the whole switch block; the variables of its patterns to the section. */
function bindInSwitch(b: Binder, outer: Scope, statement: Syntax.Statement): Tree.Statement {
  const bound = bindStatement(b, statement);
  if (statement.kind === 'localDeclaration') {
    step(b.scope.names.size);
    for (const [name, symbol] of b.scope.names) if (!outer.names.has(name)) outer.names.set(name, symbol);
  }
  return bound;
}

function bindLabels(b: Binder, state: SwitchState, labels: readonly Syntax.SwitchLabel[], section: number): Section {
  let test: Tree.Expression = FALSE;
  let start = UNREACHABLE;
  let isDefault = false;
  for (const label of labels) {
    if (label.kind === 'default') {
      if (state.hasDefault) b.report('CS0152', label, 'default');
      state.hasDefault = true;
      state.cases.set('default', state.first[section]!);
      isDefault = true;
      continue;
    }
    b.setState(state.after);
    const one = bindCase(b, state, label);
    test = either(test, one);
    start &= b.split ? b.whenTrue : b.state;
    if (b.split) state.after = b.whenFalse;
  }
  // What reaches the default section is what no label matched; sections after it are still to come.
  if (isDefault) start &= state.after;
  return { test: levelled(test), isDefault, start };
}

function bindCase(b: Binder, state: SwitchState, label: Syntax.SwitchLabel & { kind: 'case' }): Tree.Expression {
  const before = b.diagnostics.length;
  const input = { ...value(state.syntax.operand, state.type, localTree(state.local)), path: '' };
  const pattern = bindPattern(b, label.pattern, input, false);
  b.unsplit();
  const clean = b.diagnostics.length === before && !pattern.wrong;
  if (state.type.kind !== 'error' && clean && Logic.isCovered(b, pattern.match, state.covered)) {
    const twice = label.pattern.kind === 'constantPattern' && Logic.isCovered(b, pattern.match, state.constants);
    b.unreachableReported = true;
    if (twice) b.report('CS0152', label, b.text.slice(label.pattern.start, label.pattern.end));
    else b.report('CS8120', label.pattern);
  }
  let whenTrue = b.state;
  const unmatched = b.state;
  if (b.reachable) for (const symbol of pattern.whenTrue) whenTrue |= symbol.bit;
  const always = clean && Logic.isAll(b, pattern.match);
  let { test } = pattern;
  let whenFalse = always && state.type.kind !== 'error' ? UNREACHABLE : unmatched;
  if (state.known !== undefined && clean) {
    const known = Logic.isConstant(b, '', state.type, state.known);
    if (!Logic.isPossible(b, Logic.and(known, pattern.match))) whenTrue = UNREACHABLE;
    else if (Logic.isCovered(b, known, pattern.match)) whenFalse = UNREACHABLE;
  }
  if (label.when) {
    b.setState(whenTrue);
    const guard = bindCondition(b, label.when);
    test = both(test, guard.tree);
    whenFalse = unmatched;
    if (guard.constant === true) state.covered = Logic.or(state.covered, pattern.match);
    whenTrue = b.whenTrue;
  } else if (clean) {
    state.covered = Logic.or(state.covered, pattern.match);
    if (label.pattern.kind === 'constantPattern') state.constants = Logic.or(state.constants, pattern.match);
  }
  b.setSplit(whenTrue, whenFalse);
  return test;
}

// --- goto case ---

function containsGoto(node: unknown): boolean {
  const pending: unknown[] = [node];
  while (pending.length) {
    const next = pending.pop();
    step();
    if (Array.isArray(next)) for (const one of next) pending.push(one);
    else if (next !== null && typeof next === 'object') {
      const { kind } = next as { kind?: string };
      if (kind === 'gotoCase') return true;
      if (kind !== 'lambda' && kind !== 'localFunction' && kind !== 'literal') pending.push(...Object.values(next));
    }
  }
  return false;
}

/** Whether a `goto case` or `goto default` can lead to a label. */
function canGoTo(label: Syntax.SwitchLabel): boolean {
  return label.kind === 'default' || (label.pattern.kind === 'constantPattern' && !label.when);
}

/** The constants of all labels, before the sections are bound: a goto may lead forward. */
function noteConstants(b: Binder, state: SwitchState): void {
  for (const [at, section] of state.syntax.sections.entries()) {
    for (const label of section.labels) {
      if (label.kind === 'default') state.cases.set('default', state.first[at]!);
      else if (label.pattern.kind === 'constantPattern' && !label.when) {
        const text = caseText(b, label.pattern.value, state.type);
        if (text !== null && !state.cases.has(text)) state.cases.set(text, state.first[at]!);
      }
    }
  }
}

function caseText(b: Binder, syntax: Syntax.Expression, type: Type): string | null {
  const { result } = b.capture(() => {
    const bound = bindValue(b, syntax);
    if (bound.kind !== 'value' || bound.constant === undefined || type.kind === 'error') return null;
    const tree = convert(b, bound, type);
    return tree.kind === 'constant' ? `${typeof tree.value} ${constantText(tree.value)}` : 'null';
  });
  return result;
}

export function bindGotoCase(b: Binder, syntax: Syntax.Statement & { kind: 'gotoCase' }): Tree.Statement {
  const nothing: Tree.Statement = { kind: 'block', declares: [], statements: [] };
  const around = b.jumps.findLast((jump) => jump.kind === 'switch');
  const open = b.switches.findLast((entry) => entry.jump === around);
  if (!open) {
    b.report('CS0153', syntax);
    return nothing;
  }
  let name = 'default';
  if (syntax.value) {
    const bound = bindValue(b, syntax.value);
    if (!isErroneous(bound) && (bound.kind !== 'value' || bound.constant === undefined))
      b.report('CS0150', syntax.value);
    name = caseText(b, syntax.value, open.type) ?? '';
  }
  const section = open.cases.get(name);
  if (section === undefined) {
    if (name !== '') b.report('CS0159', syntax, syntax.value ? 'such case' : 'default');
    else b.setState(UNREACHABLE);
    return nothing;
  }
  b.setState(UNREACHABLE);
  const set: Tree.Statement = { kind: 'evaluate', value: assignLocal(open.selector, intConstant(section)) };
  return { kind: 'block', declares: [], statements: [set, { kind: 'leave', label: open.jump.next }] };
}

// --- assembly ---

function assemble(
  b: Binder,
  state: SwitchState,
  bodies: readonly Tree.Statement[],
  jump: JumpTarget,
): Tree.Statement[] {
  const { tests, selector } = state;
  if (!selector) {
    const list: Tree.Statement[] = [];
    let otherwise: Tree.Statement | null = null;
    for (const [at, section] of tests.entries()) {
      if (section.isDefault) otherwise = bodies[at]!;
      else list.push({ kind: 'if', condition: section.test, whenTrue: bodies[at]!, whenFalse: null });
    }
    return otherwise ? [...list, otherwise] : list;
  }
  const { first } = state;
  let choice: Tree.Expression = intConstant(first[tests.findIndex((section) => section.isDefault)] ?? -1);
  for (let at = tests.length - 1; at >= 0; at--) {
    if (!tests[at]!.isDefault) choice = conditional(INT, tests[at]!.test, intConstant(first[at]!), choice);
  }
  const read = localTree(selector);
  const chain = bodies.map((body, at): Tree.Statement => {
    const next = first[at + 1] ?? Number.POSITIVE_INFINITY;
    const condition =
      next === first[at]! + 1
        ? compareInt('==', read, intConstant(first[at]!))
        : both(
            compareInt('>=', read, intConstant(first[at]!)),
            Number.isFinite(next) ? compareInt('<', read, intConstant(next)) : TRUE,
          );
    return { kind: 'if', condition, whenTrue: body, whenFalse: null };
  });
  const round = b.newLabel();
  const leave: Tree.Statement = { kind: 'leave', label: jump.after };
  const loop: Tree.Statement = {
    kind: 'loop',
    condition: null,
    testFirst: true,
    increments: [],
    body: { kind: 'block', declares: [], statements: [...chain, leave] },
    after: round,
    next: jump.next,
  };
  return [{ kind: 'evaluate', value: assignLocal(selector, choice) }, loop];
}

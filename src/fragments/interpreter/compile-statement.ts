// Statements as closures. How a statement ended: NORMAL, RETURNED (the value is in the frame), or the label that it leaves to.

import type { Block, Catch, Statement } from '../tree.ts';
import { ArrayObject, BoolArray } from './array-objects.ts';
import { compileExpression, throwValue } from './compile-expression.ts';
import { compileAssignment } from './compile-target.ts';
import type { Scope } from './compiler.ts';
import { nullReference, Thrown } from './exceptions.ts';
import { type Frame, freshLocals, RETURN_SLOT, type Run } from './frames.ts';
import { charge, meter } from './machine.ts';
import { isAssignable, runtimeType } from './runtime-types.ts';
import { setHook } from './user-objects.ts';
import { cursorOf, SpanValue, type Value } from './values.ts';

/** 0 normal, -1 returned, else the label's number plus one. */
export type Completion = number;
export type Exec = (frame: Frame) => Completion;

export const NORMAL = 0;
export const RETURNED = -1;

export function leaveTo(label: { readonly id: number }): Completion {
  return label.id + 1;
}

export function compileBlock(block: Block, scope: Scope): Exec {
  const statements = block.statements
    .filter((statement) => statement.kind !== 'localFunction')
    .map((statement) => compileStatement(statement, scope));
  const hooks = block.statements.flatMap((statement) => {
    const hook = statement.kind === 'localFunction' ? scope.hooks.get(statement.function) : undefined;
    if (statement.kind !== 'localFunction' || hook === undefined) return [];
    const other = statement.function.code.parameters[1]?.type;
    const takesObject = other?.kind === 'primitive' && other.name === 'object';
    return [{ ...hook, takesObject, create: scope.localFunction(statement.function) }];
  });
  const run = inOrder(statements);
  if (block.declares.length === 0 && hooks.length === 0) return run;
  const fresh = freshLocals(scope, block.declares);
  return (frame) => {
    fresh(frame);
    for (const { type, hook, create, takesObject } of hooks) setHook(type, hook, create(frame), takesObject);
    return run(frame);
  };
}

function inOrder(statements: readonly Exec[]): Exec {
  const [first, second] = statements;
  if (statements.length === 0) return () => NORMAL;
  if (statements.length === 1) return first!;
  if (statements.length === 2) return (frame) => first!(frame) || second!(frame);
  return (frame) => {
    for (const statement of statements) {
      const completion = statement(frame);
      if (completion !== NORMAL) return completion;
    }
    return NORMAL;
  };
}

export function compileStatement(statement: Statement, scope: Scope): Exec {
  switch (statement.kind) {
    case 'block':
      return compileBlock(statement, scope);
    case 'evaluate': {
      const run = compileExpression(statement.value, scope);
      return (frame) => {
        run(frame);
        return NORMAL;
      };
    }
    case 'if':
      return compileIf(statement, scope);
    case 'loop':
      return compileLoop(statement, scope);
    case 'forEach':
      return compileForEach(statement, scope);
    case 'labeled': {
      const body = compileStatement(statement.body, scope);
      const after = leaveTo(statement.after);
      return (frame) => {
        const completion = body(frame);
        return completion === after ? NORMAL : completion;
      };
    }
    case 'leave': {
      const completion = leaveTo(statement.label);
      return () => completion;
    }
    case 'return':
      return compileReturn(statement.value ? compileExpression(statement.value, scope) : null);
    case 'throw':
      return compileThrow(statement, scope);
    case 'try':
      return compileTry(statement, scope);
    default:
      return () => NORMAL;
  }
}

/** `if … else if …`, the blocks that hold no more than the next `if` included: neither made nor run by recursion. */
function compileIf(statement: Statement & { kind: 'if' }, scope: Scope): Exec {
  const links: { readonly fresh: ((frame: Frame) => void) | null; readonly condition: Run; readonly whenTrue: Exec }[] =
    [];
  let fresh: ((frame: Frame) => void) | null = null;
  let last: Statement | null = statement;
  for (;;) {
    if (last?.kind === 'block' && last.statements.length === 1 && last.statements[0]!.kind === 'if') {
      fresh = last.declares.length > 0 ? freshLocals(scope, last.declares) : null;
      last = last.statements[0]!;
    }
    if (last?.kind !== 'if') break;
    const condition = compileExpression(last.condition, scope);
    links.push({ fresh, condition, whenTrue: compileStatement(last.whenTrue, scope) });
    fresh = null;
    last = last.whenFalse;
  }
  const whenFalse = last ? compileStatement(last, scope) : () => NORMAL;
  const [only] = links;
  if (links.length === 1) {
    const { condition, whenTrue } = only!;
    return (frame) => (condition(frame) ? whenTrue(frame) : whenFalse(frame));
  }
  return (frame) => {
    for (const link of links) {
      link.fresh?.(frame);
      if (link.condition(frame)) return link.whenTrue(frame);
    }
    return whenFalse(frame);
  };
}

function compileReturn(value: Run | null): Exec {
  if (!value) return () => RETURNED;
  return (frame) => {
    frame[RETURN_SLOT] = value(frame);
    return RETURNED;
  };
}

function compileThrow(statement: Statement & { kind: 'throw' }, scope: Scope): Exec {
  if (statement.value) {
    const value = compileExpression(statement.value, scope);
    return (frame) => throwValue(value(frame));
  }
  const slot = scope.caught;
  return (frame) => throwValue(slot === null ? null : frame[slot]);
}

function compileLoop(statement: Statement & { kind: 'loop' }, scope: Scope): Exec {
  const condition = statement.condition ? compileExpression(statement.condition, scope) : () => true;
  const increments = statement.increments.map((increment) => compileExpression(increment, scope));
  const body = compileStatement(statement.body, scope);
  const after = leaveTo(statement.after);
  const next = leaveTo(statement.next);
  const { testFirst } = statement;
  return (frame) => {
    if (testFirst && !condition(frame)) return NORMAL;
    do {
      charge(1);
      const completion = body(frame);
      if (completion !== NORMAL && completion !== next) return completion === after ? NORMAL : completion;
      for (const increment of increments) increment(frame);
    } while (condition(frame));
    return NORMAL;
  };
}

function compileForEach(statement: Statement & { kind: 'forEach' }, scope: Scope): Exec {
  const sequence = compileExpression(statement.sequence, scope);
  const body = compileStatement(statement.body, scope);
  const slot = scope.slotOf(statement.item);
  const celled = scope.isCelled(statement.item);
  const after = leaveTo(statement.after);
  const next = leaveTo(statement.next);
  return (frame) => {
    const source = sequence(frame);
    if (source === null) return nullReference();
    for (const item of itemsOf(source)) {
      charge(1);
      frame[slot] = celled ? { value: item } : item;
      const completion = body(frame);
      if (completion !== NORMAL && completion !== next) return completion === after ? NORMAL : completion;
    }
    return NORMAL;
  };
}

export function itemsOf(source: Value): Iterable<Value> {
  if (source instanceof ArrayObject && !(source instanceof BoolArray)) return source.items;
  const cursor = source instanceof SpanValue ? source.cursor() : cursorOf(source);
  return { [Symbol.iterator]: () => cursor };
}

// --- exceptions -------------------------------------------------------------------------------------------------------

interface Handler {
  accepts(frame: Frame, exception: Value): boolean;
  readonly body: Exec;
}

function compileTry(statement: Statement & { kind: 'try' }, scope: Scope): Exec {
  const body = compileBlock(statement.body, scope);
  const guarded = statement.catches.length > 0 ? withCatches(body, statement.catches, scope) : body;
  if (!statement.finally) return guarded;
  const last = compileBlock(statement.finally, scope);
  return (frame) => {
    const { depth } = meter;
    let completion: Completion;
    try {
      completion = guarded(frame);
    } catch (error) {
      // Limits end the fragment as it is: nothing of it may run on.
      if (!(error instanceof Thrown)) throw error;
      meter.depth = depth;
      const kept = frame[RETURN_SLOT];
      last(frame);
      frame[RETURN_SLOT] = kept;
      throw error;
    }
    const kept = frame[RETURN_SLOT];
    last(frame);
    frame[RETURN_SLOT] = kept;
    return completion;
  };
}

function withCatches(body: Exec, catches: readonly Catch[], scope: Scope): Exec {
  const slot = scope.newSlot();
  const outer = scope.caught;
  scope.caught = slot;
  const handlers = catches.map((clause) => compileCatch(clause, slot, scope));
  scope.caught = outer;
  return (frame) => {
    const { depth } = meter;
    try {
      return body(frame);
    } catch (error) {
      if (!(error instanceof Thrown)) throw error;
      meter.depth = depth;
      charge(8);
      const handler = handlers.find((each) => each.accepts(frame, error.exception));
      if (!handler) throw error;
      frame[slot] = error.exception;
      return handler.body(frame);
    }
  };
}

function compileCatch(clause: Catch, slot: number, scope: Scope): Handler {
  const type = clause.type ? runtimeType(clause.type) : null;
  const store = clause.local
    ? compileAssignment({ kind: 'local', type: clause.local.type, local: clause.local }, (frame) => frame[slot], scope)
    : null;
  const fresh = clause.local ? freshLocals(scope, [clause.local]) : null;
  const filter = clause.filter ? compileExpression(clause.filter, scope) : null;
  return {
    accepts(frame, exception) {
      if (type && !isAssignable(exception.type, type)) return false;
      frame[slot] = exception;
      fresh?.(frame);
      store?.(frame);
      if (!filter) return true;
      try {
        return filter(frame);
      } catch (error) {
        // A filter that throws has not accepted.
        if (error instanceof Thrown) return false;
        throw error;
      }
    },
    // The variable has its value already when the block is entered.
    body: compileBlock(
      { ...clause.body, declares: clause.body.declares.filter((each) => each !== clause.local) },
      scope,
    ),
  };
}

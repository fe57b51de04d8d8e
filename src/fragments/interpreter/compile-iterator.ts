// Iterators: bodies that yield, as generators. Statements without a `yield` inside are the closures that they are elsewhere.

import type { Block, Statement } from '../tree.ts';
import { compileExpression } from './compile-expression.ts';
import { type Completion, compileStatement, itemsOf, leaveTo, NORMAL, RETURNED } from './compile-statement.ts';
import type { Scope } from './compiler.ts';
import { nullReference } from './exceptions.ts';
import { type Frame, freshLocals } from './frames.ts';
import { charge } from './machine.ts';
import type { Value } from './values.ts';

type Steps = (frame: Frame) => Generator<Value, Completion>;

function yields(statement: Statement): boolean {
  switch (statement.kind) {
    case 'yield':
      return true;
    case 'block':
      return statement.statements.some(yields);
    case 'if':
      return yields(statement.whenTrue) || (statement.whenFalse !== null && yields(statement.whenFalse));
    case 'loop':
    case 'forEach':
    case 'labeled':
      return yields(statement.body);
    case 'try':
      return yields(statement.body);
    default:
      return false;
  }
}

export function compileIterator(body: Block, scope: Scope): (frame: Frame) => Generator<Value, Completion> {
  return compileSteps(body, scope);
}

function compileSteps(statement: Statement, scope: Scope): Steps {
  if (!yields(statement)) {
    const exec = compileStatement(statement, scope);
    // biome-ignore lint/correctness/useYield: what yields nothing is a step like any other
    return function* (frame) {
      return exec(frame);
    };
  }
  switch (statement.kind) {
    case 'yield':
      return compileYield(statement, scope);
    case 'block':
      return compileList(statement, scope);
    case 'if': {
      const condition = compileExpression(statement.condition, scope);
      const whenTrue = compileSteps(statement.whenTrue, scope);
      const whenFalse = statement.whenFalse && compileSteps(statement.whenFalse, scope);
      return function* (frame) {
        if (condition(frame)) return yield* whenTrue(frame);
        return whenFalse ? yield* whenFalse(frame) : NORMAL;
      };
    }
    case 'loop':
      return compileLoop(statement, scope);
    case 'forEach':
      return compileForEach(statement, scope);
    case 'labeled': {
      const inner = compileSteps(statement.body, scope);
      const after = leaveTo(statement.after);
      return function* (frame) {
        const completion = yield* inner(frame);
        return completion === after ? NORMAL : completion;
      };
    }
    case 'try':
      return compileTry(statement, scope);
    default:
      throw new Error(`no steps for ${statement.kind}`);
  }
}

// biome-ignore lint/correctness/useYield: the end of an iterator
function* end(): Generator<Value, Completion> {
  return RETURNED;
}

function compileYield({ value }: Statement & { kind: 'yield' }, scope: Scope): Steps {
  if (value === null) return end;
  const run = compileExpression(value, scope);
  return function* (frame) {
    charge(2);
    yield run(frame);
    return NORMAL;
  };
}

function compileList(block: Block, scope: Scope): Steps {
  const statements = block.statements
    .filter((statement) => statement.kind !== 'localFunction')
    .map((statement) => compileSteps(statement, scope));
  const fresh = block.declares.length === 0 ? null : freshLocals(scope, block.declares);
  return function* (frame) {
    fresh?.(frame);
    for (const statement of statements) {
      const completion = yield* statement(frame);
      if (completion !== NORMAL) return completion;
    }
    return NORMAL;
  };
}

function compileLoop(statement: Statement & { kind: 'loop' }, scope: Scope): Steps {
  const condition = statement.condition ? compileExpression(statement.condition, scope) : () => true;
  const increments = statement.increments.map((increment) => compileExpression(increment, scope));
  const body = compileSteps(statement.body, scope);
  const [after, next] = [leaveTo(statement.after), leaveTo(statement.next)];
  const { testFirst } = statement;
  return function* (frame) {
    if (testFirst && !condition(frame)) return NORMAL;
    do {
      charge(1);
      const completion = yield* body(frame);
      if (completion !== NORMAL && completion !== next) return completion === after ? NORMAL : completion;
      for (const increment of increments) increment(frame);
    } while (condition(frame));
    return NORMAL;
  };
}

function compileForEach(statement: Statement & { kind: 'forEach' }, scope: Scope): Steps {
  const sequence = compileExpression(statement.sequence, scope);
  const body = compileSteps(statement.body, scope);
  const slot = scope.slotOf(statement.item);
  const celled = scope.isCelled(statement.item);
  const [after, next] = [leaveTo(statement.after), leaveTo(statement.next)];
  return function* (frame) {
    const source = sequence(frame);
    if (source === null) return nullReference();
    for (const item of itemsOf(source)) {
      charge(1);
      frame[slot] = celled ? { value: item } : item;
      const completion = yield* body(frame);
      if (completion !== NORMAL && completion !== next) return completion === after ? NORMAL : completion;
    }
    return NORMAL;
  };
}

/** A `yield` stands in no `try` with a `catch`; what a `finally` holds runs also when whoever goes over the iterator stops. */
function compileTry(statement: Statement & { kind: 'try' }, scope: Scope): Steps {
  const body = compileSteps(statement.body, scope);
  const last = statement.finally && compileStatement(statement.finally, scope);
  return function* (frame) {
    let completion: Completion = NORMAL;
    try {
      completion = yield* body(frame);
    } finally {
      last?.(frame);
    }
    return completion;
  };
}

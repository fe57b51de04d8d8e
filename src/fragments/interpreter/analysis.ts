// What the compiler needs to know of a fragment before it makes closures: which function owns a local, which locals need a cell because
// more than one function sees them or somebody passes them by reference, and which outer locals each function takes along.

import { step } from '../steps.ts';
import type {
  Block,
  BoundFragment,
  CallArgument,
  Expression,
  FunctionCode,
  Local,
  LocalFunction,
  Statement,
  Target,
} from '../tree.ts';

/** One function of the fragment: the factory, a lambda or a local function. */
export interface FunctionFacts {
  readonly owned: Set<Local>;
  readonly used: Set<Local>;
  readonly called: Set<LocalFunction>;
  readonly inner: FunctionFacts[];
  /** Locals of outer functions that it or what it calls needs, in the order of their cells. */
  free: Local[];
}

export interface FragmentFacts {
  readonly factory: FunctionFacts;
  readonly functions: ReadonlyMap<FunctionCode, FunctionFacts>;
  /** Locals that live in a cell. */
  readonly celled: ReadonlySet<Local>;
}

export function analyze(fragment: Pick<BoundFragment, 'context' | 'locals' | 'body'>): FragmentFacts {
  const analysis = new Analysis();
  const factory = newFacts([fragment.context, ...fragment.locals]);
  analysis.block(fragment.body, factory);
  analysis.finish(factory);
  return { factory, functions: analysis.functions, celled: analysis.celled };
}

function newFacts(owned: readonly Local[]): FunctionFacts {
  return { owned: new Set(owned), used: new Set(), called: new Set(), inner: [], free: [] };
}

class Analysis {
  readonly functions = new Map<FunctionCode, FunctionFacts>();
  readonly celled = new Set<Local>();
  readonly #localFunctions = new Map<LocalFunction, FunctionFacts>();

  /** Free locals grow along calls until nothing changes; then every local that is free somewhere gets its cell. */
  finish(factory: FunctionFacts): void {
    const free = new Map<FunctionFacts, Set<Local>>();
    const all = [factory, ...this.functions.values()];
    for (const facts of all) free.set(facts, new Set([...facts.used].filter((local) => !facts.owned.has(local))));
    for (let changed = true; changed; ) {
      changed = false;
      for (const facts of all) {
        const own = free.get(facts)!;
        const before = own.size;
        const sources = [...facts.inner, ...[...facts.called].map((callee) => this.#localFunctions.get(callee)!)];
        for (const source of sources) {
          const theirs = source ? free.get(source)! : new Set<Local>();
          step(1 + theirs.size);
          for (const local of theirs) if (!facts.owned.has(local)) own.add(local);
        }
        if (own.size !== before) changed = true;
      }
    }
    for (const facts of all) {
      facts.free = facts === factory ? [] : [...free.get(facts)!];
      for (const local of facts.free) this.celled.add(local);
    }
  }

  #function(code: FunctionCode, outer: FunctionFacts): FunctionFacts {
    const facts = newFacts([...code.parameters, ...code.locals]);
    this.functions.set(code, facts);
    outer.inner.push(facts);
    for (const parameter of code.parameters) if (parameter.byReference) this.celled.add(parameter);
    this.block(code.body, facts);
    return facts;
  }

  block(block: Block, facts: FunctionFacts): void {
    for (const local of block.declares) facts.owned.add(local);
    // Local functions may be called before the statement that declares them.
    for (const statement of block.statements) {
      if (statement.kind === 'localFunction' && !this.#localFunctions.has(statement.function)) {
        this.#localFunctions.set(statement.function, this.#function(statement.function.code, facts));
      }
    }
    for (const statement of block.statements) this.#statement(statement, facts);
  }

  #statement(statement: Statement, facts: FunctionFacts): void {
    step();
    switch (statement.kind) {
      case 'block':
        this.block(statement, facts);
        return;
      case 'evaluate':
        this.#expression(statement.value, facts);
        return;
      case 'if':
        this.#if(statement, facts);
        return;
      case 'loop':
        if (statement.condition) this.#expression(statement.condition, facts);
        for (const increment of statement.increments) this.#expression(increment, facts);
        this.#statement(statement.body, facts);
        return;
      case 'forEach':
        facts.owned.add(statement.item);
        this.#expression(statement.sequence, facts);
        this.#statement(statement.body, facts);
        return;
      case 'labeled':
        this.#statement(statement.body, facts);
        return;
      case 'return':
      case 'throw':
      case 'yield':
        if (statement.value) this.#expression(statement.value, facts);
        return;
      case 'try':
        this.block(statement.body, facts);
        for (const clause of statement.catches) {
          if (clause.local) facts.owned.add(clause.local);
          if (clause.filter) this.#expression(clause.filter, facts);
          this.block(clause.body, facts);
        }
        if (statement.finally) this.block(statement.finally, facts);
        return;
      default:
        return;
    }
  }

  /** A chain of `else if`, the blocks that hold no more than the next `if` included. */
  #if(statement: Statement, facts: FunctionFacts): void {
    let last: Statement | null = statement;
    while (last) {
      if (last.kind === 'if') {
        step();
        this.#expression(last.condition, facts);
        this.#statement(last.whenTrue, facts);
        last = last.whenFalse;
      } else if (last.kind === 'block' && last.statements.length === 1 && last.statements[0]!.kind === 'if') {
        for (const local of last.declares) facts.owned.add(local);
        last = last.statements[0]!;
      } else {
        this.#statement(last, facts);
        return;
      }
    }
  }

  /** An expression with everything below it, in the order of evaluation and in a loop: what is still to be seen waits in a list. */
  #expression(root: Expression, facts: FunctionFacts): void {
    const rest: (Expression | CallArgument)[] = [root];
    for (let next = rest.pop(); next; next = rest.pop()) {
      step();
      if ('mode' in next) {
        if (next.mode === 'value') rest.push(next.value);
        else {
          this.#target(next.target, facts);
          if (next.target.kind === 'local') this.celled.add(next.target.local);
        }
        continue;
      }
      for (const part of this.#parts(next, facts).reverse()) rest.push(part);
    }
  }

  /** What an expression says by itself is noted; what stands in it is answered. */
  #parts(expression: Expression, facts: FunctionFacts): (Expression | CallArgument)[] {
    switch (expression.kind) {
      case 'local':
        facts.used.add(expression.local);
        return [];
      case 'assign':
        this.#target(expression.target, facts);
        return [expression.value];
      case 'lambda':
        this.#function(expression.code, facts);
        return [];
      case 'delegateOfLocal':
        facts.called.add(expression.function);
        return [];
      case 'call':
        return expression.receiver ? [expression.receiver, ...expression.arguments] : [...expression.arguments];
      case 'callLocal':
        facts.called.add(expression.function);
        return [...expression.arguments];
      case 'invoke':
        return [expression.delegate, ...expression.arguments];
      case 'delegateOf':
        return expression.receiver ? [expression.receiver] : [];
      default:
        return [...partsOf(expression)];
    }
  }

  #target(target: Target, facts: FunctionFacts): void {
    switch (target.kind) {
      case 'local':
        facts.used.add(target.local);
        return;
      case 'element':
        this.#expression(target.array, facts);
        for (const index of target.indices) this.#expression(index, facts);
        return;
      case 'tupleElement':
        this.#target(target.tuple, facts);
        return;
      case 'field':
        this.#expression(target.object, facts);
        return;
      case 'member':
        if (target.receiver) this.#expression(target.receiver, facts);
        for (const argument of target.arguments) this.#expression(argument, facts);
        return;
      default:
        return;
    }
  }
}

/** The operands of the expressions that do nothing special. */
function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'binary':
    case 'referenceEquals':
    case 'and':
    case 'or':
      return [expression.left, expression.right];
    case 'not':
    case 'negate':
    case 'complement':
    case 'convert':
    case 'hasValue':
    case 'unwrap':
    case 'typeTest':
    case 'throw':
      return [expression.operand];
    case 'conditional':
      return [expression.condition, expression.whenTrue, expression.whenFalse];
    case 'sequence':
      return [...expression.effects, expression.value];
    case 'newArray':
      return [...expression.sizes, ...(expression.values ?? [])];
    case 'element':
      return [expression.array, ...expression.indices];
    case 'tuple':
      return expression.elements;
    case 'tupleElement':
      return [expression.tuple];
    case 'anonymous':
      return expression.values;
    case 'anonymousMember':
    case 'field':
      return [expression.object];
    case 'exceptionBase':
      return [expression.object, expression.message, expression.inner].filter((part) => part !== null);
    case 'interpolation':
      return expression.parts.flatMap((part) => (part.kind === 'hole' ? [part.value] : []));
    default:
      return [];
  }
}

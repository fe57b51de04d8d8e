// What the compiler needs to know of a fragment before it makes closures: which function owns a local, which locals need a cell because
// more than one function sees them or somebody passes them by reference, and which outer locals each function takes along.

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

export function analyze(fragment: BoundFragment): FragmentFacts {
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
          for (const local of source ? free.get(source)! : []) if (!facts.owned.has(local)) own.add(local);
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
    switch (statement.kind) {
      case 'block':
        this.block(statement, facts);
        return;
      case 'evaluate':
        this.#expression(statement.value, facts);
        return;
      case 'if':
        this.#expression(statement.condition, facts);
        this.#statement(statement.whenTrue, facts);
        if (statement.whenFalse) this.#statement(statement.whenFalse, facts);
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

  #all(expressions: readonly Expression[], facts: FunctionFacts): void {
    for (const expression of expressions) this.#expression(expression, facts);
  }

  #expression(expression: Expression, facts: FunctionFacts): void {
    switch (expression.kind) {
      case 'local':
        facts.used.add(expression.local);
        return;
      case 'assign':
        this.#target(expression.target, facts);
        this.#expression(expression.value, facts);
        return;
      case 'lambda':
        this.#function(expression.code, facts);
        return;
      case 'delegateOfLocal':
        facts.called.add(expression.function);
        return;
      case 'call':
        if (expression.receiver) this.#expression(expression.receiver, facts);
        this.#arguments(expression.arguments, facts);
        return;
      case 'callLocal':
        facts.called.add(expression.function);
        this.#arguments(expression.arguments, facts);
        return;
      case 'invoke':
        this.#expression(expression.delegate, facts);
        this.#arguments(expression.arguments, facts);
        return;
      case 'delegateOf':
        if (expression.receiver) this.#expression(expression.receiver, facts);
        return;
      default:
        this.#all(partsOf(expression), facts);
        return;
    }
  }

  #arguments(list: readonly CallArgument[], facts: FunctionFacts): void {
    for (const argument of list) {
      if (argument.mode === 'value') this.#expression(argument.value, facts);
      else {
        this.#target(argument.target, facts);
        if (argument.target.kind === 'local') this.celled.add(argument.target.local);
      }
    }
  }

  #target(target: Target, facts: FunctionFacts): void {
    switch (target.kind) {
      case 'local':
        facts.used.add(target.local);
        return;
      case 'element':
        this.#expression(target.array, facts);
        this.#all(target.indices, facts);
        return;
      case 'tupleElement':
        this.#target(target.tuple, facts);
        return;
      case 'member':
        if (target.receiver) this.#expression(target.receiver, facts);
        this.#all(target.arguments, facts);
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
      return [expression.object];
    case 'interpolation':
      return expression.parts.flatMap((part) => (part.kind === 'hole' ? [part.value] : []));
    default:
      return [];
  }
}

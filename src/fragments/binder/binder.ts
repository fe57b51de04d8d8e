// The state of one compilation: where diagnostics go, the function and scope being bound, what is assigned at this point,
// and how much work is left. The modules beside this one are functions over it. Binding happens in evaluation order, so that
// definite assignment and reachability are tracked on the way: `state` has a bit for each assigned local, and is -1n (every
// bit set) where control cannot be. After a condition it is split into `whenTrue` and `whenFalse` until someone joins it.

import type { Diagnostic } from '../diagnostics.ts';
import { MAX_NAME_CHARACTERS, MAX_PATTERN_STEPS } from '../limits.ts';
import { step, stepAt } from '../steps.ts';
import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import { withoutNumbers } from '../user-types.ts';
import type { Bound } from './bound.ts';
import type { Classes } from './class-model.ts';
import type { Library } from './library.ts';
import { MESSAGES } from './messages.ts';
import {
  addAll,
  declaredNames,
  type FunctionScope,
  findSymbol,
  type LocalFunctionSymbol,
  type LocalSymbol,
  type Scope,
} from './scopes.ts';
import type { TypeParameter } from './symbols.ts';

export const UNREACHABLE = -1n;

/** How deep calls of the binder nest: more than the parser lets through, as lambdas are bound in each other. */
const MAX_DEPTH = 400;

export interface JumpTarget {
  readonly kind: 'loop' | 'switch';
  readonly after: Tree.Label;
  readonly next: Tree.Label;
  afterState: bigint;
  nextState: bigint;
  readonly finallyDepth: number;
}

/** A label of a list of statements (labels.ts). */
export interface LabelEntry {
  readonly syntax: Syntax.Statement & { kind: 'label' };
  /** Of the statements behind it. */
  readonly part: number;
  /** What was taken to be assigned there; null: it has not been reached yet. */
  assumed: bigint | null;
  /** What is assigned wherever a `goto` before it stands. */
  arrived: bigint;
  used: boolean;
}

export interface LabelScope {
  readonly labels: Map<string, LabelEntry>;
  /** Where a `goto` leaves to once `at` says which part is next. */
  readonly next: Tree.Label;
  readonly at: Tree.Local;
  /** Functions inside see the label, but cannot go there. */
  readonly owner: FunctionScope;
  readonly finallyDepth: number;
}

export class Binder {
  readonly library: Library;
  readonly text: string;
  diagnostics: Diagnostic[] = [];
  scope: Scope;
  owner: FunctionScope;
  state = 0n;
  whenTrue = UNREACHABLE;
  whenFalse = UNREACHABLE;
  split = false;
  checked = false;
  /** Inside an `unchecked` that was written: constants wrap there without a word. */
  unchecked = false;
  /** What the next expression begins with, where that has been bound already (chains.ts). */
  ready: { readonly syntax: Syntax.Expression; readonly bound: Bound } | null = null;
  written: Syntax.Expression | null = null;
  /** What `?.` continues from while its access is bound. */
  conditionalReceiver: Bound | null = null;
  /** The last `?.` bound, and what is assigned where it was not null. */
  notNull: { readonly access: Syntax.Expression; readonly state: bigint } | null = null;
  jumps: JumpTarget[] = [];
  /** What the type parameters of generic functions around here stand for. */
  typeNames: ReadonlyMap<string, Type> = new Map();
  typeParameters: ReadonlyMap<string, TypeParameter> = new Map();
  /** Labels around here, the innermost list last. */
  labels: LabelScope[] = [];
  /** Switch statements around here that hold a `goto case`. */
  readonly switches: { selector: Tree.Local; cases: ReadonlyMap<string, number>; jump: JumpTarget; type: Type }[] = [];
  finallyDepth = 0;
  /** The types of the source; null: it is a fragment. */
  classes: Classes | null = null;
  patternSteps = MAX_PATTERN_STEPS;
  catchDepth = 0;
  guardedDepth = 0;
  depth = 0;
  unreachableReported = false;
  readonly symbols: LocalSymbol[] = [];
  /** Names that were used before they were declared. */
  readonly early = new Set<string>();
  /** What is said of misspelt names (nearest-names.ts). */
  readonly nearest = new Map<string, string>();
  readonly functions: LocalFunctionSymbol[] = [];
  /** Where what was declared last stands in the lists above; lists become shorter again. */
  readonly functionAt = new Map<Syntax.Statement, number>();
  readonly #symbolAt = new Map<Tree.Local, number>();
  #nextLocal = 0;
  #nextLabel = 0;
  #nextFunction = 0;
  #nextBit = 1n;
  #locals = 0;
  #everAssigned = 0n;
  tooComplex = false;

  constructor(library: Library, text: string) {
    this.library = library;
    this.text = text;
    this.owner = newFunction('factory', null, false);
    this.scope = newScope(null, this.owner, []);
  }

  report(id: string, at: Syntax.Node, ...details: string[]): void {
    this.add(id, 'error', at.start, at.end, details);
  }

  warn(id: string, at: Syntax.Node, ...details: string[]): void {
    this.add(id, 'warning', at.start, at.end, details);
  }

  add(id: string, severity: Diagnostic['severity'], start: number, end: number, details: readonly string[]): void {
    step(10);
    const template = MESSAGES[id] ?? 'This is not valid here.';
    const message = template.replace(/\{(\d)\}/g, (_, at) => shortened(details[Number(at)] ?? ''));
    this.diagnostics.push({ id, severity, message, start, end });
  }

  /** Runs something and gives back what it reported instead of passing it on. */
  capture<T>(run: () => T): { result: T; diagnostics: Diagnostic[] } {
    const before = this.diagnostics;
    this.diagnostics = [];
    try {
      const result = run();
      return { result, diagnostics: this.diagnostics };
    } finally {
      this.diagnostics = before;
    }
  }

  /** Guards recursion on deep trees. */
  enter(at: Syntax.Node): boolean {
    stepAt(at, 6);
    if (this.depth < MAX_DEPTH) {
      this.depth++;
      return true;
    }
    if (!this.tooComplex) {
      this.tooComplex = true;
      this.add('CS8078', 'error', at.start, at.end, []);
    }
    return false;
  }

  // --- locals ---

  newLocal(name: string, type: Type, byReference = false): Tree.Local {
    return { id: this.#nextLocal++, name, type, captured: false, byReference };
  }

  /** A nameless local of the current function. */
  temporary(type: Type): Tree.Local {
    const local = this.newLocal('', type);
    this.owner.locals.push(local);
    return local;
  }

  newLabel(): Tree.Label {
    return { id: this.#nextLabel++ };
  }

  newFunctionId(): number {
    return this.#nextFunction++;
  }

  /** Declares a name in the current scope; says so when the name is taken. */
  declare(
    name: Syntax.Name,
    type: Type,
    options: Partial<Pick<LocalSymbol, 'constant' | 'fixed' | 'parameter'>> & { byReference?: boolean } = {},
  ): LocalSymbol {
    const local = this.newLocal(name.text, type, options.byReference ?? false);
    const symbol: LocalSymbol = {
      kind: 'local',
      name: name.text,
      local,
      owner: this.owner,
      bit: this.#nextBit,
      declaration: name,
      constant: options.constant,
      fixed: options.fixed ?? null,
      parameter: options.parameter ?? false,
      pending: false,
      used: this.early.has(name.text),
      alias: null,
      assigned: false,
    };
    this.#nextBit <<= 1n;
    // Each bit makes every set of bits longer.
    step(4 + (this.#locals++ >> 7));
    if (name.text !== '') {
      this.checkName(name);
      if (!this.scope.names.has(name.text)) this.scope.names.set(name.text, symbol);
    }
    if (!symbol.parameter) {
      this.owner.locals.push(local);
      this.scope.declares.push(local);
      this.#symbolAt.set(local, this.symbols.push(symbol) - 1);
    }
    if (this.state !== UNREACHABLE) this.state &= ~symbol.bit;
    return symbol;
  }

  /** Gives a local declared with `var` its type, once that is known. */
  retype(symbol: LocalSymbol, type: Type): LocalSymbol {
    (symbol.local as { type: Type }).type = type;
    return symbol;
  }

  /** CS0128, CS0136 for a name about to be declared. */
  checkName(name: Syntax.Name): void {
    if (this.scope.names.has(name.text)) {
      this.report(this.scope.parameters ? 'CS0100' : 'CS0128', name, name.text);
      return;
    }
    let hops = 0;
    for (let scope = this.scope.parent; scope && scope.owner === this.scope.owner; scope = scope.parent) {
      if ((++hops & 7) === 0) step();
      if (scope.names.has(name.text)) {
        this.report(this.scope.section && scope === this.scope.parent ? 'CS0128' : 'CS0136', name, name.text);
        return;
      }
    }
    for (const inner of this.scope.inner.get(name.text) ?? []) this.report('CS0136', inner, name.text);
  }

  inScope<T>(roots: readonly unknown[], run: (scope: Scope) => T): T {
    const scope = this.openScope(roots);
    const result = run(scope);
    this.closeScope(scope);
    return result;
  }

  openScope(roots: readonly unknown[]): Scope {
    const scope = newScope(this.scope, this.owner, roots);
    this.scope = scope;
    return scope;
  }

  /** Back to the scope around, which remembers what was declared inside. */
  closeScope(scope: Scope): void {
    const before = scope.parent!;
    this.scope = before;
    if (scope.owner !== before.owner) return;
    for (const [name, symbol] of scope.names) {
      const at = symbol.kind === 'local' ? symbol.declaration : symbol.syntax.name;
      if (before.names.get(name) !== symbol) addAll(before.inner, name, [at]);
    }
    for (const [name, list] of scope.inner) addAll(before.inner, name, list);
  }

  /** The symbol of a local, unless it is a parameter. */
  symbolOf(local: Tree.Local): LocalSymbol | undefined {
    const symbol = this.symbols[this.#symbolAt.get(local) ?? -1];
    return symbol?.local === local ? symbol : undefined;
  }

  /** The function that a statement declares: of a generic function inside another one, the one declared last. */
  functionOf(syntax: Syntax.Statement): LocalFunctionSymbol | undefined {
    const symbol = this.functions[this.functionAt.get(syntax) ?? -1];
    return symbol?.syntax === syntax ? symbol : this.functions.findLast((entry) => entry.syntax === syntax);
  }

  find(name: string) {
    return findSymbol(this.scope, name);
  }

  /** Whether a name that is not known yet is declared further on in a scope around here: CS0841 then. */
  isDeclaredLater(name: string): boolean {
    for (let scope: Scope | null = this.scope; scope; scope = scope.parent) {
      step();
      if (declaredNames(scope).has(name)) return true;
    }
    return false;
  }

  /** Marks a local as captured by every function between its own and the current one. */
  noteUse(symbol: LocalSymbol): void {
    this.noteCapture(symbol.local, symbol.owner);
  }

  noteCapture(local: Tree.Local, owner: FunctionScope): void {
    for (let at: FunctionScope | null = this.owner; at && at !== owner; at = at.parent) {
      local.captured = true;
      at.captures.add(local);
    }
  }

  // --- flow ---

  get reachable(): boolean {
    return this.split ? this.whenTrue !== UNREACHABLE || this.whenFalse !== UNREACHABLE : this.state !== UNREACHABLE;
  }

  /** Joins the two states of a condition. */
  unsplit(): void {
    if (!this.split) return;
    this.state = this.whenTrue & this.whenFalse;
    this.split = false;
  }

  setSplit(whenTrue: bigint, whenFalse: bigint): void {
    this.whenTrue = whenTrue;
    this.whenFalse = whenFalse;
    this.split = true;
  }

  setState(state: bigint): void {
    this.state = state;
    this.split = false;
  }

  /** What is assigned where this expression is not null, if it is a `?.`; null else. */
  stateWhenNotNull(syntax: Syntax.Expression): bigint | null {
    let inner = syntax;
    while (inner.kind === 'parenthesized') inner = inner.operand;
    return this.notNull?.access === inner ? this.notNull.state : null;
  }

  assign(symbol: LocalSymbol): void {
    if (!this.split) this.state |= symbol.bit;
    else {
      if (this.whenTrue !== UNREACHABLE) this.whenTrue |= symbol.bit;
      if (this.whenFalse !== UNREACHABLE) this.whenFalse |= symbol.bit;
    }
    this.#everAssigned |= symbol.bit;
  }

  /** Whether anything, a constant included, was ever stored. */
  everAssigned(symbol: LocalSymbol): boolean {
    return (this.#everAssigned & symbol.bit) !== 0n;
  }

  isAssigned(symbol: LocalSymbol): boolean {
    const state = this.split ? this.whenTrue & this.whenFalse : this.state;
    return (state & symbol.bit) !== 0n;
  }
}

/** A name as far as a message shows it. */
function shortened(written: string): string {
  const text = withoutNumbers(written);
  return text.length <= MAX_NAME_CHARACTERS ? text : `${text.slice(0, MAX_NAME_CHARACTERS)}…`;
}

export function newFunction(
  kind: FunctionScope['kind'],
  parent: FunctionScope | null,
  isStatic: boolean,
  symbol: FunctionScope['symbol'] = null,
): FunctionScope {
  return {
    kind,
    parent,
    static: isStatic,
    locals: [],
    captures: new Set(),
    returnType: null,
    returns: [],
    unassignedReads: new Set(),
    outParameters: [],
    exitState: UNREACHABLE,
    symbol,
    yields: null,
  };
}

export function newScope(parent: Scope | null, owner: FunctionScope, roots: readonly unknown[]): Scope {
  return {
    parent,
    owner,
    names: new Map(),
    declares: [],
    inner: new Map(),
    roots,
    declared: null,
    parameters: false,
    section: false,
  };
}

// The state of one compilation: where diagnostics go, the function and scope being bound, what is assigned at this point,
// and how much work is left. The modules beside this one are functions over it. Binding happens in evaluation order, so that
// definite assignment and reachability are tracked on the way: `state` has a bit for each assigned local, and is -1n (every
// bit set) where control cannot be. After a condition it is split into `whenTrue` and `whenFalse` until someone joins it.

import type { Diagnostic } from '../diagnostics.ts';
import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import type { Bound } from './bound.ts';
import type { Library } from './library.ts';
import { MESSAGES } from './messages.ts';
import {
  declaredNames,
  type FunctionScope,
  findSymbol,
  type LocalFunctionSymbol,
  type LocalSymbol,
  type Scope,
} from './scopes.ts';
import type { TypeParameter } from './symbols.ts';

export const UNREACHABLE = -1n;

/** Lambda bodies bound and candidates weighed in one compilation: beyond it the fragment is refused as too complex. */
const MAX_WORK = 20_000;
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
  /** What `?.` continues from while its access is bound. */
  conditionalReceiver: Bound | null = null;
  /** The last `?.` that was bound, and what is assigned where it was not null. */
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
  catchDepth = 0;
  depth = 0;
  unreachableReported = false;
  readonly symbols: LocalSymbol[] = [];
  /** Names that were used before they were declared. */
  readonly early = new Set<string>();
  readonly functions: LocalFunctionSymbol[] = [];
  #nextLocal = 0;
  #nextLabel = 0;
  #nextFunction = 0;
  #nextBit = 1n;
  #everAssigned = 0n;
  #work = 0;
  #tooComplex = false;

  constructor(library: Library, text: string) {
    this.library = library;
    this.text = text;
    this.owner = newFunction('factory', null, false);
    this.scope = newScope(null, this.owner, []);
  }

  // --- diagnostics ---

  report(id: string, at: Syntax.Node, ...details: string[]): void {
    this.add(id, 'error', at.start, at.end, details);
  }

  warn(id: string, at: Syntax.Node, ...details: string[]): void {
    this.add(id, 'warning', at.start, at.end, details);
  }

  add(id: string, severity: Diagnostic['severity'], start: number, end: number, details: readonly string[]): void {
    const template = MESSAGES[id] ?? 'This is not valid here.';
    const message = template.replace(/\{(\d)\}/g, (_, at) => details[Number(at)] ?? '');
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

  /** Counts work that can grow exponentially; false once the fragment is to be given up. */
  spend(at: Syntax.Node): boolean {
    if (++this.#work <= MAX_WORK) return true;
    if (!this.#tooComplex) {
      this.#tooComplex = true;
      this.add('CS8078', 'error', at.start, at.end, []);
    }
    return false;
  }

  get tooComplex(): boolean {
    return this.#tooComplex;
  }

  /** Guards recursion on deep trees. */
  enter(at: Syntax.Node): boolean {
    if (this.depth < MAX_DEPTH) {
      this.depth++;
      return true;
    }
    if (!this.#tooComplex) {
      this.#tooComplex = true;
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
    if (name.text !== '') {
      this.checkName(name);
      if (!this.scope.names.has(name.text)) this.scope.names.set(name.text, symbol);
    }
    if (!symbol.parameter) {
      this.owner.locals.push(local);
      this.scope.declares.push(local);
      this.symbols.push(symbol);
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
    for (let scope = this.scope.parent; scope && scope.owner === this.scope.owner; scope = scope.parent) {
      if (scope.names.has(name.text)) {
        this.report(this.scope.section && scope === this.scope.parent ? 'CS0128' : 'CS0136', name, name.text);
        return;
      }
    }
    for (const inner of this.scope.inner.get(name.text) ?? []) this.report('CS0136', inner, name.text);
  }

  inScope<T>(roots: readonly unknown[], run: (scope: Scope) => T): T {
    const before = this.scope;
    const scope = newScope(before, this.owner, roots);
    this.scope = scope;
    try {
      return run(scope);
    } finally {
      this.scope = before;
      if (scope.owner === before.owner) {
        for (const [name, symbol] of scope.names) {
          const at = symbol.kind === 'local' ? symbol.declaration : symbol.syntax.name;
          if (before.names.get(name) !== symbol) before.inner.set(name, [...(before.inner.get(name) ?? []), at]);
        }
        for (const [name, list] of scope.inner) before.inner.set(name, [...(before.inner.get(name) ?? []), ...list]);
      }
    }
  }

  find(name: string) {
    return findSymbol(this.scope, name);
  }

  /** Whether a name that is not known yet is declared further on in a scope around here: CS0841 then. */
  isDeclaredLater(name: string): boolean {
    for (let scope: Scope | null = this.scope; scope; scope = scope.parent) {
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
    if (this.split) {
      if (this.whenTrue !== UNREACHABLE) this.whenTrue |= symbol.bit;
      if (this.whenFalse !== UNREACHABLE) this.whenFalse |= symbol.bit;
    } else this.state |= symbol.bit;
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

// Names of a fragment: functions, scopes, locals, local functions. A scope is one block (or whatever C# gives names a space
// of their own); a function is the factory body, a lambda or a local function.

import { step } from '../steps.ts';
import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import type { MethodSymbol, ParameterSymbol, TypeParameter } from './symbols.ts';

export interface FunctionScope {
  readonly kind: 'factory' | 'lambda' | 'localFunction';
  readonly parent: FunctionScope | null;
  readonly static: boolean;
  readonly locals: Tree.Local[];
  readonly captures: Set<Tree.Local>;
  /** null while a lambda's return type is still to be inferred. */
  returnType: Type | null;
  readonly returns: {
    value: import('./bound.ts').Bound | null;
    syntax: Syntax.Node;
    node: { kind: 'return'; value: Tree.Expression | null };
  }[];
  /** Locals of outer functions that were read inside before anything inside had assigned them. */
  readonly unassignedReads: Set<LocalSymbol>;
  readonly outParameters: LocalSymbol[];
  /** What is assigned wherever it returns. */
  exitState: bigint;
  readonly symbol: LocalFunctionSymbol | null;
  /** Of an iterator: the type of its items. */
  yields: Type | null;
}

export interface LocalSymbol {
  readonly kind: 'local';
  readonly name: string;
  readonly local: Tree.Local;
  readonly owner: FunctionScope;
  readonly bit: bigint;
  readonly declaration: Syntax.Node;
  readonly constant: Tree.ConstantValue | undefined;
  /** Why it cannot be assigned: a foreach variable, a constant … */
  readonly fixed: 'foreach' | 'const' | 'in' | null;
  readonly parameter: boolean;
  /** A static field of a class of the source. */
  readonly field?: import('./class-model.ts').UserField;
  /** While its own initializer is bound: naming it is CS0841. */
  pending: boolean;
  used: boolean;
  /** What a ref local stands for (references.ts). */
  alias: { readonly type: Type; readonly place: import('./bound.ts').Place; readonly readOnly: boolean } | null;
  assigned: boolean; // something other than a constant was stored: C# then does not call it unused
}

/** What makes a local function generic (generic-functions.ts). */
export interface GenericFunction {
  readonly names: readonly string[];
  /** Type parameters of functions around it, and what they stand for. */
  readonly outer: ReadonlyMap<string, Type>;
  readonly outerParameters: ReadonlyMap<string, TypeParameter>;
  readonly method: MethodSymbol;
  readonly checked: boolean;
  /** By the text of their type arguments. */
  readonly instances: Map<
    string,
    {
      readonly instance: LocalFunctionSymbol;
      readonly diagnostics: readonly import('../diagnostics.ts').Diagnostic[];
    }
  >;
  /** The functions that were made of it. */
  readonly statements: Tree.Statement[];
}

export interface LocalFunctionSymbol {
  readonly kind: 'function';
  readonly name: string;
  readonly tree: Tree.LocalFunction;
  readonly owner: FunctionScope;
  readonly scope: Scope;
  readonly syntax: Syntax.Statement & { readonly kind: 'localFunction' };
  readonly parameters: readonly ParameterSymbol[];
  readonly returnType: Type;
  readonly generic: GenericFunction | null;
  bound: boolean;
  used: boolean;
  /** What a call needs assigned, and what it leaves assigned. */
  needs: ReadonlySet<LocalSymbol>;
  leaves: bigint;
  captures: ReadonlySet<Tree.Local>;
}

export type ScopeSymbol = LocalSymbol | LocalFunctionSymbol;

export interface Scope {
  readonly parent: Scope | null;
  readonly owner: FunctionScope;
  readonly names: Map<string, ScopeSymbol>;
  /** Locals that the block at this scope declares anew on entry. */
  readonly declares: Tree.Local[];
  /** Names that scopes inside (of the same function) have declared: declaring one here afterwards is CS0136 there. */
  readonly inner: Map<string, Syntax.Node[]>;
  /** The syntax of the scope, searched for declarations further down when a name is not found. */
  readonly roots: readonly unknown[];
  declared: ReadonlySet<string> | null;
  /** A scope of parameters, where a second one of a name is CS0100. */
  parameters: boolean;
  /** A section of a switch, whose declarations belong to the whole of it. */
  section: boolean;
}

export function findSymbol(scope: Scope | null, name: string): ScopeSymbol | undefined {
  let [hops, found]: [number, ScopeSymbol | undefined] = [0, undefined];
  for (let at = scope; at && !found; at = at.parent) {
    found = at.names.get(name);
    hops++;
  }
  step(1 + (hops >> 3));
  return found;
}

const OWN_SCOPES: ReadonlySet<string> = new Set(['block', 'while', 'do', 'for', 'foreach', 'try', 'checked']);

/** The names of the locals that a scope's syntax declares, lambdas and local functions inside it left out. Found once. */
export function declaredNames(scope: Scope): ReadonlySet<string> {
  if (scope.declared) return scope.declared;
  const names = new Set<string>();
  const pending: unknown[] = [...scope.roots];
  while (pending.length) {
    const node = pending.pop();
    step();
    if (Array.isArray(node)) for (const entry of node) pending.push(entry);
    else if (node !== null && typeof node === 'object') {
      const { kind } = node as { kind?: string };
      if (kind === 'lambda' || kind === 'localFunction' || kind === 'literal' || OWN_SCOPES.has(kind ?? '')) continue;
      if (kind === 'if' || (kind === 'switch' && 'sections' in node)) {
        // Their conditions declare into the scope around them, their bodies do not.
        pending.push((node as { condition?: unknown }).condition, (node as { operand?: unknown }).operand);
        continue;
      }
      if (kind === 'single') names.add((node as { name: Syntax.Name }).name.text);
      if (kind === 'localDeclaration') {
        for (const declarator of (node as Syntax.LocalDeclaration).declarators) names.add(declarator.name.text);
      }
      for (const value of Object.values(node)) pending.push(value);
    }
  }
  scope.declared = names;
  return names;
}

/** Adds places to those of a name. */
export function addAll(lists: Map<string, Syntax.Node[]>, name: string, more: readonly Syntax.Node[]): void {
  step(more.length);
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [...more]);
  else for (const one of more) list.push(one);
}

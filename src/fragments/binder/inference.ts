// Type inference of generic method calls: bounds from the arguments that have types, then rounds in which lambdas and method
// groups whose inputs are known give theirs.

import { step } from '../steps.ts';
import type { Type } from '../types.ts';
import { bestOfTypes } from './best-type.ts';
import type { Binder } from './binder.ts';
import { type Bound, naturalType } from './bound.ts';
import { delegateSignature, hasImplicit, isReferenceType, isValueType } from './conversions.ts';
import { branchesOf } from './converting.ts';
import { explicitTypes, hasExplicitTypes, inferredReturn } from './lambdas.ts';
import { methodGroupReturn } from './method-groups.ts';
import { collectParameters, isPrimitive, sameType, substitute } from './typing.ts';

interface Bounds {
  readonly exact: Type[];
  readonly lower: Type[];
  readonly upper: Type[];
  fixed: Type | null;
}

export interface InferencePair {
  readonly argument: Bound;
  readonly mode: 'value' | 'ref' | 'out' | 'in';
  readonly type: Type;
}

/** The type arguments by name, or null when they cannot be inferred. */
export function inferTypeArguments(
  b: Binder,
  names: readonly string[],
  pairs: readonly InferencePair[],
): Map<string, Type> | null {
  return new Inference(b, names).run(pairs);
}

class Inference {
  readonly #b: Binder;
  readonly #bounds = new Map<string, Bounds>();

  constructor(b: Binder, names: readonly string[]) {
    this.#b = b;
    for (const name of names) this.#bounds.set(name, { exact: [], lower: [], upper: [], fixed: null });
  }

  run(pairs: readonly InferencePair[]): Map<string, Type> | null {
    step(20 + 4 * pairs.length);
    const waiting: InferencePair[] = [];
    for (const pair of pairs) if (!this.#first(pair.argument, pair.type, pair.mode)) waiting.push(pair);
    while (waiting.length > 0 || this.#unfixed().length > 0) {
      step(20);
      const ready = waiting.findIndex((pair) => this.#inputs(pair).every((name) => this.#canFix(name)));
      if (ready >= 0) {
        const [pair] = waiting.splice(ready, 1);
        for (const name of this.#inputs(pair!)) if (!this.#fix(name)) return null;
        this.#output(pair!);
        continue;
      }
      // Fix what no waiting argument can still say something about; failing that, whatever has bounds.
      const open = this.#unfixed().filter((name) => this.#hasBounds(name));
      if (open.length === 0) return null;
      const later = new Set(waiting.flatMap((pair) => this.#outputs(pair)));
      const chosen = open.filter((name) => !later.has(name));
      for (const name of chosen.length ? chosen : open) if (!this.#fix(name)) return null;
    }
    const result = new Map<string, Type>();
    for (const [name, { fixed }] of this.#bounds) {
      if (!fixed) return null;
      result.set(name, fixed);
    }
    return result;
  }

  #unfixed(): string[] {
    return [...this.#bounds].filter(([, bounds]) => !bounds.fixed).map(([name]) => name);
  }

  #hasBounds(name: string): boolean {
    const { exact, lower, upper } = this.#bounds.get(name)!;
    return exact.length + lower.length + upper.length > 0;
  }

  #canFix(name: string): boolean {
    return this.#bounds.get(name)!.fixed !== null || this.#hasBounds(name);
  }

  /** What an argument says by itself; false when it has to wait for other type arguments. */
  #first(argument: Bound, type: Type, mode: InferencePair['mode']): boolean {
    const mentioned = this.#open(type);
    if (mentioned.length === 0) return true;
    switch (argument.kind) {
      case 'lambda':
        if (hasExplicitTypes(argument)) this.#explicitParameters(argument, type);
        return false;
      case 'methods':
        return false;
      case 'tuple':
        if (type.kind === 'tuple' && type.elements.length === argument.elements.length) {
          for (const [at, element] of argument.elements.entries())
            this.#first(element, type.elements[at]!.type, 'value');
        }
        return true;
      case 'conditional':
        return branchesOf(argument).reduce((_, branch) => this.#first(branch, type, mode), true);
      case 'collection': {
        const element = elementType(type);
        if (element)
          for (const { value, spread } of argument.elements) if (!spread) this.#first(value, element, 'value');
        return true;
      }
      default: {
        const natural = naturalType(argument);
        if (!natural || isPrimitive(natural, 'void')) return true;
        if (mode === 'ref' || mode === 'out') this.#exact(natural, type);
        else this.#lower(natural, type);
        return true;
      }
    }
  }

  #explicitParameters(lambda: Bound & { kind: 'lambda' }, type: Type): void {
    const signature = delegateSignature(this.#b, type);
    if (!signature) return;
    const own = explicitTypes(this.#b, lambda);
    for (const [at, parameter] of signature.parameters.entries()) {
      const given = own[at];
      if (given && given.kind !== 'error') this.#exact(given, parameter.type);
    }
  }

  #open(type: Type): string[] {
    const found = new Set<string>();
    collectParameters(type, found);
    return [...found].filter((name) => this.#bounds.has(name) && !this.#bounds.get(name)!.fixed);
  }

  /** Type parameters that must be known before the lambda or method group can say what it returns. */
  #inputs({ argument, type }: InferencePair): string[] {
    const signature = delegateSignature(this.#b, type);
    if (!signature) return [];
    if (argument.kind === 'lambda' && hasExplicitTypes(argument)) return [];
    return signature.parameters.flatMap((parameter) => this.#open(parameter.type));
  }

  #outputs({ type }: InferencePair): string[] {
    const signature = delegateSignature(this.#b, type);
    return signature ? this.#open(signature.returnType) : [];
  }

  #output({ argument, type }: InferencePair): void {
    const signature = delegateSignature(this.#b, type);
    if (!signature) return;
    const fixed = this.#fixedMap();
    const parameters = signature.parameters.map((parameter) => substitute(parameter.type, fixed));
    if (argument.kind === 'lambda') {
      if (argument.syntax.parameters.length !== parameters.length) return;
      const types = hasExplicitTypes(argument) ? explicitTypes(this.#b, argument) : parameters;
      const result = inferredReturn(this.#b, argument, types);
      if (result && !isPrimitive(result, 'void')) this.#lower(result, signature.returnType);
    } else if (argument.kind === 'methods') {
      const result = methodGroupReturn(this.#b, argument, parameters);
      if (result && !isPrimitive(result, 'void')) this.#lower(result, signature.returnType);
    }
  }

  #fixedMap(): Map<string, Type> {
    const map = new Map<string, Type>();
    for (const [name, { fixed }] of this.#bounds) if (fixed) map.set(name, fixed);
    return map;
  }

  #add(name: string, which: 'exact' | 'lower' | 'upper', type: Type): boolean {
    const bounds = this.#bounds.get(name);
    if (!bounds || bounds.fixed) return false;
    if (!bounds[which].some((other) => sameType(other, type))) bounds[which].push(type);
    return true;
  }

  #exact(from: Type, to: Type): void {
    if (to.kind === 'parameter' && this.#add(to.name, 'exact', from)) return;
    this.#parts(from, to, 'exact');
  }

  /** `from` converts to `to`. */
  #lower(from: Type, to: Type): void {
    if (to.kind === 'parameter') {
      this.#add(to.name, 'lower', from);
      return;
    }
    if (to.kind === 'nullable') {
      if (from.kind === 'nullable') this.#lower(from.element, to.element);
      else if (isValueType(this.#b, from)) this.#lower(from, to.element);
      return;
    }
    if (from.kind === to.kind && from.kind !== 'named') {
      this.#parts(from, to, 'lower');
      return;
    }
    if (to.kind !== 'named') return;
    const bases = this.#b.library
      .selfAndBases(from)
      .filter(
        (base) => base.kind === 'named' && base.name === to.name && base.arguments.length === to.arguments.length,
      );
    // A type that implements an interface twice says nothing about its parameter.
    if (bases.length === 1) this.#arguments(bases[0] as Type & { kind: 'named' }, to);
  }

  #arguments(from: Type & { kind: 'named' }, to: Type & { kind: 'named' }): void {
    const symbol = this.#b.library.symbolOf(to);
    for (const [at, parameter] of (symbol?.typeParameters ?? []).entries()) {
      const [left, right] = [from.arguments[at]!, to.arguments[at]!];
      if (!isReferenceType(this.#b, left) || parameter.variance === '') this.#exact(left, right);
      else if (parameter.variance === 'out') this.#lower(left, right);
      else this.#upper(left, right);
    }
  }

  #upper(from: Type, to: Type): void {
    if (to.kind === 'parameter') {
      this.#add(to.name, 'upper', from);
      return;
    }
    this.#parts(from, to, 'exact');
  }

  #parts(from: Type, to: Type, how: 'exact' | 'lower'): void {
    const inner = (left: Type, right: Type) => (how === 'exact' ? this.#exact(left, right) : this.#lower(left, right));
    if (from.kind === 'array' && to.kind === 'array' && from.rank === to.rank) {
      if (isReferenceType(this.#b, from.element)) inner(from.element, to.element);
      else this.#exact(from.element, to.element);
    } else if (from.kind === 'nullable' && to.kind === 'nullable') inner(from.element, to.element);
    else if (from.kind === 'tuple' && to.kind === 'tuple' && from.elements.length === to.elements.length) {
      for (const [at, element] of from.elements.entries()) inner(element.type, to.elements[at]!.type);
    } else if (from.kind === 'named' && to.kind === 'named' && from.name === to.name) {
      for (const [at, argument] of from.arguments.entries()) {
        const target = to.arguments[at];
        if (target) this.#exact(argument, target);
      }
    }
  }

  #fix(name: string): boolean {
    const bounds = this.#bounds.get(name)!;
    if (bounds.fixed) return true;
    const { exact, lower, upper } = bounds;
    let candidates = [...exact, ...lower, ...upper];
    candidates = candidates.filter(
      (type) =>
        exact.every((bound) => sameType(bound, type)) &&
        lower.every((bound) => sameType(bound, type) || hasImplicit(this.#b, bound, type)) &&
        upper.every((bound) => sameType(bound, type) || hasImplicit(this.#b, type, bound)),
    );
    const best =
      exact.length > 0
        ? (candidates[0] ?? null)
        : upper.length && !lower.length
          ? narrowest(this.#b, candidates)
          : bestOfTypes(this.#b, candidates);
    if (!best) return false;
    bounds.fixed = best;
    return true;
  }
}

function narrowest(b: Binder, types: readonly Type[]): Type | null {
  return types.find((type) => types.every((other) => sameType(type, other) || hasImplicit(b, type, other))) ?? null;
}

function elementType(type: Type): Type | null {
  if (type.kind === 'array' && type.rank === 1) return type.element;
  return type.kind === 'named' && type.arguments.length === 1 ? type.arguments[0]! : null;
}

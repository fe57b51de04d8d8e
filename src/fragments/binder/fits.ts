// What comes out of overload resolution: how the arguments lie at the candidate that was chosen, or why none fits.

import type { Type } from '../types.ts';
import type { BoundArgument, Candidate } from './bound.ts';
import type { ParameterSymbol } from './symbols.ts';
import { type Substitution, substitute } from './typing.ts';

/** A candidate with its arguments laid out. */
export interface Fit {
  readonly candidate: Candidate;
  /** The candidate's parameters with all type arguments put in; `params` arrays as declared. */
  readonly parameters: readonly ParameterSymbol[];
  readonly map: Substitution;
  readonly typeArguments: readonly Type[];
  /** For each argument the index of its parameter. */
  readonly positions: readonly number[];
  readonly expanded: boolean;
  /** The type each argument must convert to. */
  readonly targets: readonly Type[];
}

export type Misfit =
  | { readonly kind: 'tooMany' | 'inference'; readonly candidate: Candidate }
  | { readonly kind: 'missing'; readonly candidate: Candidate; readonly parameter: ParameterSymbol }
  | {
      readonly kind: 'noSuchName' | 'nameTwice' | 'nameOfPositional';
      readonly candidate: Candidate;
      readonly argument: BoundArgument;
    }
  | { readonly kind: 'constraint'; readonly candidate: Candidate; readonly fit: Fit; readonly at: number }
  | { readonly kind: 'arguments'; readonly candidate: Candidate; readonly fit: Fit; readonly bad: readonly number[] };

export type Resolution =
  | { readonly kind: 'chosen'; readonly fit: Fit }
  | { readonly kind: 'ambiguous'; readonly fits: readonly Fit[] }
  | { readonly kind: 'none'; readonly misfits: readonly Misfit[] };

export function returnTypeOf(fit: Fit): Type {
  const { method, local } = fit.candidate;
  return method ? substitute(method.returnType, fit.map) : local!.returnType;
}

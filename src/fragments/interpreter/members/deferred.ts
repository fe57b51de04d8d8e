// How members that give sequences are made: checked at once, run when somebody goes over the result.

import type { Type } from '../../types.ts';
import { argumentNull } from '../exceptions.ts';
import { allocate } from '../machine.ts';
import { runtimeType } from '../runtime-types.ts';
import { DeferredSequence, over, type Value } from '../values.ts';
import { bySite, type Native, type SiteNative } from './native.ts';

export const OBJECT: Type = { kind: 'primitive', name: 'object' };

/** The type argument of a sequence type. */
export function itemOf(type: Type): Type {
  return type.kind === 'named' ? (type.arguments[0] ?? OBJECT) : OBJECT;
}

type Step = (...values: Value[]) => Generator<Value>;

/** A deferred member: the first `sources` arguments are sequences that may not be null, nor may delegates. */
export function deferred(step: Step, sources = 1): SiteNative {
  return bySite((site) => {
    const type = runtimeType(site.result);
    return (...values) => {
      for (let at = 0; at < values.length; at++) {
        if (values[at] === null && (at < sources || isDelegate(site.arguments[at])))
          return argumentNull(at === 0 ? 'source' : 'selector');
      }
      allocate(64);
      return new DeferredSequence(type, () => step(...values));
    };
  });
}

function isDelegate(type: Type | undefined): boolean {
  return type?.kind === 'named' && type.name === 'Func';
}

/** One sequence after the other. */
export function* concat(first: Value, second: Value): Generator<Value> {
  yield* over(first);
  yield* over(second);
}

export const itself: Native = (item) => item;

/** The four members that come with and without a comparer. */
export function withComparer(key: string, comparer: string, member: SiteNative): Record<string, SiteNative> {
  return { [`Enumerable.${key})`]: member, [`Enumerable.${key},${comparer})`]: member };
}

// The members of LINQ that give a sequence item by item, and those of the library that are one. Each answers a description
// (sequences.ts); none keeps items.

import type { Expression } from '../tree.ts';
import type { Type } from '../types.ts';
import { argument, type Call } from './calls.ts';
import { argumentPlaces, delegate, lambdaOf, primitive } from './collection-delegates.ts';
import { partMembers } from './collection-parts.ts';
import { empty, mapPart, mapped, range, repeat } from './collection-sources.ts';
import { counter, passing, source, stepped } from './collection-step.ts';
import type { FunctionEmitter } from './function-emitter.ts';
import { representation } from './representation.ts';
import { goOver, itemOf, type Sequence, type SequenceMember, sequenceOf } from './sequences.ts';
import { NotCompiled } from './unsupported.ts';

const where = 'Enumerable.';
const S = 'IEnumerable<TSource>';
const P = 'Func<TSource,bool>';
const PI = 'Func<TSource,int,bool>';
const int = primitive('int');

/** Where and SkipWhile count in their forms with an index. */
function filter(indexed: boolean): SequenceMember {
  return (f, call) => {
    const inner = source(f, call);
    const predicate = delegate(f, argument(call, 1), [inner.item, int]);
    return indexed
      ? passing(inner, counter, (_, item, at) => {
          at.advance();
          predicate.apply([item, at.local]);
        })
      : passing(
          inner,
          () => null,
          (_, item) => predicate.apply([item]),
        );
  };
}

function select(indexed: boolean): SequenceMember {
  return (f, call) => {
    const inner = source(f, call);
    const selector = delegate(f, argument(call, 1), [inner.item, int]);
    if (!indexed) return { ...mapped(inner, selector.result, (_, item) => selector.apply([item])), count: undefined };
    return stepped(
      selector.result,
      (g) => ({ at: counter(g), next: inner.start(g), result: g.code.local(representation(selector.result)) }),
      (g, { at, next, result }, end) => {
        const item = next(end);
        at.advance();
        selector.apply([item, at.local]);
        g.code.set(result);
        return result;
      },
    );
  };
}

// --- Sequences of sequences ----------------------------------------------------------------------------------------------

/** Evaluates the sequence that a selector gives for items in locals. */
function selected(f: FunctionEmitter, selector: Expression, places: readonly number[]): Sequence {
  const lambda = lambdaOf(selector);
  const last = lambda?.body.statements.at(-1);
  if (lambda === null || last?.kind !== 'return' || last.value === null) {
    throw new NotCompiled('a selector of sequences that is not a lambda with one return');
  }
  const before = lambda.body.statements.slice(0, -1);
  if (before.some((statement) => statement.kind !== 'evaluate')) {
    throw new NotCompiled('a selector of sequences with these statements');
  }
  for (const [index, place] of argumentPlaces(f, lambda, places).entries()) {
    f.bind(lambda.parameters[index] as never, place);
  }
  f.block({ ...lambda.body, statements: before });
  return sequenceOf(f, last.value, 'NullReferenceException');
}

/** SelectMany; `result` is the argument that makes an item of both, -1 without one. */
function many(indexed: boolean, result: number): SequenceMember {
  return (f, call) => {
    const outer = source(f, call);
    const combine = result < 0 ? null : delegate(f, argument(call, result), [outer.item, innerItem(call)]);
    const item = combine?.result ?? itemOf(call.type);
    const inner = (g: FunctionEmitter, at: ReturnType<typeof counter> | null, each: number): Sequence => {
      at?.advance();
      const made = selected(g, argument(call, 1), at === null ? [each] : [each, at.local]);
      return combine === null ? made : mapped(made, item, (_, own) => combine.apply([each, own]));
    };
    return {
      item,
      start: (g) => {
        const { code } = g;
        const at = indexed ? counter(g) : null;
        const next = outer.start(g);
        const open = code.local('i32');
        const found = code.local(representation(item));
        code.i32(0);
        code.set(open);
        return (end) => {
          const got = code.block();
          const top = code.loop();
          code.get(open);
          code.op(0x45);
          code.if();
          const step = inner(g, at, next(end)).start(g);
          code.i32(1);
          code.set(open);
          code.end();
          const through = code.block();
          code.get(step(through));
          code.set(found);
          code.branch(got);
          code.end();
          code.i32(0);
          code.set(open);
          code.branch(top);
          code.end();
          code.end();
          return found;
        };
      },
      walk: (g, onItem) => {
        const at = indexed ? counter(g) : null;
        goOver(g, outer, (each) => goOver(g, inner(g, at, each), onItem));
      },
    };
  };
}

function innerItem(call: Call): Type {
  return call.typeArguments[1] as Type;
}

/** By the member's key (library/declarations.ts). */
export const sequenceMembers: ReadonlyMap<string, SequenceMember> = new Map<string, SequenceMember>([
  ['IReadOnlyDictionary<TKey,TValue>.get_Values()', (f, call) => mapPart(f, call, 'values')],
  ['IReadOnlyDictionary<TKey,TValue>.get_Keys()', (f, call) => mapPart(f, call, 'keys')],
  [`${where}Where<TSource>(${S},${P})`, filter(false)],
  [`${where}Where<TSource>(${S},${PI})`, filter(true)],
  [`${where}Select<TSource,TResult>(${S},Func<TSource,TResult>)`, select(false)],
  [`${where}Select<TSource,TResult>(${S},Func<TSource,int,TResult>)`, select(true)],
  [`${where}SelectMany<TSource,TResult>(${S},Func<TSource,IEnumerable<TResult>>)`, many(false, -1)],
  [`${where}SelectMany<TSource,TResult>(${S},Func<TSource,int,IEnumerable<TResult>>)`, many(true, -1)],
  [
    `${where}SelectMany<TSource,TCollection,TResult>(${S},Func<TSource,IEnumerable<TCollection>>,Func<TSource,TCollection,TResult>)`,
    many(false, 2),
  ],
  ...partMembers,
  [`${where}AsEnumerable<TSource>(${S})`, (f, call) => source(f, call)],
  [`${where}Range(int,int)`, range],
  [`${where}Repeat<TResult>(TResult,int)`, repeat],
  [`${where}Empty<TResult>()`, (_, call) => empty(itemOf(call.type))],
]);

// The members of LINQ that give a sequence item by item, and those of the library that are one. Each answers a description
// (sequences.ts); none keeps items.

import type { Expression } from '../../tree.ts';
import type { Type } from '../../types.ts';
import { argument, type Call, receiver } from '../control/call-parts.ts';
import { argumentPlaces, delegate, lambdaOf, primitive, variable } from '../control/callbacks.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { formOf, isEdgeMap, representation } from '../representation.ts';
import { groupMembers } from './groups.ts';
import { joinMembers } from './joins.ts';
import { lookupItems, tablePart } from './makers.ts';
import { memoryMembers } from './memory.ts';
import { partMembers } from './parts.ts';
import { itemOf, type Sequence, type SequenceMember } from './sequence.ts';
import { empty, mapPart, mapped, range, repeat } from './sources.ts';
import { counter, flattened, passing, source, stepped } from './stepping.ts';

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
function selected(
  f: FunctionEmitter,
  selector: Expression,
  types: readonly Type[],
  places: readonly number[],
): Sequence {
  const lambda = lambdaOf(selector);
  const last = lambda?.body.statements.at(-1);
  const before = lambda?.body.statements.slice(0, -1) ?? [];
  const isPlain = last?.kind === 'return' && before.every((statement) => statement.kind === 'evaluate');
  if (lambda === null || last?.kind !== 'return' || last.value === null || !isPlain) {
    const made = delegate(f, selector, types);
    const place = f.code.local(representation(made.result));
    made.apply(places);
    f.code.set(place);
    return f.sequence(variable(f, made.result, place), 'NullReferenceException');
  }
  for (const [index, place] of argumentPlaces(f, lambda, places).entries()) {
    f.bind(lambda.parameters[index] as never, place);
  }
  f.block({ ...lambda.body, statements: before });
  return f.sequence(last.value, 'NullReferenceException');
}

/** SelectMany; `result` is the argument that makes an item of both, -1 without one. */
function many(indexed: boolean, result: number): SequenceMember {
  return (f, call) => {
    const outer = source(f, call);
    const combine = result < 0 ? null : delegate(f, argument(call, result), [outer.item, innerItem(call)]);
    const item = combine?.result ?? itemOf(call.type);
    const begin = (g: FunctionEmitter) => (indexed ? counter(g) : null);
    return flattened(outer, item, begin, (g, each, at) => {
      at?.advance();
      const made = selected(g, argument(call, 1), [outer.item, int], at === null ? [each] : [each, at.local]);
      return combine === null ? made : mapped(made, item, (_, own) => combine.apply([each, own]));
    });
  };
}

function innerItem(call: Call): Type {
  return call.typeArguments[1] as Type;
}

/** By the member's key (library/declarations.ts). */
const object: Type = primitive('object');

/** Items as objects, and then as what the member wants: Cast throws for others, OfType leaves them out. */
function cast(keepOnly: boolean): SequenceMember {
  return (f, call) => {
    const inner = source(f, call);
    const wanted = itemOf(call.type);
    const asObject = (g: FunctionEmitter, item: number): Expression => {
      const operand = variable(g, inner.item, item);
      return formOf(inner.item) === null
        ? { kind: 'convert', type: object, conversion: { kind: 'box' }, operand }
        : operand;
    };
    const fitting = keepOnly
      ? passing(
          inner,
          () => null,
          (g, item) =>
            g.expression({ kind: 'typeTest', type: primitive('bool'), operand: asObject(g, item), test: wanted }),
        )
      : inner;
    const kind = formOf(wanted) === null ? 'unbox' : 'reference';
    return {
      ...mapped(fitting, wanted, (g, item) =>
        g.expression({ kind: 'convert', type: wanted, conversion: { kind }, operand: asObject(g, item) }),
      ),
      count: undefined,
    };
  };
}

function dictionaryPart(f: FunctionEmitter, call: Call, part: 'keys' | 'values'): Sequence {
  return isEdgeMap(receiver(call).type) ? mapPart(f, call, part) : tablePart(f, receiver(call), part);
}

const members = (): [string, SequenceMember][] => [
  ['Dictionary<TKey,TValue>.get_Values()', (f, call) => tablePart(f, receiver(call), 'values')],
  ['Dictionary<TKey,TValue>.get_Keys()', (f, call) => tablePart(f, receiver(call), 'keys')],
  ['ILookup<TKey,TElement>.get_Item(TKey)', lookupItems],
  ['IDictionary<TKey,TValue>.get_Values()', (f, call) => tablePart(f, receiver(call), 'values')],
  ['IDictionary<TKey,TValue>.get_Keys()', (f, call) => tablePart(f, receiver(call), 'keys')],
  ['IReadOnlyDictionary<TKey,TValue>.get_Values()', (f, call) => dictionaryPart(f, call, 'values')],
  ['IReadOnlyDictionary<TKey,TValue>.get_Keys()', (f, call) => dictionaryPart(f, call, 'keys')],
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
  ...groupMembers,
  ...joinMembers,
  ...memoryMembers,
  ...partMembers,
  [`${where}Cast<TResult>(IEnumerable)`, cast(false)],
  [`${where}OfType<TResult>(IEnumerable)`, cast(true)],
  [`${where}AsEnumerable<TSource>(${S})`, (f, call) => source(f, call)],
  [`${where}Range(int,int)`, range],
  [`${where}Repeat<TResult>(TResult,int)`, repeat],
  [`${where}Empty<TResult>()`, (_, call) => empty(itemOf(call.type))],
];

let table: ReadonlyMap<string, SequenceMember> | null = null;

/** The member that gives a sequence by its key. Made when it is first asked for: the modules that fill it know this one. */
export function sequenceMember(key: string): SequenceMember | undefined {
  table ??= new Map(members());
  return table.get(key);
}

// Collection expressions: `[1, 2, ..rest]` as arrays, spans, lists and sequences.

import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import type { Binder } from './binder.ts';
import type { Bound } from './bound.ts';
import { assignLocal, callMember, localTree, sequence, value } from './build.ts';
import { classify, convert } from './converting.ts';
import { arrayOf, named } from './typing.ts';

type Collection = Bound & { readonly kind: 'collection' };

const SEQUENCES = new Set([
  'IEnumerable',
  'IReadOnlyCollection',
  'IReadOnlyList',
  'ICollection',
  'IList',
  'List',
  'Span',
  'ReadOnlySpan',
]);

/** The element type of a type that a collection expression can make. */
function elementOf(to: Type): Type | null {
  if (to.kind === 'array') return to.rank === 1 ? to.element : null;
  return to.kind === 'named' && to.arguments.length === 1 && SEQUENCES.has(to.name) ? to.arguments[0]! : null;
}

export function classifyCollection(b: Binder, bound: Collection, to: Type): boolean {
  const element = elementOf(to);
  if (!element) return false;
  return bound.elements.every(({ spread, value: own }) => {
    if (!spread) return classify(b, own, element)?.implicit ?? false;
    return own.kind === 'value' && sequenceElement(b, own.type) !== null;
  });
}

/** What enumerating a type gives; null when it cannot be enumerated. */
export function sequenceElement(b: Binder, type: Type): Type | null {
  if (type.kind === 'array') return type.element;
  if (type.kind === 'primitive' && type.name === 'string') return { kind: 'primitive', name: 'char' };
  if (type.kind === 'named' && (type.name === 'Span' || type.name === 'ReadOnlySpan')) return type.arguments[0]!;
  const bases = b.library.selfAndBases(type).filter((base) => base.kind === 'named' && base.name === 'IEnumerable');
  const generic = bases.find((base) => base.kind === 'named' && base.arguments.length === 1);
  if (generic?.kind === 'named') return generic.arguments[0]!;
  return bases.length > 0 ? { kind: 'primitive', name: 'object' } : null;
}

export function collectionTree(b: Binder, bound: Collection, to: Type): Tree.Expression {
  const element = elementOf(to)!;
  const array = arrayOf(element);
  const spreads = bound.elements.some((entry) => entry.spread);
  const tree: Tree.Expression = spreads
    ? spreadArray(b, bound, element)
    : {
        kind: 'newArray',
        type: array,
        sizes: [],
        values: bound.elements.map(({ value: own }) => convert(b, own, element)),
      };
  if (to.kind === 'array') return tree;
  if (to.kind === 'named' && to.name === 'List') {
    return callMember('Enumerable.ToList<TSource>(IEnumerable<TSource>)', to, null, [tree], [element]);
  }
  return convert(b, value(bound.syntax, array, tree), to);
}

/** With spreads the parts are concatenated as sequences. */
function spreadArray(b: Binder, bound: Collection, element: Type): Tree.Expression {
  const list = named('IEnumerable', element);
  let whole: Tree.Expression | null = null;
  let run: Tree.Expression[] = [];
  const concat = (part: Tree.Expression) => {
    const key = 'Enumerable.Concat<TSource>(IEnumerable<TSource>,IEnumerable<TSource>)';
    whole = whole ? callMember(key, list, null, [whole, part], [element]) : part;
  };
  const flush = () => {
    if (run.length) concat({ kind: 'newArray', type: arrayOf(element), sizes: [], values: run });
    run = [];
  };
  const effects: Tree.Expression[] = [];
  for (const { spread, value: own } of bound.elements) {
    if (!spread) {
      const tree = convert(b, own, element);
      const local = b.temporary(element);
      effects.push(assignLocal(local, tree));
      run.push(localTree(local));
    } else if (own.kind === 'value') {
      flush();
      const local = b.temporary(own.type);
      effects.push(assignLocal(local, own.tree));
      concat(classify(b, own, list) ? convert(b, { ...own, tree: localTree(local) }, list) : localTree(local));
    }
  }
  flush();
  const source = whole ?? { kind: 'newArray', type: arrayOf(element), sizes: [], values: [] };
  return sequence(
    effects,
    callMember(
      'Enumerable.ToArray<TSource>(IEnumerable<TSource>)',
      arrayOf(element),
      null,
      [source as Tree.Expression],
      [element],
    ),
  );
}

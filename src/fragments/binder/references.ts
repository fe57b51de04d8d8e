// `ref` locals and `ref` expressions. A ref local is no variable of its own: it stands for a place whose parts (an array and its
// indices, a condition) are evaluated once, where the reference is taken. Back ends see reads and writes of that place.

import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import { bindAssignable, checkReference } from './arguments.ts';
import type { Binder } from './binder.ts';
import { type Bound, isErroneous, type Place, type Value } from './bound.ts';
import {
  assignLocal,
  binaryTree,
  compareInt,
  conditional,
  errorBound,
  intConstant,
  localTree,
  sequence,
  value,
} from './build.ts';
import { bindCondition } from './conditions.ts';
import { lengthTree } from './elements.ts';
import { bindValue } from './expressions.ts';
import { checkAssigned } from './local-names.ts';
import { readPlace } from './places.ts';
import { bindEmbedded, inTarget, newTarget } from './statements.ts';
import { bindType, isVar } from './type-names.ts';
import { INT, isNamed, sameType, typeText } from './typing.ts';

type RefSyntax = Syntax.Expression & { readonly kind: 'ref' };
type RefType = Syntax.TypeSyntax & { readonly kind: 'refType' };

/** `ref` where no reference can stand. */
export function bindStrayRef(b: Binder, syntax: RefSyntax): Bound {
  b.report('CS1525', syntax);
  return errorBound(syntax);
}

/** What a reference is taken of; null when it has been said that there is none. */
function bindReference(b: Binder, { operand }: RefSyntax, readOnly: boolean): Value | null {
  const bound = bindAssignable(b, operand);
  b.unsplit();
  if (isErroneous(bound)) return null;
  if (bound.kind !== 'value') {
    b.report('CS1510', operand);
    return null;
  }
  const { place } = bound;
  if (place?.kind === 'local') {
    checkAssigned(b, place.symbol, operand);
    place.symbol.used = true;
    if (readOnly && place.symbol.fixed !== 'const') return bound;
  }
  if (place?.kind === 'member' && (spanElement(place, readOnly) || (readOnly && place.symbol.kind === 'field')))
    return bound;
  return checkReference(b, bound, 'ref') ? bound : null;
}

/** An element of a span, which its indexer gives by reference. */
function spanElement(place: Place & { kind: 'member' }, readOnly: boolean): boolean {
  const { owner, name } = place.symbol;
  return name === 'Item' && (owner.name === 'Span' || (readOnly && owner.name === 'ReadOnlySpan'));
}

// --- locals ---

/** `ref int x = ref a[i];` */
export function bindRefDeclaration(b: Binder, syntax: Syntax.LocalDeclaration, type: RefType): Tree.Statement {
  const inferred = isVar(b, type.element);
  const wanted = inferred ? null : bindType(b, type.element);
  const statements = syntax.declarators.flatMap((declarator): Tree.Statement[] =>
    bindRefLocal(b, declarator, wanted, type.readOnly).map((effect) => ({ kind: 'evaluate', value: effect })),
  );
  return statements.length === 1 ? statements[0]! : { kind: 'block', declares: [], statements };
}

function bindRefLocal(
  b: Binder,
  declarator: Syntax.Declarator,
  wanted: Type | null,
  readOnly: boolean,
): readonly Tree.Expression[] {
  const { name, initializer } = declarator;
  const symbol = b.declare(name, wanted ?? { kind: 'error' });
  if (initializer === null) {
    b.report('CS8174', name, name.text);
    return [];
  }
  symbol.pending = true;
  const taken = 'entries' in initializer ? null : initializer;
  let bound: Value | null = null;
  if (taken?.kind === 'ref') bound = bindReference(b, taken, readOnly);
  else {
    b.report('CS8172', { start: name.start, end: initializer.end });
    const given = taken ? bindValue(b, taken) : null;
    if (given?.kind === 'value' && !isErroneous(given)) checkReference(b, given, 'ref');
  }
  symbol.pending = false;
  symbol.used = true;
  b.assign(symbol);
  if (!bound) return [];
  const type = wanted ?? bound.type;
  b.retype(symbol, type);
  if (!sameType(type, bound.type)) {
    b.report('CS8173', (initializer as RefSyntax).operand, typeText(type));
    return [];
  }
  const { place, effects } = pinned(b, bound);
  symbol.alias = { type, place, readOnly };
  return effects;
}

/** The place with its parts in locals, and what puts them there; an element is looked at, so that a wrong index is one at once. */
function pinned(b: Binder, bound: Value): { place: Place; effects: readonly Tree.Expression[] } {
  const { type, tree } = bound;
  const place = bound.place!;
  const effects: Tree.Expression[] = [];
  const keep = (content: Tree.Expression): Tree.Expression => {
    const local = b.temporary(content.type);
    effects.push(assignLocal(local, content));
    return localTree(local);
  };
  if (place.kind === 'element') {
    const [array, indices] = [keep(place.array), place.indices.map(keep)];
    effects.push({ kind: 'element', type, array, indices });
    return { place: { kind: 'element', array, indices }, effects };
  }
  if (place.kind === 'member' && place.symbol.kind === 'field') {
    const local = b.temporary(type);
    return { place: { kind: 'temporary', local }, effects: [assignLocal(local, tree)] };
  }
  if (place.kind === 'member') {
    const receiver = place.receiver && keep(place.receiver);
    const kept: Place = { ...place, receiver, arguments: place.arguments.map(keep) };
    return { place: kept, effects: [...effects, readPlace(b, type, kept)] };
  }
  if (place.kind === 'tupleElement') {
    const inner = pinned(b, place.tuple);
    return { place: { ...place, tuple: { ...place.tuple, place: inner.place } }, effects: inner.effects };
  }
  if (place.kind === 'choice') {
    const condition = keep(place.condition);
    const [first, second] = [pinned(b, place.whenTrue), pinned(b, place.whenFalse)];
    const either = (list: readonly Tree.Expression[]): Tree.Expression => sequence(list, intConstant(0));
    if (first.effects.length + second.effects.length > 0)
      effects.push(conditional(INT, condition, either(first.effects), either(second.effects)));
    return {
      place: {
        kind: 'choice',
        condition,
        whenTrue: { ...place.whenTrue, place: first.place },
        whenFalse: { ...place.whenFalse, place: second.place },
      },
      effects,
    };
  }
  return { place, effects };
}

// --- expressions ---

/** `c ? ref a : ref b`: one of two places. */
export function bindRefConditional(b: Binder, syntax: Syntax.Expression & { kind: 'conditional' }): Bound {
  const condition = bindCondition(b, syntax.condition);
  const { whenFalse: elseState } = b;
  const bindBranch = (branch: Syntax.Expression, state: bigint): Value | null => {
    b.setState(state);
    if (branch.kind === 'ref') return bindReference(b, branch, false);
    const bound = bindValue(b, branch);
    return bound.kind === 'value' && !isErroneous(bound) ? bound : null;
  };
  const whenTrue = bindBranch(syntax.whenTrue, b.whenTrue);
  const thenState = b.state;
  const whenFalse = bindBranch(syntax.whenFalse, elseState);
  b.setState(b.state & thenState);
  const [first, second] = [syntax.whenTrue, syntax.whenFalse];
  if (first.kind !== 'ref' || second.kind !== 'ref') {
    b.report('CS8326', first.kind === 'ref' ? first.operand : (second as RefSyntax).operand);
    return errorBound(syntax);
  }
  if (condition.wrong || !whenTrue || !whenFalse) return errorBound(syntax);
  const { type } = whenTrue;
  if (!sameType(type, whenFalse.type)) {
    b.report('CS8327', second.operand, typeText(type));
    return errorBound(syntax);
  }
  const place: Place = { kind: 'choice', condition: condition.tree, whenTrue, whenFalse };
  return value(syntax, type, conditional(type, condition.tree, whenTrue.tree, whenFalse.tree), { place });
}

/** `x = ref y`: what a ref local stands for changes, which can only be followed from one element of an array to another. */
export function bindRefAssignment(
  b: Binder,
  syntax: Syntax.Expression & { kind: 'assignment' },
  taken: RefSyntax,
): Bound {
  const { target } = syntax;
  const symbol = target.kind === 'identifier' ? b.find(target.name.text) : undefined;
  if (symbol?.kind !== 'local' || !(symbol.alias || symbol.local.byReference)) {
    const left = bindAssignable(b, target);
    bindReference(b, taken, false);
    if (!isErroneous(left)) b.report('CS8373', target);
    return errorBound(syntax);
  }
  const bound = bindReference(b, taken, symbol.alias?.readOnly ?? false);
  if (!bound) return errorBound(syntax);
  const { alias } = symbol;
  if (!sameType(bound.type, symbol.local.type)) {
    b.report('CS8173', taken.operand, typeText(symbol.local.type));
    return errorBound(syntax);
  }
  const { place } = bound;
  const same =
    alias?.place.kind === 'element' && place?.kind === 'element' && alias.place.indices.length === place.indices.length;
  if (!same) {
    b.report('CS8652', syntax, 'ref locals that go from one variable to another');
    return errorBound(syntax);
  }
  // The new index may be read through the reference itself: everything is evaluated before anything moves.
  const { place: next, effects } = pinned(b, bound);
  const read = readPlace(b, bound.type, alias.place);
  const moves = next.kind === 'element' ? moved(alias.place, next) : [];
  return value(syntax, bound.type, sequence([...effects, ...moves], read), { place: alias.place });
}

/** Sets the locals that hold an element's array and indices to what other locals hold. */
function moved(from: Place & { kind: 'element' }, to: Place & { kind: 'element' }): Tree.Expression[] {
  const pairs = [[from.array, to.array], ...from.indices.map((index, at) => [index, to.indices[at]!])];
  return (pairs as [Tree.Expression & { kind: 'local' }, Tree.Expression][]).map(([kept, content]) =>
    assignLocal(kept.local, content),
  );
}

// --- foreach ---

/** `foreach (ref var x in span)`: x stands for each element in turn. */
export function bindRefForEach(
  b: Binder,
  syntax: Syntax.Statement & { readonly kind: 'foreach' },
  type: RefType,
  source: Value,
  element: Type,
): Tree.Statement {
  const readOnly = isNamed(source.type, 'ReadOnlySpan');
  const fits = (readOnly && type.readOnly) || isNamed(source.type, 'Span');
  if (!fits) b.report('CS1510', syntax.sequence);
  const target = newTarget(b, 'loop');
  const before = b.state;
  return b.inScope([], (scope) => {
    const [span, index] = [b.temporary(source.type), b.temporary(INT)];
    const wanted = isVar(b, type.element) ? element : bindType(b, type.element);
    const { designation } = syntax;
    if (designation.kind === 'single') {
      const symbol = b.declare(designation.name, wanted);
      symbol.used = true;
      b.assign(symbol);
      const indexer = b.library.members(source.type, 'this')[0]?.symbol;
      if (fits && !sameType(wanted, element)) b.report('CS8173', designation, typeText(wanted));
      else if (fits && indexer?.kind === 'property') {
        const place: Place = {
          ...{ kind: 'member', symbol: indexer, receiver: localTree(span), receiverIsValueType: false },
          arguments: [localTree(index)],
        };
        symbol.alias = { type: element, place, readOnly: type.readOnly };
      }
    }
    const body = inTarget(b, target, () => bindEmbedded(b, syntax.body));
    b.setState(before);
    const length = lengthTree(b, { ...source, tree: localTree(span) }) ?? intConstant(0);
    const step = assignLocal(index, binaryTree('+', 'int', INT, localTree(index), intConstant(1)));
    const start = [assignLocal(span, source.tree), assignLocal(index, intConstant(0))];
    const loop: Tree.Statement = {
      ...{ kind: 'loop', condition: compareInt('<', localTree(index), length), testFirst: true, increments: [step] },
      body: { kind: 'block', declares: scope.declares, statements: [body] },
      after: target.after,
      next: target.next,
    };
    const opening = start.map((effect): Tree.Statement => ({ kind: 'evaluate', value: effect }));
    return { kind: 'block', declares: [], statements: [...opening, loop] };
  });
}

// foreach over arrays, strings, spans and sequences, with deconstruction.

import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import type { Binder } from './binder.ts';
import { type Bound, isErroneous, type Value } from './bound.ts';
import { assignLocal, localTree, value } from './build.ts';
import { sequenceElement } from './collections.ts';
import { conversionBetween } from './conversions.ts';
import { deconstructInto, deconstructTo } from './deconstruction.ts';
import { bindValue } from './expressions.ts';
import { bindRefForEach } from './references.ts';
import { bindEmbedded, inTarget, newTarget } from './statements.ts';
import { bindType, isVar } from './type-names.ts';
import { isNamed, isPrimitive, named, sameType, typeText } from './typing.ts';
import { reportUntyped } from './untyped.ts';

type ForEachSyntax = Syntax.Statement & { readonly kind: 'foreach' };

export function bindForEach(b: Binder, syntax: ForEachSyntax): Tree.Statement {
  const bound = bindValue(b, syntax.sequence);
  const source = enumerable(b, bound, syntax.sequence);
  const element: Type = source ? elementType(b, source.type) : { kind: 'error' };
  if (source && syntax.type?.kind === 'refType') return bindRefForEach(b, syntax, syntax.type, source, element);
  const target = newTarget(b, 'loop');
  const before = b.state;
  return b.inScope([], (scope) => {
    const raw = b.newLocal('', element);
    b.owner.locals.push(raw);
    const opening = declareItem(b, syntax, raw, element);
    const body = inTarget(b, target, () => bindEmbedded(b, syntax.body));
    b.setState(before);
    const sequence =
      source ?? value(syntax.sequence, named('IEnumerable', element), { kind: 'default', type: element });
    const inner: Tree.Statement = { kind: 'block', declares: scope.declares, statements: [...opening, body] };
    const over = kindOf(sequence.type);
    const tree = over === 'sequence' ? asSequence(b, sequence, element) : sequence.tree;
    return { kind: 'forEach', over, item: raw, sequence: tree, body: inner, after: target.after, next: target.next };
  });
}

function enumerable(b: Binder, bound: Bound, at: Syntax.Node): Value | null {
  if (isErroneous(bound)) return null;
  if (bound.kind !== 'value') {
    if (bound.kind === 'methods') b.report('CS0446', at, bound.name);
    else reportUntyped(b, bound);
    return null;
  }
  if (bound.type.kind === 'null') {
    b.report('CS0186', at);
    return null;
  }
  if (!isPrimitive(bound.type, 'void') && sequenceElement(b, bound.type)) return bound;
  b.report('CS1579', at, typeText(bound.type));
  return null;
}

function elementType(b: Binder, type: Type): Type {
  return sequenceElement(b, type)!;
}

function kindOf(type: Type): 'array' | 'string' | 'span' | 'sequence' {
  if (type.kind === 'array') return 'array';
  if (isPrimitive(type, 'string')) return 'string';
  return isNamed(type, 'Span') || isNamed(type, 'ReadOnlySpan') ? 'span' : 'sequence';
}

function asSequence(b: Binder, source: Value, element: Type): Tree.Expression {
  const wanted = named('IEnumerable', element);
  const conversion = conversionBetween(b, source.type, wanted);
  return conversion?.implicit ? conversion.apply(b, source.tree, false) : source.tree;
}

/** Every part of what stands in the place of a variable declares one, or is a discard. */
function declaresAll(target: Syntax.Expression): boolean {
  if (target.kind === 'tuple') return target.elements.every((element) => declaresAll(element.value));
  return target.kind === 'declaration' || (target.kind === 'identifier' && target.name.text === '_');
}

/** The iteration variable (or variables) from the raw element, anew for each round. */
function declareItem(b: Binder, syntax: ForEachSyntax, raw: Tree.Local, element: Type): Tree.Statement[] {
  const { designation, target } = syntax;
  if (target) {
    if (!declaresAll(target)) {
      b.report('CS8186', target);
      return [];
    }
    const effect = deconstructTo(b, target, value(syntax.sequence, element, localTree(raw)));
    return effect ? [{ kind: 'evaluate', value: effect }] : [];
  }
  if (designation.kind === 'discard') return [];
  if (designation.kind === 'parenthesized') {
    const effect = deconstructInto(b, designation, value(syntax.sequence, element, localTree(raw)), designation);
    return effect ? [{ kind: 'evaluate', value: effect }] : [];
  }
  const inferred = syntax.type === null || isVar(b, syntax.type);
  const type = inferred ? element : bindType(b, syntax.type!);
  const symbol = b.declare(designation.name, type, { fixed: 'foreach' });
  symbol.assigned = true;
  b.assign(symbol);
  if (type.kind === 'error' || element.kind === 'error') return [];
  let content = localTree(raw);
  if (!sameType(type, element)) {
    const conversion = conversionBetween(b, element, type);
    if (!conversion) {
      b.report(
        'CS0030',
        { start: syntax.start, end: syntax.start + 'foreach'.length },
        typeText(element),
        typeText(type),
      );
      return [];
    }
    content = conversion.apply(b, content, false);
  }
  return [{ kind: 'evaluate', value: assignLocal(symbol.local, content) }];
}

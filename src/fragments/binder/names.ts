// Simple names in expressions: locals, local functions, types, namespaces; and nameof.

import { stepAt } from '../steps.ts';
import type * as Syntax from '../syntax.ts';
import type { Binder } from './binder.ts';
import type { Bound } from './bound.ts';
import { constantValue, errorBound } from './build.ts';
import { classMember, type Identifier } from './class-names.ts';
import { checkAssigned, localBound } from './local-names.ts';
import { bindMember } from './members.ts';
import { nearestName } from './nearest-names.ts';
import { bindType, simpleName } from './type-names.ts';
import { OBJECT, STRING } from './typing.ts';

export function bindIdentifier(b: Binder, syntax: Identifier): Bound {
  const found = lookUp(b, syntax);
  if (found.kind !== 'value' || found.place?.kind !== 'local') return found;
  const { symbol } = found.place;
  symbol.used = true;
  checkAssigned(b, symbol, syntax.name);
  return found;
}

/** The same for the left side of an assignment and for `out`: the local need not have a value yet. */
export function bindIdentifierTarget(b: Binder, syntax: Identifier): Bound {
  return lookUp(b, syntax);
}

function lookUp(b: Binder, syntax: Identifier): Bound {
  const { name, typeArguments } = syntax;
  if (name.text === '') {
    return errorBound(syntax);
  }
  const symbol = b.find(name.text);
  if (symbol?.kind === 'local' && name.text === 'this' && b.classes?.isStatic) {
    b.report('CS0027', name);
    return errorBound(syntax);
  }
  if (symbol?.kind === 'local') return localBound(b, syntax, symbol);
  if (symbol) {
    const { generic } = symbol;
    // A generic one is used once it is known with which types.
    if (!generic || typeArguments) symbol.used = true;
    const given = typeArguments?.map((argument) => bindType(b, argument)) ?? null;
    if (given && given.length !== (generic?.names.length ?? 0)) {
      b.report(generic ? 'CS0305' : 'CS0308', syntax, name.text, String(generic?.names.length));
      return errorBound(syntax);
    }
    if (given?.some((type) => type.kind === 'error')) return errorBound(syntax);
    const candidate = { method: generic?.method ?? null, local: symbol, map: new Map(), extension: false };
    return {
      kind: 'methods',
      syntax,
      nameSpan: name,
      name: name.text,
      receiver: null,
      candidates: [candidate],
      typeArguments: generic ? given : null,
    };
  }
  if (!typeArguments && b.isDeclaredLater(name.text)) {
    b.report('CS0841', name, name.text);
    b.early.add(name.text);
    return errorBound(syntax);
  }
  const own = classMember(b, syntax);
  if (own !== null) return own;
  const thing = simpleName(b, name, typeArguments ?? [], syntax);
  if (thing === undefined && (name.text === 'ReferenceEquals' || name.text === 'Equals')) {
    // The methods of the class around the fragment: those that every class has from object.
    return bindMember(
      b,
      { ...syntax, kind: 'member', receiver: syntax },
      { kind: 'type', syntax, type: OBJECT },
      'called',
    );
  }
  if (thing === undefined) {
    b.report('CS0103', name, name.text, nearestName(b, name.text));
    for (const argument of typeArguments ?? []) bindType(b, argument);
  }
  if (!thing) return errorBound(syntax);
  if (thing.kind === 'namespace') return { kind: 'namespace', syntax, name: thing.name };
  return { kind: 'type', syntax, type: thing.type };
}

/** `nameof(x)`: the last name, once it has been found to exist. */
export function bindNameof(b: Binder, syntax: Syntax.Node, operand: Syntax.Expression | null): Bound {
  if (!operand) {
    b.report('CS0103', { start: syntax.start, end: syntax.start + 'nameof'.length }, 'nameof');
    return errorBound(syntax);
  }
  const { state } = b;
  const name = lastName(operand);
  const bound =
    operand.kind === 'identifier' ? lookUp(b, operand) : operand.kind === 'member' ? nameofMember(b, operand) : null;
  b.setState(state);
  if (name === null) {
    b.report('CS8081', operand);
    return errorBound(syntax);
  }
  if (bound?.kind === 'error') return errorBound(syntax);
  if (bound?.kind === 'value' && bound.place?.kind === 'local') bound.place.symbol.used = true;
  return constantValue(syntax, STRING, name.text);
}

/** `nameof(a.b.c)`, from `a` on, however long it is. */
function nameofMember(b: Binder, syntax: Syntax.Expression & { kind: 'member' }): Bound {
  const members: (typeof syntax)[] = [];
  let first: Syntax.Expression = syntax;
  for (; first.kind === 'member'; first = first.receiver) members.push(first);
  const start =
    first.kind === 'identifier'
      ? lookUp(b, first)
      : first.kind === 'typeExpression'
        ? ({ kind: 'type', syntax: first, type: bindType(b, first.type) } as Bound)
        : errorBound(first);
  return members.reduceRight((inner, member) => {
    stepAt(member, 4);
    if (inner.kind === 'value' && inner.place?.kind === 'local') inner.place.symbol.used = true;
    return bindMember(b, member, inner, 'named');
  }, start);
}

function lastName(syntax: Syntax.Expression): Syntax.Name | null {
  if (syntax.kind === 'identifier') return syntax.name;
  if (syntax.kind === 'member') return syntax.name;
  return null;
}

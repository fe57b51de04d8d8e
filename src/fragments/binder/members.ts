// Member access: `x.Name` on values, types and namespaces.

import { step } from '../steps.ts';
import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import type { Binder } from './binder.ts';
import type { Bound, Candidate, Value } from './bound.ts';
import { constantValue, errorBound, value } from './build.ts';
import { nestedType } from './class-access.ts';
import { fieldBound, propertyBound } from './class-members.ts';
import type { UserField } from './class-model.ts';
import { declaredConstant } from './default-arguments.ts';
import type { FoundMember } from './library.ts';
import { nearestMember } from './nearest-names.ts';
import { nullableMember } from './nullables.ts';
import { hasExtension, receiverTree } from './receivers.ts';
import type { FieldSymbol, MethodSymbol, PropertySymbol } from './symbols.ts';
import { bindType, inNamespace } from './type-names.ts';
import { isPrimitive, substitute, typeText } from './typing.ts';

type MemberSyntax = Syntax.Expression & { readonly kind: 'member' };

/** `named`: inside nameof, where instance members of types may be named and nothing is evaluated. */
export function bindMember(b: Binder, syntax: MemberSyntax, receiver: Bound, use: 'read' | 'called' | 'named'): Bound {
  const named = use === 'named';
  const { name } = syntax;
  const typeArguments = syntax.typeArguments?.map((argument) => bindType(b, argument)) ?? null;
  if (name.text === '' || receiver.kind === 'error') return errorBound(syntax);
  switch (receiver.kind) {
    case 'namespace': {
      const thing = inNamespace(b, receiver.name, name, syntax.typeArguments ?? [], syntax);
      if (thing === undefined) b.report('CS0234', syntax, name.text, receiver.name);
      if (!thing) return errorBound(syntax);
      return thing.kind === 'type'
        ? { kind: 'type', syntax, type: thing.type }
        : { kind: 'namespace', syntax, name: thing.name };
    }
    case 'type':
      return staticMember(b, syntax, receiver, typeArguments, named);
    case 'value':
      return instanceMember(b, syntax, receiver, typeArguments, use === 'called');
    case 'methods':
      b.report('CS0119', receiver.nameSpan, receiver.name, 'method');
      return errorBound(syntax);
    case 'lambda':
      b.report('CS0023', syntax, '.', 'lambda expression');
      return errorBound(syntax);
    case 'default':
      b.report('CS8716', receiver.syntax);
      return errorBound(syntax);
    case 'new':
      b.report('CS8754', receiver.syntax, 'new()');
      return errorBound(syntax);
    case 'tuple':
      b.report('CS0117', name, '(…)', name.text);
      return errorBound(syntax);
    default:
      b.report('CS0023', syntax, '.', receiver.kind);
      return errorBound(syntax);
  }
}

/** The name with its type arguments, which is what C# marks. */
function nameSpan(b: Binder, syntax: MemberSyntax): Syntax.Node {
  // After `?` C# marks the dot as well.
  const bound = syntax.receiver.kind === 'binding';
  const start = bound ? b.text.lastIndexOf('.', syntax.name.start) : syntax.name.start;
  return { start, end: syntax.typeArguments ? syntax.end : syntax.name.end };
}

function staticMember(
  b: Binder,
  syntax: MemberSyntax,
  receiver: Bound & { kind: 'type' },
  typeArguments: readonly Type[] | null,
  named: boolean,
): Bound {
  const { name } = syntax;
  const { type } = receiver;
  const found = b.library.members(type, name.text);
  if (found.length === 0) {
    const nested = nestedType(b, type, name);
    if (nested !== null) return { kind: 'type', syntax, type: nested };
    if (type.kind !== 'error') b.report('CS0117', name, typeText(type), name.text, nearestMember(b, type, name.text));
    return errorBound(syntax);
  }
  return member(b, syntax, receiver, found, typeArguments, named);
}

function instanceMember(
  b: Binder,
  syntax: MemberSyntax,
  receiver: Value,
  typeArguments: readonly Type[] | null,
  called: boolean,
): Bound {
  const { name } = syntax;
  const { type } = receiver;
  if (type.kind === 'error') return errorBound(syntax);
  if (type.kind === 'null' || isPrimitive(type, 'void')) {
    b.report('CS0023', syntax, '.', typeText(type));
    return errorBound(syntax);
  }
  const special = structural(b, syntax, receiver);
  if (special) return special;
  const found = type.kind === 'nullable' ? nullableMembers(b, type, name.text) : b.library.members(type, name.text);
  const hidden = called && found.length > 0 && !isCallable(b, found[0]!) && hasExtension(b, receiver, name.text);
  if (found.length > 0 && !hidden) return member(b, syntax, receiver, found, typeArguments, false);
  if (b.library.symbolOf(type)?.shape === 'delegate' && name.text === 'Invoke') return receiver;
  if (hasExtension(b, receiver, name.text)) {
    return {
      kind: 'methods',
      syntax,
      nameSpan: nameSpan(b, syntax),
      name: name.text,
      receiver,
      candidates: [],
      typeArguments,
    };
  }
  if (b.library.extensionMethods(name.text).length > 0) {
    b.report('CS1929', receiver.syntax, typeText(type), name.text);
    return errorBound(syntax);
  }
  const meant = nearestMember(b, type, name.text, receiver) || propertyOf(b, type, name.text);
  b.report('CS1061', nameSpan(b, syntax), typeText(type), name.text, meant);
  return errorBound(syntax);
}

/** How the property of that name is read, as a sentence; empty where `type` is no element. */
function propertyOf(b: Binder, type: Type, name: string): string {
  const isElement = b.library
    .selfAndBases(type)
    .some((base) => base.kind === 'named' && base.name === 'AGraphElementModel');
  return isElement ? ` A property is read with 'TryGetProperty(out T value, "${name}")'.` : '';
}

function isCallable(b: Binder, found: FoundMember): boolean {
  return found.symbol.kind === 'method' || b.library.symbolOf(found.symbol.type)?.shape === 'delegate';
}

function nullableMembers(b: Binder, type: Type, name: string): readonly FoundMember[] {
  return b.library.members(type, name);
}

/** Elements of tuples and members of anonymous types. */
function structural(b: Binder, syntax: MemberSyntax, receiver: Value): Bound | null {
  const { type, tree } = receiver;
  const { text } = syntax.name;
  if (type.kind === 'nullable') return nullableMember(b, syntax, receiver);
  if (type.kind === 'tuple') {
    step(type.elements.length >> 4);
    let index = type.elements.findIndex((element) => element.name === text);
    if (index < 0) index = Number(/^Item([1-9]\d{0,5})$/.exec(text)?.[1] ?? 0) - 1;
    if (index >= type.elements.length) index = -1;
    const element = type.elements[index];
    if (!element) return null;
    const node: Tree.Expression = { kind: 'tupleElement', type: element.type, tuple: tree, index };
    return value(syntax, element.type, node, { place: { kind: 'tupleElement', tuple: receiver, index } });
  }
  if (type.kind === 'anonymous') {
    step(type.members.length >> 4);
    const index = type.members.findIndex((entry) => entry.name === text);
    const entry = type.members[index];
    if (!entry) return null;
    const node: Tree.Expression = { kind: 'anonymousMember', type: entry.type, object: tree, index };
    return value(syntax, entry.type, node, { place: { kind: 'readOnly' } });
  }
  return null;
}

/** The member of a type of the source by which a name was found. */
export function memberOfFound(
  b: Binder,
  syntax: MemberSyntax,
  receiver: Bound & { kind: 'type' | 'value' },
  found: readonly FoundMember[],
  typeArguments: readonly Syntax.TypeSyntax[] | null,
): Bound {
  return member(b, syntax, receiver, found, typeArguments?.map((own) => bindType(b, own)) ?? null, false);
}

function member(
  b: Binder,
  syntax: MemberSyntax,
  receiver: Bound & { kind: 'type' | 'value' },
  found: readonly FoundMember[],
  typeArguments: readonly Type[] | null,
  named: boolean,
): Bound {
  const { name } = syntax;
  const [first] = found;
  if (first!.symbol.kind === 'method') {
    const candidates = found.flatMap(({ symbol, map }): Candidate[] =>
      symbol.kind === 'method' ? [{ method: symbol, local: genericOf(symbol), map, extension: false }] : [],
    );
    const refused = candidates.find(({ method }) => method!.refused)?.method;
    if (refused && candidates.length === 1) {
      b.report(refused.refused!, syntax, name.text);
      return errorBound(syntax);
    }
    return {
      kind: 'methods',
      syntax,
      nameSpan: nameSpan(b, syntax),
      name: name.text,
      receiver,
      candidates,
      typeArguments,
      isBase: receiver.kind === 'value' && receiver.isBase === true,
    };
  }
  const { symbol, map } = first as FoundMember<PropertySymbol | FieldSymbol>;
  if (typeArguments) b.report('CS0307', name, name.text, symbol.kind);
  if (symbol.refused) {
    b.report(symbol.refused, syntax, name.text);
    return errorBound(syntax);
  }
  if (receiver.kind === 'type' && !symbol.static && !named) {
    b.report('CS0120', syntax, `${symbol.owner.name}.${symbol.name}`);
    return errorBound(syntax);
  }
  if (receiver.kind === 'value' && symbol.static) {
    b.report('CS0176', syntax, `${symbol.owner.name}.${symbol.name}`);
    return errorBound(syntax);
  }
  const type = substitute(symbol.type, map);
  if (symbol.user !== undefined && !named) {
    const own = receiver.kind === 'value' ? receiver : null;
    return symbol.kind === 'field'
      ? fieldBound(b, syntax, name, symbol.user as UserField, own)
      : propertyBound(b, syntax, name, symbol, own);
  }
  if (symbol.kind === 'field' && symbol.constant !== null) {
    const content = declaredConstant(b, symbol.constant, type);
    if (content !== undefined) return constantValue(syntax, type, content);
  }
  if (named) return value(syntax, type, { kind: 'default', type });
  return value(syntax, type, readMember(b, symbol, type, receiver.kind === 'value' ? receiver : null, []), {
    place: {
      kind: 'member',
      symbol,
      receiver: receiver.kind === 'value' ? receiverTree(b, receiver, symbol.owner.name) : null,
      receiverIsValueType: receiver.kind === 'value' && receiver.place === undefined,
      arguments: [],
    },
  });
}

/** A generic method of the source is made anew for each list of type arguments, as a local function is. */
function genericOf({ user }: MethodSymbol): Candidate['local'] {
  return user?.function?.generic ? user.function : null;
}

export function readMember(
  b: Binder,
  symbol: PropertySymbol | FieldSymbol,
  type: Type,
  receiver: Value | null,
  values: readonly Tree.CallArgument[],
): Tree.Expression {
  const key = symbol.kind === 'field' ? symbol.key : symbol.getKey;
  if (key === null) return { kind: 'default', type };
  return {
    kind: 'call',
    type,
    member: { key, static: symbol.static },
    receiver: receiver ? receiverTree(b, receiver, symbol.owner.name) : null,
    arguments: values,
    typeArguments: [],
  };
}

// Members of the types of a source where they are used: names that stand by themselves, reads, writes, calls, objects made.

import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import type { Binder } from './binder.ts';
import type { Bound, Place, Value } from './bound.ts';
import {
  assignLocal,
  constantValue,
  convertTree,
  errorBound,
  localTarget,
  localTree,
  sequence,
  value,
} from './build.ts';
import {
  type Access,
  type ClassType,
  classOf,
  type UserField,
  type UserMethod,
  type UserProperty,
} from './class-model.ts';
import { dispatched } from './dispatch.ts';
import type { FoundMember } from './library.ts';
import { memberOfFound } from './members.ts';
import { localBound } from './names.ts';
import type { MethodSymbol, PropertySymbol } from './symbols.ts';
import { OBJECT, VOID } from './typing.ts';

type Identifier = Syntax.Expression & { readonly kind: 'identifier' };

/** A name that is none of a variable as a member of the class around, or of one around that; null: there is none. */
export function classMember(b: Binder, syntax: Identifier): Bound | null {
  const classes = b.classes;
  const { name } = syntax;
  if (classes === null) return null;
  const around = classes.current;
  if (name.text === 'this' || name.text === 'base') return self(b, syntax, name.text);
  for (let at = around; at !== null; at = at.outer) {
    const found = b.library
      .members(at.type, name.text)
      .filter(({ symbol }) => symbol.owner.name !== 'Object' || at === around);
    if (found.length === 0) continue;
    const isWritten = found.every(({ symbol }) => symbol.owner.name !== 'Object');
    if (!isWritten && found.some(({ symbol }) => symbol.kind === 'method' && symbol.static)) return null;
    return throughClass(b, syntax, at, found);
  }
  return null;
}

function throughClass(b: Binder, syntax: Identifier, at: ClassType, found: readonly FoundMember[]): Bound {
  const classes = b.classes!;
  const instance = found.some(({ symbol }) => !isStaticMember(symbol));
  const isHere = at === classes.current && !classes.isStatic;
  const access: Syntax.Expression & { kind: 'member' } = { ...syntax, kind: 'member', receiver: syntax };
  if (isHere && instance && !at.isAlone) {
    const receiver = selfValue(b, syntax);
    const bound = memberOfFound(b, access, receiver, found, syntax.typeArguments);
    return bound.kind === 'methods' ? { ...bound, implicit: true } : bound;
  }
  const only = found.every(({ symbol }) => !isStaticMember(symbol));
  if (only && !isHere) {
    const symbol = found[0]!.symbol;
    b.report(classes.isInitializing ? 'CS0236' : 'CS0120', syntax.name, `${at.name}.${symbol.name}`);
    return errorBound(syntax);
  }
  const bound = memberOfFound(b, access, { kind: 'type', syntax, type: at.type }, found, syntax.typeArguments);
  return bound.kind === 'methods' ? { ...bound, implicit: true } : bound;
}

/** Static as the source has it. */
function isStaticMember(symbol: FoundMember['symbol']): boolean {
  return symbol.user === undefined
    ? symbol.static
    : symbol.user.isStatic || ('isConst' in symbol.user && symbol.user.isConst);
}

function selfValue(b: Binder, syntax: Syntax.Node): Value {
  const symbol = b.find('this');
  const type = b.classes!.current!.type;
  if (symbol?.kind !== 'local') return value(syntax, type, { kind: 'default', type });
  const name = { ...syntax, text: 'this' };
  const bound = localBound(
    b,
    { kind: 'identifier', name, typeArguments: null, start: syntax.start, end: syntax.end },
    symbol,
  );
  symbol.used = true;
  return bound.kind === 'value' ? bound : value(syntax, type, { kind: 'default', type });
}

/** `this` and `base`. */
function self(b: Binder, syntax: Identifier, word: 'this' | 'base'): Bound {
  const { current, isStatic } = b.classes!;
  if (current === null || isStatic) {
    b.report(b.classes!.isInitializing ? 'CS0027' : word === 'this' ? 'CS0026' : 'CS1511', syntax);
    return errorBound(syntax);
  }
  if (word === 'this') {
    return current.isAlone ? { kind: 'type', syntax, type: current.type } : selfValue(b, syntax);
  }
  const base: Type = current.base?.type ?? current.libraryBase ?? OBJECT;
  if (current.isAlone && current.base !== null) return { kind: 'type', syntax, type: base };
  const own = current.isAlone ? value(syntax, OBJECT, { kind: 'default', type: OBJECT }) : selfValue(b, syntax);
  return { ...value(syntax, base, convertTree(base, own.tree, 'identity')), isBase: true };
}

/** CS0122. */
export function isAccessible(b: Binder, owner: ClassType, access: Access): boolean {
  const { current } = b.classes!;
  if (access === 'public' || access === 'internal' || current === null) return true;
  for (let at: ClassType | null = current; at !== null; at = at.outer) {
    if (at === owner || (access === 'protected' && at.is(owner))) return true;
  }
  return false;
}

function checkAccess(b: Binder, owner: ClassType, access: Access, at: Syntax.Node, name: string): boolean {
  if (isAccessible(b, owner, access)) return true;
  b.report('CS0122', at, `${owner.name}.${name}`);
  return false;
}

// --- Fields and properties -------------------------------------------------------------------------------------------------

export function fieldBound(
  b: Binder,
  syntax: Syntax.Node,
  at: Syntax.Name,
  field: UserField,
  receiver: Value | null,
): Bound {
  if (!checkAccess(b, field.owner, field.access, at, field.name.text)) return errorBound(syntax);
  return plainField(b, syntax, field, receiver);
}

function plainField(b: Binder, syntax: Syntax.Node, field: UserField, receiver: Value | null): Bound {
  const { type } = field;
  if (field.isConst) {
    const content = b.classes!.constantOf(b, field);
    return content === undefined ? errorBound(syntax) : constantValue(syntax, type, content);
  }
  const { local } = field;
  if (local !== null) {
    local.used = true;
    const name = { ...field.name, start: syntax.start, end: syntax.end };
    return localBound(
      b,
      { kind: 'identifier', name, typeArguments: null, start: syntax.start, end: syntax.end },
      local,
    );
  }
  if (receiver === null) return errorBound(syntax);
  const { tree } = receiver;
  if (field.owner.shape === 'struct') {
    const node: Tree.Expression = { kind: 'tupleElement', type, tuple: tree, index: field.index };
    return value(syntax, type, node, { place: { kind: 'tupleElement', tuple: receiver, index: field.index, field } });
  }
  const node: Tree.Expression = { kind: 'field', type, object: tree, index: field.index };
  return value(syntax, type, node, { place: { kind: 'field', object: tree, field } });
}

export function propertyBound(
  b: Binder,
  syntax: Syntax.Node,
  at: Syntax.Name,
  symbol: PropertySymbol,
  receiver: Value | null,
  values: readonly Tree.CallArgument[] = [],
): Bound {
  const property = symbol.user!;
  if (!checkAccess(b, property.owner, property.access, at, symbol.name)) return errorBound(syntax);
  const isPlain = property.field !== null && property.get !== null && !property.get.isVirtual && isBodiless(property);
  if (isPlain) {
    const bound = plainField(b, syntax, property.field!, receiver);
    if (bound.kind !== 'value' || bound.place === undefined) return bound;
    return withProperty(bound, property);
  }
  const { type } = symbol;
  const tree: Tree.Expression =
    property.get === null
      ? { kind: 'default', type }
      : callOf(b, property.get, receiver, values, type, receiver?.isBase);
  const place: Place = {
    ...{ kind: 'member', symbol, receiver: receiver?.tree ?? null, receiverIsValueType: false },
    arguments: values.map((argument) => (argument.mode === 'value' ? argument.value : { kind: 'default', type })),
    ...(receiver === null ? {} : { owner: receiver }),
  };
  return value(syntax, type, tree, { place });
}

/** The place of the field behind a property, which knows how the property may be set. */
function withProperty(bound: Value, property: UserProperty): Value {
  const { place } = bound;
  if (place?.kind !== 'local' && place?.kind !== 'tupleElement' && place?.kind !== 'field') return bound;
  return { ...bound, place: { ...place, property } };
}

function isBodiless({ get, set }: UserProperty): boolean {
  return get?.body === null && (set === null || set.body === null);
}

// --- Calls -------------------------------------------------------------------------------------------------------------------

/** A call of a method or an accessor. `isBase`: of this one, whatever overrides it. */
export function callOf(
  b: Binder,
  method: UserMethod,
  receiver: Value | null,
  values: readonly Tree.CallArgument[],
  type: Type,
  isBase: boolean | undefined = false,
): Tree.Expression {
  const statically = receiver?.type ?? method.owner.type;
  const target = isBase ? (method.function?.tree ?? null) : dispatched(b, method, statically);
  if (target === null) return { kind: 'default', type };
  if (!method.hasThis) return { kind: 'callLocal', type, function: target, arguments: [...values] };
  const { effects, given } = selfArgument(b, method, receiver, isBase);
  const call: Tree.Expression = { kind: 'callLocal', type, function: target, arguments: [given, ...values] };
  return sequence(effects, call);
}

/** The object as the first argument: a struct by reference, so that what its method changes is changed. */
function selfArgument(
  b: Binder,
  method: UserMethod,
  receiver: Value | null,
  isBase: boolean,
): { readonly effects: readonly Tree.Expression[]; readonly given: Tree.CallArgument } {
  const { type } = method.owner;
  const tree = receiver?.tree ?? { kind: 'default', type };
  if (method.owner.shape !== 'struct') {
    const isSelf = isBase || (tree.kind === 'local' && tree.local.name === 'this');
    return { effects: [], given: { mode: 'value', value: isSelf ? tree : convertTree(tree.type, tree, 'notNull') } };
  }
  const target = receiver === null ? null : b.classes!.targetOf(receiver);
  if (target !== null) return { effects: [], given: { mode: 'ref', target } };
  const copy = b.temporary(type);
  return { effects: [assignLocal(copy, tree)], given: { mode: 'ref', target: localTarget(copy) } };
}

/** `new T(…)`. */
export function construction(
  b: Binder,
  syntax: Syntax.Node,
  method: UserMethod,
  values: readonly Tree.CallArgument[],
): Bound {
  const { owner } = method;
  const { type } = owner;
  if (!checkAccess(b, owner, method.access, syntax, owner.syntax.name.text)) return errorBound(syntax);
  const made = b.temporary(type);
  const own: Tree.Expression = owner.shape === 'struct' ? { kind: 'default', type } : { kind: 'newObject', type };
  const target = method.function!.tree;
  const first: Tree.CallArgument =
    owner.shape === 'struct' ? { mode: 'ref', target: localTarget(made) } : { mode: 'value', value: localTree(made) };
  const given = method.hasThis ? [first, ...values] : [...values];
  const call: Tree.Expression = { kind: 'callLocal', type: VOID, function: target, arguments: given };
  return value(syntax, type, sequence([assignLocal(made, own), call], localTree(made)), {
    place: { kind: 'temporary', local: made },
  });
}

/** An operator or another static method with values. */
export function staticCall(
  b: Binder,
  method: MethodSymbol,
  type: Type,
  values: readonly Tree.Expression[],
): Tree.Expression {
  return callOf(
    b,
    method.user!,
    null,
    values.map((own) => ({ mode: 'value', value: own })),
    type,
  );
}

/** A method group of a method of the source as a delegate: a lambda that calls it, of an object that is evaluated now. */
export function methodDelegate(
  b: Binder,
  method: MethodSymbol,
  receiver: Value | null,
  isBase: boolean,
  to: Type,
): Tree.Expression {
  const user = method.user!;
  const own = user.function?.tree ?? null;
  if (!user.hasThis && own !== null) return { kind: 'delegateOfLocal', type: to, function: own };
  const held = receiver === null ? null : b.temporary(receiver.type);
  if (held !== null) held.captured = true;
  const parameters = method.parameters.map(({ name, type }) => b.newLocal(name, type));
  const values = parameters.map((local): Tree.CallArgument => ({ mode: 'value', value: localTree(local) }));
  const object = held === null ? null : value({ start: 0, end: 0 }, held.type, localTree(held));
  const call = callOf(b, user, object, values, method.returnType, isBase);
  const statement: Tree.Statement =
    method.returnType === VOID ? { kind: 'evaluate', value: call } : { kind: 'return', value: call };
  const code: Tree.FunctionCode = {
    ...{ parameters, locals: [], body: { kind: 'block', declares: [], statements: [statement] } },
    ...{ returnType: method.returnType, captures: held === null ? [] : [held] },
  };
  const lambda: Tree.Expression = { kind: 'lambda', type: to, code };
  if (held === null) return lambda;
  return sequence([assignLocal(held, convertTree(held.type, receiver!.tree, 'notNull'))], lambda);
}

/** A type inside of another one by its name. */
export function nestedType(b: Binder, outer: Type, name: Syntax.Name): Type | null {
  for (let at: ClassType | null = classOf(b.classes, outer) ?? null; at !== null; at = at.base) {
    const found = at.nested.get(name.text);
    if (found === undefined) continue;
    if (!isAccessible(b, at, found.access)) b.report('CS0122', name, found.name);
    return found.type;
  }
  return null;
}

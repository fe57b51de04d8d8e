// `new`: objects of the library with initializers, anonymous types, stackalloc.

import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import { arraySize, bindInitializerValues } from './arrays.ts';
import { checkAssignable } from './assignment.ts';
import { bestCommonType } from './best-type.ts';
import type { Binder } from './binder.ts';
import { type Bound, type BoundArgument, type Candidate, isErroneous, type Value } from './bound.ts';
import { assignLocal, constructorGroup, errorBound, intConstant, localTree, sequence, value } from './build.ts';
import { bindArguments, callGroup, giveUp, layArguments } from './calls.ts';
import { construction } from './class-invocations.ts';
import { convert } from './converting.ts';
import { bindValue } from './expressions.ts';
import { bindIndexer } from './indexers.ts';
import type { FoundMember } from './library.ts';
import { memberOfFound } from './members.ts';
import { reportMisfits } from './misfits.ts';
import { resolve } from './overloads.ts';
import { placed } from './places.ts';
import type { TypeParameter } from './symbols.ts';
import { bindType } from './type-names.ts';
import { arrayOf, isPrimitive, named, substitute, typeText } from './typing.ts';

type NewSyntax = Syntax.Expression & { readonly kind: 'new' };

export function bindNew(b: Binder, syntax: NewSyntax): Bound {
  const given = bindArguments(b, syntax.arguments);
  if (!syntax.type) return { kind: 'new', syntax, arguments: given };
  const type = bindType(b, syntax.type);
  const parameter = syntax.type.kind === 'nameType' ? b.typeParameters.get(syntax.type.name.text) : undefined;
  if (parameter) return createParameter(b, syntax, parameter, type, given);
  return create(b, syntax, type, given, syntax.type) ?? errorBound(syntax);
}

/** `new T()`, for which the constraints of T must promise a constructor. */
function createParameter(
  b: Binder,
  syntax: NewSyntax,
  { name, constraints }: TypeParameter,
  type: Type,
  given: readonly BoundArgument[],
): Bound {
  const promised = ['new()', 'struct', 'unmanaged'].some((constraint) => constraints.includes(constraint));
  if (!promised || given.length > 0) {
    b.report(promised ? 'CS0417' : 'CS0304', syntax, name);
    return giveUp(b, syntax, given);
  }
  const { diagnostics, result } = b.capture(() => create(b, syntax, type, given, syntax.type!));
  // While no more than constraints is known, the type may be one that has no objects of its own.
  return result && diagnostics.length === 0 ? result : value(syntax, type, { kind: 'default', type });
}

/** `new(…)` once its type is known. */
export function createTargetTyped(b: Binder, bound: Bound & { kind: 'new' }, to: Type): Tree.Expression {
  const type = to.kind === 'nullable' ? to.element : to;
  const made = create(b, bound.syntax, type, bound.arguments, bound.syntax);
  if (made?.kind !== 'value') return { kind: 'default', type: to };
  return to.kind === 'nullable' ? convert(b, made, to) : made.tree;
}

function create(
  b: Binder,
  syntax: NewSyntax,
  type: Type,
  given: readonly BoundArgument[],
  at: Syntax.Node,
): Bound | null {
  if (type.kind === 'error') return giveUp(b, syntax, given);
  const symbol = b.library.symbolOf(type);
  const refuse = (id: string): Bound => {
    b.report(id, id === 'CS0144' || id === 'CS0712' ? syntax : at, typeText(type));
    return giveUp(b, syntax, given);
  };
  if (symbol?.shape === 'static class') return refuse('CS0712');
  if (symbol?.abstract || symbol?.shape === 'interface') return refuse('CS0144');
  if (symbol?.shape === 'delegate') return createDelegate(b, syntax, type, given);
  if (type.kind === 'tuple' || type.kind === 'array' || type.kind === 'nullable' || !symbol) {
    if (type.kind === 'nullable' && given.length === 1) {
      return value(syntax, type, convert(b, given[0]!.value, type));
    }
    if (given.length === 0 && type.kind !== 'array') return value(syntax, type, { kind: 'default', type });
    return refuse('CS1958');
  }
  const constructors = b.library.symbolOf(type)!.membersNamed('new');
  const isStruct = symbol.shape === 'struct' || symbol.shape === 'enum';
  const usual = constructors.some((member) => member.kind === 'method' && member.parameters.length === 0);
  let made: Bound;
  if (isStruct && given.length === 0 && !usual) made = value(syntax, type, { kind: 'default', type });
  else made = construct(b, syntax, type, given, at);
  if (made.kind !== 'value') return made;
  return syntax.initializer ? initialize(b, made, syntax.initializer) : made;
}

function construct(b: Binder, syntax: NewSyntax, type: Type, given: readonly BoundArgument[], at: Syntax.Node): Bound {
  const symbol = b.library.symbolOf(type)!;
  const map = b.library.mapOf(type, symbol);
  const candidates = symbol
    .membersNamed('new')
    .flatMap((member): Candidate[] =>
      member.kind === 'method' ? [{ method: member, local: null, map, extension: false }] : [],
    );
  const resolution = resolve(b, candidates, given, null);
  if (resolution.kind === 'chosen') {
    const { effects, values } = layArguments(b, resolution.fit, given);
    const { method } = resolution.fit.candidate;
    if (method!.user) {
      const made = construction(b, syntax, method!.user, values);
      return made.kind === 'value' ? { ...made, tree: sequence(effects, made.tree) } : made;
    }
    const tree: Tree.Expression = {
      kind: 'call',
      type,
      member: { key: method!.key, static: true },
      receiver: null,
      arguments: values,
      typeArguments: [],
    };
    return value(syntax, type, sequence(effects, tree));
  }
  if (given.some((argument) => isErroneous(argument.value))) return giveUp(b, syntax, given);
  const group = constructorGroup(type, candidates, at);
  if (resolution.kind === 'ambiguous') b.report('CS0121', at, 'new', 'new');
  else if (candidates.length === 0) b.report('CS1729', at, typeText(type), String(given.length));
  else return giveUp(b, syntax, given, reportMisfits(b, resolution.misfits, given, group));
  return giveUp(b, syntax, given, true);
}

/** `new Func<int, int>(lambda)` is the lambda. */
function createDelegate(b: Binder, syntax: NewSyntax, type: Type, given: readonly BoundArgument[]): Bound {
  const [only] = given;
  if (given.length !== 1 || !only) {
    b.report('CS0149', syntax);
    return giveUp(b, syntax, given);
  }
  if (isErroneous(only.value)) return errorBound(syntax);
  const { value: target } = only;
  if (target.kind === 'value' && b.library.symbolOf(target.type)?.shape !== 'delegate') {
    b.report('CS0149', target.syntax);
    return errorBound(syntax);
  }
  return value(syntax, type, convert(b, only.value, type));
}

// --- initializers ---

function initialize(b: Binder, made: Value, initializer: Syntax.Initializer): Bound {
  const local = b.temporary(made.type);
  const target = value(made.syntax, made.type, localTree(local), { place: { kind: 'temporary', local } });
  const effects: Tree.Expression[] = [assignLocal(local, made.tree)];
  const named = new Set<string>();
  for (const entry of initializer.entries) {
    const name = memberSet(entry);
    if (name !== null && named.has(name.text)) b.report('CS1912', name, name.text);
    else if (name !== null) named.add(name.text);
    const effect = initializeEntry(b, target, entry);
    if (effect) effects.push(effect);
  }
  return value(made.syntax, made.type, sequence(effects, localTree(local)));
}

/** The name in `Name = value`. */
function memberSet(entry: Syntax.Expression | Syntax.Initializer): Syntax.Name | null {
  if ('entries' in entry || entry.kind !== 'assignment') return null;
  return entry.operator === '=' && entry.target.kind === 'identifier' ? entry.target.name : null;
}

function initializeEntry(
  b: Binder,
  target: Value,
  entry: Syntax.Expression | Syntax.Initializer,
): Tree.Expression | null {
  if ('entries' in entry) return addEntry(b, target, entry, entry.entries);
  if (entry.kind === 'assignment' && entry.operator === '=' && entry.target.kind === 'identifier') {
    return setMember(b, target, entry, entry.target.name);
  }
  if (entry.kind === 'assignment' && entry.operator === '=' && entry.target.kind === 'collection') {
    return setIndexer(b, target, entry, entry.target);
  }
  return addEntry(b, target, entry, [entry]);
}

function setMember(
  b: Binder,
  target: Value,
  entry: Syntax.Expression & { kind: 'assignment' },
  name: Syntax.Name,
): Tree.Expression | null {
  const found = b.library.members(target.type, name.text)[0];
  const right = bindValue(b, entry.value);
  if (!found || found.symbol.kind === 'method') {
    b.report('CS0117', name, typeText(target.type), name.text);
    return null;
  }
  const { symbol } = found;
  if (symbol.user !== undefined) return setOwn(b, target, name, found, right);
  const type = substitute(symbol.type, found.map);
  const key = symbol.kind === 'property' ? symbol.setKey : symbol.readonly ? null : symbol.key;
  if (key === null) {
    b.report(symbol.kind === 'property' ? 'CS0200' : 'CS0191', name, name.text);
    return null;
  }
  if (isErroneous(right)) return null;
  const place: Tree.Target = {
    kind: 'member',
    type,
    setter: { key, static: false },
    receiver: target.tree,
    arguments: [],
  };
  return { kind: 'assign', type, target: place, value: convert(b, right, type) };
}

/** A member of a type of the source, one that is `init` too. */
function setOwn(b: Binder, target: Value, name: Syntax.Name, found: FoundMember, right: Bound): Tree.Expression | null {
  const { symbol } = found;
  const at: Syntax.Expression & { kind: 'member' } = {
    ...{
      kind: 'member',
      receiver: { kind: 'error', ...name },
      name,
      typeArguments: null,
      start: name.start,
      end: name.end,
    },
  };
  const bound = memberOfFound(b, at, target, [found], null);
  if (bound.kind !== 'value' || isErroneous(right)) return null;
  const isInit = symbol.kind === 'property' && symbol.user!.isInit;
  if (!isInit && !checkAssignable(b, bound, name)) return null;
  return placed(b, bound, false).store(convert(b, right, bound.type));
}

function setIndexer(
  b: Binder,
  target: Value,
  entry: Syntax.Expression & { kind: 'assignment' },
  indices: Syntax.Expression & { kind: 'collection' },
): Tree.Expression | null {
  const given = indices.elements.map(
    ({ value: own }): BoundArgument => ({ syntax: own, name: null, mode: 'value', value: bindValue(b, own) }),
  );
  const right = bindValue(b, entry.value);
  const bound = bindIndexer(b, indices, target, given);
  if (bound?.kind !== 'value' || bound.place?.kind !== 'member' || bound.place.symbol.kind !== 'property') {
    if (!bound) b.report('CS0021', indices, typeText(target.type));
    return null;
  }
  const { symbol } = bound.place;
  if (symbol.setKey === null) {
    b.report('CS0200', indices, symbol.name);
    return null;
  }
  const setter = { key: symbol.setKey, static: false };
  const place: Tree.Target = {
    kind: 'member',
    type: bound.type,
    setter,
    receiver: target.tree,
    arguments: bound.place.arguments,
  };
  return { kind: 'assign', type: bound.type, target: place, value: convert(b, right, bound.type) };
}

/** `{ 1, 2 }` and `{ { key, value } }`: calls of Add. */
function addEntry(
  b: Binder,
  target: Value,
  at: Syntax.Node,
  entries: readonly (Syntax.Expression | Syntax.Initializer)[],
): Tree.Expression | null {
  const given = entries.flatMap((own): BoundArgument[] =>
    'entries' in own ? [] : [{ syntax: own, name: null, mode: 'value', value: bindValue(b, own) }],
  );
  const candidates = b.library
    .members(target.type, 'Add')
    .flatMap(({ symbol, map }): Candidate[] =>
      symbol.kind === 'method' ? [{ method: symbol, local: null, map, extension: false }] : [],
    );
  if (candidates.length === 0) {
    b.report('CS1922', at, typeText(target.type));
    return null;
  }
  const bound = callGroup(
    b,
    at,
    { kind: 'methods', syntax: at, nameSpan: at, name: 'Add', receiver: target, candidates, typeArguments: null },
    given,
  );
  return bound.kind === 'value' ? bound.tree : null;
}

// --- anonymous types, stackalloc ---

export function bindAnonymous(b: Binder, syntax: Syntax.Expression & { kind: 'newAnonymous' }): Bound {
  const members: { name: string; type: Type }[] = [];
  const labels = new Set<string>();
  const values: Tree.Expression[] = [];
  let wrong = false;
  for (const { name, value: own } of syntax.members) {
    const bound = bindValue(b, own);
    const label = name?.text ?? (own.kind === 'identifier' || own.kind === 'member' ? own.name.text : null);
    if (label === null) {
      b.report('CS0746', own);
      wrong = true;
      continue;
    }
    if (labels.has(label)) b.report('CS0833', { start: (name ?? own).start, end: own.end }, label);
    const usable = bound.kind === 'value' && bound.type.kind !== 'null' && !isPrimitive(bound.type, 'void');
    if (!usable && !isErroneous(bound))
      b.report('CS0828', name ? { start: name.start, end: own.end } : own, describe(bound));
    if (!usable || isErroneous(bound)) {
      wrong = true;
      continue;
    }
    labels.add(label);
    members.push({ name: label, type: (bound as Value).type });
    values.push((bound as Value).tree);
  }
  if (wrong) return errorBound(syntax);
  const type: Type = { kind: 'anonymous', members };
  return value(syntax, type, { kind: 'anonymous', type, values });
}

function describe(bound: Bound): string {
  return bound.kind === 'value' ? typeText(bound.type) : bound.kind;
}

/** A span over fresh zeros: what lives on the stack in C# lives in the scratch space here. */
export function bindStackalloc(b: Binder, syntax: Syntax.Expression & { kind: 'stackalloc' }): Bound {
  const element = syntax.element ? bindType(b, syntax.element) : null;
  const size = syntax.size ? arraySize(b, syntax.size) : null;
  const values = syntax.initializer ? bindInitializerValues(b, syntax.initializer) : null;
  const type = element ?? (values ? bestCommonType(b, values) : null);
  if (!type || type.kind === 'error' || (!size && !values) || values?.some(isErroneous)) {
    if (!type && values && !values.some(isErroneous)) b.report('CS0826', syntax);
    return errorBound(syntax);
  }
  const array = arrayOf(type);
  const tree: Tree.Expression = {
    kind: 'newArray',
    type: array,
    sizes: values ? [] : [size ?? intConstant(0)],
    values: values ? values.map((own) => convert(b, own, type)) : null,
  };
  const span = named('Span', type);
  return value(syntax, span, convert(b, value(syntax, array, tree), span));
}

// The functions behind the members of a source's types: statics and their constructors, objects' constructors, methods and accessors, and what the
// library asks of objects. All of them are local functions of the one that the host runs; static fields are its variables, new for each call.

import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import { arrayFromInitializer } from './arrays.ts';
import type { Binder } from './binder.ts';
import type { Bound, BoundArgument, Candidate } from './bound.ts';
import { assignLocal, constructorGroup, convertTree, localTree } from './build.ts';
import { bindArguments, layArguments } from './calls.ts';
import { checkAccess } from './class-access.ts';
import { checkTypes } from './class-checks.ts';
import { addHooks } from './class-hooks.ts';
import type { Classes, ClassType, UserField, UserMethod } from './class-model.ts';
import { checkChains } from './class-signatures.ts';
import { defaultTree, isReferenceType } from './conversions.ts';
import { convert } from './converting.ts';
import { bindExpression } from './expressions.ts';
import { bindGeneric } from './generic-functions.ts';
import { bindFunction } from './local-functions.ts';
import { reportMisfits } from './misfits.ts';
import { resolve } from './overloads.ts';
import { targetOfPlace } from './places.ts';
import type { LocalSymbol } from './scopes.ts';
import { isPrimitive, named, OBJECT, STRING, typeText, VOID } from './typing.ts';

export function newClasses(all: readonly ClassType[]): Classes {
  return {
    all,
    current: null,
    isStatic: true,
    isConstructing: false,
    isInitializing: false,
    byName: new Map(all.map((one) => [one.name, one])),
    made: [],
    chains: new Map(),
    bindConstant,
    constantOf,
    bindMembers,
    inside: (b, current, run) =>
      inside(b, { current, isStatic: true, isConstructing: false, isInitializing: false }, run),
    targetOf: targetOfPlace,
  };
}

type Place = Pick<Classes, 'current' | 'isStatic' | 'isConstructing' | 'isInitializing'>;

/** Runs as inside of a member of a class. */
function inside<T>(b: Binder, place: Place, run: () => T): T {
  const classes = b.classes!;
  const { current, isStatic, isConstructing, isInitializing } = classes;
  const { typeNames } = b;
  Object.assign(classes, place);
  if (place.current !== null) b.typeNames = place.current.typeNames;
  try {
    return run();
  } finally {
    Object.assign(classes, { current, isStatic, isConstructing, isInitializing });
    b.typeNames = typeNames;
  }
}

// --- Constants -------------------------------------------------------------------------------------------------------------

function bindConstant(b: Binder, syntax: Syntax.Expression): Tree.ConstantValue | undefined | 'wrong' {
  const bound = bindExpression(b, syntax);
  if (bound.kind === 'error') return 'wrong';
  return bound.kind === 'value' ? bound.constant : undefined;
}

/** CS0110, CS0133. */
function constantOf(b: Binder, field: UserField): Tree.ConstantValue | undefined {
  const { initializer } = field;
  if (field.constant !== undefined || initializer === null) return field.constant;
  if ('entries' in initializer) {
    b.report('CS0134', initializer, typeText(field.type));
    return undefined;
  }
  if (field.pending) {
    b.report('CS0110', field.name, field.name.text);
    return undefined;
  }
  field.pending = true;
  const tree = inside(b, { current: field.owner, isStatic: true, isConstructing: false, isInitializing: false }, () => {
    const bound = bindExpression(b, initializer);
    b.unsplit();
    if (bound.kind === 'error') return null;
    const converted = convert(b, bound, field.type);
    const isReference =
      field.type.kind === 'array' || (isReferenceType(b, field.type) && !isPrimitive(field.type, 'string'));
    if (converted.kind !== 'constant' && isReference) {
      if (converted.kind !== 'default') b.report('CS0134', initializer, typeText(field.type));
    } else if (converted.kind !== 'constant') b.report('CS0133', initializer, field.name.text);
    return converted;
  });
  field.pending = false;
  field.constant = tree?.kind === 'constant' ? tree.value : undefined;
  return field.constant;
}

// --- Layout ------------------------------------------------------------------------------------------------------------------

/** Places of fields: those of the base class first. A class with one object alone has none. */
function layOut(one: ClassType, done: Set<ClassType>): void {
  if (done.has(one)) return;
  done.add(one);
  if (one.base !== null) layOut(one.base, done);
  const fields = [...(one.base?.user.fields ?? [])];
  for (const field of one.fields) {
    if (field.isStatic || field.isConst || one.isAlone) continue;
    field.index = fields.length;
    fields.push(field.type);
  }
  one.user.fields = fields;
  if (!one.syntax.isRecord) return;
  const shown = one.fields.filter(({ access, isStatic, isConst }) => access === 'public' && !isStatic && !isConst);
  one.user.shown = [
    ...(one.base?.user.shown ?? []),
    ...shown.map(({ name, index, type }) => ({ name: name.text, index, type })),
  ];
}

function declareStatics(b: Binder, all: readonly ClassType[]): LocalSymbol[] {
  const statics: LocalSymbol[] = [];
  for (const one of all) {
    for (const field of one.fields) {
      if (field.isConst || !(field.isStatic || one.isAlone)) continue;
      // No name of a source has a blank.
      const symbol = b.declare({ ...field.name, text: `${one.name} ${field.name.text}` }, field.type);
      Object.assign(symbol, { name: field.name.text, field, used: true, assigned: true });
      b.assign(symbol);
      symbol.local.captured = true;
      field.local = symbol;
      statics.push(symbol);
    }
  }
  return statics;
}

// --- Members -------------------------------------------------------------------------------------------------------------------

/** Where the types of the source begin to be there. */
function bindMembers(b: Binder): Tree.Statement {
  const classes = b.classes!;
  const { all } = classes;
  checkTypes(b, all);
  const done = new Set<ClassType>();
  for (const one of all) layOut(one, done);
  const statics = declareStatics(b, all);
  const functions: Tree.Statement[] = [];
  for (const one of all) {
    for (const field of one.fields) if (field.isConst) constantOf(b, field);
    for (const method of one.methods) functions.push(...bindMethod(b, method));
  }
  for (const one of all) checkChains(b, one, classes.chains);
  const starts = all.flatMap((one) => startOf(b, one));
  addHooks(b, all, functions);
  const fresh = statics.map(
    ({ local }): Tree.Statement => ({ kind: 'evaluate', value: assignLocal(local, defaultTree(b, local.type)) }),
  );
  functions.push(...classes.made);
  return { kind: 'block', declares: [], statements: [...functions, ...fresh, ...starts] };
}

/** Values of static fields as they are written, then the static constructor. */
function startOf(b: Binder, one: ClassType): Tree.Statement[] {
  const found = inside(b, { current: one, isStatic: true, isConstructing: true, isInitializing: true }, () =>
    one.fields.flatMap((field) => (field.isStatic && !field.isConst ? initializing(b, field, null) : [])),
  );
  const own = one.methods.find(({ name }) => name === '.cctor');
  const tree = own?.function?.tree;
  if (tree === undefined) return found;
  return [...found, { kind: 'evaluate', value: { kind: 'callLocal', type: VOID, function: tree, arguments: [] } }];
}

/** `self`: the object; null: the field is a variable. */
function initializing(b: Binder, field: UserField, self: Tree.Local | null): Tree.Statement[] {
  const { initializer, type, local } = field;
  if (initializer === null) return [];
  return b.inScope([initializer], (scope): Tree.Statement[] => {
    let tree: Tree.Expression;
    if ('entries' in initializer) {
      if (type.kind !== 'array') {
        b.report('CS0622', initializer);
        return [];
      }
      const array = arrayFromInitializer(b, initializer, type, initializer, []);
      if (array.kind !== 'value') return [];
      tree = array.tree;
    } else {
      const bound: Bound = bindExpression(b, initializer);
      b.unsplit();
      if (bound.kind === 'error') return [];
      tree = convert(b, bound, type);
    }
    const store = local !== null ? assignLocal(local.local, tree) : storeField(field, self as Tree.Local, tree);
    return [{ kind: 'block', declares: scope.declares, statements: [{ kind: 'evaluate', value: store }] }];
  });
}

function storeField(field: UserField, self: Tree.Local, tree: Tree.Expression): Tree.Expression {
  const { type, index } = field;
  const target: Tree.Target =
    field.owner.shape === 'struct'
      ? { kind: 'tupleElement', type, tuple: { kind: 'local', type: self.type, local: self }, index }
      : { kind: 'field', type, object: localTree(self), index };
  return { kind: 'assign', type, target, value: tree };
}

function bindMethod(b: Binder, method: UserMethod): Tree.Statement[] {
  const { function: symbol, owner, body, field, hasThis } = method;
  if (symbol === null) return [];
  const isStatic = method.isStatic;
  const place = {
    current: owner,
    isStatic,
    isConstructing: method.isConstructor || method.name === '.cctor',
    isInitializing: false,
  };
  return inside(b, place, () => {
    let self: Tree.Local | null = null;
    const declareSelf = (): Tree.Local => {
      const declared = b.declare({ text: 'this', start: 0, end: 0 }, owner.type, {
        parameter: true,
        byReference: owner.shape === 'struct',
      });
      b.assign(declared);
      self = declared.local;
      return declared.local;
    };
    if (body === null && field !== null) return [bareAccessor(b, method, field)];
    if (symbol.generic !== null) return [bindGeneric(b, symbol)];
    const opening = method.isConstructor ? () => beforeConstructor(b, method, self) : null;
    return [bindFunction(b, symbol, hasThis ? declareSelf : null, opening)];
  });
}

/** `get;` and `set;`. */
function bareAccessor(
  b: Binder,
  { function: symbol, owner, hasThis, name }: UserMethod,
  field: UserField,
): Tree.Statement {
  const { tree, returnType } = symbol!;
  const self = b.newLocal('this', owner.type, owner.shape === 'struct');
  const given = symbol!.parameters.map((parameter) => b.newLocal(parameter.name, parameter.type));
  const read: Tree.Expression =
    field.local !== null
      ? localTree(field.local.local)
      : owner.shape === 'struct'
        ? { kind: 'tupleElement', type: field.type, tuple: localTree(self), index: field.index }
        : { kind: 'field', type: field.type, object: localTree(self), index: field.index };
  const written = (): Tree.Expression => {
    const content = localTree(given[0]!);
    return field.local !== null ? assignLocal(field.local.local, content) : storeField(field, self, content);
  };
  const statement: Tree.Statement = name.startsWith('get_')
    ? { kind: 'return', value: read }
    : { kind: 'evaluate', value: written() };
  tree.code = {
    ...{ parameters: hasThis ? [self, ...given] : given, locals: [], returnType, captures: [] },
    body: { kind: 'block', declares: [], statements: [statement] },
  };
  return { kind: 'localFunction', function: tree };
}

/** Values of the object's fields, then the constructor of the base class; or another of its own class, which sees to both. */
function beforeConstructor(b: Binder, method: UserMethod, self: Tree.Local | null): Tree.Statement[] {
  const { owner, chain } = method;
  const classes = b.classes!;
  const statements: Tree.Statement[] = [];
  if (chain?.kind !== 'this') {
    Object.assign(classes, { isStatic: true, isInitializing: true });
    for (const field of owner.fields)
      if (!field.isStatic && !field.isConst) statements.push(...initializing(b, field, self));
    Object.assign(classes, { isStatic: false, isInitializing: false });
  }
  // Arguments of another constructor see no object yet.
  Object.assign(classes, { isStatic: true });
  const given = chain === null ? [] : bindArguments(b, chain.arguments);
  Object.assign(classes, { isStatic: false });
  const at: Syntax.Node = chain?.at ?? owner.syntax.name;
  if (chain?.kind === 'this') statements.push(...chained(b, method, owner, given, at, self));
  else if (owner.base !== null) statements.push(...chained(b, method, owner.base, given, at, self));
  else if (owner.libraryBase !== null && self !== null) {
    const wanted: readonly Type[] = [STRING, named('Exception')];
    const [message, inner] = given.map(({ value: bound }, index) => convert(b, bound, wanted[index] ?? OBJECT));
    if (given.length > 2) b.report('CS1729', at, 'Exception', String(given.length));
    const start: Tree.Expression = {
      ...{ kind: 'exceptionBase', type: VOID, object: localTree(self) },
      ...{ message: message ?? null, inner: inner ?? null },
    };
    statements.push({ kind: 'evaluate', value: start });
  } else if (given.length > 0) b.report('CS1729', at, 'object', String(given.length));
  return statements;
}

function chained(
  b: Binder,
  from: UserMethod,
  owner: ClassType,
  given: readonly BoundArgument[],
  at: Syntax.Node,
  self: Tree.Local | null,
): Tree.Statement[] {
  const candidates = owner.constructors.map(
    ({ symbol }): Candidate => ({ method: symbol, local: null, map: new Map(), extension: false }),
  );
  const resolution = resolve(b, candidates, given, null);
  if (resolution.kind !== 'chosen') {
    const group = constructorGroup(owner.type, candidates, at);
    if (given.some((argument) => argument.value.kind === 'error')) return [];
    if (resolution.kind === 'none') reportMisfits(b, resolution.misfits, given, group);
    else b.report('CS0121', at, 'new', 'new');
    return [];
  }
  const { effects, values } = layArguments(b, resolution.fit, given);
  const method = resolution.fit.candidate.method!.user!;
  checkAccess(b, owner, method.access, at, owner.syntax.name.text);
  if (from.owner === owner) b.classes!.chains.set(from, method);
  const first: Tree.CallArgument[] =
    self === null || !method.hasThis
      ? []
      : owner.shape === 'struct'
        ? [{ mode: 'ref', target: { kind: 'local', type: self.type, local: self } }]
        : [{ mode: 'value', value: convertTree(owner.type, localTree(self), 'identity') }];
  const call: Tree.Expression = {
    ...{ kind: 'callLocal', type: VOID, function: method.function!.tree, arguments: [...first, ...values] },
  };
  return [...effects, call].map((tree): Tree.Statement => ({ kind: 'evaluate', value: tree }));
}

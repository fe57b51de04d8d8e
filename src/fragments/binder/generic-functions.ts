// Generic local functions. A call infers or names its type arguments, and the body is bound anew for each list of them, with the type parameters
// standing for those types: back ends see plain functions. What C# says of a body whose type parameters are unknown is found out by binding
// it for types that know as little: `object` for what can be done with a value, a struct for what converts to the parameter.

import type { Diagnostic } from '../diagnostics.ts';
import { MAX_INSTANCES } from '../limits.ts';
import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import type { Binder } from './binder.ts';
import { bindFunction } from './local-functions.ts';
import type { GenericFunction, LocalFunctionSymbol } from './scopes.ts';
import type { MethodSymbol, ParameterSymbol, TypeParameter } from './symbols.ts';
import { named, OBJECT, type Substitution, substitute, typeText } from './typing.ts';

/** A struct without operators that nothing converts to. */
const UNKNOWN_STRUCT = named('KeyValuePair', named('Guid'), named('Guid'));

/** What a generic function is as a method, for inference; its types name the parameters. */
export function genericPart(
  b: Binder,
  name: string,
  typeParameters: readonly TypeParameter[],
  outer: ReadonlyMap<string, Type>,
  parameters: readonly ParameterSymbol[],
  returnType: Type,
): GenericFunction {
  const names = typeParameters.map(({ name }) => name);
  const method: MethodSymbol = {
    ...{ kind: 'method', name, parameters, returnType, static: true, extension: false, refused: null },
    owner: b.library.find('Object', 0, null)!,
    typeParameters,
    key: `${name}<${names.join(',')}>`,
  };
  const { checked, typeParameters: outerParameters } = b;
  return { names, outer, outerParameters, method, checked, instances: new Map(), statements: [] };
}

/** The type parameters of a function by name, while its signature is bound. */
export function withParameters(b: Binder, typeParameters: readonly Syntax.Name[]): Map<string, Type> {
  const names = new Map(b.typeNames);
  const own = new Set<string>();
  for (const { text, ...at } of typeParameters) {
    if (own.has(text)) b.report('CS0692', at, text);
    own.add(text);
    names.set(text, { kind: 'parameter', name: text });
  }
  return names;
}

/** Where the function stands: its body is checked, and its instances will be found in what this answers. */
export function bindGeneric(b: Binder, symbol: LocalFunctionSymbol): Tree.Statement {
  const generic = symbol.generic!;
  const { diagnostics } = known(b, symbol);
  const more: Diagnostic[] = [];
  if (!hasErrors(diagnostics)) {
    const strict = instanceOf(
      b,
      symbol,
      generic.method.typeParameters.map((parameter) => leastKnown(symbol, parameter, UNKNOWN_STRUCT)),
    );
    more.push(...strict.diagnostics.flatMap((one) => unknownType(b, one)));
  }
  // What is wrong with a value is said instead of that nobody uses it.
  b.diagnostics.push(...diagnostics.filter(({ id }) => more.length === 0 || id !== 'CS0219'), ...more);
  return { kind: 'block', declares: [], statements: generic.statements };
}

/** The body where no more is known of its type parameters than their constraints say. */
function known(b: Binder, symbol: LocalFunctionSymbol): Instance {
  const { typeParameters } = symbol.generic!.method;
  return instanceOf(
    b,
    symbol,
    typeParameters.map((parameter) => leastKnown(symbol, parameter, OBJECT)),
  );
}

/** A type that knows what the first telling constraint says; `unknown` where there is none. */
function leastKnown(symbol: LocalFunctionSymbol, { constraints }: TypeParameter, unknown: Type): Type {
  const base = constraints.find((constraint) => typeof constraint !== 'string' && constraint.kind !== 'error');
  if (base !== undefined) return substitute(base as Type, new Map(symbol.generic!.names.map((name) => [name, OBJECT])));
  if (constraints.includes('struct') || constraints.includes('unmanaged')) return UNKNOWN_STRUCT;
  return constraints.includes('class') ? OBJECT : unknown;
}

/** Of what is wrong for a struct, what is wrong for every type parameter. */
function unknownType(b: Binder, diagnostic: Diagnostic): Diagnostic[] {
  const text = b.text.slice(diagnostic.start, diagnostic.end);
  if (diagnostic.id === 'CS0029') return [diagnostic];
  if (diagnostic.id === 'CS0019' && /[=!]=/.test(text) && !/\bnull\b/.test(text)) return [diagnostic];
  return diagnostic.id === 'CS0037' ? [{ ...diagnostic, id: 'CS0403' }] : [];
}

function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}

/** The function for a call with these type arguments; null when it has been reported that there is none. */
export function instantiate(
  b: Binder,
  symbol: LocalFunctionSymbol,
  typeArguments: readonly Type[],
  at: Syntax.Node,
): LocalFunctionSymbol | null {
  const generic = symbol.generic!;
  if (generic.instances.size >= MAX_INSTANCES) {
    b.report('CS8652', at, `'${symbol.name}' for so many types`);
    return null;
  }
  const { instance, diagnostics } = instanceOf(b, symbol, typeArguments);
  symbol.used = true;
  if (!hasErrors(diagnostics)) return instance;
  // What is wrong for any types is said where the function stands.
  if (hasErrors(known(b, symbol).diagnostics)) return null;
  const types = typeArguments.map(typeText).join(', ');
  b.report('CS8652', at, `'${symbol.name}' for ${types}, where its body means something else`);
  return null;
}

interface Instance {
  readonly instance: LocalFunctionSymbol;
  readonly diagnostics: readonly Diagnostic[];
}

function instanceOf(b: Binder, symbol: LocalFunctionSymbol, typeArguments: readonly Type[]): Instance {
  const generic = symbol.generic!;
  const key = typeArguments.map(typeText).join(';');
  const before = generic.instances.get(key);
  if (before) return before;
  const map: Substitution = new Map(generic.names.map((name, at) => [name, typeArguments[at]!]));
  const instance: LocalFunctionSymbol = {
    ...symbol,
    generic: null,
    parameters: symbol.parameters.map((parameter) => ({ ...parameter, type: substitute(parameter.type, map) })),
    returnType: substitute(symbol.returnType, map),
    tree: { ...symbol.tree, id: b.newFunctionId() },
    needs: new Set(),
    captures: new Set(),
  };
  const made: { instance: LocalFunctionSymbol; diagnostics: readonly Diagnostic[] } = { instance, diagnostics: [] };
  generic.instances.set(key, made);
  const typeNames = new Map(generic.outer);
  const typeParameters = new Map(generic.outerParameters);
  for (const [name, type] of map) typeNames.set(name, type);
  for (const parameter of generic.method.typeParameters) typeParameters.set(parameter.name, parameter);
  made.diagnostics = inPlace(b, symbol, { typeNames, typeParameters }, () => {
    generic.statements.push(bindFunction(b, instance));
  });
  return made;
}

/** Runs where the function is declared, whatever is being bound; answers what is said meanwhile. */
function inPlace(
  b: Binder,
  symbol: LocalFunctionSymbol,
  types: Pick<Binder, 'typeNames' | 'typeParameters'>,
  run: () => void,
): readonly Diagnostic[] {
  const { scope, owner, checked, state, conditionalReceiver, notNull, typeNames, typeParameters } = b;
  const generic = symbol.generic!;
  const splitBefore = [b.split, b.whenTrue, b.whenFalse] as const;
  const [symbols, functions] = [b.symbols.length, b.functions.length];
  Object.assign(b, { scope: symbol.scope, owner: symbol.owner, checked: generic.checked, ...types });
  b.conditionalReceiver = null;
  b.notNull = null;
  b.setState(0n);
  try {
    return b.capture(run).diagnostics;
  } finally {
    Object.assign(b, { scope, owner, checked, conditionalReceiver, notNull, typeNames, typeParameters });
    b.state = state;
    [b.split, b.whenTrue, b.whenFalse] = splitBefore;
    // Each instance has locals of its own: they are looked at once, with the first.
    if (generic.instances.size > 1) {
      b.symbols.length = symbols;
      b.functions.length = functions;
    }
  }
}

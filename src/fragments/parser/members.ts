// Members of types: fields, properties, indexers, methods, constructors, operators, and the constants of enums.

import type { Argument, Expression, Name, Node, Parameter, TypeSyntax } from '../syntax.ts';
import { END, IDENTIFIER } from '../tokens.ts';
import type {
  AccessorSyntax,
  AccessorWord,
  BodySyntax,
  FunctionSyntax,
  MemberSyntax,
  TypeDeclaration,
  TypeKind,
} from '../unit-syntax.ts';
import { parseArguments } from './arguments.ts';
import { parseConstraints } from './constraints.ts';
import { parseInitializer } from './creation.ts';
import { giveUp, parseMemberName, parseModifiers, refuse, required } from './declaring.ts';
import { parseExpression } from './expressions.ts';
import { parseParameters } from './lambdas.ts';
import { parseBlock } from './statements.ts';
import type { TokenStream } from './stream.ts';
import { parseType } from './types.ts';

type Modifiers = ReadonlySet<string>;

export function parseEnumMembers(p: TokenStream): TypeDeclaration['constants'] {
  const found: { name: Name; value: Expression | null }[] = [];
  while (p.is(IDENTIFIER)) {
    const name = p.identifier();
    found.push({ name, value: p.accept('=') ? parseExpression(p) : null });
    if (!p.accept(',')) break;
  }
  if (!p.is('}')) required(p, '}');
  return found;
}

export function parseMember(
  p: TokenStream,
  owner: Name,
  modifiers: Modifiers,
  start: number,
  kind: TypeKind,
): MemberSyntax {
  p.enter();
  const member = readMember(p, owner, modifiers, start, kind);
  p.leave();
  return member;
}

function readMember(p: TokenStream, owner: Name, modifiers: Modifiers, start: number, kind: TypeKind): MemberSyntax {
  if (p.is('~')) refuse(p, 'A finalizer');
  if (p.is('event')) refuse(p, 'An event');
  if (p.is('implicit') || p.is('explicit')) refuse(p, 'A conversion of its own');
  if (p.is('fixed')) giveUp(p, 'CS0214', 'A buffer of fixed size cannot be used in a plugin.');
  if (p.isWord(owner.text) && p.peek(1).kind === '(') return parseConstructor(p, modifiers, start);
  if (p.is(IDENTIFIER) && p.peek(1).kind === '(') {
    giveUp(p, 'CS1520', 'A method needs a return type.');
  }
  const type = parseType(p);
  if (type.kind === 'refType') refuse(p, 'A member that returns a reference');
  if (p.is('operator')) return parseOperator(p, modifiers, start, type);
  if (p.is('this')) return parseIndexer(p, modifiers, start, type);
  const name = parseMemberName(p);
  if (p.is('.')) refuse(p, 'An explicit implementation of an interface');
  switch (p.current.kind) {
    case '(':
    case '<':
      return parseMethod(p, modifiers, start, type, name, kind);
    case '{':
    case '=>':
      return parseProperty(p, modifiers, start, type, name, null);
    default:
      return parseField(p, modifiers, start, type, name);
  }
}

function parseField(p: TokenStream, modifiers: Modifiers, start: number, type: TypeSyntax, first: Name): MemberSyntax {
  const declarators: (MemberSyntax & { kind: 'field' })['declarators'][number][] = [];
  for (let name = first; ; name = p.identifier()) {
    let initializer = null;
    if (p.accept('=')) initializer = p.is('{') ? parseInitializer(p) : parseExpression(p);
    else if (modifiers.has('const')) p.reportAt('CS0145', 'A constant needs a value.', name);
    declarators.push({ name, initializer, start: name.start, end: Math.max(name.end, p.lastEnd) });
    if (!p.accept(',')) break;
  }
  required(p, ';');
  return { kind: 'field', modifiers, type, declarators, start, end: p.lastEnd };
}

/** A block, or `=> expression;`. */
function parseBody(p: TokenStream): BodySyntax {
  if (p.is('{')) return parseBlock(p);
  p.next();
  const body = parseExpression(p);
  p.expect(';');
  return body;
}

function parseMethod(
  p: TokenStream,
  modifiers: Modifiers,
  start: number,
  returnType: TypeSyntax,
  name: Name,
  kind: TypeKind,
): MemberSyntax {
  const typeParameters: Name[] = [];
  if (p.accept('<')) {
    do typeParameters.push(p.identifier());
    while (p.accept(','));
    p.expect('>');
  }
  const parameters = parseParameters(p, true);
  const constraints = parseConstraints(p);
  let body: BodySyntax = { kind: 'error', ...p.missing() };
  const hasBody = p.is('{') || p.is('=>');
  if (hasBody) body = parseBody(p);
  else {
    if (p.is(';') && kind !== 'interface' && !modifiers.has('abstract')) {
      p.reportAt('CS0501', `The method '${name.text}' needs a body.`, name);
    }
    required(p, ';');
  }
  const made: FunctionSyntax = {
    ...{ kind: 'localFunction', static: false, returnType, name, typeParameters, constraints, parameters, body },
    ...{ start, end: p.lastEnd },
  };
  return { kind: 'method', modifiers, function: made, hasBody, start, end: p.lastEnd };
}

function parseConstructor(p: TokenStream, modifiers: Modifiers, start: number): MemberSyntax {
  const name = p.identifier();
  const parameters = parseParameters(p, true);
  let chain: (MemberSyntax & { kind: 'constructor' })['chain'] = null;
  if (p.accept(':')) {
    const at: Node = p.current;
    const kind = p.is('this') ? 'this' : 'base';
    if (!p.accept('this')) required(p, 'base');
    if (!p.is('(')) required(p, '(');
    const given: readonly Argument[] = parseArguments(p, ')');
    chain = { kind, at: { start: at.start, end: p.lastEnd }, arguments: given };
  }
  if (!p.is('{') && !p.is('=>')) {
    p.reportAt('CS0501', 'A constructor needs a body.', name);
    required(p, '{');
  }
  return { kind: 'constructor', modifiers, name, parameters, chain, body: parseBody(p), start, end: p.lastEnd };
}

function parseOperator(p: TokenStream, modifiers: Modifiers, start: number, returnType: TypeSyntax): MemberSyntax {
  p.next();
  const { start: from } = p.current;
  let symbol = '';
  while (!p.is('(') && !p.is(END)) symbol += p.next().kind;
  const name = { text: `operator ${symbol}`, start: from, end: p.lastEnd };
  const parameters = parseParameters(p, true);
  const made: FunctionSyntax = {
    ...{ kind: 'localFunction', static: true, returnType, name, typeParameters: [], constraints: [], parameters },
    ...{ body: p.is('{') || p.is('=>') ? parseBody(p) : giveUp(p, 'CS0501', 'An operator needs a body.') },
    ...{ start, end: p.lastEnd },
  };
  return { kind: 'method', modifiers, function: made, hasBody: true, start, end: p.lastEnd };
}

function parseIndexer(p: TokenStream, modifiers: Modifiers, start: number, type: TypeSyntax): MemberSyntax {
  const at = p.next();
  // The brackets hold what parentheses hold elsewhere.
  if (!p.is('[')) required(p, '[');
  p.next();
  const parameters: Parameter[] = [];
  do {
    const from = p.current.start;
    const own = parseType(p);
    const name = p.identifier();
    parameters.push({ name, type: own, mode: 'value', default: null, start: from, end: name.end });
  } while (p.accept(','));
  required(p, ']');
  return parseProperty(p, modifiers, start, type, { text: 'this', start: at.start, end: at.end }, parameters);
}

function parseProperty(
  p: TokenStream,
  modifiers: Modifiers,
  start: number,
  type: TypeSyntax,
  name: Name,
  parameters: readonly Parameter[] | null,
): MemberSyntax {
  const shared = { kind: 'property', modifiers, type, name, parameters, start } as const;
  if (p.is('=>')) {
    const get = parseBody(p);
    return { ...shared, get, set: null, isInit: false, accessors: [], initializer: null, end: p.lastEnd };
  }
  p.next();
  let [get, set]: [AccessorSyntax, AccessorSyntax] = [null, null];
  let isInit = false;
  const accessors: AccessorWord[] = [];
  while (!p.is('}')) {
    const own = parseModifiers(p);
    const word = ['get', 'set', 'init'].find((one) => p.isWord(one));
    if (word === undefined) giveUp(p, 'CS1014', "A 'get' or 'set' is expected.");
    const { start: at, end } = p.next();
    const body: AccessorSyntax = p.accept(';') ? 'auto' : p.is('{') || p.is('=>') ? parseBody(p) : null;
    if (body === null) required(p, ';');
    const kind = word === 'get' ? 'get' : 'set';
    if (accessors.some((other) => other.word === kind))
      p.report('CS1007', 'The property has this accessor already.', at, end);
    accessors.push({ word: kind, isAuto: body === 'auto', modifiers: own, start: at, end });
    if (word === 'get') get = body;
    else {
      set = body;
      isInit = word === 'init';
    }
  }
  p.next();
  let initializer = null;
  if (p.accept('=')) {
    initializer = p.is('{') ? parseInitializer(p) : parseExpression(p);
    required(p, ';');
  }
  return { ...shared, get, set, isInit, accessors, initializer, end: p.lastEnd };
}

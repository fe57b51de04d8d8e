// Query syntax: `from x in xs where x > 1 orderby x select x * 2` becomes the calls of LINQ's methods that C# makes of it. Where a query has
// several variables they travel as members of one anonymous object, whose parameter has a name that no source can write; an expression that
// reads a variable then reads that member. What is missing is put in and reported.

import { MAX_QUERY_VARIABLES } from '../limits.ts';
import { step } from '../steps.ts';
import type { Argument, Expression, Name, Node, Parameter, TypeSyntax } from '../syntax.ts';
import { IDENTIFIER, isPredefinedType } from '../tokens.ts';
import { parseExpression } from './expressions.ts';
import { NestingError, type TokenStream } from './stream.ts';
import { parseType } from './types.ts';

/** `from x in …` or `from T x in …`. */
export function startsQuery(p: TokenStream): boolean {
  if (!p.isWord('from')) return false;
  const after = p.peek(1);
  if (after.kind !== IDENTIFIER && !isPredefinedType(after.kind)) return false;
  if (p.peek(2).kind === 'in') return true;
  const end = p.types.typeEnd(p.index + 1);
  return end >= 0 && p.tokens[end]!.kind === IDENTIFIER && p.tokens[end + 1]!.kind === 'in';
}

/** The object of several variables: no identifier has a space. */
const together = ' of the query';

/** The query so far: what it gives, and the variables in scope, of which each item holds one value. */
interface Query {
  readonly start: number;
  readonly source: Expression;
  readonly variables: readonly Name[];
  /** Whether anything was done to the source. */
  readonly hasClauses: boolean;
}

export function parseQuery(p: TokenStream): Expression {
  p.enter();
  const { start } = p.next();
  const { name, source } = parseSource(p);
  let query: Query = { start, source, variables: [name], hasClauses: false };
  for (;;) {
    query = parseClauses(p, query);
    const ended = parseEnd(p, query);
    if (!p.isWord('into')) {
      p.leave();
      return ended;
    }
    p.next();
    query = { start, source: ended, variables: [p.identifier()], hasClauses: false };
  }
}

/** `x in xs` behind a `from` or `join`; a type in front of the variable casts the items. */
function parseSource(p: TokenStream): { readonly name: Name; readonly source: Expression } {
  const isTyped = p.peek(1).kind !== 'in';
  const type = isTyped ? parseType(p) : null;
  const name = p.identifier();
  p.expect('in');
  const source = parseExpression(p);
  return { name, source: type === null ? source : call(source, 'Cast', [], [type]) };
}

function parseClauses(p: TokenStream, first: Query): Query {
  let query = first;
  for (;;) {
    if (p.isWord('where')) query = parseWhere(p, query);
    else if (startsQuery(p)) query = parseFrom(p, query);
    else if (p.isWord('let')) query = parseLet(p, query);
    else if (p.isWord('orderby')) query = parseOrder(p, query);
    else if (p.isWord('join')) query = parseJoin(p, query);
    else return query;
  }
}

const after = (query: Query, source: Expression, variables = query.variables): Query => ({
  ...{ start: query.start, source, variables },
  hasClauses: true,
});

function parseWhere(p: TokenStream, query: Query): Query {
  p.next();
  return after(query, call(query.source, 'Where', [over(query, parseExpression(p))]));
}

function parseFrom(p: TokenStream, query: Query): Query {
  p.next();
  const { name, source } = parseSource(p);
  const joined = lambda([parameterOf(query), plain(name)], objectOf(query, name, variable(name)), name);
  return after(query, call(query.source, 'SelectMany', [over(query, source), joined]), [...query.variables, name]);
}

function parseLet(p: TokenStream, query: Query): Query {
  p.next();
  const name = p.identifier();
  p.expect('=');
  const value = within(query, parseExpression(p));
  const made = lambda([parameterOf(query)], objectOf(query, name, value), value);
  return after(query, call(query.source, 'Select', [made]), [...query.variables, name]);
}

function parseOrder(p: TokenStream, query: Query): Query {
  p.next();
  let { source } = query;
  let method = 'OrderBy';
  do {
    const key = over(query, parseExpression(p));
    const isDescending = p.isWord('descending');
    if (isDescending || p.isWord('ascending')) p.next();
    source = call(source, isDescending ? `${method}Descending` : method, [key]);
    method = 'ThenBy';
  } while (p.accept(','));
  return after(query, source);
}

/** `join y in ys on a equals b`, and with `into g` the group of those that fit. */
function parseJoin(p: TokenStream, query: Query): Query {
  p.next();
  const { name, source } = parseSource(p);
  expectWord(p, 'on', 'CS0744');
  const outer = over(query, parseExpression(p));
  expectWord(p, 'equals', 'CS0745');
  const right = parseExpression(p);
  const inner = lambda([plain(name)], right, right);
  const isGroup = p.isWord('into');
  if (isGroup) p.next();
  const result = isGroup ? p.identifier() : name;
  const joined = lambda([parameterOf(query), plain(result)], objectOf(query, result, variable(result)), result);
  const method = isGroup ? 'GroupJoin' : 'Join';
  const made = call(query.source, method, [argument(source), outer, inner, joined]);
  return after(query, made, [...query.variables, result]);
}

/** `select …` or `group … by …`. */
function parseEnd(p: TokenStream, query: Query): Expression {
  if (p.isWord('group')) {
    p.next();
    const value = parseExpression(p);
    expectWord(p, 'by', 'CS0742');
    const key = over(query, parseExpression(p));
    return call(query.source, 'GroupBy', isWhole(query, value) ? [key] : [key, over(query, value)]);
  }
  if (!p.isWord('select')) {
    p.reportMissing('CS0742', "A query ends with 'select' or 'group'.");
    return query.source;
  }
  p.next();
  const value = parseExpression(p);
  if (query.hasClauses && isWhole(query, value)) return query.source;
  return call(query.source, 'Select', [over(query, value)]);
}

function expectWord(p: TokenStream, word: string, id: string): void {
  if (p.isWord(word)) p.next();
  else p.reportMissing(id, `A '${word}' is missing.`);
}

/** Whether a value is the one variable of the query. */
function isWhole({ variables }: Query, value: Expression): boolean {
  return variables.length === 1 && value.kind === 'identifier' && value.name.text === variables[0]?.text;
}

// --- Trees of calls -------------------------------------------------------------------------------------------------------

const span = ({ start, end }: Node): Node => ({ start, end });
const argument = (value: Expression): Argument => ({ name: null, mode: 'value', value, ...span(value) });
const plain = (name: Name): Parameter => ({ name, type: null, mode: 'value', default: null, ...span(name) });
const variable = (name: Name): Expression => ({ kind: 'identifier', name, typeArguments: null, ...span(name) });

function call(
  source: Expression,
  method: string,
  list: readonly Argument[],
  typeArguments: readonly TypeSyntax[] | null = null,
): Expression {
  const end = Math.max(source.end, ...list.map((each) => each.end));
  // What is wrong with the method is said of the source.
  const name = { text: method, ...span(source) };
  const callee: Expression = { kind: 'member', receiver: source, name, typeArguments, ...span(source) };
  return { kind: 'call', callee, arguments: list, start: source.start, end };
}

function lambda(parameters: readonly Parameter[], body: Expression, at: Node): Argument {
  const arrow = { start: at.start, end: at.start };
  const made: Expression = { kind: 'lambda', returnType: null, parameters, body, arrow, static: false, ...span(at) };
  return argument(made);
}

/** The parameter that an item of the query is. */
function parameterOf({ variables, source }: Query): Parameter {
  const [first] = variables;
  return plain(variables.length === 1 && first !== undefined ? first : { text: together, ...span(source) });
}

/** A function of an item. */
function over(query: Query, body: Expression): Argument {
  return lambda([parameterOf(query)], within(query, body), body);
}

/** An object of all variables and a new one. */
function objectOf(query: Query, name: Name, value: Expression): Expression {
  step(query.variables.length);
  if (query.variables.length >= MAX_QUERY_VARIABLES) throw new NestingError();
  const members = query.variables.map((each) => ({ name: each, value: within(query, variable(each)) }));
  return { kind: 'newAnonymous', members: [...members, { name, value }], ...span(name) };
}

/** An expression whose variables of the query are read where they are. */
function within({ variables }: Query, value: Expression): Expression {
  if (variables.length === 1) return value;
  return replaced(value, new Set(variables.map(({ text }) => text)));
}

/** How deep a tree is gone into: an operator's left side is a level, too. */
const deepest = 2000;

/** The tree with a member of the object in the place of each variable. */
function replaced<Part>(part: Part, names: ReadonlySet<string>, depth = 0): Part {
  if (typeof part !== 'object' || part === null) return part;
  step();
  if (depth > deepest) throw new NestingError();
  const below = (each: unknown): unknown => replaced(each, names, depth + 1);
  if (Array.isArray(part)) return part.map(below) as Part;
  const node = part as unknown as Expression;
  if (node.kind === 'identifier' && node.typeArguments === null && names.has(node.name.text)) {
    const receiver = variable({ text: together, ...span(node) });
    return { kind: 'member', receiver, name: node.name, typeArguments: null, ...span(node) } as Part;
  }
  const entries = Object.entries(part);
  // `{ x = 1 }` names a member: nobody assigns to a variable of a query.
  const kept = node.kind === 'assignment' && node.target.kind === 'identifier' ? 'target' : '';
  return Object.fromEntries(entries.map(([key, each]) => [key, key === kept ? each : below(each)])) as Part;
}

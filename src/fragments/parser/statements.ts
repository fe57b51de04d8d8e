// Statements: blocks, branches, loops, switch, try and jumps. Declarations are in declarations.ts.

import type {
  BlockStatement,
  CatchClause,
  Designation,
  Expression,
  Pattern,
  Statement,
  SwitchLabel,
  TypeSyntax,
} from '../syntax.ts';
import { END, IDENTIFIER, isPredefinedType } from '../tokens.ts';
import { BINARY_OPERATORS, isDesignationList } from './arguments.ts';
import { parseDeclarationStatement, parseLocalDeclaration, startsDeclaration } from './declarations.ts';
import { parseExpression, parseWhen } from './expressions.ts';
import { parsePattern } from './patterns.ts';
import { refuseStatement } from './refused.ts';
import { NO_TYPE } from './scan.ts';
import { ENDS_FOR, ENDS_SWITCH_SECTION, ENDS_TRY, type TokenStream } from './stream.ts';
import { parseDesignation, parseType, startsExpression } from './types.ts';
import { parseUsing, parseYield, startsUsing } from './using.ts';

const STATEMENT_STARTS = new Set(
  (
    '{ ; if while do for foreach switch break continue goto return throw try const static lock unsafe fixed using ' +
    'case default catch finally else class struct interface enum namespace event public private protected internal'
  ).split(' '),
);

export function startsStatement(p: TokenStream): boolean {
  const { kind } = p.current;
  if (kind === 'case' || kind === 'catch' || kind === 'finally') return kind !== 'case';
  return STATEMENT_STARTS.has(kind) || startsExpression(kind) || BINARY_OPERATORS.has(kind);
}

/** Statements up to `}`, the end, or what ends a construct around them. */
export function parseStatements(p: TokenStream, insideSwitch = false): Statement[] {
  const statements: Statement[] = [];
  while (!p.is('}') && !p.is(END)) {
    if (insideSwitch && p.startsSwitchSection()) break;
    if (startsStatement(p)) {
      const before = p.index;
      statements.push(parseStatement(p));
      if (p.index === before && !skipBadStatements(p)) break;
    } else if (!skipBadStatements(p)) {
      break;
    }
  }
  return statements;
}

/** Skips tokens that start no statement; false when one of them ends a construct around. */
function skipBadStatements(p: TokenStream): boolean {
  let first = true;
  do {
    if (p.is('}') || p.atTerminator()) return false;
    if (first) p.skipWithReport('}');
    else p.next();
    first = false;
  } while (!startsStatement(p));
  return true;
}

export function parseBlock(p: TokenStream): BlockStatement {
  p.enter();
  const { start } = p.expect('{');
  const statements = parseStatements(p);
  p.expect('}');
  p.leave();
  return { kind: 'block', statements, start, end: Math.max(start, p.lastEnd) };
}

/** One statement; the parser has moved unless nothing could be read. */
function parseStatement(p: TokenStream): Statement {
  p.enter();
  const statement = parseKeywordStatement(p) ?? refuseStatement(p) ?? parseOther(p);
  p.leave();
  return statement;
}

function parseKeywordStatement(p: TokenStream): Statement | null {
  switch (p.current.kind) {
    case '{':
      return parseBlock(p);
    case ';':
      return { kind: 'empty', start: p.current.start, end: p.next().end };
    case 'if':
      return parseIf(p);
    case 'while':
      return parseWhile(p);
    case 'do':
      return parseDo(p);
    case 'for':
      return parseFor(p);
    case 'foreach':
      return parseForeach(p);
    case 'switch':
      return parseSwitchStatement(p);
    case 'break':
    case 'continue':
      return parseJump(p, p.current.kind);
    case 'goto':
      return parseGoto(p);
    case 'using':
      return startsUsing(p) ? parseUsing(p, embedded, parseStatements) : null;
    case 'return':
    case 'throw':
      return parseReturn(p, p.current.kind);
    case 'try':
    case 'catch':
    case 'finally':
      return parseTry(p);
    case 'else':
      return parseStrayElse(p);
    case 'checked':
    case 'unchecked':
      return p.peek(1).kind === '{' ? parseCheckedBlock(p, p.current.kind === 'checked') : null;
    default:
      return null;
  }
}

/** Declarations, labels and expression statements. */
function parseOther(p: TokenStream): Statement {
  const { start, end } = p.current;
  if (p.is(IDENTIFIER) && p.peek(1).kind === ':') {
    const name = p.identifier();
    p.next();
    // A label stands before a statement.
    if (p.is('}') || p.is(END)) {
      p.reportMissing('CS1525', 'A statement is expected.');
      p.reportExpected(';');
    }
    return { kind: 'label', name, start, end };
  }
  if (p.isUnit && p.isWord('yield') && (p.peek(1).kind === 'return' || p.peek(1).kind === 'break'))
    return parseYield(p);
  if (startsDeclaration(p)) return parseDeclarationStatement(p);
  const value = parseDeconstruction(p) ?? parseExpression(p);
  p.expect(';');
  return { kind: 'expression', value, start: Math.min(start, value.start), end: Math.max(value.end, p.lastEnd) };
}

/** `var (a, b) = …`; with types in the parentheses it is a tuple expression already. */
function parseDeconstruction(p: TokenStream): Expression | null {
  if (!p.isWord('var') || p.peek(1).kind !== '(') return null;
  const open = p.index + 1;
  const close = p.matches[open]!;
  if (close < 0 || p.tokens[close + 1]!.kind !== '=' || !isDesignationList(p, open, close)) return null;
  const type = parseType(p);
  const designation = parseDesignation(p);
  const { start } = type;
  const target: Expression = { kind: 'declaration', type, designation, start, end: designation.end };
  p.next();
  const value = parseExpression(p);
  return { kind: 'assignment', operator: '=', target, value, start, end: value.end };
}

function condition(p: TokenStream): Expression {
  p.expect('(');
  const value = parseExpression(p);
  p.expect(')');
  return value;
}

/** The statement that a branch or loop governs. */
function embedded(p: TokenStream): Statement {
  if (p.is('}') || p.is(END)) {
    p.reportMissing('CS1525', 'A statement is expected.');
    p.reportExpected(';');
    return { kind: 'error', ...p.missing() };
  }
  const statement = parseStatement(p);
  if (statement.kind === 'label') {
    const inner = embedded(p);
    p.reportAt('CS1023', 'A label under a condition or loop needs a block around it.', {
      ...statement,
      end: inner.end,
    });
    return inner;
  }
  if (statement.kind === 'localDeclaration' || statement.kind === 'localFunction') {
    p.reportAt('CS1023', 'A declaration under a condition or loop needs a block around it.', statement);
  }
  return statement;
}

/** `if … else if … else …`, however long it is. */
function parseIf(p: TokenStream): Statement {
  const branches: { readonly start: number; readonly condition: Expression; readonly whenTrue: Statement }[] = [];
  do {
    const { start } = p.next();
    branches.push({ start, condition: condition(p), whenTrue: embedded(p) });
  } while (p.is('else') && p.peek(1).kind === 'if' && p.accept('else'));
  const last = p.accept('else') ? embedded(p) : null;
  const end = p.lastEnd;
  return branches.reduceRight<Statement | null>(
    (whenFalse, branch) => ({ kind: 'if', ...branch, whenFalse, end }),
    last,
  )!;
}

function parseStrayElse(p: TokenStream): Statement {
  const { start, end } = p.next();
  p.report('CS8641', "There is no 'if' for this 'else'.", start, end);
  for (const id of ['CS1003', 'CS1525', 'CS1026', 'CS1002']) {
    p.report(id, "A condition and a statement are expected before 'else'.", start, end);
  }
  embedded(p);
  return { kind: 'error', start, end: p.lastEnd };
}

function parseWhile(p: TokenStream): Statement {
  const { start } = p.next();
  const test = condition(p);
  const body = embedded(p);
  return { kind: 'while', condition: test, body, start, end: p.lastEnd };
}

function parseDo(p: TokenStream): Statement {
  const { start } = p.next();
  const body = embedded(p);
  p.expect('while');
  const test = condition(p);
  p.expect(';');
  return { kind: 'do', body, condition: test, start, end: p.lastEnd };
}

/** `for (var x in list)`: what is meant is a foreach. */
function meansForeach(p: TokenStream): boolean {
  if (p.peek(1).kind !== '(') return false;
  const at = p.types.typeEnd(p.index + 2);
  return at >= 0 && p.tokens[at]!.kind === IDENTIFIER && p.tokens[at + 1]!.kind === 'in';
}

function parseFor(p: TokenStream): Statement {
  if (meansForeach(p)) {
    p.report('CS1003', "'foreach' is expected.", p.current.start, p.current.end);
    return parseForeach(p);
  }
  const { start } = p.next();
  p.expect('(');
  const header = p.within(ENDS_FOR, () => {
    const declaration = startsDeclaration(p) ? parseLocalDeclaration(p) : null;
    const initializers = declaration === null && startsExpression(p.current.kind) ? expressionList(p) : [];
    p.expect(';');
    const test = p.is(';') ? null : parseExpression(p);
    p.expect(';');
    const increments = startsExpression(p.current.kind) ? expressionList(p) : [];
    return { declaration, initializers, condition: test, increments };
  });
  p.expect(')');
  const body = embedded(p);
  return { kind: 'for', ...header, body, start, end: p.lastEnd };
}

function expressionList(p: TokenStream): Expression[] {
  const list = [parseDeconstruction(p) ?? parseExpression(p)];
  while (p.accept(',')) list.push(parseExpression(p));
  return list;
}

function parseForeach(p: TokenStream): Statement {
  const { start } = p.next();
  p.expect('(');
  let type: TypeSyntax | null = null;
  let target: Expression | null = null;
  let designation: Designation;
  const typed = p.types.typeClass(p.index) !== NO_TYPE && p.tokens[p.types.typeEnd(p.index)]!.kind === IDENTIFIER;
  if (p.isWord('var') && p.peek(1).kind === '(') {
    type = parseType(p);
    designation = parseDesignation(p);
  } else if (typed || isPredefinedType(p.current.kind)) {
    type = parseType(p);
    designation = parseDesignation(p);
  } else if (p.is('(')) {
    target = parseExpression(p);
    designation = { kind: 'discard', ...p.missing() };
  } else {
    if (p.is(IDENTIFIER)) {
      const name = p.identifier();
      designation = { kind: 'single', name, start: name.start, end: name.end };
      p.report('CS0230', 'A foreach statement needs a type and a name.', p.current.start, p.current.end);
    } else {
      type = parseType(p);
      const name = p.identifier();
      designation = { kind: 'single', name, start: name.start, end: name.end };
    }
  }
  if (!p.accept('in')) p.reportMissing('CS1515', "'in' is expected.");
  const sequence = parseExpression(p);
  p.expect(')');
  const body = embedded(p);
  return { kind: 'foreach', target, type, designation, sequence, body, start, end: p.lastEnd };
}

function parseSwitchStatement(p: TokenStream): Statement {
  const { start } = p.next();
  const operand = parseExpression(p);
  if (operand.kind !== 'parenthesized' && operand.kind !== 'tuple' && operand.kind !== 'error') {
    p.reportAt('CS8515', 'What a switch statement decides on stands in parentheses.', operand);
  }
  p.expect('{');
  const sections: { labels: SwitchLabel[]; statements: Statement[] }[] = [];
  while (p.startsSwitchSection()) {
    const labels: SwitchLabel[] = [];
    while (p.startsSwitchSection()) labels.push(parseLabel(p));
    sections.push({ labels, statements: p.within(ENDS_SWITCH_SECTION, () => parseStatements(p, true)) });
  }
  p.expect('}');
  return { kind: 'switch', operand, sections, start, end: p.lastEnd };
}

function parseLabel(p: TokenStream): SwitchLabel {
  const { kind, start } = p.next();
  if (kind === 'default') {
    p.expect(':');
    return { kind: 'default', start, end: p.lastEnd };
  }
  if (p.is(':')) p.reportMissing('CS0150', 'A constant is expected.');
  const pattern: Pattern = p.is(':') ? { kind: 'errorPattern', ...p.missing() } : parsePattern(p);
  const when = p.isWord('when') ? parseWhen(p) : null;
  p.expect(':');
  return { kind: 'case', pattern, when, start, end: p.lastEnd };
}

function parseJump(p: TokenStream, kind: 'break' | 'continue'): Statement {
  const { start } = p.next();
  p.expect(';');
  return { kind, start, end: p.lastEnd };
}

function parseGoto(p: TokenStream): Statement {
  const { start } = p.next();
  if (p.is('case') || p.is('default')) {
    const value = p.next().kind === 'case' ? parseExpression(p) : null;
    p.expect(';');
    return { kind: 'gotoCase', value, start, end: p.lastEnd };
  }
  const name = p.identifier();
  p.expect(';');
  return { kind: 'goto', name, start, end: p.lastEnd };
}

function parseReturn(p: TokenStream, kind: 'return' | 'throw'): Statement {
  const { start } = p.next();
  const value = p.is(';') ? null : parseExpression(p);
  p.expect(';');
  return { kind, value, start, end: p.lastEnd };
}

function parseCheckedBlock(p: TokenStream, checked: boolean): Statement {
  const { start } = p.next();
  const body = parseBlock(p);
  return { kind: 'checked', checked, body, start, end: p.lastEnd };
}

function parseTry(p: TokenStream): Statement {
  const { start } = p.current;
  let body: BlockStatement;
  if (p.accept('try')) {
    body = p.within(ENDS_TRY, () => parseBlock(p));
  } else {
    for (const one of ['try', '{', '}']) p.reportExpected(one);
    body = { kind: 'block', statements: [], start, end: start };
  }
  const catches: CatchClause[] = [];
  while (p.is('catch')) {
    const { start: from, end } = p.current;
    if (catches.some(({ type, filter }) => type === null && filter === null))
      p.report('CS1017', 'A catch of everything is the last one.', from, end);
    catches.push(parseCatch(p));
  }
  const last = p.accept('finally') ? parseBlock(p) : null;
  if (catches.length === 0 && last === null) {
    const { start: from, end } = p.tokens[p.index - 1]!;
    p.report('CS1524', "A try block is followed by 'catch' or 'finally'.", from, end);
  }
  return { kind: 'try', body, catches, finally: last, start, end: p.lastEnd };
}

function parseCatch(p: TokenStream): CatchClause {
  const { start } = p.next();
  let type: TypeSyntax | null = null;
  let name = null;
  if (p.accept('(')) {
    type = parseType(p);
    name = p.is(IDENTIFIER) ? p.identifier() : null;
    p.expect(')');
  }
  const filter = p.isWord('when') ? parseFilter(p) : null;
  const body = p.within(ENDS_TRY, () => parseBlock(p));
  return { type, name, filter, body, start, end: p.lastEnd };
}

function parseFilter(p: TokenStream): Expression {
  p.next();
  return condition(p);
}

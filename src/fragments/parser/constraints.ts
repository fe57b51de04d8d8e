// The constraints of a generic local function: `where T : class, IComparable<T>, new()`.

import type { Constraint, ConstraintClause } from '../syntax.ts';
import { IDENTIFIER } from '../tokens.ts';
import type { TokenStream } from './stream.ts';
import { parseType } from './types.ts';

/** Every `where` clause that stands here. */
export function parseConstraints(p: TokenStream): ConstraintClause[] {
  const clauses: ConstraintClause[] = [];
  while (p.isWord('where')) clauses.push(parseClause(p));
  return clauses;
}

function parseClause(p: TokenStream): ConstraintClause {
  const { start, end: keywordEnd } = p.next();
  const name = p.identifier();
  p.expect(':');
  const constraints: Constraint[] = [];
  do {
    if (p.is('{') || startsClause(p)) {
      p.reportMissing('CS1031', 'A type is expected.');
      break;
    }
    constraints.push(parseConstraint(p));
  } while (p.accept(','));
  return { keyword: { start, end: keywordEnd }, name, constraints, start, end: p.lastEnd };
}

function startsClause(p: TokenStream): boolean {
  return p.isWord('where') && p.peek(1).kind === IDENTIFIER && p.peek(2).kind === ':';
}

function parseConstraint(p: TokenStream): Constraint {
  const { kind, start, end } = p.current;
  if (kind === 'struct' || kind === 'class') {
    p.next();
    if (kind === 'class') p.accept('?');
    return { kind, start, end };
  }
  if (kind === 'new') {
    p.next();
    p.expect('(');
    p.expect(')');
    return { kind, start, end };
  }
  const type = parseType(p);
  return { kind: 'type', type, start: type.start, end: type.end };
}

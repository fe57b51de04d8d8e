// `yield`, and `using (var x = …) …` and `using var x = …;` as what C# makes of them: the statements behind it in a `try` whose `finally`
// disposes of x.

import type { BlockStatement, Expression, LocalDeclaration, Name, Statement } from '../syntax.ts';
import { END, IDENTIFIER } from '../tokens.ts';
import { parseLocalDeclaration, startsDeclaration } from './declarations.ts';
import { parseExpression } from './expressions.ts';
import type { TokenStream } from './stream.ts';

/** A `using` where a statement starts; `rest` reads those up to the end of the block. */
export function parseUsing(
  p: TokenStream,
  statement: (p: TokenStream) => Statement,
  rest: (p: TokenStream) => Statement[],
): Statement {
  const { start } = p.next();
  if (!p.accept('(')) {
    const declared = parseLocalDeclaration(p);
    p.expect(';');
    const statements = rest(p);
    return disposing(p, declared, { kind: 'block', statements, start: p.lastEnd, end: p.lastEnd }, start);
  }
  const declared = startsDeclaration(p) ? parseLocalDeclaration(p) : unnamed(parseExpression(p));
  p.expect(')');
  if (p.is('}') || p.is(END)) p.reportMissing('CS1525', 'A statement is expected.');
  const body = p.is('}') || p.is(END) ? { kind: 'empty' as const, ...p.missing() } : statement(p);
  return disposing(p, declared, { kind: 'block', statements: [body], start: body.start, end: body.end }, start);
}

/** Whether `using` begins a statement here and no directive. */
export function startsUsing(p: TokenStream): boolean {
  if (!p.is('using')) return false;
  const { kind } = p.peek(1);
  return kind === '(' || (kind === IDENTIFIER && p.peek(2).kind !== ';' && p.peek(2).kind !== '.');
}

/** No source can write this name. */
function unnamed(value: Expression): LocalDeclaration {
  const { start, end } = value;
  const name: Name = { text: ' using', start, end };
  const type = { kind: 'nameType', name: { text: 'var', start, end }, arguments: [], start, end } as const;
  return {
    kind: 'localDeclaration',
    const: false,
    type,
    declarators: [{ name, initializer: value, start, end }],
    start,
    end,
  };
}

function disposing(p: TokenStream, declared: LocalDeclaration, body: BlockStatement, start: number): Statement {
  const end = p.lastEnd;
  const inner = [...declared.declarators].reverse().reduce<BlockStatement>((statements, { name }) => {
    const at = { start: name.start, end: name.end };
    const read: Expression = { kind: 'identifier', name, typeArguments: null, ...at };
    const dispose: Name = { text: 'Dispose', ...at };
    const callee: Expression = {
      kind: 'member',
      receiver: { kind: 'binding', ...at },
      name: dispose,
      typeArguments: null,
      ...at,
    };
    const access: Expression = { kind: 'call', callee, arguments: [], ...at };
    const value: Expression = { kind: 'conditionalAccess', receiver: read, access, ...at };
    const last: BlockStatement = { kind: 'block', statements: [{ kind: 'expression', value, ...at }], ...at };
    const guarded: Statement = { kind: 'try', body: statements, catches: [], finally: last, start, end };
    return { kind: 'block', statements: [guarded], start, end };
  }, body);
  return { kind: 'block', statements: [declared, ...inner.statements], start, end };
}

/** `yield return x;` and `yield break;`. */
export function parseYield(p: TokenStream): Statement {
  const { start } = p.next();
  const value = p.next().kind === 'return' ? parseExpression(p) : null;
  p.expect(';');
  return { kind: 'yield', value, start, end: p.lastEnd };
}

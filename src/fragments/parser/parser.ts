// The front of the fragment compiler: text to syntax tree. Never throws; whatever is wrong is a diagnostic.

import type { Diagnostic, DiagnosticSink } from '../diagnostics.ts';
import { tokenize } from '../lexer.ts';
import { MAX_DIAGNOSTICS } from '../limits.ts';
import type { Fragment, Statement } from '../syntax.ts';
import { END } from '../tokens.ts';
import { parseStatements } from './statements.ts';
import { NestingError, TokenStream } from './stream.ts';

/**
 * Parses a fragment: statements, of which the last is usually `return <lambda>;`. Diagnostics go to the sink ordered by
 * place, at most one of an id at a place. A text that nests too deep has no statements and the one diagnostic CS8078.
 * `tooLong` (limits.ts) is to be asked before.
 */
export function parseFragment(text: string, sink: DiagnosticSink): Fragment {
  const diagnostics: Diagnostic[] = [];
  const tokens = tokenize(text, (id, message, start, end) => {
    diagnostics.push({ id, severity: id === 'CS0078' ? 'warning' : 'error', message, start, end });
  });
  const statements = parseTokens(new TokenStream(tokens, diagnostics));
  if (statements === null) {
    const message = 'The fragment nests too deep to be compiled.';
    sink.report({ id: 'CS8078', severity: 'error', message, start: 0, end: 0 });
    return { statements: [], start: 0, end: text.length };
  }
  reportOrdered(diagnostics, sink);
  return { statements, start: 0, end: text.length };
}

function parseTokens(p: TokenStream): Statement[] | null {
  try {
    const statements = parseStatements(p);
    for (let first = true; !p.is(END); first = false) {
      // A closing brace that opens nothing: said once, and what follows it is read on.
      if (first) p.report('CS1022', 'The end of the fragment is expected.', p.current.start, p.current.end);
      p.next();
      for (const statement of parseStatements(p)) statements.push(statement);
    }
    return statements;
  } catch (error) {
    if (error instanceof NestingError) return null;
    throw error;
  }
}

function reportOrdered(diagnostics: Diagnostic[], sink: DiagnosticSink): void {
  diagnostics.sort((left, right) => left.start - right.start || left.end - right.end);
  const seen = new Set<string>();
  for (const diagnostic of diagnostics) {
    const key = `${diagnostic.start} ${diagnostic.end} ${diagnostic.id}`;
    if (seen.has(key)) continue;
    if (seen.size >= MAX_DIAGNOSTICS) return;
    seen.add(key);
    sink.report(diagnostic);
  }
}

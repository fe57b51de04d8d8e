// The front half of the compiler in one call: text to typed tree, or to what is wrong with it.

import { bindSyntax } from './binder/fragment.ts';
import type { Diagnostic, DiagnosticSink } from './diagnostics.ts';
import { tooLong } from './limits.ts';
import { parseFragment } from './parser/parser.ts';
import type { BoundFragment, DelegateKind } from './tree.ts';

/** A fragment of nothing but white space means "match everything" and is never compiled. */
function isBlankFragment(text: string): boolean {
  return text.trim() === '';
}

/**
 * Compiles a fragment to its typed tree; null when there are errors. Everything that is to be said about it goes to the
 * sink: once each, ordered by place. @testonly until the back ends call it.
 */
export function bindFragment(text: string, kind: DelegateKind, sink: DiagnosticSink): BoundFragment | null {
  const long = tooLong(text);
  if (long) {
    sink.report(long);
    return null;
  }
  const found: Diagnostic[] = [];
  const syntax = parseFragment(text, { report: (diagnostic) => found.push(diagnostic) });
  const nested = found.some((diagnostic) => diagnostic.id === 'CS8078');
  const binding = nested ? null : bindSyntax(text, syntax, kind);
  if (binding) found.push(...binding.diagnostics);
  for (const diagnostic of ordered(found)) sink.report(diagnostic);
  const wrong = found.some((diagnostic) => diagnostic.severity === 'error');
  return wrong || !binding ? null : binding.fragment;
}

/** What C# would say about a fragment; nothing for one that is blank. @testonly until the routes call it. */
export function compileDiagnostics(text: string, kind: DelegateKind): Diagnostic[] {
  if (isBlankFragment(text)) return [];
  const found: Diagnostic[] = [];
  bindFragment(text, kind, { report: (diagnostic) => found.push(diagnostic) });
  return found;
}

function ordered(list: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  const distinct = list.filter((diagnostic) => {
    const key = `${diagnostic.id} ${diagnostic.start} ${diagnostic.end}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return distinct.sort((left, right) => left.start - right.start || left.end - right.end);
}

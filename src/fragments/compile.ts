// The front half of the compiler in one call: text to typed tree, or to what is wrong with it.

import { type Binding, bindSyntax, readLibrary } from './binder/fragment.ts';
import type { Diagnostic, DiagnosticSink } from './diagnostics.ts';
import { analyze } from './interpreter/analysis.ts';
import { MAX_DIAGNOSTICS, MAX_STEPS, tooLong } from './limits.ts';
import { parseFragment } from './parser/parser.ts';
import { CompilationLimit, counted, limitDiagnostic, step, stepsLeft } from './steps.ts';
import type { Fragment, Node } from './syntax.ts';
import type { BoundFragment, DelegateKind } from './tree.ts';

/** A fragment of nothing but white space means "match everything" and is never compiled. */
function isBlankFragment(text: string): boolean {
  return text.trim() === '';
}

/**
 * Compiles a fragment to its typed tree; null when there are errors. Everything that is to be said about it goes to the
 * sink: once each, ordered by place.
 */
export function bindFragment(text: string, kind: DelegateKind, sink: DiagnosticSink): BoundFragment | null {
  const long = tooLong(text);
  if (long) {
    sink.report(long);
    return null;
  }
  readLibrary();
  return counted(MAX_STEPS, MAX_STEPS, () => {
    try {
      const bound = bindCounted(text, kind, sink);
      return bound && { ...bound, stepsLeft: stepsLeft() };
    } catch (error) {
      if (!(error instanceof CompilationLimit)) throw error;
      sink.report(limitDiagnostic(error));
      return null;
    }
  });
}

function bindCounted(text: string, kind: DelegateKind, sink: DiagnosticSink): Binding['fragment'] | null {
  const found: Diagnostic[] = [];
  const syntax = parseFragment(text, { report: (diagnostic) => found.push(diagnostic) });
  const nested = found.some((diagnostic) => diagnostic.id === 'CS8078');
  const binding = nested ? null : bindSyntax(text, syntax, kind);
  if (binding) found.push(...withoutBroken(syntax, found, lastWords(binding.diagnostics)));
  for (const diagnostic of ordered(found)) sink.report(diagnostic);
  const wrong = found.some((diagnostic) => diagnostic.severity === 'error');
  if (wrong || !binding) return null;
  // Whoever runs the tree goes over it like this: that takes no more than is counted here.
  analyze(binding.fragment);
  return binding.fragment;
}

/** What C# would say about a fragment; nothing for one that is blank and not too long. */
export function compileDiagnostics(text: string, kind: DelegateKind): Diagnostic[] {
  if (isBlankFragment(text) && tooLong(text) === null) return [];
  const found: Diagnostic[] = [];
  bindFragment(text, kind, { report: (diagnostic) => found.push(diagnostic) });
  return found;
}

/** What C# says only about code without errors. */
const LAST = new Set([
  'CS0252',
  'CS0253',
  'CS0458',
  'CS0464',
  'CS0472',
  'CS0652',
  'CS0675',
  'CS1717',
  'CS1718',
  'CS8794',
]);

function lastWords(list: readonly Diagnostic[]): readonly Diagnostic[] {
  const wrong = list.some(({ severity }) => severity === 'error');
  return wrong ? list.filter(({ id }) => !LAST.has(id)) : list;
}

/** What flow analysis says, which C# does also where a lambda could not be read. */
const FLOW = new Set(['CS0162', 'CS0164', 'CS0165', 'CS0168', 'CS0177', 'CS0219', 'CS0269', 'CS8321']);

/** Of a returned lambda with errors of syntax in it C# says no more than those, and what its flow analysis finds. */
function withoutBroken(
  syntax: Fragment,
  errors: readonly Diagnostic[],
  list: readonly Diagnostic[],
): readonly Diagnostic[] {
  const broken = syntax.statements.flatMap((statement) => {
    const lambda = statement.kind === 'return' && statement.value?.kind === 'lambda' ? statement.value : null;
    if (lambda) step(errors.length);
    const isBroken = lambda && errors.some((error) => error.severity === 'error' && liesIn(error, lambda));
    return isBroken ? [lambda] : [];
  });
  if (broken.length === 0) return list;
  step(list.length * broken.length);
  return list.filter(({ id, start, end }) => FLOW.has(id) || !broken.some((at) => start >= at.start && end <= at.end));
}

/** A missing end of the statement is no error of the lambda before it. */
function liesIn({ id, start }: Diagnostic, lambda: Node): boolean {
  if (start < lambda.start || start > lambda.end) return false;
  return start < lambda.end || (id !== 'CS1002' && id !== 'CS1513' && id !== 'CS1022');
}

function ordered(list: readonly Diagnostic[]): Diagnostic[] {
  step(2 * list.length);
  const seen = new Set<string>();
  const distinct = list.filter((diagnostic) => {
    const key = `${diagnostic.id} ${diagnostic.start} ${diagnostic.end}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  distinct.sort((left, right) => left.start - right.start || left.end - right.end);
  if (distinct.length <= MAX_DIAGNOSTICS) return distinct;
  // An error is never left out for warnings.
  const isError = ({ severity }: Diagnostic): boolean => severity === 'error';
  return [...distinct.filter(isError), ...distinct.filter((one) => !isError(one))]
    .slice(0, MAX_DIAGNOSTICS)
    .sort((left, right) => left.start - right.start || left.end - right.end);
}

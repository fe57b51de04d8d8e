// A plugin's source to a bound tree, or to what is wrong with it, in the places of the source.

import { bindPluginUnit } from '../binder/fragment.ts';
import type { Diagnostic } from '../diagnostics.ts';
import { analyze } from '../interpreter/analysis.ts';
import { MAX_PLUGIN_STEPS } from '../limits.ts';
import { parseFragment } from '../parser/parser.ts';
import { parseUnit } from '../parser/units.ts';
import type { PluginContract } from '../plugin-contract.ts';
import { LineMap } from '../positions.ts';
import { CompilationLimit, counted, limitDiagnostic, step, stepsLeft } from '../steps.ts';
import type { BoundFragment } from '../tree.ts';
import type { UnitSyntax } from '../unit-syntax.ts';
import { preludeFor } from './prelude.ts';
import { preprocess } from './preprocess.ts';

export type PluginBinding =
  | { readonly ok: true; readonly bound: BoundFragment }
  /** `(line,column): error CSxxxx: message`, by place. */
  | { readonly ok: false; readonly errors: readonly string[] };

const mostErrors = 200;
const KNOWN_ROOTS = ['System', 'NoSQL.GraphDB.Core', 'Microsoft.Extensions.Logging'];

/** Compiles a plugin to its typed tree. Never throws, whatever the source says. */
export function bindPlugin(source: string, contract: PluginContract): PluginBinding {
  const found: Diagnostic[] = [];
  const bound = counted(MAX_PLUGIN_STEPS, MAX_PLUGIN_STEPS, () => {
    try {
      return bindCounted(source, contract, (diagnostic) => found.push(diagnostic));
    } catch (error) {
      if (!(error instanceof CompilationLimit)) throw error;
      found.push(limitDiagnostic(error));
      return null;
    }
  });
  const errors = found.filter(({ severity }) => severity === 'error');
  if (bound !== null && errors.length === 0) return { ok: true, bound };
  return { ok: false, errors: describe(source, errors) };
}

function bindCounted(
  source: string,
  contract: PluginContract,
  report: (diagnostic: Diagnostic) => void,
): BoundFragment | null {
  let errors = 0;
  const say = (diagnostic: Diagnostic): void => {
    if (diagnostic.severity === 'error') errors++;
    report(diagnostic);
  };
  const code = preprocess(source, say);
  const unit = parseUnit(code, say);
  // What the binder says of a broken text is mostly about the break.
  if (unit === null || errors > 0) return null;
  for (const { name, start, end } of unit.usings) {
    step(unit.namespaces.length);
    if (KNOWN_ROOTS.some((root) => name === root || name.startsWith(`${root}.`))) continue;
    if (unit.namespaces.some((own) => own === name || own.startsWith(`${name}.`))) continue;
    say({ id: 'CS0246', severity: 'error', message: `The type or namespace '${name}' is not known.`, start, end });
  }
  const prelude = preludeFor(code);
  const whole = `${code}\n${prelude}\n`;
  const more = prelude === '' ? [] : (parseUnit(' '.repeat(code.length + 1) + prelude, say)?.types ?? []);
  const binding = bindPluginUnit({ text: whole, unit, prelude: more, imports: importsOf(unit), contract }, (text) =>
    parseFragment(text, { report: say }),
  );
  if (binding === null) return null;
  const end = source.length;
  for (const diagnostic of binding.diagnostics) {
    // What stands in no source is about the class.
    const inSource = diagnostic.start < end ? diagnostic : { ...diagnostic, ...binding.at };
    say(inSource);
  }
  if (errors > 0) return null;
  analyze(binding.fragment);
  return { ...binding.fragment, stepsLeft: stepsLeft() };
}

/** Namespaces whose types need no qualification: those named, and those around the types. */
function importsOf(unit: UnitSyntax): Set<string> {
  const imports = new Set(unit.usings.map(({ name }) => name));
  for (const namespace of unit.namespaces) {
    for (let at = namespace.indexOf('.'); at >= 0; at = namespace.indexOf('.', at + 1)) {
      step(at);
      imports.add(namespace.slice(0, at));
    }
    imports.add(namespace);
  }
  return imports;
}

function describe(source: string, errors: readonly Diagnostic[]): string[] {
  const lines = new LineMap(source);
  const seen = new Set<string>();
  const sorted = [...errors].sort((left, right) => left.start - right.start || left.end - right.end);
  for (const { id, message, start, end } of sorted) {
    const { line, column } = lines.span(start, end);
    seen.add(`(${line},${column}): error ${id}: ${message}`);
    if (seen.size >= mostErrors) break;
  }
  return [...seen];
}

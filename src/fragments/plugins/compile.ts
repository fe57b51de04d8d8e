// A plugin's source to a bound tree, or to what is wrong with it, in the places of the source.

import { bindLowered } from '../binder/fragment.ts';
import type { Diagnostic } from '../diagnostics.ts';
import { analyze } from '../interpreter/analysis.ts';
import { MAX_PLUGIN_STEPS } from '../limits.ts';
import { parseFragment } from '../parser/parser.ts';
import { LineMap } from '../positions.ts';
import { CompilationLimit, counted, limitDiagnostic, stepsLeft } from '../steps.ts';
import type { BoundFragment } from '../tree.ts';
import type { PluginContract } from './contract.ts';
import { lower } from './lower.ts';
import { readUnit } from './unit.ts';

export type PluginBinding =
  | { readonly ok: true; readonly bound: BoundFragment }
  /** `(line,column): error CSxxxx: message`, by place. */
  | { readonly ok: false; readonly errors: readonly string[] };

const mostErrors = 200;

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
  const unit = readUnit(source, report);
  const lowered = unit && lower(unit, source, contract, report);
  if (unit === null || lowered === null) return null;
  const { text, placeOf } = lowered;
  const inSource = (diagnostic: Diagnostic): void =>
    report({ ...diagnostic, ...placeOf(diagnostic.start, diagnostic.end) });
  let errors = 0;
  const syntax = parseFragment(text, {
    report: (diagnostic) => {
      if (diagnostic.severity === 'error') errors++;
      inSource(diagnostic);
    },
  });
  // What the binder says of a broken text is mostly about the break.
  if (errors > 0) return null;
  const binding = bindLowered(text, syntax, unit.imports);
  for (const diagnostic of binding.diagnostics) inSource(diagnostic);
  if (binding.diagnostics.some(({ severity }) => severity === 'error')) return null;
  analyze(binding.fragment);
  return { ...binding.fragment, stepsLeft: stepsLeft() };
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

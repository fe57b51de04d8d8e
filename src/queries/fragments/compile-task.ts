// What a compiler is asked and what it answers, as data, and the work itself: a set of fragments becomes modules or lines of errors, a text to
// validate its diagnostics. The work is cut between two fragments, so that it can also be done on a thread that has other things to do.

import { compileModule } from '../../core/compile-module.ts';
import type { FragmentCode } from '../../core/machine.ts';
import { bindFragment, compileDiagnostics } from '../../fragments/compile.ts';
import type { Diagnostic } from '../../fragments/diagnostics.ts';
import { type EmittedFragment, emitFragment } from '../../fragments/emit/emit.ts';
import { foreignImports } from '../../fragments/emit/wasm/imports.ts';
import { translateFragment } from '../../fragments/machine/translate.ts';
import type { PluginContract } from '../../fragments/plugin-contract.ts';
import { bindPlugin } from '../../fragments/plugins/compile.ts';
import { LineMap, type PositionSpan } from '../../fragments/positions.ts';
import type { DelegateKind } from '../../fragments/tree.ts';

/** Fragments by the name of their slot; blank ones are left out. */
export type FragmentTexts = Readonly<Record<string, { readonly kind: DelegateKind; readonly text: string }>>;

/** Whether modules may be compiled at run time. If not, they may become programs where there is a machine for them. */
export type Emits = boolean | 'programs';

export interface SetTask {
  readonly kind: 'set';
  readonly texts: FragmentTexts;
  /** Whether the memories that fragments run over are shared. */
  readonly shared: boolean;
  readonly emits: Emits;
}

export interface ValidationTask {
  readonly kind: 'validation';
  readonly text: string;
  readonly delegateKind: DelegateKind;
}

/** A plugin's source, to be checked and compiled. */
export interface PluginTask extends Pick<SetTask, 'shared' | 'emits'> {
  readonly kind: 'plugin';
  readonly source: string;
  readonly contract: PluginContract;
}

/** One line for each error; without one the module, null where the interpreter runs it. */
export interface PluginResult {
  readonly errors: readonly string[];
  readonly module: CompiledModule | null;
}

export type CompileTask = SetTask | ValidationTask | PluginTask;

export interface CompiledModule {
  readonly module: FragmentCode;
  /** Of the module before it was compiled, or of the program. */
  readonly bytes: number;
  readonly names: readonly string[];
  readonly texts: readonly string[];
}

export type SetResult =
  /** By slot; null is left to the interpreter. */
  | { readonly ok: true; readonly modules: Readonly<Record<string, CompiledModule | null>> }
  /** One line for each error: slot, place, id, message. */
  | { readonly ok: false; readonly errors: readonly string[] };

export type PlacedDiagnostic = PositionSpan & Pick<Diagnostic, 'id' | 'message' | 'severity'>;

export type ResultOf<Task extends CompileTask> = Task extends SetTask
  ? SetResult
  : Task extends PluginTask
    ? PluginResult
    : readonly PlacedDiagnostic[];

/** Does a task; yields wherever it may be left for a while, or for good. */
export function* compileInSteps(task: CompileTask): Generator<void, ResultOf<CompileTask>> {
  if (task.kind === 'set') return yield* compileSet(task);
  if (task.kind === 'plugin') {
    const binding = bindPlugin(task.source, task.contract);
    yield;
    if (!binding.ok) return { errors: binding.errors, module: null };
    const emitted = task.emits === true ? emitFragment(binding.bound, task.shared) : null;
    return { errors: [], module: emitted?.ok === true ? moduleOf(emitted.fragment, true) : null };
  }
  const found = placedDiagnostics(task);
  yield;
  return found;
}

function* compileSet({ texts, shared, emits }: SetTask): Generator<void, SetResult> {
  const modules: [slot: string, CompiledModule | null][] = [];
  const errors: string[] = [];
  for (const [slot, { kind, text }] of Object.entries(texts)) {
    const found: Diagnostic[] = [];
    const bound = bindFragment(text, kind, { report: (diagnostic) => found.push(diagnostic) });
    if (bound === null) {
      errors.push(...describe(slot, text, found));
    } else if (errors.length === 0) {
      const emitted = emits ? emitFragment(bound, shared) : null;
      const made = emits === 'programs' ? programOf : moduleOf;
      modules.push([slot, emitted?.ok === true ? made(emitted.fragment) : null]);
    }
    yield;
  }
  return errors.length > 0 ? { ok: false, errors } : { ok: true, modules: Object.fromEntries(modules) };
}

/** Null when it is beyond what WebAssembly takes (locals, bytes of a function): the fragment is correct all the same. */
function moduleOf({ bytes, names, texts }: EmittedFragment, ofPlugin = false): CompiledModule | null {
  try {
    const module = compileModule(bytes);
    const foreign = foreignImports(module, ofPlugin);
    if (foreign.length > 0) throw new Error(`A compiled fragment imports ${foreign.join(', ')}.`);
    return { module, bytes: bytes.byteLength, names, texts };
  } catch (error) {
    if (error instanceof WebAssembly.CompileError || error instanceof RangeError) return null;
    throw error;
  }
}

/** Null when there is an instruction that programs have not: the fragment is correct all the same. */
function programOf(fragment: EmittedFragment): CompiledModule | null {
  const { names, texts } = fragment;
  const module = translateFragment(fragment);
  return module && { module, bytes: module.words.byteLength, names, texts };
}

function describe(slot: string, text: string, diagnostics: readonly Diagnostic[]): string[] {
  const lines = new LineMap(text);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return errors.map(({ id, message, start, end, severity }) => {
    const { line, column } = lines.span(start, end);
    return `${slot} (${line},${column}): ${severity} ${id}: ${message}`;
  });
}

function placedDiagnostics({ text, delegateKind }: ValidationTask): PlacedDiagnostic[] {
  const lines = new LineMap(text);
  return compileDiagnostics(text, delegateKind).map(({ id, message, severity, start, end }) => ({
    ...lines.span(start, end),
    id,
    message,
    severity,
  }));
}

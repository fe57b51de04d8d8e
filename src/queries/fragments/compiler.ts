// Fragments on the caller's thread: texts in, compiled fragments or diagnostics out, each set of texts once for a minute. What is compiled
// is a module that every thread joins to its own instance; what the emitter leaves to the interpreter travels as its text.

import type { JobModule } from '../../engine/jobs/types.ts';
import { bindFragment } from '../../fragments/compile.ts';
import type { Diagnostic } from '../../fragments/diagnostics.ts';
import { emitFragment } from '../../fragments/emit/emit.ts';
import { foreignImports } from '../../fragments/emit/imports.ts';
import { LineMap } from '../../fragments/positions.ts';
import type { DelegateKind } from '../../fragments/tree.ts';
import type { JobFragment } from './runtime.ts';
import { SlidingCache } from './sliding-cache.ts';

/** Fragments by the name of their slot; blank ones are left out. */
export type FragmentTexts = Readonly<Record<string, { readonly kind: DelegateKind; readonly text: string }>>;

export interface CompiledSet {
  readonly fragments: ReadonlyMap<string, JobFragment>;
  readonly modules: readonly JobModule[];
}

export type SetOutcome =
  | { readonly ok: true; readonly set: CompiledSet }
  /** One line for each error: slot, place, id, message. */
  | { readonly ok: false; readonly errors: readonly string[] };

export interface CompilerOptions {
  /** Whether the memories that fragments run over are shared. */
  readonly shared: boolean;
  /** Whether modules may be compiled at run time; if not, the interpreter runs everything. */
  readonly emits: boolean;
  /** Sets of texts kept, and for how long after their last use. */
  readonly cacheSize: number;
  readonly cacheMs: number;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
}

let lastKey = 0;

export class FragmentCompiler {
  private readonly options: CompilerOptions;
  private readonly cache: SlidingCache<SetOutcome>;

  constructor(options: CompilerOptions) {
    this.options = options;
    this.cache = new SlidingCache(options.cacheSize, options.cacheMs, options.now);
  }

  /** Compiles a set, or answers what it did before for the same texts. */
  compile(texts: FragmentTexts): SetOutcome {
    const key = JSON.stringify(Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1)));
    let outcome = this.cache.get(key);
    if (outcome === undefined) {
      outcome = this.compileSet(texts);
      this.cache.set(key, outcome);
    }
    return outcome;
  }

  /** Compiles a set anew, for whoever keeps the outcome. */
  compileSet(texts: FragmentTexts): SetOutcome {
    const fragments = new Map<string, JobFragment>();
    const modules: JobModule[] = [];
    const errors: string[] = [];
    for (const [slot, { kind, text }] of Object.entries(texts)) {
      const found: Diagnostic[] = [];
      const bound = bindFragment(text, kind, { report: (diagnostic) => found.push(diagnostic) });
      if (bound === null) {
        errors.push(...describe(slot, text, found));
        continue;
      }
      const key = `fragment ${++lastKey}`;
      const emitted = this.options.emits ? emitFragment(bound, this.options.shared) : null;
      const module = emitted?.ok === true ? moduleOf(emitted.fragment.bytes) : null;
      if (emitted?.ok === true && module !== null) {
        const { names, texts: constants } = emitted.fragment;
        modules.push({ key, module });
        fragments.set(slot, { key, kind, text, compiled: { names, texts: constants } });
      } else {
        fragments.set(slot, { key, kind, text, compiled: null });
      }
    }
    return errors.length > 0 ? { ok: false, errors } : { ok: true, set: { fragments, modules } };
  }
}

/** Null when it is beyond what WebAssembly takes (locals, bytes of a function): the fragment is correct all the same. */
function moduleOf(bytes: Uint8Array<ArrayBuffer>): WebAssembly.Module | null {
  try {
    const module = new WebAssembly.Module(bytes);
    const foreign = foreignImports(module);
    if (foreign.length > 0) throw new Error(`A compiled fragment imports ${foreign.join(', ')}.`);
    return module;
  } catch (error) {
    if (error instanceof WebAssembly.CompileError || error instanceof RangeError) return null;
    throw error;
  }
}

function describe(slot: string, text: string, diagnostics: readonly Diagnostic[]): string[] {
  const lines = new LineMap(text);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return errors.map(({ id, message, start, end, severity }) => {
    const { line, column } = lines.span(start, end);
    return `${slot} (${line},${column}): ${severity} ${id}: ${message}`;
  });
}

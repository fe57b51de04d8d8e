// Sources of plugins compiled by the compilers that fragments have, under the same time. What the emitter leaves to the interpreter is bound
// once more by the thread that runs it first, as fragments are.

import type { JobModule } from '../../engine/jobs/types.ts';
import type { PluginContract } from '../../fragments/plugin-contract.ts';
import type { Emits } from '../fragments/compile-task.ts';
import type { Caller, Compilers } from '../fragments/compilers.ts';

/** What a job gets: a source without errors, by its key. */
export interface JobPlugin {
  readonly key: string;
  readonly contract: PluginContract;
  readonly source: string;
  /** Null: the interpreter runs it. */
  readonly compiled: { readonly names: readonly string[]; readonly texts: readonly string[] } | null;
}

export interface CompiledPlugin {
  readonly job: JobPlugin;
  readonly modules: readonly JobModule[];
}

export interface PluginCompilerOptions {
  readonly compilers: Compilers;
  /** Whether the memories that plugins run over are shared. */
  readonly shared: boolean;
  /** Whether modules may be compiled at run time; if not, the interpreter runs everything. */
  readonly emits: Emits;
  /** Of `Fragments:MaxCompileSeconds`, for messages. */
  readonly maxSeconds: number;
}

export type PluginOutcome =
  | { readonly ok: true; readonly plugin: CompiledPlugin }
  /** One line for each error. `isFinal`: the source is wrong; if not, another attempt may succeed. */
  | { readonly ok: false; readonly errors: readonly string[]; readonly isFinal: boolean };

let lastKey = 0;

export class PluginCompiler {
  private readonly options: PluginCompilerOptions;

  constructor(options: PluginCompilerOptions) {
    this.options = options;
  }

  /** Throws JobFailed. */
  async compile(source: string, contract: PluginContract, caller: Caller): Promise<PluginOutcome> {
    const { compilers, shared, emits } = this.options;
    const outcome = await compilers.run({ kind: 'plugin', source, contract, shared, emits }, caller);
    if (!outcome.ok) {
      return { ok: false, errors: [`error F8LIMIT: ${this.limitMessage(outcome.limit)}`], isFinal: false };
    }
    const { errors, module: made } = outcome.value;
    if (errors.length > 0) return { ok: false, errors, isFinal: true };
    const key = `plugin ${++lastKey}`;
    const compiled = made === null ? null : { names: made.names, texts: made.texts };
    const modules = made === null ? [] : [{ key, module: made.module }];
    return { ok: true, plugin: { job: { key, contract, source, compiled }, modules } };
  }

  private limitMessage(limit: 'time' | 'memory'): string {
    if (limit === 'memory') return 'To compile it takes more memory than the compiler has.';
    return `To compile it takes longer than Fragments:MaxCompileSeconds, ${this.options.maxSeconds} s, allows.`;
  }
}

// Sources of plugins checked by the compilers that fragments have, under the same time. What runs is bound once more by the thread that runs
// it first, as fragments are that the interpreter runs.

import type { PluginContract } from '../../fragments/plugins/contract.ts';
import type { Caller, Compilers } from '../fragments/compilers.ts';

/** What a job gets: a source without errors, by its key. */
export interface CompiledPlugin {
  readonly key: string;
  readonly contract: PluginContract;
  readonly source: string;
}

export type PluginOutcome =
  | { readonly ok: true; readonly plugin: CompiledPlugin }
  /** One line for each error. `isFinal`: the source is wrong; if not, another attempt may succeed. */
  | { readonly ok: false; readonly errors: readonly string[]; readonly isFinal: boolean };

let lastKey = 0;

export class PluginCompiler {
  private readonly compilers: Compilers;
  private readonly maxSeconds: number;

  /** `maxSeconds`: of `Fragments:MaxCompileSeconds`, for messages. */
  constructor(compilers: Compilers, maxSeconds: number) {
    this.compilers = compilers;
    this.maxSeconds = maxSeconds;
  }

  /** Throws JobFailed. */
  async compile(source: string, contract: PluginContract, caller: Caller): Promise<PluginOutcome> {
    const outcome = await this.compilers.run({ kind: 'plugin', source, contract }, caller);
    if (!outcome.ok) {
      return { ok: false, errors: [`error F8LIMIT: ${this.limitMessage(outcome.limit)}`], isFinal: false };
    }
    if (outcome.value.length > 0) return { ok: false, errors: outcome.value, isFinal: true };
    return { ok: true, plugin: { key: `plugin ${++lastKey}`, contract, source } };
  }

  private limitMessage(limit: 'time' | 'memory'): string {
    if (limit === 'memory') return 'To compile it takes more memory than the compiler has.';
    return `To compile it takes longer than Fragments:MaxCompileSeconds, ${this.maxSeconds} s, allows.`;
  }
}

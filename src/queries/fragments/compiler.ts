// Fragments as queries ask for them: texts in, compiled fragments or lines of errors out, each set of texts once for a minute, and once at a
// time. What is compiled is a module that every thread joins to its own instance; what the emitter leaves to the interpreter travels as
// its text.

import type { JobModule } from '../../engine/jobs/types.ts';
import type { DelegateKind } from '../../fragments/tree.ts';
import { instruments } from '../../telemetry/instruments.ts';
import { type Span, spanAttributes, spans } from '../../telemetry/spans.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import type { Emits, FragmentTexts, PlacedDiagnostic, SetResult } from './compile-task.ts';
import type { Caller, Compilers } from './compilers.ts';
import type { JobFragment } from './runtime.ts';
import { SharedWait } from './shared-wait.ts';
import { type CacheLimits, SlidingCache } from './sliding-cache.ts';

export type { FragmentTexts } from './compile-task.ts';

export interface CompiledSet {
  readonly fragments: ReadonlyMap<string, JobFragment>;
  readonly modules: readonly JobModule[];
}

export type SetOutcome =
  | { readonly ok: true; readonly set: CompiledSet }
  /** One line for each error. `isFinal`: the texts are wrong; if not, another attempt may succeed. */
  | { readonly ok: false; readonly errors: readonly string[]; readonly isFinal: boolean };

export interface FragmentCompilerOptions {
  readonly compilers: Compilers;
  /** Whether the memories that fragments run over are shared. */
  readonly shared: boolean;
  readonly emits: Emits;
  /** Sets of texts kept. */
  readonly cache: CacheLimits;
  /** Of `Fragments:MaxCompileSeconds`, for messages. */
  readonly maxSeconds: number;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  readonly telemetry: Telemetry;
  /** What the fragments are for. */
  readonly artifact: 'path_traverser' | 'subgraph';
}

let lastKey = 0;

export class FragmentCompiler {
  private readonly options: FragmentCompilerOptions;
  private readonly cache: SlidingCache<SetOutcome>;
  private readonly running = new Map<string, SharedWait<SetOutcome>>();

  constructor(options: FragmentCompilerOptions) {
    this.options = options;
    this.cache = new SlidingCache(options.cache, options.now);
  }

  /** Compiles a set, or answers what it did before for the same texts. Throws JobFailed. */
  async compile(texts: FragmentTexts, caller: Caller = {}): Promise<SetOutcome> {
    const key = JSON.stringify(Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1)));
    if (key === '[]') return { ok: true, set: { fragments: new Map(), modules: [] } };
    const known = this.cache.get(key);
    const { telemetry, artifact } = this.options;
    telemetry.add(known === undefined ? instruments.cacheMisses : instruments.cacheHits, 1, artifact);
    if (known !== undefined) return known;
    const running = this.running.get(key);
    return (running === undefined || running.isGivenUp ? this.begin(key, texts, caller) : running).join(caller);
  }

  private begin(key: string, texts: FragmentTexts, { client }: Caller): SharedWait<SetOutcome> {
    const begun = new SharedWait((signal) =>
      this.compileNew(key, texts, { signal, client }).finally(() => {
        if (this.running.get(key) === begun) this.running.delete(key);
      }),
    );
    this.running.set(key, begun);
    return begun;
  }

  /** Everything that is to be said about a text. Throws JobFailed. */
  async validate(text: string, delegateKind: DelegateKind, caller: Caller = {}): Promise<readonly PlacedDiagnostic[]> {
    const outcome = await this.options.compilers.run({ kind: 'validation', text, delegateKind }, caller);
    const isValid = outcome.ok && !outcome.value.some(({ severity }) => severity === 'error');
    const { telemetry } = this.options;
    telemetry.add(instruments.delegateValidate, 1, delegateKind, isValid ? 'valid' : 'invalid');
    if (outcome.ok) return outcome.value;
    const at = { line: 1, column: 1, endLine: 1, endColumn: 1 };
    return [{ ...at, id: 'F8LIMIT', message: this.limitMessage(outcome.limit), severity: 'error' }];
  }

  private async compileNew(key: string, texts: FragmentTexts, caller: Caller): Promise<SetOutcome> {
    const { compilers, shared, emits, telemetry } = this.options;
    const outcome = await telemetry.traced(spans.compile, async (span) => {
      const beganMs = telemetry.monotonicMs();
      const compiled = await compilers.run({ kind: 'set', texts, shared, emits }, caller);
      this.recordCompilation(compiled.ok && compiled.value.ok, beganMs, span);
      return compiled;
    });
    if (!outcome.ok) {
      return { ok: false, errors: [`error F8LIMIT: ${this.limitMessage(outcome.limit)}`], isFinal: false };
    }
    const result = setOutcome(texts, outcome.value);
    this.cache.set(key, result, 2 * key.length + bytesOf(outcome.value));
    return result;
  }

  private recordCompilation(ok: boolean, beganMs: number, span: Span): void {
    const { telemetry, artifact } = this.options;
    span.set(spanAttributes.artifact, artifact);
    span.set(spanAttributes.success, ok);
    const seconds = (telemetry.monotonicMs() - beganMs) / 1000;
    telemetry.record(instruments.compileDuration, seconds, artifact, String(ok));
    if (!ok) telemetry.add(instruments.compileFailures, 1);
  }

  private limitMessage(limit: 'time' | 'memory'): string {
    if (limit === 'memory') return 'To compile it takes more memory than the compiler has.';
    return `To compile it takes longer than Fragments:MaxCompileSeconds, ${this.options.maxSeconds} s, allows.`;
  }
}

function setOutcome(texts: FragmentTexts, result: SetResult): SetOutcome {
  if (!result.ok) return { ok: false, errors: result.errors, isFinal: true };
  const fragments = new Map<string, JobFragment>();
  const modules: JobModule[] = [];
  for (const [slot, { kind, text }] of Object.entries(texts)) {
    const key = `fragment ${++lastKey}`;
    const made = result.modules[slot] ?? null;
    if (made !== null) modules.push({ key, module: made.module });
    const compiled = made === null ? null : { names: made.names, texts: made.texts };
    fragments.set(slot, { key, kind, text, compiled });
  }
  return { ok: true, set: { fragments, modules } };
}

/** Beside the texts themselves. */
function bytesOf(result: SetResult): number {
  const ofTexts = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + 2 * text.length, 0);
  if (!result.ok) return ofTexts(result.errors);
  let bytes = 0;
  for (const made of Object.values(result.modules)) {
    if (made !== null) bytes += made.bytes + ofTexts(made.names) + ofTexts(made.texts);
  }
  return bytes;
}

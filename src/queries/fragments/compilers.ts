// The compilers of a service: threads of their own, or what stands for them on one thread, and what both sides say to each other. A
// compilation costs its sender alone: nobody else waits for it longer than its time.

import type { CompileTask, ResultOf } from './compile-task.ts';

/** On whose behalf something is compiled. */
export interface Caller {
  /** Aborted: the caller has gone. */
  readonly signal?: AbortSignal | undefined;
  /** How long it waits; missing: as long as it takes. */
  readonly timeoutMs?: number | undefined;
  /** Those with the same name take their turns as one; missing: the service itself. */
  readonly client?: string | undefined;
}

export type CompileOutcome<Result> =
  | { readonly ok: true; readonly value: Result }
  /** It took more time, or memory, than a compilation may. */
  | { readonly ok: false; readonly limit: 'time' | 'memory' };

export interface Compilers {
  /** Throws JobFailed: `overload`, `cancelled`, `closed`, `crashed`, or `failed` for a defect. Only the caller's signal is looked at. */
  run<Task extends CompileTask>(task: Task, caller?: Caller): Promise<CompileOutcome<ResultOf<Task>>>;
  /** Makes one ready before somebody asks. */
  warm(): void;
  /** Ends what runs. What is asked later is refused as `closed`. */
  close(): Promise<void>;
}

export type ToCompiler =
  | { readonly kind: 'compile'; readonly order: number; readonly task: CompileTask }
  /** Only where a thread cannot be ended: it is left at the next step. */
  | { readonly kind: 'stop'; readonly order: number };

export type FromCompiler =
  /** Once, before anything else: it is warm. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly order: number; readonly result: ResultOf<CompileTask> }
  | { readonly kind: 'stopped'; readonly order: number }
  /** It threw: a defect. */
  | { readonly kind: 'failed'; readonly order: number; readonly detail: string };

/** The caller's end of a compiler. */
export interface CompilerPort {
  post(message: ToCompiler): void;
  /** A thread that works keeps its process alive, one that waits does not. */
  setBusy(busy: boolean): void;
  /** Ends the thread wherever it is; null where that cannot be done. */
  readonly terminate: (() => Promise<void>) | null;
}

/** What the caller hears of a compiler. After `ended` nothing comes any more. */
export interface CompilerListener {
  message(message: FromCompiler): void;
  ended(why: 'memory' | 'died', detail: string): void;
}

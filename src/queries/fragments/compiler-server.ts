// The compiler's side of the thread it works on: takes tasks, answers results. Knows neither threads nor ports. Where it shares a thread with
// its caller it gives way between two fragments, and can be stopped there.

import { type CompileTask, compileInSteps, type ResultOf } from './compile-task.ts';
import type { FromCompiler, ToCompiler } from './compilers.ts';
import { practice } from './practice.ts';

/** What brings in most of the compiler: its tables, the library's declarations and the engine's own code for it. */
const warming: CompileTask = {
  kind: 'set',
  texts: {
    filter: {
      kind: 'VertexFilter',
      text: 'return v => v.TryGetProperty<int>(out var n, "n") && n > 1 && v.Label == "a";',
    },
    cost: { kind: 'EdgeCost', text: 'return e => e.EdgePropertyId.Length * 1.0;' },
  },
  shared: true,
  emits: true,
};
/** As often as it takes until the engine has made most of that code fast. */
const warmingRounds = 8;
/** The same of plugins, which fewer services have: behind the first one, while nothing else is asked for. */
const practiceRounds = 24;
const idleMs = 100;

export class CompilerServer {
  private readonly post: (message: FromCompiler) => void;
  private readonly pause: (() => Promise<void>) | null;
  private stopped = 0;
  private practised = 0;
  private idle: ReturnType<typeof setTimeout> | undefined;

  /** `pause`: lets other work of this thread run; null on a thread of its own. */
  constructor(post: (message: FromCompiler) => void, pause: (() => Promise<void>) | null) {
    this.post = post;
    this.pause = pause;
  }

  /** To be called once, before it receives anything. On a shared thread the first task warms it up. */
  begin(): void {
    for (let round = 0; this.pause === null && round < warmingRounds; round++) {
      for (const _step of compileInSteps(warming));
    }
    this.post({ kind: 'ready' });
  }

  receive(message: ToCompiler): void {
    if (message.kind === 'stop') this.stopped = message.order;
    else void this.compile(message.order, message.task);
    if (message.kind === 'compile' && (message.task.kind === 'plugin' || this.practised > 0)) this.practiseIn(idleMs);
  }

  /** A round of practice, and the others behind it; what comes meanwhile goes first and begins the wait anew. */
  private practiseIn(ms: number): void {
    clearTimeout(this.idle);
    if (this.pause !== null || this.practised === practiceRounds) return;
    this.idle = setTimeout(() => {
      this.practised++;
      for (const _step of compileInSteps(practice));
      this.practiseIn(0);
    }, ms);
  }

  private async compile(order: number, task: CompileTask): Promise<void> {
    try {
      const result = await this.through(order, compileInSteps(task));
      this.post(result === null ? { kind: 'stopped', order } : { kind: 'done', order, result });
    } catch (error) {
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.post({ kind: 'failed', order, detail });
    }
  }

  /** Null when it was stopped. */
  private async through(
    order: number,
    steps: Generator<void, ResultOf<CompileTask>>,
  ): Promise<ResultOf<CompileTask> | null> {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      if (this.pause === null) continue;
      await this.pause();
      if (this.stopped === order) return null;
    }
  }
}

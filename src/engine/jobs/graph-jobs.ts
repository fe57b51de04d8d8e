// Jobs as a namespace asks for them: short ones run at once on the writer's own core, everything else goes to the threads, and what
// comes to nothing is thrown. A short one is one whose whole work is estimated below about 100 µs: asking a thread costs as much.

import type { Core } from '../../core/core.ts';
import type { FragmentCode } from '../../core/machine.ts';
import { CoreMemoryExhausted } from '../../core/memory-exhausted.ts';
import { type ArenaTooSmall, CoreReader } from '../../core/reader.ts';
import { defaultSlices } from '../../core/slices.ts';
import { resultOf } from './failure.ts';
import { GangPace } from './gang-pace.ts';
import type { JobControl, JobKind, JobModule, JobOptions, JobSpace } from './types.ts';

export class GraphJobs {
  readonly space: JobSpace;
  /** How many threads whole-graph jobs take. */
  readonly pace = new GangPace(() => performance.now());
  private readonly here: CoreReader;

  constructor(core: Core, space: JobSpace) {
    this.space = space;
    this.here = CoreReader.ofWriter(core);
  }

  /** Into how many parts a long read is worth splitting now: what is free, less one thread for whoever comes next. */
  get partsNow(): number {
    return Math.max(1, Math.min(this.space.freeThreads, this.space.threads - 1));
  }

  /** Throws CoreMemoryExhausted or JobFailed. */
  async run<Request, Result>(
    kind: JobKind<Request, Result>,
    request: Request,
    isShort: boolean,
    options: JobOptions = {},
  ): Promise<Result> {
    if (isShort) return kind.run(this.here, request, new HereControl(options));
    return resultOf(await this.space.run(kind, request, options));
  }

  /** As `JobSpace.runParts`; a single part may be short. Throws CoreMemoryExhausted or JobFailed. */
  async runParts<Request, Result>(
    kind: JobKind<Request, Result>,
    requests: readonly Request[],
    isShort: boolean,
    options: JobOptions = {},
  ): Promise<Result[]> {
    if (isShort || requests.length === 1) {
      const results: Result[] = [];
      for (const request of requests) results.push(await this.run(kind, request, isShort, options));
      return results;
    }
    return resultOf(await this.space.runParts(kind, requests, options));
  }
}

/** A short job runs through: nothing tells it to stop, and the writer's buffers grow by themselves. */
class HereControl implements JobControl {
  readonly gang = null;
  readonly endsAtMs = Number.POSITIVE_INFINITY;
  readonly slices = defaultSlices;
  private readonly options: JobOptions;

  constructor(options: JobOptions) {
    this.options = options;
  }

  async slice(): Promise<void> {}

  stopReason(): null {
    return null;
  }

  async emit(block: unknown): Promise<void> {
    await this.options.onBlock?.(block);
  }

  async widen(bytes: number): Promise<void> {
    throw new CoreMemoryExhausted(`No memory is left for a read that needs ${bytes} bytes.`);
  }

  async fitting<T>(read: () => T | ArenaTooSmall): Promise<T> {
    return read() as T;
  }

  module(key: string): FragmentCode {
    const found = this.options.modules?.find((module: JobModule) => module.key === key);
    if (found === undefined) throw new Error(`No module ${key} came with the job.`);
    return found.module;
  }
}

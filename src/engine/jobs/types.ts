// Jobs: reads of a graph that are too long for the writer's thread. A job is a registered kind with a plain-data request, run against
// a reader of its own (src/core/reader.ts) on another thread, or, where there is none, in slices on the one thread. What it
// answers is plain data and bytes, at the end or block by block. How to write one: docs/jobs.md.

import type { Core } from '../../core/core.ts';
import type { GangPlace, StopReason } from '../../core/lease.ts';
import type { FragmentCode } from '../../core/machine.ts';
import type { ArenaTooSmall, CoreReader } from '../../core/reader.ts';
import type { Slices } from '../../core/slices.ts';
import type { SpanName } from '../../telemetry/spans.ts';

/** What a running job can ask of whoever runs it. */
export interface JobControl {
  /** Where it stands in its gang; null for a job that runs alone. */
  readonly gang: GangPlace | null;
  /** Between two slices: ends the job (by a throw that is not to be caught) when it was told to stop; on one thread lets others run. */
  slice(): Promise<void>;
  /** Measures what a job does between two calls of `slice`. */
  readonly slices: Slices;
  /** Why the job has to stop; null: go on. Cheap. */
  stopReason(): StopReason | null;
  /** When the caller's time for it is over, in milliseconds of this thread's `performance.now`; Infinity: it has all the time. */
  readonly endsAtMs: number;
  /** Hands a block to the caller; waits while the caller is four blocks behind. The block is the caller's from now on. */
  emit(block: unknown): Promise<void>;
  /** A larger arena in the place of the present one, whose contents are gone. Throws CoreMemoryExhausted. Not while announced. */
  widen(bytes: number): Promise<void>;
  /** What `read` answers once its arena is large enough; it is called again after each widening. */
  fitting<T>(read: () => T | ArenaTooSmall): Promise<T>;
  /** What came with the job under this key (`JobOptions.modules`). */
  module(key: string): FragmentCode;
}

/** Requests, results and blocks are plain data: what structured clone takes. Bytes among them are moved, not copied. */
export interface JobKind<Request, Result> {
  /** Unique among all kinds. */
  readonly name: string;
  /** Throws nothing but CoreMemoryExhausted, what `control` throws, and defects. */
  readonly run: (reader: CoreReader, request: Request, control: JobControl) => Promise<Result> | Result;
  /** How many of them run at the same time at most; missing: as many as there are threads. */
  readonly atOnce?: number;
  /** Takes long (more than some 100 ms): together such jobs leave one thread to the others. */
  readonly isLong?: boolean;
  /** May take as long as its caller's limits allow: a service that stops does not wait for it. */
  readonly isOpenEnded?: boolean;
  /** Rests at its slices while the threads that answer requests want its processor (pace.ts). */
  readonly givesWay?: boolean;
  /** What it is in a trace; missing: nothing of its own. */
  readonly span?: SpanName;
  /** The arena it begins with; missing: 512 KiB. */
  readonly arenaBytes?: number;
}

/** A kind whatever its request: an entry of the table that threads look names up in. */
// biome-ignore lint/suspicious/noExplicitAny: a table of kinds is keyed by name, and a kind takes only its own request.
export type AnyJobKind = JobKind<any, unknown>;

export interface JobModule {
  /** The same key always means the same module. */
  readonly key: string;
  readonly module: FragmentCode;
}

export interface JobOptions {
  /** Aborted: the job is cancelled, whether it waits or runs. */
  readonly signal?: AbortSignal | undefined;
  /** Time from now until the job is told to stop, waiting included. */
  readonly timeoutMs?: number | undefined;
  readonly modules?: readonly JobModule[];
  /** Goes on with an answer that has begun: it waits for a thread however many wait, because a refusal would break the answer off. */
  readonly isAdmitted?: boolean;
  /** Takes what the job emits, in order; while it has not settled the job may be four blocks ahead. A rejection cancels the job. */
  readonly onBlock?: (block: unknown) => void | Promise<void>;
}

export interface GangOptions extends JobOptions {
  /** Members wanted; fewer when not that many threads have become free within the patience, but at least one. */
  readonly members: number;
  /** How long it waits for all its members before it makes do with those there are; missing: 20 ms. */
  readonly patienceMs?: number;
  /** Of the gang's block for the kernel's own use; zeros at the start. */
  readonly sharedBytes: number;
}

export type JobFailure =
  /** Too much is waiting: nothing was begun. */
  | 'overload'
  /** Its signal was aborted. */
  | 'cancelled'
  /** Its time was over. */
  | 'deadline'
  /** It does not fit into the namespace's memory. */
  | 'memory'
  /** Its thread died. */
  | 'crashed'
  /** There is no thread, and none can be started: nothing was begun. */
  | 'noThread'
  /** The namespace, or the service, is going. */
  | 'closed'
  /** It threw: a defect. */
  | 'failed';

export interface JobRefusal {
  readonly ok: false;
  readonly reason: JobFailure;
  readonly detail: string;
}

/** When it is there, nothing of the job touches the namespace's memory any more. */
export type JobOutcome<Result> = { readonly ok: true; readonly value: Result } | JobRefusal;

/** The jobs over one core. */
export interface JobSpace {
  /** How many jobs can run at the same time on processors of their own: what is worth splitting into. 1: no threads. */
  readonly threads: number;
  /** How many of them have nothing to do at this moment. */
  readonly freeThreads: number;
  /** How many of these have been started already: others take longer to start than a short job does. */
  readonly startedThreads: number;

  run<Request, Result>(
    kind: JobKind<Request, Result>,
    request: Request,
    options?: JobOptions,
  ): Promise<JobOutcome<Result>>;

  /** One job for each request, as threads become free; their results in the order of the requests. The first failure ends all. */
  runParts<Request, Result>(
    kind: JobKind<Request, Result>,
    requests: readonly Request[],
    options?: JobOptions,
  ): Promise<JobOutcome<Result[]>>;

  /**
   * The same job on several threads that run at the same time and may wait for each other (assembly/memory/gang.ts). All that start
   * start together. The results are in the order of the members; the first failure frees the others and ends all.
   */
  runGang<Request, Result>(
    kind: JobKind<Request, Result>,
    request: Request,
    options: GangOptions,
  ): Promise<JobOutcome<Result[]>>;

  /** Ends all its jobs; settles when none of them touches the memory any more. Jobs begun later are refused as `closed`. */
  close(): Promise<void>;
}

/** The threads of a service, or what stands for them on one thread. */
export interface Jobs {
  /** How many jobs can run at the same time on processors of their own: what is worth splitting into. 1: no threads. */
  readonly threads: number;
  /** The jobs over this core's memory. Close it before the core is disposed. */
  open(core: Core): JobSpace;
  /** Whether a job runs or waits. */
  readonly isAtWork: boolean;
  /** Starts one more of its threads ahead of the jobs that will want it. False: there are as many as may be, or no other can be started. */
  startAhead(): boolean;
  /** Ends what is open-ended, and refuses it from now on, as `closed`. Everything else goes on. */
  endOpenEnded(): void;
  /** Ends everything that runs. Jobs begun later are refused as `closed`. */
  close(): Promise<void>;
}

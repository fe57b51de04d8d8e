// The kNN searches of one graph. A small one runs at once. Large ones go to the threads, one pass over an index at a time: what is
// asked while a pass runs waits for the next one and shares it, because a pass is mostly reading memory and memory is read once
// for all its queries. Nothing here knows what makes a query valid.

import {
  mergeHits,
  searchSharedBytes,
  type VectorHits,
  type VectorMetric,
  type VectorQuery,
} from '../../core/vectors.ts';
import { resultOf } from '../jobs/failure.ts';
import { GangPace } from '../jobs/gang-pace.ts';
import type { JobSpace } from '../jobs/types.ts';
import { vectorSearchJob } from './search-job.ts';

/** Most queries that share a pass. */
const queriesAtOnce = 8;
/** Bytes that a thread shall at least have to read: some 200 µs. */
const bytesPerThread = 2 ** 22;
/** Of a pass whose time counts for the next ones. */
const leastMeasuredBytes = 2 ** 24;

export interface SearchTarget {
  readonly graph: number;
  readonly index: string;
  readonly dimension: number;
  readonly metric: VectorMetric;
  /** Bytes of its rows. */
  readonly bytes: number;
}

interface Waiting {
  readonly target: SearchTarget;
  readonly query: VectorQuery;
  readonly signal: AbortSignal | undefined;
  readonly settle: (hits: Promise<VectorHits | null>) => void;
}

export class VectorSearches {
  private readonly jobs: JobSpace & { readonly threads: number };
  /** By index: what waits for the pass that is running. */
  private readonly running = new Map<string, Waiting[]>();
  private readonly pace: GangPace;

  constructor(jobs: JobSpace & { readonly threads: number }, pace = new GangPace(() => performance.now())) {
    this.jobs = jobs;
    this.pace = pace;
  }

  /** Null when the index has gone. Throws CoreMemoryExhausted, JobFailed, or the signal's reason. */
  search(target: SearchTarget, query: VectorQuery, signal?: AbortSignal): Promise<VectorHits | null> {
    signal?.throwIfAborted();
    return new Promise((settle) => {
      const waiting: Waiting = { target, query, signal, settle };
      // An index that was dropped and made again under its name is another one.
      const key = `${target.graph} ${target.dimension} ${target.metric} ${target.index}`;
      const queue = this.running.get(key);
      if (queue !== undefined) {
        queue.push(waiting);
        return;
      }
      const fresh: Waiting[] = [waiting];
      this.running.set(key, fresh);
      void this.passes(key, fresh);
    });
  }

  private async passes(key: string, queue: Waiting[]): Promise<void> {
    // Whatever is asked in the same turn goes along.
    await Promise.resolve();
    while (queue.length > 0) {
      const wanted = queue.splice(0, queriesAtOnce).filter(({ signal, settle }) => {
        if (signal?.aborted !== true) return true;
        settle(Promise.reject(signal.reason));
        return false;
      });
      if (wanted.length > 0) await this.pass(wanted);
    }
    this.running.delete(key);
  }

  private async pass(wanted: readonly Waiting[]): Promise<void> {
    const [first] = wanted as [Waiting];
    const { target } = first;
    const { graph, index, dimension, metric, bytes } = target;
    // A thread that is busy with something else would be waited for longer than most searches take.
    const free = Math.max(1, this.jobs.freeThreads);
    const most = Math.max(1, Math.min(free, Math.floor(bytes / bytesPerThread)));
    const like = `${dimension} ${metric} ${wanted.length}`;
    // Shorter passes say nothing about the machine's memory.
    const { members, ended } =
      bytes < leastMeasuredBytes ? { members: most, ended: () => {} } : this.pace.begin(most, bytes, like);
    const request = { graph, index, dimension, queries: wanted.map(({ query }) => query) };
    // Alone, a search ends with its caller; several go on for the others.
    const signal = wanted.length === 1 ? first.signal : undefined;
    try {
      const options = { members, sharedBytes: searchSharedBytes, signal };
      const parts = resultOf(await this.jobs.runGang(vectorSearchJob, request, options));
      ended(parts.length);
      wanted.forEach(({ query, settle }, i) => {
        const found = parts.map((hits) => hits?.[i] ?? null);
        if (found.includes(null)) settle(Promise.resolve(null));
        else settle(Promise.resolve(mergeHits(found as VectorHits[], query.k, metric !== 'L2')));
      });
    } catch (error) {
      for (const { settle } of wanted) settle(Promise.reject(error));
    }
  }
}

// Threads that run jobs together, for tests and benchmarks of the kernels.

import { Worker } from 'node:worker_threads';
import { type Job, Run } from '../../src/core/analytics.ts';
import type { Core } from '../../src/core/core.ts';
import type { CoreBinary } from '../../src/core/instance.ts';
import { lendReader, type ReaderLease, stopReader, takeBack } from '../../src/core/lease.ts';

const arenaBytes = 1 << 20;
/** The worker is no TypeScript: it lies beside this source, wherever this runs from. */
const workerFile = new URL(
  import.meta.url.includes('/dist/') ? '../../../benchmarks/lib/gang-worker.mjs' : './gang-worker.mjs',
  import.meta.url,
);

interface Member {
  readonly worker: Worker;
  readonly lease: ReaderLease;
}

interface Answer {
  readonly answer: Run;
  readonly fromMs: number;
  readonly toMs: number;
}

/** What a run took: from the first member's beginning to the last one's end, all of them there; and with waking them and hearing back. */
export interface GangTimes {
  readonly kernelMs: number;
  readonly wallMs: number;
}

export class Gang {
  private readonly core: Core;
  private readonly members: Member[];
  private readonly arrivals: Int32Array;

  private constructor(core: Core, members: Member[], arrivals: Int32Array) {
    this.core = core;
    this.members = members;
    this.arrivals = arrivals;
  }

  static async start(core: Core, binary: CoreBinary, count: number): Promise<Gang> {
    const members: Member[] = [];
    const arrivals = new Int32Array(new SharedArrayBuffer(4));
    for (let i = 0; i < count; i++) {
      const lease = lendReader(core.instance, arenaBytes);
      if (lease === null) throw new Error('no arena for a thread');
      const worker = new Worker(workerFile, {
        workerData: { binary, memory: core.instance.memory, lease, arrivals },
      });
      await nextMessage(worker);
      members.push({ worker, lease });
    }
    return new Gang(core, members, arrivals);
  }

  /** Tells one thread alone that its time is over. */
  expire(member: number): void {
    stopReader(this.core.instance, (this.members[member] as Member).lease.slot, 'deadline');
  }

  /** Runs a job with the first `count` threads; answers what each of them answered. */
  async runAll(job: Job, count = this.members.length): Promise<Run[]> {
    return (await this.post(job, count)).map(({ answer }) => answer);
  }

  /** As `runAll`, for a job that must finish. */
  async run(job: Job, count = this.members.length): Promise<void> {
    mustFinish(await this.runAll(job, count));
  }

  /** As `run`; no member begins before all of them are awake. */
  async time(job: Job, count: number): Promise<GangTimes> {
    const started = performance.now();
    const answers = await this.post(job, count, (this.arrivals[0] as number) + count);
    const wallMs = performance.now() - started;
    mustFinish(answers.map(({ answer }) => answer));
    const from = Math.min(...answers.map(({ fromMs }) => fromMs));
    return { kernelMs: Math.max(...answers.map(({ toMs }) => toMs)) - from, wallMs };
  }

  private post(job: Job, count: number, meeting?: number): Promise<Answer[]> {
    return Promise.all(
      this.members.slice(0, count).map(({ worker }, member) => {
        worker.postMessage({ address: job.address, member, meeting });
        return nextMessage<Answer>(worker);
      }),
    );
  }

  async stop(): Promise<void> {
    for (const { worker, lease } of this.members) {
      await worker.terminate();
      takeBack(this.core.instance, lease);
    }
  }
}

function mustFinish(answers: readonly Run[]): void {
  if (answers.some((answer) => answer !== Run.finished)) throw new Error(`a job ended with ${answers}`);
}

function nextMessage<T>(worker: Worker): Promise<T> {
  return new Promise((done, fail) => {
    const end = (): void => {
      worker.off('message', succeed);
      worker.off('error', failed);
    };
    const succeed = (message: T): void => {
      end();
      done(message);
    };
    const failed = (error: unknown): void => {
      end();
      fail(error);
    };
    worker.on('message', succeed);
    worker.on('error', failed);
  });
}

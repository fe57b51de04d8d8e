// Scans graphs for checkpoints on the threads of jobs. What no thread can do now, the writer's own does between requests.

import type { PartitionScanner, ScanJob, ScanResult } from '../../src/engine/checkpoint/scan.ts';
import type { Jobs } from '../../src/engine/jobs/types.ts';
import { checkpointJob } from './checkpoint-job.ts';

export class ThreadScanner implements PartitionScanner {
  readonly threaded = true;
  private readonly jobs: Jobs;
  private readonly directory: string;

  /** `directory`: of the checkpoint store that the scans name; the threads write there themselves. */
  constructor(jobs: Jobs, directory: string) {
    this.jobs = jobs;
    this.directory = directory;
  }

  async scan(job: ScanJob): Promise<ScanResult> {
    const { graph, ids, name, saveId, partitions } = job;
    const space = this.jobs.open(job.core);
    try {
      const outcome = await space.run(checkpointJob, {
        plan: { graph, ids, name, saveId, partitions },
        gate: job.gate.buffer as SharedArrayBuffer,
        directory: this.directory,
      });
      if (outcome.ok) return outcome.value;
      if (outcome.reason === 'memory' || outcome.reason === 'overload') return 'unsettled';
      throw new Error(outcome.detail);
    } finally {
      await space.close();
    }
  }
}

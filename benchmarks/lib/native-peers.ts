// GAP's programs and the plain C++ loop beside the kernels, where the environment says they are.
//
//   BENCH_DATA            folder of the graphs
//   GAPBS_SERIAL, GAPBS_OMP, SCRATCH   GAP binaries for one thread and for several; a folder with, or for, the graphs in their form
//   NATIVE_BIN            folder with the C++ loop (`baseline`)

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Contestant, median } from './measure.ts';

/** Behind the name of a contestant that has one thread where the others have several. */
export const ONE_THREAD = ', one thread';

/** Of one graph, with so many threads. */
export class NativePeers {
  private readonly data = process.env.BENCH_DATA;
  private readonly scratch = process.env.SCRATCH ?? this.data ?? '.';
  private readonly folderOf: readonly (string | undefined)[] = [process.env.GAPBS_SERIAL, process.env.GAPBS_OMP];
  private readonly graphName: string;
  private readonly threads: number;

  constructor(graphName: string, threads: number) {
    this.graphName = graphName;
    this.threads = threads;
  }

  get hasGap(): boolean {
    return this.gapFolder(this.threads) !== undefined && this.data !== undefined;
  }

  /**
   * The median of a round's trials, as the program prints them; with several threads the same of one, too. Nobody without GAP.
   * `kind`: directed, undirected or weighted.
   */
  gap(program: string, kind: 'd' | 'u' | 'w', args: readonly string[], trials: () => number): Contestant[] {
    if (!this.hasGap) return [];
    const path = this.gapGraph(kind);
    const counts = this.threads > 1 && this.gapFolder(1) !== undefined ? [this.threads, 1] : [this.threads];
    return counts.map((threads) => ({
      name: `GAP ${program}${threads < this.threads ? ONE_THREAD : ''}`,
      round: () => {
        const output = this.runGap(program, ['-f', path, '-n', String(trials()), ...args], threads);
        return median([...output.matchAll(/^Trial Time:\s+([\d.]+)/gm)].map((match) => Number(match[1]) * 1000));
      },
    }));
  }

  /** The C++ loop runs all it knows at once, so its figure is one median from one run; NaN without it. */
  loopMs(workload: string): number {
    if (process.env.NATIVE_BIN === undefined || this.data === undefined) return Number.NaN;
    const program = join(process.env.NATIVE_BIN, 'baseline');
    for (const line of this.execute(program, [this.data, this.graphName, '3']).split('\n')) {
      if (line === '') continue;
      const report = JSON.parse(line) as { workload: string; ms: number[] };
      if (report.workload === workload) return median(report.ms);
    }
    return Number.NaN;
  }

  /** The graph in GAP's own form, made once. */
  private gapGraph(kind: 'd' | 'u' | 'w'): string {
    const stem = `${this.graphName}.${kind === 'd' ? 'd' : 'u'}`;
    const path = join(this.scratch, `${stem}.${kind === 'w' ? 'wsg' : 'sg'}`);
    if (!existsSync(path)) {
      const source = join(this.data ?? '.', `${stem}.${kind === 'w' ? 'wel' : 'el'}`);
      this.runGap('converter', [kind === 'd' ? '-f' : '-sf', source, kind === 'w' ? '-wb' : '-b', path]);
    }
    return path;
  }

  private gapFolder(threads: number): string | undefined {
    return this.folderOf[threads > 1 ? 1 : 0];
  }

  private runGap(program: string, args: readonly string[], threads = this.threads): string {
    return this.execute(join(this.gapFolder(threads) ?? '', program), args, threads);
  }

  private execute(program: string, args: readonly string[], threads = this.threads): string {
    const env = { ...process.env, OMP_NUM_THREADS: String(threads) };
    return execFileSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 26, env });
  }
}

// The searches of plugins on another runtime of C#: the same source, compiled by Mono's compiler with the least of the engine that it asks for
// (native/plugin-search.cs), where `mcs` and `mono` are installed.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EdgeList } from './graphs.ts';
import { hasProgram } from './servers.ts';

export interface MonoRounds {
  /** Of each call behind the first. */
  readonly ms: readonly number[];
  /** The vertex that it ended at. */
  readonly last: number;
}

export class MonoSearch {
  private readonly folder = mkdtempSync(join(tmpdir(), 'arcwise-mono-'));
  private readonly vertices: number;

  private constructor({ vertexCount, source, target }: EdgeList) {
    this.vertices = vertexCount;
    const lines = Array.from(source, (from, at) => `${from} ${target[at]}`);
    writeFileSync(join(this.folder, 'edges'), `${lines.join('\n')}\n`);
  }

  /** Null without the runtime. */
  static of(graph: EdgeList): MonoSearch | null {
    return hasProgram('mcs') && hasProgram('mono') ? new MonoSearch(graph) : null;
  }

  /** Null where the compiler refuses the source, which may be newer than it is. */
  run(source: string, rounds: number): MonoRounds | null {
    const [code, program] = [join(this.folder, 'Search.cs'), join(this.folder, 'search.exe')];
    writeFileSync(code, source);
    const engine = new URL('../../../benchmarks/native/plugin-search.cs', import.meta.url).pathname;
    const options = ['-langversion:latest', '-optimize+', '-warn:0', '-r:System.Core.dll', `-out:${program}`];
    if (spawnSync('mcs', [...options, engine, code]).status !== 0) return null;
    const list = [program, String(this.vertices), join(this.folder, 'edges'), String(rounds + 1)];
    const lines = execFileSync('mono', list, { encoding: 'utf8' }).trim().split('\n').slice(1);
    const answers = lines.map((line) => line.split(' ').map(Number) as [number, number]);
    return { ms: answers.map(([ms]) => ms), last: (answers[0] as [number, number])[1] };
  }

  end(): void {
    rmSync(this.folder, { recursive: true });
  }
}

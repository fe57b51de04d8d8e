// The machine's speed of reading, as a native program sees it (native/read.cc): the bound of everything that scans memory. Compiled with
// g++ when it is there.

import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { hasProgram } from './servers.ts';

/** A process that holds as many bytes of its own and reads them all when it is asked to. */
export class NativeRead {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly lines: AsyncIterator<string>;

  private constructor(program: string, bytes: number) {
    this.child = spawn(program, [String(bytes)]);
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  /** Null without a compiler. */
  static start(bytes: number): NativeRead | null {
    if (process.arch !== 'x64' || !hasProgram('g++')) return null;
    const folder = mkdtempSync(join(tmpdir(), 'arcwise-read-'));
    const program = join(folder, 'read');
    const code = new URL('../../../benchmarks/native/read.cc', import.meta.url).pathname;
    execFileSync('g++', ['-O3', '-mavx2', '-std=c++17', '-pthread', code, '-o', program]);
    const read = new NativeRead(program, bytes);
    read.child.once('exit', () => rmSync(folder, { recursive: true }));
    return read;
  }

  /** Milliseconds of one pass over all bytes. */
  async pass(threads: number): Promise<number> {
    this.child.stdin.write(`${threads}\n`);
    const { value } = await this.lines.next();
    return Number(value);
  }

  end(): void {
    this.child.stdin.end();
  }
}

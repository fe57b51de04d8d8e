// Members of a job played on one thread, left and come back to at any word they share (test/assembly/switched.ts). Who goes on where is
// drawn from a seed, so whatever goes wrong goes wrong again.

import { readFileSync } from 'node:fs';
import { at } from '../../../scripts/lib/freshness.mjs';

interface SwitchedExports {
  jobOpen(job: number, chunks: number): void;
  jobRun(job: number, member: number, slot: number, chunks: number): number;
  playMember(job: number, member: number, sizes: number, ends: number, runs: number): number;
  asyncify_start_unwind(stack: number): void;
  asyncify_stop_unwind(): void;
  asyncify_start_rewind(stack: number): void;
  asyncify_stop_rewind(): void;
  asyncify_get_state(): number;
}

const leaving = 1;
const comingBack = 2;
/** Of the frames of a member that was left. */
export const stackBytes = 16_384;
/** Times that members are left in one run: more than any that ends. */
const mostSwitches = 2_000_000;

let module: WebAssembly.Module | null = null;

/** One member: an instance of its own over the shared memory. */
export class Member {
  readonly exports: SwitchedExports;
  private readonly memory: WebAssembly.Memory;
  private readonly stack: number;
  private isLeft = false;
  private isPlayed = false;

  /** `stack`: the address of `stackBytes` bytes of its own. `leaves`: whether to leave it at the place it has come to. */
  constructor(memory: WebAssembly.Memory, stack: number, leaves: () => boolean) {
    module ??= new WebAssembly.Module(readFileSync(at('dist/wasm/test/switched.debug.wasm')));
    this.memory = memory;
    this.stack = stack;
    const pulse = (): void => {
      if (this.exports.asyncify_get_state() === comingBack) {
        this.exports.asyncify_stop_rewind();
      } else if (this.isPlayed && leaves()) {
        new Uint32Array(this.memory.buffer, this.stack, 2).set([this.stack + 8, this.stack + stackBytes]);
        this.exports.asyncify_start_unwind(this.stack);
      }
    };
    const abort = (code: number): never => {
      throw new Error(`check ${code}`);
    };
    const instance = new WebAssembly.Instance(module, { env: { memory, pulse, abort } });
    this.exports = instance.exports as unknown as SwitchedExports;
  }

  /** Goes on with `run` until it is left (null) or answers. */
  goOn(run: (exports: SwitchedExports) => number): number | null {
    if (this.isLeft) this.exports.asyncify_start_rewind(this.stack);
    this.isPlayed = true;
    const answer = run(this.exports);
    this.isPlayed = false;
    this.isLeft = this.exports.asyncify_get_state() === leaving;
    if (!this.isLeft) return answer;
    this.exports.asyncify_stop_unwind();
    return null;
  }
}

/** Plays the members to their ends; their answers. `random(n)`: below n. */
export function playAll(
  members: readonly Member[],
  run: (exports: SwitchedExports, member: number) => number,
  random: (below: number) => number,
): number[] {
  const answers: (number | null)[] = members.map(() => null);
  const playing = members.map((_, i) => i);
  for (let switches = 0; playing.length > 0; switches++) {
    if (switches > mostSwitches) throw new Error('The members come to no end.');
    const at = random(playing.length);
    const member = playing[at] as number;
    const answer = (members[member] as Member).goOn((exports) => run(exports, member));
    if (answer === null) continue;
    answers[member] = answer;
    playing.splice(at, 1);
  }
  return answers as number[];
}

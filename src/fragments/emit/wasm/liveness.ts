// Which locals of a function are read later, at the places asked about. Backward over the instructions until nothing changes: once for a
// function without loops, once more for each depth of them.

import type { Instruction } from './instructions.ts';
import { control, variable } from './opcodes.ts';

type Bits = Uint32Array<ArrayBuffer>;

interface Frame {
  readonly opened: number;
  /** Behind its end. */
  readonly after: Bits;
  /** At the start of its `else` or `catch`. */
  second: Bits | null;
}

const has = (bits: Bits, at: number): boolean => (((bits[at >>> 5] as number) >>> (at & 31)) & 1) === 1;

function include(bits: Bits, others: Bits): boolean {
  let changed = false;
  for (let at = 0; at < bits.length; at++) {
    const own = bits[at] as number;
    const both = (own | (others[at] as number)) >>> 0;
    if (both !== own) changed = true;
    bits[at] = both;
  }
  return changed;
}

export class Liveness {
  private readonly code: readonly Instruction[];
  private readonly words: number;
  /** At the beginning of each loop. */
  private readonly loops = new Map<number, Bits>();
  private live: Bits;
  private changed = true;

  constructor(code: readonly Instruction[], locals: number) {
    this.code = code;
    this.words = (locals + 31) >>> 5;
    this.live = new Uint32Array(this.words);
  }

  /**
   * The locals that are live at each of the instructions asked for: at the beginning of a loop, behind a call whether it returns or throws.
   */
  at(asked: ReadonlySet<number>, locals: number): Map<number, number[]> {
    const seen = new Map<number, Bits>();
    while (asked.size > 0 && this.changed) {
      this.changed = false;
      this.pass((at) => {
        if (asked.has(at)) seen.set(at, this.live.slice());
      });
    }
    const found = new Map<number, number[]>();
    for (const [at, live] of seen) {
      const numbers: number[] = [];
      for (let local = 0; local < locals; local++) if (has(live, local)) numbers.push(local);
      found.set(at, numbers);
    }
    return found;
  }

  private pass(see: (at: number) => void): void {
    const frames: Frame[] = [];
    this.live = new Uint32Array(this.words);
    for (let at = this.code.length - 1; at >= 0; at--) {
      const instruction = this.code[at] as Instruction;
      this.step(instruction, at, frames);
      see(at);
    }
  }

  private step({ code, operand, middle }: Instruction, at: number, frames: Frame[]): void {
    const { live } = this;
    const word = operand >>> 5;
    const bit = 1 << (operand & 31);
    switch (code) {
      case variable.localGet:
        live[word] = (live[word] as number) | bit;
        return;
      case variable.localSet:
      case variable.localTee:
        live[word] = (live[word] as number) & ~bit;
        return;
      case control.end:
        frames.push({ opened: operand, after: live.slice(), second: null });
        return;
      case control.else:
      case control.catch: {
        const frame = frames.at(-1) as Frame;
        frame.second = live.slice();
        live.set(frame.after);
        return;
      }
      case control.if: {
        const frame = frames.pop() as Frame;
        include(live, middle < 0 ? frame.after : (frame.second as Bits));
        return;
      }
      case control.loop:
        frames.pop();
        this.beginsLoop(at);
        return;
      case control.block:
      case control.try:
        frames.pop();
        return;
      case control.br:
        live.fill(0);
        this.branch(frames, operand);
        return;
      case control.brIf:
        this.branch(frames, operand);
        return;
      case control.return:
      case control.unreachable:
        live.fill(0);
        return;
      case control.throw:
        live.fill(0);
        this.mayThrow(frames);
        return;
      case control.call:
        this.mayThrow(frames);
        return;
      default:
        return;
    }
  }

  private beginsLoop(at: number): void {
    const known = this.loops.get(at);
    if (known === undefined) this.loops.set(at, this.live.slice());
    if (known === undefined ? this.live.some((word) => word !== 0) : include(known, this.live)) this.changed = true;
  }

  private branch(frames: readonly Frame[], depth: number): void {
    const frame = frames.at(-1 - depth);
    // Out of the function.
    if (frame === undefined) return;
    if ((this.code[frame.opened] as Instruction).code !== control.loop) include(this.live, frame.after);
    else include(this.live, this.loops.get(frame.opened) ?? new Uint32Array(this.words));
  }

  /** Goes on at the handler around, if there is one in this function. */
  private mayThrow(frames: readonly Frame[]): void {
    for (let at = frames.length - 1; at >= 0; at--) {
      const { opened, second } = frames[at] as Frame;
      // Within the handler itself its own block is left.
      if ((this.code[opened] as Instruction).code === control.try && second !== null) include(this.live, second);
    }
  }
}

// Which locals of a function hold something from one run of a piece of its code to the next.

import { step } from '../../steps.ts';

/**
 * Tells locals that hold something from one run of the code to the next from those that do not: a local does not when every run writes it
 * before it reads it, which is certain where the first write stands in a block that is around all that follows.
 */
export class Watch {
  readonly readFirst = new Set<number>();
  private readonly writtenIn = new Map<number, number>();
  private readonly blocks = [0];
  private made = 0;

  open(): void {
    this.blocks.push(++this.made);
  }

  close(): void {
    this.blocks.pop();
  }

  reads(local: number): void {
    step(this.blocks.length >> 4);
    const block = this.writtenIn.get(local);
    if (block === undefined || !this.blocks.includes(block)) this.readFirst.add(local);
  }

  writes(local: number): void {
    const block = this.writtenIn.get(local);
    if (block === undefined) this.writtenIn.set(local, this.blocks.at(-1) as number);
  }
}

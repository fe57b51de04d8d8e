// Long work on the thread that answers requests, in slices.

import { type Slice, type SliceLength, slicesByTime } from '../core/slices.ts';
import type { HttpPlatform } from './platform.ts';

/** A request that comes in between waits no longer for a slice; one step is a few microseconds at most. */
const sliceMs = 4;
/** Steps between two looks at the clock: a look takes a tenth of a microsecond. */
const stepsPerLook = 64;
const length: SliceLength = { ms: sliceMs, steps: 16 };

export class Slices {
  private readonly platform: HttpPlatform;
  private slice: Slice;
  private steps = 0;
  private nextLook = stepsPerLook;

  constructor(platform: HttpPlatform) {
    this.platform = platform;
    this.slice = this.begin();
  }

  private begin(): Slice {
    const { platform } = this;
    return (platform.slices ?? slicesByTime(platform.monotonicMs))(length);
  }

  /** To be asked once a step, or behind what takes as long as so many; true when it is time for `next`. */
  isOver(steps = 1): boolean {
    this.steps += steps;
    if (this.steps < this.nextLook) return false;
    this.nextLook = this.steps + stepsPerLook;
    return this.slice.isOver();
  }

  /** Lets other work of this thread run. */
  async next(): Promise<void> {
    await this.platform.pause();
    this.slice = this.begin();
  }
}

/** What `make` makes of each item, in slices; `stepsOf`: how many steps an item takes, where they differ. */
export async function mapInSlices<Item, Made>(
  platform: HttpPlatform,
  items: readonly Item[],
  make: (item: Item, index: number) => Made,
  stepsOf: (item: Item) => number = () => 1,
): Promise<Made[]> {
  const slices = new Slices(platform);
  const made: Made[] = [];
  for (const [index, item] of items.entries()) {
    made.push(make(item, index));
    if (slices.isOver(stepsOf(item))) await slices.next();
  }
  return made;
}

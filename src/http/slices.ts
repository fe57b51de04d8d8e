// Long work on the thread that answers requests, in slices.

import { type Slice, type SliceLength, slicesByTime } from '../core/slices.ts';
import type { HttpPlatform } from './platform.ts';

/** A request that comes in between waits no longer for a slice; one step is a few microseconds. */
const sliceMs = 4;
/** Steps between two looks at the clock: a look takes a tenth of a microsecond. */
const stepsPerLook = 64;
const length: SliceLength = { ms: sliceMs, steps: 16 };

export class Slices {
  private readonly platform: HttpPlatform;
  private slice: Slice;
  private steps = 0;

  constructor(platform: HttpPlatform) {
    this.platform = platform;
    this.slice = this.begin();
  }

  private begin(): Slice {
    const { platform } = this;
    return (platform.slices ?? slicesByTime(() => platform.monotonicMs()))(length);
  }

  /** To be asked once a step; true when it is time for `next`. */
  isOver(): boolean {
    return ++this.steps % stepsPerLook === 0 && this.slice.isOver();
  }

  /** Lets other work of this thread run. */
  async next(): Promise<void> {
    await this.platform.pause();
    this.slice = this.begin();
  }
}

/** What `make` makes of each item, in slices. */
export async function mapInSlices<Item, Made>(
  platform: HttpPlatform,
  items: readonly Item[],
  make: (item: Item, index: number) => Made,
): Promise<Made[]> {
  if (items.length <= stepsPerLook) return items.map((item, index) => make(item, index));
  const slices = new Slices(platform);
  const made: Made[] = [];
  for (const [index, item] of items.entries()) {
    made.push(make(item, index));
    if (slices.isOver()) await slices.next();
  }
  return made;
}

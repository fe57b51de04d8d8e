// Long work on the thread that answers requests, in slices of time.

import type { HttpPlatform } from './platform.ts';

/** How long a slice may take; a request that comes in between waits no longer for it. */
const sliceMs = 4;
/** Steps between two looks at the clock: one step is a few microseconds, a look a tenth of one. */
const stepsPerLook = 64;

export class Slices {
  private readonly platform: HttpPlatform;
  private endMs: number;
  private steps = 0;

  constructor(platform: HttpPlatform) {
    this.platform = platform;
    this.endMs = platform.monotonicMs() + sliceMs;
  }

  /** To be asked once a step; true when it is time for `next`. */
  isOver(): boolean {
    return ++this.steps % stepsPerLook === 0 && this.platform.monotonicMs() >= this.endMs;
  }

  /** Lets other work of this thread run. */
  async next(): Promise<void> {
    await this.platform.pause();
    this.endMs = this.platform.monotonicMs() + sliceMs;
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

// Services of one log, one behind the other: graphs that are whole go from one to the next, which need not load them.

import { KeptGraphs } from '../../src/engine/kept-graphs.ts';
import type { Logger } from '../../src/engine/logger.ts';
import type { ArcwiseService } from '../../src/service.ts';

export class Successive {
  private readonly logger: Logger;
  private kept: Promise<KeptGraphs> = Promise.resolve(new KeptGraphs());

  constructor(logger: Logger) {
    this.logger = logger;
  }

  /** What the service that ended last has let go of: when it is there, nothing of that one is written any more. */
  get graphs(): Promise<KeptGraphs> {
    return this.kept;
  }

  /** Resolves when it has given everything back, behind `graphs`. */
  end(service: ArcwiseService): Promise<void> {
    const before = this.kept;
    const released = service.release().catch((error: unknown) => {
      this.logger.warn(`Graphs are loaded anew: ${String(error)}`);
      return new KeptGraphs();
    });
    this.kept = released;
    return released
      .then(() => before)
      .then((graphs) => graphs.dispose()) // what that one did not take
      .then(() => service.close())
      .catch((error: unknown) => this.logger.warn(`It did not end well: ${String(error)}`));
  }

  /** Nobody comes behind it. */
  async dispose(): Promise<void> {
    (await this.kept).dispose();
  }
}

// How much of all bodies together is taken in one turn of the event loop. A turn reads what has come on every connection, up to two
// megabytes of each, so twenty large uploads would hold up small requests for as long as copying forty takes.

import type { IncomingMessage } from 'node:http';

const mostBytesInATurn = 2 * 1024 * 1024;

export class IncomingPace {
  private bytes = 0;
  private readonly paused = new Set<IncomingMessage>();

  /** To be called with each block that came; stops the request until the next turn when this one has had enough. */
  took(request: IncomingMessage, bytes: number): void {
    if (this.bytes === 0) setImmediate(() => this.next());
    this.bytes += bytes;
    if (this.bytes < mostBytesInATurn) return;
    request.pause();
    this.paused.add(request);
  }

  private next(): void {
    this.bytes = 0;
    for (const request of this.paused) request.resume();
    this.paused.clear();
  }
}

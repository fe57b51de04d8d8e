// Ids of traces and spans. The thread that serves numbers them, which costs it nothing; here the numbers become digits that nobody can tell
// from chance: what is below one trace may be exported in several messages, and by a thread that was started anew.

import { createHash } from 'node:crypto';
import type { Id } from './messages.ts';

const [traceDigits, spanDigits] = [32, 16];

export class Ids {
  private readonly key: string;

  /** `key`: another one for each service. */
  constructor(key: string) {
    this.key = key;
  }

  trace(id: Id): string {
    return typeof id === 'string' ? id : this.digits(`trace ${id}`, traceDigits);
  }

  span(id: Id): string {
    return typeof id === 'string' ? id : this.digits(`span ${id}`, spanDigits);
  }

  private digits(what: string, count: number): string {
    return createHash('sha256').update(`${this.key} ${what}`).digest('hex').slice(0, count);
  }
}

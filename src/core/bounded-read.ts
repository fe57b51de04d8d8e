// Reads that are given up once their answer is long: whoever can wait has another thread make it.

import type { CoreInstance } from './instance.ts';

/** Bytes of an answer that take about a millisecond to write. */
const longAnswerBytes = 512 * 1024;

/** What a read of the core throws when it meets the bound of `unlessLong`. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
}

/** What `read`, one read of the writer's core, answers; undefined: it would be long. */
export function unlessLong<T>({ exports }: CoreInstance, read: () => T): T | undefined {
  exports.outputMost(longAnswerBytes);
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AnswerTooLong)) throw error;
    exports.arenaTrim();
    return undefined;
  } finally {
    exports.outputMost(0);
  }
}

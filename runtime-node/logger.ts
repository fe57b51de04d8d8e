// Log lines as JSON on standard error: standard output belongs to the one line that says where the service is.

import { destination, pino } from 'pino';
import type { Logger } from '../src/engine/logger.ts';

/** A logger whose level may change. */
export interface LevelLogger extends Logger {
  setLevel(level: string): void;
}

export function createLogger(level: string): LevelLogger {
  const lines = pino({ level, base: null }, destination({ fd: 2, sync: true }));
  return {
    info: (message, fields) => lines.info(fields ?? {}, message),
    warn: (message, fields) => lines.warn(fields ?? {}, message),
    error: (message, fields) => lines.error(fields ?? {}, message),
    setLevel: (changed) => {
      lines.level = changed;
    },
  };
}

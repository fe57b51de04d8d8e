// Log lines on standard error: standard output belongs to the one line that says where the service is. Lines are JSON, and short texts on a
// terminal, where a person reads them.

import { destination, pino } from 'pino';
import type { Logger } from '../src/engine/logger.ts';
import { forPeople } from './terminal-line.ts';

/** A logger whose level may change. */
export interface LevelLogger extends Logger {
  setLevel(level: string): void;
}

export function createLogger(level: string, isTerminal = process.stderr.isTTY === true): LevelLogger {
  const file = destination({ fd: 2, sync: true });
  const lines = pino({ level, base: null }, isTerminal ? { write: (line) => void file.write(forPeople(line)) } : file);
  return {
    info: (message, fields) => lines.info(fields ?? {}, message),
    warn: (message, fields) => lines.warn(fields ?? {}, message),
    error: (message, fields) => lines.error(fields ?? {}, message),
    setLevel: (changed) => {
      lines.level = changed;
    },
  };
}

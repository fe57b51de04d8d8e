// Log lines as JSON on standard error: standard output belongs to the one line that says where the service is.

import { destination, pino } from 'pino';
import type { Logger } from '../src/engine/logger.ts';

export function createLogger(level: string): Logger {
  const lines = pino({ level, base: null }, destination({ fd: 2, sync: true }));
  return {
    info: (message, fields) => lines.info(fields ?? {}, message),
    warn: (message, fields) => lines.warn(fields ?? {}, message),
    error: (message, fields) => lines.error(fields ?? {}, message),
  };
}

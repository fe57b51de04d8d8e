// How much plugins may say in the service's log: so many lines in a window of time, and behind them how many were left out.

import type { PluginLog } from './writer-channel.ts';

const windowMs = 10_000;
const mostLines = 100;
/** The level Warning. */
const warning = 3;

const paced = new WeakMap<PluginLog, PluginLog>();

/** A log that passes on as many lines as may be; the same one for the same log. */
export function pacedLog(log: PluginLog, nowMs: () => number): PluginLog {
  const known = paced.get(log);
  if (known !== undefined) return known;
  let beganMs = Number.NEGATIVE_INFINITY;
  let lines = 0;
  const made: PluginLog = (level, line) => {
    if (nowMs() - beganMs >= windowMs) {
      if (lines > mostLines) log(warning, `Plugins said ${lines - mostLines} lines more, which were left out.`);
      beganMs = nowMs();
      lines = 0;
    }
    if (++lines <= mostLines) log(level, line);
  };
  paced.set(log, made);
  return made;
}

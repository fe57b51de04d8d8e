// A line of the log as a person reads it on a terminal.

import { levels } from 'pino';

/** Where hours, minutes and seconds stand in an ISO date. */
const clockStart = 11;
const clockEnd = 19;

/** `12:34:56 info  message  key=value …` of a line of JSON. Values stay JSON, so nothing of them can look like a line of its own. */
export function forPeople(line: string): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const clock = new Date(Number(time)).toISOString().slice(clockStart, clockEnd);
  const name = (levels.labels[Number(level)] ?? String(level)).padEnd(5);
  const values = Object.entries(fields).map(([key, value]) => ` ${key}=${JSON.stringify(value)}`);
  return `${clock} ${name} ${oneLine(String(msg))}${values.length === 0 ? '' : ` ${values.join('')}`}\n`;
}

/** A message in one line: control characters as escapes. */
function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]/g, (unit) => JSON.stringify(unit).slice(1, -1));
}

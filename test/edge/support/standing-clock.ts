// The library as a deployed runtime runs it: clocks move between two events and never during one. The local runtime's go on all the time.

import { readFileSync } from 'node:fs';
import { at } from '../../../scripts/lib/freshness.mjs';

const clocks = `
const standing$ = { date: Date.now.bind(Date), monotonic: performance.now.bind(performance), timer: setTimeout.bind(globalThis) };
standing$.event = () => {
  [standing$.dateMs, standing$.monotonicMs] = [standing$.date(), standing$.monotonic()];
};
standing$.event();
Date.now = () => standing$.dateMs;
Object.defineProperty(performance, 'now', { value: () => standing$.monotonicMs });
globalThis.setTimeout = (run, ms, ...values) =>
  standing$.timer((...given) => { standing$.event(); run(...given); }, ms, ...values);
`;

/** A request is an event as well. */
const requests = (object: string): string => `
{ const { fetch } = ${object}.prototype; ${object}.prototype.fetch = function (request) { standing$.event(); return fetch.call(this, request); }; }
`;

/** The text of a module in place of the library's own. */
export function withStandingClock(): string {
  const library = readFileSync(at('dist/edge/index.js'), 'utf8');
  const last = library.lastIndexOf('export{');
  const object = /export\{.*?(\w+) as ArcwiseObject/.exec(library.slice(last))?.[1];
  if (object === undefined) throw new Error('The bundle exports no ArcwiseObject.');
  return clocks + library.slice(0, last) + requests(object) + library.slice(last);
}

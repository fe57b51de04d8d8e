// The library as a deployed runtime runs it: clocks move between two events and never during one. The local runtime's go on all the time.

import { readFileSync } from 'node:fs';
import { at } from '../../../scripts/lib/freshness.mjs';

/** Of requests that ask how often they gave way, and of their answers. */
export const turnsHeader = 'x-turns';

const clocks = `
const standing$ = { date: Date.now.bind(Date), monotonic: performance.now.bind(performance), timer: setTimeout.bind(globalThis) };
standing$.turns = 0;
standing$.event = () => {
  [standing$.dateMs, standing$.monotonicMs] = [standing$.date(), standing$.monotonic()];
};
standing$.event();
Date.now = () => standing$.dateMs;
Object.defineProperty(performance, 'now', { value: () => standing$.monotonicMs });
globalThis.setTimeout = (run, ms, ...values) =>
  standing$.timer((...given) => { standing$.turns++; standing$.event(); run(...given); }, ms, ...values);
`;

/** A request is an event as well. One that asks is told the events of timers until its answer: how often it gave way. */
const requests = (object: string): string => `
{
  const { fetch } = ${object}.prototype;
  ${object}.prototype.fetch = async function (request) {
    standing$.event();
    const before = standing$.turns;
    const answer = await fetch.call(this, request);
    if (!request.headers.has('${turnsHeader}')) return answer;
    return new Response(answer.body, { status: answer.status, headers: { '${turnsHeader}': standing$.turns - before } });
  };
}
`;

/** The text of a module in place of the library's own. */
export function withStandingClock(): string {
  const library = readFileSync(at('dist/edge/index.js'), 'utf8');
  const last = library.lastIndexOf('export{');
  const object = /export\{.*?(\w+) as ArcwiseObject/.exec(library.slice(last))?.[1];
  if (object === undefined) throw new Error('The bundle exports no ArcwiseObject.');
  return clocks + library.slice(0, last) + requests(object) + library.slice(last);
}

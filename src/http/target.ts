// The target of a request, taken apart by hand: the platform's URL class costs more than a whole vertex read, and it rewrites
// paths. Names stay percent-encoded until a route asks for them.

import { Problem } from './problems.ts';

const dotSegment = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

/** Path and query of a target in origin form (`/vertex/1?x=y`). */
export function splitTarget(target: string): { path: string; query: string } {
  const hash = target.indexOf('#');
  const whole = hash === -1 ? target : target.slice(0, hash);
  const mark = whole.indexOf('?');
  return mark === -1 ? { path: whole, query: '' } : { path: whole.slice(0, mark), query: whole.slice(mark + 1) };
}

/** The target of a request whose platform gives only an absolute URL. */
export function targetOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  return start === -1 ? '/' : url.slice(start);
}

/** Why no route can mean this path: empty segments, `.` and `..`. Null when nothing is wrong. */
export function pathFlaw(path: string): Problem | null {
  if (path.length > 1 && (path.includes('//') || path.endsWith('/'))) {
    return new Problem('badRequest', 'The path has an empty segment.');
  }
  if (!path.includes('/.') && !path.includes('/%2')) return null;
  return dotSegment.test(path) ? new Problem('badRequest', 'The path has a segment of dots only.') : null;
}

/** The text of one percent-encoded segment. */
export function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Problem('badRequest', 'The path is not percent-encoded UTF-8.');
  }
}

/** First value of each parameter, by its lower-case name. */
export function parseQuery(query: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decodeComponent(equals === -1 ? pair : pair.slice(0, equals)).toLowerCase();
    if (!values.has(name)) values.set(name, equals === -1 ? '' : decodeComponent(pair.slice(equals + 1)));
  }
  return values;
}

function decodeComponent(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw new Problem('badRequest', 'The query is not percent-encoded UTF-8.');
  }
}

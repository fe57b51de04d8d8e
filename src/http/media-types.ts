// Which of the media types that a route offers suits a request's `Accept` best. Knows nothing of routes or bodies.

import { apiVersion } from './exchange.ts';

interface Range {
  readonly type: string;
  readonly quality: number;
  readonly namesVersion: boolean;
}

/**
 * The value of `Content-Type` for one of `offered`, the server's favourite first: what the client rates highest, among equals the
 * earlier offered, and the favourite where nothing suits. A text says its character set, and the version stands there where the
 * client asked for it (contract part 1, Versioning 2).
 */
export function contentTypeFor(accept: string | null, offered: readonly [favourite: string, ...string[]]): string {
  const ranges = (accept ?? '').split(',').map(rangeOf);
  let best: Range = { type: offered[0], quality: 0, namesVersion: false };
  for (const type of offered) {
    const range = mostSpecific(ranges, type);
    if (range !== undefined && range.quality > best.quality) best = { ...range, type };
  }
  const charset = best.type.startsWith('text/') ? '; charset=utf-8' : '';
  return `${best.type}${charset}${best.namesVersion ? `; ver=${apiVersion}` : ''}`;
}

function rangeOf(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const q = parameters.find((parameter) => /^q\s*=/.test(parameter));
  const quality = q === undefined ? 1 : Number(q.slice(q.indexOf('=') + 1));
  return {
    type,
    quality: quality >= 0 && quality <= 1 ? quality : 0,
    namesVersion: parameters.some((parameter) => /^ver\s*=/.test(parameter)),
  };
}

/** An exact type rules over its family, and that over everything. */
function mostSpecific(ranges: readonly Range[], type: string): Range | undefined {
  const family = `${type.slice(0, type.indexOf('/'))}/*`;
  for (const wanted of [type, family, '*/*']) {
    const range = ranges.find((one) => one.type === wanted);
    if (range !== undefined) return range;
  }
  return undefined;
}

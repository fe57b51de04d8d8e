// Cross-origin calls from browsers: denied unless the page's origin is listed. A listed origin may use any method and header,
// without credentials; every answer to it, errors included, names it.

import type { Exchange } from './exchange.ts';
import type { HeaderList } from './problems.ts';
import { warningsHeader } from './warnings.ts';

/** Headers of ours that a page may read. */
const exposed: HeaderList[number] = [
  'access-control-expose-headers',
  `${warningsHeader}, x-durability, x-memory-bytes, retry-after, location, x-arcwise-position, x-arcwise-head, x-arcwise-feed`,
];

const preflightSeconds = '600';

export class CrossOrigin {
  private readonly origins: ReadonlySet<string>;
  private readonly any: boolean;

  constructor(allowedOrigins: readonly string[]) {
    this.origins = new Set(allowedOrigins.map((origin) => origin.replace(/\/$/, '').toLowerCase()));
    this.any = this.origins.has('*');
  }

  /** Headers of every answer to this request. */
  headersFor(exchange: Exchange): HeaderList {
    if (this.origins.size === 0) return [];
    if (this.any) return [['access-control-allow-origin', '*'], exposed];
    const origin = exchange.header('origin');
    if (origin === null || !this.origins.has(origin.toLowerCase())) return [['vary', 'Origin']];
    return [['access-control-allow-origin', origin], exposed, ['vary', 'Origin']];
  }

  isPreflight(exchange: Exchange): boolean {
    return (
      exchange.method === 'OPTIONS' &&
      exchange.header('origin') !== null &&
      exchange.header('access-control-request-method') !== null
    );
  }

  /** A preflight needs no key: a browser cannot send one. An origin that is not listed gets an answer without permission. */
  answerPreflight(exchange: Exchange): Response {
    const allowed = exchange.extraHeaders.some(([name]) => name === 'access-control-allow-origin');
    if (!allowed) return exchange.empty(204);
    const headers: [string, string][] = [
      ['access-control-allow-methods', exchange.header('access-control-request-method') ?? 'GET'],
      ['access-control-max-age', preflightSeconds],
    ];
    const wanted = exchange.header('access-control-request-headers');
    if (wanted !== null) headers.push(['access-control-allow-headers', wanted]);
    return exchange.empty(204, headers);
  }
}

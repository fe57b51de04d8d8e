// What a line of the route table says.

import type { Exchange } from './exchange.ts';

export type Method = 'GET' | 'HEAD' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';

/**
 * `namespace`: also reachable under `/ns/{ns}`; `service`: concerns the whole collection and exists once.
 */
export type RouteScope = 'namespace' | 'service';

export interface Route {
  readonly method: Method;
  /** Segments; `:name` is a parameter of one segment. */
  readonly path: string;
  readonly scope: RouteScope;
  /** Answers without the API key. */
  readonly anonymous?: boolean;
  /** Counts against the limiter of sensitive endpoints. */
  readonly rateLimited?: boolean;
  /** Also answers for a namespace that is not loaded. */
  readonly servesNotLoaded?: boolean;
  /** Answers 405 itself, so the path does not take this method. */
  readonly refuses?: boolean;
  readonly serve: (exchange: Exchange) => Response | Promise<Response>;
}

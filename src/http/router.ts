// From method and path to a route. Routes are handed to small itty routers, one for each method and first segment, so that a
// request meets a handful of patterns and not the whole table (90 of them cost 7 µs, three cost 1.2). A second set, of the
// namespace routes only, serves the `/ns/{ns}` twins.

import { IttyRouter } from 'itty-router/IttyRouter';
import type { Exchange } from './exchange.ts';
import type { Route } from './route.ts';

export type ServeRoute = (exchange: Exchange, route: Route) => Promise<Response>;

/** What itty matches on: only method and path, because it would take the query apart for every request. */
interface Matchable {
  readonly method: string;
  readonly url: string;
  readonly exchange: Exchange;
  params?: Record<string, string>;
}

type SmallRouter = ReturnType<typeof IttyRouter>;

/** Never sent anywhere; itty wants an absolute URL. */
const anyOrigin = 'http://a';
const twinPrefix = '/ns/';

export class Router {
  private readonly bare: RouteSet;
  private readonly twins: RouteSet;

  constructor(routes: readonly Route[], serve: ServeRoute) {
    this.bare = new RouteSet(routes, serve);
    this.twins = new RouteSet(
      routes.filter((route) => route.scope === 'namespace'),
      serve,
    );
  }

  /** The answer of the route that matches, or the methods that the path has; none for an unknown path. */
  async answer(exchange: Exchange): Promise<Response | string[]> {
    const { path } = exchange;
    if (path.startsWith(twinPrefix)) {
      const end = path.indexOf('/', twinPrefix.length);
      const rest = end === -1 ? '' : path.slice(end);
      if (this.twins.knows(rest)) {
        const name = path.slice(twinPrefix.length, end);
        if (hasEncodedSlash(name)) return [];
        exchange.encodedNamespace = name;
        return this.twins.answer(exchange, rest);
      }
      if (hasEncodedSlash(path)) return [];
    }
    return this.bare.answer(exchange, path);
  }
}

/** A namespace's name holds no slash, so a path with one in its place names nothing. */
function hasEncodedSlash(text: string): boolean {
  return /%2f/i.test(text);
}

class RouteSet {
  private readonly routers = new Map<string, SmallRouter>();
  private readonly methods: ReadonlySet<string>;
  private readonly heads: ReadonlySet<string>;

  constructor(routes: readonly Route[], serve: ServeRoute) {
    for (const route of routes) {
      const router = this.routerFor(`${route.method} ${firstSegment(route.path)}`);
      const handler = (matched: Matchable): Promise<Response> => {
        matched.exchange.params = matched.params ?? {};
        return serve(matched.exchange, route);
      };
      router[route.method.toLowerCase() as 'get'](route.path, handler as never);
    }
    this.methods = new Set(routes.map((route) => route.method));
    this.heads = new Set(routes.map((route) => firstSegment(route.path)));
  }

  private routerFor(bucket: string): SmallRouter {
    const router = this.routers.get(bucket) ?? IttyRouter();
    this.routers.set(bucket, router);
    return router;
  }

  /** Whether any route begins like this path. */
  knows(path: string): boolean {
    return this.heads.has(firstSegment(path));
  }

  async answer(exchange: Exchange, path: string): Promise<Response | string[]> {
    const { method } = exchange;
    const found = await this.match(exchange, method, path);
    if (found !== undefined) return found;
    // HEAD is a method of its own for a few routes; everywhere else it is GET whose body the platform leaves out.
    const asGet = method === 'HEAD' ? await this.match(exchange, 'GET', path) : undefined;
    return asGet ?? this.allowed(path);
  }

  private match(exchange: Exchange, method: string, path: string): Promise<Response | undefined> | undefined {
    const router = this.routers.get(`${method} ${firstSegment(path)}`);
    if (router === undefined) return undefined;
    const matchable: Matchable = { method, url: anyOrigin + safePath(path), exchange };
    return router.fetch(matchable as never) as Promise<Response | undefined>;
  }

  private allowed(path: string): string[] {
    const head = firstSegment(path);
    const safe = new URL(anyOrigin + safePath(path)).pathname;
    const allowed = [...this.methods].filter((method) =>
      this.routers.get(`${method} ${head}`)?.routes.some(([, pattern]) => pattern.test(safe)),
    );
    return allowed.includes('GET') && !allowed.includes('HEAD') ? [...allowed, 'HEAD'] : allowed;
  }
}

/** The URL class would take a backslash for a slash. */
function safePath(path: string): string {
  return path.includes('\\') ? path.replaceAll('\\', '%5C') : path;
}

/** `/vertex` of `/vertex/12`. */
function firstSegment(path: string): string {
  const end = path.indexOf('/', 1);
  return end === -1 ? path : path.slice(0, end);
}

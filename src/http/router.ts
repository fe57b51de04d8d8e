// From method and path to a route. Routes are handed to small itty routers, one for each method and first segment, so that a
// request meets a handful of patterns and not the whole table (90 of them cost 7 µs, three cost 1.2). Paths without a parameter, and
// those whose only parameter is their last segment, do not even do that: they are looked up. A second set, of the namespace routes
// only, serves the `/ns/{ns}` twins.

import { IttyRouter } from 'itty-router/IttyRouter';
import type { Exchange } from './exchange.ts';
import type { Route } from './route.ts';
import type { LaterRoutes } from './routes.ts';

export type ServeRoute = (exchange: Exchange, route: Route) => Response | Promise<Response>;

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
  /** What is not loaded yet, by first segment. */
  private readonly later = new Map<string, LaterRoutes>();
  private readonly loading = new Map<LaterRoutes, Promise<void>>();

  constructor(routes: readonly Route[], later: readonly LaterRoutes[], serve: ServeRoute) {
    this.bare = new RouteSet(serve);
    this.twins = new RouteSet(serve);
    this.add(routes);
    for (const one of later) for (const head of one.heads) this.later.set(head, one);
  }

  private add(routes: readonly Route[]): void {
    this.bare.add(routes);
    this.twins.add(routes.filter((route) => route.scope === 'namespace'));
  }

  /** The answer of the route that matches. Undefined when none does; `allowedMethods` then says what the path takes. */
  answer(exchange: Exchange): Response | Promise<Response | undefined> {
    const { set, path } = this.resolve(exchange);
    if (set === null) return nothing;
    const answer = set.answerAtOnce(exchange, path);
    if (answer !== null) return answer;
    const later = this.laterFor(exchange);
    return later === undefined ? set.match(exchange, path) : this.answerLater(exchange, later);
  }

  private async answerLater(exchange: Exchange, later: LaterRoutes): Promise<Response | undefined> {
    await this.loaded(later);
    return this.answer(exchange);
  }

  /** Once for all who ask meanwhile. What could not be loaded is asked for again with the next request. */
  private loaded(later: LaterRoutes): Promise<void> {
    const known = this.loading.get(later);
    if (known !== undefined) return known;
    const loading = later.load().then(
      (routes) => {
        this.add(routes);
        for (const head of later.heads) this.later.delete(head);
        this.loading.delete(later);
      },
      (error: unknown) => {
        this.loading.delete(later);
        throw error;
      },
    );
    this.loading.set(later, loading);
    return loading;
  }

  private laterFor({ path }: Exchange): LaterRoutes | undefined {
    if (this.later.size === 0) return undefined;
    const twin = path.startsWith(twinPrefix) ? path.indexOf('/', twinPrefix.length) : -1;
    return this.later.get(firstSegment(twin === -1 ? path : path.slice(twin)));
  }

  /** The methods that routes have for this path; none for an unknown one. */
  allowedMethods(exchange: Exchange): string[] {
    const { set, path } = this.resolve(exchange);
    return set === null ? [] : set.allowedMethods(path);
  }

  /** Which routes serve a path, and as what; a twin's namespace is noted on the exchange. */
  private resolve(exchange: Exchange): { set: RouteSet | null; path: string } {
    const { path } = exchange;
    if (!path.startsWith(twinPrefix)) return { set: this.bare, path };
    const end = path.indexOf('/', twinPrefix.length);
    const rest = end === -1 ? '' : path.slice(end);
    const name = end === -1 ? path.slice(twinPrefix.length) : path.slice(twinPrefix.length, end);
    if (hasEncodedSlash(name)) return { set: null, path };
    if (!this.twins.knows(rest)) return { set: this.bare, path };
    exchange.encodedNamespace = name;
    return { set: this.twins, path: rest };
  }
}

const nothing = Promise.resolve(undefined);

/** A namespace's name holds no slash, so a path with one in its place names nothing. */
function hasEncodedSlash(text: string): boolean {
  return /%2f/i.test(text);
}

class RouteSet {
  private readonly serve: ServeRoute;
  /** Routes without parameters, by method and path. */
  private readonly exact = new Map<string, Route>();
  /** Routes whose only parameter is the last segment, by method and what stands before it. */
  private readonly tails = new Map<string, { readonly route: Route; readonly name: string }>();
  private readonly routers = new Map<string, SmallRouter>();
  private readonly methods = new Set<string>();
  private readonly heads = new Set<string>();

  constructor(serve: ServeRoute) {
    this.serve = serve;
  }

  add(routes: readonly Route[]): void {
    const { serve } = this;
    for (const route of routes) {
      const colon = route.path.indexOf(':');
      const bucket = `${route.method} ${colon === -1 ? route.path : route.path.slice(0, colon)}`;
      if (colon === -1) this.exact.set(bucket, route);
      else if (!route.path.includes('/', colon)) this.tails.set(bucket, { route, name: route.path.slice(colon + 1) });
      const router = this.routerFor(`${route.method} ${firstSegment(route.path)}`);
      const handler = (matched: Matchable): Response | Promise<Response> => {
        matched.exchange.params = matched.params ?? {};
        return serve(matched.exchange, route);
      };
      router[route.method.toLowerCase() as 'get'](route.path, handler as never);
      this.methods.add(route.method);
      this.heads.add(firstSegment(route.path));
    }
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

  /** Null when the path has to be matched. */
  answerAtOnce(exchange: Exchange, path: string): Response | Promise<Response> | null {
    const { method } = exchange;
    const route = this.exact.get(`${method} ${path}`);
    if (route !== undefined) return this.serve(exchange, route);
    const end = path.lastIndexOf('/') + 1;
    const tail = this.tails.get(`${method} ${path.slice(0, end)}`);
    if (tail === undefined) return null;
    exchange.params = { [tail.name]: path.slice(end) };
    return this.serve(exchange, tail.route);
  }

  match(exchange: Exchange, path: string): Promise<Response | undefined> {
    const { method } = exchange;
    if (method !== 'HEAD') return this.matchAs(exchange, method, path);
    // HEAD is a method of its own for a few routes; everywhere else it is GET whose body the platform leaves out.
    return this.matchAs(exchange, 'HEAD', path).then((answer) => answer ?? this.matchAs(exchange, 'GET', path));
  }

  private matchAs(exchange: Exchange, method: string, path: string): Promise<Response | undefined> {
    const router = this.routers.get(`${method} ${firstSegment(path)}`);
    if (router === undefined) return nothing;
    const matchable: Matchable = { method, url: anyOrigin + safePath(path), exchange };
    return router.fetch(matchable as never) as Promise<Response | undefined>;
  }

  allowedMethods(path: string): string[] {
    const head = firstSegment(path);
    const { pathname } = new URL(anyOrigin + safePath(path));
    const allowed = [...this.methods].filter((method) =>
      this.routers.get(`${method} ${head}`)?.routes.some(([, pattern]) => pattern.test(pathname)),
    );
    const all = allowed.includes('GET') && !allowed.includes('HEAD') ? [...allowed, 'HEAD'] : allowed;
    return all.filter((method) => this.exact.get(`${method} ${path}`)?.refuses !== true);
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

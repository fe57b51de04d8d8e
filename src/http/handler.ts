// The one function a listener calls: `Request` in, `Response` out, for every request there is. Order of checks: preflight, path,
// key, route and method, version, rate, namespace; then the route's own. Whatever goes wrong ends as a problem document.

import { CoreMemoryExhausted } from '../core/memory-exhausted.ts';
import { HealthProbe } from '../documents/health-probe.ts';
import { isGone } from '../engine/gone.ts';
import { JobFailed } from '../engine/jobs/failure.ts';
import type { LoadState } from '../engine/load-progress.ts';
import type { Logger } from '../engine/logger.ts';
import { ChatGateway } from '../providers/chat/gateway.ts';
import { EmbeddingProvider } from '../providers/embedding/provider.ts';
import { createQueries } from '../queries/queries.ts';
import { Authentication } from './authentication.ts';
import { BodyRoom } from './body-room.ts';
import { CrossOrigin } from './cors.ts';
import { Exchange, type PreparedService, type Service } from './exchange.ts';
import { RequestObserver } from './observer.ts';
import { type PageFolder, pageFolders } from './page-folders.ts';
import type { Moment } from './platform.ts';
import { Problem } from './problems.ts';
import { RateLimit } from './rate-limit.ts';
import type { Route } from './route.ts';
import { Router } from './router.ts';
import { metricsRoutes } from './routes/metrics.ts';
import { namespaceNotFound } from './routes/namespaces.ts';
import { referenceRoutes } from './routes/reference.ts';
import { laterRoutes, routesAtOnce } from './routes.ts';
import { decodeSegment, pathFlaw, splitTarget, targetOf } from './target.ts';
import { checkVersion } from './versioning.ts';

const staticAnswers = () => import('./static-files.ts');

/**
 * Answers a request. `target`: its path and query, where the platform knows them better than `request.url`. `came`: when it came,
 * where that was before this call; it is asked only while requests are watched.
 */
export type Handler = (request: Request, target?: string, came?: () => Moment) => Promise<Response>;

export function createHandler(service: Service): Handler {
  const handler = new RequestHandler(service);
  const now = (): Moment => ({ ms: service.platform.monotonicMs() });
  return (request, target = targetOf(request.url), came = now) => handler.handle(request, target, came);
}

class RequestHandler {
  private readonly service: PreparedService;
  private readonly authentication: Authentication;
  private readonly crossOrigin: CrossOrigin;
  private readonly rateLimit: RateLimit;
  private readonly router: Router;
  private readonly observer: RequestObserver | null;
  private readonly pageFolders: readonly PageFolder[];

  constructor(service: Service) {
    const { configuration, platform } = service;
    const { settings } = configuration;
    const queries = createQueries(settings, {
      shared: service.sharedMemory !== false,
      now: platform.monotonicMs,
      report: (message) => platform.logger.warn(message),
      pluginLog: (level, line) => platform.logger[level < 3 ? 'info' : level < 4 ? 'warn' : 'error'](line),
      compilers: service.compilers,
      telemetry: service.meter ?? undefined,
    });
    const bodyLimits = {
      depth: settings['Http:MaxBodyDepth'],
      values: settings['Http:MaxBodyValues'],
      itemValues: settings['Http:MaxItemValues'],
      items: settings['Http:MaxBatchItems'],
      members: settings['Http:MaxObjectMembers'],
      text: settings['Http:MaxTextBytes'],
      properties: settings['Http:MaxProperties'],
    };
    const outbound = { fetch: service.fetch ?? globalThis.fetch, now: platform.monotonicMs };
    const chat = new ChatGateway(settings, outbound);
    const embedding = service.embedding ?? new EmbeddingProvider(settings, { ...outbound, models: null });
    const probes = { doclingProbe: new HealthProbe(outbound), nlpProbe: new HealthProbe(outbound) };
    tellFlaws(chat, embedding, platform.logger);
    const bodyRoom = new BodyRoom(settings['Http:MaxHeldBodyBytes']);
    const answerRoom = new BodyRoom(settings['Http:MaxHeldAnswerBytes']);
    const shared = { runSlots: queries.runSlots, bodyLimits, bodyRoom, answerRoom };
    this.service = { ...service, settings, queries, chat, embedding, ...probes, ...shared };
    this.observer = RequestObserver.of(this.service);
    this.authentication = new Authentication(settings, platform);
    this.crossOrigin = new CrossOrigin(settings['Security:AllowedCorsOrigins']);
    this.rateLimit = new RateLimit(
      settings['Security:SensitiveRateLimitPermitPerWindow'],
      settings['Security:RateLimitWindowSeconds'],
      platform.monotonicMs,
    );
    const served = [...routesAtOnce, ...metricsRoutes(this.service), ...referenceRoutes(settings)];
    this.pageFolders = pageFolders(platform);
    this.router = new Router(served, laterRoutes, (exchange, route) => this.serve(exchange, route));
  }

  handle(request: Request, target: string, came: () => Moment): Promise<Response> {
    const { path, query } = splitTarget(target);
    const exchange = new Exchange(this.service, request, path, query);
    this.observer?.begins(exchange, came());
    return this.answer(exchange);
  }

  /** What watches a request is called at its ends, not wrapped around it: a second asynchronous function would cost more than what it records. */
  private async answer(exchange: Exchange): Promise<Response> {
    let response: Response;
    try {
      const early = this.preflight(exchange);
      const folder = this.pageFolders.find((one) => exchange.path.startsWith(one.path));
      const page =
        early !== null || folder === undefined ? early : await (await staticAnswers()).answerPage(exchange, folder);
      response = page ?? (await this.routed(exchange)) ?? (await this.unmatched(exchange));
    } catch (error) {
      response = exchange.problem(exchange.spanned(() => this.problemOf(exchange, error)));
    }
    this.observer?.ends(exchange, response.status);
    return response;
  }

  /** Who asks, and from where; the answer to a browser that only asks whether it may. */
  private preflight(exchange: Exchange): Response | null {
    exchange.extraHeaders = this.crossOrigin.headersFor(exchange);
    if (exchange.method === 'OPTIONS' && this.crossOrigin.isPreflight(exchange)) {
      return this.crossOrigin.answerPreflight(exchange);
    }
    exchange.authenticated = this.authentication.check(exchange);
    return null;
  }

  private routed(exchange: Exchange): Response | Promise<Response | undefined> {
    const flaw = pathFlaw(exchange.path);
    if (flaw !== null) throw this.unroutable(exchange, flaw);
    return this.router.answer(exchange);
  }

  /** No route takes it: a file, or a problem. */
  private async unmatched(exchange: Exchange): Promise<Response> {
    const { staticFiles } = this.service.platform;
    const allowed = this.router.allowedMethods(exchange);
    const file =
      allowed.length === 0 && staticFiles ? await (await staticAnswers()).answerStatic(exchange, staticFiles) : null;
    if (file !== null) return file;
    throw this.unroutable(exchange, unknownRoute(exchange, allowed, this.pageFolders));
  }

  /** Serves a matched route. */
  private serve(exchange: Exchange, route: Route): Response | Promise<Response> {
    exchange.route = route;
    if (route.anonymous !== true) this.requireKey(exchange);
    checkVersion(exchange);
    if (route.rateLimited === true) this.rateLimit.take();
    if (route.scope === 'namespace') this.findNamespace(exchange, route);
    const { tracer } = this.service;
    if (exchange.span === null || !tracer || route.isAtOnce) return this.run(exchange, route);
    return tracer.throughout(exchange, async () => this.run(exchange, route));
  }

  private run(exchange: Exchange, route: Route): Response | Promise<Response> {
    const { guard } = this.service;
    return guard === undefined ? route.serve(exchange) : guard(exchange, route);
  }

  private requireKey(exchange: Exchange): void {
    if (this.authentication.required && !exchange.authenticated) throw this.authentication.refusal();
  }

  /** Without the key not even the existence of a path is told. */
  private unroutable(exchange: Exchange, problem: Problem): Problem {
    this.requireKey(exchange);
    return problem;
  }

  /** The graph went while the request ran: the same answer as a moment later, or that moment is worth waiting for. */
  private gone(exchange: Exchange): Problem {
    const name = decodeSegment(exchange.encodedNamespace);
    if (this.service.engine.find(name) === undefined) return namespaceNotFound(name);
    const detail = `The graph of namespace '${name}' was replaced or closed while the request ran.`;
    return new Problem('overloaded', detail, {}, [['retry-after', '1']]);
  }

  private findNamespace(exchange: Exchange, route: Route): void {
    const name = decodeSegment(exchange.encodedNamespace);
    const namespace = this.service.engine.find(name);
    if (namespace === undefined) throw namespaceNotFound(name);
    exchange.loadedGraph = namespace.graph;
    exchange.namespaceName = name;
    // With the first request of all the namespace's subgraphs are built from the recipes that its load has brought.
    if (namespace.graph !== null) this.service.queries.subgraphs(namespace.graph);
    if (namespace.graph !== null || route.servesNotLoaded === true) return;
    if (namespace.isLoading === true) throw beingLoaded(name, namespace.loadState ?? null);
    const detail = `Namespace '${name}' is not loaded. POST /ns/${exchange.encodedNamespace}/activate loads it.`;
    throw new Problem('namespaceNotLoaded', detail, { namespace: name, namespaceState: 'notLoaded' });
  }

  private problemOf(exchange: Exchange, error: unknown): Problem {
    if (error instanceof Problem) return error;
    if (error instanceof CoreMemoryExhausted) return new Problem('memoryLimit', error.message);
    if (error instanceof JobFailed && (error.reason === 'overload' || error.reason === 'noThread')) {
      return new Problem('overloaded', error.message, {}, [['retry-after', '1']]);
    }
    if (error instanceof JobFailed && error.reason === 'deadline') return new Problem('requestTimeout', error.message);
    if (isGone(error)) return this.gone(exchange);
    const { logger } = this.service.platform;
    const what = `${exchange.method} ${exchange.path}`;
    if (exchange.request.signal.aborted) logger.info(`${what} was given up by its client.`);
    else
      logger.error(`${what} failed.`, {
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    return new Problem('internal', 'The request failed unexpectedly; the log says more.');
  }
}

/** One line for each provider that is on and cannot answer: nothing else of the service depends on it. */
function tellFlaws(chat: ChatGateway, embedding: EmbeddingProvider, logger: Logger): void {
  chat.flaw().then((flaw) => {
    if (flaw !== null) logger.warn(`The chat gateway cannot answer: ${flaw}`);
  });
  embedding.flaw().then((flaw) => {
    if (flaw !== null) logger.warn(`The embedding provider cannot answer: ${flaw}`);
  });
}

const phases = { checkpoint: 'its checkpoint is read', log: 'its log is replayed', edges: 'its edges are linked' };
/** What a start reads of a checkpoint or a log in a second, about: clients come back when there may be something to see. */
const bytesASecond = 100_000_000;
const longestRetrySeconds = 30;

function beingLoaded(name: string, load: LoadState | null): Problem {
  const bytesLeft = (load?.bytesTotal ?? 0) - (load?.bytesDone ?? 0);
  const seconds = Math.min(longestRetrySeconds, 1 + Math.floor(bytesLeft / bytesASecond));
  const bytes = load?.bytesTotal ? ` (${load.bytesDone} of ${load.bytesTotal} bytes)` : '';
  const phase = load === null ? '' : `: ${phases[load.phase]}${bytes}`;
  const detail = `Namespace '${name}' is being loaded${phase}. GET /readyz answers 200 when the start has loaded all it loads.`;
  const state = { namespace: name, namespaceState: 'notLoaded', ...(load === null ? {} : { loading: load }) };
  return new Problem('namespaceNotLoaded', detail, state, [['retry-after', String(seconds)]]);
}

/** What to say of a path that has these methods, or none. */
function unknownRoute({ method, path }: Exchange, allowed: readonly string[], pages: readonly PageFolder[]): Problem {
  if (allowed.length === 0) {
    const others =
      path === '/' && pages.length > 0 ? ` Pages are at ${pages.map((page) => page.path).join(', ')}.` : '';
    return new Problem('notFound', `There is no route ${path}.${others}`);
  }
  const methods = allowed.join(', ');
  return new Problem('methodNotAllowed', `${path} takes ${methods}, not ${method}.`, {}, [['allow', methods]]);
}

// What a line of the route table says: what the route is called, what it takes, what it answers, and what serves it. The router, the
// checks before a route, the OpenAPI document and the typed client all follow from it, so nothing of it stands anywhere else.

import type { z } from 'zod';
import type { Body } from './bodies.ts';
import type { Exchange } from './exchange.ts';
import type { Parameter, Parameters, Values } from './parameters.ts';
import type { ProblemKind } from './problems.ts';

export type Method = 'GET' | 'HEAD' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';

/**
 * `namespace`: also reachable under `/ns/{ns}`; `service`: concerns the whole collection and exists once.
 */
export type RouteScope = 'namespace' | 'service';

/** One kind of answer without an error. */
export interface Answer {
  readonly description: string;
  /** Missing: there is no body. */
  readonly schema?: z.ZodType;
  /** Other than `application/json`. */
  readonly mediaTypes?: readonly string[];
  /** Name and meaning of headers that only this answer has. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RouteContract {
  readonly method: Method;
  /** Segments; `:name` is a parameter of one segment. */
  readonly path: string;
  readonly scope: RouteScope;
  /** Chapter of the reference it stands in. */
  readonly tag: Tag;
  /** One sentence. */
  readonly summary: string;
  readonly description?: string;
  readonly params?: Parameters;
  readonly query?: Parameters;
  readonly body?: Body<unknown>;
  readonly answers: Readonly<Record<number, Answer>>;
  /** Errors beside those that every route of its kind has. */
  readonly problems?: readonly ProblemKind[];
  /** Answers without the API key. */
  readonly anonymous?: boolean;
  /** Counts against the limiter of sensitive endpoints. */
  readonly rateLimited?: boolean;
  /** Also answers for a namespace that is not loaded. */
  readonly servesNotLoaded?: boolean;
  /** Answers 405 itself, so the path does not take this method. */
  readonly refuses?: boolean;
  /** Without a namespace in its path it only answers that it needs one. */
  readonly needsNamespace?: boolean;
  /** Stands in no document: the contract's document does not have it either. */
  readonly hidden?: boolean;
}

/** A line of the table as router and handler use it. */
export interface Route extends RouteContract {
  /** Reads elements, or writes them in one step which `write` sees to: its span need not be kept along what it awaits. */
  readonly isAtOnce?: boolean;
  readonly serve: (exchange: Exchange) => Response | Promise<Response>;
}

/** What a route is handed: the values of its parameters by name, and its body. */
export type Input<Path, Query, BodyValue> = Values<Path> & Values<Query> & { readonly body: BodyValue };

export interface RouteSpec<Path extends Parameters, Query extends Parameters, BodyValue> extends RouteContract {
  readonly params?: Path;
  readonly query?: Query;
  readonly body?: Body<BodyValue>;
  readonly serve: (exchange: Exchange, input: Input<Path, Query, BodyValue>) => Response | Promise<Response>;
}

// biome-ignore lint/complexity/noBannedTypes: a route without parameters has none, and not any
type None = {};

/** A line of the table. Path, query and body are read in this order before `serve` is called; what is wrong with one ends the request. */
export function route<Path extends Parameters = None, Query extends Parameters = None, BodyValue = undefined>(
  spec: RouteSpec<Path, Query, BodyValue>,
): Route {
  const { body, serve } = spec;
  const inputOf = inputReader(Object.entries(spec.params ?? {}), Object.entries(spec.query ?? {}));
  const read = body?.read ?? null;
  const isAtOnce = /^\/(?:vertex|vertices|edge|edges|graphelements?)(?:\/|$)/.test(spec.path);
  if (read === null) {
    return {
      ...spec,
      isAtOnce,
      serve: (exchange) => serve(exchange, inputOf(exchange) as Input<Path, Query, BodyValue>),
    };
  }
  return {
    ...spec,
    isAtOnce,
    serve: async (exchange) => {
      const input = inputOf(exchange);
      try {
        input.body = await read(exchange);
        return await serve(exchange, input as Input<Path, Query, BodyValue>);
      } finally {
        exchange.releaseBody();
      }
    },
  };
}

type Fields = readonly (readonly [name: string, parameter: Parameter<unknown>])[];

/** Read of every route's query before the route's own parameters. */
const commonParameters = ['api-version', 'atleast'];

/** Warns of parameters that the route has no name for. */
function noticeUnknown(exchange: Exchange, known: ReadonlySet<string>): void {
  for (const name of exchange.queryNames) {
    if (known.has(name)) continue;
    const names =
      known.size > 1 ? `those it reads are ${[...known].join(', ')}` : `it reads none but ${commonParameters[0]}`;
    exchange.warnings.add('ignoredParameter', name, `The route has no query parameter of this name; ${names}.`);
  }
  exchange.refuseIfStrict();
}

/** Reads the parameters of one route; the commonest kind, an id in the path, without a loop. */
function inputReader(path: Fields, query: Fields): (exchange: Exchange) => Record<string, unknown> {
  const known = new Set([...commonParameters, ...query.map(([name]) => name.toLowerCase())]);
  const [first, second] = path;
  if (first !== undefined && second === undefined && query.length === 0) {
    const [name, parameter] = first;
    return (exchange) => {
      if (exchange.hasQuery) noticeUnknown(exchange, known);
      return { [name]: parameter.read(exchange.parameter(name), name) };
    };
  }
  return (exchange) => {
    const input: Record<string, unknown> = {};
    if (exchange.hasQuery) noticeUnknown(exchange, known);
    for (const [name, parameter] of path) input[name] = parameter.read(exchange.parameter(name), name);
    for (const [name, parameter] of query) input[name] = parameter.read(exchange.query(name), name);
    return input;
  };
}

/** An answer with a JSON body. */
export function shows(description: string, schema: z.ZodType, headers?: Answer['headers']): Answer {
  return { description, schema, ...(headers === undefined ? {} : { headers }) };
}

/** An answer without a body. */
export function nothing(description: string): Answer {
  return { description };
}

/** The chapters of the reference, in its order (reference 1.5). */
export const tags = {
  Admin: 'Status, configuration, checkpoints, erasing and trimming.',
  Analytics: 'Whole-graph algorithms.',
  Benchmark: 'Generated graphs, and the rate at which edges are followed.',
  Bulk: 'Import and export of whole graphs.',
  ChangeFeed: 'Events of what is committed.',
  Chat: 'Completions of language models.',
  Delegates: 'What the compiler says about fragments.',
  Document: 'Documents and what is found in them.',
  Embedding: 'Vectors of elements, and texts as vectors.',
  Graph: 'Elements, properties, traversal, scans, indexes and paths.',
  Integrations: 'Adapters to other systems.',
  Namespaces: 'The collection of graphs.',
  Plugins: 'Code that is registered at run time.',
  SampleGraph: 'A small graph to try things on.',
  SaveGames: 'The registry of checkpoints.',
  Statistics: 'The shape of a graph in numbers.',
  StoredQueries: 'Fragments under a name.',
  SubGraph: 'Graphs extracted from graphs.',
} as const;

export type Tag = keyof typeof tags;

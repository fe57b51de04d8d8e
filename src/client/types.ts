// From the types that the document makes to the types of calls: which paths take a method, what has to be given, what comes back.

import type { paths } from './api.ts';

export type Method = 'get' | 'head' | 'put' | 'post' | 'patch' | 'delete';

type Operation<Path extends keyof paths, Verb extends Method> = NonNullable<paths[Path][Verb]>;

/** Paths that take a method. */
export type PathFor<Verb extends Method> = {
  [Path in keyof paths]: [Operation<Path, Verb>] extends [never] ? never : Path;
}[keyof paths];

type ParametersOf<Op> = Op extends { parameters: infer Parameters } ? Parameters : never;

type PathPart<Op> =
  ParametersOf<Op> extends { path: infer Values } ? { readonly path: Values } : { readonly path?: never };
type QueryPart<Op> =
  ParametersOf<Op> extends { query?: infer Values } ? { readonly query?: Values } : { readonly query?: never };

type Content<Body> = Body extends { content: infer Types } ? Types[keyof Types] : never;
type BodyPart<Op> = Op extends { requestBody: infer Body }
  ? { readonly body: Content<Body> }
  : Op extends { requestBody?: infer Body }
    ? [NonNullable<Body>] extends [never]
      ? { readonly body?: never }
      : { readonly body?: Content<NonNullable<Body>> }
    : { readonly body?: never };

export interface CallOptions {
  /** Codes of warnings that the caller expects: they are told to nobody. */
  readonly expects?: readonly string[];
  readonly signal?: AbortSignal;
  /** Whether a refusal by 429 or 503 is met with another attempt; by default for calls that may be repeated. */
  readonly retry?: boolean;
}

/** What a call of a path takes. */
export type CallInput<Verb extends Method, Path extends PathFor<Verb>> = PathPart<Operation<Path, Verb>> &
  QueryPart<Operation<Path, Verb>> &
  BodyPart<Operation<Path, Verb>> &
  CallOptions;

/** The last argument may be left out where nothing has to be given. */
export type Rest<Input> = Partial<Input> extends Input ? [input?: Input] : [input: Input];

type Answers<Op> = Op extends { responses: infer Responses } ? Responses[keyof Responses] : never;
type AnswerValue<Answer> = Answer extends { content: infer Types }
  ? [Types] extends [never | undefined]
    ? null
    : Types[keyof Types]
  : null;

/** What a call brings: the body of the answer, or null where it has none. */
export type CallAnswer<Verb extends Method, Path extends PathFor<Verb>> =
  Answers<Operation<Path, Verb>> extends infer Answer ? (Answer extends unknown ? AnswerValue<Answer> : never) : never;

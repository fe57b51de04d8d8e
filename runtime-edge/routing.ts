// Which object answers a request. One object a namespace: `/ns/<name>` and what lies below it is the object of that name, every other path
// the object `default`, which has the namespace `default` and what concerns the service. A namespace begins when its object is told to
// create it. With ARCWISE_OBJECTS=service one object answers everything.
//
// The object `default` keeps the list of the others for `GET /ns`, which asks each of them. A name is entered when its object has it and
// leaves behind its removal: a name too many, which a crash may leave, is one whose object says that there is no namespace.

import type { Environment } from './platform.ts';

/** Tells an object its name where the runtime does not. Whatever a client sends under it is replaced. */
export const nameHeader = 'x-arcwise-object';
const first = 'default';

/** Changes the list, or asks for it: `+<name>`, `-<name>`, `?`. Only the router says this. */
export const listHeader = 'x-arcwise-list';

/** The whole Worker: hands a request on to its object. */
export async function route(request: Request, environment: Environment): Promise<Response> {
  const { method } = request;
  const path = new URL(request.url).pathname;
  if (environment.ARCWISE_OBJECTS === 'service') return ask(request, environment, first);
  if (path === '/ns' && method === 'GET') return listing(request, environment);
  const name = objectOf(path);
  if (name === null) return problem(400, 'Bad Request', 'The path is not percent-encoded UTF-8.');
  if (name === first || !/^\/ns\/[^/]+$/.test(path)) return ask(request, environment, name);
  if (method === 'PATCH' && (await renames(request.clone(), name)))
    return problem(409, 'Conflict', 'A namespace is an object of its own here, which keeps its name.');
  const answer = await ask(request, environment, name);
  const isThere = method === 'PUT' && (answer.status === 201 || answer.status === 409);
  const isGone = method === 'DELETE' && answer.status === 204;
  if (isThere || isGone) await tellList(environment, `${isThere ? '+' : '-'}${encodeURIComponent(name)}`);
  return answer;
}

async function renames(request: Request, name: string): Promise<boolean> {
  const body = (await request.json().catch(() => null)) as { name?: unknown } | null;
  return typeof body?.name === 'string' && body.name !== '' && body.name !== name;
}

/** What the object `default` answers, with the namespaces of the other objects. */
async function listing(request: Request, environment: Environment): Promise<Response> {
  const answer = await ask(request, environment, first);
  if (answer.status !== 200) return answer;
  const names = (await (await tellList(environment, '?')).json()) as string[];
  const list = (await answer.json()) as { namespaces: { name: string }[] };
  const { headers } = request;
  const others = names.map(async (encoded) => {
    const one = new Request(new URL(`/ns/${encoded}`, request.url), { headers });
    const told = await ask(one, environment, decodeURIComponent(encoded));
    return told.status === 200 ? [(await told.json()) as { name: string }] : [];
  });
  const namespaces = [...list.namespaces, ...(await Promise.all(others)).flat()];
  namespaces.sort((left, right) => (left.name < right.name ? -1 : 1));
  const answered = new Headers(answer.headers);
  answered.delete('content-length');
  return new Response(JSON.stringify({ ...list, namespaces }), { status: 200, headers: answered });
}

function tellList(environment: Environment, change: string): Promise<Response> {
  const request = new Request('http://arcwise/', { headers: { [nameHeader]: first, [listHeader]: change } });
  return environment.ARCWISE.get(environment.ARCWISE.idFromName(first)).fetch(request);
}

function ask(request: Request, { ARCWISE }: Environment, name: string): Promise<Response> {
  const named = new Request(request);
  named.headers.set(nameHeader, name);
  named.headers.delete(listHeader);
  return ARCWISE.get(ARCWISE.idFromName(name)).fetch(named);
}

function objectOf(path: string): string | null {
  const encoded = /^\/ns\/([^/]+)/.exec(path)?.[1];
  if (encoded === undefined) return first;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}

function problem(status: number, title: string, detail: string): Response {
  const headers = { 'content-type': 'application/problem+json' };
  return new Response(JSON.stringify({ title, status, detail }), { status, headers });
}

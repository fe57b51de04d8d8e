// The calls that were made, so that whoever looks at the picture can make them without it: as curl, or as a line of the typed client.

import { type ServiceWarning, warningsOf } from '../../src/client/warnings.ts';

export interface Call {
  readonly number: number;
  readonly method: string;
  readonly url: string;
  /** As the route table names it, with the namespace cut off. */
  readonly path: string;
  readonly body: string | null;
  /** Null while there is no answer; 0 when there came none. */
  readonly status: number | null;
  readonly ms: number;
  /** What the service did not use as it was sent. */
  readonly warnings: readonly ServiceWarning[];
}

const maxCalls = 200;

export class CallLog {
  calls: readonly Call[] = [];
  private readonly changed: () => void;
  private readonly answer: (request: Request) => Promise<Response>;
  private count = 0;

  constructor(changed: () => void, answer: (request: Request) => Promise<Response> = (request) => fetch(request)) {
    this.changed = changed;
    this.answer = answer;
  }

  /** `fetch` that keeps a record. */
  async send(request: Request): Promise<Response> {
    const number = ++this.count;
    const startMs = performance.now();
    const { method, url } = request;
    const body = method === 'GET' || method === 'HEAD' ? null : await request.clone().text();
    const path = new URL(url).pathname.replace(/^.*?\/ns\/[^/]+/, '');
    const put = (status: number | null, warnings: readonly ServiceWarning[] = []): void => {
      const ms = Math.round(performance.now() - startMs);
      const call = { number, method, url, path, body, status, ms, warnings };
      this.calls = [call, ...this.calls.filter((one) => one.number !== number)].slice(0, maxCalls);
      this.changed();
    };
    put(null);
    try {
      const answer = await this.answer(request);
      put(answer.status, warningsOf(answer));
      return answer;
    } catch (error) {
      put(0);
      throw error;
    }
  }
}

/** A key is never part of it; its place is named. */
export function asCurl({ method, url, body }: Call, hasKey: boolean): string {
  const parts = ['curl -s'];
  if (method === 'HEAD') parts.push('-I');
  else if (method !== 'GET' && !(method === 'POST' && body !== null)) parts.push(`-X ${method}`);
  parts.push(quoted(url));
  if (hasKey) parts.push('-H "X-Api-Key: $ARCWISE_KEY"');
  if (body !== null && body !== '') parts.push(`-H 'content-type: application/json' -d ${quoted(body)}`);
  return parts.join(' ');
}

/** The same for the engine in a page. */
export function asPageLine({ method, url, body }: Call): string {
  const { pathname, search } = new URL(url);
  const hasBody = body !== null && body !== '';
  const parts = [
    method === 'GET' ? null : `method: '${method}'`,
    hasBody ? `headers: { 'content-type': 'application/json' }, body: ${scripted(body)}` : null,
  ].filter((part) => part !== null);
  const init = parts.length === 0 ? '' : `, { ${parts.join(', ')} }`;
  return `await arcwise.fetch(${scripted(pathname + search)}${init});`;
}

function scripted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

export function asClientLine({ method, path, url, body }: Call): string {
  const { searchParams } = new URL(url);
  const query = searchParams.size === 0 ? null : `query: ${JSON.stringify(Object.fromEntries(searchParams))}`;
  const { template, values } = templateOf(path);
  const input = [
    values === null ? null : `path: ${JSON.stringify(values)}`,
    query,
    body === null || body === '' ? null : `body: ${body}`,
  ].filter((part) => part !== null);
  const argument = input.length === 0 ? '' : `, { ${input.join(', ')} }`;
  return `await client.${method.toLowerCase()}('${template}'${argument});`;
}

const templates: readonly (readonly [pattern: RegExp, template: string, names: readonly string[]])[] = [
  [/^\/(vertex|edge|graphelement)\/(\d+)$/, '/$1/{id}', ['', 'id']],
  [/^\/analytics\/([A-Z]+)$/, '/analytics/{algorithmName}', ['algorithmName']],
  [/^\/graphelement\/(\d+)\/embedding\/([^/]+)$/, '/graphelement/{id}/embedding/{name}', ['id', 'name']],
  [/^\/graphelement\/(\d+)\/([^/]+)$/, '/graphelement/{id}/{propertyId}', ['id', 'propertyId']],
  [/^\/subgraph\/([^/]+)\/graph$/, '/subgraph/{name}/graph', ['name']],
  [/^\/(subgraph|storedquery)\/([^/]+)$/, '/$1/{name}', ['', 'name']],
  [/^\/path\/(\d+)\/to\/(\d+)$/, '/path/{from}/to/{to}', ['from', 'to']],
  [/^\/scan\/graph\/property\/([^/]+)$/, '/scan/graph/property/{propertyId}', ['propertyId']],
];

function templateOf(path: string): { template: string; values: Record<string, unknown> | null } {
  for (const [pattern, template, names] of templates) {
    const found = pattern.exec(path);
    if (found === null) continue;
    const values: Record<string, unknown> = {};
    for (const [place, name] of names.entries()) {
      const text = decodeURIComponent(found[place + 1] as string);
      if (name !== '') values[name] = /^\d+$/.test(text) ? Number(text) : text;
    }
    return { template: path.replace(pattern, template), values };
  }
  return { template: path, values: null };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

// What a node answers by itself: of its parts, and where there is no service to ask.

import type { Problem } from '../../src/http/problems.ts';
import type { ClusterNamespace } from '../../src/http/replication/cluster.ts';
import type { ClusterPart } from './part.ts';

export function described(name: string, id: string, place: string | null, part: ClusterPart | null): ClusterNamespace {
  const { role = 'none', term = 0, writer = null, isNext = false, isReady = false } = part ?? {};
  return { name, id, node: place, role, term, writer, isNext, isReady };
}

export function answerProblem(problem: Problem): Response {
  const headers = { 'content-type': 'application/problem+json' };
  return new Response(problem.toJson() as Uint8Array<ArrayBuffer> | string, { status: problem.status, headers });
}

/** Of a node that may not answer for a log. */
export function answerNoPart(writer: string | null): Response {
  const detail = `This node neither writes nor follows now; the writer is ${writer ?? 'not known'}.`;
  const problem = { title: 'Service overloaded', status: 503, detail, writer };
  const headers = { 'content-type': 'application/problem+json', 'retry-after': '1' };
  return new Response(JSON.stringify(problem), { status: 503, headers });
}

export function headersWithoutLength(headers: Headers): Headers {
  const others = new Headers(headers);
  others.delete('content-length');
  return others;
}

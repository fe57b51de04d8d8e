// Problem documents of the edge itself, for what it refuses before a service is asked.

/** `members`: beside title, status and detail, such as the namespace that a route of one was asked of. */
export function problem(
  status: number,
  title: string,
  detail: string,
  members: Readonly<Record<string, unknown>> = {},
): Response {
  const headers = { 'content-type': 'application/problem+json' };
  return new Response(JSON.stringify({ title, status, detail, ...members }), { status, headers });
}

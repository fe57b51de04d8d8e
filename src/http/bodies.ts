// JSON bodies from bytes to checked values: media type, size, UTF-8, JSON, schema, in this order and nowhere else.

import type { z } from 'zod';
import type { Exchange } from './exchange.ts';
import type { BodySchema } from './plain-bodies.ts';
import type { BodyRead } from './platform.ts';
import { Problem } from './problems.ts';

/** Largest body of a route that names no other limit, in bytes. */
const defaultBodyBytes = 30_000_000;

/** The most of a route that takes code. */
export const codeBodyBytes = 1_048_576;

/** Problems listed of one body; the rest would only be noise. */
const maxIssues = 100;

const jsonType = /^\s*(?:application\/(?:json|[\w.!#$&^-]+\+json)|text\/json)\s*(?:;|$)/i;
const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** The body of the request as `schema` reads it; throws a Problem. */
export async function readJson<Value>(
  exchange: Exchange,
  schema: BodySchema<Value>,
  maxBytes = defaultBodyBytes,
): Promise<Value> {
  checkMediaType(exchange);
  const read = await exchange.service.platform.readBody(exchange.request, maxBytes);
  if (!read.ok) throw bodyProblem(read, maxBytes);
  const result = schema.safeParse(parseJson(read.bytes));
  if (result.success) return result.data;
  throw validationProblem(result.error.issues);
}

function checkMediaType(exchange: Exchange): void {
  const contentType = exchange.header('content-type');
  if (contentType !== null && !isUtf8Json(contentType)) {
    throw new Problem('unsupportedMediaType', `The body must be application/json in UTF-8, not ${contentType}.`);
  }
  const encoding = exchange.header('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    throw new Problem('unsupportedMediaType', `The content encoding ${encoding} is not supported.`);
  }
}

function isUtf8Json(contentType: string): boolean {
  if (contentType === 'application/json') return true;
  if (!jsonType.test(contentType)) return false;
  const name = charset.exec(contentType)?.[1]?.toLowerCase();
  return name === undefined || name === 'utf-8' || name === 'utf8';
}

function bodyProblem(read: BodyRead & { ok: false }, maxBytes: number): Problem {
  switch (read.reason) {
    case 'tooLarge':
      return new Problem('bodyTooLarge', `The body is larger than ${maxBytes} bytes.`);
    case 'timedOut':
      return new Problem('requestTimeout', 'The body did not arrive in time.', {}, [['connection', 'close']]);
    case 'aborted':
      return new Problem('badRequest', 'The body ended before it was complete.');
  }
}

function parseJson(bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0) throw rootProblem('A non-empty request body is required.');
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw rootProblem('The body is not valid UTF-8.');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw rootProblem('The body is not valid JSON.');
  }
}

function rootProblem(message: string): Problem {
  return new Problem('validation', message, { errors: { $: [message] } });
}

/** `errors` maps a member's place (`properties[0].propertyId`, `$` for the body itself) to what is wrong with it. */
function validationProblem(issues: readonly z.core.$ZodIssue[]): Problem {
  const errors: Record<string, string[]> = Object.create(null);
  for (const issue of issues.slice(0, maxIssues)) {
    const place = placeOf(issue.path);
    errors[place] = [...(errors[place] ?? []), issue.message];
  }
  const [place, messages] = Object.entries(errors)[0] ?? ['$', ['The body is not valid.']];
  return new Problem('validation', `${place}: ${messages[0]}`, { errors });
}

function placeOf(path: readonly PropertyKey[]): string {
  let place = '';
  for (const part of path) {
    if (typeof part === 'number') place += `[${part}]`;
    else place += place === '' ? String(part) : `.${String(part)}`;
  }
  return place === '' ? '$' : place;
}

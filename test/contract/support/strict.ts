// The contract suite in strict mode (`npm run test:strict`): a strict request is answered as any other, or refused for places that the
// generous answer names in its warnings. So each test's request asks for strictness; one that is refused is sent again without, and that
// answer, which the test then judges, must tell of every place that the refusal named.

import type { Answer } from './client.ts';

type Headers = Readonly<Record<string, string>>;

/** The codes of warnings that a strict request is refused for. */
const strictCodes = new Set(['ignoredMember', 'placeholder', 'ignoredParameter', 'more']);

interface Warning {
  readonly code: string;
  readonly at: string;
}

/** `once` sends the request with these headers. A request that says itself how it wants to be read is left alone. */
export async function sendStrictly(
  headers: Headers | undefined,
  once: (headers?: Headers) => Promise<Answer>,
): Promise<Answer> {
  if (Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'prefer')) return once();
  const strict = await once({ ...headers, prefer: 'handling=strict' });
  if (!isRefusal(strict)) {
    const missed = strictWarningsOf(strict);
    if (missed.length > 0) throw new Error(`Not refused, although strict: ${JSON.stringify(missed)}`);
    return strict;
  }
  const generous = await once();
  if (isRefusal(generous)) return generous;
  const told = strictWarningsOf(generous);
  const isCut = told.some(({ code }) => code === 'more');
  const places = new Set(told.map(({ at }) => at));
  const untold = (strict.bytes.length === 0 ? [] : Object.keys(strict.json.errors)).filter((at) => !places.has(at));
  if (untold.length > 0 && !isCut) throw new Error(`Refused for what the generous answer does not tell: ${untold}`);
  return generous;
}

function isRefusal(answer: Answer): boolean {
  if (answer.status !== 400 || answer.headers['content-type'] !== 'application/problem+json') return false;
  // An answer to HEAD has no document: what it was refused for is not known.
  return answer.bytes.length === 0 || 'errors' in answer.json;
}

function strictWarningsOf({ headers }: Answer): Warning[] {
  const value = headers['x-arcwise-warnings'];
  const all: Warning[] = value === undefined ? [] : JSON.parse(String(value));
  return all.filter(({ code }) => strictCodes.has(code));
}

// Calls to a service beside this one: JSON back, bounded in time and bytes. What it answers is a stranger's.

/** Most bytes of one answer. */
const maxAnswerBytes = 2 ** 27;

export type SidecarCall = Pick<RequestInit, 'method' | 'body' | 'headers'>;

export class SidecarFailed extends Error {
  override readonly name = 'SidecarFailed';
}

/**
 * A successful answer, whose body is not read yet. `endpoint`: the address of the service, which may have a path of its own, with or without a
 * slash at its end. Rejects with SidecarFailed, or the signal's reason.
 */
export async function openSidecar(
  fetch: typeof globalThis.fetch,
  endpoint: string,
  path: string,
  init: SidecarCall,
  signal: AbortSignal,
): Promise<Response> {
  const what = nameOf(path, init);
  const address = addressOf(`${endpoint.trim().replace(/\/+$/, '')}/${path}`, what);
  let response: Response;
  try {
    response = await fetch(address, { ...init, redirect: 'manual', signal });
  } catch {
    signal.throwIfAborted();
    throw new SidecarFailed(`${what}: the service cannot be reached.`);
  }
  if (response.ok) return response;
  await response.body?.cancel().catch(() => {}); // nobody reads it
  throw new SidecarFailed(`${what}: the service answered ${response.status}.`);
}

/** What it answers, as JSON. As `openSidecar`. */
export async function askSidecar(
  fetch: typeof globalThis.fetch,
  endpoint: string,
  path: string,
  init: SidecarCall,
  signal: AbortSignal,
): Promise<unknown> {
  const what = nameOf(path, init);
  const text = await textOf(await openSidecar(fetch, endpoint, path, init, signal), what, signal);
  try {
    return JSON.parse(text);
  } catch {
    throw new SidecarFailed(`${what}: the answer is no JSON.`);
  }
}

function nameOf(path: string, { method = 'GET' }: SidecarCall): string {
  return `${method} ${path}`;
}

/** Homes differ in what they do with credentials in an address. */
function addressOf(text: string, what: string): string {
  if (!URL.canParse(text)) throw new SidecarFailed(`${what}: the endpoint is no absolute address.`);
  const { username, password } = new URL(text);
  if (username === '' && password === '') return text;
  throw new SidecarFailed(`${what}: the endpoint takes an address without credentials.`);
}

async function textOf(response: Response, what: string, signal: AbortSignal): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    for (let next = await reader?.read(); next !== undefined && !next.done; next = await reader?.read()) {
      bytes += next.value.byteLength;
      if (bytes > maxAnswerBytes)
        throw new SidecarFailed(`${what}: the answer is longer than ${maxAnswerBytes} bytes.`);
      text += decoder.decode(next.value, { stream: true });
    }
  } catch (error) {
    if (error instanceof SidecarFailed) throw error;
    signal.throwIfAborted();
    throw new SidecarFailed(`${what}: the answer broke off.`);
  } finally {
    reader?.cancel().catch(() => {}); // it has ended, or nobody reads on
  }
  return text + decoder.decode();
}

export type Answered = Readonly<Record<string, unknown>>;

/** The members of an answer that is an object; none of anything else. */
export function membersOf(answer: unknown): Answered {
  return typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? (answer as Answered) : {};
}

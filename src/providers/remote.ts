// Calls to a provider over HTTP: JSON in, JSON or a stream out, with everything that is the same for all of them. A call ends with its
// deadline or its caller; a backend that is busy is asked again as it says; an answer is bounded; what a backend says of an error is shown
// without credentials.

import type { Deadline } from './deadline.ts';
import { misconfigured, ProviderFailed } from './failure.ts';
import { redactor } from './redaction.ts';

/** Most bytes of one answer, streams included, unless its call says that more is to be expected. */
const maxAnswerBytes = 16 * 1024 * 1024;
/** Most characters of an error text that are shown. */
const shownError = 300;
/** Bytes of an error body that are looked at. */
const errorBytes = 64 * 1024;
/** A wait that the backend asks for is at least and at most so long, in seconds; one it does not name is the first. */
const shortestWait = 1;
const longestWait = 30;

/** Statuses of a backend that is busy. */
export const tooMany = 429;
export const unavailable = 503;
export const overloaded = 529;

/** The header that carries a key; throws ProviderFailed that names `setting` for one that no header can carry. */
export function bearer(setting: string, key: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${inHeader(setting, key)}` };
}

/** `key`, which a header can carry; throws as `bearer`. */
export function inHeader(setting: string, key: string): string {
  if (/[^\t\x20-\x7e]/.test(key)) throw misconfigured(setting, 'has characters that no header can carry');
  return key;
}

export interface RemoteOptions {
  /** The root of the host, without a slash at its end. */
  readonly origin: string;
  /** Sent with every call. */
  readonly headers: Readonly<Record<string, string>>;
  /** Texts that leave in no message. */
  readonly secrets: readonly (string | null)[];
  /** Statuses that mean: busy, ask again. */
  readonly busy: readonly number[];
}

export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  /** Bytes that a right answer may take; matters where that is more than 16 MiB. */
  readonly answerBytes?: number;
}

export class Remote {
  private readonly fetch: typeof globalThis.fetch;
  private readonly options: RemoteOptions;
  private readonly redact: (text: string) => string;

  constructor(fetch: typeof globalThis.fetch, options: RemoteOptions) {
    this.fetch = fetch;
    this.options = options;
    this.redact = redactor(options.secrets);
  }

  /** The answer as JSON. Throws ProviderFailed, or what the caller's signal was aborted with. */
  async json(call: Call, deadline: Deadline): Promise<unknown> {
    return this.jsonOf(await this.open(call, deadline), deadline, call.answerBytes);
  }

  /** The body of a successful answer as JSON. */
  async jsonOf(response: Response, deadline: Deadline, answerBytes = 0): Promise<unknown> {
    const text = await this.text(response, deadline, Math.max(maxAnswerBytes, answerBytes));
    try {
      return JSON.parse(text);
    } catch {
      throw new ProviderFailed('badOutput', 'The backend answered what is no JSON.');
    }
  }

  /** A successful answer, whose body is not read yet. */
  async open(call: Call, deadline: Deadline): Promise<Response> {
    for (;;) {
      const response = await this.send(call, deadline);
      if (response.ok) return response;
      if (!this.options.busy.includes(response.status)) throw await this.refusal(response, deadline);
      const seconds = waitOf(response.headers.get('retry-after'));
      await response.body?.cancel().catch(() => {}); // nobody reads it
      if (seconds * 1000 >= deadline.leftMs) {
        const detail = `The backend is busy (${response.status}) and asks to wait longer than the ${deadline.seconds} seconds of the deadline.`;
        throw new ProviderFailed('timedOut', detail);
      }
      await deadline.wait(seconds * 1000);
    }
  }

  /** The blocks of a body. Throws as `json`; a body that breaks off is a ProviderFailed `badOutput`. */
  async *blocks(response: Response, deadline: Deadline, most: number = maxAnswerBytes): AsyncGenerator<Uint8Array> {
    const reader = response.body?.getReader();
    if (reader === undefined) return;
    let bytes = 0;
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        bytes += value.byteLength;
        if (bytes > most) {
          throw new ProviderFailed('badOutput', `The backend's answer is longer than ${most} bytes.`);
        }
        yield value;
      }
    } catch (error) {
      if (error instanceof ProviderFailed) throw error;
      throw this.ended(deadline) ?? new ProviderFailed('badOutput', "The backend's answer broke off.");
    } finally {
      await reader.cancel().catch(() => {}); // it has ended, or nobody reads on
    }
  }

  /** What a backend says of an error, fit to be shown. */
  shown(text: string): string {
    const shown = this.redact(text).replace(/\s+/g, ' ').trim();
    return shown.length > shownError ? `${shown.slice(0, shownError - 1)}…` : shown;
  }

  private async send({ method, path, body }: Call, deadline: Deadline): Promise<Response> {
    const { origin, headers } = this.options;
    let response: Response;
    try {
      response = await this.fetch(`${origin}${path}`, {
        method,
        redirect: 'manual', // not every home has `error`
        signal: deadline.signal,
        headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch {
      throw this.ended(deadline) ?? new ProviderFailed('unavailable', 'The backend cannot be reached.');
    }
    if (!isRedirection(response)) return response;
    await response.body?.cancel().catch(() => {}); // nobody reads it
    throw new ProviderFailed('unavailable', 'The backend points elsewhere, and credentials go nowhere else.');
  }

  private async text(response: Response, deadline: Deadline, most: number): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    for await (const block of this.blocks(response, deadline, most)) text += decoder.decode(block, { stream: true });
    return text + decoder.decode();
  }

  private async refusal(response: Response, deadline: Deadline): Promise<ProviderFailed> {
    const { status } = response;
    const text = await this.startOf(response, deadline);
    const message = this.shown(messageOf(text));
    const reason = status === 401 || status === 403 ? ' It refused the credential.' : '';
    const said = message === '' ? '' : ` It says: ${message}`;
    return new ProviderFailed('unavailable', `The backend answered ${status}.${reason}${said}`);
  }

  private async startOf(response: Response, deadline: Deadline): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    try {
      for await (const block of this.blocks(response, deadline)) {
        text += decoder.decode(block, { stream: true });
        if (text.length > errorBytes) return '';
      }
    } catch (error) {
      if (this.ended(deadline) !== null) throw error;
    }
    return text;
  }

  /** Why a call ended early: its deadline, or its caller; null when neither. */
  private ended(deadline: Deadline): unknown {
    if (deadline.isOver) return deadline.failure();
    return deadline.signal.aborted ? deadline.signal.reason : null;
  }
}

/** Seconds to wait, from a number of seconds or a date. */
function waitOf(header: string | null): number {
  if (header === null) return shortestWait;
  const seconds = /^\s*\d+\s*$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(longestWait, Math.max(shortestWait, seconds)) : shortestWait;
}

/** The sentence in an error body of one of the protocols; the text itself where it is none. */
function messageOf(text: string): string {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return text.startsWith('<') ? '' : text;
  }
  const error = (body as { error?: unknown } | null)?.error;
  if (typeof error === 'string') return error;
  const message = (error as { message?: unknown } | null | undefined)?.message;
  return typeof message === 'string' ? message : '';
}

/** A page sees nothing of one but its type. */
function isRedirection({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

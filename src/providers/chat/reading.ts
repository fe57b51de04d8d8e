// Reading what chat backends answer: streams of lines or events, and what becomes of one that breaks.

import { JSONParser } from '@streamparser/json';
import { createParser } from 'eventsource-parser';
import type { Deadline } from '../deadline.ts';
import { ProviderFailed } from '../failure.ts';
import { itemsOf, type Members, membersOf, textOf } from '../reading.ts';
import type { Remote } from '../remote.ts';
import type { ChatModel, ChatStats, ToolCall } from './types.ts';

/** Longest line or event of a stream: bytes without a whole line in them, or characters of an event. */
const maxLine = 4 * 1024 * 1024;

/** JSON where it is some, else the text. */
export function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const noStats: ChatStats = {
  promptTokens: null,
  completionTokens: null,
  durationMs: null,
  tokensPerSecond: null,
};

/** What `v1/models` lists, of which only names are known; one without a name is left out. */
export async function listedNames(remote: Remote, deadline: Deadline): Promise<ChatModel[]> {
  const { data } = membersOf(await remote.json({ method: 'GET', path: '/v1/models' }, deadline));
  const names = itemsOf(data).map((one) => textOf(membersOf(one).id));
  return names.filter((name) => name !== '').map((name) => ({ name, capability: null, available: null, class: null }));
}

/** A call's id, made up where the protocol has none. */
export function callId(id: unknown, index: number): string {
  return typeof id === 'string' && id !== '' ? id : `call_${crypto.randomUUID().slice(0, 8)}_${index}`;
}

/** What can become of a stream, in one place: before any text it is as if nothing had been reached, after it the text is lost. */
export class Answer {
  text = '';
  model: string | null = null;
  stats: ChatStats = noStats;
  isComplete = false;
  readonly toolCalls: ToolCall[] = [];

  /** The failure of a stream that ended or broke off before it was complete. */
  broken(): ProviderFailed {
    if (this.text === '') return new ProviderFailed('unavailable', "The backend's stream ended before any text.");
    return new ProviderFailed('badOutput', "The backend's stream ended before the completion was complete.");
  }

  /** The failure that the backend itself reports in the middle of a stream. */
  reported(message: string): ProviderFailed {
    const said = message === '' ? '' : ` It says: ${message}`;
    return new ProviderFailed(this.text === '' ? 'unavailable' : 'badOutput', `The backend gave up.${said}`);
  }
}

/** Each value of a body that is one JSON text a line. `answer` tells how a broken stream is to be called. */
export async function* jsonLines(
  remote: Remote,
  response: Response,
  deadline: Deadline,
  answer: Answer,
): AsyncGenerator<Members> {
  const waiting: unknown[] = [];
  let unread = 0;
  let isBroken = false;
  const parser = new JSONParser({ paths: ['$'], separator: '' });
  parser.onValue = ({ value }) => void waiting.push(value);
  parser.onError = () => {
    isBroken = true;
  };
  const taken = function* (): Generator<Members> {
    for (let value = waiting.shift(); value !== undefined; value = waiting.shift()) yield membersOf(value);
    if (isBroken) throw answer.broken();
  };
  for await (const block of unbroken(remote.blocks(response, deadline), answer)) {
    parser.write(block);
    unread = waiting.length > 0 ? 0 : unread + block.byteLength;
    checkLength(unread);
    yield* taken();
  }
  if (!parser.isEnded) parser.end();
  yield* taken();
}

/** The data of each server-sent event. */
export async function* eventData(
  remote: Remote,
  response: Response,
  deadline: Deadline,
  answer: Answer,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const waiting: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => void waiting.push(data), maxBufferSize: maxLine });
  for await (const block of unbroken(remote.blocks(response, deadline), answer)) {
    parser.feed(decoder.decode(block, { stream: true }));
    for (let data = waiting.shift(); data !== undefined; data = waiting.shift()) yield data;
  }
}

/** The JSON of an event. */
export function eventOf(data: string, answer: Answer): Members {
  return lineOf(data, answer);
}

export function isEventStream(response: Response): boolean {
  return /^\s*text\/event-stream/i.test(response.headers.get('content-type') ?? '');
}

/** A broken stream is called by what has come of it. */
async function* unbroken(blocks: AsyncGenerator<Uint8Array>, answer: Answer): AsyncGenerator<Uint8Array> {
  try {
    yield* blocks;
  } catch (error) {
    throw error instanceof ProviderFailed && error.reason === 'badOutput' ? answer.broken() : error;
  }
}

function lineOf(text: string, answer: Answer): Members {
  checkLength(text.length);
  try {
    return membersOf(JSON.parse(text));
  } catch {
    throw answer.broken();
  }
}

function checkLength(length: number): void {
  if (length <= maxLine) return;
  throw new ProviderFailed('badOutput', `A line or event of the backend's stream is longer than ${maxLine}.`);
}

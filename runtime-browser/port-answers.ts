// Answers as the channel to a page takes them: parts, of which the browser's own `Response` would make a stream and take them out again.

import type { AnswerBody, AnswerInit } from '../src/http/platform.ts';
import type { Body, HeaderList } from './messages.ts';

/** What a port reads of an answer. */
class PortAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly content: AnswerBody | null;
  readonly list: HeaderList;

  constructor(content: AnswerBody | null, { status, statusText, headers }: AnswerInit) {
    this.status = status;
    this.statusText = statusText;
    this.content = content;
    this.list = headers;
  }
}

/** As `HttpPlatform.respond`: an answer that only a port can read. */
export function portAnswer(body: AnswerBody | null, init: AnswerInit): Response {
  return new PortAnswer(body, init) as unknown as Response;
}

interface AnswerParts {
  readonly headers: HeaderList;
  readonly body: Body;
  /** What of the body travels in blocks. */
  readonly stream: ReadableStream<Uint8Array> | null;
}

/** The parts of an answer, a port's or the browser's own. */
export function partsOf(response: Response): AnswerParts {
  const isOurs = response instanceof PortAnswer;
  const content = isOurs ? response.content : response.body;
  const headers = isOurs ? response.list : [...response.headers];
  if (content === null) return { headers, body: { kind: 'none' }, stream: null };
  if (content instanceof ReadableStream) return { headers, body: { kind: 'blocks' }, stream: content };
  return { headers, body: { kind: 'whole', content: alone(content) }, stream: null };
}

/** A message takes along all of the buffer below a view: 64 KiB where answers are cut from blocks, 0.5 ms for each. */
function alone(content: Uint8Array | string): Uint8Array | string {
  return typeof content === 'string' || content.byteLength === content.buffer.byteLength ? content : content.slice();
}

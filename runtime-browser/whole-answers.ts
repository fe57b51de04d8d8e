// Answers whose body was given whole are passed on whole: their bytes are kept beside the `Response`, whose body would be a stream.

import type { AnswerBody, AnswerInit } from '../src/http/platform.ts';
import type { Body } from './messages.ts';

const contents = new WeakMap<Response, Uint8Array | string>();

export const wholeAnswers = {
  /** As `HttpPlatform.respond`. */
  respond(body: AnswerBody | null, init: AnswerInit): Response {
    if (body === null || body instanceof ReadableStream) return new Response(body, init);
    const response = new Response(null, init);
    contents.set(response, body);
    return response;
  },

  /** How the body of an answer travels. */
  bodyOf(response: Response): Body {
    const content = contents.get(response);
    if (content !== undefined) return { kind: 'whole', content };
    return response.body === null ? { kind: 'none' } : { kind: 'blocks' };
  },
};

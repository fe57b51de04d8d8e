// The OpenAI type of protocol (`v1/chat/completions`, `v1/models`): server-sent events that end with `[DONE]`, tool calls whose arguments
// are a JSON text.

import type { Deadline } from '../deadline.ts';
import { itemsOf, type Members, membersOf, numberOf, textOf } from '../reading.ts';
import type { Remote } from '../remote.ts';
import { Answer, callId, eventData, eventOf, isEventStream, listedNames, noStats, parsedOr } from './reading.ts';
import {
  type ChatBackend,
  type ChatModel,
  type ChatRequest,
  type ChatStats,
  type Completion,
  type Message,
  noResidency,
  type Residency,
} from './types.ts';

const endOfStream = '[DONE]';

export class OpenAiChat implements ChatBackend {
  private readonly remote: Remote;

  constructor(remote: Remote) {
    this.remote = remote;
  }

  async complete(request: ChatRequest, deadline: Deadline): Promise<Completion> {
    const call = { method: 'POST', path: '/v1/chat/completions', body: bodyOf(request) } as const;
    const response = await this.remote.open(call, deadline);
    if (request.stream && isEventStream(response)) return this.streamed(request, response, deadline);
    const body = await this.remote.jsonOf(response, deadline);
    const { model, choices, usage } = membersOf(body);
    const message = membersOf(membersOf(itemsOf(choices)[0]).message);
    const toolCalls = itemsOf(message.tool_calls).map((one, index) => {
      const { id, function: called } = membersOf(one);
      const { name, arguments: given } = membersOf(called);
      return { id: callId(id, index), name: textOf(name), arguments: argumentsOf(given) };
    });
    return {
      model: textOf(model) || request.model,
      content: textOf(message.content),
      toolCalls,
      stats: statsOf(usage),
    };
  }

  /** Names only; one that is no text is left out. */
  models(deadline: Deadline): Promise<ChatModel[]> {
    return listedNames(this.remote, deadline);
  }

  async residency(): Promise<Residency> {
    return noResidency;
  }

  private async streamed(request: ChatRequest, response: Response, deadline: Deadline): Promise<Completion> {
    const answer = new Answer();
    for await (const data of eventData(this.remote, response, deadline, answer)) {
      if (data.trim() === endOfStream) {
        answer.isComplete = true;
        break;
      }
      const event = eventOf(data, answer);
      if (event.error !== undefined) {
        throw answer.reported(this.remote.shown(textOf(membersOf(event.error).message) || textOf(event.error)));
      }
      const choice = membersOf(itemsOf(event.choices)[0]);
      answer.text += textOf(membersOf(choice.delta).content);
      if (typeof event.model === 'string') answer.model = event.model;
      if (typeof choice.finish_reason === 'string') answer.isComplete = true;
      if (event.usage) answer.stats = statsOf(event.usage);
    }
    if (!answer.isComplete) throw answer.broken();
    return { model: answer.model ?? request.model, content: answer.text, toolCalls: [], stats: answer.stats };
  }
}

function argumentsOf(given: unknown): unknown {
  return typeof given === 'string' ? parsedOr(given) : (given ?? {});
}

function statsOf(usage: unknown): ChatStats {
  const { prompt_tokens, completion_tokens } = membersOf(usage);
  return { ...noStats, promptTokens: numberOf(prompt_tokens), completionTokens: numberOf(completion_tokens) };
}

function bodyOf({ model, messages, tools, temperature, stop, stream }: ChatRequest): Members {
  return {
    model,
    messages: messages.map(messageOf),
    stream,
    ...(stream ? { stream_options: { include_usage: true } } : {}),
    ...(tools.length === 0 ? {} : { tools: tools.map(toolOf) }),
    ...(temperature === null ? {} : { temperature }),
    ...(stop.length === 0 ? {} : { stop }),
  };
}

function toolOf({ name, description, parameters }: ChatRequest['tools'][number]): Members {
  return { type: 'function', function: { name, ...(description === null ? {} : { description }), parameters } };
}

function messageOf({ role, content, toolCalls, toolCallId }: Message): Members {
  return {
    role,
    content,
    ...(toolCalls.length === 0
      ? {}
      : {
          tool_calls: toolCalls.map((call) => ({
            ...{ id: call.id, type: 'function' },
            function: { name: call.name, arguments: argumentsText(call.arguments) },
          })),
        }),
    ...(toolCallId === null ? {} : { tool_call_id: toolCallId }),
  };
}

/** As the model wrote them: a text stays what it is. */
function argumentsText(given: unknown): string {
  return typeof given === 'string' ? given : JSON.stringify(given ?? {});
}

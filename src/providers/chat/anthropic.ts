// The Anthropic type of protocol (`v1/messages`, `v1/models`): the system's text apart, contents as blocks, results of tools as blocks of
// the user, events by type. It takes no temperature here, and wants a bound of tokens with every request.

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

/** The version of the protocol that is spoken. */
export const anthropicVersion = '2023-06-01';

export class AnthropicChat implements ChatBackend {
  private readonly remote: Remote;
  private readonly maxTokens: number;

  constructor(remote: Remote, maxTokens: number) {
    this.remote = remote;
    this.maxTokens = maxTokens;
  }

  async complete(request: ChatRequest, deadline: Deadline): Promise<Completion> {
    const call = { method: 'POST', path: '/v1/messages', body: bodyOf(request, this.maxTokens) } as const;
    const response = await this.remote.open(call, deadline);
    if (request.stream && isEventStream(response)) return this.streamed(request, response, deadline);
    return completionOf(request, await this.remote.jsonOf(response, deadline));
  }

  /** The first page, names only. */
  models(deadline: Deadline): Promise<ChatModel[]> {
    return listedNames(this.remote, deadline);
  }

  async residency(): Promise<Residency> {
    return noResidency;
  }

  private async streamed(request: ChatRequest, response: Response, deadline: Deadline): Promise<Completion> {
    const answer = new Answer();
    let usage: Members = {};
    for await (const data of eventData(this.remote, response, deadline, answer)) {
      const event = eventOf(data, answer);
      if (event.type === 'error') throw answer.reported(this.remote.shown(textOf(membersOf(event.error).message)));
      if (event.type === 'message_start') {
        const message = membersOf(event.message);
        answer.model = textOf(message.model) || null;
        usage = { ...usage, ...membersOf(message.usage) };
      }
      if (event.type === 'content_block_delta') answer.text += textOf(membersOf(event.delta).text);
      if (event.type === 'message_delta') usage = { ...usage, ...membersOf(event.usage) };
      if (event.type === 'message_stop') answer.isComplete = true;
    }
    if (!answer.isComplete) throw answer.broken();
    return { model: answer.model ?? request.model, content: answer.text, toolCalls: [], stats: statsOf(usage) };
  }
}

function completionOf(request: ChatRequest, body: unknown): Completion {
  const { model, content, usage } = membersOf(body);
  const blocks = itemsOf(content).map(membersOf);
  const texts = blocks.filter(({ type }) => type === 'text').map(({ text }) => textOf(text));
  const calls = blocks.filter(({ type }) => type === 'tool_use');
  return {
    model: textOf(model) || request.model,
    content: texts.join(''),
    toolCalls: calls.map(({ id, name, input }, index) => ({
      ...{ id: callId(id, index), name: textOf(name) },
      arguments: input ?? {},
    })),
    stats: statsOf(membersOf(usage)),
  };
}

function statsOf({ input_tokens, output_tokens }: Members): ChatStats {
  return { ...noStats, promptTokens: numberOf(input_tokens), completionTokens: numberOf(output_tokens) };
}

function bodyOf({ model, messages, tools, stop, stream }: ChatRequest, maxTokens: number): Members {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content ?? '');
  return {
    model,
    max_tokens: maxTokens,
    messages: joined(messages.filter(({ role }) => role !== 'system').map(messageOf)),
    stream,
    ...(system.length === 0 ? {} : { system: system.join('\n\n') }),
    ...(tools.length === 0 ? {} : { tools: tools.map(toolOf) }),
    ...(stop.length === 0 ? {} : { stop_sequences: stop }),
  };
}

function toolOf({ name, description, parameters }: ChatRequest['tools'][number]): Members {
  return { name, ...(description === null ? {} : { description }), input_schema: parameters };
}

interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: readonly Members[];
}

function messageOf({ role, content, toolCalls, toolCallId }: Message): Turn {
  if (role === 'tool') {
    return { role: 'user', content: [{ type: 'tool_result', tool_use_id: toolCallId ?? '', content: content ?? '' }] };
  }
  const text = content === null || content === '' ? [] : [{ type: 'text', text: content }];
  const calls = toolCalls.map(({ id, name, arguments: given }) => ({
    ...{ type: 'tool_use', id, name },
    input: typeof given === 'string' ? parsedOr(given) : (given ?? {}),
  }));
  return { role: role === 'assistant' ? 'assistant' : 'user', content: [...text, ...calls] };
}

/** Turns of one side that follow each other are one: results of tools belong into one message. */
function joined(turns: readonly Turn[]): Turn[] {
  const list: Turn[] = [];
  for (const turn of turns) {
    const last = list.at(-1);
    if (last?.role === turn.role)
      list[list.length - 1] = { role: turn.role, content: [...last.content, ...turn.content] };
    else list.push(turn);
  }
  return list;
}

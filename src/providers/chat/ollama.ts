// Ollama's protocol (`api/chat`, `api/tags`, `api/show`, `api/ps`), which Nahil speaks as well: one JSON text a line, tool calls without
// ids, times in nanoseconds.

import type { Deadline } from '../deadline.ts';
import type { ProviderFailed } from '../failure.ts';
import { itemsOf, type Members, membersOf, numberOf, textOf } from '../reading.ts';
import type { Remote } from '../remote.ts';
import { Answer, callId, jsonLines } from './reading.ts';
import type { ChatBackend, ChatModel, ChatRequest, ChatStats, Completion, Message, Residency } from './types.ts';

/** Calls for single models at the same time (contract part 3, Limits). */
const callsAtOnce = 8;
const nanosecondsPerMs = 1_000_000;

export class OllamaChat implements ChatBackend {
  private readonly remote: Remote;

  constructor(remote: Remote) {
    this.remote = remote;
  }

  async complete(request: ChatRequest, deadline: Deadline): Promise<Completion> {
    const response = await this.remote.open({ method: 'POST', path: '/api/chat', body: bodyOf(request) }, deadline);
    const answer = new Answer();
    for await (const line of jsonLines(this.remote, response, deadline, answer)) this.take(answer, line);
    if (!answer.isComplete) throw answer.broken();
    const { text, toolCalls, stats, model } = answer;
    return { model: model ?? request.model, content: text, toolCalls, stats };
  }

  async models(deadline: Deadline): Promise<ChatModel[]> {
    const list = membersOf(await this.remote.json({ method: 'GET', path: '/api/tags' }, deadline));
    const entries = itemsOf(list.models)
      .map(membersOf)
      .filter((entry) => textOf(entry.name) !== '');
    const models: ChatModel[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      for (let entry = entries[next++]; entry !== undefined; entry = entries[next++]) {
        models.push(await this.described(entry, deadline));
      }
    };
    await Promise.all(Array.from({ length: callsAtOnce }, work));
    return models;
  }

  async residency(model: string, deadline: Deadline): Promise<Residency> {
    const list = membersOf(await this.remote.json({ method: 'GET', path: '/api/ps' }, deadline));
    const loaded = itemsOf(list.models)
      .map(membersOf)
      .find(({ name, model: other }) => name === model || other === model);
    if (loaded === undefined) return { resident: false, gpu: null };
    const bytes = numberOf(loaded.size_vram);
    return { resident: true, gpu: bytes === null ? null : bytes > 0 };
  }

  /** One model that cannot be asked about is listed all the same. */
  private async described(entry: Members, deadline: Deadline): Promise<ChatModel> {
    const name = textOf(entry.name);
    const listed = { name, available: flagOf(entry.available), class: textOf(entry.class) || null };
    try {
      const call = { method: 'POST', path: '/api/show', body: { model: name } } as const;
      const shown = membersOf(await this.remote.json(call, deadline));
      const capabilities = itemsOf(shown.capabilities).filter((one): one is string => typeof one === 'string');
      const capability = capabilities.includes('completion') ? 'completion' : (capabilities[0] ?? null);
      return { ...listed, capability };
    } catch (error) {
      if ((error as ProviderFailed).name !== 'ProviderFailed') throw error;
      return { ...listed, capability: null };
    }
  }

  private take(answer: Answer, line: Members): void {
    if (line.error !== undefined) throw answer.reported(this.remote.shown(textOf(line.error)));
    const message = membersOf(line.message);
    answer.text += textOf(message.content);
    if (typeof line.model === 'string') answer.model = line.model;
    for (const call of itemsOf(message.tool_calls).map(membersOf)) {
      const { name, arguments: given } = membersOf(call.function);
      const index = answer.toolCalls.length;
      answer.toolCalls.push({ id: callId(call.id, index), name: textOf(name), arguments: given ?? {} });
    }
    if (line.done !== true) return;
    answer.isComplete = true;
    answer.stats = statsOf(line);
  }
}

function flagOf(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

function statsOf(line: Members): ChatStats {
  const completionTokens = numberOf(line.eval_count);
  const [total, evaluation] = [numberOf(line.total_duration), numberOf(line.eval_duration)];
  const isRated = completionTokens !== null && evaluation !== null && evaluation > 0;
  return {
    promptTokens: numberOf(line.prompt_eval_count),
    completionTokens,
    durationMs: total === null ? null : total / nanosecondsPerMs,
    tokensPerSecond: isRated ? completionTokens / (evaluation / (1000 * nanosecondsPerMs)) : null,
  };
}

function bodyOf({ model, messages, tools, temperature, stop, stream }: ChatRequest): Members {
  const options = {
    ...(temperature === null ? {} : { temperature }),
    ...(stop.length === 0 ? {} : { stop }),
  };
  const names = new Map(messages.flatMap(({ toolCalls }) => toolCalls.map(({ id, name }) => [id, name] as const)));
  return {
    model,
    messages: messages.map((message) => messageOf(message, names)),
    stream,
    ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    ...(Object.keys(options).length === 0 ? {} : { options }),
  };
}

/** A result of a tool names the tool, not the call. */
function messageOf({ role, content, toolCalls, toolCallId }: Message, names: ReadonlyMap<string, string>): Members {
  const name = toolCallId === null ? undefined : names.get(toolCallId);
  return {
    role,
    content: content ?? '',
    ...(toolCalls.length === 0
      ? {}
      : { tool_calls: toolCalls.map((call) => ({ function: { name: call.name, arguments: call.arguments } })) }),
    ...(toolCallId === null ? {} : { tool_call_id: toolCallId }),
    ...(name === undefined ? {} : { tool_name: name }),
  };
}

// The chat gateway: completions of the one backend that is configured, and the models it has (contract part 3, Chat). Order of checks:
// the switch, the body, the settings of the backend, the backend.

import { z } from 'zod';
import type { Message, Role, ToolCall } from '../../providers/chat/types.ts';
import { ProviderFailed, type ProviderFailure } from '../../providers/failure.ts';
import { type Body, codeBodyBytes, json } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { Problem, type ProblemKind } from '../problems.ts';
import { type Route, route, shows } from '../route.ts';
import { number, optionalText, record } from '../schemas.ts';

const purposes = ['assist', 'agent'] as const;
const roles: readonly Role[] = ['system', 'user', 'assistant', 'tool'];

const toolCall = record({
  id: z.string(),
  name: z.string(),
  arguments: z.unknown().meta({ description: 'As the model wrote them: JSON, or a text that is none.' }),
}).meta({ id: 'ChatToolCall' });

const message = record({
  role: z
    .string()
    .nullable()
    .default(null)
    .meta({ description: `${roles.join(', ')}; anything else is user.` }),
  content: optionalText,
  toolCallId: optionalText.meta({ description: 'Of a result of a tool: the call it answers.' }),
  toolCalls: z.array(toolCall).nullable().default(null).meta({ description: 'Of an assistant: what it called.' }),
})
  .superRefine(({ role, content, toolCalls }, context) => {
    const calls = roleOf(role) === 'assistant' && (toolCalls?.length ?? 0) > 0;
    if (calls || (content !== null && content.trim() !== '')) return;
    context.addIssue({ code: 'custom', message: 'The content may not be empty.', path: ['content'] });
  })
  .meta({ id: 'ChatMessage' });

const tool = record({
  name: z.string(),
  description: optionalText,
  parameters: z
    .looseObject({})
    .nullish()
    .transform((schema) => schema ?? { type: 'object', properties: {} })
    .meta({ description: 'A JSON Schema of the arguments; missing: there are none.' }),
}).meta({ id: 'ChatTool' });

const request = record({
  purpose: z
    .enum(purposes, { error: `Expected one of ${purposes.join(', ')}.` })
    .nullable()
    .default('assist')
    .meta({ description: 'Chooses the model.' }),
  messages: z.array(message).min(1, 'At least one message is needed.'),
  tools: z.array(tool).nullable().default(null),
  temperature: number.nullable().default(null),
  options: record({ stop: z.array(z.string()).nullable().default(null), temperature: number.nullable().default(null) })
    .nullable()
    .default(null),
}).meta({ id: 'ChatRequest' });

const numberOrNull = z.number().nullable();

const completion = z
  .object({
    backend: z.string(),
    model: z.string(),
    content: z.string().optional(),
    toolCalls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.unknown() })).optional(),
    stats: z.object({
      promptTokens: numberOrNull,
      completionTokens: numberOrNull,
      durationMs: numberOrNull,
      tokensPerSecond: numberOrNull,
    }),
  })
  .meta({ id: 'ChatCompletion', description: 'Either content or toolCalls.' });

const models = z
  .object({
    backend: z.string(),
    models: z.array(
      z.object({
        name: z.string(),
        capability: z.string().nullable(),
        available: z.boolean().nullable(),
        class: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'ChatModels', description: 'By ascending name; what the backend does not report is null.' });

const base = { scope: 'service', tag: 'Chat', rateLimited: true } as const;
const problems = ['forbidden', 'unauthorized', 'chatUnavailable', 'chatTimedOut', 'chatOutputInvalid'] as const;

export const chatRoutes: readonly Route[] = [
  route({
    ...base,
    method: 'POST',
    path: '/chat',
    summary: 'A completion.',
    body: whenOn(json(request, { maxBytes: codeBodyBytes })),
    answers: { 200: shows('What the model answered.', completion) },
    problems,
    serve: (exchange, { body }) => complete(exchange, body),
  }),
  route({
    ...base,
    method: 'GET',
    path: '/chat/models',
    summary: 'The models of the backend.',
    answers: { 200: shows('The models it names.', models) },
    problems,
    serve: listModels,
  }),
];

/** `body`, of which nothing is read while chat is off. */
function whenOn<Value>(body: Body<Value>): Body<Value> {
  const { read } = body;
  if (read === undefined) return body;
  return {
    ...body,
    read: (exchange) => {
      requireOn(exchange);
      return read(exchange);
    },
  };
}

/** Without a key nobody is authenticated, so the refusal is that of a caller without one. */
function requireOn({ service }: Exchange): void {
  if (service.chat.enabled) return;
  if (service.settings['Security:ApiKey'] !== null) throw new Problem('forbidden', 'Chat is disabled.');
  throw new Problem('unauthorized', 'Chat is disabled.', {}, [['www-authenticate', 'Bearer']]);
}

async function complete(exchange: Exchange, body: z.infer<typeof request>): Promise<Response> {
  const { chat } = exchange.service;
  const { purpose, messages, tools, options } = body;
  const asked = {
    purpose: purpose ?? 'assist',
    messages: messages.map(messageOf),
    tools: tools ?? [],
    temperature: body.temperature ?? options?.temperature ?? null,
    stop: (options?.stop ?? []).filter((text) => text !== ''),
  };
  const { model, content, toolCalls, stats } = await answered(() => chat.complete(asked, exchange.request.signal));
  const answer = toolCalls.length > 0 ? { toolCalls } : { content };
  return exchange.value({ backend: chat.backendName, model, ...answer, stats });
}

async function listModels(exchange: Exchange): Promise<Response> {
  requireOn(exchange);
  const { chat } = exchange.service;
  const models = await answered(() => chat.models(exchange.request.signal));
  return exchange.value({ backend: chat.backendName, models });
}

const failures: Readonly<Record<ProviderFailure, ProblemKind>> = {
  misconfigured: 'chatUnavailable',
  unavailable: 'chatUnavailable',
  timedOut: 'chatTimedOut',
  badOutput: 'chatOutputInvalid',
};

async function answered<Value>(ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProviderFailed) throw new Problem(failures[error.reason], error.message);
    throw error;
  }
}

function messageOf({ role, content, toolCalls, toolCallId }: z.infer<typeof message>): Message {
  return { role: roleOf(role), content, toolCalls: (toolCalls ?? []) as ToolCall[], toolCallId };
}

function roleOf(text: string | null): Role {
  const word = text?.trim().toLowerCase();
  return roles.find((role) => role === word) ?? 'user';
}

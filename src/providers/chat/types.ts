// A completion as the service sees it, whatever protocol the backend speaks (contract part 3, Chat request and response).

import type { Deadline } from '../deadline.ts';

export type Purpose = 'assist' | 'agent';

export type Role = 'system' | 'user' | 'assistant' | 'tool';

/** A call of a tool that the model asks for. `arguments`: as the model wrote them, parsed where they are JSON. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

export interface Message {
  readonly role: Role;
  readonly content: string | null;
  /** Of an assistant's message: what it called. */
  readonly toolCalls: readonly ToolCall[];
  /** Of a tool's message: the call it answers. */
  readonly toolCallId: string | null;
}

export interface Tool {
  readonly name: string;
  readonly description: string | null;
  /** A JSON Schema. */
  readonly parameters: unknown;
}

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[];
  readonly temperature: number | null;
  readonly stop: readonly string[];
  /** Whether the backend is to send the text as it is made. */
  readonly stream: boolean;
}

/** Numbers that the backend does not report are null. */
export interface ChatStats {
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly durationMs: number | null;
  readonly tokensPerSecond: number | null;
}

export interface Completion {
  readonly model: string;
  readonly content: string;
  readonly toolCalls: readonly ToolCall[];
  readonly stats: ChatStats;
}

/** A model as the backend lists it; what it does not report is null. */
export interface ChatModel {
  readonly name: string;
  readonly capability: string | null;
  readonly available: boolean | null;
  readonly class: string | null;
}

/** Where a model is; null where the backend has no notion of it. */
export interface Residency {
  readonly resident: boolean | null;
  readonly gpu: boolean | null;
}

/** One protocol. All of it throws ProviderFailed, or what the caller's signal was aborted with. */
export interface ChatBackend {
  complete(request: ChatRequest, deadline: Deadline): Promise<Completion>;
  models(deadline: Deadline): Promise<ChatModel[]>;
  residency(model: string, deadline: Deadline): Promise<Residency>;
}

export const noResidency: Residency = { resident: null, gpu: null };

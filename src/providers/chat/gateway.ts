// The chat gateway: one backend, a model a purpose, one deadline a completion. It keeps no state of a conversation and runs no tool.

import type { Settings } from '../../config/catalogue.ts';
import { Deadline } from '../deadline.ts';
import { ProviderFailed } from '../failure.ts';
import { modelFor, modelOrNull } from './models.ts';
import {
  type ChatBackend,
  type ChatModel,
  type ChatRequest,
  type Completion,
  noResidency,
  type Purpose,
  type Residency,
} from './types.ts';

/** Time for the whole catalogue of models (contract part 3, Limits). */
const catalogueSeconds = 5;
/** Time for a look at where a model is (reference 15.1). */
const residencySeconds = 3;

export interface GatewayHost {
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds of a clock that is never set. */
  readonly now: () => number;
}

export interface GatewayRequest extends Omit<ChatRequest, 'model' | 'stream'> {
  readonly purpose: Purpose;
}

export interface GatewayStatus {
  readonly enabled: boolean;
  readonly backend: string;
  readonly model: string | null;
  readonly agentModel: string | null;
  /** True once the backend could be made of its settings, which is tried with the first use. */
  readonly loaded: boolean;
}

export class ChatGateway {
  private readonly settings: Settings;
  private readonly host: GatewayHost;
  private made: ChatBackend | null = null;

  constructor(settings: Settings, host: GatewayHost) {
    this.settings = settings;
    this.host = host;
  }

  get enabled(): boolean {
    return this.settings['Chat:Enabled'];
  }

  get backendName(): string {
    return this.settings['Chat:Backend'];
  }

  get status(): GatewayStatus {
    return {
      enabled: this.enabled,
      backend: this.backendName,
      model: modelOrNull(this.settings, 'assist'),
      agentModel: modelOrNull(this.settings, 'agent'),
      loaded: this.made !== null,
    };
  }

  /** What of the settings keeps it from working, as a sentence; null when nothing does, or it is off. */
  async flaw(): Promise<string | null> {
    if (!this.enabled) return null;
    try {
      await this.create();
      modelFor(this.settings, 'assist');
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }

  /** Throws ProviderFailed, or what `signal` was aborted with. */
  async complete({ purpose, ...request }: GatewayRequest, signal: AbortSignal): Promise<Completion> {
    const backend = await this.backend();
    const model = modelFor(this.settings, purpose);
    // A request with tools is never streamed (contract part 3, Chat request and response).
    const stream = this.settings['Chat:Stream'] && request.tools.length === 0;
    const deadline = this.deadline(this.settings['Chat:TimeoutSeconds'], signal);
    const completion = await backend.complete({ ...request, model, stream }, deadline);
    if (completion.content === '' && completion.toolCalls.length === 0) {
      throw new ProviderFailed('badOutput', 'The backend produced neither text nor a call of a tool.');
    }
    return completion;
  }

  /** By ascending name, of the running backend now. Throws as `complete`. */
  async models(signal: AbortSignal): Promise<ChatModel[]> {
    const models = await (await this.backend()).models(this.deadline(catalogueSeconds, signal));
    return models.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  }

  /** Where the model for `assist` is; nothing is known where the backend does not answer. */
  async residency(signal: AbortSignal): Promise<Residency> {
    if (!this.enabled) return noResidency;
    try {
      const model = modelFor(this.settings, 'assist');
      return await (await this.backend()).residency(model, this.deadline(residencySeconds, signal));
    } catch (error) {
      if (error instanceof ProviderFailed) return noResidency;
      throw error;
    }
  }

  private async backend(): Promise<ChatBackend> {
    this.made ??= await this.create();
    return this.made;
  }

  /** Loads the backends' protocols, which a service without a gateway has no use for. */
  private async create(): Promise<ChatBackend> {
    const { createBackend } = await import('./backends.ts');
    return createBackend(this.settings, this.host.fetch);
  }

  private deadline(seconds: number, signal: AbortSignal): Deadline {
    return new Deadline(seconds, signal, this.host.now);
  }
}

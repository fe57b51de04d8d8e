// The embedding provider: one backend, made with its first use, and the checks that every vector passes whatever made it (contract part 3,
// Embedding provider configuration; reference 18). A backend that cannot be made, or whose vectors have another length than declared, stays
// out of use until the next start: asking again would answer the same, and vectors of two models must never meet.

import type { Settings } from '../../config/catalogue.ts';
import { Deadline } from '../deadline.ts';
import { misconfigured, ProviderFailed } from '../failure.ts';
import type { BackendParts, LocalModels } from './backends.ts';
import type { EmbeddingBackend } from './types.ts';

export interface EmbeddingHost {
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds of a clock that is never set. */
  readonly now: () => number;
  readonly models: LocalModels | null;
}

export class EmbeddingProvider {
  private readonly settings: Settings;
  private readonly host: EmbeddingHost;
  private made: Promise<EmbeddingBackend> | null = null;
  private isMade = false;
  /** Why it is out of use until the next start. */
  private latched: ProviderFailed | null = null;

  constructor(settings: Settings, host: EmbeddingHost) {
    this.settings = settings;
    this.host = host;
  }

  get enabled(): boolean {
    return this.settings['Embedding:Enabled'];
  }

  get backendName(): string {
    return this.settings['Embedding:Backend'];
  }

  /** The model runs in this service, one batch after the other. */
  get isLocal(): boolean {
    return this.backendName === 'Onnx' || this.backendName === 'LLamaSharp';
  }

  /** Components of a vector, as declared. */
  get dimension(): number {
    return this.settings['Embedding:Dimension'];
  }

  /** What its vectors are stamped with: `name[@version]#dimension#metric`. */
  get stamp(): string {
    const { settings } = this;
    const version = settings['Embedding:ModelVersion'];
    const model = settings['Embedding:ModelName'] + (version === '' ? '' : `@${version}`);
    return `${model}#${this.dimension}#${settings['Embedding:IntendedMetric']}`;
  }

  /** The backend has been made, and nothing keeps it out of use. */
  get loaded(): boolean {
    return this.isMade && this.latched === null;
  }

  /** What of the settings keeps it from working, as a sentence; null when nothing does, or it is off. */
  async flaw(): Promise<string | null> {
    if (!this.enabled) return null;
    try {
      this.checkIdentity();
      const { checkEmbeddingSettings } = await import('./backends.ts');
      await checkEmbeddingSettings(this.parts);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }

  /**
   * A vector for each text, in their order, of the declared length and finite, under Cosine none of length 0. Throws ProviderFailed, or what
   * `signal` was aborted with.
   */
  async embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    if (this.latched !== null) throw this.latched;
    this.checkIdentity();
    const deadline = new Deadline(this.settings['Embedding:TimeoutSeconds'], signal, this.host.now);
    const backend = await deadline.within(this.backend());
    const vectors = await backend.embed(texts, deadline);
    if (vectors.length !== texts.length) {
      throw new ProviderFailed(
        'badOutput',
        `The backend answered ${vectors.length} vectors for ${texts.length} texts.`,
      );
    }
    return vectors.map((vector) => this.checked(vector));
  }

  /** The vector of a text that is searched for, which has its own prefix. */
  async embedQuery(text: string, signal: AbortSignal): Promise<Float32Array> {
    const [vector] = await this.embed([this.settings['Embedding:QueryPrefix'] + text], signal);
    return vector as Float32Array;
  }

  async close(): Promise<void> {
    const backend = await this.made?.catch(() => null); // one that was never made holds nothing
    await backend?.close?.();
  }

  private get parts(): BackendParts {
    return { settings: this.settings, fetch: this.host.fetch, models: this.host.models };
  }

  private checkIdentity(): void {
    if (this.settings['Embedding:ModelName'].trim() === '') throw misconfigured('Embedding:ModelName', 'is missing');
    if (this.dimension === 0) throw misconfigured('Embedding:Dimension', 'is missing');
  }

  private backend(): Promise<EmbeddingBackend> {
    this.made ??= this.create().then(
      (backend) => {
        this.isMade = true;
        return backend;
      },
      (error: unknown) => {
        if (error instanceof ProviderFailed) this.latched = error;
        else this.made = null;
        throw error;
      },
    );
    return this.made;
  }

  /** Loads the backends' protocols, which a service without a provider has no use for. */
  private async create(): Promise<EmbeddingBackend> {
    const { createEmbeddingBackend } = await import('./backends.ts');
    return createEmbeddingBackend(this.parts);
  }

  private checked(vector: ArrayLike<number>): Float32Array {
    const { dimension } = this;
    if (vector.length !== dimension) {
      const detail = `The backend's vectors have ${vector.length} components, declared are ${dimension} (Service:Embedding:Dimension). It is not asked again before the next start.`;
      this.latched = new ProviderFailed('unavailable', detail);
      throw this.latched;
    }
    const singles = Float32Array.from(vector);
    // What is no number would become one.
    const isNumbers = ArrayBuffer.isView(vector) || Array.from(vector).every((one) => typeof one === 'number');
    if (!isNumbers || !singles.every(Number.isFinite)) {
      throw new ProviderFailed('badOutput', 'The backend answered a component that is no finite 32-bit number.');
    }
    if (this.settings['Embedding:IntendedMetric'] === 'Cosine' && !singles.some((one) => Math.fround(one * one) > 0)) {
      throw new ProviderFailed('badOutput', 'The backend answered a vector of norm 0, which Cosine cannot compare.');
    }
    return singles;
  }
}

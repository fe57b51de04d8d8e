// Vectors of texts from an ONNX model of the BERT kind, whatever runtime computes it. One text is computed at a time: padding to the longest
// text would cost more than it saves on one thread, and a text's vector does not depend on its company.

import { ProviderFailed } from '../../failure.ts';
import type { WordPiece } from './tokenizer.ts';

interface TensorValue {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: unknown;
}

/** What a runtime of ONNX models offers; its names are those of onnxruntime. */
export interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly inputMetadata: readonly { readonly name: string; readonly isTensor: boolean; readonly type?: unknown }[];
  run(feeds: Record<string, never>): Promise<Readonly<Record<string, unknown>>>;
}

export type MakeTensor = (
  type: 'int64' | 'int32',
  data: BigInt64Array | Int32Array,
  dims: readonly number[],
) => unknown;

export interface SentenceOptions {
  readonly maxTokens: number;
  readonly pooling: 'Cls' | 'Mean';
  readonly normalize: boolean;
}

/** What a model may be fed with, by input: the values for the tokens of one text. */
const feeds: Readonly<Record<string, (tokens: readonly number[]) => readonly number[]>> = {
  input_ids: (tokens) => tokens,
  attention_mask: (tokens) => tokens.map(() => 1),
  token_type_ids: (tokens) => tokens.map(() => 0),
};

type Feed = readonly [
  name: string,
  type: 'int64' | 'int32',
  valuesOf: (tokens: readonly number[]) => readonly number[],
];

export class Sentences {
  private readonly session: OnnxSession;
  private readonly tokenizer: WordPiece;
  private readonly makeTensor: MakeTensor;
  private readonly options: SentenceOptions;
  private readonly feeds: readonly Feed[];

  /** Throws ProviderFailed where the model wants what a text does not have. */
  constructor(session: OnnxSession, tokenizer: WordPiece, makeTensor: MakeTensor, options: SentenceOptions) {
    this.session = session;
    this.tokenizer = tokenizer;
    this.makeTensor = makeTensor;
    this.options = options;
    this.feeds = session.inputMetadata.map(({ name, isTensor, type }) => {
      const valuesOf = Object.hasOwn(feeds, name) ? feeds[name] : undefined;
      if (valuesOf === undefined || !isTensor || (type !== 'int64' && type !== 'int32')) {
        throw unusable(`has an input '${name}' that nothing is known for; known are ${Object.keys(feeds).join(', ')}`);
      }
      return [name, type, valuesOf];
    });
    if (!session.inputNames.includes('input_ids')) throw unusable('has no input input_ids');
  }

  /** The tokens of each text; throws ProviderFailed for a text of too many. */
  tokens(texts: readonly string[]): number[][] {
    const { maxTokens } = this.options;
    return texts.map((text, i) => {
      const tokens = this.tokenizer.encode(text);
      if (tokens.length <= maxTokens) return tokens;
      const detail = `Text ${i} has ${tokens.length} tokens; ${maxTokens} are the most (Service:Embedding:Onnx:MaxTokens).`;
      throw new ProviderFailed('unavailable', detail);
    });
  }

  /** The vector of one text's tokens. Throws ProviderFailed. */
  async vector(tokens: readonly number[]): Promise<Float32Array> {
    const given = Object.fromEntries(
      this.feeds.map(([name, type, valuesOf]) => {
        const values = valuesOf(tokens);
        const data = type === 'int64' ? BigInt64Array.from(values, BigInt) : Int32Array.from(values);
        return [name, this.makeTensor(type, data, [1, tokens.length])];
      }),
    );
    const output = this.session.outputNames[0] as string;
    const result = (await this.session.run(given as Record<string, never>))[output] as TensorValue | undefined;
    if (result === undefined || !(result.data instanceof Float32Array)) {
      throw badOutput(`its output '${output}' holds no 32-bit numbers`);
    }
    const vector = this.pooled(result.data, result.dims, tokens.length);
    if (this.options.normalize) normalize(vector);
    return vector;
  }

  private pooled(data: Float32Array, dims: readonly number[], count: number): Float32Array {
    const [texts, second = 0, width] = dims;
    if (texts === 1 && dims.length === 2) return data.slice(0, second);
    if (texts !== 1 || width === undefined || dims.length !== 3 || second !== count) {
      throw badOutput(`its output has the shape [${dims.join(', ')}] for one text of ${count} tokens`);
    }
    if (this.options.pooling === 'Cls') return data.slice(0, width);
    const mean = new Float32Array(width);
    for (let token = 0; token < count; token++) {
      for (let i = 0; i < width; i++) mean[i] = (mean[i] as number) + (data[token * width + i] as number) / count;
    }
    return mean;
  }
}

/** To length 1; a vector without length stays as it is. */
function normalize(vector: Float32Array): void {
  const length = Math.hypot(...vector);
  if (length > 0) for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] as number) / length;
}

function unusable(what: string): ProviderFailed {
  return new ProviderFailed('misconfigured', `The model of Service:Embedding:Onnx:ModelPath ${what}.`);
}

function badOutput(what: string): ProviderFailed {
  return new ProviderFailed('badOutput', `The model cannot be used: ${what}.`);
}

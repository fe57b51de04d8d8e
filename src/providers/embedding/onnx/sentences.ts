// Vectors of texts from an ONNX model of the BERT kind, whatever runtime computes it. Texts of like length are computed in one run: the
// shorter ones are padded to the longest, and the mask says so. A model without a mask would take padding for words, so only texts of one
// length share a run. A run is bounded in tokens: what it holds in memory grows with them, and nobody can leave in the middle of it.

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
  readonly inputMetadata: readonly {
    readonly name: string;
    readonly isTensor: boolean;
    readonly type?: unknown;
    /** A number where a length is fixed, else a name. */
    readonly shape?: readonly (number | string)[];
  }[];
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

/** What a model may be fed with, by input: the value for a token, and the one for padding. */
const feeds: Readonly<
  Record<string, readonly [ofToken: (token: number) => number, ofPadding: (padding: number) => number]>
> = {
  input_ids: [(token) => token, (padding) => padding],
  attention_mask: [() => 1, () => 0],
  token_type_ids: [() => 0, () => 0],
};

interface Feed {
  readonly name: string;
  readonly type: 'int64' | 'int32';
  readonly ofToken: (token: number) => number;
  readonly padding: number;
}

/** Tokens of one run, padding included; a longer text runs alone. */
const runTokens = 4096;
/** A text joins a run whose longest text is at most so many times as long, and so many tokens longer. */
const paddingFactor = 1.25;
const paddingTokens = 8;

export class Sentences {
  private readonly session: OnnxSession;
  private readonly tokenizer: WordPiece;
  private readonly makeTensor: MakeTensor;
  private readonly options: SentenceOptions;
  private readonly feeds: readonly Feed[];
  /** Whether the model can tell words from padding. */
  private readonly hasMask: boolean;
  /** Whether it was made for more than one text a run. */
  private readonly takesMany: boolean;

  /** Throws ProviderFailed where the model wants what a text does not have. */
  constructor(session: OnnxSession, tokenizer: WordPiece, makeTensor: MakeTensor, options: SentenceOptions) {
    this.session = session;
    this.tokenizer = tokenizer;
    this.makeTensor = makeTensor;
    this.options = options;
    this.feeds = session.inputMetadata.map(({ name, isTensor, type }) => {
      const known = Object.hasOwn(feeds, name) ? feeds[name] : undefined;
      if (known === undefined || !isTensor || (type !== 'int64' && type !== 'int32')) {
        throw unusable(`has an input '${name}' that nothing is known for; known are ${Object.keys(feeds).join(', ')}`);
      }
      const [ofToken, ofPadding] = known;
      return { name, type, ofToken, padding: ofPadding(tokenizer.padding) };
    });
    if (!session.inputNames.includes('input_ids')) throw unusable('has no input input_ids');
    this.hasMask = session.inputNames.includes('attention_mask');
    this.takesMany = session.inputMetadata.every(({ shape }) => typeof shape?.[0] !== 'number');
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

  /** Which texts are computed together, by their places: at most `runTokens` tokens a run, like lengths beside each other. */
  runs(texts: readonly (readonly number[])[]): number[][] {
    const lengthOf = (place: number): number => texts[place]?.length ?? 0;
    const byLength = texts.map((_text, place) => place).sort((a, b) => lengthOf(a) - lengthOf(b) || a - b);
    const runs: number[][] = [];
    let run: number[] = [];
    let shortest = 0;
    for (const place of byLength) {
      const length = lengthOf(place);
      const longest = this.hasMask ? shortest * paddingFactor + paddingTokens : shortest;
      if (run.length === 0 || !this.takesMany || length > longest || length * (run.length + 1) > runTokens) {
        run = [];
        runs.push(run);
        shortest = length;
      }
      run.push(place);
    }
    return runs;
  }

  /** The vectors of the tokens of some texts, in one run of the model. Throws ProviderFailed. */
  async vectors(texts: readonly (readonly number[])[]): Promise<Float32Array[]> {
    const width = texts.reduce((most, { length }) => Math.max(most, length), 0);
    const given = Object.fromEntries(this.feeds.map((feed) => [feed.name, this.input(feed, texts, width)]));
    const output = this.session.outputNames[0] as string;
    const result = (await this.session.run(given as Record<string, never>))[output] as TensorValue | undefined;
    if (result === undefined || !(result.data instanceof Float32Array)) {
      throw badOutput(`its output '${output}' holds no 32-bit numbers`);
    }
    const vectors = this.pooled(result.data, result.dims, texts, width);
    if (this.options.normalize) for (const vector of vectors) normalize(vector);
    return vectors;
  }

  private input({ type, ofToken, padding }: Feed, texts: readonly (readonly number[])[], width: number): unknown {
    const values = new Int32Array(texts.length * width).fill(padding);
    for (const [row, tokens] of texts.entries()) {
      for (const [i, token] of tokens.entries()) values[row * width + i] = ofToken(token);
    }
    const data = type === 'int64' ? BigInt64Array.from(values, BigInt) : values;
    return this.makeTensor(type, data, [texts.length, width]);
  }

  private pooled(
    data: Float32Array,
    dims: readonly number[],
    texts: readonly (readonly number[])[],
    longest: number,
  ): Float32Array[] {
    const [count, second = 0, width] = dims;
    if (count === texts.length && dims.length === 2) {
      return texts.map((_text, row) => data.slice(row * second, (row + 1) * second));
    }
    if (count !== texts.length || width === undefined || dims.length !== 3 || second !== longest) {
      throw badOutput(`its output has the shape [${dims.join(', ')}] for ${texts.length} texts of ${longest} tokens`);
    }
    return texts.map(({ length }, row) => {
      const from = row * longest * width;
      return this.options.pooling === 'Cls' ? data.slice(from, from + width) : meanOf(data, from, width, length);
    });
  }
}

/** The mean of `count` rows; padding behind them counts for nothing. */
function meanOf(data: Float32Array, from: number, width: number, count: number): Float32Array {
  const mean = new Float32Array(width);
  for (let row = 0; row < count; row++) {
    const at = from + row * width;
    for (let i = 0; i < width; i++) mean[i] = (mean[i] as number) + (data[at + i] as number) / count;
  }
  return mean;
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

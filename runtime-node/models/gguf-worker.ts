// The process of a GGUF model, computed by llama.cpp. Texts go through the runtime's queue and not through its calls for one text: those keep
// what they computed of the text before, and with a model that reads in both directions its vectors differ by that (found with 1.7.15). A text
// of more tokens than there is room for would end the process, so tokens are counted before.

import { createRequire } from 'node:module';
import { misconfigured, ProviderFailed } from '../../src/providers/failure.ts';
import { type GgufHead, readGgufHead } from './gguf-file.ts';
import type { GgufThreadData } from './messages.ts';
import { checkedFile, type LoadedModel, said, serveModel } from './model-worker.ts';

/** What is used of the runtime; its names are its own. */
interface LlamaRuntime {
  loadModel(options: Readonly<Record<string, unknown>>): Promise<LlamaContext>;
}

interface LlamaContext {
  tokenize(text: string): Promise<{ readonly tokens: ArrayLike<number> }>;
  readonly parallel: {
    enable(options: { readonly n_parallel: number; readonly n_batch: number }): Promise<boolean>;
    embedding(
      text: string,
      options: { readonly embd_normalize: number },
    ): Promise<{ readonly promise: Promise<{ readonly embedding: ArrayLike<number> }> }>;
  };
}

const key = 'Embedding:LLamaSharp:ModelPath';
const maxModelBytes = 64 * 2 ** 30;
/** Of one text. What a run holds in memory grows with their square. */
const mostTokens = 2048;
/** What a model puts around a text, at most. */
const framingTokens = 2;
/** One leaves the other processors to requests. */
const threads = 1;
/** Vectors of length 1, in the runtime's words. */
const euclidean = 2;

async function load({ options, runtimePath }: GgufThreadData): Promise<LoadedModel> {
  const { modelPath } = options;
  checkedFile(key, modelPath, maxModelBytes);
  const most = Math.min(mostTokens, headOf(modelPath).contextTokens ?? mostTokens);
  const context = await open(runtimeAt(runtimePath), modelPath, most);
  await context.parallel.enable({ n_parallel: 1, n_batch: most });
  return { embed: (texts, goesOn) => embed(context, most, texts, goesOn) };
}

function headOf(path: string): GgufHead {
  try {
    return readGgufHead(path);
  } catch (error) {
    throw unusable(path, error);
  }
}

function runtimeAt(path: string): LlamaRuntime {
  return createRequire(import.meta.url)(path) as LlamaRuntime;
}

async function open(runtime: LlamaRuntime, path: string, tokens: number): Promise<LlamaContext> {
  try {
    return await runtime.loadModel({
      ...{ model: path, embedding: true, n_gpu_layers: 0, n_threads: threads, n_parallel: 1 },
      ...{ n_ctx: tokens, n_batch: tokens, n_ubatch: tokens, embd_normalize: euclidean },
    });
  } catch (error) {
    throw unusable(path, error);
  }
}

function unusable(path: string, error: unknown): ProviderFailed {
  return misconfigured(key, `names '${path}', which is no usable model: ${said(error)}`);
}

async function embed(
  context: LlamaContext,
  most: number,
  texts: readonly string[],
  goesOn: () => Promise<boolean>,
): Promise<readonly Float32Array[]> {
  for (const [i, text] of texts.entries()) {
    const count = (await context.tokenize(text)).tokens.length + framingTokens;
    if (count <= most) continue;
    const detail = `Text ${i} has ${count} tokens with those around it; the model of Service:${key} takes ${most}.`;
    throw new ProviderFailed('unavailable', detail);
  }
  const vectors: Float32Array[] = [];
  for (const text of texts) {
    if (!(await goesOn())) return [];
    const { promise } = await context.parallel.embedding(text, { embd_normalize: euclidean });
    vectors.push(Float32Array.from((await promise).embedding));
  }
  return vectors;
}

await serveModel(load);

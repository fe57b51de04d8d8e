// The thread, or the process, of an ONNX model.

import { Sentences } from '../../src/providers/embedding/onnx/sentences.ts';
import { WordPiece } from '../../src/providers/embedding/onnx/tokenizer.ts';
import { misconfigured } from '../../src/providers/failure.ts';
import type { OnnxThreadData } from './messages.ts';
import { type LoadedModel, readChecked, said, serveModel } from './model-worker.ts';
import { openSession } from './onnx-runtime.ts';

/** The format itself ends here. */
const maxModelBytes = 2 ** 31 - 1;
const maxVocabularyBytes = 64 * 2 ** 20;

async function load({ options }: OnnxThreadData): Promise<LoadedModel> {
  const vocabulary = readChecked('Embedding:Onnx:VocabPath', options.vocabPath, maxVocabularyBytes);
  const tokenizer = new WordPiece(new TextDecoder().decode(vocabulary));
  const model = readChecked('Embedding:Onnx:ModelPath', options.modelPath, maxModelBytes);
  const opened = await openSession(model).catch((error: unknown) => {
    const what = `names '${options.modelPath}', which is no usable model: ${said(error)}`;
    throw misconfigured('Embedding:Onnx:ModelPath', what);
  });
  const { session, runtime } = opened;
  const sentences = new Sentences(
    session as never,
    tokenizer,
    (type, data, dims) => new runtime.Tensor(type as never, data as never, dims),
    options,
  );
  return { embed: (texts, goesOn) => embed(sentences, texts, goesOn) };
}

async function embed(
  sentences: Sentences,
  texts: readonly string[],
  goesOn: () => Promise<boolean>,
): Promise<readonly Float32Array[]> {
  const tokens = sentences.tokens(texts);
  const vectors = new Array<Float32Array>(texts.length);
  for (const run of sentences.runs(tokens)) {
    if (!(await goesOn())) return [];
    const made = await sentences.vectors(run.map((place) => tokens[place] as number[]));
    for (const [i, place] of run.entries()) vectors[place] = made[i] as Float32Array;
  }
  return vectors;
}

await serveModel(load);

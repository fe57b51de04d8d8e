// The thread, or the process, of a model: reads its files, computes batches one after the other, and looks between two runs whether anybody still waits.

import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { Sentences } from '../../src/providers/embedding/onnx/sentences.ts';
import { WordPiece } from '../../src/providers/embedding/onnx/tokenizer.ts';
import { misconfigured, ProviderFailed } from '../../src/providers/failure.ts';
import { giveWay } from '../workers/priority.ts';
import type { FromModel, ModelThreadData, ToModel } from './messages.ts';
import { openSession } from './onnx-runtime.ts';

/** The format itself ends here. */
const maxModelBytes = 2 ** 31 - 1;
const maxVocabularyBytes = 64 * 2 ** 20;

const port = parentPort;
/** A process gets its data as an argument, and ends with the one that began it. */
const { options, niceness } = (port === null ? JSON.parse(process.argv[2] ?? '') : workerData) as ModelThreadData;
if (port === null) process.on('disconnect', () => process.exit());
const left = new Set<number>();
const waiting: { readonly id: number; readonly texts: readonly string[] }[] = [];
let isBusy = false;

const tell = (message: FromModel): void => {
  if (port === null) process.send?.(message);
  else port.postMessage(message);
};

function readFile(key: string, path: string, maxBytes: number): Uint8Array {
  let why: string;
  try {
    const found = statSync(path);
    if (!found.isFile()) why = 'is no file';
    else if (found.size > maxBytes) why = `has ${found.size} bytes; ${maxBytes} are the most`;
    else {
      const file = openSync(path, 'r');
      try {
        return readFileSync(file);
      } finally {
        closeSync(file);
      }
    }
  } catch (error) {
    why = `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`;
  }
  throw misconfigured(key, `names '${path}', which ${why}`);
}

async function load(): Promise<Sentences> {
  const vocabulary = readFile('Embedding:Onnx:VocabPath', options.vocabPath, maxVocabularyBytes);
  const tokenizer = new WordPiece(new TextDecoder().decode(vocabulary));
  const model = readFile('Embedding:Onnx:ModelPath', options.modelPath, maxModelBytes);
  const opened = await openSession(model).catch((error: unknown) => {
    const said = String((error as Error)?.message ?? error).split('\n')[0] ?? '';
    throw misconfigured('Embedding:Onnx:ModelPath', `names '${options.modelPath}', which is no usable model: ${said}`);
  });
  const { session, runtime } = opened;
  return new Sentences(
    session as never,
    tokenizer,
    (type, data, dims) => new runtime.Tensor(type as never, data as never, dims),
    options,
  );
}

async function embed(sentences: Sentences, id: number, texts: readonly string[]): Promise<void> {
  try {
    const tokens = sentences.tokens(texts);
    const vectors = new Array<Float32Array>(texts.length);
    for (const run of sentences.runs(tokens)) {
      // A message that somebody left comes in between.
      await setImmediate();
      if (left.delete(id)) return;
      const made = await sentences.vectors(run.map((place) => tokens[place] as number[]));
      for (const [i, place] of run.entries()) vectors[place] = made[i] as Float32Array;
    }
    tell({ kind: 'vectors', id, vectors });
  } catch (error) {
    tell({ kind: 'failed', id, ...failureOf(error) });
  }
}

function failureOf(error: unknown): Pick<ProviderFailed, 'reason'> & { readonly detail: string } {
  if (error instanceof ProviderFailed) return { reason: error.reason, detail: error.message };
  const said = String((error as Error)?.message ?? error).split('\n')[0] ?? '';
  return { reason: 'unavailable', detail: `The model failed: ${said}` };
}

async function work(sentences: Sentences): Promise<void> {
  if (isBusy) return;
  isBusy = true;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (!left.delete(next.id)) await embed(sentences, next.id, next.texts);
    left.delete(next.id);
  }
  isBusy = false;
}

async function main(): Promise<void> {
  giveWay(niceness);
  const sentences = await load();
  const take = (message: ToModel): void => {
    if (message.kind === 'leave') left.add(message.id);
    else waiting.push(message);
    void work(sentences);
  };
  if (port === null) process.on('message', take);
  else port.on('message', take);
  tell({ kind: 'loaded' });
}

main().catch((error: unknown) => tell({ kind: 'notLoaded', ...failureOf(error) }));

// Texts as vectors, in a service with the shipped model: a search by text beside its two parts, the embedding of the text and the exact scan; reads
// of a vertex while a batch of 64 long texts computes, beside idle; and a batch of 64 texts in WebAssembly beside onnxruntime-node.
//
//   npm run bench -- embedding [--rows 1000000] [--rounds 200] [--layers 2] [--reads 5000]
//
// ONNXRUNTIME_NODE: a folder that onnxruntime-node is installed in (without it its row is left out). `--layers`: of the model that computes beside
// the reads, each as wide as those of a small model of the BERT kind; with 0 it is the shipped one.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type * as OnnxRuntime from 'onnxruntime-web/wasm';
import { localModels } from '../runtime-node/models/model-thread.ts';
import { Deadline } from '../src/providers/deadline.ts';
import type { OnnxOptions } from '../src/providers/embedding/backends.ts';
import { Sentences } from '../src/providers/embedding/onnx/sentences.ts';
import { WordPiece } from '../src/providers/embedding/onnx/tokenizer.ts';
import { readGlosses, wordsModel } from './lib/glosses.ts';
import { Random } from './lib/graphs.ts';
import { compete, figure, machineLine, median, percentile, setting, table, target } from './lib/measure.ts';
import { type RunningServer, startService } from './lib/servers.ts';
import { steadyReads } from './lib/steady-reads.ts';

const rows = setting('rows', 1_000_000);
const rounds = setting('rounds', 200);
const layers = setting('layers', 2);
const readMs = setting('reads', 5000);
const batch = 64;
const wordsOfText = 510;
const longestText = 8192;
const readsPerSecond = 200;
const k = 10;
const { ONNXRUNTIME_NODE } = process.env;

const glosses = readGlosses().map(({ text }) => text);
const folder = mkdtempSync(join(tmpdir(), 'arcwise-embedding-'));
const options: OnnxOptions = { ...wordsModel, pooling: 'Cls', normalize: true };
const forever = (): Deadline => new Deadline(3600, new AbortController().signal, () => performance.now());

/** Vertices with an embedding each, as lines. */
function* lines(): Generator<Uint8Array> {
  const random = new Random(5);
  const encoder = new TextEncoder();
  yield encoder.encode(
    `${JSON.stringify({ type: 'meta', format: 'service-jsonl', version: 2, vertexCount: rows, edgeCount: 0 })}\n`,
  );
  for (let id = 0; id < rows; ) {
    let text = '';
    for (const end = Math.min(rows, id + 500); id < end; id++) {
      const value = Array.from({ length: wordsModel.dimension }, () => random.below(199) - 99).join(',');
      const properties = { '$embedding:default': { type: 'Single[]', value } };
      text += `${JSON.stringify({ type: 'vertex', id, label: 'row', creationDate: 0, properties })}\n`;
    }
    yield encoder.encode(text);
  }
}

async function asked(server: RunningServer, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
  return text === '' ? null : JSON.parse(text);
}

function started({ modelPath, vocabPath, maxTokens }: OnnxOptions, dimension: number): Promise<RunningServer> {
  return startService(
    Object.entries({
      ...{ 'Embedding:Enabled': true, 'Embedding:ModelName': 'm', 'Embedding:Dimension': dimension },
      ...{ 'Embedding:Onnx:ModelPath': modelPath, 'Embedding:Onnx:VocabPath': vocabPath },
      ...{ 'Embedding:Onnx:MaxTokens': maxTokens, 'Embedding:TimeoutSeconds': 3600, 'Durability:Volatile': true },
      ...{ 'Security:SensitiveRateLimitPermitPerWindow': 1_000_000_000, 'Log:Level': 'error' },
    }).map(([key, value]) => `--Service:${key}=${value}`),
  );
}

/** A search by text, and its parts asked for alone; what answering costs is in each of them, so a plain read is what they share. */
async function searches(): Promise<void> {
  const server = await started(options, wordsModel.dimension);
  try {
    const headers = { 'content-type': 'application/x-ndjson' };
    const init = { method: 'POST', headers, body: Readable.toWeb(Readable.from(lines())), duplex: 'half' };
    const filled = await fetch(`http://127.0.0.1:${server.port}/bulk/import`, init as unknown as RequestInit);
    if (!filled.ok) throw new Error(await filled.text());
    const option = (propertyId: string, propertyValue: string, fullQualifiedTypeName: string) => ({
      [propertyId]: { propertyId, propertyValue, fullQualifiedTypeName },
    });
    const pluginOptions = {
      ...option('dimension', String(wordsModel.dimension), 'System.Int32'),
      ...option('embeddingName', 'default', 'System.String'),
    };
    await asked(server, 'POST', '/index', { uniqueId: 'v', pluginType: 'VectorIndex', pluginOptions });
    const random = new Random(3);
    let text = '';
    let vector: number[] = [];
    const next = async (): Promise<void> => {
      text = glosses[random.below(glosses.length)] ?? '';
      vector = ((await asked(server, 'POST', '/embedding/text', { texts: [text] })) as { vectors: number[][] })
        .vectors[0] as number[];
    };
    const timedCall = (name: string, method: string, path: string, body: () => object | undefined) => ({
      name,
      round: async (): Promise<number> => {
        const began = performance.now();
        await asked(server, method, path, body());
        return performance.now() - began;
      },
    });
    const calls = [
      timedCall('a read of a vertex', 'GET', '/vertex/0', () => undefined),
      timedCall('embedding of the text', 'POST', '/embedding/text', () => ({ texts: [text] })),
      timedCall('scan with its vector', 'POST', '/scan/index/vector', () => ({ indexId: 'v', query: vector, k })),
      timedCall('search by text', 'POST', '/embedding/search', () => ({ indexId: 'v', text, k })),
    ];
    const times = calls.map((): number[] => []);
    for (let round = 0; round < rounds; round++) {
      await next();
      for (const [i, { medianMs }] of (await compete(calls, 1)).entries()) times[i]?.push(medianMs);
    }
    const [read = 0, embedding = 0, scan = 0, search = 0] = times.map(median);
    console.log(
      table([[`${figure(rows)} vectors`, 'p50 ms'], ...calls.map(({ name }, i) => [name, median(times[i] ?? [])])]),
    );
    console.log(target('search by text beyond its parts', search - embedding - scan + read, '<=', 1, 'ms'));
  } finally {
    await server.stop();
  }
}

/** Texts of so many words. */
function longTexts(words: number): string[] {
  const all = glosses
    .join(' ')
    .split(' ')
    .filter((word) => /^[a-z]{2,8}$/.test(word));
  return Array.from({ length: batch }, (_, i) =>
    all
      .slice(i * words, (i + 1) * words)
      .join(' ')
      .slice(0, longestText),
  );
}

interface FileFormat {
  readonly model: (parts: object) => Uint8Array;
  readonly node: (operator: string, inputs: string[], outputs: string[], attributes?: object) => unknown;
  readonly tensor: (name: string, type: string, dims: number[], data: ArrayBufferView) => unknown;
  readonly value: (name: string, type: string, dims: (string | number)[]) => unknown;
}

/** A model as wide as a small one of the BERT kind: its feed-forward layers, one behind the other, with random weights. */
async function deepModel(): Promise<{ readonly options: OnnxOptions; readonly width: number }> {
  const width = 384;
  const inner = 1536;
  const format = (await import(new URL('../../scripts/lib/onnx-file.mjs', import.meta.url).href)) as FileFormat;
  const { model, node, tensor, value } = format;
  const random = new Random(9);
  const vocabulary = readFileSync(wordsModel.vocabPath, 'utf8').trimEnd().split('\n').length;
  const weights = (count: number): Float32Array =>
    Float32Array.from({ length: count }, () => random.below(200) / 4000 - 0.025);
  const tensors = [tensor('table', 'float', [vocabulary, width], weights(vocabulary * width))];
  const nodes = [node('Gather', ['table', 'input_ids'], ['h0'], { axis: 0 })];
  for (let i = 0; i < layers; i++) {
    tensors.push(tensor(`u${i}`, 'float', [width, inner], weights(width * inner)));
    tensors.push(tensor(`d${i}`, 'float', [inner, width], weights(width * inner)));
    nodes.push(node('MatMul', [`h${i}`, `u${i}`], [`a${i}`]), node('Relu', [`a${i}`], [`r${i}`]));
    nodes.push(node('MatMul', [`r${i}`, `d${i}`], [`o${i}`]), node('Add', [`o${i}`, `h${i}`], [`h${i + 1}`]));
  }
  const modelPath = join(folder, 'deep.onnx');
  const inputs = ['input_ids', 'attention_mask'].map((name) => value(name, 'int64', ['texts', 'tokens']));
  const outputs = [value(`h${layers}`, 'float', ['texts', 'tokens', width])];
  writeFileSync(modelPath, model({ producer: 'arcwise', opset: 13, name: 'deep', nodes, tensors, inputs, outputs }));
  return { options: { ...options, modelPath, maxTokens: 2048, pooling: 'Mean' }, width };
}

/** Reads while batches compute, one behind the other, beside reads of an idle service. */
async function readsBeside(): Promise<void> {
  const deep = layers > 0 ? await deepModel() : { options: { ...options }, width: wordsModel.dimension };
  const server = await started(deep.options, deep.width);
  const texts = longTexts(wordsOfText);
  try {
    await asked(server, 'PUT', '/vertex', { label: 'read', creationDate: 0, properties: [] });
    const began = performance.now();
    await asked(server, 'POST', '/embedding/text', { texts });
    const batchMs = performance.now() - began;
    const plan = {
      port: server.port,
      path: '/vertex/0',
      perSecond: readsPerSecond,
      durationMs: readMs,
      patienceMs: 60_000,
    };
    const ratios: number[] = [];
    const lines: [string, number, number][] = [];
    for (let round = 0; round < 3; round++) {
      const idle = await steadyReads(plan);
      let isOver = false;
      const computing = (async (): Promise<void> => {
        while (!isOver) await asked(server, 'POST', '/embedding/text', { texts });
      })();
      const beside = await steadyReads(plan);
      isOver = true;
      await computing;
      ratios.push(percentile(beside, 0.99) / percentile(idle, 0.99));
      lines.push(['idle', median(idle), percentile(idle, 0.99)], ['beside', median(beside), percentile(beside, 0.99)]);
    }
    console.log(`A batch of ${batch} texts of ${wordsOfText} words takes ${figure(batchMs)} ms.`);
    console.log(table([['GET /vertex/{id}', 'p50 ms', 'p99 ms'], ...lines]));
    console.log(target('p99 of reads beside a batch against idle', median(ratios), '<=', 1.5, '×'));
  } finally {
    await server.stop();
  }
}

/** One batch of 64 texts through the same model in both runtimes, on one thread each. */
async function runtimes(): Promise<void> {
  const texts = glosses
    .slice(0, 100_000)
    .filter((_, i) => i % 1500 === 0)
    .slice(0, batch);
  const inProcess = await localModels(0).onnx(options);
  const contestants = [
    {
      name: 'in process, WebAssembly',
      round: async (): Promise<number> => {
        const began = performance.now();
        await inProcess.embed(texts, forever());
        return performance.now() - began;
      },
    },
  ];
  if (ONNXRUNTIME_NODE !== undefined) {
    const native = createRequire(join(ONNXRUNTIME_NODE, 'here.js'))('onnxruntime-node') as typeof OnnxRuntime;
    const session = await native.InferenceSession.create(options.modelPath, {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
    });
    const tokenizer = new WordPiece(readFileSync(options.vocabPath, 'utf8'));
    const makeTensor = (type: string, data: unknown, dims: readonly number[]) =>
      new native.Tensor(type as never, data as never, dims);
    const sentences = new Sentences(session as never, tokenizer, makeTensor, options);
    contestants.push({
      name: 'onnxruntime-node',
      round: async () => {
        const began = performance.now();
        const tokens = sentences.tokens(texts);
        for (const run of sentences.runs(tokens))
          await sentences.vectors(run.map((place) => tokens[place] as number[]));
        return performance.now() - began;
      },
    });
  }
  const [ours, theirs] = await compete(contestants, Math.max(11, rounds >> 2));
  await inProcess.close?.();
  const measured = [ours, theirs].filter((one) => one !== undefined);
  console.log(
    table([
      [`${texts.length} texts`, 'p50 ms', 'min ms'],
      ...measured.map((one) => [one.name, one.medianMs, one.minMs]),
    ]),
  );
  if (ours === undefined || theirs === undefined) return console.log('ONNXRUNTIME_NODE names no folder: no peer.');
  console.log(`in process against onnxruntime-node: ${figure(ours.medianMs / theirs.medianMs)} ×`);
}

console.log(machineLine());
try {
  await runtimes();
  await readsBeside();
  await searches();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

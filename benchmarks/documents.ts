// Documents at their full number, in a service with the shipped model: 10,000 of 4 KiB of Markdown ingested, beside the time that the model
// alone takes for their chunks; reads of a vertex while they arrive and while they are ingested, beside idle; and searches over all chunks,
// fused beside dense.
//
//   npm run bench -- documents [--documents 10000] [--bytes 4096] [--chunk 3600] [--queries 200]

import { availableParallelism } from 'node:os';
import { localModels } from '../runtime-node/models/model-thread.ts';
import { chunksOf } from '../src/documents/chunks.ts';
import { markdownBlocks } from '../src/documents/texts.ts';
import { Deadline } from '../src/providers/deadline.ts';
import { documentsOf, wordsModel as model, readGlosses } from './lib/glosses.ts';
import { Random } from './lib/graphs.ts';
import { machineLine, median, percentile, setting, table, target } from './lib/measure.ts';
import { type RunningServer, startService } from './lib/servers.ts';
import { steadyReads } from './lib/steady-reads.ts';

const count = setting('documents', 10_000);
const bytes = setting('bytes', 4096);
const maxChars = setting('chunk', 3600);
const minChars = Math.min(800, maxChars);
const queries = setting('queries', 200);
const batch = 64;
const atOnce = 4;
const readsPerSecond = 200;
const readMs = 5000;
const limits = { minChars, maxChars, maxIdentifiers: 64 };

const glosses = readGlosses();
const texts = [...documentsOf(glosses, count, bytes)];

/** Milliseconds that the model takes for all chunks, a document at a time as an ingestion has it, and their number. */
async function embeddingAlone(): Promise<{ readonly ms: number; readonly chunks: number }> {
  const backend = await localModels(10).onnx({ ...model, pooling: 'Cls', normalize: true });
  const deadline = new Deadline(3600, new AbortController().signal, () => performance.now());
  let [chunks, ms] = [0, 0];
  for (const text of texts) {
    const all = [...chunksOf(markdownBlocks(text), limits)].map((chunk) => chunk.text);
    chunks += all.length;
    const started = performance.now();
    for (let from = 0; from < all.length; from += batch) await backend.embed(all.slice(from, from + batch), deadline);
    ms += performance.now() - started;
  }
  await backend.close?.();
  return { ms, chunks };
}

async function asked(server: RunningServer, method: string, path: string, body?: object) {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
  return text === '' ? null : JSON.parse(text);
}

/** Sends all documents; resolves with the id of the last one when all have been taken. */
async function sendAll(server: RunningServer): Promise<number> {
  let next = 0;
  let last = 0;
  const send = async (): Promise<void> => {
    for (let i = next++; i < texts.length; i = next++) {
      const body = { name: `d${i}`, text: texts[i] };
      last = Math.max(last, (await asked(server, 'POST', '/document/text', body)).documentId);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, send));
  return last;
}

/** Resolves when a document is indexed. */
async function indexed(server: RunningServer, id: number): Promise<void> {
  for (let status = 'processing'; status === 'processing'; ) {
    const { summary } = await asked(server, 'GET', `/document/${id}`);
    status = summary.status;
    if (status === 'failed') throw new Error(summary.error);
    if (status === 'processing') await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const reads = (server: RunningServer): Promise<readonly number[]> =>
  steadyReads({
    port: server.port,
    path: '/vertex/0',
    perSecond: readsPerSecond,
    durationMs: readMs,
    patienceMs: 60_000,
  });

/** Words of a gloss that is not the shortest, three of them, as somebody would ask. */
function queryOf(random: Random): string {
  const words = (glosses[random.below(glosses.length)]?.text ?? '').match(/[a-z]{5,}/g) ?? ['water'];
  return Array.from({ length: 3 }, () => words[random.below(words.length)]).join(' ');
}

async function searches(server: RunningServer, mode: string): Promise<number[]> {
  const random = new Random(11);
  const times: number[] = [];
  for (let i = 0; i < queries; i++) {
    const body = { queryText: queryOf(random), mode, k: 10 };
    const started = performance.now();
    await asked(server, 'POST', '/document/search', body);
    times.push(performance.now() - started);
  }
  return times;
}

console.log(machineLine());
const alone = await embeddingAlone();
console.log(`${count} documents of ${bytes} bytes, ${alone.chunks} chunks`);
const server = await startService(
  Object.entries({
    ...{ 'Ingestion:Enabled': true, 'Ingestion:MaxQueueLength': count, 'Ingestion:MaxChunksPerNamespace': 10_000_000 },
    ...{ 'Ingestion:ChunkMinChars': minChars, 'Ingestion:ChunkMaxChars': maxChars },
    ...{ 'Security:SensitiveRateLimitPermitPerWindow': 1_000_000_000, 'Log:Level': 'error' },
    ...{ 'Embedding:Enabled': true, 'Embedding:ModelName': 'words', 'Embedding:Dimension': 100 },
    ...{ 'Embedding:Onnx:ModelPath': model.modelPath, 'Embedding:Onnx:VocabPath': model.vocabPath },
    'Embedding:Onnx:MaxTokens': model.maxTokens,
  }).map(([key, value]) => `--Service:${key}=${value}`),
);
try {
  await asked(server, 'POST', '/document/binding/ensure');
  await asked(server, 'PUT', '/vertex', { label: 'read', creationDate: 0, properties: [] });
  const idle = await reads(server);
  const started = performance.now();
  const sending = sendAll(server);
  const arriving = await reads(server);
  const last = await sending;
  const beside = reads(server);
  await indexed(server, last);
  const ms = performance.now() - started;
  console.log(
    table([
      ['', 'seconds', 'documents/s', '× embedding alone'],
      ['embedding alone', alone.ms / 1000, (count * 1000) / alone.ms, 1],
      ['ingestion', ms / 1000, (count * 1000) / ms, ms / alone.ms],
    ]),
  );
  console.log(target('ingestion beside embedding alone', ms / alone.ms, '<=', 2, '×'));
  const [before, during] = [percentile(idle, 0.99), percentile(await beside, 0.99)];
  console.log(
    table([
      ['GET /vertex/{id}', 'p50 ms', 'p99 ms'],
      ['idle', median(idle), before],
      ['while documents arrive', median(arriving), percentile(arriving, 0.99)],
      ['while ingesting', median(await beside), during],
    ]),
  );
  console.log(`${availableParallelism()} processors`);
  console.log(target('p99 of reads while ingesting against idle', during / before, '<=', 2, '×'));
  const modes = ['dense', 'lexical', 'fused'] as const;
  const times = new Map<string, number[]>();
  for (const mode of modes) await searches(server, mode); // warms up
  for (const mode of modes) times.set(mode, await searches(server, mode));
  const of = (mode: string): readonly number[] => times.get(mode) ?? [];
  console.log(
    table([
      [`search over ${alone.chunks} chunks`, 'p50 ms', 'p99 ms'],
      ...modes.map((mode): [string, number, number] => [mode, median(of(mode)), percentile(of(mode), 0.99)]),
    ]),
  );
  const more = median(of('fused')) - median(of('dense'));
  console.log(target('fused search beyond the dense one, p50', more, '<=', 15, 'ms'));
} finally {
  await server.stop();
}

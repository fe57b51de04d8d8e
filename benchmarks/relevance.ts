// How well document search finds what is meant: WordNet's glosses as chunks, the synonyms of a set as the query, and its gloss as the one right
// answer. By meaning, by words with either scorer, and fused, each with recall@10 and nDCG@10 (Järvelin and Kekäläinen, 2002). With one right
// answer a query, the first is the share of queries that have it among ten, and the second counts it by its rank, 1 / log2(rank + 1).
//
//   npm run bench -- relevance [--glosses 20000] [--queries 500] [--seed 1]

import { readGlosses, wordsModel } from './lib/glosses.ts';
import { Random } from './lib/graphs.ts';
import { machineLine, setting, table } from './lib/measure.ts';
import { type RunningServer, startService } from './lib/servers.ts';

const count = setting('glosses', 20_000);
const queries = setting('queries', 500);
const seed = setting('seed', 1);
const k = 10;
const sectionsOfDocument = 1000;

const random = new Random(seed);
const all = readGlosses();
const glosses = Array.from({ length: Math.min(count, all.length) }, (_, i) => {
  const other = i + random.below(all.length - i);
  [all[i], all[other]] = [all[other] as (typeof all)[0], all[i] as (typeof all)[0]];
  return all[i] as (typeof all)[0];
});

interface Hits {
  readonly hits: readonly { readonly headingPath: string }[];
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

/** A service in which each gloss is a chunk; its heading is the number of the gloss, which no query has in it. */
async function filled(lexicalScorer: string): Promise<RunningServer> {
  const server = await startService(
    Object.entries({
      ...{ 'Ingestion:Enabled': true, 'Ingestion:LexicalScorer': lexicalScorer, 'Ingestion:ChunkMinChars': 1 },
      ...{ 'Ingestion:MaxChunksPerDocument': sectionsOfDocument, 'Ingestion:MaxChunksPerNamespace': 1_000_000 },
      ...{ 'Embedding:Enabled': true, 'Embedding:ModelName': 'words', 'Embedding:Dimension': wordsModel.dimension },
      ...{ 'Embedding:Onnx:ModelPath': wordsModel.modelPath, 'Embedding:Onnx:VocabPath': wordsModel.vocabPath },
      ...{ 'Embedding:Onnx:MaxTokens': wordsModel.maxTokens, 'Durability:Volatile': true, 'Log:Level': 'error' },
      'Security:SensitiveRateLimitPermitPerWindow': 1_000_000_000,
    }).map(([key, value]) => `--Service:${key}=${value}`),
  );
  await asked(server, 'POST', '/document/binding/ensure');
  for (let from = 0; from < glosses.length; from += sectionsOfDocument) {
    const sections = glosses.slice(from, from + sectionsOfDocument).map(({ text }, i) => `# ${from + i}\n\n${text}`);
    const body = { name: `glosses ${from}`, text: sections.join('\n\n') };
    const { documentId } = (await asked(server, 'POST', '/document/text', body)) as { documentId: number };
    for (let status = 'processing'; status !== 'indexed'; ) {
      if (status === 'failed') throw new Error(`Document ${documentId} failed.`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      ({ status } = (
        (await asked(server, 'GET', `/document/${documentId}`)) as { summary: { status: string } }
      ).summary);
    }
  }
  return server;
}

async function measured(server: RunningServer, mode: string): Promise<readonly [recall: number, gain: number]> {
  let [found, gain] = [0, 0];
  for (let i = 0; i < queries; i++) {
    const wanted = Math.floor((i * glosses.length) / queries);
    const body = { queryText: glosses[wanted]?.words.join(' '), mode, k };
    const { hits } = (await asked(server, 'POST', '/document/search', body)) as Hits;
    const rank = 1 + hits.findIndex(({ headingPath }) => headingPath === String(wanted));
    if (rank === 0) continue;
    found++;
    gain += 1 / Math.log2(rank + 1);
  }
  return [found / queries, gain / queries];
}

console.log(machineLine());
console.log(`${glosses.length} glosses, ${queries} queries, seed ${seed}`);
const rows: (string | number)[][] = [['search', 'recall@10', 'nDCG@10']];
for (const [scorer, modes] of [
  ['contract', ['dense', 'lexical', 'fused']],
  ['bm25', ['lexical', 'fused']],
] as const) {
  const server = await filled(scorer);
  try {
    for (const mode of modes) {
      const [recall, gain] = await measured(server, mode);
      rows.push([mode === 'dense' ? mode : `${mode}, ${scorer}`, recall.toFixed(3), gain.toFixed(3)]);
    }
  } finally {
    await server.stop();
  }
}
console.log(table(rows));

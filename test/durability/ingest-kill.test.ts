// Real processes that kill themselves at each write of an ingestion, before it and behind it, on real files: what the next one finds has
// documents that are whole or failed, and no chunk, edge, embedding or entry of an index beside them. A few places with the suite, all of them with
// `npm run soak:ingest` (INGEST_KILLS=all). The seed (ARCWISE_SEED) is printed.

// @module-tag long

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { randomFrom } from './choices.ts';

const places = 4;
const seed = Number(process.env.ARCWISE_SEED ?? 20261127);
const entry = fileURLToPath(new URL('./ingest-dying.mjs', import.meta.url));
const directory = await mkdtemp(join(tmpdir(), 'arcwise-ingest-'));

/** Vectors of lengths and spaces, and a language service that finds the last word of each text. */
const services = createServer((request, response) => {
  let text = '';
  request.on('data', (block) => {
    text += block;
  });
  request.on('end', () => {
    const body = JSON.parse(text || '{}');
    const answer = request.url?.endsWith('/embeddings')
      ? {
          data: body.input.map((one: string, index: number) => ({
            index,
            embedding: [one.length, one.split(' ').length],
          })),
        }
      : {
          items: (body.items ?? []).map(({ id, text: chunk }: { id: string; text: string }) => {
            const name = chunk.split(' ').at(-1);
            return { id, entities: [{ text: name, label: 'WORD', start: 0, end: 1 }], keyTerms: [name] };
          }),
        };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
});
await new Promise<void>((resolve) => services.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(services.address() as AddressInfo).port}`;
const settings = {
  ...{ 'Ingestion:Enabled': true, 'Ingestion:ChunkMinChars': 1, 'Ingestion:ChunkMaxChars': 40 },
  ...{ 'Embedding:Enabled': true, 'Embedding:Backend': 'OpenAI', 'Embedding:OpenAI:Endpoint': origin },
  ...{ 'Embedding:OpenAI:Model': 'm', 'Embedding:OpenAI:ApiKey': 'k', 'Embedding:ModelName': 'm' },
  ...{ 'Embedding:Dimension': 2, 'Embedding:IntendedMetric': 'DotProduct', 'Log:Level': 'error' },
  ...{ 'Nlp:Enabled': true, 'Nlp:Endpoint': origin, 'Security:SensitiveRateLimitPermitPerWindow': 1_000_000 },
};

afterAll(async () => {
  services.closeAllConnections();
  services.close();
  await rm(directory, { recursive: true, force: true });
});

interface Found {
  readonly documents: readonly {
    readonly name: string;
    readonly status: string;
    readonly error: string | null;
    readonly chunkCount: number;
    readonly embedded: boolean;
  }[];
  readonly reads: readonly (readonly number[])[];
  readonly vertexCount: number;
  readonly edgeCount: number;
  readonly mentions: number;
  readonly entities: number;
  readonly sizes: Readonly<Record<string, number>>;
}

interface Life {
  readonly found: Found | null;
  readonly writes: number | null;
  readonly signal: NodeJS.Signals | null;
}

async function live(last: number, when: 'before' | 'behind'): Promise<Life> {
  const child = spawn(process.execPath, [entry, directory, String(last), when, JSON.stringify(settings)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (part: Buffer) => {
    text += part;
  });
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.once('close', (...ended) => resolve(ended));
  });
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`The process ended with ${code ?? signal}: ${text}`);
  const told = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return {
    found: told.find((one) => one.found)?.found ?? null,
    writes: told.find((one) => one.writes)?.writes ?? null,
    signal,
  };
}

/** Names of what is indexed; everything there is belongs to it. */
function checked({ documents, reads, vertexCount, edgeCount, mentions, entities, sizes }: Found): string[] {
  const indexed = documents.filter(({ status }) => status === 'indexed');
  for (const { status, error } of documents) {
    if (status !== 'indexed') expect([status, error]).toEqual(['failed', 'interrupted']);
  }
  let [chunks, embedded] = [0, 0];
  for (const [i, document] of documents.entries()) {
    if (document.status !== 'indexed') {
      expect(reads[i]).toEqual([]);
      continue;
    }
    expect(reads[i]).toEqual(Array.from({ length: document.chunkCount }, (_, order) => order));
    chunks += document.chunkCount;
    if (document.embedded) embedded += document.chunkCount;
  }
  expect({ vertexCount, edgeCount }).toEqual({
    vertexCount: documents.length + chunks + entities,
    edgeCount: 2 * chunks - indexed.length + mentions,
  });
  if (sizes['documents-text'] !== undefined) {
    expect(sizes).toMatchObject({ 'documents-text': chunks, documents: embedded, 'documents-entities': entities });
  }
  return indexed.map(({ name }) => name).sort();
}

test('a kill at any write of an ingestion leaves whole documents and nothing beside them', async () => {
  const whole = await live(Number.MAX_SAFE_INTEGER, 'before');
  const writes = whole.writes ?? 0;
  expect(writes).toBeGreaterThan(15);
  const all = Array.from({ length: writes }, (_, i) => i + 1);
  const random = randomFrom(seed);
  const step = Math.ceil(writes / places);
  const offset = Math.floor(random() * step);
  const some = process.env.INGEST_KILLS === 'all' ? all : all.filter((at) => at % step === offset);
  console.log(`ingestion of ${writes} writes, killed at ${some.length} of them (ARCWISE_SEED=${seed})`);
  const seen = new Set<string>();
  let before: Life = whole;
  const look = (life: Life): void => {
    const names = checked(life.found as Found);
    if (before === whole) expect(names).toEqual(['second', 'third']);
    else seen.add(names.join());
    before = life;
  };
  for (const [i, at] of some.entries()) {
    const modes =
      process.env.INGEST_KILLS === 'all'
        ? (['before', 'behind'] as const)
        : ([i % 2 === 0 ? 'before' : 'behind'] as const);
    for (const when of modes) {
      const life = await live(at, when);
      expect(life.signal, `killed ${when} write ${at}`).toBe(at === writes && when === 'before' ? null : 'SIGKILL');
      look(life);
    }
  }
  look(await live(0, 'before'));
  for (const names of seen) expect(['', 'first', 'second', 'second,third']).toContain(names);
});

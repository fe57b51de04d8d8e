// Texts for the shipped model at the limits of the contract: 8,192 UTF-16 units, 64 texts, one bad one among them, more tokens than the model
// takes, half of a pair. What is refused writes nothing.

// @module-tag long

import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ggufPackage } from '../../runtime-node/models/messages.ts';
import { at } from '../../scripts/lib/freshness.mjs';
import type { Answer } from './support/client.ts';
import { createVertices, expectJson, expectProblem } from './support/requests.ts';
import { startService, type TestService } from './support/service.ts';

const unavailable = 'Embedding provider unavailable';
const maxTokens = 512;
const shared = {
  ...{ 'Embedding:Enabled': true, 'Embedding:ModelName': 'words', 'Embedding:Dimension': 100 },
  ...{ 'Security:SensitiveRateLimitPermitPerWindow': 100_000, 'Durability:Volatile': true, 'Log:Level': 'error' },
};
const batch = 64;
const longest = '\u{1f600}'.repeat(4096);

let service: TestService;
const post = (path: string, body: unknown): Promise<Answer> => service.call('POST', path, { json: body });

beforeAll(async () => {
  service = await startService({
    ...shared,
    'Embedding:Onnx:ModelPath': at('models/words.onnx'),
    'Embedding:Onnx:VocabPath': at('models/words.vocab.txt'),
    'Embedding:Onnx:MaxTokens': maxTokens,
  });
  await createVertices(service, Array(batch).fill({}));
});
afterAll(() => service.stop());

const items = (texts: readonly string[]) => texts.map((text, graphElementId) => ({ graphElementId, text }));
const good = Array.from({ length: batch }, (_, i) => `a ship sails over sea ${i}`);
const withOne = (text: string): string[] => good.with(batch - 1, text);

async function vectorsOf(texts: readonly string[]): Promise<readonly (readonly number[])[]> {
  return (expectJson(await post('/embedding/text', { texts })) as { vectors: number[][] }).vectors;
}

async function embeddedElements(): Promise<number> {
  const all = await Promise.all(good.map((_, id) => service.call('GET', `/graphelement/${id}/embedding/default`)));
  return all.filter(({ status }) => status === 200).length;
}

test('a text of 8,192 units of one emoji has a vector, and one unit more is refused', async () => {
  expect(longest.length).toBe(8192);
  const [vector] = await vectorsOf([longest]);
  expect(vector?.length).toBe(100);
  expect(vector?.every(Number.isFinite)).toBe(true);
  expectProblem(await post('/embedding/text', { texts: [`${longest}a`] }), 400);
  expect(await vectorsOf(Array(63).fill(longest))).toHaveLength(63);
  // 64 of them are 1 MiB, and the body's other characters come on top.
  expectProblem(await post('/embedding/text', { texts: Array(batch).fill(longest) }), 413);
});

test('halves of pairs, marks of the tokenizer and control characters are texts', async () => {
  const texts = ['\ud83d', 'a \udc00 b', '[SEP] [CLS]', 'a\u0000b', '\u202e\u200b'];
  expect(await vectorsOf(texts)).toHaveLength(texts.length);
});

test('one bad item of 64 keeps all of them from being written', async () => {
  const many = 'ship '.repeat(maxTokens);
  for (const [bad, status] of [
    [items(withOne(' ')), 400],
    [items(withOne(`${longest}a`)), 400],
    [items(good).with(batch - 1, { graphElementId: 1_000_000, text: 'a' }), 404],
    [items(withOne(many)), 503],
    [items([...good, 'one more']), 400],
  ] as const) {
    const problem = expectProblem(await post('/embedding/elements', { items: bad }), status);
    if (status === 503)
      expect(problem).toMatchObject({ title: unavailable, detail: expect.stringMatching(/Text 63.*512/) });
    expect(await embeddedElements()).toBe(0);
  }
  expect(expectJson(await post('/embedding/elements', { items: items(good) }))).toBe(true);
  expect(await embeddedElements()).toBe(batch);
});

test('a GGUF model without its runtime is 503 with the name of what is missing', async () => {
  try {
    createRequire(import.meta.url).resolve(ggufPackage);
    return; // installed here, and run in gguf-models.test.ts
  } catch {}
  const other = await startService({
    ...{ ...shared, 'Embedding:Backend': 'LLamaSharp', 'Embedding:LLamaSharp:ModelPath': at('models/words.onnx') },
  });
  try {
    const answer = await other.call('POST', '/embedding/text', { json: { texts: ['a'] } });
    expect(expectProblem(answer, 503, unavailable).detail).toContain(ggufPackage);
    expect((await other.call('GET', '/status')).json.embedding).toMatchObject({ backend: 'LLamaSharp', loaded: false });
  } finally {
    await other.stop();
  }
});

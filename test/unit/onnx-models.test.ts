// Models in the ONNX format on a thread of their own: what their files may be, what they are fed with and what becomes of their output. Models
// are written here, operator by operator; the shipped one is measured by what its vectors mean.

// @module-tag long

import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { localModels } from '../../runtime-node/models/model-thread.ts';
import { at } from '../../scripts/lib/freshness.mjs';
import { model, node, tensor, value } from '../../scripts/lib/onnx-file.mjs';
import { Deadline } from '../../src/providers/deadline.ts';
import type { OnnxOptions } from '../../src/providers/embedding/backends.ts';
import type { EmbeddingBackend } from '../../src/providers/embedding/types.ts';

const folder = mkdtempSync(join(tmpdir(), 'arcwise-onnx-'));
const entries = pathToFileURL(at('dist/runtime-node/models/'));
const models = localModels(0, { entries });
const opened: EmbeddingBackend[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close?.();
});
afterAll(() => rmSync(folder, { recursive: true }));

const vocabPath = join(folder, 'vocab.txt');
writeFileSync(vocabPath, '[PAD]\n[UNK]\n[CLS]\n[SEP]\nred\nblue\n##s\n[\nsep\n]\n');

const deadline = (seconds = 60, signal = new AbortController().signal): Deadline =>
  new Deadline(seconds, signal, () => performance.now());

async function open(modelPath: string, options: Partial<OnnxOptions> = {}, from = models): Promise<EmbeddingBackend> {
  const given = { modelPath, vocabPath, maxTokens: 512, pooling: 'Cls', normalize: false, ...options } as const;
  const backend = await from.onnx(given);
  opened.push(backend);
  return backend;
}

interface Graph {
  readonly nodes: readonly unknown[];
  readonly tensors?: readonly unknown[];
  readonly inputs?: readonly string[];
  readonly shape: readonly (number | string)[];
  readonly opset?: number;
  /** Of its inputs: a number where the model takes so many and no others. */
  readonly texts?: number | string;
}

let files = 0;
function written({ nodes, tensors = [], inputs = ['input_ids'], shape, opset = 13, texts = 'texts' }: Graph): string {
  const path = join(folder, `${++files}.onnx`);
  const bytes = model({
    ...{ producer: 'test', name: 'test', opset, nodes, tensors },
    inputs: inputs.map((name) => value(name, 'int64', [texts, 'tokens'])),
    outputs: [value('out', 'float', shape)],
  });
  writeFileSync(path, bytes);
  return path;
}

const last = tensor('last', 'int64', [1], BigInt64Array.of(2n));
const cast = (from: string, to: string) => node('Cast', [from], [to], { to: 1 });
/** One row a token: its number and, from the mask or the types, what that says. */
const rows = (inputs: readonly string[]): Graph => ({
  inputs,
  nodes: [
    ...inputs.flatMap((name, i) => [cast(name, `f${i}`), node('Unsqueeze', [`f${i}`, 'last'], [`c${i}`])]),
    node(
      'Concat',
      inputs.map((_name, i) => `c${i}`),
      ['out'],
      { axis: 2 },
    ),
  ],
  tensors: [last],
  shape: ['texts', 'tokens', inputs.length],
});
const all = ['input_ids', 'attention_mask', 'token_type_ids'];

async function vectors(backend: EmbeddingBackend, ...texts: string[]): Promise<number[][]> {
  return (await backend.embed(texts, deadline())).map((vector) => Array.from(vector as Float32Array));
}

describe('what a model is fed with and makes', () => {
  test('exactly the inputs it declares; the first token or the mean of all', async () => {
    const path = written(rows(all));
    expect(await vectors(await open(path), 'red blues')).toEqual([[2, 1, 0]]);
    expect(await vectors(await open(path, { pooling: 'Mean' }), 'red blues', 'blue')).toEqual([
      [(2 + 4 + 5 + 6 + 3) / 5, 1, 0].map(Math.fround),
      [(2 + 5 + 3) / 3, 1, 0].map((one) => expect.closeTo(one, 5)),
    ]);
    const bare = written(rows(['input_ids']));
    expect(await vectors(await open(bare, { pooling: 'Mean', normalize: true }), 'red')).toEqual([[1]]);
  });

  test('an output that is pooled already is taken as it is', async () => {
    const path = written({ nodes: [cast('input_ids', 'out')], shape: ['texts', 'tokens'] });
    expect(await vectors(await open(path), 'red', 'Ré\u0301d green [SEP]')).toEqual([
      [2, 4, 3],
      [2, 4, 1, 7, 8, 9, 3],
    ]);
    expect(await vectors(await open(path), '\ud800 \udc00 red')).toEqual([[2, 4, 3]]);
  });

  test('a text has the vector it has alone, whatever its company in a batch', async () => {
    const texts = Array.from({ length: 30 }, (_, i) => 'red blues [SEP] '.repeat((i * 7) % 23).concat('blue'));
    const company = async (backend: EmbeddingBackend): Promise<void> => {
      const alone: number[][] = [];
      for (const text of texts) alone.push(...(await vectors(backend, text)));
      const together = await vectors(backend, ...texts);
      for (const [i, vector] of together.entries()) {
        expect(vector).toEqual(alone[i]?.map((component) => expect.closeTo(component, 5)));
      }
    };
    await company(await open(written(rows(all)), { pooling: 'Mean' }));
    await company(await open(written(rows(['input_ids'])), { pooling: 'Mean' }));
    await company(await open(written({ ...rows(all), shape: [1, 'tokens', 3], texts: 1 })));
    // The sum of what the mask leaves: padding would count.
    const masked = [node('Add', ['f0', 'one'], ['more']), node('Mul', ['more', 'f1'], ['kept'])];
    const sum = node('ReduceSum', ['kept', 'tokens'], ['out'], { keepdims: 1 });
    const nodes = [cast('input_ids', 'f0'), cast('attention_mask', 'f1'), ...masked, sum];
    const tensors = [
      tensor('one', 'float', [1], Float32Array.of(1)),
      tensor('tokens', 'int64', [1], BigInt64Array.of(1n)),
    ];
    await company(
      await open(written({ nodes, tensors, inputs: ['input_ids', 'attention_mask'], shape: ['texts', 1] })),
    );
  });

  test('a text of more tokens than the ceiling is refused by its name, whatever stands beside it', async () => {
    const path = written({ nodes: [cast('input_ids', 'out')], shape: ['texts', 'tokens'] });
    const backend = await open(path, { maxTokens: 4 });
    expect(await vectors(backend, 'red red')).toHaveLength(1);
    const refused = backend.embed(['red', 'red red red'], deadline());
    await expect(refused).rejects.toMatchObject({ reason: 'unavailable', message: /Text 1.*Onnx:MaxTokens/ });
  });

  test('another input, no input of tokens, and an output of another shape are told', async () => {
    const reason = 'misconfigured';
    const other = open(written(rows(['input_ids', 'pixel_values'])));
    await expect(other).rejects.toMatchObject({ reason, message: expect.stringContaining("'pixel_values'") });
    const none = open(written(rows(['attention_mask'])));
    await expect(none).rejects.toMatchObject({ reason, message: expect.stringContaining('input_ids') });
    const flat = written({ nodes: [cast('input_ids', 'f'), node('Squeeze', ['f'], ['out'])], shape: ['tokens'] });
    const wrong = (await open(flat)).embed(['red'], deadline());
    await expect(wrong).rejects.toMatchObject({ reason: 'badOutput', message: expect.stringContaining('[3]') });
  });
});

describe('files', () => {
  const whole = readFileSync(at('models/words.onnx'));
  const file = (name: string, bytes: Uint8Array): string => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return path;
  };

  test('a model that is truncated, of another opset, too large, a directory or missing is told by its key', async () => {
    const large = file('large.onnx', new Uint8Array());
    truncateSync(large, 3 * 2 ** 30);
    const directory = join(folder, 'directory.onnx');
    mkdirSync(directory);
    for (const path of [
      ...[file('half.onnx', whole.subarray(0, whole.length / 2)), file('empty.onnx', new Uint8Array())],
      ...[file('text.onnx', Buffer.from('no model')), large, directory, join(folder, 'missing.onnx')],
      written({ nodes: [cast('input_ids', 'out')], shape: ['texts', 'tokens'], opset: 999 }),
    ]) {
      const message = expect.stringContaining('Service:Embedding:Onnx:ModelPath');
      await expect(open(path)).rejects.toMatchObject({ reason: 'misconfigured', message });
    }
  });

  test('a vocabulary that is missing, or no vocabulary, is told by its key', async () => {
    for (const path of [join(folder, 'missing.txt'), folder, file('words.txt', Buffer.from('red\nblue\n'))]) {
      const message = expect.stringContaining('Service:Embedding:Onnx:VocabPath');
      const refused = open(at('models/words.onnx'), { vocabPath: path });
      await expect(refused).rejects.toMatchObject({ reason: 'misconfigured', message });
    }
  });
});

describe.each(['thread', 'process'] as const)('the %s of a model', (kind) => {
  const carried = localModels(0, { entries, kind });
  /** Tokens² sums, again and again: nothing for three tokens, many seconds for hundreds. */
  function slow(): string {
    const squares = Array.from({ length: 300 }, (_, i) => node('MatMul', [`s${i}`, `s${i}`], [`s${i + 1}`]));
    const nodes = [
      ...[cast('input_ids', 'f'), node('Mul', ['f', 'zero'], ['row']), node('Transpose', ['row'], ['column'])],
      ...[node('MatMul', ['column', 'row'], ['s0']), ...squares],
      ...[node('ReduceMean', ['s300'], ['mean'], { keepdims: 1 }), node('Add', ['mean', 'one'], ['out'])],
    ];
    const tensors = [
      tensor('zero', 'float', [1], Float32Array.of(0)),
      tensor('one', 'float', [1, 1], Float32Array.of(1)),
    ];
    return written({ nodes, tensors, shape: [1, 1] });
  }

  test('is ended when a deadline passes, and the next text gets another', async () => {
    const backend = await open(slow(), {}, carried);
    const late = backend.embed(['red '.repeat(400)], deadline(0.2));
    const behind = backend.embed(['blue'], deadline());
    await expect(late).rejects.toMatchObject({ reason: 'timedOut' });
    await expect(behind).rejects.toMatchObject({ reason: 'unavailable' });
    expect(await vectors(backend, 'red')).toEqual([[1]]);
  });

  test('computes no further for a caller who has gone', async () => {
    const backend = await open(slow(), {}, carried);
    const leave = new AbortController();
    const asked = backend.embed(Array(1000).fill('red '.repeat(100)), deadline(60, leave.signal));
    leave.abort(new Error('gone'));
    await expect(asked).rejects.toThrow('gone');
    expect(await vectors(backend, 'red')).toEqual([[1]]);
  });

  test('tells what is no model', async () => {
    await expect(open(folder, {}, carried)).rejects.toMatchObject({ reason: 'misconfigured' });
  });
});

test('the shipped model puts related sentences above unrelated ones', async () => {
  const backend = await open(at('models/words.onnx'), { vocabPath: at('models/words.vocab.txt') });
  const pairs = [
    ['A ship sails across the sea.', 'A boat on the ocean waves.'],
    ['The doctor treats sick patients in the hospital.', 'A physician who heals illness.'],
    ['The bank lends money to customers.', 'An institution that gives loans and credit.'],
    ['A small dog barks loudly.', 'The cat and the wolf are animals.'],
  ] as const;
  const made = await vectors(backend, ...pairs.flat());
  const score = (a: number, b: number) => (made[a] as number[]).reduce((sum, x, i) => sum + x * (made[b]?.[i] ?? 0), 0);
  for (const [i] of pairs.entries()) {
    const related = score(2 * i, 2 * i + 1);
    for (let other = 0; other < made.length; other++) {
      if (other >> 1 !== i) expect(related).toBeGreaterThan(score(2 * i, other) + 0.1);
    }
  }
  // A text of unknown words has a direction of its own, which is near to none.
  made.push(...(await vectors(backend, 'xyzzy')));
  expect(score(8, 8)).toBeCloseTo(1);
  for (let other = 0; other < 8; other++) expect(Math.abs(score(8, other))).toBeLessThan(0.4);
});

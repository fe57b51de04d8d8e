// Models in the GGUF format in a process of their own: what their files may be, and what becomes of texts that are too long, of a runtime that
// hangs and of one that dies. A scripted runtime stands in for llama.cpp, which is no dependency; where it is installed, or LLAMA_NODE names a
// folder it is installed in, it computes a model that is written here.

import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { ggufPackage } from '../../runtime-node/models/messages.ts';
import { localModels } from '../../runtime-node/models/model-thread.ts';
import { at } from '../../scripts/lib/freshness.mjs';
import { Deadline } from '../../src/providers/deadline.ts';
import type { EmbeddingBackend } from '../../src/providers/embedding/types.ts';
import { ggufModel } from './gguf-writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'arcwise-gguf-'));
const entries = pathToFileURL(at('dist/runtime-node/models/'));
const opened: EmbeddingBackend[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close?.();
});
afterAll(() => rmSync(folder, { recursive: true }));

const deadline = (seconds = 60, signal = new AbortController().signal): Deadline =>
  new Deadline(seconds, signal, () => performance.now());

async function open(modelPath: string, runtime: string | null): Promise<EmbeddingBackend> {
  const backend = await localModels(0, { entries, ggufRuntime: () => runtime }).gguf({ modelPath });
  opened.push(backend);
  return backend;
}

function file(name: string, bytes: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

const axis = (i: number): number[] => Array.from({ length: 16 }, (_, d) => (d === i ? 1 : d === i + 1 ? 0.5 : 0));
/** Three words of animals, three of machines, and some that say nothing. */
const words = {
  dog: [...axis(0)].map((one, d) => one + (d === 9 ? 0.2 : 0)),
  ...{ puppy: axis(0), cat: [...axis(0)].map((one, d) => one + (d === 7 ? 0.3 : 0)) },
  ...{ car: axis(4), truck: [...axis(4)].map((one, d) => one + (d === 9 ? 0.2 : 0)), engine: axis(5) },
  ...{ the: axis(12), runs: axis(10), garden: axis(14) },
};
const contextTokens = 64;
const whole = ggufModel({ words, contextTokens });
const wordsPath = file('words.gguf', whole);

/** A runtime whose vectors are the length of a text and how many came before it. */
const scripted = file(
  'runtime.cjs',
  `let texts = 0;
module.exports = {
  loadModel: async (given) => {
    if (given.model.includes('unloved')) throw new Error('unable to load model\\nmore of it');
    if (given.model.includes('deadly')) process.kill(process.pid, 'SIGSEGV');
    return {
      tokenize: async (text) => ({ tokens: new Int32Array(text.split(' ').length) }),
      parallel: {
        enable: async () => true,
        embedding: async (text) => {
          if (text === 'die') process.kill(process.pid, 'SIGSEGV');
          while (text === 'hang');
          return { promise: Promise.resolve({ embedding: [text.length, texts++, given.n_ctx, given.n_threads] }) };
        },
      },
    };
  },
};`,
);

describe('the process of a GGUF model', () => {
  test('is told to be missing with the name of what is missing', async () => {
    const message = expect.stringMatching(/Service:Embedding:Backend.*@fugood\/llama\.node.*not installed/);
    await expect(open(wordsPath, null)).rejects.toMatchObject({ reason: 'misconfigured', message });
  });

  test('answers a vector a text in their order, with the room that the model has', async () => {
    const backend = await open(wordsPath, scripted);
    const made = await backend.embed(['a', 'bbb', 'cc'], deadline());
    expect(made.map((one) => [...Array.from(one)])).toEqual([
      [1, 0, contextTokens, 1],
      [3, 1, contextTokens, 1],
      [2, 2, contextTokens, 1],
    ]);
  });

  test('refuses a text of more tokens than the model takes by that number, and computes none of its batch', async () => {
    const backend = await open(wordsPath, scripted);
    const fits = 'dog '.repeat(contextTokens - 3).trim();
    await backend.embed([fits, `${fits} dog`], deadline());
    const refused = backend.embed(['dog', `${fits} dog dog`], deadline());
    const message = expect.stringMatching(/^Text 1 has 65 tokens.*Service:Embedding:LLamaSharp:ModelPath takes 64\.$/);
    await expect(refused).rejects.toMatchObject({ reason: 'unavailable', message });
    const [next] = await backend.embed(['dog'], deadline());
    expect(Array.from(next ?? [])[1]).toBe(2);
  });

  test('is ended when a deadline passes or it dies, and the next text gets another', async () => {
    const backend = await open(wordsPath, scripted);
    await expect(backend.embed(['hang'], deadline(0.3))).rejects.toMatchObject({ reason: 'timedOut' });
    expect((await backend.embed(['dog'], deadline())).length).toBe(1);
    const died = { reason: 'unavailable', message: 'The thread of the model ended by itself.' };
    await expect(backend.embed(['die'], deadline())).rejects.toMatchObject(died);
    expect((await backend.embed(['dog'], deadline())).length).toBe(1);
  });

  test('computes no further for a caller who has gone', async () => {
    const backend = await open(wordsPath, scripted);
    const leave = new AbortController();
    const asked = backend.embed(Array(100_000).fill('dog'), deadline(60, leave.signal));
    leave.abort(new Error('gone'));
    await expect(asked).rejects.toThrow('gone');
    const [next] = await backend.embed(['dog'], deadline());
    expect(Array.from(next ?? [])[1]).toBeLessThan(100_000);
  });

  test('tells what is no model, by the setting that names it', async () => {
    const directory = join(folder, 'folder.gguf');
    mkdirSync(directory);
    const huge = file('huge.gguf', 'GGUF');
    truncateSync(huge, 3 * 2 ** 30);
    const hostile = Buffer.concat([whole.subarray(0, 8), Buffer.alloc(16, 0xff)]);
    const endless = Buffer.concat([whole.subarray(0, 24), Buffer.from('ffffffffff7f0000', 'hex')]);
    for (const [path, what] of [
      [directory, 'is no file'],
      [join(folder, 'missing.gguf'), 'ENOENT'],
      [file('empty.gguf', ''), 'stops short'],
      [file('text.gguf', 'no model, but long enough to look into'), 'does not begin'],
      [file('head.gguf', whole.subarray(0, 700)), 'stops short'],
      [file('half.gguf', whole.subarray(0, whole.byteLength >> 1)), 'stops short'],
      [file('newer.gguf', ggufModel({ words, contextTokens, version: 99 })), 'version 99'],
      [file('hostile.gguf', hostile), 'a length that no file has'],
      [file('endless.gguf', endless), 'stops short'],
      [huge, 'version 0'],
      [file('unloved.gguf', whole), 'unable to load model.'],
    ] as const) {
      const message = expect.stringMatching(
        new RegExp(`Service:Embedding:LLamaSharp:ModelPath names '${path.replaceAll('.', '\\.')}'.*${what}`),
      );
      await expect(open(path, scripted), path).rejects.toMatchObject({ reason: 'misconfigured', message });
    }
  });

  test('tells a model that ends its runtime', async () => {
    const path = file('deadly.gguf', whole);
    const message = `The model of '${path}' ended its runtime while it was loaded.`;
    await expect(open(path, scripted)).rejects.toMatchObject({ reason: 'unavailable', message });
  });
});

function installed(): string | null {
  const folders = [process.env.LLAMA_NODE ?? at('.'), at('.')];
  for (const one of folders) {
    try {
      return createRequire(join(one, 'here.js')).resolve(ggufPackage);
    } catch {}
  }
  return null;
}

const real = installed();
describe.skipIf(real === null)(`llama.cpp${real === null ? ` (${ggufPackage} is not installed)` : ''}`, () => {
  const score = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
    Array.from(a).reduce((sum, one, i) => sum + one * (b[i] ?? 0), 0);

  test('puts related words above unrelated ones, whatever it computed before', async () => {
    const backend = await open(wordsPath, real);
    const [dog, puppy, truck] = await backend.embed(['The dog runs', 'the puppy runs', 'the truck runs'], deadline());
    expect(score(dog ?? [], dog ?? [])).toBeCloseTo(1, 5);
    expect(score(dog ?? [], puppy ?? [])).toBeGreaterThan(score(dog ?? [], truck ?? []) + 0.05);
    const again = await backend.embed(['car engine garden', 'The dog runs', 'The dog runs', 'dog'], deadline());
    for (const one of [again[1], again[2]]) expect(score(one ?? [], dog ?? [])).toBeCloseTo(1, 5);
  });

  test('takes a batch of 64, a text as long as there is room for, and words it does not know', async () => {
    const backend = await open(wordsPath, real);
    const fits = 'dog '.repeat(contextTokens - 2);
    const texts = ['', '\u{1f600}'.repeat(20), fits, ...Array(61).fill('the cat')];
    const made = await backend.embed(texts, deadline());
    for (const one of made) expect(score(one, one)).toBeCloseTo(1, 5);
    const message = expect.stringContaining('takes 64');
    await expect(backend.embed([`${fits} dog`], deadline())).rejects.toMatchObject({ message });
  });

  test('tells a file that it cannot load', async () => {
    const broken = Buffer.from(whole);
    broken.write('blk.9', broken.indexOf('blk.0'));
    await expect(open(file('broken.gguf', broken), real)).rejects.toMatchObject({ name: 'ProviderFailed' });
  });
});

// Interning against a JavaScript Map.

import { describe, expect, it } from 'vitest';
import {
  BUILDS,
  type Build,
  createMemory,
  NONE,
  PAGE,
  randomFrom,
  SCRATCH,
  STRINGS,
  unsigned,
} from './memory-module.ts';
import { startReader } from './memory-threads.ts';

const HEADER = 16;
const RESERVED = 0x40000000;
const ASCII = 0x80000000;

function createTable(build: Build, limit = 4096) {
  const world = createMemory(build, limit);
  const { core } = world;
  expect(core.internInit!()).toBe(1);
  const scratch = unsigned(core.allocate!(0, SCRATCH, PAGE));
  const bytes = world.bytes();
  const words = world.words();
  const encoder = new TextEncoder();
  const put = (text: string): number => {
    const encoded = encoder.encode(text);
    bytes.set(encoded, scratch);
    return encoded.length;
  };
  return {
    ...world,
    scratch,
    intern: (text: string) => core.intern!(scratch, put(text)),
    find: (text: string) => core.internFind!(scratch, put(text)),
    record: (id: number) => {
      const at = unsigned(core.internAddress!(id));
      const [length, info, hash, ownId] = words.subarray(at / 4, at / 4 + 4);
      const text = Buffer.from(bytes.slice(at + HEADER, at + HEADER + length!)).toString('utf8');
      return { text, info: info!, hash: hash!, ownId: ownId! };
    },
  };
}

describe.each(BUILDS)('intern table (%s)', (build) => {
  it('gives each text one id, in order', () => {
    const table = createTable(build);
    const texts = ['', 'a', 'label', 'Ünïcode', '漢字', '😀', 'a\0b', 'label ', 'x'.repeat(5000)];
    expect(texts.map(table.intern)).toEqual(texts.map((_, index) => index));
    expect(texts.map(table.intern)).toEqual(texts.map((_, index) => index));
    expect(texts.map(table.find)).toEqual(texts.map((_, index) => index));
    expect(table.find('absent')).toBe(NONE);
    expect(table.core.internCount!()).toBe(texts.length);
    for (const [id, text] of texts.entries()) {
      const { info, ...record } = table.record(id);
      expect(record).toMatchObject({ text, ownId: id });
      expect(info & 0x3fffffff).toBe(text.length);
      expect(info >>> 31).toBe(/^[\x00-\x7f]*$/.test(text) ? 1 : 0);
    }
  });

  it('marks the reserved keys', () => {
    const table = createTable(build);
    const cases: [string, boolean][] = [
      ['$embedding:', true],
      ['$embedding:name', true],
      ['$embeddingModel:', true],
      ['$embeddingModel:name', true],
      ['$embedding', false],
      ['$embeddin', false],
      ['$embeddingModel', false],
      ['$embeddingModels:', false],
      ['$embeddings:', false],
      ['embedding:name', false],
      ['$Embedding:name', false],
      ['x$embedding:', false],
      ['', false],
    ];
    for (const [text, reserved] of cases) {
      expect([text, (table.record(table.intern(text)).info & RESERVED) !== 0]).toEqual([text, reserved]);
    }
    expect(table.record(0).info).toBe((ASCII | RESERVED | 11) >>> 0);
  });

  it('agrees with a Map over 300,000 texts, collisions of the hash included', { tags: ['long'] }, () => {
    const table = createTable(build);
    const random = randomFrom(99);
    const ids = new Map<string, number>();
    const texts: string[] = [];
    for (let i = 0; i < 400_000; i++) {
      const text = `${random(300_000).toString(36)}${i % 3 === 0 ? 'é' : '/'}${random(3)}`;
      const id = table.intern(text);
      const known = ids.get(text);
      if (id !== (known ?? ids.size)) throw new Error(`${text} got ${id}`);
      if (known === undefined) {
        ids.set(text, id);
        texts.push(text);
      }
      if (i % 1000 === 0) table.core.retireAdvance!();
    }
    expect(texts.length).toBeGreaterThan(300_000);
    const hashes = new Set<number>();
    for (const [id, text] of texts.entries()) {
      const record = table.record(id);
      if (record.text !== text || table.find(text) !== id) throw new Error(`${text} is lost`);
      hashes.add(record.hash);
    }
    const shared = texts.length - hashes.size;
    expect(shared).toBeGreaterThan(0); // some texts share a hash, and were told apart all the same
    expect(shared).toBeLessThan(60); // about ten are to be expected of a good hash
  });

  it('begins anew with other ids, and gives its memory back once no reader holds an old one', () => {
    const table = createTable(build);
    const { core } = table;
    const texts = Array.from({ length: 2000 }, (_, i) => `${'x'.repeat(i % 700)}${i}`);
    const pages: number[] = [];
    for (let round = 0; round < 5; round++) {
      const first = core.internCount!();
      expect(texts.map(table.intern)).toEqual(texts.map((_, i) => first + i));
      const reader = core.readerAttach!();
      core.readerEnter!(reader);
      core.retireReserve!(1);
      core.internRenew!();
      core.retireAdvance!();
      for (const text of texts) expect(table.find(text)).toBe(NONE);
      // The reader still finds what it met, beside a string that has come since.
      expect(table.intern('new')).toBe(first + texts.length);
      for (const [i, text] of texts.entries()) expect(table.record(first + i).text).toBe(text);
      expect(table.record(first + texts.length).text).toBe('new');
      core.internTruncate!(first + texts.length);
      core.readerExit!(reader);
      core.readerDetach!(reader);
      core.retireAdvance!();
      pages.push(core.pagesUsed!());
    }
    expect(new Set(pages).size).toBe(1);
  });

  it('takes back the newest', () => {
    const table = createTable(build);
    const random = randomFrom(5);
    const model: string[] = [];
    for (let round = 0; round < 300; round++) {
      for (let i = random(60); i > 0; i--) {
        const text = `t${random(4000)}`;
        const at = model.indexOf(text);
        expect(table.intern(text)).toBe(at === -1 ? model.push(text) - 1 : at);
      }
      const keep = random(3) === 0 ? Math.max(0, model.length - random(40)) : model.length;
      const gone = model.splice(keep);
      table.core.internTruncate!(keep);
      table.core.retireAdvance!();
      for (const text of gone) expect(table.find(text)).toBe(NONE);
      expect(table.core.internCount!()).toBe(keep);
    }
    expect(model.length).toBeGreaterThan(500);
    for (const [id, text] of model.entries()) expect(table.find(text)).toBe(id);
    table.core.internTruncate!(0);
    table.core.retireAdvance!();
    for (const text of model) expect(table.find(text)).toBe(NONE);
    expect(table.intern('again')).toBe(0);
  });

  it('changes nothing when any allocation fails', () => {
    const table = createTable(build);
    let failures = 0;
    for (let i = 0; i < 1000; i++) {
      const text = `key ${i}`;
      // One to three allocations: a record, sometimes a directory, a table or a chunk of the retire queue.
      for (let nth = 3; nth >= 1; nth--) {
        const before = [table.core.internCount!(), table.core.retireAdvance!()];
        table.core.setFailAfter!(nth);
        const id = table.intern(text);
        table.core.setFailAfter!(0);
        if (id !== NONE) {
          expect(id).toBe(i);
          if (nth > 1) table.core.internTruncate!(i);
          continue;
        }
        failures++;
        expect([table.core.internCount!(), table.core.retireAdvance!()]).toEqual(before);
        expect(table.find(text)).toBe(NONE);
      }
      expect(table.intern(text)).toBe(i);
    }
    expect(failures).toBeGreaterThan(1000);
    const bytes = table.core.memoryBytes!(STRINGS);
    expect(bytes).toBeLessThan(1000 * 32 + 3 * 16384);
  });

  it('is one state of bytes: failing to begin leaves none', () => {
    const { core } = createMemory(build);
    for (let nth = 1; nth <= 3; nth++) {
      core.setFailAfter!(nth);
      expect(core.internInit!()).toBe(0);
      expect(core.memoryBytes!(STRINGS)).toBe(0);
    }
    core.setFailAfter!(0);
    expect(core.internInit!()).toBe(1);
  });

  it('serves reader threads while it grows', async () => {
    const table = createTable(build);
    const { core, memory, words } = table;
    const shared = unsigned(core.allocate!(0, SCRATCH, 4096));
    words().fill(0, shared / 4, shared / 4 + 3);
    const readers = await Promise.all(
      [1, 2].map((index) => {
        const counted = { stopAddress: shared, roundsAddress: shared + 4 * index };
        return startReader(build, memory, { job: 'keys', ...counted, scratch: shared + 1024 * index });
      }),
    );
    const rounds = (index: number): number => Atomics.load(words(), shared / 4 + index);
    for (let i = 0; i < 200_000 || Math.min(rounds(1), rounds(2)) <= 1000; i++) {
      if (table.intern(`key ${i}`) !== i) throw new Error(`key ${i}`);
      if (i % 50 === 0) core.retireAdvance!();
    }
    Atomics.store(words(), shared / 4, 1);
    for (const { bad } of await Promise.all(readers.map((reader) => reader.counts))) expect(bad).toBe(0);
    expect(core.retireAdvance!()).toBe(0);
  });
});

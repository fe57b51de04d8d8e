// Requests of the host to transactions: every record, every refusal, sizes at which naive code breaks.

import { describe, expect, it } from 'vitest';
import { joinedBytes } from '../../src/core/joined.ts';
import {
  BUILDS,
  fromWtf8,
  InterchangeCore,
  NONE,
  type Operation,
  randomFrom,
  SCRATCH,
  wtf8,
} from './support/interchange-core.ts';

const OK = 0;
const NO_MEMORY = 2;
const BAD_VALUE = 3;
const DUPLICATE_KEY = 4;
const BAD_TRANSACTION = 6;
const [STRING, INT32, DECIMAL, ARRAY] = [1, 7, 13, 19];

type Part = number | string | Uint8Array | null;

/** Words as they are; texts with their length, padded to 4. */
const request = (...parts: Part[]): Uint8Array => requestOf(parts);

function requestOf(parts: Part[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (const part of parts) {
    if (part === null || typeof part === 'number') {
      pieces.push(new Uint8Array(Uint32Array.of(part ?? NONE).buffer));
      continue;
    }
    const bytes = typeof part === 'string' ? wtf8(part) : part;
    const padded = new Uint8Array(4 + ((bytes.length + 3) & ~3));
    new DataView(padded.buffer).setUint32(0, bytes.length, true);
    padded.set(bytes, 4);
    pieces.push(padded);
  }
  return joinedBytes(pieces);
}

const floats = (...values: number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);
const slot = (value: bigint): string => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return bytes.toString('hex');
};

describe.each(BUILDS)('transaction builder (%s)', (build) => {
  const core = new InterchangeCore(build, 8192);

  function run(bytes: Uint8Array): number {
    const at = core.call('inputEnsure', bytes.length);
    core.bytes.set(bytes, at);
    return core.call('buildRequest', at, bytes.length, 12, 12345.5);
  }

  function built(bytes: Uint8Array): Operation[] {
    expect(run(bytes)).toBe(OK);
    return core.decode(core.call('transactionBase'), core.call('transactionBytes'), 0);
  }

  it('encodes every record', () => {
    const operations = built(
      request(
        ...[1, 5, 'person', 3, 'name', STRING, 'Zoë \ud800', 'age', INT32, '-7', 'v', ARRAY, floats(1, 2, 3)],
        ...[2, 6, 70, 80, 'knows', null, 1, 'd', DECIMAL, '1.50'],
        ...[1, 7, '', 0],
        ...[3, 9, 'name', STRING, 'x'],
        ...[4, 9, 'age'],
        ...[5, 9, 1],
      ),
    );
    expect(operations.map(({ value, ...rest }) => ({ ...rest, ...(value === undefined ? {} : { value }) }))).toEqual([
      {
        ...{ operation: 1, kind: 1, id: 0, creation: 5, label: 'person', edgeType: null },
        properties: [
          ['name', STRING, 'Zoë \ud800'],
          ['age', INT32, slot(-7n)],
          ['v', ARRAY, `0c00000003000000${Buffer.from(floats(1, 2, 3)).toString('hex')}`],
        ],
      },
      {
        ...{ operation: 1, kind: 2, id: 1, creation: 6, label: null, edgeType: 'knows', source: 70, target: 80 },
        properties: [['d', DECIMAL, '9600000000000000' + '00000000' + '00000200']],
      },
      { operation: 1, kind: 1, id: 2, creation: 7, label: '', edgeType: null, properties: [] },
      { operation: 2, words: [9], key: 'name', type: STRING, value: 'x' },
      { operation: 3, words: [9], key: 'age' },
      { operation: 4, words: [9, 1, 0] },
    ]);
    const base = core.call('transactionBase');
    expect([core.view.getUint32(base + 32, true), core.view.getFloat64(base + 48, true)]).toEqual([12, 12345.5]);
    expect(built(request(6))).toEqual([{ operation: 5, words: [0, 0, 0] }]);
    expect(built(request(7))).toEqual([{ operation: 6, words: [0, 0, 0] }]);
    expect(built(new Uint8Array(0))).toEqual([]);
  });

  it('shares strings and templates', () => {
    const one = [1, 5, 'a', 1, 'k', INT32, '1'];
    const other = [1, 5, 'b', 1, 'k', INT32, '1'];
    expect(run(request(...one, ...other, ...one, ...other, ...one))).toBe(OK);
    const base = core.call('transactionBase');
    expect([8, 16, 24, 40].map((at) => core.view.getUint32(base + at, true))).toEqual([3, 2, 5, 5]);
  });

  it('names the record and property of a bad value or a key that stands twice', () => {
    const good = [1, 5, null, 0];
    const place = (): number[] => [core.call('buildErrorRecord'), core.call('buildErrorProperty')];
    expect(run(request(...good, 1, 5, null, 2, 'a', INT32, '1', 'b', INT32, 'x'))).toBe(BAD_VALUE);
    expect(place()).toEqual([1, 1]);
    expect(run(request(1, 5, null, 3, 'a', INT32, '1', 'b', INT32, '2', 'a', STRING, ''))).toBe(DUPLICATE_KEY);
    expect(place()).toEqual([0, 2]);
    expect(run(request(...good, ...good, 3, 1, 'a', INT32, ''))).toBe(BAD_VALUE);
    expect(place()).toEqual([2, NONE]);
    // The same key in two elements is no duplicate.
    expect(run(request(1, 5, null, 1, 'a', INT32, '1', 1, 5, null, 1, 'a', INT32, '2'))).toBe(OK);
  });

  it('takes 100,000 properties on one element, and finds the one that comes twice', { tags: ['long'] }, () => {
    const parts: Part[] = [1, 5, null, 100_000];
    for (let i = 0; i < 100_000; i++) parts.push(`key ${i}`, INT32, `${i}`);
    const operations = built(requestOf(parts));
    expect(operations[0]!.properties!.length).toBe(100_000);
    expect(operations[0]!.properties![99_999]).toEqual(['key 99999', INT32, slot(99_999n)]);
    parts[3] = 100_001;
    expect(run(requestOf([...parts, 'key 50000', STRING, '']))).toBe(DUPLICATE_KEY);
    expect(core.call('buildErrorProperty')).toBe(100_000);
  });

  it('takes a 10 MB string', () => {
    const text = 'é'.repeat(5 << 20);
    const operations = built(request(1, 5, null, 1, 'k', STRING, text));
    expect(operations[0]!.properties![0]![2] === text).toBe(true);
    // What such a request leaves behind is given back with the next one.
    built(request(7));
    expect(core.call('memoryBytes', SCRATCH)).toBeLessThan(40 << 20);
  });

  it('refuses every shortened or mangled request without harm', () => {
    const whole = request(
      ...[1, 5, 'person', 2, 'name', STRING, 'Zoë', 'v', ARRAY, floats(1, 2)],
      ...[2, 6, 70, 80, 'knows', 'l', 1, 'd', DECIMAL, '1.50'],
      ...[3, 9, 'name', STRING, 'x', 4, 9, 'age', 5, 9, 1],
    );
    const ends = new Set<number>();
    for (let end = 0; end < whole.length; end++) {
      const status = run(whole.subarray(0, end));
      if (status === OK) ends.add(end);
      else expect(status).toBe(BAD_TRANSACTION);
    }
    expect(ends.size).toBe(5);
    const random = randomFrom(5);
    for (let i = 0; i < 20_000; i++) {
      const bytes = whole.slice();
      new DataView(bytes.buffer).setUint32(
        4 * random(bytes.length >> 2),
        random(4) ? random(30) : random(0x7fffffff) * 2,
        true,
      );
      const status = run(bytes);
      expect([OK, NO_MEMORY, BAD_VALUE, DUPLICATE_KEY, BAD_TRANSACTION]).toContain(status);
      if (status !== OK) continue;
      try {
        core.decode(core.call('transactionBase'), core.call('transactionBytes'), 0);
      } catch (error) {
        // Text cut in the middle of a character is the host's own doing; anything else is ours.
        if (!(error instanceof TypeError)) throw error;
      }
    }
  });

  it('answers every failing allocation as a value', () => {
    const parts: Part[] = [];
    for (let i = 0; i < 200; i++)
      parts.push(1, 5, `label ${i}`, 1, `a rather long key that takes room ${i}`, STRING, 'x'.repeat(i * 9));
    const bytes = requestOf(parts);
    let refused = 0;
    for (let n = 1; n < 60; n++) {
      const fresh = new InterchangeCore(build, 256);
      const at = fresh.call('inputEnsure', bytes.length);
      fresh.bytes.set(bytes, at);
      fresh.failAfter(n);
      const status = fresh.call('buildRequest', at, bytes.length, 0, 0);
      fresh.failAfter(0);
      expect([OK, NO_MEMORY]).toContain(status);
      if (status === NO_MEMORY) refused++;
      expect(fresh.call('buildRequest', at, bytes.length, 0, 0)).toBe(OK);
      expect(fresh.decode(fresh.call('transactionBase'), fresh.call('transactionBytes'), 0).length).toBe(200);
    }
    expect(refused).toBeGreaterThan(3);
  });

  it('has a WTF-8 of its own that goes both ways', () => {
    for (const text of ['', 'a', '\ud800', '\udfff\ud800x', '😀\ud83d', 'Zoë']) expect(fromWtf8(wtf8(text))).toBe(text);
  });
});

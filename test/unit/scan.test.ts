// Property and text scans: the rules of the contract one by one, limits, ranges, and the edge sweep, in both builds.

import { describe, expect, test } from 'vitest';
import { ALL, BUILDS, instantiate, NONE, OK, ReadsCore } from './support/reads-core.ts';
import { randomFrom, TYPE, type Value, wtf8 } from './support/reads-values.ts';

const BAD_VALUE = 3;
const ARENA_TOO_SMALL = 7;
const [EQUALS, GREATER, GREATER_OR_EQUALS, LOWER, LOWER_OR_EQUALS, NOT_EQUALS] = [0, 1, 2, 3, 4, 5];

interface Scan {
  label?: string | undefined;
  kinds?: number;
  from?: number;
  to?: number;
  limit?: number;
}

function scanProperty(
  core: ReadsCore,
  key: string,
  operator: number,
  type: number,
  literal: string,
  scan: Scan = {},
): number[] | number {
  const { label, kinds = 3, from = 0, to = ALL, limit = ALL } = scan;
  const [keyAt, keyBytes, literalAt, literalBytes, labelAt, labelBytes] = core.input(key, literal, label ?? '');
  const status = core.exports.scanPropertyText(
    core.graph,
    ...[keyAt, keyBytes, operator, type, literalAt, literalBytes, labelAt, label === undefined ? NONE : labelBytes],
    ...[kinds, from, to, limit],
  );
  return status === OK ? core.ids() : -status;
}

function scanText(core: ReadsCore, term: string, scan: Scan = {}): number[] {
  const { label, kinds = 3, from = 0, to = ALL, limit = ALL } = scan;
  const [termAt, termBytes, labelAt, labelBytes] = core.input(term, label ?? '');
  const labelId = label === undefined ? NONE : core.exports.internFind(labelAt, labelBytes) >>> 0;
  if (label !== undefined && labelId === NONE) return [];
  const status = core.exports.scanText(core.graph, termAt, termBytes, labelId, kinds, from, to, limit);
  expect(status).toBe(OK);
  return core.ids();
}

const int32 = (value: number): Value => ({ type: TYPE.Int32, value: BigInt(value) });
const text = (value: string): Value => ({ type: TYPE.String, value });

describe.each(BUILDS)('%s', (build) => {
  test('comparison is typed, and only carriers match', () => {
    const core = new ReadsCore(build);
    const { model } = core;
    model.add({ properties: [['n', int32(5)]] });
    model.add({ properties: [['n', { type: TYPE.Int64, value: 5n }]] });
    model.add({ properties: [['m', int32(5)]] });
    model.add({
      properties: [
        ['a', int32(1)],
        ['n', int32(6)],
      ],
    });
    model.add({});
    model.add({ properties: [['n', text('5')]] });
    model.add({ properties: [['n', { type: TYPE.SingleArray, value: [5] }]] });
    expect(core.commit()).toBe(OK);
    expect(scanProperty(core, 'n', EQUALS, TYPE.Int32, '5')).toEqual([0]);
    expect(scanProperty(core, 'n', EQUALS, TYPE.Int64, '5')).toEqual([1]);
    expect(scanProperty(core, 'n', NOT_EQUALS, TYPE.Int32, '5')).toEqual([1, 3, 5]);
    expect(scanProperty(core, 'n', GREATER, TYPE.Int32, '5')).toEqual([3]);
    expect(scanProperty(core, 'n', GREATER_OR_EQUALS, TYPE.Int32, '5')).toEqual([0, 3]);
    expect(scanProperty(core, 'n', LOWER, TYPE.Int32, '6')).toEqual([0]);
    expect(scanProperty(core, 'n', LOWER_OR_EQUALS, TYPE.Int32, '6')).toEqual([0, 3]);
    expect(scanProperty(core, 'n', EQUALS, TYPE.String, '5')).toEqual([5]);
    expect(scanProperty(core, 'n', NOT_EQUALS, TYPE.String, '5')).toEqual([0, 1, 3]);
    expect(scanProperty(core, 'absent', NOT_EQUALS, TYPE.Int32, '5')).toEqual([]);
    for (const operator of [6, 7, 100, NONE]) expect(scanProperty(core, 'n', operator, TYPE.Int32, '5')).toEqual([]);
    expect(scanProperty(core, 'n', EQUALS, TYPE.Int32, 'five')).toBe(-BAD_VALUE);
    expect(scanProperty(core, 'absent', EQUALS, TYPE.Int32, '')).toBe(-BAD_VALUE);
  });

  test('labels, kinds, ranges and limits restrict hits', () => {
    const core = new ReadsCore(build);
    const { model } = core;
    for (let i = 0; i < 100; i++) model.add({ label: i % 3 ? 'person' : null, properties: [['n', int32(i)]] });
    for (let i = 0; i < 100; i++)
      model.add({ label: 'person', source: i, target: i, type: 'self', properties: [['n', int32(i)]] });
    expect(core.commit()).toBe(OK);
    for (let id = 0; id < 200; id += 7) model.remove(id);
    expect(core.commit()).toBe(OK);
    const literal = int32(50);
    for (const kinds of [0, 1, 2, 3]) {
      for (const label of ['person', 'Person', '', undefined]) {
        const expected = model.scan('n', LOWER, literal, label ?? null, kinds);
        expect(scanProperty(core, 'n', LOWER, TYPE.Int32, '50', { kinds, label })).toEqual(expected);
        expect(scanText(core, '4', { kinds, label })).toEqual(model.scanText('4', label ?? null, kinds));
      }
    }
    const all = model.scan('n', GREATER_OR_EQUALS, int32(0), null, 3);
    for (const [from, to] of [
      [0, 0],
      [0, 1],
      [5, 6],
      [17, 130],
      [100, 16],
      [199, ALL],
      [200, 300],
    ] as const) {
      const inside = all.filter((id) => id >= from && id < to);
      expect(scanProperty(core, 'n', GREATER_OR_EQUALS, TYPE.Int32, '0', { from, to })).toEqual(inside);
    }
    for (const limit of [0, 1, 15, 16, 17, all.length - 1, all.length, all.length + 1]) {
      expect(scanProperty(core, 'n', GREATER_OR_EQUALS, TYPE.Int32, '0', { limit })).toEqual(all.slice(0, limit));
      if (limit && limit < all.length) expect(core.exports.scanNext()).toBe((all[limit - 1] as number) + 1);
      expect(scanText(core, '', { limit })).toEqual(all.slice(0, limit));
    }
  });

  test('a reader whose output is full goes on where it stopped', () => {
    const core = new ReadsCore(build);
    for (let i = 0; i < 20000; i++) core.model.add({ properties: [['n', int32(i)]] });
    expect(core.commit()).toBe(OK);
    const reader = instantiate(build, core.memory);
    reader.arenaAttachReader(core.exports.allocate(0, 6, 65536) >>> 0, 65536);
    const [keyAt, keyBytes, literalAt, literalBytes] = core.input('n', '10');
    const found: number[] = [];
    let calls = 0;
    for (let from = 0; from < 20000; from = reader.scanNext() >>> 0) {
      const status = reader.scanPropertyText(
        core.graph,
        keyAt,
        keyBytes,
        GREATER,
        7,
        literalAt,
        literalBytes,
        0,
        NONE,
        3,
        from,
        ALL,
        ALL,
      );
      expect(status).toBe(reader.scanNext() >>> 0 < 20000 ? ARENA_TOO_SMALL : OK);
      found.push(...core.ids(reader));
      calls++;
    }
    expect(found).toEqual(Array.from({ length: 19989 }, (_, i) => i + 11));
    expect(calls).toBeGreaterThan(1);
  });

  test('many shapes share the small cache', () => {
    const core = new ReadsCore(build);
    const random = randomFrom(11);
    for (let i = 0; i < 5000; i++) {
      const others = Array.from({ length: Math.floor(random() * 20) }, (): [string, Value] => [
        `k${Math.floor(random() * 200)}`,
        int32(i),
      ]);
      core.model.add({ properties: new Map([...others, ['n', int32(i % 10)]]) });
    }
    expect(core.commit()).toBe(OK);
    expect(scanProperty(core, 'n', EQUALS, TYPE.Int32, '3')).toEqual(core.model.scan('n', EQUALS, int32(3), null, 3));
  });

  test('the text scan ignores case as .NET does and passes over what never matches', () => {
    const core = new ReadsCore(build);
    const { model } = core;
    const values = [
      'Straße',
      'STRASSE',
      'ÉCOLE',
      'école',
      'Ωmega',
      'ωMEGA',
      'İstanbul',
      'ıstanbul',
      'ſet',
      'K',
      'ﬁn',
      'a\ud800',
      '\u{10400}',
    ];
    for (const value of values) model.add({ properties: [['t', text(value)]] });
    model.add({ properties: [['t', { type: TYPE.SingleArray, value: [1.5, 2] }]] });
    model.add({
      properties: [
        ['$embedding:x', text('hidden')],
        ['$embeddingModel:x', text('hidden')],
        ['$embeddin', text('seen')],
      ],
    });
    model.add({ properties: [['t', { type: TYPE.Boolean, value: true }]] });
    model.add({ properties: [['t', { type: TYPE.Double, value: 1.5 }]] });
    model.add({ properties: [['t', { type: TYPE.DateTime, value: 621355968000000000n, kind: 1 }]] });
    expect(core.commit()).toBe(OK);
    expect(scanText(core, 'École')).toEqual([2]); // no table yet: only ASCII has case
    core.writeCaseTable();
    const terms = [
      'École',
      'ss',
      'ß',
      'ωme',
      'istanbul',
      'I',
      'i',
      'İ',
      'ı',
      's',
      'ſ',
      'K',
      'k',
      '\u212a',
      'ﬁ',
      '\ud800',
      '\udc00',
      '\ud801',
    ];
    for (const term of [...terms, '\u{10428}', '\u{10400}', '1.5', 'TRUE', 'hidden', 'SEEN', '01/01/1970', '']) {
      expect([term, scanText(core, term)]).toEqual([term, model.scanText(term, null, 3)]);
    }
  });

  test('the text scan finds a term wherever it stands', () => {
    const core = new ReadsCore(build);
    const random = randomFrom(23);
    const make = (length: number, alphabet: string): string =>
      Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
    for (let i = 0; i < 400; i++)
      core.model.add({ properties: [['t', text(make(Math.floor(random() * 70), i % 2 ? 'abAB' : 'abéÉ'))]] });
    expect(core.commit()).toBe(OK);
    core.writeCaseTable();
    for (let i = 0; i < 300; i++) {
      const term = make(1 + Math.floor(random() * (i < 200 ? 6 : 20)), i % 2 ? 'abA' : 'abÉ');
      expect([term, scanText(core, term)]).toEqual([term, core.model.scanText(term, null, 3)]);
    }
  });

  test('the sweep follows every live edge once', () => {
    const core = new ReadsCore(build);
    const random = randomFrom(5);
    for (let i = 0; i < 300; i++) core.model.add({});
    for (let i = 0; i < 3000; i++) {
      const [source, target] = [Math.floor(random() * 300), Math.floor(random() * 300)];
      core.model.add({ source, target, type: `t${Math.floor(random() * 4)}` });
    }
    expect(core.commit()).toBe(OK);
    for (let i = 0; i < 500; i++) core.model.remove(Math.floor(random() * 3300));
    expect(core.commit()).toBe(OK);
    const edges = core.model.live('edge');
    expect(core.exports.sweepOutEdges(core.graph, 0, ALL)).toBe(edges.length);
    expect(core.exports.sweepChecksum()).toBe(edges.reduce((sum, { target }) => sum + target, 0));
    const some = edges.filter(({ source }) => source >= 100 && source < 107);
    expect(core.exports.sweepOutEdges(core.graph, 100, 107)).toBe(some.length);
  });

  test('a key and a literal beyond ASCII', () => {
    const core = new ReadsCore(build);
    core.model.add({ properties: [['ключ\ud800', text('значение\udfff')]] });
    expect(core.commit()).toBe(OK);
    expect(wtf8('\ud800')).toHaveLength(3);
    expect(scanProperty(core, 'ключ\ud800', EQUALS, TYPE.String, 'значение\udfff')).toEqual([0]);
    expect(scanProperty(core, 'ключ\ud801', EQUALS, TYPE.String, 'значение\udfff')).toEqual([]);
  });
});

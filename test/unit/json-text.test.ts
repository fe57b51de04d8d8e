// The look at a body's bytes before it is parsed: pieces of a list are parsed exactly when the whole is, and each limit counts right.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonText, type TextLimits } from '../../src/http/json-text.ts';

const none = Number.POSITIVE_INFINITY;
const unlimited: TextLimits = { depth: none, values: none, itemValues: none, items: none, members: none, text: none };
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function walked(bytes: Uint8Array, limits: TextLimits, asList: boolean, pieceBytes = 1, stepBytes = 7): JsonText {
  const text = new JsonText(bytes, limits, asList, pieceBytes);
  while (!text.walk(stepBytes));
  return text;
}

/** The list that the pieces hold; undefined when it is none. */
function parsedByPieces(source: string, pieceBytes: number, stepBytes: number): unknown {
  const bytes = encoder.encode(source);
  if (!JsonText.startsList(bytes)) return undefined;
  const { flaw, pieces } = walked(bytes, unlimited, true, pieceBytes, stepBytes);
  if (flaw !== null) return undefined;
  try {
    const parsed = pieces.map(({ start, end }) => JSON.parse(`[${decoder.decode(bytes.subarray(start, end))}]`));
    return parsed.length > 1 && parsed.some((piece) => piece.length === 0) ? undefined : parsed.flat(1);
  } catch {
    return undefined;
  }
}

function parsedAsWhole(source: string): unknown {
  try {
    const value = JSON.parse(source);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const list = fc.tuple(fc.array(fc.jsonValue()), fc.constantFrom('', ' ', '\n\t'));
const sizes = { pieceBytes: fc.integer({ min: 0, max: 40 }), stepBytes: fc.integer({ min: 1, max: 50 }) };

describe('pieces of a list', () => {
  test('hold what the whole holds', () => {
    fc.assert(
      fc.property(list, sizes.pieceBytes, sizes.stepBytes, ([values, indent], pieceBytes, stepBytes) => {
        const source = JSON.stringify(values, null, indent);
        expect(parsedByPieces(source, pieceBytes, stepBytes)).toEqual(JSON.parse(source));
      }),
    );
  });

  test('are refused exactly when the whole is', () => {
    const edit = fc.record({
      at: fc.nat(),
      remove: fc.nat(2),
      insert: fc.constantFrom('', ',', '[', ']', '{', '}', '"', '\\', '0'),
    });
    fc.assert(
      fc.property(list, edit, sizes.pieceBytes, ([values, indent], { at, remove, insert }, pieceBytes) => {
        const whole = JSON.stringify(values, null, indent);
        const place = at % (whole.length + 1);
        const source = whole.slice(0, place) + insert + whole.slice(place + remove);
        expect(parsedByPieces(source, pieceBytes, 5)).toEqual(parsedAsWhole(source));
      }),
      { numRuns: 3000 },
    );
  });

  test.each([
    '[',
    '[1',
    '[1,',
    '[1,]',
    '[,1]',
    '[,]',
    '[ ,1]',
    '[1}',
    '[1]]',
    '[1] 2',
    '[[1]',
    '["]',
    '["\\"]',
    '[{]}]',
    '{}',
  ])('%s is no list', (source) => {
    for (const pieceBytes of [0, 1, 100]) expect(parsedByPieces(source, pieceBytes, 3)).toBeUndefined();
  });

  test.each(['[]', ' [ ] ', '\ufeff[1,2]', '[1 , 2]', '["],[\\"",{"a":[1,2]}]'])('%s is one', (source) => {
    const whole = JSON.parse(source.replace('\ufeff', ''));
    for (const pieceBytes of [0, 1, 100]) expect(parsedByPieces(source, pieceBytes, 3)).toEqual(whole);
  });
});

describe('limits: one below, at, one above', () => {
  const flawOf = (source: string, limits: Partial<TextLimits>, asList: boolean) =>
    walked(encoder.encode(source), { ...unlimited, ...limits }, asList).flaw;

  test('depth', () => {
    const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    for (const asList of [true, false]) {
      expect([2, 3, 4].map((levels) => flawOf(deep(levels), { depth: 3 }, asList))).toEqual([null, null, 'depth']);
    }
  });

  test('items of a list', () => {
    const long = (items: number): string => JSON.stringify(Array(items).fill([0, 0]));
    expect([2, 3, 4].map((items) => flawOf(long(items), { items: 3 }, true))).toEqual([null, null, 'items']);
    expect(flawOf(long(9), { items: 3 }, false)).toBeNull();
  });

  test('values of one item, which the next item does not add to', () => {
    const wide = (members: number): string => JSON.stringify([{}, Array(members).fill(0), [0]]);
    expect([2, 3, 4].map((members) => flawOf(wide(members), { itemValues: 3 }, true))).toEqual([
      null,
      null,
      'itemValues',
    ]);
  });

  test('values of the whole', () => {
    const many = (values: number): string => JSON.stringify(Array(values).fill(0));
    expect([2, 3, 4].map((values) => flawOf(many(values), { values: 3 }, false))).toEqual([null, null, 'values']);
    expect([2, 3, 4].map((values) => flawOf(many(values), { values: 3 }, true))).toEqual([null, null, 'values']);
  });

  test('brackets and commas of texts do not count', () => {
    expect(flawOf(JSON.stringify(['[[[[,,,,\\"[[[[,,,,']), { depth: 1, values: 1, items: 1 }, true)).toBeNull();
  });
});

describe('members and digits', () => {
  const flawOf = (source: string, members: number, asList = false) =>
    walked(encoder.encode(source), { ...unlimited, members }, asList, 1, 1 << 20).flaw;

  test('an object has as many members as the limit says, lists as many items as they like', () => {
    for (const around of [
      '{"a":1,"b":2,"c":3}',
      '[{"a":[1,1,1,1,1],"b":2,"c":{"d":1}}]',
      '[[1,2,3,4,5],{"a":1,"b":2,"c":3}]',
    ]) {
      for (const asList of [false, true]) {
        if (asList && !around.startsWith('[')) continue;
        expect(flawOf(around, 3, asList), around).toBeNull();
        expect(flawOf(around, 2, asList), around).toBe('members');
      }
    }
    expect(flawOf('{"a":",,,,,","b":1}', 2)).toBeNull();
  });

  test('a number of too many digits is none, whatever stands around it; spaces are no digits', () => {
    const digits = (count: number) => `{"a":${' '.repeat(9000)}-0.${'1'.repeat(count)} }`;
    expect(flawOf(digits(4096), 3)).toBeNull();
    expect(flawOf(digits(4097), 3)).toBe('digits');
    expect(flawOf(`{"a":"${'1'.repeat(9000)}"}`, 3)).toBeNull();
  });
});

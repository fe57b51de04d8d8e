// Type names, strings as WTF-8, JSON strings, hashes and float arrays, with JavaScript's own strings and JSON as the second opinion.

import { describe, expect, it } from 'vitest';
import {
  BUILDS,
  BULK,
  IN,
  OUT,
  openValues,
  READ,
  randomSource,
  SLOTS,
  TYPES,
  type TypeName,
  toWtf8,
} from './values-module.ts';

const ALIASES: Partial<Record<TypeName, string>> = {
  String: 'string',
  Boolean: 'bool',
  Byte: 'byte',
  SByte: 'sbyte',
  Int16: 'short',
  UInt16: 'ushort',
  Int32: 'int',
  UInt32: 'uint',
  Int64: 'long',
  UInt64: 'ulong',
  Single: 'float',
  Double: 'double',
  Decimal: 'decimal',
  Char: 'char',
  'Single[]': 'float[]',
};

/** True when every surrogate has its partner. */
const isWellFormed = (text: string) => !/\p{Surrogate}/u.test(text);

describe.each(BUILDS)('values, text (%s)', (build) => {
  const values = openValues(build);
  const { core, globals, bytes } = values;
  // The debug build is the same code with checks: it gets every fifth case of the large sweeps.
  const sweepStep = build === 'debug' ? 5 : 1;
  const typeOf = (name: string) => core.typeFromName!(IN, values.write(IN, name));

  it('every type has its full name, short name and alias, in any case', () => {
    for (const [name, type] of Object.entries(TYPES)) {
      const names = [`System.${name}`, name, ALIASES[name as TypeName] ?? name];
      for (const text of names.flatMap((each) => [each, each.toLowerCase(), each.toUpperCase()])) {
        expect(typeOf(text), text).toBe(type);
      }
      expect(values.read(OUT, core.writeTypeName!(type, OUT))).toBe(`System.${name}`);
    }
    expect(core.writeTypeName!(0, OUT)).toBe(0);
    expect(core.writeTypeName!(20, OUT)).toBe(0);
  });

  it('other names are no type', () => {
    const near = [
      '',
      'System.',
      'System',
      'Int3',
      'Int128',
      'System.int',
      'System.float[]',
      'object',
      ' Int32',
      'Int32 ',
      'Int32\0',
    ];
    const more = [
      'Single[ ]',
      'Double[]',
      'DateTimeOffse',
      'DateTimeOffsets',
      'DateTimf',
      'systemxInt32',
      'İnt32',
      'Strinq',
      'ſtring',
    ];
    for (const name of [...near, ...more]) expect(typeOf(name), name).toBe(0);
    // One letter changed, added or removed never names a type by accident.
    for (const name of Object.keys(TYPES)) {
      for (let i = 0; i < name.length; i++) {
        const known = Object.keys(TYPES).concat(Object.values(ALIASES));
        const changed = `${name.slice(0, i)}_${name.slice(i + 1)}`;
        expect(typeOf(changed)).toBe(0);
        const removed = name.slice(0, i) + name.slice(i + 1);
        if (!known.some((each) => each.toLowerCase() === removed.toLowerCase()))
          expect(typeOf(removed), removed).toBe(0);
      }
    }
  });

  const PIECES = [
    'a',
    'z',
    '\0',
    '\x7f',
    '"',
    '\\',
    '\n',
    '\x1f',
    'é',
    '\u07ff',
    '\u0800',
    '\ud7ff',
    '\ue000',
    '\uffff',
  ];
  const SURROGATES = [
    '\ud800',
    '\udbff',
    '\udc00',
    '\udfff',
    '\u{10000}',
    '\u{10ffff}',
    '\u{1f600}',
    '\ud83d',
    '\u2028',
  ];

  function randomText(random: ReturnType<typeof randomSource>, length: number, plain: number): string {
    let text = '';
    for (let i = 0; i < length; i++) {
      text +=
        random.below(100) < plain ? String.fromCharCode(97 + random.below(26)) : random.pick(...PIECES, ...SURROGATES);
    }
    return text;
  }

  it('strings are ordered by UTF-16 units, as JavaScript orders them', () => {
    const random = randomSource();
    const check = (a: string, b: string) => {
      const aBytes = values.write(IN, a);
      const bBytes = values.write(SLOTS, b);
      const expected = a < b ? -1 : a > b ? 1 : 0;
      const found = core.compareStrings!(IN, aBytes, SLOTS, bBytes);
      const equal = core.equalStrings!(IN, aBytes, SLOTS, bBytes);
      if (found !== expected || equal !== Number(a === b)) {
        throw new Error(
          `seed ${random.seed}: ${JSON.stringify(a)} against ${JSON.stringify(b)} gave ${found}, ${equal}`,
        );
      }
    };
    const small = [...PIECES, ...SURROGATES];
    for (const a of small) for (const b of small) for (const c of ['', ...small]) check(a + c, b);
    for (const a of small) for (const b of small) for (const c of small) check(a + b, a + c);
    for (let i = 0; i < 20000; i++) {
      const shared = randomText(random, random.below(40), 90);
      check(shared + randomText(random, random.below(3), 30), shared + randomText(random, random.below(3), 30));
    }
  });

  it('equal strings of every length to 80 differ in any one byte', () => {
    for (let length = 0; length <= 80; length++) {
      bytes.fill(65, IN, IN + length + 32);
      bytes.fill(65, SLOTS + 3, SLOTS + 3 + length);
      expect(core.equalStrings!(IN, length, SLOTS + 3, length)).toBe(1);
      const hash = core.hashBytes!(IN, length);
      expect(core.hashBytes!(SLOTS + 3, length)).toBe(hash);
      for (let i = 0; i < length; i++) {
        bytes[SLOTS + 3 + i] = 66;
        expect(core.equalStrings!(IN, length, SLOTS + 3, length)).toBe(0);
        expect(core.hashBytes!(SLOTS + 3, length)).not.toBe(hash);
        bytes[SLOTS + 3 + i] = 65;
      }
    }
  });

  it('hashes of near keys spread over a table', () => {
    for (const make of [
      (i: number) => `key${i}`,
      (i: number) => `v${i}x`,
      (i: number) => String.fromCharCode(i & 255, i >> 8),
    ]) {
      const buckets = new Uint32Array(4096);
      const seen = new Set<number>();
      for (let i = 0; i < 65536; i++) {
        const hash = core.hashBytes!(IN, values.write(IN, make(i))) >>> 0;
        buckets[hash & 4095]!++;
        seen.add(hash);
      }
      expect(Math.max(...buckets)).toBeLessThan(45); // 16 are expected in each
      expect(seen.size).toBeGreaterThan(65530);
    }
  });

  it('the length in UTF-16 units, ASCII and lone surrogates are found', () => {
    const random = randomSource();
    for (let i = 0; i < 20000; i++) {
      const text = randomText(random, random.below(60), random.pick(100, 95, 50));
      const length = values.write(IN, text);
      const ascii = length === text.length;
      const message = `seed ${random.seed}: ${JSON.stringify(text)}`;
      expect(core.utf16Info!(IN, length) >>> 0, message).toBe((text.length + (ascii ? 0x80000000 : 0)) >>> 0);
      expect(core.hasLoneSurrogate!(IN, length), message).toBe(isWellFormed(text) ? 0 : 1);
      expect(core.validateUtf8!(IN, length) === -1, message).toBe(isWellFormed(text));
    }
  });

  it('strict UTF-8: every sequence of one or two bytes, three and four with edge bytes', () => {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const isValid = (list: number[]) => {
      try {
        decoder.decode(Uint8Array.from(list));
        return true;
      } catch {
        return false;
      }
    };
    const check = (list: number[]) => {
      bytes.set(list, IN);
      const found = core.validateUtf8!(IN, list.length) === -1;
      if (found !== isValid(list)) throw new Error(list.map((byte) => byte.toString(16)).join(' '));
    };
    const edges = [
      0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff,
    ];
    for (let a = 0; a < 256; a++) {
      check([a]);
      for (let b = a % sweepStep; b < 256; b += sweepStep) check([a, b]);
      for (const b of edges) for (const c of edges) check([a, b, c]);
    }
    for (const a of [0xe1, 0xf0, 0xf1, 0xf4, 0xf5]) {
      for (const b of edges) for (const c of edges) for (const d of edges) check([a, b, c, d]);
    }
  });

  it('the offset of the first broken character is told, in blocks and behind them', () => {
    for (let offset = 0; offset < 70; offset++) {
      bytes.fill(97, IN, IN + 80);
      bytes[IN + offset] = 0x80;
      expect(core.validateUtf8!(IN, 80)).toBe(offset);
      bytes.set([0xed, 0xa0, 0x80], IN + offset);
      expect(core.validateUtf8!(IN, 80)).toBe(offset);
      bytes.set([0xe2, 0x82], IN + offset);
      expect(core.validateUtf8!(IN, offset + 2)).toBe(offset);
    }
  });

  /** Decodes the JSON text of a string, quotes included, in place when `inPlace`; null when refused. */
  function readJson(json: string | Uint8Array, inPlace = false): string | null {
    const encoded = typeof json === 'string' ? toWtf8(json) : json;
    bytes.set(encoded, IN);
    const out = inPlace ? IN + 1 : OUT;
    if (!core.readJsonString!(IN + 1, IN + encoded.length, out)) return null;
    expect(globals.jsonStringEnd!.value).toBe(IN + encoded.length);
    return values.read(out, globals.jsonStringBytes!.value);
  }

  it('JSON strings are written as JSON.stringify writes them and read back, lone surrogates too', {
    tags: ['long'],
  }, () => {
    const random = randomSource();
    const check = (text: string) => {
      const length = values.write(IN, text);
      const written = core.writeJsonString!(IN, length, OUT);
      expect(written).toBeLessThanOrEqual(2 + 6 * length);
      const json = values.read(OUT, written);
      const message = `seed ${random.seed}`;
      if (json !== JSON.stringify(text)) throw new Error(`${message}: ${JSON.stringify(text)} became ${json}`);
      if (readJson(json) !== text) throw new Error(`${message}: ${json} read as ${JSON.stringify(readJson(json))}`);
      if (readJson(json, true) !== text) throw new Error(`${message}: ${json} in place`);
    };
    for (let code = 0; code < 0x10000; code += sweepStep) check(String.fromCharCode(code));
    for (let length = 0; length < 40; length++)
      for (const piece of PIECES) check('a'.repeat(length) + piece + 'b'.repeat(20));
    for (let i = 0; i < 20000; i++) check(randomText(random, random.below(60), random.pick(98, 90, 30)));
  });

  it('escapes in every form are read as JSON.parse reads them', () => {
    const random = randomSource();
    const hex = (unit: number) => {
      const text = unit.toString(16).padStart(4, '0');
      return `\\u${random.below(2) ? text.toUpperCase() : text}`;
    };
    for (let i = 0; i < 20000; i++) {
      let json = '"';
      for (let part = random.below(12); part > 0; part--) {
        json += random.pick(
          () => 'x'.repeat(random.below(20)),
          () => random.pick('\\"', '\\\\', '\\/', '\\b', '\\f', '\\n', '\\r', '\\t'),
          () => hex(random.below(0x10000)),
          () => hex(0xd800 + random.below(0x800)),
          () => hex(0xd83d) + hex(0xde00 + random.below(64)),
          () => random.pick('é', '\u{1f600}', '\u2028', '/'),
        )();
      }
      json += '"';
      if (readJson(json) !== JSON.parse(json)) throw new Error(`seed ${random.seed}: ${json}`);
    }
  });

  it('broken JSON strings are refused', () => {
    const broken = [
      '"',
      '"a',
      '"\\"',
      '"\\x"',
      '"\\u12"',
      '"\\u12g4"',
      '"\\u"',
      '"\\',
      '"\\u123',
      '"\\a"',
      '"\\U0041"',
      '"\\ud83d\\u12"',
    ];
    for (const json of broken) expect(readJson(json), json).toBe(null);
    for (let control = 0; control < 32; control++) {
      for (const length of [0, 5, 15, 16, 17, 40]) {
        expect(readJson(`"${'a'.repeat(length)}${String.fromCharCode(control)}${'b'.repeat(20)}"`)).toBe(null);
      }
    }
    for (const list of [[0x80], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xff], [0xe2, 0x82]]) {
      expect(readJson(Uint8Array.from([34, ...list, 34])), String(list)).toBe(null);
      expect(readJson(Uint8Array.from([34, ...new Array(20).fill(97), ...list, 34])), String(list)).toBe(null);
    }
    expect(readJson('"\x7f"')).toBe('\x7f');
  });

  it('reading leaves what stands behind the string alone', () => {
    const tail = '","b":1}                          ';
    for (let length = 0; length < 40; length++) {
      const text = 'k'.repeat(length);
      values.write(IN, text + tail);
      bytes.fill(255, OUT, OUT + 64);
      expect(core.readJsonString!(IN, IN + length + tail.length, OUT)).toBe(1);
      expect(globals.jsonStringBytes!.value).toBe(length);
      expect(globals.jsonStringEnd!.value).toBe(IN + length + 1);
      expect(values.read(OUT, length)).toBe(text);
      expect(bytes[OUT + length]).toBe(255);
    }
  });

  const parseArray = (text: string, capacity = 100) =>
    core.parseSingleArray!(IN, values.write(IN, text), SLOTS, capacity);
  const formatArray = (count: number, form: number, capacity = core.singleArrayTextBound!(count)) => {
    const written = core.formatSingleArray!(SLOTS, count, form, OUT, capacity) >>> 0;
    return written === 0xffffffff ? null : values.read(OUT, written);
  };

  it.each([
    ['', 0, ''],
    ['[]', 0, ''],
    [' [ ] ', 0, ''],
    ['1', 1, '1'],
    ['1,2.5,-3', 3, '1,2.5,-3'],
    ['[1, 2.5 , -3]', 3, '1,2.5,-3'],
    ['0.1,1e-5,1E+20,NaN,-Infinity,-0', 6, '0.1,1E-05,1E+20,NaN,-Infinity,-0'],
    ['1,', -1, ''],
    [',1', -1, ''],
    ['1,,2', -1, ''],
    ['[1', -1, ''],
    ['1]', -1, ''],
    ['a', -1, ''],
    ['1;2', -1, ''],
    ['1\x01', -1, ''],
  ])('Single[] of %j has %i components', (text, count, expected) => {
    expect(parseArray(text)).toBe(count);
    if (count < 0) return;
    expect(formatArray(count, BULK)).toBe(expected);
    expect(formatArray(count, READ)).toBe(`[${expected}]`);
  });

  it('Single[] tells when there is no room', () => {
    expect(parseArray('1,2,3', 3)).toBe(3);
    expect(parseArray('1,2,3,4', 3)).toBe(-2);
    expect(parseArray('1,2,3,x', 4)).toBe(-1);
    expect(formatArray(3, READ, 20)).toBe(null);
    expect(formatArray(0, READ, 1)).toBe(null);
    expect(formatArray(0, READ)).toBe('[]');
  });

  it('long random arrays come back and never pass the bound', () => {
    const random = randomSource();
    const count = 5000;
    const floats = new Uint32Array(count).map(() => random.next() & 0xff7fffff); // no infinity, no NaN
    floats.fill(0x80ffffff, 0, 50); // the longest text there is
    bytes.set(new Uint8Array(floats.buffer), SLOTS);
    const bound = core.singleArrayTextBound!(count);
    bytes.fill(255, OUT, OUT + bound + 8);
    const text = formatArray(count, READ)!;
    expect(text.length, `seed ${random.seed}`).toBeLessThan(bound);
    expect(bytes[OUT + bound]).toBe(255);
    bytes.fill(0, SLOTS, SLOTS + 4 * count);
    expect(parseArray(text, count)).toBe(count);
    expect([...new Uint32Array(bytes.slice(SLOTS, SLOTS + 4 * count).buffer)]).toEqual([...floats]);
  });

  it('String and Single[] records compare and hash by what they hold', () => {
    const record = (address: number, text: string) => {
      const length = values.write(address + 8, text);
      values.view.setUint32(address, length, true);
    };
    const array = (address: number, ...floats: number[]) => {
      values.view.setUint32(address, 4 * floats.length, true);
      values.view.setUint32(address + 4, floats.length, true);
      floats.forEach((value, i) => {
        values.view.setFloat32(address + 8 + 4 * i, value, true);
      });
    };
    const [a, b] = [SLOTS, SLOTS + 1024];
    const expectOrder = (type: number, order: number) => {
      expect(core.compareValues!(type, a, b)).toBe(order);
      expect(core.equalValues!(type, a, b)).toBe(order === 0 ? 1 : 0);
      if (order === 0) expect(core.hashValue!(type, a)).toBe(core.hashValue!(type, b));
    };
    record(a, 'same');
    record(b, 'same');
    expectOrder(TYPES.String, 0);
    record(b, 'same!');
    expectOrder(TYPES.String, -1);
    array(a, 1, Number.NaN, 0);
    array(b, 1, Number.NaN, -0);
    expectOrder(TYPES['Single[]'], 0);
    array(b, 1, 2);
    expectOrder(TYPES['Single[]'], -1);
    array(a, 1, 2, 3);
    expectOrder(TYPES['Single[]'], 1);
  });
});

// Dates, spans, identifiers, Boolean and Char. The tables were checked against .NET Core 3.1 in a UTC zone (only the century
// of two-digit years follows newer ones); the days of the calendar are compared with JavaScript's Date.

import { describe, expect, it } from 'vitest';
import {
  BUILDS,
  BULK,
  IN,
  openValues,
  READ,
  randomSource,
  SCAN,
  SLOTS,
  TYPES,
  type TypeName,
} from './values-module.ts';

const MAX_TICKS = 3155378975999999999n;
const EPOCH_TICKS = 621355968000000000n;

describe.each(BUILDS)('values, dates and the rest (%s)', (build) => {
  const values = openValues(build);
  const { convert, core, view } = values;

  // Text, DateTime as read, DateTimeOffset as read; null is refused.
  it.each([
    ['2020-01-02', '2020-01-02T00:00:00.0000000', '2020-01-02T00:00:00.0000000+00:00'],
    ['2020-01-02T03:04', '2020-01-02T03:04:00.0000000', '2020-01-02T03:04:00.0000000+00:00'],
    ['2020-01-02T03:04:05.1', '2020-01-02T03:04:05.1000000', '2020-01-02T03:04:05.1000000+00:00'],
    ['2020-01-02 03:04:05.1234567', '2020-01-02T03:04:05.1234567', '2020-01-02T03:04:05.1234567+00:00'],
    ['2020-01-02T03:04:05.12345678', '2020-01-02T03:04:05.1234568', '2020-01-02T03:04:05.1234568+00:00'],
    ['2020-01-02T23:59:59.99999999', '2020-01-03T00:00:00.0000000', '2020-01-03T00:00:00.0000000+00:00'],
    ['9999-12-31T23:59:59.9999999', '9999-12-31T23:59:59.9999999', '9999-12-31T23:59:59.9999999+00:00'],
    ['9999-12-31T23:59:59.99999999', null, null],
    ['0001-01-01', '0001-01-01T00:00:00.0000000', '0001-01-01T00:00:00.0000000+00:00'],
    ['0001-01-01T00:00:00+01:00', '0001-01-01T23:00:00.0000000+00:00', null],
    ['0001-01-01T00:00:00-01:00', '0001-01-01T01:00:00.0000000+00:00', '0001-01-01T00:00:00.0000000-01:00'],
    ['9999-12-31T23:59:59-01:00', null, null],
    ['2020-01-02T03:04:05Z', '2020-01-02T03:04:05.0000000Z', '2020-01-02T03:04:05.0000000+00:00'],
    ['2020-01-02t03:04:05z', '2020-01-02T03:04:05.0000000Z', '2020-01-02T03:04:05.0000000+00:00'],
    ['2020-01-02T03:04:05+00:00', '2020-01-02T03:04:05.0000000+00:00', '2020-01-02T03:04:05.0000000+00:00'],
    ['2020-01-02T03:04:05+02:00', '2020-01-02T01:04:05.0000000+00:00', '2020-01-02T03:04:05.0000000+02:00'],
    ['2020-01-02T03:04:05+14:00', '2020-01-01T13:04:05.0000000+00:00', '2020-01-02T03:04:05.0000000+14:00'],
    ['2020-01-02T03:04:05-00:30', '2020-01-02T03:34:05.0000000+00:00', '2020-01-02T03:04:05.0000000-00:30'],
    ['2020-01-02T03:04:05+14:01', null, null],
    ['2020-01-02T03:04:05+00:60', null, null],
    ['2020-01-02T03:04:05+0230', '2020-01-02T00:34:05.0000000+00:00', '2020-01-02T03:04:05.0000000+02:30'],
    ['2020-01-02T03:04:05 +2', '2020-01-02T01:04:05.0000000+00:00', '2020-01-02T03:04:05.0000000+02:00'],
    ['2020-01-02Z', '2020-01-02T00:00:00.0000000Z', '2020-01-02T00:00:00.0000000+00:00'],
    ['2020-1-2 3:4:5', '2020-01-02T03:04:05.0000000', '2020-01-02T03:04:05.0000000+00:00'],
    ['2020/01/02', '2020-01-02T00:00:00.0000000', '2020-01-02T00:00:00.0000000+00:00'],
    ['01/02/2020', '2020-01-02T00:00:00.0000000', '2020-01-02T00:00:00.0000000+00:00'],
    ['01/02/2020 03:04', '2020-01-02T03:04:00.0000000', '2020-01-02T03:04:00.0000000+00:00'],
    ['01/02/2020 03:04:05 +01:00', '2020-01-02T02:04:05.0000000+00:00', '2020-01-02T03:04:05.0000000+01:00'],
    ['01/02/2020 3:04 PM', '2020-01-02T15:04:00.0000000', '2020-01-02T15:04:00.0000000+00:00'],
    ['01/02/2020 12:04 am', '2020-01-02T00:04:00.0000000', '2020-01-02T00:04:00.0000000+00:00'],
    ['01/02/2020 3 PM', '2020-01-02T15:00:00.0000000', '2020-01-02T15:00:00.0000000+00:00'],
    ['01/02/03', '2003-01-02T00:00:00.0000000', '2003-01-02T00:00:00.0000000+00:00'],
    [' 2020-01-02 ', '2020-01-02T00:00:00.0000000', '2020-01-02T00:00:00.0000000+00:00'],
    ['2020-01-02T03:04:05\0', '2020-01-02T03:04:05.0000000', '2020-01-02T03:04:05.0000000+00:00'],
    ['2020-02-29', '2020-02-29T00:00:00.0000000', '2020-02-29T00:00:00.0000000+00:00'],
    ['2019-02-29', null, null],
    ['1900-02-29', null, null],
    ['2020-13-01', null, null],
    ['2020-00-01', null, null],
    ['2020-01-00', null, null],
    ['0000-01-01', null, null],
    ['13/02/2020', null, null],
    ['2020-01-02T24:00:00', null, null],
    ['2020-01-02T23:60:00', null, null],
    ['2020-01-02T23:59:60', null, null],
    ['2020-01-02T3:04:05', null, null],
    ['2020-01-02T03', null, null],
    ['2020-01-02T', null, null],
    ['2020-01-02 03', null, null],
    ['2020-01-02T03:04:05.', null, null],
    ['2020-01-02T03:04:05,5', null, null],
    ['2020-01-02T03:04:05Zx', null, null],
    ['2020-01-02T03:04:05 GMT', null, null],
    ['2020-01-02T03:04:05.5 PM', null, null],
    ['2020-01-02 3:04 PMZ', null, null],
    ['01/02/2020T03:04:05', null, null],
    ['20200102', null, null],
    ['2020', null, null],
    ['', null, null],
  ])('the date %j is %j, with offset %j', (text, dateTime, dateTimeOffset) => {
    expect(convert('DateTime', text)).toBe(dateTime);
    expect(convert('DateTimeOffset', text)).toBe(dateTimeOffset);
  });

  it('scans show dates in the general form', () => {
    expect(convert('DateTime', '2020-01-02T03:04:05.9999999Z', SCAN)).toBe('01/02/2020 03:04:05');
    expect(convert('DateTimeOffset', '2020-01-02T03:04:05.5-09:30', SCAN)).toBe('01/02/2020 03:04:05 -09:30');
    expect(convert('DateTimeOffset', '2020-01-02T03:04:05', SCAN)).toBe('01/02/2020 03:04:05 +00:00');
    expect(convert('DateTime', '2020-01-02', BULK)).toBe('2020-01-02T00:00:00.0000000');
  });

  it('a DateTime slot holds ticks and kind', () => {
    const kinds: [string, bigint][] = [
      ['1970-01-01T00:00:00.0000001', 0n],
      ['1970-01-01T00:00:00.0000001Z', 1n],
      ['1970-01-01T01:00:00.0000001+01:00', 2n],
    ];
    for (const [text, kind] of kinds) {
      convert('DateTime', text);
      expect(view.getBigUint64(SLOTS, true)).toBe((kind << 62n) | (EPOCH_TICKS + 1n));
    }
    convert('DateTimeOffset', '1969-12-31T14:30:00-09:30');
    expect(view.getBigInt64(SLOTS, true)).toBe(EPOCH_TICKS);
    expect(view.getInt32(SLOTS + 8, true)).toBe(-570);
  });

  it('days from 0001 to 9999, every third of them (debug: every seventh), are written and read right', () => {
    const dayMs = 86400000;
    const first = Date.UTC(2000, 0, 1) - 730119 * dayMs;
    const total = 3652059;
    const step = build === 'debug' ? 7 : 3;
    const batch = 200000;
    for (let from = 0; from < total; from += batch * step) {
      const texts: string[] = [];
      for (let day = from; day < total && texts.length < batch; day += step) {
        texts.push(`${new Date(first + day * dayMs).toISOString().slice(0, 10)}T00:00:00.0000000`);
      }
      expect(values.parseAll('DateTime', texts)).toBe(texts.length);
      for (let i = 0; i < texts.length; i += 997) {
        const ticks = BigInt(from + i * step) * 864000000000n;
        expect(view.getBigUint64(SLOTS + 16 * i, true)).toBe(ticks);
      }
      expect(values.formatAll('DateTime', texts.length)).toEqual(texts);
    }
  });

  it('the ends of the calendar: the last tick and the first', () => {
    view.setBigUint64(SLOTS, MAX_TICKS, true);
    expect(values.formatAll('DateTime', 1)).toEqual(['9999-12-31T23:59:59.9999999']);
    view.setBigUint64(SLOTS, 0n, true);
    expect(values.formatAll('DateTime', 1)).toEqual(['0001-01-01T00:00:00.0000000']);
  });

  it.each([
    ['5', '5.00:00:00'],
    ['-5', '-5.00:00:00'],
    ['0', '00:00:00'],
    ['-0', '00:00:00'],
    ['1:2', '01:02:00'],
    ['01:02:03', '01:02:03'],
    ['001:002:003', '01:02:03'],
    ['1.02:03', '1.02:03:00'],
    ['1.02:03:04', '1.02:03:04'],
    ['1:02:03:04', '1.02:03:04'],
    ['1:02:03:04.5', '1.02:03:04.5000000'],
    ['1:2:3.4', '01:02:03.4000000'],
    ['1.02:03:04.1234567', '1.02:03:04.1234567'],
    ['-1.00:00:01', '-1.00:00:01'],
    [' 5 ', '5.00:00:00'],
    ['\u00a05', '5.00:00:00'],
    ['24:00', null],
    ['24:00:00', '24.00:00:00'],
    ['30:00:00', '30.00:00:00'],
    ['100:30:00', null],
    ['1:60', null],
    ['1:59:60', null],
    ['1.24:00:00', null],
    ['23:59:59.9999999', '23:59:59.9999999'],
    ['23:59:59.12345678', null],
    ['23:59:59.01234567', '23:59:59.0123457'],
    ['23:59:59.00000001', '23:59:59'],
    ['10675199.02:48:05.4775807', '10675199.02:48:05.4775807'],
    ['10675199.02:48:05.4775808', null],
    ['-10675199.02:48:05.4775808', '-10675199.02:48:05.4775808'],
    ['-10675199.02:48:05.4775809', null],
    ['10675200', null],
    ['99999999999', null],
    ['- 5', null],
    ['+5', null],
    ['1.5', null],
    ['1.', null],
    ['1:', null],
    ['1:2:', null],
    ['.5', null],
    ['12:30.5', null],
    ['1 2:3', null],
    ['1:2:3.', null],
    ['1:2:3:4:5', null],
    ['5.1:2:3.4:5', null],
    ['1e3', null],
    ['', null],
  ])('TimeSpan of %j is %j', (text, expected) => {
    expect(convert('TimeSpan', text)).toBe(expected);
  });

  it('random spans come back', () => {
    const random = randomSource();
    for (let i = 0; i < 20000; i++) {
      const bits = (BigInt(random.next()) << 32n) | BigInt(random.next());
      const ticks = BigInt.asIntN(64, bits) >> BigInt(random.below(64));
      view.setBigInt64(SLOTS, ticks, true);
      const text = values.formatAll('TimeSpan', 1)[0]!;
      expect(text, `seed ${random.seed}`).toMatch(/^-?(\d+\.)?\d\d:\d\d:\d\d(\.\d{7})?$/);
      convert('TimeSpan', text);
      if (view.getBigInt64(SLOTS, true) !== ticks) throw new Error(`seed ${random.seed}: ${ticks} became ${text}`);
    }
  });

  const guid = '00112233-4455-6677-8899-aabbccddeeff';
  it.each([
    ['00112233445566778899aabbccddeeff', guid],
    [guid.toUpperCase(), guid],
    [` {${guid}}\t`, guid],
    [`(${guid})`, guid],
    ['{0x00112233,0x4455,0x6677,{0x88,0x99,0xaa,0xbb,0xcc,0xdd,0xee,0xff}}', guid],
    ['{0X112233, 0x4455,0x6677 ,{0x8,0x99,0xaa,0xbb,0xcc,0xdd,0xee,0xf}}', '00112233-4455-6677-0899-aabbccddee0f'],
    ['{0x00112233,0x4455,0x6677,{0x88,0x99,0xaa,0xbb,0xcc,0xdd,0xee,0x1ff}}', null],
    [`{${guid})`, null],
    [`(${guid}}`, null],
    [`{${guid}`, null],
    ['{00112233445566778899aabbccddeeff}', null],
    [guid.slice(1), null],
    [guid.replace('-', '0'), null],
    [guid.replace('f', 'g'), null],
    ['', null],
  ])('Guid of %j is %j', (text, expected) => {
    expect(convert('Guid', text)).toBe(expected);
  });

  it('a Guid record has the order of its text, and Guids compare by it', () => {
    convert('Guid', guid);
    expect([...values.bytes.slice(SLOTS, SLOTS + 16)]).toEqual(Array.from({ length: 16 }, (_, i) => i * 17));
    const random = randomSource();
    const make = () => random.digits(2) + '0'.repeat(random.below(3) * 10).padEnd(30, random.pick('0', 'f', '8'));
    for (let i = 0; i < 500; i++) {
      const [a, b] = [make(), make()];
      expect(compare('Guid', a, b), `seed ${random.seed}: ${a} ${b}`).toBe(a < b ? -1 : a > b ? 1 : 0);
    }
  });

  it.each([
    ['true', 'True'],
    ['FALSE', 'False'],
    [' True\0', 'True'],
    [' \u00a0false \0', 'False'],
    ['\0true', 'True'],
    ['1', null],
    ['yes', null],
    ['', null],
    ['tr ue', null],
    ['\u200btrue', null],
  ])('Boolean of %j is %j', (text, expected) => {
    expect(convert('Boolean', text, READ)).toBe(expected);
    expect(convert('Boolean', text, SCAN)).toBe(expected);
    expect(convert('Boolean', text, BULK)).toBe(expected === null ? null : expected.toLowerCase());
  });

  it('Char takes every UTF-16 unit and nothing else', () => {
    for (let unit = 0; unit < 0x10000; unit++) {
      const text = String.fromCharCode(unit);
      if (convert('Char', text) !== text) throw new Error(`unit ${unit}`);
      if (view.getUint32(SLOTS, true) !== unit) throw new Error(`unit ${unit} in the slot`);
    }
    for (const text of ['', 'ab', '\u{1f600}', 'é1', 'éé', '\ud83da']) expect(convert('Char', text)).toBe(null);
  });

  function compare(type: TypeName, a: string, b: string): number {
    const second = SLOTS + 16;
    expect(core.parseValue!(TYPES[type], IN, values.write(IN, a), SLOTS)).toBe(1);
    expect(core.parseValue!(TYPES[type], IN, values.write(IN, b), second)).toBe(1);
    const order = core.compareValues!(TYPES[type], SLOTS, second);
    expect(core.compareValues!(TYPES[type], second, SLOTS)).toBe(0 - order);
    expect(core.equalValues!(TYPES[type], SLOTS, second)).toBe(order === 0 ? 1 : 0);
    if (order === 0) expect(core.hashValue!(TYPES[type], SLOTS)).toBe(core.hashValue!(TYPES[type], second));
    return order;
  }

  it('dates compare by the moment, whatever their kind or offset', () => {
    expect(compare('DateTime', '2020-01-01T00:00:00Z', '2020-01-01T00:00:00')).toBe(0);
    expect(compare('DateTime', '2020-01-01T01:00:00+01:00', '2020-01-01T00:00:00')).toBe(0);
    expect(compare('DateTime', '2020-01-01T00:00:00Z', '2020-01-01T00:00:00.0000001')).toBe(-1);
    expect(compare('DateTimeOffset', '2020-01-01T02:00:00+02:00', '2020-01-01T00:00:00Z')).toBe(0);
    expect(compare('DateTimeOffset', '2020-01-01T02:00:00+02:00', '2020-01-01T02:00:00Z')).toBe(-1);
    expect(compare('TimeSpan', '-1', '00:00:01')).toBe(-1);
    expect(compare('Boolean', 'false', 'true')).toBe(-1);
    expect(compare('Char', 'b', 'a')).toBe(1);
  });
});

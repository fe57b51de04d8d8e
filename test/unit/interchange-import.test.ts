// The bulk reader: every way a line can be wrong, every way to cut the bytes, and random lines against a second reader.

import { describe, expect, it } from 'vitest';
import {
  BUILDS,
  chunksOf,
  DONE,
  FAILED,
  type ImportResult,
  InterchangeCore,
  type Operation,
  randomFrom,
  SCRATCH,
  utf8,
} from './support/interchange-core.ts';
import { CASES, edge, int, join, META, pair, properties, vertex } from './support/interchange-lines.ts';
import { type ReferenceElement, readReference } from './support/interchange-reference.ts';

/** What does not depend on how the bytes were cut. */
const essence = ({ operations, ...rest }: ImportResult): unknown => [rest, operations];

function compact(operation: Operation): unknown[] {
  const { kind, label, edgeType, source, target, creation, properties: list } = operation;
  return [kind, label, edgeType, source ?? 0, target ?? 0, creation, list];
}

/** A reference element as `compact` shows an operation. */
function compactReference(element: ReferenceElement): unknown[] {
  const values = element.properties.map(([key, type, value]) => {
    if (type === 'String') return [key, 1, value];
    const slot = Buffer.alloc(8);
    if (type === 'Int32') slot.writeBigInt64LE(BigInt(value.replace(/^\+/, '')));
    if (type === 'Boolean') slot.writeBigInt64LE(value.toLowerCase() === 'true' ? 1n : 0n);
    if (type === 'Char') slot.writeBigInt64LE(BigInt(value.charCodeAt(0)));
    return [key, { Int32: 7, Boolean: 2, Char: 14 }[type], slot.toString('hex')];
  });
  const { kind, label, edgeType, source, target, creation } = element;
  return [kind, label, edgeType, source, target, creation, values];
}

const SMALL = join([
  '{"type":"meta","format":"fallen8-jsonl","version":1,"vertexCount":3,"edgeCount":2,"exportedAtUtc":"2026-01-01T00:00:00Z"}',
  vertex(
    -5,
    `,"label":"pe\\u0072son","properties":{${pair('näme', 'STRING', 'Zoë 😀 \\ud83d\\ude00 \\ud800')},${int('age', '-7')}}`,
  ),
  '',
  ' \t\r',
  '\t{ "properties" : { "age" : { "value" : "12" , "type" : "int" } } , "creationDate" : 4294967295 , "id" : 7 , "type" : "vertex" } \r',
  vertex(2147483647, ',"label":null,"properties":{}'),
  edge(1, -5, 7, `,"properties":{${pair('w', 'System.Double', '1.5')},${pair('e', 'System.Single[]', '1,2.5,-3')}}`),
  `{"type":"edge","id":3,"edgePropertyId":"a\\/b","source":7,"target":7,"label":"","creationDate":0}`,
]).subarray(0, -1);

describe.each(BUILDS)('bulk import (%s)', (build) => {
  const core = new InterchangeCore(build);
  const parse = (lines: (string | Uint8Array)[], batchSize = 10000): ImportResult =>
    core.import([join(lines)], { batchSize, lineLimit: 1000 });

  it.each(CASES)('refuses %s', (_name, lines, code, line, more) => {
    const before = core.call('memoryBytes', SCRATCH);
    // The bad line alone, then behind good ones of the same batch, then cut into single bytes: always the same failure.
    const result = parse(lines);
    expect([result.status, result.code, result.line]).toEqual([FAILED, code, line]);
    if (more?.field !== undefined) expect(result.field).toBe(more.field);
    if (more?.text !== undefined) expect(result.text).toBe(more.text);
    if (more?.column !== undefined) expect(result.column).toBe(more.column);
    expect(result.operations).toEqual([]);
    const bytes = core.import(chunksOf(join(lines), 1), { lineLimit: 1000 });
    expect(essence(bytes)).toEqual(essence(result));
    const unterminated = core.import([join(lines).subarray(0, -1)], { lineLimit: 1000 });
    expect([unterminated.code, unterminated.column]).toEqual([code, result.column]);
    expect(core.call('memoryBytes', SCRATCH) - before).toBe(0);
  });

  it('reads a small file with everything unusual in it', () => {
    const result = core.import([SMALL]);
    expect([result.status, result.line, result.vertices, result.edges]).toEqual([DONE, 8, 3, 2]);
    const double = Buffer.alloc(8);
    double.writeDoubleLE(1.5);
    const array = Buffer.alloc(20);
    array.writeUInt32LE(12, 0);
    array.writeUInt32LE(3, 4);
    for (const [index, value] of [1, 2.5, -3].entries()) array.writeFloatLE(value, 8 + 4 * index);
    expect(result.operations.map(compact)).toEqual([
      [
        1,
        'person',
        null,
        0,
        0,
        5,
        [
          ['näme', 1, 'Zoë 😀 😀 \ud800'],
          ['age', 7, 'f9ffffffffffffff'],
        ],
      ],
      [1, null, null, 0, 0, 4294967295, [['age', 7, '0c00000000000000']]],
      [1, null, null, 0, 0, 5, []],
      [
        2,
        null,
        'knows',
        0,
        1,
        5,
        [
          ['w', 12, double.toString('hex')],
          ['e', 19, array.toString('hex')],
        ],
      ],
      [2, '', 'a/b', 1, 1, 0, []],
    ]);
  });

  it('gives the same for every way to cut the bytes', () => {
    const whole = core.import([SMALL]);
    for (let at = 0; at <= SMALL.length; at++) {
      expect(essence(core.import([SMALL.subarray(0, at), SMALL.subarray(at)]))).toEqual(essence(whole));
    }
    for (let size = 1; size < 80; size++) expect(essence(core.import(chunksOf(SMALL, size)))).toEqual(essence(whole));
  });

  it('gives the same elements for every batch size, whatever ids the batches get', () => {
    const whole = core.import([SMALL]).operations.map(compact);
    for (const batchSize of [1, 2, 3, 4, 5, 6]) {
      const ids: number[] = [];
      let next = 100;
      const result = core.import(chunksOf(SMALL, 100), {
        batchSize,
        apply: (_base, _bytes, count) => {
          // Another writer took some ids before every second batch.
          next += (ids.length % 2) * 10;
          for (let i = 0; i < count; i++) ids.push(next + i);
          next += count;
          return next - count;
        },
      });
      expect(result.status).toBe(DONE);
      const back = result.operations.map((operation) => {
        const [kind, label, type, source, target, ...rest] = compact(operation);
        const place = (id: unknown): number => (kind === 2 ? ids.indexOf(id as number) : 0);
        return [kind, label, type, place(source), place(target), ...rest];
      });
      expect(back).toEqual(whole);
    }
  });

  it('hands out the batches before a bad line, and not the one it is in', () => {
    const lines = [META, vertex(1), vertex(2), vertex(3), 'bad', vertex(4)];
    const result = parse(lines, 2);
    expect([result.code, result.line, result.operations.length]).toEqual(['MALFORMED_JSON', 5, 2]);
    const mismatch = parse(
      ['{"type":"meta","format":"service-jsonl","version":2,"vertexCount":9}', ...lines.slice(1, 4)],
      2,
    );
    expect([mismatch.code, mismatch.line, mismatch.operations.length]).toEqual(['COUNT_MISMATCH', 4, 2]);
  });

  it('accepts empty files, files without meta line, and lines exactly at the limit', () => {
    expect(essence(core.import([]))).toEqual(essence(core.import([new Uint8Array(0)])));
    expect([core.import([]).status, core.import([]).line]).toEqual([DONE, 0]);
    expect(parse([vertex(1)]).status).toBe(DONE);
    const room = 1000 - vertex(1, ',"label":""').length;
    const line = (bytes: number): Uint8Array => utf8(vertex(1, `,"label":"${'x'.repeat(bytes)}"`));
    for (const more of [-1, 0, 1]) {
      for (const end of ['', '\n']) {
        const bytes = Uint8Array.from([...line(room + more), ...utf8(end)]);
        for (const size of [1, 7, 5000]) {
          const result = core.import(chunksOf(bytes, size), { lineLimit: 1000 });
          expect([more, end, size, result.code]).toEqual([more, end, size, more > 0 ? 'LINE_TOO_LONG' : 'OK']);
        }
      }
    }
  });

  it('reads members in every order', () => {
    const permutations = (list: string[]): string[][] =>
      list.length < 2
        ? [list]
        : list.flatMap((one, i) => permutations(list.filter((_, j) => j !== i)).map((rest) => [one, ...rest]));
    const wanted = parse([
      vertex(9),
      `{"type":"vertex","id":1,"label":"l","creationDate":5,"properties":{${int('a', '1')}}}`,
    ]);
    const members = ['"type":"vertex"', '"id":1', '"label":"l"', '"creationDate":5', `"properties":{${int('a', '1')}}`];
    for (const order of permutations(members)) {
      expect(parse([vertex(9), `{${order.join(',')}}`]).operations).toEqual(wanted.operations);
    }
    const ends = ['"type":"edge"', '"id":1', '"edgePropertyId":"t"', '"source":8', '"target":9', '"creationDate":6'];
    for (const order of permutations(ends)) {
      const result = parse([vertex(8), vertex(9), `{${order.join(', ')}}`]);
      expect(compact(result.operations[2]!)).toEqual([2, null, 't', 0, 1, 6, []]);
    }
    const parts = ['"type":"int"', '"value":"1"'];
    for (const order of permutations(parts)) {
      const result = parse([vertex(9), vertex(1, properties(`"a":{${order.join(',')}}`))]);
      expect(result.operations[1]!.properties).toEqual([['a', 7, '0100000000000000']]);
    }
  });

  it('knows all types by full name, short name and alias in any case', () => {
    const values: [string, number, string][] = [
      ['String', 1, 'x'],
      ['Boolean', 2, 'true'],
      ['Byte', 3, '1'],
      ['SByte', 4, '-1'],
      ['Int16', 5, '1'],
      ['UInt16', 6, '1'],
      ['Int32', 7, '1'],
      ['UInt32', 8, '1'],
      ['Int64', 9, '1'],
      ['UInt64', 10, '1'],
      ['Single', 11, '1.5'],
      ['Double', 12, '1.5'],
      ['Decimal', 13, '1.50'],
      ['Char', 14, 'x'],
      ['DateTime', 15, '2026-01-02T03:04:05.0000000Z'],
      ['DateTimeOffset', 16, '2026-01-02T03:04:05.0000000+01:00'],
      ['TimeSpan', 17, '1.02:03:04.0000005'],
      ['Guid', 18, '00112233-4455-6677-8899-aabbccddeeff'],
      ['Single[]', 19, ''],
    ];
    const lines = values.flatMap(([name, , value], index) =>
      [`System.${name}`, `SYSTEM.${name.toUpperCase()}`].map((type, i) =>
        vertex(2 * index + i, properties(pair('k', type, value))),
      ),
    );
    const result = parse(lines);
    expect([result.code, result.line]).toEqual(['OK', 2 * values.length]);
    expect(result.operations.map((operation) => operation.properties![0]![1])).toEqual(
      values.flatMap(([, type]) => [type, type]),
    );
    const aliases = 'string bool byte sbyte short ushort int uint long ulong float double decimal char'.split(' ');
    const ids = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14];
    const short = parse(aliases.map((alias, i) => vertex(i, properties(pair('k', alias, values[ids[i]! - 1]![2])))));
    expect(short.operations.map((operation) => operation.properties![0]![1])).toEqual(ids);
  });

  it('takes escapes at every place of a string', () => {
    const forms: [string, string][] = [
      ['\\n', '\n'],
      ['\\"', '"'],
      ['\\\\', '\\'],
      ['\\/', '/'],
      ['\\b\\f\\r\\t', '\b\f\r\t'],
      ['\\u0000', '\0'],
      ['\\u00e9', 'é'],
      ['\\u20ac', '€'],
      ['\\uD83D\\uDE00', '😀'],
      ['\\ud83d', '\ud83d'],
      ['\\ude00', '\ude00'],
      ['\\ude00\\ud83d', '\ude00\ud83d'],
      ['\\ud83d\\ud83d\\ude00', '\ud83d😀'],
      ['é', 'é'],
      ['😀', '😀'],
    ];
    for (const [form, meant] of forms) {
      for (let before = 0; before < 40; before++) {
        const [head, tail] = ['a'.repeat(before), 'b'.repeat(39 - before)];
        const written = head + form + tail;
        const plain = head + meant + tail;
        const result = parse([vertex(1, `,"label":"${written}","properties":{${pair(written, 'string', written)}}`)]);
        expect(result.code).toBe('OK');
        expect([result.operations[0]!.label, result.operations[0]!.properties]).toEqual([plain, [[plain, 1, plain]]]);
      }
    }
  });

  it('agrees with a second reader on random files', { tags: ['long'] }, () => {
    const seed = 20261121;
    const random = randomFrom(seed);
    let failures = 0;
    for (let round = 0; round < 6000; round++) {
      const file = randomFile(random);
      const wanted = readReference(file);
      const result = core.import(chunksOf(file, 1 + random(200)), { batchSize: 1 + random(4) });
      const where = `seed ${seed}, round ${round}: ${Buffer.from(file).toString('latin1')}`;
      expect([where, result.status, wanted.line !== 0 ? result.line : 0]).toEqual([
        where,
        wanted.line ? FAILED : DONE,
        wanted.line,
      ]);
      if (wanted.line !== 0) failures++;
      const got = result.operations.map(compact);
      const elements = wanted.elements.slice(0, wanted.line ? got.length : undefined).map(compactReference);
      expect([where, got]).toEqual([where, elements]);
    }
    // Both kinds must come up often, or nothing was compared.
    expect(failures).toBeGreaterThan(1500);
    expect(failures).toBeLessThan(4500);
  });

  it('reads files with more kinds of properties than it remembers', () => {
    const random = randomFrom(11);
    const lines: string[] = [];
    for (let i = 0; i < 6000; i++) {
      const list = [0, 1, 2].slice(random(3)).map((n) => {
        const key = `${n} key ${random(8) ? random(4) : random(3000)}${random(200) ? '' : 'x'.repeat(700 + random(500))}`;
        return random(2) ? int(key, `${i}`) : pair(key, 'string', `${i}`);
      });
      const label = `,"label":"l${random(50) ? random(3) : random(500)}"`;
      lines.push(
        i > 10 && random(2) ? edge(i, 0, 10, properties(list.join())) : vertex(i, label + properties(list.join())),
      );
    }
    const file = join(lines);
    const wanted = readReference(file).elements.map(compactReference);
    expect(wanted.length).toBe(6000);
    for (const batchSize of [10000, 700]) {
      expect(core.import(chunksOf(file, 10_000), { batchSize }).operations.map(compact)).toEqual(wanted);
    }
  });

  it('ends a batch at 2 MiB, whatever its number of elements', { tags: ['long'] }, () => {
    const text = 'x'.repeat(1_000_000);
    const lines = Array.from({ length: 40 }, (_, i) => utf8(`${vertex(i, properties(pair('k', 'string', text)))}\n`));
    const batches: number[] = [];
    const result = core.import(lines, {
      apply: (_base, bytes, count) => {
        batches.push(count);
        expect(bytes).toBeLessThan(4 << 20);
        return batches.reduce((sum, one) => sum + one, 0) - count;
      },
    });
    expect([result.status, batches]).toEqual([DONE, [...Array.from({ length: 13 }, () => 3), 1]]);
  });

  it('counts names and sets of keys towards the bytes of a batch', () => {
    const label = 'x'.repeat(100_000);
    const labels = Array.from({ length: 60 }, (_, i) => utf8(`${vertex(i, `,"label":"${label}${i}"`)}\n`));
    const keys = (from: number): string => Array.from({ length: 2000 }, (_, k) => int(`k${from + k}`, '1')).join();
    const sets = Array.from({ length: 60 }, (_, i) => utf8(`${vertex(i, properties(keys(2000 * i)))}\n`));
    for (const lines of [labels, sets]) {
      const batches: number[] = [];
      const apply = (_base: number, bytes: number, count: number): number => {
        batches.push(count);
        expect(bytes).toBeLessThan(4 << 20);
        return batches.reduce((sum, one) => sum + one, 0) - count;
      };
      expect(core.import(lines, { apply }).status).toBe(DONE);
      expect(batches.length).toBeGreaterThan(2);
      expect(Math.max(...batches)).toBeLessThanOrEqual(32);
    }
  });

  it('keeps imports apart that run at the same time, and apart from requests', () => {
    const files = [1, 2].map((n) =>
      Array.from({ length: 50 }, (_, i) =>
        utf8(`${vertex(i, `,"label":"file ${n}",${`"properties":{${int(`k${n}`, `${i}`)}}`}`)}\n`),
      ),
    );
    const sessions = files.map(() => core.call('importBegin', 1000, 1000));
    for (let i = 0; i < 50; i++) {
      for (const [n, session] of sessions.entries()) {
        const line = files[n]![i]!;
        for (const piece of [line.subarray(0, 30), line.subarray(30)]) {
          core.bytes.set(piece, core.call('importInput', session, piece.length));
          expect(core.call('importFeed', session, piece.length)).toBe(0);
        }
      }
      const request = new Uint8Array(Uint32Array.of(1, 5, 0xffffffff, 0).buffer);
      const at = core.call('inputEnsure', request.length);
      core.bytes.set(request, at);
      expect(core.call('buildRequest', at, request.length, 0, 0)).toBe(0);
    }
    for (const [n, session] of sessions.entries()) {
      expect(core.call('importEnd', session)).toBe(1);
      const operations = core.decode(
        core.call('importTransaction', session),
        core.call('importTransactionBytes', session),
      );
      expect(operations.map(({ label, properties: list }) => [label, list![0]![0]])).toEqual(
        Array.from({ length: 50 }, () => [`file ${n + 1}`, `k${n + 1}`]),
      );
      core.exports.importDrop!(session);
    }
  });

  it('answers every failing allocation as a value and gives everything back', () => {
    const before = core.call('memoryBytes', SCRATCH);
    const wanted = core.import(chunksOf(SMALL, 64), { batchSize: 2 });
    let refused = 0;
    for (let n = 1; n < 80; n++) {
      core.failAfter(n);
      const result = core.import(chunksOf(SMALL, 64), { batchSize: 2 });
      core.failAfter(0);
      // Growing tries again with less, so some failures are survived: then nothing may be missing.
      if (result.status === DONE) expect(result.operations).toEqual(wanted.operations);
      else expect(result.code).toBe('NO_MEMORY');
      if (result.status !== DONE) refused++;
      expect(core.call('memoryBytes', SCRATCH) - before).toBe(0);
    }
    expect(refused).toBeGreaterThan(10);
  });
});

const NAMES = ['type', 'id', 'label', 'creationDate', 'properties', 'edgePropertyId', 'source', 'target', 'value', 'x'];

/** A file of a few lines, mostly right; some get a random edit of their bytes. */
function randomFile(random: (n: number) => number): Uint8Array {
  const lines: Uint8Array[] = [];
  const count = 1 + random(7);
  const vertices: number[] = [];
  for (let i = 0; i < count; i++) {
    if (random(12) === 0) {
      lines.push(utf8([' ', '\t', '', '\r'][random(4)]!));
      continue;
    }
    let line = utf8(i === 0 && random(3) === 0 ? randomMeta(random) : randomElement(random, vertices, i));
    if (random(9) === 0) line = edited(line, random);
    lines.push(line);
  }
  const bytes = join(lines);
  return random(2) === 0 ? bytes : bytes.subarray(0, -1);
}

function randomMeta(random: (n: number) => number): string {
  const members = ['"type":"meta"', '"format":"service-jsonl"', `"version":${1 + random(2)}`];
  if (random(8) === 0) members.push(`"vertexCount":${random(4)}`);
  return object(members, random);
}

function object(members: string[], random: (n: number) => number): string {
  const shuffled = random(3) === 0 ? members.sort(() => random(3) - 1) : members;
  const blank = (): string => (random(15) === 0 ? ' \t\r'[random(3)]! : '');
  return `{${blank()}${shuffled.join(`${blank()},${blank()}`)}${blank()}}`;
}

function randomText(random: (n: number) => number): string {
  const pieces = [
    'a',
    'bc',
    'Zoë',
    '😀',
    '\\n',
    '\\u0041',
    '\\ud83d\\ude00',
    '\\udc00',
    ' ',
    '\\"',
    '0123456789abcdef',
  ];
  let result = '';
  for (let i = random(5); i > 0; i--) result += pieces[random(pieces.length)];
  return result;
}

function randomElement(random: (n: number) => number, vertices: number[], index: number): string {
  const isEdge = vertices.length > 0 && random(2) === 0;
  const id = random(25) === 0 ? random(3) : random(10) === 0 ? -index - 10 : index * 10 + 5;
  const members = [`"type":"${isEdge ? 'edge' : 'vertex'}"`, `"id":${id}`];
  if (isEdge) {
    const end = (): number => (random(25) === 0 ? 77 : vertices[random(vertices.length)]!);
    members.push(
      `"edgePropertyId":"${random(4) === 0 ? randomText(random) : 'knows'}"`,
      `"source":${end()}`,
      `"target":${end()}`,
    );
  } else vertices.push(id);
  if (random(2) === 0)
    members.push(random(4) === 0 ? '"label":null' : `"label":"${random(2) ? 'person' : randomText(random)}"`);
  members.push(`"creationDate":${random(2) ? 4294967295 - random(9) : random(100)}`);
  const list: string[] = [];
  for (let i = random(4); i > 0; i--) {
    const key =
      random(3) === 0 ? randomText(random) : ['name', 'age', 'city', '\\u006eame'][random(12) === 0 ? 3 : i - 1]!;
    const [type, value] = [
      ['System.String', randomText(random)],
      ['System.Int32', `${random(2) ? '-' : ''}${random(1000)}`],
      ['bool', random(2) ? 'True' : 'false'],
      ['char', random(20) === 0 ? 'ab' : ['é', 'x', '\\n'][random(3)]!],
    ][random(4)]!;
    list.push(`"${key}":${object([`"type":"${type}"`, `"value":"${value}"`], random)}`);
  }
  if (list.length > 0 || random(4) === 0) members.push(`"properties":${object(list, random)}`);
  if (random(60) === 0) members.push(`"${NAMES[random(NAMES.length)]}":1`);
  return object(members, random);
}

/** One random edit: a byte taken out, put in, replaced, or a stretch doubled. Never a line feed. */
function edited(line: Uint8Array, random: (n: number) => number): Uint8Array {
  const at = random(line.length);
  const odd = [
    0x22, 0x7b, 0x7d, 0x2c, 0x3a, 0x5c, 0x30, 0x2d, 0x2e, 0x65, 0x00, 0x1f, 0x20, 0x80, 0xc3, 0xed, 0xff, 0x5b, 0x5d,
    0x6e,
  ];
  const byte = odd[random(odd.length)]!;
  switch (random(4)) {
    case 0:
      return Uint8Array.from([...line.subarray(0, at), ...line.subarray(at + 1)]);
    case 1:
      return Uint8Array.from([...line.subarray(0, at), byte, ...line.subarray(at)]);
    case 2:
      return Uint8Array.from([...line.subarray(0, at), byte, ...line.subarray(at + 1)]);
    default: {
      const length = 1 + random(20);
      return Uint8Array.from([...line.subarray(0, at + length), ...line.subarray(at)]);
    }
  }
}

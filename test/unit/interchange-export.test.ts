// The bulk writer: the exact bytes of each form, filters, blocks, what cannot be exported, and round trips through the reader.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BUILDS, type Build, type ExportFilters, GraphCore, randomFrom, utf8 } from './support/interchange-core.ts';

const BAD_VALUE = 100;
const CHANGED = 101;
const ARENA_TOO_SMALL = 7;
const NO_MEMORY = 2;
const BLOCK_BYTES = 256 * 1024;

const meta = (vertices: number, edges: number): string =>
  `{"type":"meta","format":"service-jsonl","version":2,"vertexCount":${vertices},"edgeCount":${edges},"exportedAtUtc":"2026-01-01T00:00:00Z"}\n`;

/** Every type in the form the writer gives it, keys in ordinal order. */
const ALL_TYPES: [string, string, string][] = [
  ['$embedding:default', 'System.Single[]', '0.1,-2.5,1E+20,-0'],
  ['$embeddingModel:default', 'System.String', 'model'],
  ['a\\"\\\\\\n\\u0001', 'System.String', 'quote \\" backslash \\\\ line \\n control \\u0001 slash / é € 😀'],
  ['boolean', 'System.Boolean', 'true'],
  ['byte', 'System.Byte', '255'],
  ['char', 'System.Char', 'é'],
  ['charQuote', 'System.Char', '\\"'],
  ['dateTime', 'System.DateTime', '2026-01-02T03:04:05.1234567Z'],
  ['dateTimeOffset', 'System.DateTimeOffset', '2026-01-02T03:04:05.0000000+05:30'],
  ['decimal', 'System.Decimal', '-79228162514264337593543950335'],
  ['decimalScale', 'System.Decimal', '1.50'],
  ['double', 'System.Double', '0.1'],
  ['empty', 'System.Single[]', ''],
  ['guid', 'System.Guid', '00112233-4455-6677-8899-aabbccddeeff'],
  ['int16', 'System.Int16', '-32768'],
  ['int32', 'System.Int32', '-2147483648'],
  ['int64', 'System.Int64', '-9223372036854775808'],
  ['sbyte', 'System.SByte', '-128'],
  ['single', 'System.Single', '1.5'],
  ['string', 'System.String', ''],
  ['timeSpan', 'System.TimeSpan', '-1.02:03:04.0000005'],
  ['uint16', 'System.UInt16', '65535'],
  ['uint32', 'System.UInt32', '4294967295'],
  ['uint64', 'System.UInt64', '18446744073709551615'],
  ['é', 'System.String', 'x'.repeat(5000)],
];

const members = (list: [string, string, string][]): string =>
  list.length === 0
    ? ''
    : `,"properties":{${list.map(([key, type, value]) => `"${key}":{"type":"${type}","value":"${value}"}`).join(',')}}`;

const label = (name: string | null): string => (name === null ? '' : `,"label":"${name}"`);

interface Line {
  kind: 'vertex' | 'edge';
  label: string | null;
  type: string;
  ends: [number, number];
  list: [string, string, string][];
}

const written = (line: Line, id: number): string =>
  line.kind === 'vertex'
    ? `{"type":"vertex","id":${id}${label(line.label)},"creationDate":${id * 7}${members(line.list)}}\n`
    : `{"type":"edge","id":${id},"edgePropertyId":"${line.type}","source":${line.ends[0]},"target":${line.ends[1]}${label(line.label)},"creationDate":${id * 7}${members(line.list)}}\n`;

/** A file as the writer writes it: vertices, then edges, ids ascending from 0, keys in order. */
function randomGraph(seed: number, vertices: number, edges: number): Line[] {
  const random = randomFrom(seed);
  const list = (): [string, string, string][] => ALL_TYPES.filter(() => random(9) === 0);
  const name = (): string | null => [null, '', 'person', 'place', 'ż\\t'][random(5)]!;
  const type = (): string => ['knows', 'likes', 'lives in'][random(3)]!;
  const end = (): number => random(vertices);
  return [
    ...Array.from(
      { length: vertices },
      (): Line => ({ kind: 'vertex', label: name(), type: '', ends: [0, 0], list: list() }),
    ),
    ...Array.from(
      { length: edges },
      (): Line => ({ kind: 'edge', label: name(), type: type(), ends: [end(), end()], list: list() }),
    ),
  ];
}

const file = (lines: Line[]): string => {
  const vertices = lines.filter(({ kind }) => kind === 'vertex').length;
  return meta(vertices, lines.length - vertices) + lines.map(written).join('');
};

describe.each(BUILDS)('bulk export (%s)', (build) => {
  const load = (text: string, pages = 4096): GraphCore => {
    const core = new GraphCore(build as Build, pages);
    core.load(utf8(text));
    return core;
  };

  it('writes nothing but the meta line for an empty graph', () => {
    expect(new GraphCore(build, 1024).export()).toBe(meta(0, 0));
  });

  it('gives back every form byte for byte', () => {
    const text = file([
      { kind: 'vertex', label: 'person', type: '', ends: [0, 0], list: ALL_TYPES },
      { kind: 'vertex', label: null, type: '', ends: [0, 0], list: [] },
      { kind: 'vertex', label: '', type: '', ends: [0, 0], list: ALL_TYPES.slice(3, 5) },
      { kind: 'edge', label: 'half \\ud83d', type: 'a/b \\"', ends: [0, 1], list: [['k\\udc00', 'System.String', '']] },
      { kind: 'edge', label: null, type: 'knows', ends: [2, 2], list: ALL_TYPES },
    ]);
    expect(load(text).export()).toBe(text);
  });

  it('gives back random graphs byte for byte, in blocks of whole lines', () => {
    const text = file(randomGraph(1, 3000, 9000));
    let blocks = 0;
    const core = load(text, 8192);
    const back = core.export({}, (block) => {
      expect(block.length).toBeLessThanOrEqual(BLOCK_BYTES);
      if (block.length > 0) expect(block.at(-1)).toBe(10);
      blocks++;
    });
    expect(back === text).toBe(true);
    expect(blocks).toBeGreaterThan(4);
  });

  it('numbers by the order of the lines on the way back, vertices first', () => {
    const random = randomFrom(8);
    const vertices: number[] = [];
    let mixed = '';
    for (let i = 0; i < 400; i++) {
      const id = i * 37 - 5000;
      const ends = [0, 0].map(() => vertices[random(Math.max(1, vertices.length))]);
      if (vertices.length === 0 || random(3) === 0) {
        mixed += `{"type":"vertex","id":${id},"creationDate":${i}}\n`;
        vertices.push(id);
      } else {
        mixed += `{"type":"edge","id":${id},"edgePropertyId":"t","source":${ends[0]},"target":${ends[1]},"creationDate":${i}}\n`;
      }
    }
    const first = load(mixed).export();
    const ids = new Map([...first.matchAll(/"id":(\d+)/g)].map(([, id], index) => [id, index]));
    const renumbered = first.replace(/"(id|source|target)":(\d+)/g, (_all, name, id) => `"${name}":${ids.get(id)}`);
    expect(renumbered).not.toBe(first);
    expect(load(first).export()).toBe(renumbered);
    expect(load(renumbered).export()).toBe(renumbered);
  });

  it('filters vertices, and edges with them', () => {
    const lines = randomGraph(3, 300, 2000);
    const core = load(file(lines), 8192);
    const names = [undefined, 'person', 'place', '', 'nobody'];
    for (const vertexLabel of names) {
      for (const edgeLabel of names) {
        for (const edgeType of [undefined, 'knows', 'never']) {
          const passes = (filter: string | undefined, value: string | null): boolean =>
            filter === undefined || filter === value;
          const kept = lines.map((line) =>
            line.kind === 'vertex'
              ? passes(vertexLabel, line.label)
              : passes(edgeLabel, line.label) &&
                passes(edgeType, line.type) &&
                line.ends.every((end) => passes(vertexLabel, lines[end]!.label)),
          );
          const vertices = kept.slice(0, 300).filter(Boolean).length;
          const wanted =
            meta(vertices, kept.filter(Boolean).length - vertices) +
            lines.map((line, id) => (kept[id] ? written(line, id) : '')).join('');
          const filters: ExportFilters = {};
          if (vertexLabel !== undefined) filters.vertexLabel = vertexLabel;
          if (edgeLabel !== undefined) filters.edgeLabel = edgeLabel;
          if (edgeType !== undefined) filters.edgeType = edgeType;
          const text = core.export(filters);
          expect(text === wanted).toBe(true);
        }
      }
    }
  });

  it('finds the value that cannot be exported, and leaves it out when it came later', () => {
    const bad: [string, string, string][] = [
      ['k', 'System.String', 'a\\ud83d'],
      ['k', 'System.String', `${'x'.repeat(40)}\\udc00é`],
      ['k', 'System.Char', '\\ud800'],
      ['k', 'System.Char', '\\udfff'],
    ];
    for (const one of bad) {
      const good: [string, string, string] = ['a', 'System.Int32', '1'];
      const plain: Line = { kind: 'vertex', label: 'x', type: '', ends: [0, 0], list: [] };
      const core = load(file([plain, { ...plain, label: 'y', list: [good, one] }, { ...plain, list: [one] }]), 1024);
      const token = core.call('exportBegin', core.graph);
      const check = (filters: ExportFilters): number =>
        core.call('exportCheck', core.graph, token, ...core.filters(filters), 0, 3);
      expect(check({})).toBe(BAD_VALUE);
      expect(core.call('exportElement')).toBe(1);
      const key = core.call('internAddress', core.call('exportKey'));
      expect(Buffer.from(core.copy(key + 16, 1)).toString()).toBe('k');
      expect(check({ vertexLabel: 'z' })).toBe(0);
      expect(core.call('exportBlock', core.graph, token, ...core.filters({}), 0, 0, 3)).toBe(0);
      const lines = [plain, { ...plain, label: 'y', list: [good] }, plain].map(written).join('');
      expect(Buffer.from(core.output()).toString()).toBe(lines);
    }
    for (const text of ['\\ud83d\\ude00', '퟿', '\ue000', '\uffff']) {
      const line: Line = { kind: 'vertex', label: null, type: '', ends: [0, 0], list: [['k', 'System.String', text]] };
      const core = load(file([line]), 1024);
      expect(core.export()).toContain(`"value":"${JSON.parse(`"${text}"`) as string}"`);
    }
  });

  it('answers a graph that is no longer the same', () => {
    const core = load(file(randomGraph(4, 10, 10)), 1024);
    const token = core.call('exportBegin', core.graph);
    expect(core.request(6)).toBe(0);
    const all = core.filters({});
    expect(core.call('exportBlock', core.graph, token, ...all, 0, 0, 20)).toBe(CHANGED);
    expect(core.call('exportCheck', core.graph, token, ...all, 0, 20)).toBe(CHANGED);
    expect(core.export()).toBe(meta(0, 0));
  });

  it('has what was removed since it began, leaves out what is too young, and gives back what it kept', () => {
    const lines = randomGraph(5, 20, 60);
    const core = load(file(lines), 1024);
    const bytes = (): number[] => Array.from({ length: 8 }, (_, purpose) => core.call('memoryBytes', purpose));
    // Gone before the export begins.
    expect(core.request(5, 4, 0)).toBe(0);
    core.export();
    expect(core.request(1, 5, 0xffffffff, 0)).toBe(0);
    const before = bytes();
    const token = core.call('exportBegin', core.graph);
    const later = core.call('exportBegin', core.graph);
    expect(core.request(5, 3, 0)).toBe(0);
    expect(core.request(1, 5, 0xffffffff, 0)).toBe(0);
    expect(bytes()[2]).toBe(before[2]);
    const text: string[] = [];
    for (let phase = 0, id = 0; phase < 2; ) {
      expect(core.call('exportBlock', core.graph, token, ...core.filters({}), phase, id, 80)).toBe(0);
      text.push(Buffer.from(core.output()).toString());
      [phase, id] = [core.call('exportPhase'), core.call('exportNext')];
    }
    const gone = (from: number, { kind, ends }: Line, id: number): boolean =>
      kind === 'vertex' ? id === from : ends.includes(from);
    const left = (all: readonly number[]): string =>
      lines.map((line, id) => (all.some((from) => gone(from, line, id)) ? '' : written(line, id))).join('');
    expect(text.join('')).toBe(left([4]));
    core.call('exportEnd', token);
    core.call('exportEnd', token);
    expect(core.call('exportBlock', core.graph, token, ...core.filters({}), 0, 0, 80)).toBe(CHANGED);
    // The other one still needs the rows.
    expect(bytes()[2]).toBe(before[2]);
    core.call('exportEnd', later);
    expect(core.request(1, 5, 0xffffffff, 0)).toBe(0);
    expect(bytes()[2]).toBeLessThan(before[2] as number);
    expect(bytes()[6]).toBe(before[6]);
    const exported = core.export().split('\n').slice(1);
    const young = written({ kind: 'vertex', label: null, type: '', ends: [0, 0], list: [] }, 0).length;
    expect(exported.join('\n').length).toBeGreaterThan(left([4, 3]).length + young);
  });

  it('ends blocks early in a small reader arena, and names the need of a line that does not fit', () => {
    const core = load(file(randomGraph(6, 200, 400)), 2048);
    const wanted = core.export();
    const large = 'x'.repeat(300_000);
    core.load(
      utf8(`{"type":"vertex","id":1,"creationDate":5,"properties":{"k":{"type":"string","value":"${large}"}}}`),
    );
    const region = core.call('allocate', 0, 6, 1 << 24);
    core.exports.arenaAttachReader!(region, 1 << 17);
    const token = core.call('exportBegin', core.graph);
    const all: [number, number, number] = [0xffffffff, 0xffffffff, 0xffffffff];
    let text = '';
    for (let phase = 0, id = 0; phase < 2; ) {
      expect(core.call('exportBlock', core.graph, token, ...all, phase, id, 600)).toBe(0);
      text += Buffer.from(core.output()).toString();
      [phase, id] = [core.call('exportPhase'), core.call('exportNext')];
    }
    expect(wanted.endsWith(text)).toBe(true);
    const again = (): number => core.call('exportBlock', core.graph, token, ...all, 0, 600, 601);
    let status = again();
    // A need is what the piece at hand would have taken; doubling gets there in few steps.
    for (let bytes = 1 << 17; status !== 0 && bytes < 1 << 23; bytes *= 2) {
      expect(status).toBe(ARENA_TOO_SMALL);
      bytes = Math.max(bytes, core.call('arenaNeed'));
      core.exports.arenaAttachReader!(region, bytes);
      status = again();
    }
    expect(status).toBe(0);
    expect(core.output().length).toBeGreaterThan(300_000);
  });

  it('answers NO_MEMORY when a block does not fit, and goes on afterwards', () => {
    const text = file(randomGraph(7, 2000, 2000));
    const core = load(text, 8192);
    const token = core.call('exportBegin', core.graph);
    const seen = new Set<number>();
    for (let n = 1; n < 8; n++) {
      core.failAfter(n);
      seen.add(core.call('exportBlock', core.graph, token, ...core.filters({}), 0, 0, 4000));
      core.failAfter(0);
    }
    for (const status of seen) expect([0, NO_MEMORY]).toContain(status);
    expect(core.export() === text).toBe(true);
  });

  const folder = new URL('../../../shared/data/samples/', import.meta.url);
  const samples = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : [];
  it.skipIf(samples.length === 0)('imports the sample files and gives the same bytes the second time', () => {
    for (const name of samples) {
      const first = load(readFileSync(new URL(name, folder), 'utf8'), 8192).export();
      expect(first.split('\n').length).toBeGreaterThan(10);
      expect(load(first, 8192).export() === first).toBe(true);
    }
  });
});

// Element and traversal reads against a naive model, in the release and the debug build.

import { beforeAll, describe, expect, test } from 'vitest';
import { BUILDS, instantiate, OK, ReadsCore } from './support/reads-core.ts';
import type { NewElement } from './support/reads-graph.ts';
import { randomFrom, randomValue, TYPE, type Value } from './support/reads-values.ts';

const NOT_FOUND = 1;
const ARENA_TOO_SMALL = 7;
const ODD_TEXTS = [
  '',
  'plain',
  '"quoted" \\ back',
  'line\nfeed\ttab\u0000\u001f\u007f',
  '\ud800',
  'a\udc00b',
  '\u{1F600}',
  '中',
  '\u2028',
];

function textValue(value: string): Value {
  return { type: TYPE.String, value };
}

/** A graph in which every read finds something odd: names, kinds, removed elements, all types, many groups. */
function fill(core: ReadsCore, seed: number): void {
  const random = randomFrom(seed);
  const below = (count: number): number => Math.floor(random() * count);
  const { model } = core;
  const properties = (): [string, Value][] => {
    const keys = new Map<string, Value>();
    for (let i = below(5); i > 0; i--) {
      const type = 1 + below(19);
      const reserved = type === TYPE.SingleArray && random() < 0.5;
      keys.set(
        reserved ? `$embedding:${ODD_TEXTS[below(9)]}` : `${ODD_TEXTS[below(9)]}${below(3)}`,
        randomValue(type, random),
      );
    }
    return [...keys];
  };
  const common = (): NewElement => ({
    label: random() < 0.3 ? null : ODD_TEXTS[below(ODD_TEXTS.length)],
    creation: [0, 951782400, 4294967295, below(2 ** 32)][below(4)],
    properties: properties(),
  });
  for (let i = 0; i < 60; i++) model.add(common());
  expect(core.commit()).toBe(OK);
  for (let i = 0; i < 400; i++) {
    const [source, target] = [below(below(60) + 1), below(60)];
    model.add({ ...common(), source, target, type: ODD_TEXTS[1 + below(below(8) + 1)] });
  }
  expect(core.commit()).toBe(OK);
  for (let i = 0; i < 60; i++) model.remove(i % 20 === 0 ? 5 + i : 60 + below(400));
  expect(core.commit()).toBe(OK);
}

describe.each(BUILDS)('%s', (build) => {
  const seed = Number(process.env.SEED ?? (Date.now() ^ 0x5eed) >>> 0);
  let core: ReadsCore;

  beforeAll(() => {
    console.log(`reads: seed ${seed}`);
    core = new ReadsCore(build);
    fill(core, seed);
  });

  test('one element has the shape of the contract, whatever it holds', () => {
    for (let id = 0; id < core.model.elements.length; id++) {
      const expected = core.model.json(id);
      const status = core.exports.readElement(core.graph, id, 0);
      if (!expected) {
        expect(status).toBe(NOT_FOUND);
        continue;
      }
      expect(status).toBe(OK);
      expect(core.json()).toEqual(expected);
      const isVertex = 'outEdges' in expected;
      expect(core.exports.readElement(core.graph, id, isVertex ? 1 : 2)).toBe(OK);
      expect(core.exports.readElement(core.graph, id, isVertex ? 2 : 1)).toBe(NOT_FOUND);
    }
    for (const id of [460, 65536, 0x7fffffff, 0x80000000, 0xffffffff]) {
      expect(core.exports.readElement(core.graph, id, 0)).toBe(NOT_FOUND);
    }
  });

  test('members stand in the order of the contract', () => {
    const one = new ReadsCore(build);
    one.model.add({
      label: 'person',
      properties: [
        ['b', textValue('x')],
        ['a', { type: TYPE.Int32, value: -5n }],
      ],
    });
    one.model.add({ source: 0, target: 0, type: 'knows', creation: 86399 });
    expect(one.commit()).toBe(OK);
    expect(one.exports.readElement(one.graph, 0, 1)).toBe(OK);
    expect(one.text()).toBe(
      '{"id":0,"creationDate":"1970-01-01T00:00:00","modificationDate":"1970-01-01T00:00:00","label":"person","properties":[' +
        '{"propertyId":"a","fullQualifiedTypeName":"System.Int32","propertyValue":"-5"},' +
        '{"propertyId":"b","fullQualifiedTypeName":"System.String","propertyValue":"x"}],' +
        '"outEdges":{"knows":[1]},"inEdges":{"knows":[1]}}',
    );
    expect(one.exports.readElement(one.graph, 1, 2)).toBe(OK);
    expect(one.text()).toBe(
      '{"id":1,"creationDate":"1970-01-01T23:59:59","modificationDate":"1970-01-01T23:59:59","label":null,"properties":[],' +
        '"sourceVertex":0,"targetVertex":0,"edgePropertyId":"knows"}',
    );
  });

  test('a list of ids answers items in order and collects the missing', () => {
    const ids = [...core.model.elements.keys()].reverse().flatMap((id) => [id, 100000 + id]);
    const [at] = core.input(new Uint8Array(Uint32Array.from([...ids, 0xffffffff]).buffer));
    const items: unknown[] = [];
    const missing: number[] = [];
    let start = 0;
    while (start < ids.length + 1) {
      expect(core.exports.readElements(core.graph, at, ids.length + 1, start)).toBe(OK);
      const found = JSON.parse(`[${core.text()}]`);
      expect(found).toHaveLength(core.exports.readCount());
      items.push(...found);
      missing.push(...new Uint32Array(core.memory.buffer, at + 4 * start, core.exports.readMissing()));
      start = core.exports.readCursor();
    }
    expect(items).toEqual(ids.map((id) => core.model.json(id, true)).filter((item) => item !== null));
    expect(missing).toEqual([...ids.filter((id) => !core.model.elements[id]), 0xffffffff]);
  });

  test('the graph comes in blocks of at most the asked number, by kind', () => {
    for (const [kind, name] of [
      [1, 'vertex'],
      [2, 'edge'],
    ] as const) {
      const expected = core.model.live(name).map(({ id }) => core.model.json(id));
      for (const limit of [0, 1, 7, 100000]) {
        const found: unknown[] = [];
        let from = 0;
        do {
          expect(core.exports.readGraph(core.graph, kind, from, limit)).toBe(OK);
          found.push(...JSON.parse(`[${core.text()}]`));
          from = core.exports.readCursor();
          expect(core.exports.readCount()).toBeLessThanOrEqual(limit);
        } while (core.exports.readCount() > 0);
        expect(found).toEqual(limit ? expected : []);
      }
    }
  });

  test('traversal reads', () => {
    const { exports, graph, model } = core;
    for (const [direction, side] of [
      [0, 'out'],
      [1, 'in'],
    ] as const) {
      for (let id = 0; id < model.elements.length + 2; id++) {
        const isVertex = model.elements[id]?.kind === 'vertex';
        const groups = model.groups(id, side);
        expect(exports.readEdgeTypes(graph, id, direction)).toBe(isVertex ? OK : NOT_FOUND);
        if (isVertex) expect(core.json().sort()).toEqual([...groups.keys()].sort());
        const degree = [...groups.values()].reduce((sum, { length }) => sum + length, 0);
        expect(exports.readDegree(graph, id, direction)).toBe(isVertex ? degree : -1);
        for (const type of [...ODD_TEXTS, 'never seen']) {
          const group = isVertex ? groups.get(type) : undefined;
          const [at, bytes] = core.input(type);
          expect(exports.readGroup(graph, id, direction, at, bytes)).toBe(group ? OK : NOT_FOUND);
          if (group) expect(core.json()).toEqual(group);
          expect(exports.readGroupDegree(graph, id, direction, at, bytes)).toBe(isVertex ? (group?.length ?? 0) : -1);
        }
      }
    }
    for (const [id, one] of model.elements.entries()) {
      const isEdge = one?.kind === 'edge';
      expect(exports.readEndpoint(graph, id, 0)).toBe(isEdge ? one.source : -1);
      expect(exports.readEndpoint(graph, id, 1)).toBe(isEdge ? one.target : -1);
    }
    expect(exports.vertexCount(graph)).toBe(model.live('vertex').length);
    expect(exports.edgeCount(graph)).toBe(model.live('edge').length);
    expect(exports.nextId(graph)).toBe(460);
    expect(exports.graphVersion(graph)).toBe(3);
  });

  test('numbers and dates are written like the host writes them', () => {
    const [at] = core.input(new Uint8Array(64));
    const texts = (name: 'numberText' | 'dateText', value: number): string =>
      new TextDecoder().decode(core.bytes.slice(at, at + core.exports[name](at, value)));
    const random = randomFrom(7);
    const values = [0, 0xffffffff, 4107542400, 951868800, 951782399, 86400, 5097600];
    for (let power = 1; power < 2 ** 32; power *= 10) values.push(power - 1, power, power + 1);
    for (let i = 0; i < 20000; i++) values.push(Math.floor(random() * 2 ** (1 + (i % 32))));
    for (const value of values) {
      expect(texts('numberText', value)).toBe(String(value));
      expect(texts('dateText', value)).toBe(new Date(value * 1000).toISOString().slice(0, 19));
    }
  });

  test('id lists', () => {
    const ids = Array.from({ length: 5000 }, (_, i) => (i * 2654435761) >>> (i % 31));
    for (const count of [0, 1, 2, 1024, 1025, 5000]) {
      const [at] = core.input(new Uint8Array(Uint32Array.from(ids.slice(0, count)).buffer));
      expect(core.exports.writeIdArray(at, count)).toBe(OK);
      expect(core.text()).toBe(JSON.stringify(ids.slice(0, count)));
    }
  });

  test('long texts and hubs grow the output, and a small reader says what it needs', () => {
    const one = new ReadsCore(build);
    const long = 'aé"\u0001\ud800\u{1F600}'.repeat(40000);
    one.model.add({ label: 'x', properties: [['long', textValue(long)]] });
    for (let i = 0; i < 30000; i++) one.model.add({ source: 0, target: 0, type: i % 2 ? 'odd' : 'even' });
    expect(one.commit()).toBe(OK);
    const expected = one.model.json(0);
    expect(one.exports.readElement(one.graph, 0, 1)).toBe(OK);
    expect(one.json()).toEqual(expected);

    const reader = instantiate(build, one.memory);
    const bytes = 65536;
    const region = one.exports.allocate(0, 6, bytes) >>> 0;
    reader.arenaAttachReader(region, bytes);
    const slot = reader.readerAttach();
    reader.readerEnter(slot);
    expect(reader.readElement(one.graph, 0, 1)).toBe(ARENA_TOO_SMALL);
    expect(reader.arenaNeed() >>> 0).toBeGreaterThan(bytes);
    expect(reader.readElement(one.graph, 1, 2)).toBe(OK);
    expect(one.json(reader)).toEqual(one.model.json(1));
    expect(reader.readGraph(one.graph, 1, 0, 5)).toBe(ARENA_TOO_SMALL);
    const edges: unknown[] = [];
    for (let from = 0; from < 1000; from = reader.readCursor()) {
      expect(reader.readGraph(one.graph, 2, from, 1000 - edges.length)).toBe(OK);
      edges.push(...JSON.parse(`[${one.text(reader)}]`));
    }
    expect(edges).toEqual(Array.from({ length: edges.length }, (_, i) => one.model.json(i + 1)));
    reader.readerExit(slot);
    reader.readerDetach(slot);
  });
});

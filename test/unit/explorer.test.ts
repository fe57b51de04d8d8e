// The explorer without a page: what is shown and taken back, captions, places, colours, what is read and told of calls.

import { describe, expect, test } from 'vitest';
import { asClientLine, asCurl, asPageLine, type Call } from '../../explorer/data/calls.ts';
import { readTopology } from '../../explorer/data/topology.ts';
import { ForceLayout, stepsFor } from '../../explorer/layout/force.ts';
import { captionOf, guessCaptions, shortened } from '../../explorer/model/captions.ts';
import { connectionWords, type EdgeData, type VertexData } from '../../explorer/model/elements.ts';
import { begun, redone, stepped, undone } from '../../explorer/model/history.ts';
import { type Positions, placeNew } from '../../explorer/model/positions.ts';
import * as scenes from '../../explorer/model/scene.ts';
import { evenIds, schemaOf, typesOf } from '../../explorer/model/schema.ts';
import { LabelPlacer } from '../../explorer/render/labels.ts';
import { Pace, spreadOrder } from '../../explorer/render/pace.ts';

const text = 'System.String';
const vertex = (id: number, label: string | null = 'a', ...values: [key: string, value: string][]): VertexData => ({
  id,
  label,
  properties: values.map(([key, value]) => ({ key, type: text, value })),
});
const edge = (id: number, source: number, target: number, type = 'e'): EdgeData => ({ id, type, source, target });

describe('expanding', () => {
  const hub = { vertex: 0, direction: 'out', type: 'e' } as const;
  const key = scenes.expansionKey(0, 'out', 'e');
  const group = Array.from({ length: 100_000 }, (_, i) => edge(1_000_000 + i, 0, i + 1));
  const step = (scene: scenes.Scene): { scene: scenes.Scene; taken: number[] } => {
    const after = scenes.lastOfGroup(scene, key);
    const page = group.slice(Math.max(0, after - 999_999)).slice(0, 100);
    const { fresh, last } = scenes.freshOf(scene, page, 25);
    const vertices = fresh.map(({ target }) => vertex(target));
    return { scene: scenes.expanded(scene, hub, last, { vertices, edges: fresh }), taken: fresh.map(({ id }) => id) };
  };
  const start = scenes.withElements(scenes.emptyScene, [vertex(0), vertex(3)], []);

  test('the next edges of a hub never repeat, and collapsing takes exactly them back', () => {
    let scene = start;
    const seen: number[] = [];
    for (let i = 0; i < 40; i++) {
      const next = step(scene);
      scene = next.scene;
      seen.push(...next.taken);
    }
    expect(new Set(seen).size).toBe(1000);
    expect(scenes.visibleOf(scene).edges).toHaveLength(1000);
    const back = scenes.collapsed(scene, 0);
    expect([...back.vertices.keys()]).toEqual([0, 3]);
    expect(back.edges.size).toBe(0);
    expect(scenes.lastOfGroup(back, key)).toBe(-1);
    expect(scenes.freshOf(back, group, 25).fresh).toEqual(group.slice(0, 25));
  });

  test('a collapse leaves what was expanded in turn, and what that has brought', () => {
    const first = step(start).scene;
    const found = { vertices: [vertex(500_001), vertex(2)], edges: [edge(5, 7, 500_001), edge(6, 7, 2)] };
    const second = scenes.expanded(first, { vertex: 7, direction: 'out', type: 'e' }, 6, found);
    const left = scenes.collapsed(second, 0);
    expect([...left.vertices.keys()].sort((a, b) => a - b)).toEqual([0, 2, 3, 7, 500_001]);
    expect([...left.edges.keys()].sort()).toEqual([5, 6]);
  });
});

describe('what is shown', () => {
  const vertices = [vertex(1, 'a'), vertex(2, 'b'), vertex(3, null)];
  const edges = [edge(10, 1, 2), edge(11, 2, 3, 'f'), edge(12, 1, 1), edge(13, 1, 99)];
  const scene = scenes.withElements(scenes.emptyScene, vertices, edges);
  const idsOf = (shown: scenes.Scene): number[][] => {
    const { vertices, edges } = scenes.visibleOf(shown);
    return [vertices.map(({ id }) => id), edges.map(({ id }) => id)];
  };

  test('an edge without both ends is none; hiding takes the edges along', () => {
    expect(idsOf(scene)).toEqual([
      [1, 2, 3],
      [10, 11, 12],
    ]);
    expect(idsOf(scenes.toggledName(scene, 'hiddenLabels', 'b'))).toEqual([[1, 3], [12]]);
    expect(idsOf(scenes.toggledName(scene, 'hiddenLabels', '(no label)'))[0]).toEqual([1, 2]);
    expect(idsOf(scenes.toggledName(scene, 'hiddenTypes', 'f'))[1]).toEqual([10, 12]);
    expect(idsOf(scenes.withVerticesHidden(scene, [1]))).toEqual([[2, 3], [11]]);
    expect(idsOf(scenes.withNothingHidden(scenes.withVerticesHidden(scene, [1])))).toEqual(idsOf(scene));
    expect(idsOf(scenes.onlyVertices(scene, new Set([1, 2])))).toEqual([
      [1, 2],
      [10, 12],
    ]);
  });

  test('undo goes back a step, redo forth; a new step ends what was undone', () => {
    let history = begun(0);
    for (let i = 1; i <= 60; i++) history = stepped(history, i);
    expect(undone(undone(history)).present).toBe(58);
    expect(redone(undone(history)).present).toBe(60);
    expect(redone(stepped(undone(history), 7)).present).toBe(7);
    for (let i = 0; i < 100; i++) history = undone(history);
    expect(history.present).toBe(10);
    expect(stepped(history, 10)).toBe(history);
  });
});

describe('captions', () => {
  test('a name is better than a code, a code better than nothing', () => {
    const named = [vertex(1, 'a', ['code', 'n00017'], ['name', 'Ada']), vertex(2, 'b', ['note', 'x']), vertex(3, 'c')];
    const captions = guessCaptions(named);
    expect(named.map((one) => captionOf(one, captions))).toEqual(['Ada', 'x', '#3']);
    const coded = [vertex(1, 'a', ['key', 'n00489236'], ['gloss', 'the second smallest continent'])];
    expect(guessCaptions(coded).get('a')).toBe('gloss');
  });

  test('no mark turns the line around, and a long text costs nothing', () => {
    expect(shortened('a\u202eb\nc\u2066d', 10)).toBe('a b c d');
    expect(shortened('<b>x</b>', 20)).toBe('<b>x</b>');
    expect([...shortened('😀'.repeat(5_000_000), 10)]).toHaveLength(10);
  });
});

describe('places', () => {
  const vertices = Array.from({ length: 200 }, (_, id) => vertex(id));
  const edges = vertices.slice(1).map(({ id }) => edge(1000 + id, id, Math.floor(id / 3)));
  const laidOut = (fixed: (id: number) => boolean): Float32Array => {
    const positions: Positions = new Map();
    placeNew(positions, vertices, edges);
    const layout = new ForceLayout({
      places: Float32Array.from(vertices.flatMap(({ id }) => [positions.get(id)?.x ?? 0, positions.get(id)?.y ?? 0])),
      fixed: Uint8Array.from(vertices, ({ id }) => Number(fixed(id))),
      links: Uint32Array.from(edges.flatMap(({ source, target }) => [source, target])),
      spacing: 1,
    });
    let steps = 1;
    while (layout.step()) steps++;
    expect(steps).toBe(stepsFor(vertices.length));
    return layout.places();
  };

  test('the same graph gives the same picture, and a layout ends', () => {
    const first = laidOut(() => false);
    expect(laidOut(() => false)).toEqual(first);
    expect(first.every(Number.isFinite)).toBe(true);
  });

  test('what stands stays where it is when something is added', () => {
    const positions: Positions = new Map();
    placeNew(positions, vertices, edges);
    const before = new Map(positions);
    const added = placeNew(positions, [...vertices, vertex(900)], [...edges, edge(9000, 900, 5)]);
    expect([...added]).toEqual([900]);
    for (const [id, point] of before) expect(positions.get(id)).toBe(point);
    const places = laidOut((id) => id < 150);
    for (let id = 0; id < 150; id++) expect(places[2 * id]).toBeCloseTo(before.get(id)?.x ?? Number.NaN, 3);
  });

  test('captions never touch, leave the picture, or lie under a button', () => {
    const area = { left: 0, top: 0, right: 1200, bottom: 800 };
    const button = { left: 10, top: 10, right: 400, bottom: 60 };
    const placer = new LabelPlacer(area);
    placer.keepFree(button);
    let seed = 17;
    const chance = (most: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % most;
    };
    for (let id = 0; id < 3000; id++)
      placer.place({ id, text: '', x: chance(1200), y: chance(800), width: 10 + chance(140), height: 15 });
    const boxes = placer.placed;
    expect(boxes.length).toBeGreaterThan(50);
    for (const [at, a] of boxes.entries()) {
      expect(a.left >= 0 && a.right <= 1200 && a.top >= 0 && a.bottom <= 800, JSON.stringify(a)).toBe(true);
      for (const b of [button, ...boxes.slice(at + 1)]) {
        const apart = a.left >= b.right || b.left >= a.right || a.top >= b.bottom || b.top >= a.bottom;
        expect(apart, `${JSON.stringify(a)} ${JSON.stringify(b)}`).toBe(true);
      }
    }
  });
});

test('how a vertex is connected is said in words', () => {
  const group = (direction: 'in' | 'out', type: string, count: number) => ({ direction, type, count });
  expect(connectionWords([group('in', 'knows', 1200), group('in', 'likes', 34), group('out', 'likes', 1)])).toBe(
    '1,234 edges lead to it, 1,200 of them knows; 1 edge leads away, of type likes.',
  );
  expect(connectionWords([group('out', 'likes', 2)])).toBe('None leads to it; 2 edges lead away, all of them likes.');
  expect(connectionWords([])).toBe('');
});

describe('what is asked and told', () => {
  test('a topology is read, and something else is not', () => {
    const names = new TextEncoder().encode('["e","f"]');
    const words = [0x31505441, 1, 2, 2, names.length, 7, 9, 100, 101, 0, 1, 1, 1, 0, 1];
    const bytes = new Uint8Array(4 * words.length + names.length);
    for (const [at, word] of words.entries()) new DataView(bytes.buffer).setUint32(4 * at, word, true);
    bytes.set(names, 4 * words.length);
    expect(readTopology(bytes.buffer)).toEqual({
      vertices: [7, 9],
      edges: [edge(100, 7, 9, 'e'), edge(101, 9, 9, 'f')],
      isComplete: false,
    });
    expect(() => readTopology(new TextEncoder().encode('<!doctype html><p>no</p>').buffer)).toThrow('no topology');
  });

  test('a schema counts what lies between labels', () => {
    const edges = [edge(1, 1, 2), edge(2, 1, 2), edge(3, 2, 9, 'f')];
    const schema = schemaOf(edges, new Map(Object.entries({ 1: 'a', 2: 'b' }).map(([id, name]) => [Number(id), name])));
    expect(schema).toEqual([
      { from: 'a', to: 'b', type: 'e', count: 2 },
      { from: 'b', to: '(no label)', type: 'f', count: 1 },
    ]);
    expect(typesOf(schema, 300)).toEqual([
      { name: 'e', count: 200 },
      { name: 'f', count: 100 },
    ]);
    expect(evenIds(3, 10)).toEqual([0, 1, 2]);
    expect(evenIds(100, 4)).toEqual([12, 37, 62, 87]);
  });

  test('a call becomes curl and a line of the client, without its key', () => {
    const call: Call = {
      number: 1,
      method: 'POST',
      url: 'http://localhost:8080/ns/default/analytics/DEGREE',
      path: '/analytics/DEGREE',
      body: '{"maxResults":3}',
      status: 200,
      ms: 5,
      warnings: [],
    };
    expect(asCurl(call, true)).toBe(
      `curl -s 'http://localhost:8080/ns/default/analytics/DEGREE' -H "X-Api-Key: $ARCWISE_KEY" -H 'content-type: application/json' -d '{"maxResults":3}'`,
    );
    expect(asClientLine(call)).toBe(
      `await client.post('/analytics/{algorithmName}', { path: {"algorithmName":"DEGREE"}, body: {"maxResults":3} });`,
    );
    const read = { ...call, method: 'GET', path: '/vertex/17', url: 'http://x/ns/a/vertex/17', body: null };
    expect(asClientLine(read)).toBe(`await client.get('/vertex/{id}', { path: {"id":17} });`);
    expect(asPageLine(call)).toBe(
      `await arcwise.fetch('/ns/default/analytics/DEGREE', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"maxResults":3}' });`,
    );
    expect(asCurl({ ...read, url: "http://x/o'clock" }, false)).toBe(`curl -s 'http://x/o'\\''clock'`);
  });
});

test('a moving picture shows as many edges as a frame has time for, and more of them when it has more', () => {
  const pace = new Pace();
  expect(pace.edgesOf(40_000)).toBe(40_000);
  pace.took(1000, 40_000);
  expect(pace.edgesOf(40_000)).toBe(2000);
  pace.took(40, 2000);
  expect(pace.edgesOf(40_000)).toBe(2000);
  pace.took(10, 2000);
  expect(pace.edgesOf(40_000)).toBe(3000);
  expect(pace.edgesOf(200)).toBe(200);
  pace.took(60_000, 3000);
  expect(pace.edgesOf(40_000)).toBe(500);
});

test.each([0, 1, 2, 7, 1000, 60_000])('each beginning of %i edges is an even sample of them', (count) => {
  const order = [...spreadOrder(count)];
  expect(order.toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, at) => at));
  if (count < 1000) return;
  const tenths = new Set(order.slice(0, 30).map((place) => Math.floor((10 * place) / count)));
  expect(tenths.size).toBe(10);
});

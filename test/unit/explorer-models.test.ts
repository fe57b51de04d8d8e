// What the explorer makes of a scene and of questions: filters, scales, files, completions, patterns, rings.

import { describe, expect, test } from 'vitest';
import { radialPlaces } from '../../explorer/layout/radial.ts';
import { clusterOf, writesWords } from '../../explorer/model/cluster.ts';
import { completionAt } from '../../explorer/model/completion.ts';
import type { EdgeData, VertexData, WholeEdge } from '../../explorer/model/elements.ts';
import { csvOf, graphmlOf, jsonlOf } from '../../explorer/model/exports.ts';
import { filterOf } from '../../explorer/model/filter.ts';
import { colourScale, defaultLooks, partOf, sizeScale } from '../../explorer/model/looks.ts';
import { emptyStep, patternsOf } from '../../explorer/model/questions.ts';
import { enclosed } from '../../explorer/render/hits.ts';
import { channelsOf, ground, rampColour } from '../../explorer/style/palette.ts';

const vertex = (id: number, values: Record<string, string>): VertexData => ({
  ...{ id, label: 'a' },
  properties: Object.entries(values).map(([key, value]) => ({ key, type: 'System.String', value })),
});
const vertices = [vertex(0, { n: '1', t: 'Ulm' }), vertex(1, { n: '5', t: 'Bonn' }), vertex(2, { t: 'Köln' })];
const edges: EdgeData[] = [
  { id: 3, type: 'e', source: 0, target: 1 },
  { id: 4, type: 'e', source: 0, target: 2 },
  { id: 5, type: 'e', source: 0, target: 0 },
];

test('a filter passes by value, by range with both ends, and by edges shown', () => {
  const passing = (filter: Parameters<typeof filterOf>[0]): number[] =>
    vertices.filter(filterOf(filter, edges)).map(({ id }) => id);
  expect(passing({ kind: 'value', key: 't', text: 'ÖL' })).toEqual([2]);
  expect(passing({ kind: 'range', key: 'n', low: 1, high: 5 })).toEqual([0, 1]);
  expect(passing({ kind: 'range', key: 'n', low: 1.1, high: 5 })).toEqual([1]);
  expect(passing({ kind: 'degree', low: 2, high: 9 })).toEqual([0]);
});

test('a scale goes from the least to the greatest value there is; a rule compares or contains', () => {
  const facts = { degrees: new Map([[0, 3]]), scores: new Map([[1, 0.5]]), groups: null };
  const byNumber = colourScale({ ...defaultLooks, colourBy: 'property', colourKey: 'n' }, vertices, facts);
  expect(byNumber).toMatchObject({ kind: 'range', low: 1, high: 5 });
  expect(byNumber?.of(vertices[2] as VertexData)).toBeNull();
  const rule = colourScale({ ...defaultLooks, colourBy: 'rule', colourKey: 'n', rule: '>= 5' }, vertices, facts);
  expect(vertices.map((one) => rule?.of(one) !== null)).toEqual([false, true, false]);
  expect(colourScale({ ...defaultLooks, colourBy: 'answer' }, vertices, facts)).toMatchObject({ low: 0.5, high: 0.5 });
  const sizes = sizeScale(defaultLooks, vertices, facts);
  expect(sizes === null ? null : partOf(sizes, 3)).toBe(1);
  expect(colourScale(defaultLooks, vertices, facts)).toBeNull();
});

test.each(['light', 'dark'] as const)(
  'the ramp stands out from the ground and gets steadily further from it in %s',
  (theme) => {
    const luminance = (colour: string): number => {
      const [r, g, b] = channelsOf(colour).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
      return 0.2126 * (r as number) + 0.7152 * (g as number) + 0.0722 * (b as number);
    };
    const contrasts = [0, 0.25, 0.5, 0.75, 1].map((part) => {
      const [a, b] = [luminance(rampColour(part, theme)), luminance(ground[theme])].sort((x, y) => y - x);
      return ((a as number) + 0.05) / ((b as number) + 0.05);
    });
    expect(Math.min(...contrasts)).toBeGreaterThan(3);
    expect(contrasts).toEqual(contrasts.toSorted((a, b) => a - b));
  },
);

describe('files', () => {
  const wild = [vertex(7, { 'a,b': 'x"y\n', f: '=1+1', c: '<&\u0000\ud800' })];

  const whole = (edge: EdgeData, values: Record<string, string>): WholeEdge => ({
    ...vertex(edge.id, values),
    ...edge,
  });
  const [first, second, loop] = edges.map((edge) => whole(edge, { since: String(1900 + edge.id), type: '<x>' }));

  test('a table quotes what would break it, and starts no formula', () => {
    expect(csvOf(wild)).toBe('id,label,"a,b",f,c\r\n7,a,"x""y\n",\'=1+1,<&\u0000\ud800\r\n');
  });

  test('a table of edges has a column for each key, also for one that is called like a column of ours', () => {
    const bare = { ...whole(edges[1] as EdgeData, {}), label: null };
    expect(csvOf([first as WholeEdge, bare]).split('\r\n')).toEqual([
      'id,type,source,target,label,since,property type',
      '3,e,0,1,a,1903,<x>',
      '4,e,0,2,,,',
      '',
    ]);
  });

  test('GraphML holds nothing that XML cannot, and what nodes and edges carry under names of their own', () => {
    const text = graphmlOf({ vertices: wild, edges: [second as WholeEdge] });
    expect(text).toContain('&lt;&amp; \ufffd');
    expect(text).toContain('<node id="n7">');
    expect(text).toContain('<key id="q0" for="edge" attr.name="since" attr.type="string"/>');
    expect(text).toContain(
      '<edge id="e4" source="n0" target="n2"><data key="type">e</data><data key="edgeLabel">a</data>' +
        '<data key="q0">1904</data><data key="q1">&lt;x&gt;</data></edge>',
    );
  });

  test('lines are those of the bulk route', () => {
    const [meta, node, edge] = jsonlOf({ vertices: wild, edges: [loop as WholeEdge] })
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(meta).toMatchObject({ format: 'service-jsonl', vertexCount: 1, edgeCount: 1 });
    expect(node.properties.f).toEqual({ type: 'System.String', value: '=1+1' });
    expect(edge).toMatchObject({ edgePropertyId: 'e', source: 0, target: 0, label: 'a' });
    expect(edge.properties.since).toEqual({ type: 'System.String', value: '1905' });
  });
});

test('completion knows members behind a dot, names within quotes, and nothing elsewhere', () => {
  const at = (text: string): unknown => completionAt(text, text.length, 'VertexFilter', ['person', 'town']);
  expect(at('return v => v.La')).toEqual({ start: 14, offers: ['Label'], end: '' });
  expect(at('return v => v.Label == "per')).toEqual({ start: 24, offers: ['person'], end: '"' });
  expect(completionAt('return v => v.Label == "per";', 27, 'VertexFilter', ['person'])?.end).toBe('');
  expect(at('return v => v.Label == "person"')).toBeNull();
});

test('a pattern has an edge between two vertices, and names cannot leave their quotes', () => {
  expect(patternsOf([{ ...emptyStep, label: 'a"b', edgeType: 'e', maxLength: 3 }, emptyStep])).toEqual([
    { type: 'Vertex', vertexFilter: 'return v => v.Label == "a\\"b";' },
    {
      ...{ type: 'VariableLengthEdge', direction: 'OutgoingEdge', edgePropertyFilter: 'return t => t == "e";' },
      ...{ minLength: 1, maxLength: 3 },
    },
    { type: 'Vertex', vertexFilter: null },
  ]);
});

test('rings: the root in the middle, each vertex as far out as it is away, what is fixed stays', () => {
  const places = new Float32Array([9, 9, 9, 9, 9, 9, 5, 6]);
  const input = { places, fixed: new Uint8Array([0, 0, 0, 1]), links: new Uint32Array([0, 1, 1, 2]), spacing: 1 };
  const result = radialPlaces(input, 0);
  const away = [0, 1, 2].map((i) => Math.round(Math.hypot(result[2 * i] as number, result[2 * i + 1] as number)));
  expect(away).toEqual([0, 90, 180]);
  expect([...result.subarray(6)]).toEqual([5, 6]);
  expect(radialPlaces(input, 0)).toEqual(result);
});

test('a lasso takes what is inside of its line', () => {
  const buffers = { vertexIds: new Int32Array([1, 2]), vertices: new Float32Array([5, 5, 1, 1, 50, 5, 1, 1]) };
  const square = [0, 10].flatMap((x) => [
    { x, y: x },
    { x: 10 - x, y: x },
  ]);
  const line = [square[0], square[1], square[2], square[3]] as { x: number; y: number }[];
  expect([...enclosed(buffers as never, [line[0], line[1], { x: 10, y: 10 }, { x: 0, y: 10 }] as never)]).toEqual([1]);
});

test('a cluster is drawn with every node that is known of, and the writer of the namespace that is shown', () => {
  const answer = {
    ...{ role: 'replica', node: 'http://a:1', writer: 'http://b:2', nodes: ['http://a:1', 'http://b:2'] },
    namespaces: [
      { name: 'people', writer: 'http://c:3' },
      { name: 'lost', writer: null },
      ...['p', 'q', 'r', 's'].map((name) => ({ name, writer: 'http://a:1' })),
    ],
  };
  const people = clusterOf(answer, 'people');
  expect(people?.writer).toBe('http://c:3');
  expect(people?.nodes.map((node) => [node.name, node.isAsked, writesWords(node)])).toEqual([
    ['a:1', true, 'writes p, q, r and 1 more'],
    ['b:2', false, 'writes default'],
    ['c:3', false, 'writes people'],
  ]);
  expect(clusterOf(answer, 'default')?.writer).toBe('http://b:2');
  expect(clusterOf(answer, 'lost')?.writer).toBeNull();
  expect(clusterOf({ ...answer, role: 'alone' }, 'people')).toBeNull();
});

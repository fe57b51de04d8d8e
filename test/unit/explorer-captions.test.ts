// Which captions the picture writes, on a canvas that only measures.

import { expect, test } from 'vitest';
import { excerptOf, nameKeysOf } from '../../explorer/model/captions.ts';
import type { VertexData } from '../../explorer/model/elements.ts';
import { buffersOf, edgeFloats, maxCurves, vertexFloats } from '../../explorer/render/buffers.ts';
import { CaptionsLayer } from '../../explorer/render/captions-layer.ts';

const characterWidth = 7;
const context = {
  setTransform() {},
  clearRect() {},
  strokeText() {},
  fillText() {},
  measureText: (text: string) => ({ width: characterWidth * text.length }),
};
const layer = new CaptionsLayer({ getContext: () => context } as unknown as HTMLCanvasElement);

/** Ids with a caption, of a vertex in a ring of so many, close around it on all sides. */
function captioned(neighbours: number, chosen: readonly number[] = []): number[] {
  const vertices = Array.from(
    { length: neighbours + 1 },
    (_, id) => ({ id, label: 'person', properties: [] }) as unknown as VertexData,
  );
  const radiusOf = ({ id }: { readonly id: number }): number => (id === 0 ? 20 : 5);
  const buffers = buffersOf({ vertices, edges: [] } as never, { colourOf: () => '#336699', radiusOf, drawsAll: true });
  for (let place = 1; place <= neighbours; place++) {
    const [ring, turn] = [Math.floor((place - 1) / 24), (2 * Math.PI * place) / 24];
    buffers.vertices[vertexFloats * place] = (28 + 11 * ring) * Math.cos(turn);
    buffers.vertices[vertexFloats * place + 1] = (28 + 11 * ring) * Math.sin(turn);
  }
  const boxes = layer.draw(
    {
      buffers,
      vertices,
      camera: { x: 0, y: 0, scale: 1 },
      size: { width: 800, height: 600 },
      chosen: { vertices: new Set(chosen), edges: new Set() } as never,
      line: [],
      hovered: null,
      covered: [],
      looks: { ink: '#000', quiet: '#555', halo: '#fff', captionOf: ({ id }) => `vertex number ${id}` },
    },
    1,
  );
  return boxes.map(({ id }) => id);
}

test('a hub has its caption, also where its neighbours leave no room for one', () => {
  expect(captioned(0)).toEqual([0]);
  expect(captioned(240)[0]).toBe(0);
});

test('what is chosen comes first, and the hub goes without one there', () => {
  const ids = captioned(240, [7]);
  expect(ids[0]).toBe(7);
  expect(ids).not.toContain(0);
});

test('a hit of the search shows the text that was typed, wherever it stands', () => {
  const property = (key: string, value: string) => ({ key, type: 'System.String', value });
  const gloss = `${'the branch of geology that deals, among others, with mountains of fire, '.repeat(2)}with Volcanoes, too`;
  const hit: VertexData = { id: 1, label: 'a', properties: [property('name', 'geology'), property('gloss', gloss)] };
  expect(excerptOf(hit, new Map([['a', 'name']]), 'geol')).toBe('geology');
  expect(excerptOf(hit, new Map([['a', 'name']]), 'volcano')).toBe('geology · …s of fire, with Volcanoes, too');
  expect(excerptOf(hit, new Map([['a', 'gloss']]), 'volcano')).toBe('…s of fire, with Volcanoes, too');
  expect(excerptOf(hit, new Map([['a', 'name']]), '#1')).toBe('geology');
  expect(nameKeysOf(['gloss', 'key', 'lemma', 'other'], new Map([['a', 'gloss']]))).toEqual(['lemma', 'key', 'gloss']);
});

test('loops are drawn as such and parallel edges bend; of very many edges only loops do', () => {
  const looks = { colourOf: () => '#336699', radiusOf: () => 5, drawsAll: true };
  const vertices = [0, 1].map((id) => ({ id, label: null, properties: [] }));
  const bends = (parallel: number): { straight: number; bent: number } => {
    const edges = Array.from({ length: parallel }, (_, id) => ({ id, type: 'e', source: 0, target: 1 }));
    edges.push({ id: parallel, type: 'e', source: 1, target: 1 });
    const { straight, edges: rows, drawnEdges } = buffersOf({ vertices, edges }, looks);
    const bent = drawnEdges.filter((_, row) => rows[edgeFloats * row + 4] !== 0);
    expect(drawnEdges.slice(straight)).toEqual(bent); // those that bend stand last
    return { straight, bent: bent.length };
  };
  expect(bends(1)).toEqual({ straight: 1, bent: 1 });
  expect(bends(2)).toEqual({ straight: 0, bent: 3 });
  expect(bends(maxCurves - 2)).toEqual({ straight: 0, bent: maxCurves - 1 });
  expect(bends(maxCurves)).toEqual({ straight: maxCurves, bent: 1 });
});

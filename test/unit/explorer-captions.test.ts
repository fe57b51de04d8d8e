// Which captions the picture writes, on a canvas that only measures.

import { expect, test } from 'vitest';
import type { VertexData } from '../../explorer/model/elements.ts';
import { buffersOf, vertexFloats } from '../../explorer/render/buffers.ts';
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

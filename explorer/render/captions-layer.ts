// The texts over the picture, on a canvas of their own: captions of vertices, and of edges when one is near enough to read them.

import type { VertexData } from '../model/elements.ts';
import type { Point } from '../model/positions.ts';
import { type Buffers, type Chosen, edgeFloats, vertexFloats } from './buffers.ts';
import { type Camera, radiusOnScreen, type Size, toScreen } from './camera.ts';
import { type Box, type Disc, LabelPlacer, type Rectangle } from './labels.ts';

export interface CaptionLooks {
  readonly ink: string;
  readonly quiet: string;
  readonly halo: string;
  readonly captionOf: (vertex: VertexData) => string;
}

export interface CaptionInput {
  readonly buffers: Buffers;
  readonly vertices: readonly VertexData[];
  readonly camera: Camera;
  readonly size: Size;
  readonly chosen: Chosen;
  /** What is being enclosed, in pixels. */
  readonly line: readonly Point[];
  readonly hovered: number | null;
  /** Where buttons lie over the picture. */
  readonly covered: readonly Rectangle[];
  readonly looks: CaptionLooks;
}

const maxCaptions = 220;
/** Captions for which room is looked for in one drawing, and vertices that are kept clear. */
const [maxTried, maxObstacles] = [1500, 4000];
/** Chosen vertices up to which each gets its caption, over other vertices where there is no room. */
const maxInsisted = 12;
/** Of the largest vertices in view as many get theirs likewise while nothing is chosen: a hub has its neighbours on all sides. */
const insistedHubs = 3;
const [fontPixels, edgeFontPixels] = [12, 11];
const lineHeight = fontPixels + 3;
const family = 'system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif';
/** Zoom from which edges have captions, and how many of them at most. */
const edgeCaptionScale = 0.9;
const maxEdgeCaptions = 120;

export class CaptionsLayer {
  private readonly context: CanvasRenderingContext2D;
  private readonly widths = new Map<string, number>();

  constructor(canvas: HTMLCanvasElement) {
    this.context = canvas.getContext('2d') as CanvasRenderingContext2D;
  }

  /** Draws, and answers the boxes of what is written; none of them touch, none lies under a button. */
  draw(input: CaptionInput, ratio: number): readonly Box[] {
    const { context } = this;
    const { size } = input;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, size.width, size.height);
    context.textAlign = 'center';
    context.textBaseline = 'top';
    context.lineJoin = 'round';
    const placer = new LabelPlacer({ left: 2, top: 2, right: size.width - 2, bottom: size.height - 2 });
    for (const one of input.covered) placer.keepFree(one);
    this.vertexCaptions(input, placer);
    this.edgeCaptions(input, placer);
    this.lasso(input);
    return placer.placed;
  }

  private lasso({ line, looks }: CaptionInput): void {
    const { context } = this;
    if (line.length < 2) return;
    context.beginPath();
    for (const { x, y } of line) context.lineTo(x, y);
    context.closePath();
    context.strokeStyle = looks.ink;
    context.lineWidth = 1.5;
    context.setLineDash([5, 4]);
    context.stroke();
    context.setLineDash([]);
  }

  /** Below its vertex, or above it, beside it, or on one that is large enough, where there is room. */
  private vertexCaptions(input: CaptionInput, placer: LabelPlacer): void {
    const { buffers, vertices, camera, size, looks, chosen, hovered } = input;
    const places = visibleInOrder(input);
    // What is dimmed may be written over: the names beside what was chosen matter more.
    for (const place of places.slice(0, maxObstacles)) {
      if (buffers.vertices[vertexFloats * place + 3] !== 0) placer.keepClear(discOf(buffers, place, camera, size));
    }
    const insists = chosen.vertices.size <= maxInsisted;
    const hubs = new Set(chosen.vertices.size + chosen.edges.size === 0 ? places.slice(0, insistedHubs) : []);
    let tried = 0;
    for (const place of places) {
      if (placer.placed.length >= maxCaptions || tried++ >= maxTried) break;
      const vertex = vertices[place] as VertexData;
      const isChosen = chosen.vertices.has(vertex.id);
      const isWanted = vertex.id === hovered || (isChosen && insists) || hubs.has(place);
      if (!isWanted && !isChosen && buffers.vertices[vertexFloats * place + 3] === 0) continue;
      const { x, y, radius } = discOf(buffers, place, camera, size);
      const text = looks.captionOf(vertex);
      const width = this.widthOf(text, fontPixels);
      const beside = radius + 4 + width / 2;
      const spots: readonly Point[] = [
        { x, y: y + radius + 3 },
        { x, y: y - radius - 3 - lineHeight },
        { x: x + beside, y: y - lineHeight / 2 },
        { x: x - beside, y: y - lineHeight / 2 },
        ...(2 * radius >= width ? [{ x, y: y - lineHeight / 2 }] : []),
      ];
      const box = { id: vertex.id, text, width, height: lineHeight };
      const spot =
        spots.find((one) => placer.place({ ...box, ...one })) ??
        (isWanted ? spots.find((one) => placer.place({ ...box, ...one }, true)) : undefined);
      if (spot !== undefined) this.write(text, spot, { pixels: fontPixels, colour: looks.ink, halo: looks.halo });
    }
  }

  private edgeCaptions({ buffers, camera, size, looks }: CaptionInput, placer: LabelPlacer): void {
    if (camera.scale < edgeCaptionScale) return;
    let written = 0;
    for (const [row, edge] of buffers.drawnEdges.entries()) {
      if (written >= maxEdgeCaptions) break;
      if (buffers.edges[edgeFloats * row + 6] === 0) continue;
      const [from, to] = [2 * row, 2 * row + 1].map((end) =>
        screenPoint(buffers, vertexFloats * (buffers.ends[end] as number), camera, size),
      ) as [Point, Point];
      const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 - edgeFontPixels / 2 };
      const width = this.widthOf(edge.type, edgeFontPixels);
      if (isOutside(middle, size) || Math.hypot(from.x - to.x, from.y - to.y) < width + 30) continue;
      if (!placer.place({ id: edge.id, text: edge.type, ...middle, width, height: edgeFontPixels + 2 })) continue;
      this.write(edge.type, middle, { pixels: edgeFontPixels, colour: looks.quiet, halo: looks.halo });
      written++;
    }
  }

  private write(text: string, { x, y }: Point, style: { pixels: number; colour: string; halo: string }): void {
    const { context } = this;
    context.font = `${style.pixels}px ${family}`;
    context.strokeStyle = style.halo;
    context.lineWidth = 3;
    context.strokeText(text, x, y);
    context.fillStyle = style.colour;
    context.fillText(text, x, y);
  }

  private widthOf(text: string, pixels: number): number {
    const key = `${pixels} ${text}`;
    let width = this.widths.get(key);
    if (width === undefined) {
      if (this.widths.size > 20_000) this.widths.clear();
      this.context.font = `${pixels}px ${family}`;
      width = this.context.measureText(text).width;
      this.widths.set(key, width);
    }
    return width;
  }
}

function screenPoint({ vertices }: Buffers, at: number, camera: Camera, size: Size): Point {
  return toScreen(camera, size, { x: vertices[at] as number, y: vertices[at + 1] as number });
}

function isOutside({ x, y }: Point, { width, height }: Size): boolean {
  return x < -40 || y < -20 || x > width + 40 || y > height + 10;
}

function discOf(buffers: Buffers, place: number, camera: Camera, size: Size): Disc {
  const at = vertexFloats * place;
  const { x, y } = screenPoint(buffers, at, camera, size);
  const radius = radiusOnScreen(buffers.vertices[at + 2] as number, camera.scale);
  return { id: buffers.vertexIds[place] as number, x, y, radius };
}

/** Places of the vertices in view: hovered, chosen, beside what is chosen, then the largest. Of the last no more are looked for than are used. */
function visibleInOrder({ buffers, camera, size, chosen, hovered }: CaptionInput): number[] {
  const { vertexIds, vertices, largestFirst } = buffers;
  const [wanted, near, others]: [number[], number[], number[]] = [[], [], []];
  const hasChosen = chosen.vertices.size > 0 || chosen.edges.size > 0;
  for (const place of largestFirst) {
    const isFull = others.length >= maxObstacles;
    if (isFull && !hasChosen && hovered === null) break;
    const id = vertexIds[place] as number;
    const isWanted = id === hovered || chosen.vertices.has(id);
    const isNear = hasChosen && (vertices[vertexFloats * place + 3] as number) > 0;
    if (isFull && !isWanted && !isNear) continue;
    if (isOutside(screenPoint(buffers, vertexFloats * place, camera, size), size)) continue;
    if (id === hovered) wanted.unshift(place);
    else (isWanted ? wanted : isNear ? near : others).push(place);
  }
  return [...wanted, ...near, ...others];
}

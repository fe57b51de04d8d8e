// The texts over the picture, on a canvas of their own: captions of vertices, and of edges when one is near enough to read them.

import type { VertexData } from '../model/elements.ts';
import type { Point } from '../model/positions.ts';
import { type Buffers, type Chosen, edgeFloats, vertexFloats } from './buffers.ts';
import { type Camera, radiusOnScreen, type Size, toScreen } from './camera.ts';
import { type Box, LabelPlacer } from './labels.ts';

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
  readonly looks: CaptionLooks;
}

const maxCaptions = 220;
const [fontPixels, edgeFontPixels] = [12, 11];
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

  /** Draws, and answers the boxes of what is written; none of them touch. */
  draw(input: CaptionInput, ratio: number): readonly Box[] {
    const { context } = this;
    const { size } = input;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, size.width, size.height);
    context.textAlign = 'center';
    context.textBaseline = 'top';
    context.lineJoin = 'round';
    const placer = new LabelPlacer();
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

  private vertexCaptions(input: CaptionInput, placer: LabelPlacer): void {
    const { buffers, vertices, camera, size, looks } = input;
    for (const place of orderOf(input)) {
      if (placer.placed.length >= maxCaptions) break;
      const vertex = vertices[place] as VertexData;
      const at = vertexFloats * place;
      const point = screenPoint(buffers, at, camera, size);
      const radius = radiusOnScreen(buffers.vertices[at + 2] as number, camera.scale);
      const text = looks.captionOf(vertex);
      const width = this.widthOf(text, fontPixels);
      const y = point.y + radius + 3;
      if (!placer.place({ id: vertex.id, text, x: point.x, y, width, height: fontPixels + 3 })) continue;
      this.write(text, { x: point.x, y }, { pixels: fontPixels, colour: looks.ink, halo: looks.halo });
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

/** Places in the list of vertices whose captions may be written: hovered, chosen, beside what is chosen, then the largest. */
function orderOf({ buffers, camera, size, chosen, hovered }: CaptionInput): number[] {
  const places: { place: number; weight: number }[] = [];
  for (const [place, id] of buffers.vertexIds.entries()) {
    const at = vertexFloats * place;
    const emphasis = buffers.vertices[at + 3] as number;
    const isHovered = id === hovered;
    if (emphasis < 0.5 && !isHovered) continue;
    if (isOutside(screenPoint(buffers, at, camera, size), size)) continue;
    const weight = (isHovered ? 4000 : 0) + (chosen.vertices.has(id) ? 2000 : 0) + (buffers.vertices[at + 2] as number);
    places.push({ place, weight });
  }
  return places.sort((a, b) => b.weight - a.weight || a.place - b.place).map(({ place }) => place);
}

// What lies under a point, and what a line encloses.

import type { Point } from '../model/positions.ts';
import { type Buffers, edgeFloats, vertexFloats } from './buffers.ts';
import { type Camera, radiusOnScreen, type Size, toPicture } from './camera.ts';

/** Pixels around a vertex, and beside an edge, that still mean it. */
const [reach, edgeReach] = [5, 6];
const curveParts = 10;

/** The nearest of several. */
export function vertexAt(buffers: Buffers, camera: Camera, size: Size, point: Point): number | null {
  const at = toPicture(camera, size, point);
  let found: number | null = null;
  let nearest = Infinity;
  for (const [place, id] of buffers.vertexIds.entries()) {
    const row = vertexFloats * place;
    const dx = ((buffers.vertices[row] as number) - at.x) * camera.scale;
    const dy = ((buffers.vertices[row + 1] as number) - at.y) * camera.scale;
    const away = Math.hypot(dx, dy) - radiusOnScreen(buffers.vertices[row + 2] as number, camera.scale);
    if (away < reach && away < nearest) [found, nearest] = [id, away];
  }
  return found;
}

export function edgeAt(buffers: Buffers, camera: Camera, size: Size, point: Point): number | null {
  const at = toPicture(camera, size, point);
  const most = edgeReach / camera.scale;
  let found: number | null = null;
  let nearest = most;
  for (const [row, { id }] of buffers.drawnEdges.entries()) {
    const away = awayFromEdge(buffers.edges, edgeFloats * row, at);
    if (away < nearest) [found, nearest] = [id, away];
  }
  return found;
}

/** Distance from the curve as the shaders draw it. */
function awayFromEdge(edges: Float32Array, row: number, { x, y }: Point): number {
  const [ax, ay, bx, by, bend] = [0, 1, 2, 3, 4].map((i) => edges[row + i] as number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const length = Math.hypot(bx - ax, by - ay);
  if (length === 0) return Math.abs(Math.hypot(x - ax, y - (ay - bend)) - Math.abs(bend));
  const margin = 2 * Math.abs(bend) + 20;
  if (x < Math.min(ax, bx) - margin || x > Math.max(ax, bx) + margin) return Infinity;
  if (y < Math.min(ay, by) - margin || y > Math.max(ay, by) + margin) return Infinity;
  const mx = (ax + bx) / 2 + (2 * bend * -(by - ay)) / length;
  const my = (ay + by) / 2 + (2 * bend * (bx - ax)) / length;
  let nearest = Infinity;
  let [px, py] = [ax, ay];
  for (let step = 1; step <= curveParts; step++) {
    const t = step / curveParts;
    const u = 1 - t;
    const [qx, qy] = [u * u * ax + 2 * u * t * mx + t * t * bx, u * u * ay + 2 * u * t * my + t * t * by];
    nearest = Math.min(nearest, awayFromSegment(x, y, px, py, qx, qy));
    [px, py] = [qx, qy];
  }
  return nearest;
}

function awayFromSegment(x: number, y: number, ax: number, ay: number, bx: number, by: number): number {
  const [dx, dy] = [bx - ax, by - ay];
  const squared = dx * dx + dy * dy;
  const t = squared === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / squared));
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
}

/** Vertices within a closed line, both in units of the picture. */
export function enclosed({ vertexIds, vertices }: Buffers, line: readonly Point[]): Set<number> {
  const inside = new Set<number>();
  for (const [place, id] of vertexIds.entries()) {
    const [x, y] = [vertices[vertexFloats * place] as number, vertices[vertexFloats * place + 1] as number];
    if (isWithin(line, x, y)) inside.add(id);
  }
  return inside;
}

function isWithin(line: readonly Point[], x: number, y: number): boolean {
  let isInside = false;
  for (const [at, a] of line.entries()) {
    const b = line[(at + 1) % line.length] as Point;
    if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) isInside = !isInside;
  }
  return isInside;
}

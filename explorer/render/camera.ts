// From the picture's units to pixels and back.

import type { Point } from '../model/positions.ts';

export interface Camera {
  /** The point in the middle of the view. */
  readonly x: number;
  readonly y: number;
  /** Pixels of a unit. */
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

const [minScale, maxScale] = [0.005, 12];
/** Of the view, kept free around what is fitted into it; above and below at least the pixels of a row of buttons, where there is room. */
const margin = 0.08;
const barPixels = 64;
/** Fitting does not enlarge beyond this: two vertices would fill the screen. */
const maxFitScale = 1.6;

export function toScreen({ x, y, scale }: Camera, { width, height }: Size, point: Point): Point {
  return { x: (point.x - x) * scale + width / 2, y: (point.y - y) * scale + height / 2 };
}

export function toPicture({ x, y, scale }: Camera, { width, height }: Size, point: Point): Point {
  return { x: (point.x - width / 2) / scale + x, y: (point.y - height / 2) / scale + y };
}

/** Zooms by a factor; the picture's point under `at`, in pixels, stays under it. */
export function zoomed(camera: Camera, size: Size, factor: number, at: Point): Camera {
  const scale = Math.min(maxScale, Math.max(minScale, camera.scale * factor));
  const still = toPicture(camera, size, at);
  return {
    x: still.x - (at.x - size.width / 2) / scale,
    y: still.y - (at.y - size.height / 2) / scale,
    scale,
  };
}

/** The camera that shows all points. */
export function fitted(points: Iterable<Point>, { width, height }: Size): Camera {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y } of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  if (left > right) return { x: 0, y: 0, scale: 1 };
  const bar = Math.max(height * margin, Math.min(barPixels, height / 6));
  const scale = Math.min(
    (width * (1 - 2 * margin)) / Math.max(1, right - left),
    (height - 2 * bar) / Math.max(1, bottom - top),
  );
  return {
    x: (left + right) / 2,
    y: (top + bottom) / 2,
    scale: Math.min(maxFitScale, Math.max(minScale, scale)),
  };
}

/** Radius in pixels: it grows with the zoom, but slower than distances do. */
export function radiusOnScreen(radius: number, scale: number): number {
  return Math.min(26, Math.max(1.5, radius * Math.sqrt(scale)));
}

// The picture as a file: both canvases in one image, or the same shapes as vectors.

import { escaped } from '../model/exports.ts';
import { edgeFloats, vertexFloats } from './buffers.ts';
import { radiusOnScreen, toScreen } from './camera.ts';
import type { Picture } from './picture.ts';

export async function pngOf(picture: Picture): Promise<Blob> {
  const { canvas, texts, looks } = picture;
  const whole = document.createElement('canvas');
  whole.width = canvas.width;
  whole.height = canvas.height;
  const context = whole.getContext('2d') as CanvasRenderingContext2D;
  context.fillStyle = looks?.rim ?? '#ffffff';
  context.fillRect(0, 0, whole.width, whole.height);
  context.drawImage(canvas, 0, 0);
  context.drawImage(texts, 0, 0);
  return new Promise((resolve, reject) => {
    whole.toBlob(
      (blob) => (blob === null ? reject(new Error('The browser makes no image.')) : resolve(blob)),
      'image/png',
    );
  });
}

export function svgOf({ size, camera, looks, buffers, captions }: Picture): string {
  const { width, height } = size;
  if (looks === null || buffers === null) return '';
  const parts: string[] = [];
  const at = (x: number, y: number): string => {
    const point = toScreen(camera, size, { x, y });
    return `${point.x.toFixed(1)} ${point.y.toFixed(1)}`;
  };
  for (let row = 0; row < buffers.drawnEdges.length; row++) {
    const [x, y, toX, toY, bend] = buffers.edges.subarray(edgeFloats * row) as unknown as [
      number,
      number,
      number,
      number,
      number,
    ];
    const length = Math.hypot(toX - x, toY - y);
    if (length === 0) {
      const radius = (Math.abs(bend) * camera.scale).toFixed(1);
      parts.push(`<path d="M ${at(x, y)} a ${radius} ${radius} 0 1 1 0.1 0"/>`);
      continue;
    }
    const [nx, ny] = [-(toY - y) / length, (toX - x) / length];
    const middle = at((x + toX) / 2 + 2 * bend * nx, (y + toY) / 2 + 2 * bend * ny);
    parts.push(`<path d="M ${at(x, y)} Q ${middle} ${at(toX, toY)}"/>`);
  }
  const discs = Array.from(buffers.vertexIds, (_, place) => {
    const row = vertexFloats * place;
    const [cx, cy] = at(buffers.vertices[row] as number, buffers.vertices[row + 1] as number).split(' ');
    const [red, green, blue] = buffers.vertexColours.subarray(4 * place, 4 * place + 3);
    const radius = radiusOnScreen(buffers.vertices[row + 2] as number, camera.scale).toFixed(1);
    return `<circle cx="${cx}" cy="${cy}" r="${radius}" fill="rgb(${red} ${green} ${blue})"/>`;
  });
  const written = captions.map(
    ({ left, right, bottom, text }) =>
      `<text x="${((left + right) / 2).toFixed(1)}" y="${(bottom - 3).toFixed(1)}">${escaped(text)}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<rect width="100%" height="100%" fill="${looks.rim}"/>`,
    `<g fill="none" stroke="${looks.edge}" stroke-opacity="0.6">${parts.join('')}</g>`,
    `<g>${discs.join('')}</g>`,
    `<g font-family="sans-serif" font-size="12" text-anchor="middle" fill="${looks.ink}">${written.join('')}</g>`,
    '</svg>',
  ].join('\n');
}

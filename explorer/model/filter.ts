// What of the picture is shown: by a value, a range, or the number of edges in the picture.

import type { EdgeData, VertexData } from './elements.ts';

export type Filter =
  | { readonly kind: 'value'; readonly key: string; readonly text: string }
  | { readonly kind: 'range'; readonly key: string; readonly low: number; readonly high: number }
  | { readonly kind: 'degree'; readonly low: number; readonly high: number };

/** A value as a number; null: it is none. */
export function numberOf({ properties }: VertexData, key: string): number | null {
  const text = properties.find((one) => one.key === key)?.value;
  if (text === undefined || text.trim() === '') return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

export function textOf({ properties }: VertexData, key: string): string | null {
  return properties.find((one) => one.key === key)?.value ?? null;
}

export function filterOf(filter: Filter, edges: Iterable<EdgeData>): (vertex: VertexData) => boolean {
  switch (filter.kind) {
    case 'value': {
      const wanted = filter.text.toLowerCase();
      return (vertex) => textOf(vertex, filter.key)?.toLowerCase().includes(wanted) === true;
    }
    case 'range':
      return (vertex) => {
        const value = numberOf(vertex, filter.key);
        return value !== null && value >= filter.low && value <= filter.high;
      };
    case 'degree': {
      const degrees = new Map<number, number>();
      for (const { source, target } of edges) {
        degrees.set(source, (degrees.get(source) ?? 0) + 1);
        if (target !== source) degrees.set(target, (degrees.get(target) ?? 0) + 1);
      }
      return ({ id }) => (degrees.get(id) ?? 0) >= filter.low && (degrees.get(id) ?? 0) <= filter.high;
    }
  }
}

/** In words, for the line under the picture. */
export function filterWords(filter: Filter): string {
  if (filter.kind === 'value') return `${filter.key} contains “${filter.text}”`;
  const name = filter.kind === 'degree' ? 'edges shown' : filter.key;
  const high = filter.high === Number.POSITIVE_INFINITY ? '' : ` up to ${filter.high}`;
  return `${name} from ${filter.low}${high}`;
}

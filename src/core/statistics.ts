// What the core has counted of a graph's shape, read from its output (assembly/read/statistics.ts is the layout).

import type { CoreInstance } from './instance.ts';

const degreesAt = 16;
const degreesBytes = 24;
const namesAt = 96;
const smallDegrees = 4096;

export interface DegreeTotals {
  readonly sum: number;
  readonly least: number;
  readonly greatest: number;
  /** Vertices by degree. */
  readonly small: Uint32Array;
  /** The degrees beyond those. */
  readonly large: Uint32Array;
}

export interface StatisticsTotals {
  /** Vertices that were looked at. */
  readonly vertices: number;
  /** By number of the name, and behind the last one what has none. */
  readonly vertexLabels: Uint32Array;
  readonly edgeLabels: Uint32Array;
  readonly keys: Uint32Array;
  /** In, out, both. */
  readonly degrees: readonly [DegreeTotals, DegreeTotals, DegreeTotals];
}

export function readStatistics(instance: CoreInstance): StatisticsTotals {
  const base = instance.exports.outBase() >>> 0;
  const view = new DataView(instance.memory.buffer, base, instance.exports.outUsed() >>> 0);
  const names = view.getUint32(0, true);
  const room = view.getUint32(8, true);
  const words = (at: number, count: number): Uint32Array =>
    instance.words.slice((base + at) >>> 2, ((base + at) >>> 2) + count);
  const tally = (index: number): Uint32Array => words(namesAt + 4 * index * (names + 1), names + 1);
  const smallAt = namesAt + 12 * (names + 1);
  const largeAt = smallAt + 12 * smallDegrees;
  const degrees = (list: number): DegreeTotals => {
    const at = degreesAt + list * degreesBytes;
    return {
      sum: view.getFloat64(at, true),
      least: view.getUint32(at + 8, true),
      greatest: view.getUint32(at + 12, true),
      small: words(smallAt + 4 * list * smallDegrees, smallDegrees),
      large: words(largeAt + 4 * list * room, view.getUint32(at + 16, true)),
    };
  };
  return {
    vertices: view.getUint32(4, true),
    vertexLabels: tally(0),
    edgeLabels: tally(1),
    keys: tally(2),
    degrees: [degrees(0), degrees(1), degrees(2)],
  };
}

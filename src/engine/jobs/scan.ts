// The graph scans as jobs over a range of ids. The answer is JSON already: the ids with commas between them, in pieces, so that the
// caller's thread has nothing left to do with them.

import type { ArenaTooSmall, CoreReader } from '../../core/reader.ts';
import { idsAsJson, type PropertyQuery, type TextQuery } from '../../core/scans.ts';
import type { JobControl, JobKind } from './types.ts';

export interface IdRange {
  readonly graph: number;
  readonly from: number;
  readonly to: number;
}

export type PropertyScanRequest = IdRange & { readonly query: PropertyQuery };
export type TextScanRequest = IdRange & { readonly query: TextQuery };

/** Ids of a slice, and their JSON, fit into this arena; only a literal of half a megabyte needs more. */
const arenaBytes = 4 * 1024 * 1024;
/** Ids go through the input, an eighth of the arena; with this much none is ever too small for a slice. */
const arenaBytesPerId = 40;
const leastSliceIds = 1024;
/** Some 300 µs. */
const propertySliceIds = 65_536;
/** Some ms, more where elements carry long texts. */
const textSliceIds = 8192;
/** A slice lays its term anew, so for each so many units of the term slices are longer by a whole one. */
const laidUnits = 65_536;

export interface PropertyScanPart {
  readonly pieces: Uint8Array[];
  /** Types of the values that were met under the key, a bit each. */
  readonly types: number;
}

/** Null when the literal is not a value of its type. */
export const scanPropertyJob: JobKind<PropertyScanRequest, PropertyScanPart | null> = {
  name: 'scanProperty',
  arenaBytes,
  run: async (reader, { graph, query, from, to }, control) => {
    let types = 0;
    const slice = (start: number, end: number): Uint32Array | null | ArenaTooSmall => {
      const ids = reader.scanProperty(graph, query, start, end);
      types |= reader.instance.exports.scanTypes();
      return ids;
    };
    const pieces = await slices(reader, control, { from, to, most: propertySliceIds }, (start, end) =>
      control.fitting(() => slice(start, end)),
    );
    return pieces === null ? null : { pieces, types };
  },
};

export const scanTextJob: JobKind<TextScanRequest, Uint8Array[]> = {
  name: 'scanText',
  arenaBytes,
  run: async (reader, { graph, query, from, to }, control) =>
    (await slices(reader, control, { from, to, most: textSliceIdsFor(query.term) }, (start, end) =>
      control.fitting(() => reader.scanText(graph, query, start, end)),
    )) as Uint8Array[],
};

const textSliceIdsFor = ({ length }: string): number => textSliceIds * (1 + Math.floor(length / laidUnits));

async function slices(
  reader: CoreReader,
  control: JobControl,
  { from, to, most }: { from: number; to: number; most: number },
  slice: (from: number, to: number) => Promise<Uint32Array | null>,
): Promise<Uint8Array[] | null> {
  const pieces: Uint8Array[] = [];
  const step = Math.min(most, Math.max(leastSliceIds, Math.floor(reader.arenaBytes / arenaBytesPerId)));
  let start = from;
  do {
    const end = Math.min(to, start + step);
    const ids = await slice(start, end);
    if (ids === null) return null;
    if (ids.length > 0) pieces.push(idsAsJson(reader.instance, ids));
    start = end;
    if (start < to) await control.slice();
  } while (start < to);
  return pieces;
}

// The bulk interchange line format (contract part 1) as the sample converters write it: one meta line, vertices, edges.

/** Property types the samples use, by the name the format wants. */
export type SampleType =
  | 'System.String'
  | 'System.Int32'
  | 'System.Int64'
  | 'System.Double'
  | 'System.Boolean'
  | 'System.Char';

export type SampleProperty = readonly [key: string, type: SampleType, value: string | number | boolean];

/** A graph ready to be written line by line; counts are known beforehand so that a progress bar has an end. */
export interface SampleGraph {
  readonly name: string;
  readonly vertexCount: number;
  readonly edgeCount: number;
  lines(): Generator<string>;
  /** What may be embedded into vertices, by id; missing: nothing of it is worth it. */
  readonly texts?: readonly (readonly [id: number, text: string])[];
}

/** When the samples' elements were created: a fixed moment, so that two conversions of one source are equal. */
const creationDate = 1_700_000_000;

function properties(list: readonly SampleProperty[]): Record<string, { type: string; value: string }> | undefined {
  if (list.length === 0) return undefined;
  return Object.fromEntries(list.map(([key, type, value]) => [key, { type, value: String(value) }]));
}

export function metaLine(vertexCount: number, edgeCount: number): string {
  return JSON.stringify({ type: 'meta', format: 'service-jsonl', version: 2, vertexCount, edgeCount });
}

export function vertexLine(id: number, label: string, list: readonly SampleProperty[]): string {
  return JSON.stringify({ type: 'vertex', id, label, creationDate, properties: properties(list) });
}

export function edgeLine(
  id: number,
  edgePropertyId: string,
  source: number,
  target: number,
  list: readonly SampleProperty[],
): string {
  return JSON.stringify({
    type: 'edge',
    id,
    edgePropertyId,
    source,
    target,
    creationDate,
    properties: properties(list),
  });
}

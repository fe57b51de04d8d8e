// Reads the answer of POST /topology.

import type { EdgeData } from '../model/elements.ts';

export interface Topology {
  readonly vertices: readonly number[];
  readonly edges: readonly EdgeData[];
  /** False: some edges were not looked at. */
  readonly isComplete: boolean;
}

const magic = 0x31505441;
const headerBytes = 20;

/** Throws when the bytes are something else. */
export function readTopology(bytes: ArrayBuffer): Topology {
  const view = new DataView(bytes);
  if (bytes.byteLength < headerBytes || view.getUint32(0, true) !== magic)
    throw new Error('The answer is no topology.');
  const [flags, vertexCount, edgeCount, nameBytes] = [4, 8, 12, 16].map((at) => view.getUint32(at, true)) as [
    number,
    number,
    number,
    number,
  ];
  let at = headerBytes;
  const column = (length: number): Int32Array => {
    const values = new Int32Array(length);
    for (let i = 0; i < length; i++) values[i] = view.getInt32(at + 4 * i, true);
    at += 4 * length;
    return values;
  };
  const vertices = column(vertexCount);
  const [ids, sources, targets, types] = [column(edgeCount), column(edgeCount), column(edgeCount), column(edgeCount)];
  const names: string[] = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, at, nameBytes)));
  const edges = Array.from(ids, (id, i) => ({
    id,
    type: names[types[i] as number] as string,
    source: vertices[sources[i] as number] as number,
    target: vertices[targets[i] as number] as number,
  }));
  return { vertices: [...vertices], edges, isComplete: (flags & 1) === 0 };
}

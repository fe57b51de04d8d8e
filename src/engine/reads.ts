// Reads of many elements as one JSON text, block by block, with other work between two blocks.

import type { Core } from '../core/core.ts';
import { ListWriter } from './list-writer.ts';

/** What such a read needs of its namespace. */
export interface ReadSlices {
  readonly core: Core;
  readonly graph: number;
  readonly nextSlice: () => Promise<void>;
}

/** As `GraphEngine.readElements`. */
export async function readElements(source: ReadSlices, ids: readonly number[]): Promise<Uint8Array[]> {
  const { core, graph, nextSlice } = source;
  const wanted = Int32Array.from(new Set(ids));
  const list = new ListWriter('{"elements":[');
  const missing: number[] = [];
  for (let next = 0; next < wanted.length; ) {
    const block = core.readElements(graph, wanted, next);
    list.add(block.items);
    missing.push(...block.missing);
    next = block.next;
    if (next < wanted.length) await nextSlice();
  }
  return list.end(`],"notFound":${JSON.stringify(missing)}}`);
}

/** As `GraphEngine.readGraph`. */
export async function readGraph(source: ReadSlices, maxElements: number): Promise<Uint8Array[]> {
  const list = new ListWriter('{"edges":[');
  await listKind(source, list, 2, maxElements);
  list.between('],"vertices":[');
  await listKind(source, list, 1, maxElements);
  return list.end(']}');
}

async function listKind(
  { core, graph, nextSlice }: ReadSlices,
  list: ListWriter,
  kind: 1 | 2,
  maxElements: number,
): Promise<void> {
  let left = maxElements;
  for (let next = 0; left > 0 && next < core.nextId(graph); ) {
    const block = core.readGraph(graph, kind, next, left);
    list.add(block.items);
    left -= block.count;
    next = block.next;
    if (left > 0) await nextSlice();
  }
}

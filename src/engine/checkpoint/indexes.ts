// The indexes of a graph in a checkpoint: the frames of its file of indexes (format.ts), and the section of the manifest that lists
// what is in it, for whoever only looks at the checkpoint.

import type { Core } from '../../core/core.ts';
import { findIndex, indexDefinition, indexImage, indexName, listIndexes } from '../../core/indexes.ts';
import { pluginTypeOf } from '../indexes/plugins.ts';
import { firstOperation } from '../transactions.ts';
import { type CheckpointSection, sectionKinds } from './types.ts';

const operationIndexCreate = 7;
const operationIndexLast = 12;

interface IndexSource {
  readonly core: Core;
  readonly graph: number;
  readonly pause: () => Promise<void>;
}

/**
 * Adds the frames that make every index of the graph again, letting other work run in between: what that changes in an index is for the
 * caller to add when it happens.
 */
export async function indexFrames(
  { core, graph, pause }: IndexSource,
  add: (frame: Uint8Array) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { instance } = core;
  const names: string[] = [];
  // By their places: finding each of thousands by its name looks at all of them.
  const count = instance.exports.indexCount(graph) >>> 0;
  for (let position = 0; position < count; position++) {
    const index = instance.exports.indexAt(graph, position) >>> 0;
    names.push(indexName(instance, index));
    add(instance.lending(() => indexDefinition(instance, index)));
  }
  for (const name of names) {
    for (let element = 0; ; ) {
      const index = findIndex(instance, graph, name);
      const end = core.nextId(graph);
      if (index === 0 || element >= end) break; // what came later is added as it comes
      const image = instance.lending(() => indexImage(instance, index, element, end));
      if (image.adds > 0) add(instance.bytes.subarray(image.address, image.address + image.bytes));
      element = image.next;
      await pause();
      signal?.throwIfAborted();
    }
  }
  instance.exports.imageTrim();
}

/** Index operations stand in transactions of their own. */
export function isIndexTransaction(bytes: Uint8Array): boolean {
  const operation = firstOperation(bytes);
  return operation >= operationIndexCreate && operation <= operationIndexLast;
}

export function createsIndex(bytes: Uint8Array): boolean {
  return firstOperation(bytes) === operationIndexCreate;
}

export interface ListedIndex {
  readonly indexId: string;
  readonly pluginType: string;
}

/** What indexes there are, as JSON. */
export function indexSection(core: Core, graph: number): CheckpointSection {
  const list = listIndexes(core.instance, graph).map(({ name, kind }): ListedIndex => {
    return { indexId: name, pluginType: pluginTypeOf(kind) };
  });
  return { kind: sectionKinds.indexes, required: false, bytes: new TextEncoder().encode(JSON.stringify(list)) };
}

/** The list of a checkpoint's section; empty for one that has none. */
export function indexesOf(sections: readonly CheckpointSection[]): readonly ListedIndex[] {
  const section = sections.find(({ kind }) => kind === sectionKinds.indexes);
  return section === undefined ? [] : (JSON.parse(new TextDecoder().decode(section.bytes)) as ListedIndex[]);
}

// Chunks become vertices in batches. One transaction writes a batch whole: vertices, their edges from the document and from the chunk
// before, links, embeddings. So at every moment each chunk hangs on its document, and cleaning up a document finds all of them. Fulltext
// entries follow in the same turn; they go with their elements.
//
// Between two batches everything may happen to the graph: the document deleted, everything erased, a restore, a trim that gives other ids.
// Each batch looks at the stub and at its last chunk first.

import { embeddingKey, embeddingModelKey } from '../core/embeddings.ts';
import type { WriteOperation } from '../core/requests.ts';
import { TypeId } from '../core/values.ts';
import type { GraphEngine, WriteOutcome } from '../engine/types.ts';
import { written } from './census.ts';
import type { Chunk } from './chunks.ts';
import { IngestFailed } from './conversion.ts';
import { chunkLabel, containsEdge, int32Of, mentionsEdge, nextEdge, nowSeconds, readVertex, textOf } from './model.ts';
import { stubOf, type Task } from './submission.ts';

/** Of one transaction: about a millisecond on the writer's thread. */
const batchChunks = 16;

/** The document was taken away, or became another one's, while it was ingested: there is nothing left to do or to tell. */
export class StubGone extends Error {
  override readonly name = 'StubGone';
}

export interface ChunkPlan {
  readonly chunk: Chunk;
  readonly vector: Float32Array | null;
  /** Vertices that the chunk mentions by identifier. */
  readonly links: readonly number[];
}

export interface WriteContext {
  readonly task: Task;
  readonly embeddingName: string;
  /** Null when nothing is embedded. */
  readonly stamp: string | null;
  readonly fulltextIndex: string | null;
  readonly pause: () => Promise<void>;
}

/** Ids of the chunks, in order. Throws StubGone, and IngestFailed when the graph takes no more. */
export async function writeChunks(context: WriteContext, plans: readonly ChunkPlan[]): Promise<number[]> {
  const ids: number[] = [];
  for (let from = 0; from < plans.length; from += batchChunks) {
    await calm(context.task.graph, context.pause);
    writeBatch(context, plans.slice(from, from + batchChunks), ids);
  }
  return ids;
}

/** Lets others have their turn, and waits for a trim under way and for the log to keep up. */
export async function calm(graph: GraphEngine, pause: () => Promise<void>): Promise<void> {
  await pause();
  for (let hold = graph.backpressure(); hold !== null; hold = graph.backpressure()) await hold;
}

function writeBatch(context: WriteContext, plans: readonly ChunkPlan[], ids: number[]): void {
  const { task, fulltextIndex } = context;
  const { graph } = task;
  if (stubOf(task) === null || !isLast(graph, ids)) throw new StubGone();
  // All of this is one turn, so it stays the next one.
  const firstId = graph.reads.nextId();
  const made = plans.map((_, i) => firstId + i);
  const first = applied(graph, batchOperations(context, plans, made, ids.at(-1) ?? null), plans.length).firstId;
  if (first !== firstId) throw new Error(`Chunks of a document became ${first} instead of ${firstId}.`);
  ids.push(...made);
  if (fulltextIndex === null) return;
  const entries = plans.map(({ chunk }, i): WriteOperation => {
    return {
      kind: 'addToIndex',
      index: fulltextIndex,
      element: made[i] as number,
      type: TypeId.string,
      text: chunk.text,
    };
  });
  applied(graph, entries);
}

/** Whether the chunk written last is still the one of that id. */
function isLast(graph: GraphEngine, ids: readonly number[]): boolean {
  const last = ids.at(-1);
  if (last === undefined) return true;
  const vertex = readVertex(graph, last);
  return vertex?.label === chunkLabel && vertex.values.get('order') === String(ids.length - 1);
}

function batchOperations(
  { task, embeddingName, stamp }: WriteContext,
  plans: readonly ChunkPlan[],
  made: readonly number[],
  before: number | null,
): WriteOperation[] {
  const { documentId, submission } = task;
  const creationDate = nowSeconds();
  const tags = Object.entries(submission.properties).map(([key, text]) => textOf(key, text));
  const edge = (edgeType: string, source: number, target: number): WriteOperation => {
    return { kind: 'createEdge', creationDate, source, target, edgeType, label: null, properties: [] };
  };
  const vertices = plans.map(({ chunk }): WriteOperation => {
    return { kind: 'createVertex', creationDate, label: chunkLabel, properties: [...propertiesOf(chunk), ...tags] };
  });
  const rest = plans.flatMap(({ vector, links }, i): WriteOperation[] => {
    const id = made[i] as number;
    const previous = i === 0 ? before : (made[i - 1] as number);
    return [
      edge(containsEdge, documentId, id),
      ...(previous === null ? [] : [edge(nextEdge, previous, id)]),
      ...links.filter((target) => task.graph.vectors.hasElement(target)).map((to) => edge(mentionsEdge, id, to)),
      ...(vector === null || stamp === null ? [] : embeddingOf(id, embeddingName, vector, stamp)),
    ];
  });
  return [...vertices, ...rest];
}

function propertiesOf({ text, order, kind, headingPath, pages, identifiers }: Chunk) {
  return [
    ...[textOf('text', text), int32Of('order', order), textOf('kind', kind), textOf('headingPath', headingPath)],
    ...(pages === null ? [] : [int32Of('pageFrom', pages.from), int32Of('pageTo', pages.to)]),
    textOf('identifiers', identifiers.join(' ')),
  ];
}

function embeddingOf(element: number, name: string, vector: Float32Array, stamp: string): WriteOperation[] {
  const text = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
  return [
    { kind: 'setProperty', element, key: embeddingKey(name), type: TypeId.singleArray, text },
    { kind: 'setProperty', element, key: embeddingModelKey(name), type: TypeId.string, text: stamp },
  ];
}

/** What a transaction became that adds so many chunks; throws IngestFailed when it was refused. */
export function applied(
  graph: GraphEngine,
  operations: readonly WriteOperation[],
  chunks = 0,
): { readonly firstId: number } {
  return accepted(written(graph, operations, { chunks }));
}

/** The outcome of a write that was taken; throws IngestFailed when it was refused. */
export function accepted(outcome: WriteOutcome): { readonly firstId: number } {
  if (!outcome.ok) throw new IngestFailed(`The graph refused a write (status ${outcome.status}).`);
  return outcome;
}

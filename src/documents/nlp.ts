// Entities and key terms by a language service (reference 20.3, NLP). It never fails an ingestion: what it does not answer, or answers
// amiss, is left out.

import type { Settings } from '../config/catalogue.ts';
import type { WriteOperation } from '../core/requests.ts';
import { TypeId } from '../core/values.ts';
import type { GraphEngine } from '../engine/types.ts';
import { indexIdOf } from './binding.ts';
import { applied, calm, StubGone } from './chunk-writer.ts';
import type { IngestContext } from './ingest.ts';
import { chunkLabel, entityLabel, idsIn, mentionsEdge, nowSeconds, readVertex, textOf, type Vertex } from './model.ts';
import { askSidecar, membersOf } from './sidecar.ts';
import { stubOf, type Task } from './submission.ts';

/** Chunks of one call. */
const batchChunks = 16;
/** Longer names are no names. */
const longestName = 256;

interface Entity {
  readonly key: string;
  readonly text: string;
  readonly label: string;
}

interface Enrichment {
  readonly entities: readonly Entity[];
  readonly keyTerms: readonly string[];
}

/** Does nothing while the language service is off. */
export function enricherOf(
  settings: Settings,
  fetch: typeof globalThis.fetch,
  pause: () => Promise<void>,
  report: (message: string) => void,
): IngestContext['enrich'] {
  return async (task, chunkIds, signal) => {
    const endpoint = settings['Nlp:Endpoint'] ?? '';
    if (!settings['Nlp:Enabled'] || endpoint === '') return false;
    try {
      for (let from = 0; from < chunkIds.length; from += batchChunks) {
        const chunks = chunksAt(task, chunkIds, from);
        const call = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(settings['Nlp:TimeoutSeconds'] * 1000))]);
        const items = chunks.map(({ id, values }) => {
          return { id: String(id), text: (values.get('text') ?? '').slice(0, settings['Nlp:MaxCharsPerChunk']) };
        });
        const init = {
          method: 'POST',
          body: JSON.stringify({ items }),
          headers: { 'content-type': 'application/json' },
        };
        const answers = answersOf(await askSidecar(fetch, endpoint, 'enrich', init, call), items, settings);
        const known = await knownEntities(task.graph, indexIdOf(settings, 'entity'), answers, signal);
        await calm(task.graph, pause);
        write(task, settings, chunksAt(task, chunkIds, from), answers, known);
      }
      return true;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof StubGone) throw error;
      report(`A document was not enriched: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  };
}

/** The chunks of a batch as they stand; throws StubGone when they are other elements by now. */
function chunksAt(task: Task, ids: readonly number[], from: number): Vertex[] {
  if (stubOf(task) === null) throw new StubGone();
  return ids.slice(from, from + batchChunks).map((id, i) => {
    const vertex = readVertex(task.graph, id);
    if (vertex?.label !== chunkLabel || vertex.values.get('order') !== String(from + i)) throw new StubGone();
    return vertex;
  });
}

function answersOf(
  answer: unknown,
  asked: readonly { readonly id: string; readonly text: string }[],
  settings: Settings,
): ReadonlyMap<string, Enrichment> {
  const { items } = membersOf(answer);
  const texts = new Map(asked.map(({ id, text }) => [id, text]));
  const answers = new Map<string, Enrichment>();
  for (const item of Array.isArray(items) ? items : []) {
    const { id, entities, keyTerms } = membersOf(item);
    const text = typeof id === 'string' ? texts.get(id) : undefined;
    if (text === undefined) continue;
    const terms = Array.isArray(keyTerms) ? keyTerms.map(nameOf).filter((term): term is string => term !== null) : [];
    answers.set(id as string, {
      entities: entitiesOf(entities, text.length, settings['Nlp:MaxEntitiesPerChunk']),
      keyTerms: [...new Set(terms)].slice(0, settings['Nlp:MaxKeyTermsPerChunk']),
    });
  }
  return answers;
}

/** Different ones by their key, in their order. One whose span is not within the text is nonsense. */
function entitiesOf(list: unknown, length: number, limit: number): Entity[] {
  const found = new Map<string, Entity>();
  for (const one of Array.isArray(list) ? list : []) {
    const { text: given, label: type, start, end } = membersOf(one);
    const [text, label] = [nameOf(given), nameOf(type)];
    if (text === null || label === null || !isSpan(start, end, length)) continue;
    const key = `${label}|${text.toLowerCase()}`;
    if (!found.has(key)) found.set(key, { key, text, label });
    if (found.size >= limit) break;
  }
  return [...found.values()];
}

function isSpan(start: unknown, end: unknown, length: number): boolean {
  if (typeof start !== 'number' || typeof end !== 'number') return false;
  return start >= 0 && start < end && end <= length;
}

function nameOf(value: unknown): string | null {
  const name = typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';
  return name === '' || name.length > longestName ? null : name;
}

/** Ids of the entities that are there, by key. */
async function knownEntities(
  graph: GraphEngine,
  index: string,
  answers: ReadonlyMap<string, Enrichment>,
  signal: AbortSignal,
): Promise<Map<string, number>> {
  const known = new Map<string, number>();
  for (const { entities } of answers.values()) {
    for (const { key } of entities) {
      if (known.has(key)) continue;
      const scan = { index, operator: 0, type: TypeId.string, text: key, label: entityLabel } as const;
      const [id] = idsIn(await graph.indexes.scan({ ...scan, resultType: 'Vertices' }, signal));
      if (id !== undefined) known.set(key, id);
    }
  }
  return known;
}

/** New entities, mentions and key terms of a batch in one transaction, and the entries of the new entities. */
function write(
  { graph, documentId }: Task,
  settings: Settings,
  chunks: readonly Vertex[],
  answers: ReadonlyMap<string, Enrichment>,
  known: Map<string, number>,
): void {
  const creationDate = nowSeconds();
  const status = textOf('status', 'processing');
  const { firstId } = applied(graph, [{ kind: 'setProperty', element: documentId, ...status }]);
  const created: { readonly id: number; readonly key: string }[] = [];
  const vertices: WriteOperation[] = [];
  const rest: WriteOperation[] = [];
  const idOf = ({ key, text, label }: Entity): number => {
    const there = known.get(key);
    if (there !== undefined && readVertexKey(graph, there, key, created)) return there;
    const id = firstId + vertices.length;
    const properties = [textOf('text', text), textOf('type', label), textOf('normalized', text.toLowerCase())];
    vertices.push({
      ...{ kind: 'createVertex', creationDate, label: entityLabel },
      properties: [...properties, textOf('entityKey', key)],
    });
    created.push({ id, key });
    known.set(key, id);
    return id;
  };
  for (const { id: source } of chunks) {
    const { entities, keyTerms } = answers.get(String(source)) ?? { entities: [], keyTerms: [] };
    if (keyTerms.length > 0) {
      rest.push({ kind: 'setProperty', element: source, ...textOf('keyTerms', keyTerms.join('\n')) });
    }
    for (const entity of entities) {
      const target = idOf(entity);
      rest.push({
        ...{ kind: 'createEdge', creationDate, source, target },
        ...{ edgeType: mentionsEdge, label: null, properties: [] },
      });
    }
  }
  if (vertices.length + rest.length === 0) return;
  applied(graph, [...vertices, ...rest]);
  const index = indexIdOf(settings, 'entity');
  if (created.length === 0 || graph.indexes.find(index)?.capabilities.includes('equality') !== true) return;
  applied(
    graph,
    created.map(({ id, key }) => ({ kind: 'addToIndex', index, element: id, type: TypeId.string, text: key })),
  );
}

/** Whether an id still names the entity of a key, be it one that this transaction is about to make. */
function readVertexKey(graph: GraphEngine, id: number, key: string, created: readonly { id: number }[]): boolean {
  if (created.some((one) => one.id === id)) return true;
  return readVertex(graph, id)?.values.get('entityKey') === key;
}

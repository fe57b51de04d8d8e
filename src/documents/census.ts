// How many chunks a namespace has, and the contents of its documents. Both are asked for with every document, and finding out takes a scan
// of all elements. So what was found is kept for as long as nobody else has written: ingestion says with each of its own writes what that
// changes, and the graph's revision tells all others.

import type { WriteOperation } from '../core/requests.ts';
import type { GraphEngine, WriteOutcome } from '../engine/types.ts';
import { chunkLabel, documentLabel, findVertices, isDocument, readVertex } from './model.ts';

interface Ledger {
  /** Chunks at a revision; a revision of 0 is that of no graph. */
  chunks: number;
  chunksAt: number;
  /** Documents by the hash of their content at a revision. One that has gone meanwhile may still stand here. */
  documents: Map<string, number[]>;
  documentsAt: number;
  /** Documents that were there at the last look, and scans for one content since then. */
  documentCount: number;
  scans: number;
}

const ledgers = new WeakMap<GraphEngine, Ledger>();

/** Reading all documents pays off behind so many scans for one of them, as a share of their number. */
const scansPerDocument = 1 / 64;
/** Documents read between two pauses. */
const documentsAtOnce = 64;

function ledgerOf(graph: GraphEngine): Ledger {
  let ledger = ledgers.get(graph);
  if (ledger === undefined) {
    ledger = { chunks: 0, chunksAt: 0, documents: new Map(), documentsAt: 0, documentCount: 0, scans: 0 };
    ledgers.set(graph, ledger);
  }
  return ledger;
}

/** What a write of ingestion adds to the graph; nothing else of it may be a document or a chunk, or take one away. */
interface Added {
  readonly chunks?: number;
  /** Hash of the content of the document that it makes first. */
  readonly contentHash?: string;
}

/** Writes, and keeps the account. A write that takes documents or chunks away goes to the graph itself. */
export function written(graph: GraphEngine, operations: readonly WriteOperation[], added: Added = {}): WriteOutcome {
  const before = graph.revision;
  const outcome = graph.write(operations);
  if (!outcome.ok) return outcome;
  const ledger = ledgerOf(graph);
  if (ledger.chunksAt === before) {
    ledger.chunks += added.chunks ?? 0;
    ledger.chunksAt = graph.revision;
  }
  if (ledger.documentsAt === before) {
    if (added.contentHash !== undefined) enter(ledger.documents, added.contentHash, outcome.firstId);
    ledger.documentsAt = graph.revision;
  }
  return outcome;
}

/** Chunks of the namespace. */
export async function chunkCount(graph: GraphEngine, signal?: AbortSignal): Promise<number> {
  const ledger = ledgerOf(graph);
  if (ledger.chunksAt === graph.revision) return ledger.chunks;
  const at = graph.revision;
  const { length } = await findVertices(graph, chunkLabel, 'kind', { not: '' }, signal);
  ledger.chunks = length;
  ledger.chunksAt = at; // when somebody has written meanwhile, that is not the graph's any more
  return length;
}

/** Documents of that content, by ascending id. */
export async function documentsWith(
  graph: GraphEngine,
  contentHash: string,
  pause: () => Promise<void>,
  signal?: AbortSignal,
): Promise<number[]> {
  const ledger = ledgerOf(graph);
  if (ledger.documentsAt !== graph.revision) {
    if (ledger.scans < ledger.documentCount * scansPerDocument) {
      ledger.scans++;
      return findVertices(graph, documentLabel, 'contentHash', { is: contentHash }, signal);
    }
    await readAll(ledger, graph, pause, signal);
    // Somebody wrote while they were read.
    if (ledger.documentsAt !== graph.revision) {
      return findVertices(graph, documentLabel, 'contentHash', { is: contentHash }, signal);
    }
  }
  return (ledger.documents.get(contentHash) ?? []).filter((id) => {
    const vertex = readVertex(graph, id);
    return isDocument(vertex) && vertex.values.get('contentHash') === contentHash;
  });
}

async function readAll(
  ledger: Ledger,
  graph: GraphEngine,
  pause: () => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const at = graph.revision;
  const documents = new Map<string, number[]>();
  const ids = await findVertices(graph, documentLabel, 'contentHash', { not: '' }, signal);
  for (const [i, id] of ids.entries()) {
    const hash = readVertex(graph, id)?.values.get('contentHash');
    if (hash !== undefined) enter(documents, hash, id);
    if (i % documentsAtOnce === documentsAtOnce - 1) await pause();
  }
  ledger.documents = documents;
  ledger.documentsAt = at;
  ledger.documentCount = ids.length;
  ledger.scans = 0;
}

function enter(documents: Map<string, number[]>, hash: string, id: number): void {
  const ids = documents.get(hash);
  if (ids === undefined) documents.set(hash, [id]);
  else ids.push(id);
}

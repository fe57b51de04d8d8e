// Documents of all namespaces: what is accepted (reference 20.2), what is shown of them (20.1), and how they are taken away. What happens
// between acceptance and the end of an ingestion is ./queue.ts and ./ingest.ts.

import type { Settings } from '../config/catalogue.ts';
import type { WriteOperation } from '../core/requests.ts';
import { TypeId } from '../core/values.ts';
import type { Engine, GraphEngine } from '../engine/types.ts';
import { type BindingContext, bindingOf, indexIdOf } from './binding.ts';
import { chunkCount, written } from './census.ts';
import { type Converter, inProcess, isText } from './conversion.ts';
import { doclingConverter } from './docling.ts';
import type { Embedder } from './embedder.ts';
import { repairEntityIndex } from './entities.ts';
import {
  type ChunkView,
  chunkIdsOf,
  chunkOf,
  documentLabel,
  findVertices,
  int32Of,
  isDocument,
  nowSeconds,
  readVertex,
  type Summary,
  summaryOf,
  textOf,
  type Vertex,
} from './model.ts';
import { enricherOf } from './nlp.ts';
import { IngestQueue } from './queue.ts';
import { DocumentRefused } from './refusal.ts';
import { markFailed, removalOf } from './removal.ts';
import { processing, type Submission } from './submission.ts';
import { checkSubmission } from './submission-checks.ts';

export interface DocumentsHome {
  readonly settings: Settings;
  readonly engine: Pick<Engine, 'list'>;
  readonly fetch: typeof globalThis.fetch;
  readonly pause: () => Promise<void>;
  /** Null: embedding is off. */
  readonly embedder: Embedder | null;
  readonly report: (message: string) => void;
}

interface Accepted {
  readonly summary: Summary;
  /** Whether the vertex is on disk. */
  readonly durable: Promise<boolean>;
}

export class Documents {
  readonly embedder: Embedder | null;
  private readonly home: DocumentsHome;
  private readonly queue: IngestQueue;
  private readonly docling: Converter;
  /** Of this process; a document that is processing under another one was interrupted. */
  private readonly bootId = crypto.randomUUID();
  private accepted = 0;
  /** Acceptances take turns: the same content twice at once is a duplicate too. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(home: DocumentsHome) {
    const { settings, pause, embedder } = home;
    this.home = home;
    this.embedder = embedder;
    this.docling = doclingConverter(settings, home.fetch);
    this.queue = new IngestQueue(
      {
        ...{ settings, embedder, pause },
        converterOf: ({ submission: { sourceFormat } }) => (isText(sourceFormat) ? inProcess : this.docling),
        enrich: enricherOf(settings, home.fetch, pause, home.report),
      },
      home.report,
    );
  }

  /** Cleans up what an earlier process left behind in the namespaces that are loaded. */
  async start(): Promise<void> {
    if (!this.home.settings['Ingestion:Enabled']) return;
    for (const { graph } of this.home.engine.list()) {
      if (graph === null) continue;
      await this.repair(graph);
      await repairEntityIndex(graph, indexIdOf(this.home.settings, 'entity'));
    }
  }

  close(): Promise<void> {
    return this.queue.close();
  }

  contextOf(graph: GraphEngine): BindingContext {
    return { graph, settings: this.home.settings, embedder: this.embedder };
  }

  /** Accepts a document or throws DocumentRefused. Its content is ingestion's, which drops it; its vertex is on disk when this resolves. */
  async accept(graph: GraphEngine, submission: Submission, signal: AbortSignal): Promise<Summary> {
    const { summary, durable } = await this.acceptInTurn(graph, submission, signal).catch(async (error: unknown) => {
      await this.queue.drop(submission);
      throw error;
    });
    // Not in the turn: those who wait for the disk wait together.
    await durable;
    return summary;
  }

  private async acceptInTurn(graph: GraphEngine, submission: Submission, signal: AbortSignal): Promise<Accepted> {
    const contentHash = await submission.content.hash();
    const turn = this.turn.then(() => this.acceptNow(graph, submission, contentHash, signal));
    this.turn = turn.catch(() => {}); // told to whoever asked
    return turn;
  }

  private async acceptNow(
    graph: GraphEngine,
    submission: Submission,
    contentHash: string,
    signal: AbortSignal,
  ): Promise<Accepted> {
    const { settings } = this.home;
    await checkSubmission(this.contextOf(graph), submission, contentHash, this.home.pause, signal);
    const token = `${this.bootId}/${++this.accepted}`;
    const outcome = written(graph, [this.stub(submission, contentHash, token)], { contentHash });
    if (!outcome.ok) throw new DocumentRefused('memoryLimit', 'The namespace has no memory left for a document.');
    const documentId = outcome.firstId;
    if (!this.queue.add({ graph, submission, token, documentId })) {
      const stub = readVertex(graph, documentId) as Vertex;
      markFailed(graph, stub, 'Ingestion queue full');
      const detail = `At most ${settings['Ingestion:MaxQueueLength']} documents wait to be ingested.`;
      throw new DocumentRefused('queueFull', detail, { documentId });
    }
    return { summary: summaryOf(readVertex(graph, documentId) as Vertex, this.stamp), durable: outcome.durable };
  }

  private stub(submission: Submission, contentHash: string, token: string): WriteOperation {
    const { name, sourceFormat, sourceUri, properties } = submission;
    return {
      kind: 'createVertex',
      creationDate: nowSeconds(),
      label: documentLabel,
      properties: [
        ...[textOf('name', name), textOf('sourceFormat', sourceFormat), textOf('status', processing)],
        ...(sourceUri === null ? [] : [textOf('sourceUri', sourceUri)]),
        ...[int32Of('chunkCount', 0), textOf('contentHash', contentHash), textOf('bootId', token)],
        textOf('converter', isText(sourceFormat) ? inProcess.name : this.docling.name),
        { key: 'enriched', type: TypeId.boolean, text: 'false' },
        ...Object.entries(properties).map(([key, text]) => textOf(key, text)),
      ],
    };
  }

  async list(graph: GraphEngine, signal: AbortSignal) {
    await this.repair(graph);
    const ids = await findVertices(graph, documentLabel, 'status', { not: '' }, signal);
    const documents: Summary[] = [];
    for (const [i, id] of ids.entries()) {
      const vertex = readVertex(graph, id);
      if (isDocument(vertex)) documents.push(summaryOf(vertex, this.stamp));
      if (i % 64 === 63) await this.home.pause();
    }
    return {
      documents,
      namespaceChunkCount: await chunkCount(graph, signal),
      chunkCeiling: this.home.settings['Ingestion:MaxChunksPerNamespace'],
      currentEmbeddingModel: this.stamp,
    };
  }

  /** Throws DocumentRefused where there is no such document. */
  async read(graph: GraphEngine, id: number): Promise<{ readonly summary: Summary; readonly chunks: ChunkView[] }> {
    let vertex = documentOf(graph, id);
    if (this.interrupt(graph, vertex)) vertex = documentOf(graph, id);
    const chunks: ChunkView[] = [];
    for (const [i, chunkId] of chunkIdsOf(graph, vertex).entries()) {
      const chunk = readVertex(graph, chunkId);
      if (chunk !== null) chunks.push(chunkOf(chunk));
      if (i % 64 === 63) await this.home.pause();
    }
    return { summary: summaryOf(vertex, this.stamp), chunks: chunks.sort((a, b) => a.order - b.order) };
  }

  /** The transaction that removes a document. Throws DocumentRefused where there is none. */
  removal(graph: GraphEngine, id: number): WriteOperation[] {
    return removalOf(graph, documentOf(graph, id));
  }

  bound(graph: GraphEngine): ReturnType<typeof bindingOf> {
    return bindingOf(this.contextOf(graph));
  }

  summary(vertex: Vertex): Summary {
    return summaryOf(vertex, this.stamp);
  }

  private get stamp(): string | null {
    return this.embedder?.stamp ?? null;
  }

  /** Documents that are processing and that nobody works on. A restore or an activation can bring some at any time. */
  private async repair(graph: GraphEngine): Promise<void> {
    for (const id of await findVertices(graph, documentLabel, 'status', { is: processing })) {
      const vertex = readVertex(graph, id);
      if (isDocument(vertex)) this.interrupt(graph, vertex);
    }
  }

  private interrupt(graph: GraphEngine, vertex: Vertex): boolean {
    const { values } = vertex;
    if (values.get('status') !== processing || this.queue.isAlive(values.get('bootId'))) return false;
    markFailed(graph, vertex, 'interrupted');
    return true;
  }
}

function documentOf(graph: GraphEngine, id: number): Vertex {
  const vertex = readVertex(graph, id);
  if (vertex === null) throw new DocumentRefused('notFound', `There is no vertex ${id}.`);
  if (!isDocument(vertex)) throw new DocumentRefused('badRequest', `Vertex ${id} is not a Document.`);
  return vertex;
}

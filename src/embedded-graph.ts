// A loaded graph as a program that embeds Arcwise holds it: transactions that are on disk when they resolve, and reads as objects. The
// engine behind it answers bytes; whoever passes answers on, or reads in a hot loop, takes those (`engine`).

import type { WriteOperation, WriteRefusal } from './core/requests.ts';
import { CoreStatus } from './core/status.ts';
import { largeWriteOperations } from './engine/large-writes.ts';
import type { ElementKind, GraphEngine } from './engine/types.ts';
import { checkOperations } from './operation-check.ts';

/** What a transaction made: ids are assigned in the order of its operations, from `firstId` on. */
export interface Transacted {
  readonly firstId: number;
  readonly createCount: number;
  /** False: applied, but the log could not keep it. Always true where nothing is kept. */
  readonly durable: boolean;
}

/** The graph refused a transaction as a whole; nothing changed and no id was consumed. */
export class TransactionRefused extends Error {
  override readonly name = 'TransactionRefused';
  /** A name of `CoreStatus`: `notFound`, `badValue`, `noMemory` … */
  readonly reason: string;
  readonly refusal: WriteRefusal;

  constructor(refusal: WriteRefusal) {
    const reason = Object.entries(CoreStatus).find(([, status]) => status === refusal.status)?.[0] ?? 'unknown';
    super(`Operation ${refusal.record} of the transaction was refused: ${reason}.`);
    this.reason = reason;
    this.refusal = refusal;
  }
}

/** An element in the read shape of the contract (part 1, Vertex and Edge). */
export type ElementObject = Readonly<Record<string, unknown>> & { readonly id: number };

export interface EmbeddedGraph {
  readonly vertexCount: number;
  readonly edgeCount: number;
  /**
   * One transaction: all of it happens or nothing. Rejects with InvalidOperation where a member is missing or of another type, and with
   * TransactionRefused where the graph refuses it.
   */
  transact(operations: readonly WriteOperation[]): Promise<Transacted>;
  /** Null when there is none, or it is of the other kind. */
  readElement(id: number, kind?: ElementKind): ElementObject | null;
  /** Ids of the edges of one type at a vertex; null when the vertex or the group is missing. */
  readEdges(id: number, direction: 'out' | 'in', edgeType: string): readonly number[] | null;
  /** The engine's own view: reads as bytes, scans, indexes, vectors, runs, bulk interchange. */
  readonly engine: GraphEngine;
}

const decoder = new TextDecoder();

/** `engineOf`: the graph of this moment; throws when the namespace is not loaded. */
export function embeddedGraph(engineOf: () => GraphEngine): EmbeddedGraph {
  return {
    get engine() {
      return engineOf();
    },
    get vertexCount() {
      return engineOf().vertexCount;
    },
    get edgeCount() {
      return engineOf().edgeCount;
    },
    transact: async (operations) => {
      checkOperations(operations);
      const engine = engineOf();
      // A trim under way would have to begin anew.
      for (let hold = engine.writeHold(); hold !== null; hold = engine.writeHold()) await hold;
      const isLarge = operations.length >= largeWriteOperations;
      const outcome = isLarge ? await engine.writeInSteps(operations) : engine.write(operations);
      if (!outcome.ok) throw new TransactionRefused(outcome);
      const { firstId, createCount, durable } = outcome;
      return { firstId, createCount, durable: await durable };
    },
    readElement: (id, kind = 'any') => parsed(engineOf().reads.element(id, kind)),
    readEdges: (id, direction, edgeType) => parsed(engineOf().reads.edgeGroup(id, direction, edgeType)),
  };
}

function parsed<T>(bytes: Uint8Array | null): T | null {
  return bytes === null ? null : (JSON.parse(decoder.decode(bytes)) as T);
}

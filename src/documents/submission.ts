// A document on its way into the graph: what a request brought, and the stub that stands for it until its chunks are there.

import type { GraphEngine } from '../engine/types.ts';
import type { Content } from './content.ts';
import type { SourceFormat } from './formats.ts';
import { readVertex, type Vertex } from './model.ts';

export interface LinkRequest {
  readonly indexIds: readonly string[];
  /** Null: the setting's. */
  readonly maxLinksPerChunk: number | null;
}

export interface Submission {
  readonly name: string;
  readonly sourceFormat: SourceFormat;
  readonly content: Content;
  readonly embed: boolean;
  readonly sourceUri: string | null;
  /** Tags of the caller, on the document and each of its chunks. */
  readonly properties: Readonly<Record<string, string>>;
  readonly replaceDocumentId: number | null;
  readonly link: LinkRequest | null;
}

export interface Task {
  readonly submission: Submission;
  readonly graph: GraphEngine;
  /** Value of the stub's `bootId`; no other document of this process has it. */
  readonly token: string;
  readonly documentId: number;
}

export const processing = 'processing';

/** The stub of a task, as it stands; null when it is gone, no longer processing, or its id now names something else. */
export function stubOf({ graph, token, documentId }: Task): Vertex | null {
  const vertex = readVertex(graph, documentId);
  if (vertex?.values.get('bootId') !== token || vertex.values.get('status') !== processing) return null;
  return vertex;
}

// One element, its edge types, or the ids of one type's edges, as JSON: read at once where that is short, else as a job.

import type { Core, DirectionNumber, ElementKindNumber } from '../../core/core.ts';
import type { ArenaTooSmall, CoreReader } from '../../core/reader.ts';
import type { JobKind } from './types.ts';

export type OneRead =
  | { readonly what: 'element'; readonly id: number; readonly kind: ElementKindNumber }
  | { readonly what: 'edgeTypes'; readonly id: number; readonly direction: DirectionNumber }
  | { readonly what: 'edgeGroup'; readonly id: number; readonly direction: DirectionNumber; readonly edgeType: string };

type Json = Uint8Array<ArrayBuffer> | null;

/** Null: there is no such element, or it has no such edge. */
export function oneRead(from: Core, graph: number, read: OneRead): Json;
export function oneRead(from: CoreReader, graph: number, read: OneRead): Json | ArenaTooSmall;
export function oneRead(from: Core | CoreReader, graph: number, read: OneRead): Json | ArenaTooSmall {
  switch (read.what) {
    case 'element':
      return from.readElement(graph, read.id, read.kind);
    case 'edgeTypes':
      return from.readEdgeTypes(graph, read.id, read.direction);
    case 'edgeGroup':
      return from.readGroup(graph, read.id, read.direction, read.edgeType);
  }
}

export const oneReadJob: JobKind<{ readonly graph: number; readonly read: OneRead }, Json> = {
  name: 'oneRead',
  arenaBytes: 4 * 1024 * 1024,
  run: (reader, { graph, read }, control) => control.fitting(() => oneRead(reader, graph, read)),
};

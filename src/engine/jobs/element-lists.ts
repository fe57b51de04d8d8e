// Pages of a graph and lists of elements as jobs: one for each few blocks of JSON. Where a list stands travels with the request, so a
// client that reads slowly holds nobody's thread.

import type { CoreReader } from '../../core/reader.ts';
import { ListWriter } from '../list-writer.ts';
import type { JobControl, JobKind } from './types.ts';

/** A block is at most 256 KiB, unless one element is longer. */
const arenaBytes = 1024 * 1024;
/** Of one answer: some ms. */
const answerBytes = 1024 * 1024;

const sections = [
  { kind: 2, opening: '{"edges":[' },
  { kind: 1, opening: '],"vertices":[' },
] as const;

/** Where the page of a graph stands. */
export interface PageCursor {
  /** Of `sections`; behind the last one everything is out. */
  readonly section: number;
  /** The id it goes on with; 0 before the section is opened. */
  readonly next: number;
  /** Elements that the section may still have. */
  readonly left: number;
  /** Elements that a section may have. */
  readonly limit: number;
  /** Nothing stands in the section yet. */
  readonly isFirst: boolean;
}

export function pageBegin(limit: number): PageCursor {
  return { section: 0, next: 0, left: limit, limit, isFirst: true };
}

export interface GraphPageRequest {
  readonly graph: number;
  readonly cursor: PageCursor;
}

export interface GraphPagePart {
  readonly blocks: readonly Uint8Array[];
  readonly cursor: PageCursor;
  readonly isDone: boolean;
}

export const graphPageJob: JobKind<GraphPageRequest, GraphPagePart> = {
  name: 'graphPage',
  arenaBytes,
  run: async (reader, { graph, cursor }, control) => {
    const list = new ListWriter('', cursor.isFirst);
    let { section, next, left } = cursor;
    const { limit } = cursor;
    while (section < sections.length && list.bytes < answerBytes) {
      const { kind, opening } = sections[section] as (typeof sections)[number];
      if (next === 0) list.between(opening);
      const end = reader.nextId(graph);
      if (left > 0 && next < end) {
        const block = await readBlock(reader, control, { graph, kind, next, left });
        list.add(block.items);
        left -= block.count;
        next = block.next;
      }
      if (left <= 0 || next >= end) [section, next, left] = [section + 1, 0, limit];
      await control.slice();
    }
    const isDone = section === sections.length;
    const blocks = isDone ? list.end(']}') : list.parts;
    return { blocks, cursor: { section, next, left, limit, isFirst: list.isFirst }, isDone };
  },
};

function readBlock(
  reader: CoreReader,
  control: JobControl,
  { graph, kind, next, left }: { graph: number; kind: 1 | 2; next: number; left: number },
): Promise<{ items: Uint8Array; count: number; next: number }> {
  return control.fitting(() => reader.readGraph(graph, kind, next, left));
}

export interface ElementListRequest {
  readonly graph: number;
  readonly ids: Int32Array;
  /** No element stands in the list yet. */
  readonly isFirst: boolean;
}

export interface ElementListPart {
  readonly blocks: readonly Uint8Array[];
  /** Ids without an element, among those that were asked for. */
  readonly missing: Int32Array;
  /** How many of the ids it got to. */
  readonly done: number;
  readonly isFirst: boolean;
}

export const elementListJob: JobKind<ElementListRequest, ElementListPart> = {
  name: 'elementList',
  arenaBytes,
  run: async (reader, { graph, ids, isFirst }, control) => {
    const list = new ListWriter('', isFirst);
    const missing: number[] = [];
    let done = 0;
    while (done < ids.length && list.bytes < answerBytes) {
      const block = await control.fitting(() => reader.readElements(graph, ids, done));
      list.add(block.items);
      missing.push(...block.missing);
      done = block.next;
      await control.slice();
    }
    return { blocks: list.parts, missing: Int32Array.from(missing), done, isFirst: list.isFirst };
  },
};

// Reads of one graph: of one element by single core calls, of many as one JSON text, short ones on the writer's thread, others as jobs,
// block by block.

import { unlessLong } from '../core/bounded-read.ts';
import type { Core, GroupPart } from '../core/core.ts';
import { knowsName, listedNames } from '../core/known-names.ts';
import { CoreMemoryExhausted } from '../core/memory-exhausted.ts';
import { type AnswerSource, answerJob, answerOf, type JsonBody, type PartMaker } from './answer-stream.ts';
import { elementListJob, graphPageJob, pageBegin } from './jobs/element-lists.ts';
import { type OneRead, oneRead, oneReadJob } from './jobs/one-read.ts';
import { ListWriter } from './list-writer.ts';
import type { ReadSet } from './read-set.ts';
import type { Direction, ElementKind } from './types.ts';

const kindNumbers = { any: 0, vertex: 1, edge: 2 } as const;
const directionNumbers = { out: 0, in: 1 } as const;

/** Elements whose JSON takes less time than asking a thread for it. */
const shortElements = 100;
/** Ids that are looked at for such a read in no time. */
const shortIds = 1_000_000;
/** Ids of one job: about as many elements as one answers. */
const idsAtOnce = 4096;

/** What a read needs of its namespace. */
interface ReadHost {
  readonly core: Core;
  readonly graph: number;
  /** Throws NamespaceGone when the memory is no longer this graph's. */
  check(): void;
  task<T>(run: () => Promise<T>): Promise<T>;
  answerSource(graph: number, signal: AbortSignal | undefined): AnswerSource;
}

export class GraphReads implements ReadSet {
  private readonly host: ReadHost;
  private readonly core: Core;
  private readonly handle: number;

  constructor(host: ReadHost) {
    this.host = host;
    this.core = host.core;
    this.handle = host.graph;
  }

  element(id: number, kind: ElementKind): Uint8Array | null {
    this.host.check();
    return this.core.readElement(this.handle, id, kindNumbers[kind]);
  }

  elements(ids: readonly number[], signal?: AbortSignal): Promise<JsonBody> {
    return this.host.task(() => readElements(this.host.answerSource(this.handle, signal), ids));
  }

  graph(maxElements: number, signal?: AbortSignal): Promise<JsonBody> {
    return this.host.task(() => readGraph(this.host.answerSource(this.handle, signal), maxElements));
  }

  short(read: OneRead): Uint8Array | null | undefined {
    this.host.check();
    return unlessLong(this.core.instance, () => oneRead(this.core, this.handle, read));
  }

  long(read: OneRead, signal?: AbortSignal): Promise<JsonBody | null> {
    return this.host.task(() => readOne(this.host.answerSource(this.handle, signal), this.core, read));
  }

  edgeTypes(id: number, direction: Direction): Uint8Array | null {
    this.host.check();
    return this.core.readEdgeTypes(this.handle, id, directionNumbers[direction]);
  }

  edgeGroup(id: number, direction: Direction, edgeType: string): Uint8Array | null {
    this.host.check();
    return this.core.readGroup(this.handle, id, directionNumbers[direction], edgeType);
  }

  edgeGroupPart(id: number, direction: Direction, edgeType: string, part: GroupPart): Uint8Array | null {
    this.host.check();
    return this.core.readGroupPart(this.handle, id, directionNumbers[direction], edgeType, part);
  }

  degree(id: number, direction: Direction): number | null {
    this.host.check();
    return this.core.readDegree(this.handle, id, directionNumbers[direction]);
  }

  groupDegree(id: number, direction: Direction, edgeType: string): number | null {
    this.host.check();
    return this.core.readGroupDegree(this.handle, id, directionNumbers[direction], edgeType);
  }

  endpoint(id: number, end: 'source' | 'target'): number | null {
    this.host.check();
    return this.core.readEndpoint(this.handle, id, end === 'source' ? 0 : 1);
  }

  edgeType(id: number): string | null {
    this.host.check();
    return this.core.readEdgeType(this.handle, id);
  }

  knowsName(name: string): boolean {
    this.host.check();
    return knowsName(this.core.instance, name);
  }

  listedNames(): readonly string[] {
    this.host.check();
    return listedNames(this.core.instance);
  }

  nextId(): number {
    this.host.check();
    return this.core.nextId(this.handle);
  }
}

/** As `ReadSet.long`. */
async function readOne(source: AnswerSource, core: Core, read: OneRead): Promise<JsonBody | null> {
  const { graph } = source;
  const body = await answerOf(source, () => async (isBegun) => {
    const how = { isShort: false, isBegun };
    const json = await answerJob(source, oneReadJob, { graph, read }, how).catch((error: unknown) => {
      // A full memory has no arena for a reader, but lends the writer what it takes.
      if (error instanceof CoreMemoryExhausted && !source.isOver()) return oneRead(core, graph, read);
      throw error;
    });
    return { blocks: json === null ? [] : [json], isDone: true };
  });
  return body instanceof ReadableStream || body.length > 0 ? body : null;
}

/** As `ReadSet.elements`. */
function readElements(source: AnswerSource, ids: readonly number[]): Promise<JsonBody> {
  const wanted = Int32Array.from(new Set(ids));
  return answerOf(source, () => elementParts(source, wanted));
}

function elementParts(source: AnswerSource, wanted: Int32Array): PartMaker {
  const { graph } = source;
  const isShort = wanted.length <= shortElements;
  const missing: number[] = [];
  let next = 0;
  let isFirst = true;
  return async (isBegun) => {
    const list = new ListWriter(isBegun ? '' : '{"elements":[');
    if (next < wanted.length) {
      const ids = wanted.slice(next, next + idsAtOnce);
      const part = await answerJob(source, elementListJob, { graph, ids, isFirst }, { isShort, isBegun });
      for (const block of part.blocks) list.put(block);
      for (const id of part.missing) missing.push(id);
      next += part.done;
      ({ isFirst } = part);
    }
    const isDone = next === wanted.length;
    return { blocks: isDone ? list.end(`],"notFound":${JSON.stringify(missing)}}`) : list.parts, isDone };
  };
}

/** As `ReadSet.graph`; a subgraph's too. */
export function readGraph(source: AnswerSource, maxElements: number): Promise<JsonBody> {
  return answerOf(source, () => pageParts(source, Math.max(0, maxElements)));
}

function pageParts(source: AnswerSource, maxElements: number): PartMaker {
  const { graph } = source;
  const ids = source.nextId();
  const isShort = ids <= shortElements || (maxElements <= shortElements && ids <= shortIds);
  let cursor = pageBegin(maxElements);
  return async (isBegun) => {
    const part = await answerJob(source, graphPageJob, { graph, cursor }, { isShort, isBegun });
    ({ cursor } = part);
    return part;
  };
}

// Reads of many elements as one JSON text: short ones on the writer's thread, others as jobs, block by block.

import { type AnswerSource, answerJob, answerOf, type JsonBody, type PartMaker } from './answer-stream.ts';
import { elementListJob, graphPageJob, pageBegin } from './jobs/element-lists.ts';
import { ListWriter } from './list-writer.ts';

/** Elements whose JSON takes less time than asking a thread for it. */
const shortElements = 100;
/** Ids that are looked at for such a read in no time. */
const shortIds = 1_000_000;
/** Ids of one job: about as many elements as one answers. */
const idsAtOnce = 4096;

/** As `GraphEngine.readElements`. */
export function readElements(source: AnswerSource, ids: readonly number[]): Promise<JsonBody> {
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

/** As `GraphEngine.readGraph`. */
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

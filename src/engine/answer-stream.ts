// Long answers in blocks that one job each makes: the blocks after those that are read are asked for ahead, and no more. However slowly
// its client reads, an answer holds two jobs' blocks and no thread.

import type { CoreInstance } from '../core/instance.ts';
import type { GraphJobs } from './jobs/graph-jobs.ts';
import type { JobKind } from './jobs/types.ts';

/** JSON as a whole, or as it is made. */
export type JsonBody = readonly Uint8Array[] | ReadableStream<Uint8Array>;

/** What an answer in blocks needs of its namespace. */
export interface AnswerSource {
  readonly graph: number;
  readonly jobs: GraphJobs;
  readonly signal: AbortSignal | undefined;
  /** The writer's. */
  readonly instance: CoreInstance;
  /** The namespace has gone, and its memory with it. */
  isOver(): boolean;
  nextId(): number;
  /** Changes whenever the ids that elements have may mean others from now on. */
  renumberings(): number;
  /** Runs a step that the namespace's end waits for. */
  task<T>(run: () => Promise<T>): Promise<T>;
  /** Keeps the graph in memory until the answer is called, though another one may take its place. */
  hold(): () => void;
}

/** The graph was erased or renumbered while an answer about it went out: what was still to come would not fit what is out. */
class AnswerInterrupted extends Error {
  override readonly name = 'AnswerInterrupted';
}

/** One job of an answer; `isBegun`: blocks of the answer are out, so this one waits for a thread however many wait. */
export function answerJob<Request, Result>(
  { jobs, signal }: AnswerSource,
  kind: JobKind<Request, Result>,
  request: Request,
  { isShort, isBegun }: { readonly isShort: boolean; readonly isBegun: boolean },
): Promise<Result> {
  return jobs.run(kind, request, isShort, { signal, isAdmitted: isBegun });
}

export interface AnswerPart {
  readonly blocks: readonly Uint8Array[];
  readonly isDone: boolean;
}

/** Makes the parts of one answer, in order. */
export type PartMaker = (isBegun: boolean) => Promise<AnswerPart>;

/**
 * The answer that a maker's parts make up. One that is whole with its first part is as it was at one numbering; a longer one breaks off when
 * the graph is erased or renumbered behind that part.
 */
export async function answerOf(source: AnswerSource, newMaker: () => PartMaker): Promise<JsonBody> {
  while (true) {
    const renumberings = source.renumberings();
    const make = newMaker();
    const first = await source.task(() => make(false));
    if (source.renumberings() !== renumberings) continue;
    if (first.isDone) return first.blocks;
    let isDone: boolean = first.isDone;
    const next = (): Promise<readonly Uint8Array[] | null> =>
      source.task(async () => {
        if (isDone) return null;
        const part = await make(true);
        if (source.renumberings() !== renumberings) {
          throw new AnswerInterrupted('The graph was erased or renumbered meanwhile.');
        }
        isDone = part.isDone;
        return part.blocks;
      });
    return streamOf(first.blocks, next, source.hold());
  }
}

/**
 * Yields `first`, then the blocks that `next` answers until that is null; the blocks after those that are read are asked for ahead.
 * `end` is called once nobody reads on, for whatever reason.
 */
export function streamOf(
  first: readonly Uint8Array[],
  next: () => Promise<readonly Uint8Array[] | null>,
  end: () => void,
): ReadableStream<Uint8Array> {
  let ready = first;
  let at = 0;
  let ahead: Promise<readonly Uint8Array[] | null> | null = null;
  const askAhead = (): void => {
    ahead = next();
    ahead.catch(() => {}); // whoever reads on is told
  };
  return new ReadableStream<Uint8Array>({
    start: askAhead,
    pull: async (controller) => {
      while (at === ready.length) {
        const blocks = await (ahead as NonNullable<typeof ahead>).catch((error: unknown) => {
          end();
          throw error;
        });
        if (blocks === null) {
          end();
          controller.close();
          return;
        }
        ready = blocks;
        at = 0;
        askAhead();
      }
      controller.enqueue(ready[at++] as Uint8Array);
    },
    cancel: end,
  });
}
